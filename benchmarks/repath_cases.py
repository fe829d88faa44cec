"""What `repath.py` bends along which path, and the gallery page that it makes of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kinegraph.arrays import Array
from kinegraph.feet import knees
from kinegraph.feet.contacts import contacts
from kinegraph.feet.slide import slides
from kinegraph.motion import rotation
from kinegraph.motion.body import SIDES
from kinegraph.motion.clip import Motion
from kinegraph.paths.bspline import Spline
from kinegraph.paths.curve import Curve
from kinegraph.paths.editing.editor import PathEditor
from kinegraph.paths.editing.repathed import Repathed
from kinegraph.paths.ground import Ground, ground
from kinegraph.paths.heightfield import HeightField
from kinegraph.paths.reading import read_curve, write

# frames per second: the conversion to BVH says 120 of all, but strides of 0.3 s at a jog and 0.6 s at a walk tell 60 of subject 143
CLIPS = {"16_15": 120.0, "143_04": 60.0, "143_38": 60.0, "16_35": 120.0}
SIMPLE, LOOPS, RUN = "16_15", "143_38", "143_04"
# frames of 16_15 in which the capture lost its left arm
LOST = 2
DEGREES = (2, 4, 13, 45)

# a path that climbs two metres round a bend, and ground with a bump and a hollow, as files beside the page
CLIMB = Spline(
    [[0, 0, 0], [0, 0, 2], [0, 0.3, 4], [1, 0.9, 6.5], [4, 1.4, 7], [6.5, 1.9, 5.5], [6.5, 2, 3], [6.5, 2, 1]]
)
_GRID = np.arange(-4.0, 8.5, 0.5)


def _bump(height: float, x: float, z: float) -> Array:
    bump: Array = height * np.exp(-((_GRID - x) ** 2 + (_GRID[:, None] - z) ** 2) / 2.5)
    return bump


FIELD = HeightField((_bump(0.45, 1.2, 2.0) + _bump(-0.4, 4.6, -1.0)).round(3), x0=-4.0, z0=-4.0, step=0.5)


@dataclass(frozen=True)
class Case:
    """A clip on a path. path, over: as on the command line, or the files ``climb.json`` and ``field.csv`` of the gallery."""

    name: str
    chapter: str
    clip: str
    path: str
    says: str
    cycle: bool = False
    over: str = ""
    natural: bool = False
    poses: int = 16

    @property
    def title(self) -> str:
        return f"{self.clip} on {self.path}" + (f" over {self.over}" if self.over else ", natural" * self.natural)

    @property
    def command(self) -> str:
        """What makes the same motion."""
        clip = "walk" if self.clip == SIMPLE else self.clip
        options = [
            *(["--rate 60"] if CLIPS[self.clip] == 60 else []),
            *(["--cycle"] if self.cycle else []),
            *([f"--ground {self.over}"] if self.over else []),
            *(["--natural"] if self.natural else []),
        ]
        return " ".join([f"kinegraph repath {clip}.bvh {self.path}", *options, f"-o {self.name}.bvh"])

    @property
    def curve(self) -> Curve:
        return CLIMB if self.path == "climb.json" else read_curve(self.path)

    @property
    def ground(self) -> Ground | None:
        return FIELD if self.over == "field.csv" else ground(self.over) if self.over else None


STRAIGHT_BENT = "A straight walk, bent"
STRAIGHTENED = "A winding clip, straightened"
REWOUND = "A winding clip, wound otherwise"
HILLS = "Up and down"
CASES = (
    Case("arc", STRAIGHT_BENT, SIMPLE, "circle:1.5", "The walk as it is, 4.3 m of it, on part of a circle.", poses=9),
    Case("circle", STRAIGHT_BENT, SIMPLE, "circle:3", "The walk is repeated until the circle closes.", cycle=True),
    Case(
        "zigzag",
        STRAIGHT_BENT,
        SIMPLE,
        "zigzag:3",
        "Nobody turns on the spot at a walk: corners are rounded, and the command says by how much.",
        cycle=True,
    ),
    Case("eight", STRAIGHT_BENT, SIMPLE, "eight:2", "Left round and right round.", cycle=True),
    Case("drawn", STRAIGHT_BENT, SIMPLE, "drawn:25,4", "A curve as a hand might draw it.", cycle=True),
    Case(
        "tight",
        STRAIGHT_BENT,
        SIMPLE,
        "circle:0.7",
        "A circle of 0.7 m, as people take it: slower, and leaning inwards.",
        cycle=True,
        natural=True,
        poses=8,
    ),
    Case("run", STRAIGHT_BENT, "16_35", "eight:4", "Three and a half metres of jogging become fifty.", cycle=True),
    Case("walk_straight", STRAIGHTENED, LOOPS, "line:18", "A walk round an angular eight, laid straight."),
    Case(
        "run_straight",
        STRAIGHTENED,
        RUN,
        "line:25",
        "A run round an eight, laid straight. It leans as it did in the bends that are gone.",
    ),
    Case(
        "run_upright",
        STRAIGHTENED,
        RUN,
        "line:25",
        "The same, as people run straight ahead: what they lean into bends is taken off.",
        natural=True,
    ),
    Case("walk_wave", REWOUND, LOOPS, "wave:15,1.2", "The turns of the eight become those of a wave."),
    Case("walk_eight", REWOUND, LOOPS, "eight:1.4", "The angular eight becomes a round one."),
    Case("run_drawn", REWOUND, RUN, "drawn:25,2", "The run on a curve that was drawn by hand."),
    Case("up_10", HILLS, SIMPLE, "line:4.2", "Up a slope of 10 %.", over="slope:10%"),
    Case("up_20", HILLS, SIMPLE, "line:4.2", "Up a slope of 20 %.", over="slope:20%"),
    Case("down_10", HILLS, SIMPLE, "line:4.2", "Down a slope of 10 %.", over="slope:-10%"),
    Case("down_20", HILLS, SIMPLE, "line:4.2", "Down a slope of 20 %.", over="slope:-20%"),
    Case("hill", HILLS, SIMPLE, "line:12", "Over a round hill, 1 m high.", cycle=True, over="hill:1,6"),
    Case("waves", HILLS, SIMPLE, "line:18", "Over rolling ground.", cycle=True, over="waves:0.6,6"),
    Case("walk_waves", HILLS, LOOPS, "line:16", "The angular eight, straight over rolling ground.", over="waves:0.5,5"),
    Case("climb", HILLS, SIMPLE, "climb.json", "A path with an altitude of its own: a spline in a file.", cycle=True),
    Case(
        "field",
        HILLS,
        SIMPLE,
        "circle:2.5",
        "Ground from a height field in a file, with a bump and a hollow.",
        cycle=True,
        over="field.csv",
    ),
)


@dataclass(frozen=True, eq=False)
class Bent:
    """A case that was made, and what can be measured of it."""

    case: Case
    source: Motion
    made: Repathed

    @cached_property
    def anew(self) -> tuple[float, float] | None:
        """Slide in metres, mean and max, of contacts that are found in the result itself; None on hills, where none can be."""
        if self.made.terrain is not None:
            return None
        return own_slide(self.made.motion)

    @property
    def knee(self) -> float:
        """The fastest knee by the 99.9th percentile of the source's."""
        return self.made.knee_speed / knees.usual(self.source)

    @property
    def off_ground(self) -> float:
        """Metres by which a planted point is off the ground at most."""
        return float(self.made.off_ground.max(initial=0.0))

    @cached_property
    def held(self) -> float | None:
        """Of the time that a foot stands in the result, as far as can be seen, the share in which it is held; None on hills."""
        planted = self.made.contacts
        if self.made.terrain is not None or planted is None:
            return None
        stands, held = (_either(down) for down in (contacts(self.made.motion), planted))
        return float((stands & held).sum() / max(stands.sum(), 1))

    @property
    def pop(self) -> tuple[float, float]:
        """Metres by which an ankle goes further from a frame to the next than it was carried, at most, and the second at which it does."""
        steps = [
            np.linalg.norm(np.diff(motion.position(f"{side}_ankle"), axis=0), axis=-1)
            for side in SIDES
            for motion in (self.made.motion, self.made.carried)
        ]
        further = np.maximum(steps[0] - steps[1], steps[2] - steps[3])
        return float(further.max()), int(further.argmax()) / self.source.fps

    @property
    def toes(self) -> float:
        """The fastest toes by the fastest of the source's."""
        return float(_toe_speed(self.made.motion).max() / _toe_speed(self.source).max())

    @property
    def speed(self) -> float:
        """The largest share by which a step along the path differs from the source's, of all frames."""
        if self.case.natural:
            return 0.0
        new, old = step_lengths(self.made.frame.points, self._heights), step_lengths(self.made.source.points)
        moves = old > 1e-6
        return float(np.abs(new[moves] / old[moves] - 1.0).max())

    @property
    def _heights(self) -> Array | None:
        return None if self.made.terrain is None else self.made.terrain.along(self.made.s)


