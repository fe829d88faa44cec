"""Path editing: speed, ends and cycles of a motion on another path; its own path by degree; simple to complex and back."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from pathlib import Path

import numpy as np

from kinegraph.arrays import Array
from kinegraph.evaluation.usual import velocity_jumps
from kinegraph.experiments import charts
from kinegraph.experiments.clips import Clips
from kinegraph.experiments.experiment import Outcome, Picture, Verdict, experiment
from kinegraph.motion.clip import Motion, concatenate
from kinegraph.motion.floor import FloorTransform
from kinegraph.paths.curve import Curve
from kinegraph.paths.editing.editor import PathEditor
from kinegraph.paths.editing.fit import residual_table
from kinegraph.paths.editing.joints import facing
from kinegraph.paths.editing.repathed import Repathed
from kinegraph.paths.reading import read_curve
from kinegraph.paths.shapes import line
from kinegraph.plots.course import course_picture
from kinegraph.rendering.strips import strip
from kinegraph.watch import Watch

DEGREES = (2, 4, 13, 45)
_OUGHT = "Path editing"


def straight_walk(clips: Clips) -> Motion:
    """16_15 without its first two frames, in which the capture lost the left arm."""
    return clips.bvh("16_15")[2:]


def winding_walk(clips: Clips) -> Motion:
    """143_38, a walk round an angular eight: the file says 120 frames a second, but nobody takes strides of 0.3 s at a walk."""
    return clips.bvh("143_38", fps=60.0)


def speed_of(made: Repathed) -> float:
    """Mean metres a second along the path."""
    return float(np.abs(np.diff(made.s)).mean()) * made.motion.fps


def slid(made: Repathed) -> str:
    """How far planted feet stray, before they are held and after."""
    (mean, most), (held, longest) = made.slides_before.overall, made.slides.overall
    return (
        f"feet stray {1000 * mean:.0f} mm, {1000 * most:.0f} at most; held, {1000 * held:.1f} and {1000 * longest:.1f}"
    )


def track(motion: Motion) -> Array:
    """Where the root goes on the floor ``(F, 2)``."""
    floor: Array = motion.root[:, [0, 2]]
    return floor


def drawn(curve: Curve) -> Array:
    """Points ``(N, 2)`` of a curve."""
    return curve.at(np.linspace(0.0, curve.length, 400))


@experiment(
    "path-residuals",
    "Residuals relative to the path, and absolute",
    _OUGHT,
    "figures 3.1 and 3.2",
    {"relative to the path": "the body turns with the path", "absolute": "undesirable where the direction changes"},
    place=50,
)
def residuals(clips: Clips, watch: Watch) -> Outcome:
    """A straight walk on a quarter of a circle, both ways."""
    editor = PathEditor(straight_walk(clips))
    curve = read_curve("circle:2.6")
    made = {
        name: editor.lay(curve, feet=False, absolute=absolute)
        for name, absolute in (("relative to the path", False), ("absolute", True))
    }
    off = {name: float(np.degrees(np.abs(_turned(one))).max()) for name, one in made.items()}
    return Outcome(
        {name: f"the body faces up to {value:.0f}° away from the path" for name, value in off.items()},
        "alike" if off["absolute"] > 3 * off["relative to the path"] else "differs",
        pictures=[
            Picture(
                "tracks",
                "The root on a circle with both kinds of residuals (as figure 3.2)",
                lambda file: charts.tracks(
                    file,
                    {"path": drawn(curve)[:120], **{name: track(one.motion) for name, one in made.items()}},
                    thick="path",
                ),
            )
        ],
    )


def _turned(made: Repathed) -> Array:
    """Radians by which the body faces away from the path ``(F,)``."""
    away = facing(made.motion) - made.curve.heading(made.s)
    turned: Array = (away + np.pi) % (2 * np.pi) - np.pi
    return turned


@experiment(
    "path-speed",
    "Arc length: the speed of the motion on longer and shorter paths",
    _OUGHT,
    "section 5.1, figures 5.1 to 5.4",
    {
        "longer path, by time": "faster; footskate",
        "shorter path, by time": "slower",
        "longer path, by arc length": "the same speed",
    },
    place=51,
)
def speed(clips: Clips, watch: Watch) -> Outcome:
    """A straight walk on paths 1.3 and 0.7 times as long as its own."""
    editor = PathEditor(straight_walk(clips))
    own = editor.course.curve.length
    plain = editor.lay(line(own), keep="time")
    ways = {
        "longer path, by time": editor.lay(line(1.3 * own), keep="time"),
        "shorter path, by time": editor.lay(line(0.7 * own), keep="time"),
        "longer path, by arc length": editor.lay(line(1.3 * own)),
    }
    shares = {name: speed_of(made) / speed_of(plain) for name, made in ways.items()}
    holds = (
        shares["longer path, by time"] > 1.2
        and shares["shorter path, by time"] < 0.8
        and abs(shares["longer path, by arc length"] - 1) < 0.01
    )
    return Outcome(
        {name: f"{shares[name]:.3f} times the speed; {slid(made)} mm" for name, made in ways.items()},
        "alike" if holds else "differs",
        "The footskate is that of the motion as the path carries it; ours then holds feet in place, which the dissertation leaves to "
        "future work.",
        pictures=[
            Picture(
                "strips",
                "As captured, on a longer and a shorter path by time, and on a longer one by arc length (as figures 5.1 to 5.4): "
                "poses at even times",
                lambda file: _strips(file, {"as captured": plain, **ways}),
            )
        ],
    )


def _strips(file: Path, made: Mapping[str, Repathed]) -> None:
    """Motions below one another, a pose every 0.4 s where it is on the floor."""
    charts.stacked(
        file,
        [
            (
                f"{name}: {one.s[-1]:.1f} m in {one.motion.seconds:.1f} s",
                strip(one.motion, round(one.motion.seconds / 0.4), width=1000, height=150, view="side", layout="world"),
            )
            for name, one in made.items()
        ],
    )


@experiment(
    "path-end",
    "The end of the path",
    _OUGHT,
    "section 5.2, figure 5.5",
    {"shorter path, by arc length": "the motion is reset to the beginning when the end is reached"},
    place=52,
)
def end_of_path(clips: Clips, watch: Watch) -> Outcome:
    """A straight walk on 0.6 of its own path, begun again at its end."""
    walk = straight_walk(clips)
    editor = PathEditor(walk)
    length = 0.6 * editor.course.curve.length
    again, stopped = editor.lay(line(length), end="restart"), editor.lay(line(length))
    # where it begins again, it does so as at first
    begun = again.cuts[0]
    same = float(np.abs(again.motion.root[begun : begun + 30] - again.motion.root[:30]).max())
    return Outcome(
        {
            "shorter path, by arc length": f"begins again at frame {begun} of {len(again.motion)}, {1000 * same:.1f} mm from where "
            "it began at first",
            "unless told": f"stops there: {len(stopped.motion)} of {len(walk)} frames",
        },
        "alike" if same < 0.01 else "differs",
    )


@experiment(
    "path-cycle",
    "Cycling",
    _OUGHT,
    "section 5.3, figure 5.6",
    {"the motion repeated along a longer path": "poor: poses and residuals jump from one cycle to the next"},
    place=53,
)
def cycling(clips: Clips, watch: Watch) -> Outcome:
    """A walk repeated whole, without a blend, and as ours finds and blends its loop."""
    walk = straight_walk(clips)
    usual = float(np.percentile(velocity_jumps(walk), 99))
    ahead = walk.root[-1] - walk.root[0]
    crude = concatenate([walk, walk.place(FloorTransform(0.0, float(ahead[0]), float(ahead[2])))])
    seam = len(walk)
    jump = float(velocity_jumps(crude)[seam - 3 : seam + 3].max()) / usual
    made = PathEditor(walk).lay(line(15.0), cycle=True)
    assert made.loop is not None
    jumps = velocity_jumps(made.motion) / usual
    half = made.loop.window // 2 + 2
    seams = np.arange(made.loop.last, len(made.motion), len(made.loop))
    worst = max(float(jumps[max(at - half, 0) : at + half].max()) for at in seams)
    return Outcome(
        {
            "the motion repeated along a longer path": (
                f"velocities jump by {jump:.1f} times the clip's 99th percentile at the seam",
                f"{worst:.2f} times, at the worst of {len(seams)} seams",
            ),
        },
        "alike" if jump > worst else "differs",
        "The dissertation asks for a blend at the least; ours repeats the part of the clip whose ends are nearest to one another, "
        "and blends it.",
        columns=("ours, repeated as in the dissertation", "ours"),
        pictures=[
            Picture(
                "jumps",
                "Change of velocity from frame to frame, by the clip's 99th percentile: repeated whole, and ours (seams are at the "
                "peaks)",
                lambda file: charts.curves(
                    file,
                    np.arange(min(len(crude), len(made.motion)) - 2) / walk.fps,
                    {
                        name: values[: min(len(crude), len(made.motion)) - 2]
                        for name, values in (("repeated whole", velocity_jumps(crude) / usual), ("ours", jumps))
                    },
                    across="seconds",
                    up="times the usual",
                    marked=False,
                ),
            )
        ],
    )


@experiment(
    "path-degree",
    "Residuals by the degree of the path",
    _OUGHT,
    "section 5.4, figures 5.7 to 5.11",
    {
        "degree 2": "very large",
        "degree 4": "smaller, still poor",
        "degree 13": "fits a lot better",
        "degree 45": "small",
    },
    place=54,
)
def degree(clips: Clips, watch: Watch) -> Outcome:
    """A walk round an angular eight."""
    walk = winding_walk(clips)
    fits = residual_table(walk, DEGREES)
    falls = all(a.rms_cm > b.rms_cm for a, b in pairwise(fits[:-1]))
    return Outcome(
        {
            (
                "our spline that follows the stride" if fit.degree is None else f"degree {fit.degree}"
            ): f"{fit.rms_cm:.1f} cm RMS, {fit.max_cm:.0f} cm at most; {fit.rms_degrees:.0f}° RMS"
            for fit in fits
        },
        "alike" if falls else "differs",
        "Its motion is not named. The spline is not the one of the smallest residuals: what sways with the steps is to stay in them.",
        pictures=[
            Picture(
                "residuals",
                "The path of the walk at four degrees (as figure 5.7) and the residuals (as figures 5.8 to 5.11)",
                lambda file: course_picture(walk, DEGREES, file, title="143_38: its path at several degrees"),
            )
        ],
    )


@experiment(
    "path-bent",
    "A simple path converted to complex ones",
    _OUGHT,
    "section 5.5, figures 5.12 to 5.16",
    {
        "circle": "good, footskate in sharper bends",
        "zig-zag": "good, footskate in sharper bends",
        "figure of eight": "good, footskate in sharper bends",
        "walkabout": "good, footskate in sharper bends",
    },
    place=55,
)
def bent(clips: Clips, watch: Watch) -> Outcome:
    """A straight walk on a circle, a zig-zag, an eight and a drawn curve."""
    editor = PathEditor(straight_walk(clips))
    paths = {"circle": "circle:3", "zig-zag": "zigzag:3", "figure of eight": "eight:2", "walkabout": "drawn:25,4"}
    made = {name: editor.lay(path, cycle=True) for name, path in paths.items()}
    return Outcome(
        {name: f"{one.motion.seconds:.0f} s; {slid(one)} mm" for name, one in made.items()},
        _skates(editor, made),
        "Nobody can walk a corner: the zig-zag's are rounded. More of these, with pictures of the bodies, are in the "
        "[gallery](gallery/repath.md).",
        pictures=[_plans("plans", "A straight walk on four paths (as figures 5.13 to 5.16)", paths, made)],
    )


def _skates(editor: PathEditor, made: Mapping[str, Repathed]) -> Verdict:
    """Whether feet slide further on other paths than on the clip's own, before they are held."""
    own = editor.lay(editor.course.curve, start=FloorTransform(0.0, 1.0, 0.0)).slides_before.overall[1]
    return "alike" if all(one.slides_before.overall[1] > own for one in made.values()) else "differs"


