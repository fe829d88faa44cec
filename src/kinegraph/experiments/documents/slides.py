"""Muthukumar's slides on motion graphs: where two clips meet, a clip and its mirror image, paths with and without labels."""

from __future__ import annotations

from pathlib import Path as File

import numpy as np

from kinegraph.arrays import Array, Bools, Longs
from kinegraph.evaluation.quality.figures import evaluate
from kinegraph.experiments import charts
from kinegraph.experiments.clips import Clips
from kinegraph.experiments.experiment import Outcome, Picture, experiment
from kinegraph.graph.making.builder import build
from kinegraph.graph.making.parameters import Parameters
from kinegraph.motion.clip import Motion
from kinegraph.paths import read
from kinegraph.plots import canvas
from kinegraph.rendering.strips import strip
from kinegraph.similarity.maps import distance_map
from kinegraph.walks.following import follow
from kinegraph.walks.performing import perform
from kinegraph.watch import Watch

_WALKS = (*range(11, 33), 47, 58)


@experiment(
    "slides-threshold",
    "Local minima below a threshold",
    "Muthukumar",
    "figures 8 and 9",
    {"low threshold": "good transitions", "high threshold": "high connectivity"},
    place=60,
)
def threshold(clips: Clips, watch: Watch) -> Outcome:
    """A walk and a run compared, and what thresholds leave of their minima."""
    walks = [clips.acclaim(name).resample(30) for name in ("16_15", "16_35")]
    made = distance_map(walks, window=10)
    costs = 100 * made.minima.cost
    # the best third, and all
    low, high = float(np.percentile(costs, 33)), float(costs.max())
    few, many = (costs[costs <= limit] for limit in (low, high))
    return Outcome(
        {
            "low threshold": f"{len(few)} minima up to {low:.1f} cm, {few.mean():.1f} cm on average",
            "high threshold": f"{len(many)} minima up to {high:.1f} cm, {many.mean():.1f} cm on average",
        },
        "alike" if len(few) < len(many) and few.mean() < many.mean() else "differs",
        pictures=[
            Picture(
                "map",
                f"The error of a walk and a run: all minima (as figure 8), and those up to {low:.1f} cm (as figure 9)",
                lambda file: _maps(
                    file, made.centimetres, np.stack([made.minima.first, made.minima.second], axis=1), costs <= low
                ),
            )
        ],
    )


def _maps(file: File, centimetres: Array, minima: Longs, near: Bools) -> None:
    figure = canvas.new_figure(8.0, 3.6)
    for axes, chosen in zip(charts.axes_of(figure, 1, 2), (minima, minima[near]), strict=True):
        charts.matrix(axes, centimetres, chosen)
        charts.label(axes, "frame of 16_35", "frame of 16_15", f"{len(chosen)} minima")
    canvas.write(figure, file)


@experiment(
    "slides-reflection",
    "Paths from a clip and its reflection",
    "Muthukumar",
    "figures 20 to 22",
    {"the clip and its reflection": "make motions that follow paths to both sides"},
    place=61,
)
def reflection(clips: Clips, watch: Watch) -> Outcome:
    """One sneaking clip and its mirror image along an eight; then the walk that turns left."""
    made: dict[str, Motion] = {}
    off = {}
    path = read("eight:2")
    for name, clip in (("sneak", clips.acclaim("17_03")), ("walk that turns left", clips.acclaim("16_17"))):
        watch.check()
        for mirrored in (False, True):
            graph = build([clip], Parameters(mirror=mirrored, bridges=False))
            done = perform(follow(graph, path, bend=0.0, watch=watch).walk)
            deviation = evaluate(done.motion, path=path, finished=done).deviation_cm
            assert deviation is not None
            said = f"{name}, {'with' if mirrored else 'without'} its reflection"
            made[said], off[said] = done.motion, (deviation.mean, deviation.max)
    best = [mean for said, (mean, _) in off.items() if "with its" in said]
    alone = [mean for said, (mean, _) in off.items() if "without" in said]
    return Outcome(
        {
            "the clip and its reflection": f"{min(best):.1f} and {max(best):.1f} cm off an eight on average, alone {min(alone):.1f} "
            f"and {max(alone):.1f}",
            **{
                said: f"{mean:.1f} cm off an eight on average, {most:.0f} at most" for said, (mean, most) in off.items()
            },
        },
        "alike" if all(one < other for one, other in zip(best, alone, strict=True)) else "differs",
        "Clips are not bent here, as in the slides: one clip and its reflection have little to choose from on an eight of 2 m.",
        pictures=[
            Picture(
                "tracks",
                "The root along an eight (as figures 21 and 22)",
                lambda file: charts.tracks(
                    file,
                    {"path": path.points, **{said: one.root[:, [0, 2]] for said, one in made.items()}},
                    thick="path",
                ),
            )
        ],
    )


@experiment(
    "slides-labels",
    "A path with a label for each part",
    "Muthukumar",
    "figure 19",
    {"labels on parts of a path": "each part is walked as its label says"},
    place=62,
)
def labels(clips: Clips, watch: Watch) -> Outcome:
    """Walk, run, walk along a drawn curve, from subject 16's walks and runs."""
    names = [
        *(f"16_{number:02}" for number in (*_WALKS, 33, 34)),
        *(f"16_{number:02}" for number in (8, *range(35, 47), *range(48, 58))),
    ]
    graph = build([clips.acclaim(name) for name in names], Parameters(mirror=True))
    path = read("drawn:30,1")
    thirds = "0-10:walk,10-20:run,20-:walk"
    done = perform(follow(graph, path, sections=thirds, watch=watch).walk)
    figures = evaluate(done.motion, path=path, finished=done)
    along, speed = _along(done.motion)
    parts = [speed[(along >= low) & (along < high)].mean() for low, high in ((1.0, 9.0), (12.0, 18.0), (22.0, 29.0))]
    assert figures.deviation_cm is not None
    return Outcome(
        {
            "labels on parts of a path": f"walked at {parts[0]:.1f} m/s, run at {parts[1]:.1f} m/s, walked at {parts[2]:.1f} m/s",
            "off the path": f"{figures.deviation_cm.mean:.1f} cm on average",
        },
        "alike" if parts[1] > 1.4 * max(parts[0], parts[2]) else "differs",
        "Which labels figure 19 has is not told; ours are those of one subject.",
        pictures=[
            Picture(
                "strip",
                "Walk, run, walk along a drawn curve (as figure 19)",
                lambda file: strip(done.motion, 26, width=1200, height=420, layout="world").save(file),
            ),
            Picture(
                "speed",
                "Speed along the path",
                lambda file: charts.curves(
                    file, along, {"speed": speed}, across="metres along the path", up="metres a second", marked=False
                ),
            ),
        ],
    )


def _along(motion: Motion) -> tuple[Array, Array]:
    """Metres gone and metres a second, evened out over half a second ``(F − 1,)``."""
    steps = np.linalg.norm(np.diff(motion.root[:, [0, 2]], axis=0), axis=-1)
    window = round(motion.fps / 2)
    even: Array = np.convolve(np.pad(steps, window // 2, mode="edge"), np.ones(window) / window, "valid")[: len(steps)]
    return np.cumsum(steps), even * motion.fps
