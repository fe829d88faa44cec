"""`Repath`: one clip bent along another path."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from os import PathLike
from pathlib import Path as FilePath
from typing import Any

import numpy as np

from kinegraph.arrays import Array
from kinegraph.evaluation.repathing import ground_notices, off_path, repath_facts, repath_rows, repath_short
from kinegraph.feet.cleanup import STRETCH
from kinegraph.feet.sole import has_legs
from kinegraph.formats.registry import load
from kinegraph.motion.clip import Motion
from kinegraph.paths.bspline import Spline
from kinegraph.paths.editing.editor import PathEditor
from kinegraph.paths.editing.options import ENDS, KEEPS, STARTS
from kinegraph.paths.editing.repathed import Repathed
from kinegraph.paths.ground import ground as read_ground
from kinegraph.paths.path import Path
from kinegraph.paths.reading import as_curve
from kinegraph.tasks.made import Made, TransitionSpan
from kinegraph.tasks.task import Rows, Task, register, shortened
from kinegraph.watch import Watch, Watcher
from kinegraph.wishes import wish

NO_LEGS = "the feet are left as they are: the joints' names do not tell which are the hips, knees and ankles"
"""What to say where feet should be held and cannot be, since the skeleton has no legs that are known."""


@register
@dataclass(frozen=True)
class Repath(Task):
    """Bend one clip along another path, at its own speed and with feet that stay put (after Gleicher 2001).

    >>> import kinegraph as kg
    >>> made = Repath("circle:2", cycle=True).run(kg.samples.make("walk").motion)
    >>> made.quality["slide_mm"]["max"] < 0.1
    True
    """

    name = command = "repath"
    source = "clip"
    summary = "Bend one clip along another path, at its own speed and with feet that stay put (after Gleicher 2001)."
    examples = (
        "kinegraph repath walk.bvh circle:3 --cycle -o round.bvh --plot round.png",
        "kinegraph repath walk.bvh '0,0 0,4 3,6' --keep time -o way.bvh",
        "kinegraph repath walk.bvh line:12 --cycle --ground waves:0.6,6 -o hills.bvh",
    )
    echoed = ("degree", "keep", "end", "start", "natural", "ground")

    path: Path | Spline = wish(
        "line:8, circle:3, eight:3, square:6, wave:12,1.5, drawn:60; points 'x,z x,z …' in metres, with heights "
        "'x,y,z x,y,z …'; or a file: .json (points, or a spline), .csv, .svg.",
        form="path",
        metavar="PATH",
    )
    degree: int | None = wish(
        "Take the polynomial of this degree, up to 45, for the clip's own path.",
        default=None,
        served=(1, 45),
        usual="a spline as stiff as its stride",
    )
    keep: str = wish(
        "Walk as fast as captured, or the whole path in its time, or stay in its place where the path begins.",
        default="speed",
        choices=KEEPS,
    )
    end: str = wish("What to do where the path is shorter than the clip's own.", default="stop", choices=ENDS)
    start: str = wish("Bring the clip to the path, or the path to the clip.", default="path", choices=STARTS)
    cycle: bool = wish("Repeat the clip's best loop until the path ends, or for so many seconds.", default=False)
    seconds: float | None = wish(
        "With cycle: how long it is to last.", default=None, unit="s", above=0.0, served=(None, 600.0)
    )
    ground: Any = wish(
        "slope:20%, hill:1,6, waves:0.3,6, ramp:1,2,6, or a height field: .npz, .npy, .csv.",
        default=None,
        form="ground",
        metavar="SPEC",
    )
    natural: bool = wish("Slow down and lean in bends, as people do.", default=False)
    stretch: float = wish(
        "By which part of their length legs may change where they do not reach; 0: not at all.",
        default=STRETCH,
        served=(0.0, 0.2),
    )
    feet: bool = wish("Hold feet where they stand, instead of leaving them as the path drags them.", default=True)
    fps: float | None = wish(
        "Frames per second of the result.", default=None, unit="frames/s", usual="the clip's", served=(1.0, 240.0)
    )

    def __post_init__(self) -> None:
        object.__setattr__(self, "path", as_curve(self.path))

    def floor(self) -> Any:
        """The ground, read where it is a text."""
        return read_ground(self.ground) if isinstance(self.ground, str) else self.ground

    def run(self, source: Motion | str | PathLike[str] | PathEditor, watch: Watcher = None) -> Made:
        """The motion of a clip on the path. A `PathEditor` keeps what does not depend on the path, for the next time."""
        Watch.of(watch).tell("lay", 0, None)
        editor = source if isinstance(source, PathEditor) else PathEditor(self._clip(source), degree=self.degree)
        ground = self.floor()
        legs = has_legs(editor.motion.skeleton)
        asked: dict[str, Any] = {"keep": self.keep, "end": self.end, "start": self.start, "cycle": self.cycle}
        asked |= {"seconds": self.seconds, "ground": ground, "stretch": self.stretch}
        begun = time.thread_time()
        laid = editor.lay(self.path, natural=self.natural, feet=self.feet and legs, **asked)
        cpu = time.thread_time() - begun
        # as it would be with no slowing down, for its seams and its speed
        plain = editor.lay(self.path, feet=False, **asked) if self.natural else laid
        off = off_path(laid, self.path)
        facts = repath_facts(laid, plain, self.path, cpu, off=off)
        missing = [NO_LEGS] if self.feet and not legs else []
        notices = [*editor.motion.notices, *missing, *laid.notices, *ground_notices(ground, laid)]
        return Made(
            self,
            f"{editor.motion.name} on {shortened(self.path.name) or f'{self.path.length:.1f} m'}",
            laid.motion,
            contacts=laid.contacts,
            plants=() if laid.feet is None else laid.feet.plants,
            slides=laid.slides,
            transitions=_seams(laid, editor.motion.name),
            path=self.path if self.start == "path" else laid.curve,  # type: ignore[arg-type]
            notices=tuple(dict.fromkeys(notices)),
            short=repath_short(facts),
            cpu=cpu,
            per_frame={"deviation_cm": _filled(100 * off, len(laid.motion)), "altitude": _altitude(laid)},
            details=RepathDetails(laid, editor, facts),
        )

    def judge(self, made: Made) -> Mapping[str, Any]:
        """How far it came, how fast, and whether its feet stand."""
        facts: Mapping[str, Any] = made.details.facts
        return facts

    def tell(self, made: Made) -> Sequence[tuple[str, Rows]]:
        """The same as sentences."""
        return [(f"{made.title}, {self.path.length:.1f} m", repath_rows(made.details.facts))]

    def warn(self, made: Made) -> tuple[str, ...]:
        """Where knees turn faster than in the clip."""
        from kinegraph.evaluation.quality.warnings import fast_knees

        knee = made.details.facts["knee_speed"]
        return fast_knees(knee["worst"], knee["source_p999"])

    def draw(self, made: Made, file: str | PathLike[str]) -> str:
        """The way from above, and on hills from the side."""
        from kinegraph.plots.repath import repath_picture

        repath_picture(made.details.editor.motion, made.details.laid, file, title=made.title)
        return "the way from above, with its footprints"

    def stretched(self, made: Made) -> float:
        """By which part of their length legs change at most."""
        reached = made.details.laid.reached
        return 0.0 if reached is None else float(np.abs(reached.longer).max())

    def unstretched(self, made: Made) -> Made:
        """The same with legs of one length."""
        return replace(self, stretch=0.0).run(made.details.editor)

    def echo(self) -> dict[str, Any]:
        """The path and the ground by their names."""
        asked = super().echo()
        return {"path": self.path.name, **asked, "ground": None if self.ground is None else str(self.ground)}

    def _clip(self, source: Motion | str | PathLike[str]) -> Motion:
        motion = source if isinstance(source, Motion) else load(source)
        if not motion.name and not isinstance(source, Motion):
            motion = motion.renamed(FilePath(source).stem)
        return motion if self.fps is None else motion.resample(self.fps)


@dataclass(frozen=True, eq=False)
class RepathDetails:
    """What the path editor gave, the editor itself, and the figures."""

    laid: Repathed
    editor: PathEditor
    facts: Mapping[str, Any]


def _seams(laid: Repathed, name: str) -> tuple[TransitionSpan, ...]:
    """Where a clip that is repeated begins its rounds anew; a motion slowed down in bends has them elsewhere and does not tell."""
    loop = laid.loop
    if loop is None:
        return ()
    half = loop.window // 2
    return tuple(
        TransitionSpan(seam - half, loop.window, loop.distance, name, name)
        for seam in range(loop.last, len(laid.motion), len(loop))
    )


def _filled(values: Array, frames: int) -> Array:
    """Values ``(F,)``; 0 past the path's end, where nothing was asked for."""
    filled = np.zeros(frames)
    filled[: len(values)] = values
    return filled


def _altitude(laid: Repathed) -> Array:
    """Metres ``(F,)`` of the ground below the body."""
    return np.zeros(len(laid.motion)) if laid.terrain is None else laid.terrain.along(laid.s)