def _plans(name: str, caption: str, paths: Mapping[str, str], made: Mapping[str, Repathed]) -> Picture:
    floors = {
        title: {"path": drawn(read_curve(paths[title])), "root": track(one.motion)} for title, one in made.items()
    }
    return Picture(name, caption, lambda file: charts.panels(file, floors, thick="path"))


@experiment(
    "path-straightened",
    "A complex path converted to a simple one, by degree",
    _OUGHT,
    "section 5.6, figures 5.17 and 5.18",
    {
        "degree 2": "follows the line worst",
        "degree 4": "poorly",
        "degree 13": "better",
        "degree 45": "best; slow where the bends were",
    },
    place=56,
)
def straightened(clips: Clips, watch: Watch) -> Outcome:
    """A walk round an angular eight, laid straight, with its path taken at four degrees and by our spline."""
    walk = winding_walk(clips)
    names = {f"degree {degree}": degree for degree in DEGREES} | {"our spline": None}
    made = {}
    for name, degree in names.items():
        watch.check()
        editor = PathEditor(walk, degree=degree)
        made[name] = editor.lay(line(editor.course.curve.length))
    off = {name: 100 * np.abs(one.carried.root[:, 0]) for name, one in made.items()}
    pace = {name: _slowest(one.carried) for name, one in made.items()}
    means = [float(off[f"degree {degree}"].mean()) for degree in DEGREES]
    return Outcome(
        {
            name: f"{off[name].mean():.0f} cm off the line on average, {off[name].max():.0f} at most; faces "
            f"{np.degrees(np.sqrt(np.mean(_turned(one) ** 2))):.0f}° RMS away from it; slowest at {pace[name]:.0%} of the mean "
            f"speed; {slid(one)} mm"
            for name, one in made.items()
        },
        "alike" if means == sorted(means, reverse=True) else "differs",
        "Its motion is not named. Ours takes sharp corners; what a path of low degree does not catch of them stays as residual, and "
        "carries the "
        "body away from the line.",
        pictures=[
            Picture(
                "plans",
                "The walk laid straight, by the degree of its own path (as figure 5.17)",
                lambda file: charts.panels(
                    file,
                    {name: {"path": drawn(one.curve), "root": track(one.carried)} for name, one in made.items()},
                    thick="path",
                ),
            )
        ],
    )


