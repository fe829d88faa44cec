"""Chen 2007, section 3.1: strikes aligned in time."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from kinegraph.arrays import Array, Longs
from kinegraph.experiments import charts
from kinegraph.experiments.clips import Clips
from kinegraph.experiments.experiment import Outcome, Picture, experiment
from kinegraph.motion import kinematics
from kinegraph.motion.clip import Motion
from kinegraph.plots import canvas
from kinegraph.plots.bones import draw_bones
from kinegraph.similarity.clouds import Cloud, cloud, cloud_matrix
from kinegraph.similarity.registration import grid, register
from kinegraph.strikes.builder import build
from kinegraph.strikes.examples import Examples
from kinegraph.strikes.registered import Cut, cuts
from kinegraph.watch import Watch

if TYPE_CHECKING:
    from matplotlib.axes import Axes

TAKE = "02_05"
"""Nine punches of the right hand, three by three: what his set of nine hook punches is like."""
_RATE = 30.0
# the frames of motion B in his figures 13 and 14
_FRAMES = (5, 10, 15)


@experiment(
    "chen-time-alignment",
    "Two strikes aligned in time",
    "Chen",
    "figures 11 to 14",
    {
        "the path through the distance grid": "forward in both motions, cheapest of all",
        "frame 5 of B": "frame 9 of A",
        "frame 10 of B": "frame 16 of A",
        "frame 15 of B": "frame 21 of A",
        "poses at the same moment": "nearer after the alignment",
    },
    place=40,
)
def time_alignment(clips: Clips, watch: Watch) -> Outcome:
    """Two punches of 02_05 at 30 Hz: that to the middle, and the one that differs most from it in pace."""
    b, a = _two(clips)
    clouds = [_cloud(one.motion) for one in (a, b)]
    distances = grid(*clouds)
    path = staircase(distances)
    warp = register(clouds[1], clouds[0], [(b.hit, a.hit)], slope=3.0, rates=(_RATE, _RATE))
    # A's frame for each frame of B: by the staircase the mean of those that it holds together
    stairs = np.array([path[path[:, 1] == frame, 0].mean() for frame in range(len(b.motion))])
    as_is = np.minimum(np.arange(len(b.motion)), len(a.motion) - 1)
    apart = {
        name: float(100 * distances[np.rint(frames).astype(int), np.arange(len(b.motion))].mean())
        for name, frames in (("original timing", as_is), ("staircase", stairs), ("ours", warp))
    }
    frames = {
        f"frame {frame} of B": f"frame {stairs[frame]:.0f} of A by the staircase, {warp[frame]:.1f} by the smooth warp"
        for frame in _FRAMES
    }
    return Outcome(
        {
            "the path through the distance grid": f"{len(path)} steps, never back, through a grid of {distances.shape[0]} × "
            f"{distances.shape[1]}",
            **frames,
            "poses at the same moment": f"{apart['original timing']:.1f} cm apart in original timing, {apart['staircase']:.1f} cm by the "
            f"staircase, {apart['ours']:.1f} cm by ours",
        },
        "alike"
        if apart["staircase"] < apart["original timing"] and apart["ours"] < apart["original timing"]
        else "differs",
        "His two motions are not to be had. The staircase is his; what kinegraph uses is a smooth curve in the same valley, pinned "
        "at the hit, "
        "which follows differences of style less ([methods](methods.md#strikes)) and so leaves poses a little further apart.",
        pictures=[
            Picture(
                "grid",
                "The distance grid (as figure 11), with the staircase in red (as figure 12) and our warp in white",
                lambda file: _draw_grid(file, distances, path, warp),
            ),
            Picture(
                "poses",
                "Motion A dark, B light: at the same frame (above, as figure 13) and at the aligned ones (below, as figure 14)",
                lambda file: _draw_poses(file, a.motion, b.motion, stairs),
            ),
        ],
    )


def staircase(distances: Array) -> Longs:
    """The cheapest way ``(K, 2)`` from the first to the last entry of a grid that never goes back in either motion.

    >>> staircase(np.array([[0.0, 9.0], [0.0, 9.0], [9.0, 0.0]])).tolist()
    [[0, 0], [1, 0], [2, 1]]
    """
    rows, columns = distances.shape
    total = np.full((rows + 1, columns + 1), np.inf)
    total[0, 0] = 0.0
    for i in range(rows):
        for j in range(columns):
            total[i + 1, j + 1] = distances[i, j] + min(total[i, j], total[i, j + 1], total[i + 1, j])
    way = [(rows, columns)]
    while way[-1] != (1, 1):
        i, j = way[-1]
        way.append(min(((i - 1, j - 1), (i - 1, j), (i, j - 1)), key=lambda place: total[place]))
    return np.array(way[::-1]) - 1


def _two(clips: Clips) -> tuple[Cut, Cut]:
    """The strike that hits most in the middle, and the one that takes longest against it or is soonest over."""
    take = clips.bvh(TAKE)
    examples = build([take], "punch", fps=_RATE).examples
    cut, _ = cuts(take, examples.strikes, _RATE)
    hits = examples.hits
    middle = int(np.argmin(np.linalg.norm(hits - hits.mean(axis=0), axis=1)))
    pace = [abs(np.log(one.hit / cut[middle].hit)) for one in cut]
    return cut[middle], cut[int(np.argmax(pace))]


def _cloud(motion: Motion) -> Cloud:
    roles = sorted(set(motion.skeleton.roles.values()))
    weights = np.zeros(len(motion.skeleton))
    weights[roles] = 1.0 / len(roles)
    return cloud(motion, cloud_matrix(motion.skeleton, weights), np.ones(len(motion), np.bool_))


def _draw_grid(file: Path, distances: Array, path: Longs, warp: Array) -> None:
    figure = canvas.new_figure(5.6, 4.6)
    (axes,) = charts.axes_of(figure)
    axes.grid(visible=False)
    # dark is near, as in the paper
    axes.imshow(distances, cmap=charts.greys(), origin="lower", aspect="auto")
    axes.plot(path[:, 1], path[:, 0], color="#e63946", linewidth=2, label="cheapest path")
    axes.plot(np.arange(len(warp)), warp, color="white", linewidth=1.5, linestyle="--", label="ours")
    charts.label(axes, "frame of motion B", "frame of motion A")
    axes.legend(fontsize=canvas.SMALL, facecolor="#888888", labelcolor="white")
    canvas.write(figure, file)


def _draw_poses(file: Path, a: Motion, b: Motion, stairs: Array) -> None:
    figure = canvas.new_figure(7.5, 6.0)
    panels = charts.axes_of(figure, 2, len(_FRAMES))
    for column, frame in enumerate(_FRAMES):
        for row, of_a in enumerate((frame, round(float(stairs[frame])))):
            axes = panels[row * len(_FRAMES) + column]
            bodies(axes, [b[frame : frame + 1], a[of_a : of_a + 1]])
            axes.set_title(f"A {of_a}, B {frame}", fontsize=canvas.LABEL, color=canvas.INK)
    canvas.write(figure, file)


def bodies(axes: Axes, poses: list[Motion]) -> None:
    """Bodies seen from the front, each over the same spot, the last one dark."""
    axes.grid(visible=False)
    for pose in poses:
        strong: Any = range(len(pose.skeleton)) if pose is poses[-1] else ()
        here = Motion(pose.skeleton, pose.root * [0.0, 1.0, 0.0], pose.rotations, pose.fps)
        draw_bones(axes, here, 0, 1, strong)
    axes.set_xlim(-1.0, 1.0)
    axes.set_ylim(-0.05, 2.0)
    axes.set_aspect("equal")
    axes.set_xticks([])
    axes.set_yticks([])


@experiment(
    "chen-aligned-set",
    "A set of punches aligned",
    "Chen",
    "figure 15",
    {"poses at the ready moment": "on one another", "poses at the attack moment": "all at their hits at once"},
    place=41,
)
def aligned_set(clips: Clips, watch: Watch) -> Outcome:
    """All punches of 02_05 against the one that hits most in the middle."""
    examples = build([clips.bvh(TAKE)], "punch", fps=_RATE).examples
    places = _places(examples)
    aligned = _spread(places)
    # the same strikes as they were captured, all begun at once
    elapsed = np.arange(0.0, float(np.ptp(examples.times, axis=1).min()), 1 / _RATE)
    raw = np.stack([_at(places[n], examples.times[n], examples.times[n, 0] + elapsed) for n in range(len(examples))])
    untimed = _spread(raw)
    late = examples.times[:, 0].min() - examples.times[:, 0].max()
    return Outcome(
        {
            "poses at the ready moment": f"joints {100 * aligned[0]:.1f} cm from their mean, on average",
            "poses at the attack moment": f"all {len(examples)} at their hits; as captured they hit up to {-late:.2f} s apart",
            "over the whole strike": f"{100 * aligned.mean():.1f} cm from their mean when aligned, {100 * untimed.mean():.1f} cm as "
            "captured",
        },
        "alike" if aligned.mean() < untimed.mean() else "differs",
        "His punches are not to be had; ours are nine punches towards a grid of targets.",
        pictures=[
            Picture(
                "set",
                "Ready to attack, and the attack moment, all punches on one another (as figure 15)",
                lambda file: _draw_set(file, examples),
            )
        ],
    )


def _places(examples: Examples) -> Array:
    """Places ``(N, T, J, 3)`` of all joints, over the same spot of the floor at the ready pose."""
    return np.stack(
        [
            kinematics.forward(examples.skeleton, *poses)[0]
            for poses in zip(examples.root, examples.rotations, strict=True)
        ]
    )


def _at(places: Array, times: Array, wanted: Array) -> Array:
    flat = places.reshape(len(places), -1)
    found = np.stack([np.interp(wanted, times, column) for column in flat.T], axis=-1)
    return found.reshape(len(wanted), *places.shape[1:])


def _spread(places: Array) -> Array:
    """Metres ``(T,)`` of joints from their mean over the strikes, on average."""
    spread: Array = np.linalg.norm(places - places.mean(axis=0), axis=-1).mean(axis=(0, 2))
    return spread


def _draw_set(file: Path, examples: Examples) -> None:
    figure = canvas.new_figure(7.0, 4.2)
    for axes, moment, said in zip(
        charts.axes_of(figure, 1, 2), (0, examples.hit), ("ready to attack", "the attack moment"), strict=True
    ):
        poses = [
            Motion(examples.skeleton, examples.root[n, moment][None], examples.rotations[n, moment][None], _RATE)
            for n in range(len(examples))
        ]
        bodies(axes, poses)
        axes.set_title(said, fontsize=canvas.LABEL, color=canvas.INK)
    canvas.write(figure, file)
