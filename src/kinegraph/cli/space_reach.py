"""`kinegraph space reach`: the strike that hits a target."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperCommand

from kinegraph.cli import console, making, reading, spaces
from kinegraph.errors import SpaceError
from kinegraph.formats import save

if TYPE_CHECKING:
    from kinegraph.motion import Motion
    from kinegraph.spaces.finish import Finish
    from kinegraph.spaces.space import Method, Reach, Space

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
    from kinegraph.motion.mirror import mirror as mirrored
    from kinegraph.spaces.space import check_bounds

    way = _method(method)
    check_bounds((low, high))
    space = spaces.load(path, name)
    asked = [-goal[0], *goal[1:]] if mirror else goal
    with console.progress("striking"):
        found = space.reach(asked, method=way, bounds=(low, high), finished=not no_finish, fps=fps)
    motion = mirrored(found.motion) if mirror else found.motion
    writes = output is not None and (found.reached or nearest)
    made = _Made(space, found, motion, goal, mirror, output if writes else None)
    if writes:
        assert output is not None
        save(motion.renamed(output.stem), output)
    if as_json:
        console.report({"space": str(path), **_facts(made), "method": way, "bounds": [low, high]})
    else:
        _tell(made)
    if not found.reached:
        _say_missed(made, output, nearest)


def _method(text: str) -> Method:
    from kinegraph.spaces.space import METHODS

    for known in METHODS:
        if text == known:
            return known
    raise SpaceError(f"unknown method {text!r}: expected {' or '.join(METHODS)}")


@dataclass(frozen=True, eq=False)
class _Made:
    """A strike that was made. target: as asked, before any mirroring. output: where it was written, if it was."""

    space: Space
    reach: Reach
    motion: Motion
    target: list[float]
    mirrored: bool
    output: Path | None

    @property
    def hit(self) -> list[float]:
        """Where the strike hits, as the motion shows it."""
        x, y, z = spaces.numbers(self.reach.hit)
        return [-x if self.mirrored else x, y, z]


def _weights(made: _Made) -> list[dict[str, Any]]:
    """What the strike is blended of, the largest weight first."""
    strikes = made.space.examples.strikes
    order = sorted(range(len(strikes)), key=lambda index: -float(made.reach.weights[index]))
    rows = [(strikes[index], round(float(made.reach.weights[index]), 4)) for index in order]
    return [{"clip": strike.clip, "hit": strike.hit, "weight": weight} for strike, weight in rows if weight]


def _facts(made: _Made) -> dict[str, Any]:
    found = made.reach
    return {
        "name": made.space.name,
        "output": None if made.output is None else str(made.output),
        "target": made.target,
        "hit": made.hit,
        "hit_frame": found.hit_frame,
        "miss_cm": round(100 * found.miss, 4),
        "reached": found.reached,
        "inside": found.inside,
        "reliability": round(found.reliability, 3),
        "frames": len(made.motion),
        "fps": made.motion.fps,
        "seconds": round(made.motion.seconds, 3),
        "mirrored": made.mirrored,
        "weights": _weights(made),
        "finish": _finish_facts(found.finish),
    }


def _finish_facts(done: Finish | None) -> dict[str, Any] | None:
    if done is None:
        return None
    return {
        "turned_deg": round(math.degrees(done.turned), 3),
        "lowered_cm": round(100 * done.lowered, 3),
        "overhang_cm": round(100 * done.overhang, 2),
        "examples_overhang_cm": round(100 * done.usual, 2),
        "balanced": done.balanced,
    }


def _finish_sentence(done: Finish | None) -> str:
    """What the finish did, for people."""
    if done is None:
        return "none: feet are not held"
    parts = ["feet held"]
    parts.append(
        f"joints turned by up to {math.degrees(done.turned):.1f}°" if done.turned else "no joint turned for the hit"
    )
    if done.lowered >= 0.0005:
        parts.append(f"body lowered by up to {100 * done.lowered:.1f} cm")
    beyond = 100 * (done.overhang - done.usual)
    parts.append(
        "in balance" if done.balanced else f"out of balance: it leans {beyond:.0f} cm further than any example"
    )
    return ", ".join(parts)


def _tell(made: _Made) -> None:
    from kinegraph.spaces.strikes import limb_name, other

    found, examples = made.reach, made.space.examples
    side = other(examples.side) if made.mirrored else examples.side
    limb = limb_name(examples.kind, side)
    where = f"{'within' if found.inside else 'outside'} the region of the examples"
    if len(made.target) == 3:
        where = f"seen from the front, {where}"
    main = [f"{row['weight']:.2f} {row['clip']}:{row['hit']}" for row in _weights(made) if abs(row["weight"]) >= _SMALL]
    rows = [
        ("hit", f"{spaces.point(made.hit)} at frame {found.hit_frame}, {_off(found.miss)} the target"),
        ("target", f"{where}; reliability {found.reliability:.2f}"),
        ("blend", ", ".join(main[:6]) + (f" and {len(main) - 6} more" if len(main) > 6 else "")),
        ("finish", _finish_sentence(found.finish)),
        ("motion", f"{len(made.motion)} frames at {made.motion.fps:g} frames/s, {made.motion.seconds:.2f} s"),
    ]
    name = f"{made.space.name}, mirrored," if made.mirrored else made.space.name
    making.print_rows(f"{name} at {spaces.point(made.target)} with the {limb}", rows)
    if made.output is not None:
        making.written(made.output, made.motion)


def _off(miss: float) -> str:
    return "on" if miss < 5e-5 else f"{1000 * miss:.1f} mm off" if miss < 0.01 else f"{100 * miss:.1f} cm off"


def _say_missed(made: _Made, output: Path | None, nearest: bool) -> None:
    """Say by how much the nearest strike misses; exits with 1 unless it was wished for."""
    dims = len(made.target)
    sentence = (
        f"{spaces.point(made.target)} cannot be reached: the nearest strike hits {spaces.point(made.hit[:dims])} and misses it by "
        f"{100 * made.reach.miss:.1f} cm"
    )
    if nearest:
        console.notice(sentence)
        return
    kept = f"; {output} was not written" if output is not None else ""
    console.complain(f"{sentence}{kept} (--nearest makes it all the same)")
    raise typer.Exit(1)