def _slowest(motion: Motion) -> float:
    """The slowest second by the mean speed, without the beginning and the end, where the walker stands."""
    steps = np.linalg.norm(np.diff(track(motion), axis=0), axis=-1)
    steps = steps[len(steps) // 6 : -len(steps) // 6]
    window = round(motion.fps)
    return float(np.convolve(steps, np.ones(window) / window, "valid").min() / steps.mean())


@experiment(
    "path-rewound",
    "A complex path converted to other complex ones",
    _OUGHT,
    "section 5.7, figures 5.19 and 5.20",
    {"wave": "footskate, most in tight turns", "round eight": "footskate, most in tight turns"},
    place=57,
)
def rewound(clips: Clips, watch: Watch) -> Outcome:
    """The walk round an angular eight on a wave and on a round eight."""
    editor = PathEditor(winding_walk(clips))
    paths = {"wave": "wave:15,1.2", "round eight": "eight:1.4"}
    made = {name: editor.lay(path) for name, path in paths.items()}
    return Outcome(
        {name: f"{one.motion.seconds:.0f} s; {slid(one)} mm" for name, one in made.items()},
        _skates(editor, made),
        pictures=[_plans("plans", "The winding walk on two other paths (as figures 5.19 and 5.20)", paths, made)],
    )