def _either(down: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Whether heel or ball of each foot ``(F, 2)`` is down, of contacts ``(F, 4)``."""
    stands: NDArray[np.bool_] = down.reshape(-1, 2, 2).any(axis=-1)
    return stands


def _toe_speed(motion: Motion) -> Array:
    """Radians from frame to frame ``(F − 1, 2)`` by which the toes of both feet turn."""
    toes = motion.rotations[:, [motion.skeleton.joint("left_toe"), motion.skeleton.joint("right_toe")]]
    return rotation.angle_between(toes[1:], toes[:-1])


def step_lengths(points: Array, heights: Array | None = None) -> Array:
    """Metres ``(F − 1,)`` from each of ``points (F, 2)`` to the next, up and down included where ``heights (F,)`` are given."""
    along = np.hypot(*np.diff(points, axis=0).T)
    lengths: Array = along if heights is None else np.hypot(along, np.diff(heights))
    return lengths


def own_slide(motion: Motion) -> tuple[float, float]:
    """Slide in metres, mean and max, of the contacts that are found in a motion."""
    return slides(motion, contacts(motion)).overall


def bend(case: Case, source: Motion, editor: PathEditor) -> Bent:
    """A case, made."""
    made = editor.lay(case.curve, cycle=case.cycle, ground=case.ground, natural=case.natural)
    return Bent(case, source, made)


# -- the page ------------------------------------------------------------------------------------------------------------

_INTRODUCTION = """# Path editing: a gallery

Each motion below is one captured clip, bent along another path at its own speed. Grey is the clip as it was captured, from where the new
path begins; footprints show where planted feet stay put; a green ring marks the start. On hills the same way is seen from the side.

This page, its pictures and its figures are made by one command, which takes the folder of clips that the tests use:

    make gallery CLIPS=folder

Clips are CMU's: 16_15 is a straight walk, 16_35 a jog, 143_38 a walk and 143_04 a run round an eight. 16_15 is taken from its third
frame on (`kinegraph convert 16_15.bvh walk.bvh --frames 2:`), since in its first two the capture lost the left arm; in 143_38 the capture
itself twists the trunk from 10.4 to 11.3 s. Subject 143 is read with `--rate 60`: the files say 120 frames/s, but nobody takes six steps a
second at a jog. `slide` is how far a planted point
strays from its mean place, mean over plants and the worst of all, as the path alone would drag it and as it is; `found anew` measures the
same with contacts that are sought in the finished motion, knowing nothing of how it was made. `knee` is the fastest knee by the source's
99.9th percentile. `held` is how much of the time that a foot stands in the finished motion it is held in place; the rest are the moments
in which it rolls on or off, or slid in the capture itself. `let go` is how much of what could be held in the clip could not be on the path.
"""
_CREDIT = """
---

The data used in this project was obtained from mocap.cs.cmu.edu. The database was created with funding from NSF EIA-0196217.
"""


@dataclass
class Page:
    """The gallery's page while it is written: text in ``folder/repath.md``, pictures beside it."""

    folder: Path
    parts: list[str] = field(default_factory=lambda: [_INTRODUCTION])
    chapter: str = ""

    def show(self, bent: Bent) -> None:
        """A case: a sentence, its command, pictures and figures."""
        from kinegraph.plots.repath import repath_picture

        case, made = bent.case, bent.made
        if case.chapter != self.chapter:
            self.chapter = case.chapter
            self.parts.append(f"\n## {case.chapter}\n")
        repath_picture(bent.source, made, self.folder / f"{case.name}.png", asked=case.curve, title=case.title)
        pictures = f"![{case.title}]({case.name}.png)"
        if made.terrain is None:
            self._strip(case, made.motion, f"{case.name}_poses.png")
            pictures += f"\n\n![poses of {case.title}]({case.name}_poses.png)"
        self.parts.append(f"\n### {case.title}\n\n{case.says}\n\n    {case.command}\n\n{pictures}\n\n{_table(bent)}\n")
        self.parts += [f"\n> {notice}\n" for notice in made.notices]

    def residuals(self, motions: dict[str, Motion], rows: Callable[[str], list[str]]) -> None:
        """Paths of motions at several degrees, as in the dissertation's figures 5.8 to 5.11."""
        from kinegraph.plots.course import course_picture

        self.parts.append(
            "\n## The path of a motion, by degree\n\nWhat is left of the root beside polynomials of its path.\n"
        )
        for name, motion in motions.items():
            file = f"residuals_{name}.png"
            course_picture(motion, DEGREES, self.folder / file, title=f"{name}: its path at several degrees")
            shrunk(self.folder / file)
            lines = "\n".join(rows(name))
            self.parts.append(f"\n![residuals of {name}]({file})\n\n{lines}\n")

    def write(self) -> None:
        write(CLIMB, self.folder / "climb.json")
        _write_field(self.folder / "field.csv")
        text = "".join(self.parts) + _CREDIT
        (self.folder / "repath.md").write_text(text, encoding="utf-8", newline="\n")

    def _strip(self, case: Case, motion: Motion, file: str) -> None:
        from kinegraph.rendering.strips import strip

        if case.path.startswith("line"):
            picture = strip(motion, 14, width=1200, height=200, view="three-quarter")
        else:
            picture = strip(motion, case.poses, width=1200, height=420, layout="world")
        picture.quantize(128).save(self.folder / file, optimize=True)


def shrunk(file: Path) -> None:
    """A picture in few colours: a page of many should load at once."""
    from PIL import Image

    with Image.open(file) as picture:
        small = picture.convert("RGB").quantize(128)
    small.save(file, optimize=True)


def _write_field(file: Path) -> None:
    axis = FIELD.x0 + FIELD.step * np.arange(FIELD.heights.shape[1])
    rows = [["z"] + [f"{x:g}" for x in axis]]
    rows += [[f"{z:g}"] + [f"{height:g}" for height in row] for z, row in zip(axis, FIELD.heights, strict=True)]
    file.write_text("\n".join(",".join(row) for row in rows) + "\n", encoding="utf-8", newline="\n")


def _table(bent: Bent) -> str:
    made = bent.made
    figures: dict[str, Any] = {
        "length": f"{len(made.motion):,} frames, {made.motion.seconds:.1f} s",
        "slide before": _millimetres(made.slides_before.overall),
        "slide": _millimetres(made.slides.overall),
        **({} if bent.anew is None else {"found anew": _millimetres(bent.anew)}),
        **({} if made.terrain is None else {"feet off the slope": f"{1000 * bent.off_ground:.1f} mm"}),
        "knee": f"{bent.knee:.2f}",
        **({} if bent.held is None else {"held": f"{100 * bent.held:.0f} %"}),
        "let go": f"{bent.made.let_go:.0%}",
    }
    return "\n".join(f"| {' | '.join(row)} |" for row in (figures, ["---"] * len(figures), figures.values()))


def _millimetres(overall: tuple[float, float]) -> str:
    return f"{1000 * overall[0]:.2f}, max {1000 * overall[1]:.1f} mm"
