"""`Strike`: the punch or kick that hits a target."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from os import PathLike
from typing import TYPE_CHECKING, Any

from kinegraph.errors import FormatError
from kinegraph.feet.slide import Slides, slides
from kinegraph.strikes import told
from kinegraph.strikes.solve import BEYOND, METHODS, Bounds, check_bounds
from kinegraph.tasks.made import Made
from kinegraph.tasks.task import Rows, Task, register
from kinegraph.watch import Watch, Watcher
from kinegraph.wishes import check, wish

if TYPE_CHECKING:
    from kinegraph.evaluation.strikes.reaching import Struck
    from kinegraph.strikes.space import Space

# Of the weights that are told to people: smaller ones are not seen in the result.
_SMALL = 0.01
# weights that are told one by one
_TOLD = 6


@register
@dataclass(frozen=True)
class Strike(Task):
    """Make the strike that hits a target, in metres from below the ready pose: to the left, up, and ahead.

    >>> import kinegraph as kg
    >>> takes = [kg.samples.make(name).motion for name in kg.samples.names() if name.startswith("punch")]
    >>> made = Strike((0.1, 1.4)).run(kg.strikes.build(takes, "punch"))
    >>> made.reached, made.quality["hit"][:2]
    (True, [0.1, 1.4])
    """

    name = "strike"
    command = "space reach"
    source = "space"
    summary = "Make the strike that hits a target, say where it hits, and write it."
    examples = (
        "kinegraph space reach punches.mog 0.1,1.3 -o punch.bvh",
        "kinegraph space reach punches.mog -0.2,1.3,0.65 --nearest -o punch.bvh",
    )
    echoed = ("method",)

    target: Sequence[float] = wish(
        "Where the wrist (a kick's: the ankle) is to be at the hit, in metres from below the ready pose: to the left, up, ahead.",
        unit="m",
        form="target",
        metavar="X,Y[,Z]",
        served=(-100.0, 100.0),
    )
    space: str | None = wish(
        "Which space of the file; need not be said where it holds one.", default=None, option="name", metavar="NAME"
    )
    method: str = wish(
        "Blend strikes, bend the nearest onto the target, or splice parts of bodies beyond the region; auto: what suits the strikes.",
        default="auto",
        choices=METHODS,
    )
    bounds: Bounds = wish(
        "Between which the weights of strikes stay.", default=BEYOND, form="bounds", metavar="LOW,HIGH"
    )
    finished: bool = wish(
        "Hold the feet and take out what is missed, instead of leaving the blend as it is.",
        default=True,
        option="finish",
    )
    mirror: bool = wish("Strike with the other hand or foot; the target stays where it is.", default=False)
    fps: float | None = wish(
        "Frames per second of the motion.", default=None, unit="frames/s", usual="the space's", served=(1.0, 240.0)
    )

    def __post_init__(self) -> None:
        object.__setattr__(self, "target", tuple(float(value) for value in self.target))
        check(self)
        check_bounds(self.bounds)

    def run(self, source: Space | str | PathLike[str], watch: Watcher = None) -> Made:
        """The strike of a space at the target; where that cannot be hit, the one that comes nearest."""
        from kinegraph.evaluation.strikes.reaching import strike

        Watch.of(watch).tell("strike", 0, None)
        space = as_space(source, self.space)
        begun = time.thread_time()
        struck = strike(
            space,
            tuple(self.target),
            method=self.method,  # type: ignore[arg-type]  # checked
            bounds=self.bounds,
            finished=self.finished,
            mirror=self.mirror,
            fps=self.fps,
        )
        motion = struck.motion
        cpu = time.thread_time() - begun
        slid = _slid(struck)
        return Made(
            self,
            f"{space.name} at {told.point(self.target)}",
            motion,
            contacts=struck.contacts,
            plants=slid.plants,
            slides=slid,
            notices=(*motion.notices, *([struck.instead] if struck.instead else [])),
            reached=struck.reach.reached,
            short=struck.missed,
            cpu=cpu,
            marks={struck.reach.hit_frame: "hit"},
            details=struck,
        )

    def judge(self, made: Made) -> Mapping[str, Any]:
        """Where it hits, what it is blended of, and what finishing it took."""
        from kinegraph.evaluation.strikes.reaching import strike_facts

        return {"name": made.details.space.name, **strike_facts(made.details)}

    def tell(self, made: Made) -> Sequence[tuple[str, Rows]]:
        """The same as sentences."""
        from kinegraph.evaluation.strikes.reaching import finish_sentence, weights

        struck: Struck = made.details
        found = struck.reach
        where = f"{'within' if found.inside else 'outside'} the region of the examples"
        if len(struck.target) == 3:
            where = f"seen from the front, {where}"
        main = [
            f"{row['weight']:.2f} {row['clip']}:{row['hit']}" for row in weights(struck) if abs(row["weight"]) >= _SMALL
        ]
        more = f" and {len(main) - _TOLD} more" if len(main) > _TOLD else ""
        name = f"{struck.space.name}, mirrored," if struck.mirrored else struck.space.name
        motion = made.motion
        rows = [
            ("hit", f"{told.point(struck.hit)} at frame {found.hit_frame}, {_off(found.miss)} the target"),
            ("target", f"{where}; reliability {found.reliability:.2f}"),
            ("nearest" if found.way == "nearest" else "blend", ", ".join(main[:_TOLD]) + more),
            ("finish", finish_sentence(found.finish)),
            ("motion", f"{len(motion)} frames at {motion.fps:g} frames/s, {motion.seconds:.2f} s"),
        ]
        return [(f"{name} at {told.point(struck.target)} with the {struck.limb}", rows)]

    def echo(self) -> dict[str, Any]:
        """The bounds too."""
        return {**super().echo(), "bounds": list(self.bounds)}


def as_space(given: Space | str | PathLike[str], name: str | None = None) -> Space:
    """A space as people have it in hand: one already, or the file that holds it, with its name where it holds several."""
    from kinegraph.strikes.space import Space

    if isinstance(given, Space):
        return given
    from kinegraph.strikes.store import files

    known = files.names(given)
    if name is None and len(known) > 1:
        listed = " or ".join(f"--name '{each}'" for each in known)
        raise FormatError(f"this holds {len(known)} spaces: say which with {listed}", given)
    return files.load(given, name)


def _slid(struck: Struck) -> Slides:
    """How far what stands strays."""
    done = struck.reach.finish
    if done is None or struck.mirrored:
        return slides(struck.motion, struck.contacts)
    return slides(struck.motion, done.plants, done.soles)


def _off(miss: float) -> str:
    return "on" if miss < 5e-5 else f"{1000 * miss:.1f} mm off" if miss < 0.01 else f"{100 * miss:.1f} cm off"
