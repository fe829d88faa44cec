"""Dirican 2014, motion from the graph: blends and their weights, accuracy by blend, a run that becomes a jump, clip preference."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path as File

import numpy as np

from kinegraph.arrays import Array
from kinegraph.blending.kinds.weighted import Anticipation, Cubic, Linear
from kinegraph.blending.parts import upper_body
from kinegraph.blending.stretch import Blend, elapsed
from kinegraph.evaluation.quality.figures import evaluate
from kinegraph.experiments import charts
from kinegraph.experiments.clips import Clips
from kinegraph.experiments.experiment import Outcome, Picture, experiment
from kinegraph.experiments.splicing import aligned, spliced
from kinegraph.graph.making.builder import build
from kinegraph.graph.making.parameters import Parameters
from kinegraph.graph.model import MotionGraph
from kinegraph.motion import rotation
from kinegraph.motion.clip import Motion
from kinegraph.paths import read
from kinegraph.paths.path import Path
from kinegraph.rendering.strips import strip
from kinegraph.samples import make
from kinegraph.similarity.maps import distance_map
from kinegraph.walks.following import follow
from kinegraph.walks.performing import perform
from kinegraph.watch import Watch

WALKS = (*range(11, 33), 47, 58)
JUMPS = (5, 6, 7, 9, 10)
# the frames that his search looks ahead, in seconds
HORIZON = 2.0
_BLENDS: dict[str, Blend] = {"linear": Linear(), "cubic": Cubic(), "anticipation": Anticipation()}


@experiment(
    "dirican-weights",
    "Blend weights",
    "Dirican",
    "equations 4.12 to 4.14, figures 4.9 to 4.11",
    {
        "linear, at half of the time": "0.5",
        "cubic, at the beginning, half and end": "flat, steep, flat",
        "anticipation, C = 1, at half of the time": "linear",
        "anticipation, C = 2, at half of the time": "quick",
    },
    place=20,
)
def weights(clips: Clips, watch: Watch) -> Outcome:
    """The weight of the incoming motion over the time of a transition."""
    skeleton = make("stand").motion.skeleton
    t = elapsed(199)
    blends: dict[str, Blend] = {"linear": Linear(), "cubic": Cubic()}
    blends |= {f"anticipation, C = {c:g}": Anticipation(c, c, steepest=np.inf) for c in (0.5, 1.0, 2.0)}
    lines = {name: blend.weights(skeleton, len(t))[:, 0] for name, blend in blends.items()}
    middle = len(t) // 2
    slopes = np.gradient(lines["cubic"], t)[[0, middle, -1]]
    quick = lines["anticipation, C = 2"][middle] > lines["anticipation, C = 1"][middle]
    return Outcome(
        {
            "linear, at half of the time": f"{lines['linear'][middle]:.1f}",
            "cubic, at the beginning, half and end": ", ".join(
                f"slope {slope:.1f}" for slope in np.round(slopes, 1) + 0.0
            ),
            "anticipation, C = 1, at half of the time": f"{lines['anticipation, C = 1'][middle]:.1f}",
            "anticipation, C = 2, at half of the time": f"{lines['anticipation, C = 2'][middle]:.3f}",
            "anticipation, C = 0.5, at half of the time": f"{lines['anticipation, C = 0.5'][middle]:.3f}",
        },
        "alike" if quick and slopes[1] > 1 > 10 * abs(slopes[0]) else "differs",
        "His 4.13 falls from 1 to 0: it is the weight of the outgoing motion. Larger C is quicker, as in his figure 4.11; the 0.5 "
        "that his text gives the upper body would make it late.",
        pictures=[
            Picture(
                "curves",
                "The weight of the incoming motion (as figures 4.9 to 4.11)",
                lambda file: charts.curves(file, t, lines, across="time, 1 at the end", up="weight", marked=False),
            )
        ],
    )


def walks_and_jumps(clips: Clips) -> MotionGraph:
    """Subject 16's walks and jumps forward, and their mirrored copies."""
    return build([clips.acclaim(f"16_{number:02}") for number in (*JUMPS, *WALKS)], Parameters(mirror=True))


def drawn(count: int) -> list[Path]:
    """Curves of 20 m as a hand might draw them."""
    return [read(f"drawn:20,{seed}") for seed in range(count)]


