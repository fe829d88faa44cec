"""`kinegraph space reach`: the strike that hits a target."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperCommand

from kinegraph.cli import console, making, reading
from kinegraph.cli.space import shared as spaces
from kinegraph.errors import SpaceError
from kinegraph.formats import save
from kinegraph.strikes import told

if TYPE_CHECKING:
    from kinegraph.evaluation.strikes.reaching import Struck
    from kinegraph.strikes.space import Method

# Of the weights that are told to people: smaller ones are not seen in the result.
_SMALL = 0.01
# A number below zero, as it begins on the command line: no option does so.
_NEGATIVE = re.compile(r"-(\d|\.\d|inf|nan)", re.IGNORECASE)


class TakesNegatives(TyperCommand):
    """A command whose arguments may begin with a minus: ``-0.2,1.3`` is a target and no option."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Parse with a blank before numbers below zero: then the parser leaves them alone, as does who reads the number."""
        return super().parse_args(ctx, [f" {word}" if _NEGATIVE.match(word) else word for word in args])


def reach(
    path: spaces.File,
    target: Annotated[
        str,
        typer.Argument(
            metavar="X,Y[,Z]",
            help="Where the wrist (a kick's: the ankle) is to be at the hit, in metres from below the ready pose: to the left, up, ahead.",
        ),
    ],
    output: making.Output = None,
    name: spaces.Name = None,
    method: Annotated[
        str,
        typer.Option(
            "--method",
            metavar="blend|partial",
            help="Beyond the region, weigh whole strikes, or splice parts of the body.",
        ),
    ] = "blend",
    bounds: Annotated[
        str, typer.Option("--bounds", metavar="LOW,HIGH", help="Between which the weights of strikes stay.")
    ] = "-0.2,1.2",
    no_finish: Annotated[
        bool,
        typer.Option("--no-finish", help="Leave the blend as it is: feet not held, nothing taken out of the miss."),
    ] = False,
    mirror: Annotated[
        bool, typer.Option("--mirror", help="Strike with the other hand or foot; the target stays where it is.")
    ] = False,
    fps: Annotated[
        float | None, typer.Option("--fps", help="Frames per second of the motion; the space's by default.")
    ] = None,
    nearest: Annotated[
        bool, typer.Option("--nearest", help="Where the target cannot be reached, make the strike that comes nearest.")
    ] = False,
    as_json: reading.AsJson = False,
) -> None:
    """Make the strike that hits a target, say where it hits, and write it.

    Where the target cannot be reached, this says by how much the nearest strike misses, writes nothing and exits with 1; with --nearest
    that strike is written.

    \b
    kinegraph space reach punches.mog 0.1,1.3 -o punch.bvh
    kinegraph space reach punches.mog -0.2,1.3,0.65 --nearest -o punch.bvh
    """
    if output is not None:
        making.check_motion_target(output)
    goal = spaces.read_target(target)
    low, high = spaces.read_numbers(bounds, "--bounds", "two numbers, such as -0.2,1.2", (2,))
    from kinegraph.evaluation.strikes.reaching import strike, strike_facts
    from kinegraph.strikes.space import check_bounds

    way = _method(method)
    check_bounds((low, high))
    space = spaces.load(path, name)
    with console.watch("striking"):
        made = strike(space, goal, method=way, bounds=(low, high), finished=not no_finish, mirror=mirror, fps=fps)
    writes = output if made.reach.reached or nearest else None
    if writes is not None:
        save(made.motion.renamed(writes.stem), writes)
    if as_json:
        files = {"space": str(path), "name": space.name, "output": None if writes is None else str(writes)}
        console.report({**files, **strike_facts(made), "method": way, "bounds": [low, high]})
    else:
        _tell(made, writes)
    if made.missed:
        _say_missed(made, output, nearest)


def _method(text: str) -> Method:
    from kinegraph.strikes.space import METHODS

    for known in METHODS:
        if text == known:
            return known
    raise SpaceError(f"unknown method {text!r}: expected {' or '.join(METHODS)}")


def _tell(made: Struck, output: Path | None) -> None:
    from kinegraph.evaluation.strikes.reaching import finish_sentence, weights

    found = made.reach
    where = f"{'within' if found.inside else 'outside'} the region of the examples"
    if len(made.target) == 3:
        where = f"seen from the front, {where}"
    main = [f"{row['weight']:.2f} {row['clip']}:{row['hit']}" for row in weights(made) if abs(row["weight"]) >= _SMALL]
    rows = [
        ("hit", f"{told.point(made.hit)} at frame {found.hit_frame}, {_off(found.miss)} the target"),
        ("target", f"{where}; reliability {found.reliability:.2f}"),
        ("blend", ", ".join(main[:6]) + (f" and {len(main) - 6} more" if len(main) > 6 else "")),
        ("finish", finish_sentence(found.finish)),
        ("motion", f"{len(made.motion)} frames at {made.motion.fps:g} frames/s, {made.motion.seconds:.2f} s"),
    ]
    name = f"{made.space.name}, mirrored," if made.mirrored else made.space.name
    making.print_rows(f"{name} at {told.point(made.target)} with the {made.limb}", rows)
    if output is not None:
        making.written(output, made.motion)


def _off(miss: float) -> str:
    return "on" if miss < 5e-5 else f"{1000 * miss:.1f} mm off" if miss < 0.01 else f"{100 * miss:.1f} cm off"


def _say_missed(made: Struck, output: Path | None, nearest: bool) -> None:
    """Say by how much the nearest strike misses; exits with 1 unless it was wished for."""
    if nearest:
        console.notice(made.missed)
        return
    kept = f"; {output} was not written" if output is not None else ""
    console.complain(f"{made.missed}{kept} (--nearest makes it all the same)")
    raise typer.Exit(1)