@experiment(
    "dirican-blends",
    "Accuracy on a path by blend",
    "Dirican",
    "figures 5.4 to 5.7",
    {"linear": "less accurate than cubic", "cubic": "–", "anticipation": "as accurate as cubic"},
    place=21,
)
def accuracy(clips: Clips, watch: Watch) -> Outcome:
    """Eight drawn curves followed once, each walk played with the three blends."""
    graph = build([clips.acclaim(f"16_{number:02}") for number in WALKS], Parameters(mirror=True))
    paths = drawn(8)
    off: dict[str, list[tuple[float, float]]] = {name: [] for name in _BLENDS}
    tracks: dict[str, Array] = {}
    apart = 0.0
    for path in paths:
        watch.check()
        found = follow(graph, path, horizon=HORIZON, bend=0.0, watch=watch)
        done = {name: perform(found.walk, blend=blend, feet=False) for name, blend in _BLENDS.items()}
        for name, one in done.items():
            spread = evaluate(one.motion, path=path, finished=one).deviation_cm
            assert spread is not None
            off[name].append((spread.mean, spread.max))
        floors = {name: _on_floor(one.motion) for name, one in done.items()}
        apart = max(
            apart, *(float(np.linalg.norm(floors["cubic"] - other, axis=-1).max()) for other in floors.values())
        )
        tracks = tracks or floors
    means = {name: np.mean(values, axis=0) for name, values in off.items()}
    gap = max(abs(means[name][0] - means["cubic"][0]) for name in means)
    linear_worse = means["linear"][0] > means["cubic"][0] + 0.05
    return Outcome(
        {
            **{name: f"{mean:.3f} cm off on average, {most:.2f} cm at most" for name, (mean, most) in means.items()},
            "how far the roots of two blends are apart": f"{1000 * apart:.1f} mm at most",
        },
        "alike" if linear_worse else "differs",
        f"No blend is more accurate here: their means are within {10 * gap:.3f} mm of each other. All three leave and reach the "
        "same frames of "
        "the same clips, laid on the floor by the same alignment, so that a blend can only move the root within a transition, and "
        "clips that are a few centimetres apart leave no room for more. In the thesis each blend was given a search of its own that was "
        "cut off after a time; that linear blending came out less accurate may be the search's doing. Its path and clips are not "
        "told: ours are eight drawn curves of 20 m and the walks of subject 16, clips not bent, feet not cleaned.",
        pictures=[
            Picture(
                "tracks",
                "The root along a drawn curve by blend (as figures 5.4 to 5.7)",
                lambda file: charts.tracks(file, {"path": paths[0].points, **tracks}, thick="path"),
            )
        ],
    )


@experiment(
    "dirican-anticipation",
    "A run that becomes a jump",
    "Dirican",
    "figure 5.8",
    {
        "cubic: upper body against lower body": "the same, which makes the second posture unnatural",
        "anticipation: upper body against lower body": "quicker",
    },
    place=22,
)
def run_to_jump(clips: Clips, watch: Watch) -> Outcome:
    """16_35 goes over into 16_05 where they are most alike, in half a second."""
    run, jump = (clips.acclaim(name).resample(60) for name in ("16_35", "16_05"))
    length = 30
    made = distance_map([run, jump], window=length)
    # a frame before and after, and some of both clips to see
    within = (made.minima.first > length) & (made.minima.second > 0) & (made.minima.second + 2 * length < len(jump))
    best = int(np.argmin(np.where(within, made.minima.cost, np.inf)))
    leaves, reaches = int(made.minima.first[best]), int(made.minima.second[best])
    placed = aligned(run, jump, leaves, reaches, length)
    upper = upper_body(run.skeleton)
    ours, strips, ahead = {}, [], {}
    for name, blend in (("cubic", Cubic()), ("anticipation", Anticipation())):
        motion = spliced(run, placed, leaves, reaches, length, blend)
        gone = _gone(run, placed, motion, leaves, reaches, length // 2)
        above, below = (
            float(np.median(gone[upper & np.isfinite(gone)])),
            float(np.median(gone[~upper & np.isfinite(gone)])),
        )
        ahead[name] = above - below
        ours[f"{name}: upper body against lower body"] = (
            f"{above:.0%} of the way at half of the time, the lower {below:.0%}"
        )
        frames = np.linspace(leaves - length // 2, min(leaves + 2 * length, len(motion) - 1), 9).astype(int).tolist()
        strips.append((f"{name}: the transition is from frame {leaves} to {leaves + length}", (motion, frames)))

    def save(file: File) -> None:
        charts.stacked(
            file,
            [
                (said, strip(motion, frames=frames, width=1200, height=230, view="side"))
                for said, (motion, frames) in strips
            ],
        )

    return Outcome(
        ours | {"distance of the two windows": f"{100 * float(made.minima.cost[best]):.1f} cm"},
        "alike" if ahead["anticipation"] > 0.1 > abs(ahead["cubic"]) else "differs",
        "His clips are not named. With C = 2 for the upper body, which is quicker, instead of the 0.5 of his text; ours is never more "
        "than 1.8 times as steep as an even pace, lest heads jerk.",
        pictures=[Picture("strips", "A run becomes a jump (as figure 5.8): cubic above, anticipation below", save)],
    )


def _gone(a: Motion, b: Motion, made: Motion, leaves: int, reaches: int, after: int) -> Array:
    """The share ``(J,)`` of the turn from one clip's pose to the other's that joints have done so many frames into a transition.

    Joints that have less than 5° to turn do not tell.
    """
    from_a, to_b, now = a.rotations[leaves + after], b.rotations[reaches + after], made.rotations[leaves + after]
    whole = rotation.angle_between(from_a, to_b)
    share: Array = np.where(
        whole > np.radians(5), rotation.angle_between(from_a, now) / np.maximum(whole, 1e-9), np.nan
    )
    return share


# margins in the thesis's unit, and in cm
_THEIRS, _OURS = (0, 10, 50, 100), (10, 20, 50)
# metres of CMU's unit of length, and frames of 120 Hz in one of the error's
_UNIT, _FRAMES = 0.0254 / 0.45, 120 / 30


@dataclass(frozen=True)
class Margin:
    """What came of a margin, averaged over paths: shares of frames out of the preferred clips and of jumping, and cm off the path."""

    centimetres: float
    clips: float
    jumping: float
    mean: float
    most: float
    track: Array


def in_centimetres(margin: float) -> float:
    """A margin of the thesis as a root mean square in cm over its horizon.

    >>> round(in_centimetres(100), 2)
    3.64
    """
    return 100 * float(np.sqrt(margin * _UNIT**2 / _FRAMES / (30 * HORIZON)))


@experiment(
    "dirican-preference",
    "Clip preference",
    "Dirican",
    "figures 4.8 and 5.9 to 5.11",
    {
        "margin 0": "follows the path, few jumps",
        "margin 50": "less accurate (figure 4.8)",
        "margin 100": "jumps, less accurate",
    },
    place=23,
)
def preference(clips: Clips, watch: Watch) -> Outcome:
    """A margin on the jumping clips, over several drawn curves: one walk tells little, since a margin changes where it begins."""
    graph = walks_and_jumps(clips)
    paths = drawn(6)
    told = {f"margin {units}": in_centimetres(units) for units in _THEIRS} | {
        f"margin of {cm} cm": float(cm) for cm in _OURS
    }
    found = {}
    for name, centimetres in told.items():
        watch.check()
        found[name] = _averaged(graph, paths, centimetres, watch)
    first, last = found["margin 0"], found["margin 100"]
    widest = found[f"margin of {_OURS[-1]} cm"]
    holds = last.clips > first.clips and last.mean > first.mean
    return Outcome(
        {
            name: f"{row.clips:.0%} of the frames from jumping clips, {row.jumping:.0%} in a jump; {row.mean:.1f} cm off on average, "
            f"{row.most:.0f} at most ({row.centimetres:.2f} cm)"
            for name, row in found.items()
        },
        "alike" if holds else "differs",
        "Its margins are squares of CMU's unit of length summed over the 240 frames of its horizon; 100 of them are 3.64 cm, root mean "
        "square. "
        + (
            ""
            if holds
            else f"So small a margin takes {first.clips:.0%} to {last.clips:.0%} of the frames here, at no loss of accuracy. "
        )
        + f"Margins in centimetres show both plainly: {widest.clips:.0%} of the frames at {_OURS[-1]} cm, {widest.mean:.0f} cm off. His "
        "path and clips are not told; ours are six drawn curves of 20 m, and the walks and jumps forward of subject 16, not bent.",
        pictures=[
            Picture(
                "tracks",
                "The root along a drawn curve without and with a margin on jumping clips (as figures 5.9 to 5.11)",
                lambda file: charts.tracks(
                    file,
                    {
                        "path": paths[0].points,
                        **{name: found[name].track for name in ("margin 0", "margin 100", f"margin of {_OURS[-1]} cm")},
                    },
                    thick="path",
                ),
            )
        ],
    )


def _averaged(graph: MotionGraph, paths: Sequence[Path], centimetres: float, watch: Watch) -> Margin:
    jumps = [f"16_{number:02}" for number in JUMPS]
    rows, tracks = [], []
    for path in paths:
        walk = follow(
            graph, path, prefer=dict.fromkeys(jumps, centimetres), horizon=HORIZON, bend=0.0, watch=watch
        ).walk
        done = perform(walk, feet=False)
        figures = evaluate(done.motion, path=path, finished=done)
        assert figures.clips is not None
        assert figures.deviation_cm is not None
        share = sum(part for name, part in figures.clips.items() if name.removesuffix("_mirrored") in jumps)
        jumping = (figures.labels or {}).get("jump", 0.0)
        rows.append((share, jumping, figures.deviation_cm.mean, figures.deviation_cm.max))
        tracks.append(_on_floor(done.motion))
    share, jumping, mean, most = np.mean(rows, axis=0).tolist()
    return Margin(centimetres, share, jumping, mean, most, tracks[0])


def _on_floor(motion: Motion) -> Array:
    floor: Array = motion.root[:, [0, 2]]
    return floor
