"""Chen 2007, section 4.2: why the body is adjusted part by part, and why the hip is lifted in a kick."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from kinegraph.arrays import Array
from kinegraph.evaluation.strikes.figures import outside_region
from kinegraph.experiments import charts
from kinegraph.experiments.clips import Clips
from kinegraph.experiments.documents.chen_strikes import space_of
from kinegraph.experiments.experiment import Outcome, Picture, experiment
from kinegraph.motion import kinematics, rotation
from kinegraph.plots import canvas
from kinegraph.strikes.blend import Poses, poses
from kinegraph.strikes.examples import Examples
from kinegraph.strikes.partial import partial
from kinegraph.strikes.solve import BEYOND
from kinegraph.strikes.space import Space
from kinegraph.watch import Watch

_TARGETS = 20


@experiment(
    "chen-hierarchy",
    "Hips, chest and arm adjusted in turn",
    "Chen",
    "figures 21 to 23",
    {"the arm adjusted alone": "turned beyond what a human can", "hips, chest and arm in turn": "reasonable"},
    place=46,
)
def hierarchy(clips: Clips, watch: Watch) -> Outcome:
    """Punches outside the region: how far the arm turns if it is all that is turned, and if hips and chest turn first."""
    space = space_of(clips, "straight punch")
    targets = outside_region(space, _TARGETS, np.random.default_rng(0))
    alone, shared = np.array([_arm_turns(space, target) for target in targets]).T
    return Outcome(
        {
            "the arm adjusted alone": f"turned by {alone.mean():.1f}° on average, {alone.max():.0f}° at most",
            "hips, chest and arm in turn": f"turned by {shared.mean():.1f}° on average, {shared.max():.0f}° at most",
        },
        "alike" if shared.mean() < alone.mean() else "differs",
        "Nobody's arm turns too far here: blends of nine punches over half a metre leave little to be turned.",
    )


def _arm_turns(space: Space, target: Array) -> tuple[float, float]:
    """Degrees by which the collar turns at the hit: with hips and chest left as they are, and as partial blending does it."""
    examples = space.examples.ready_and_hit
    made = partial(examples, space.region, target, lambda at: space.solve(at, BEYOND).weights, 0)
    height, direction = poses(examples, made.height), poses(examples, made.direction)
    collar = examples.skeleton.joint(f"{examples.side}_shoulder")
    before, after = (_yaw(space, one, collar) for one in (height, direction))
    alone = abs((after - before + np.pi) % (2 * np.pi) - np.pi)
    parent = examples.skeleton.joint(f"{examples.side}_collar")
    turned = rotation.angle_between(made.poses.rotations[examples.hit, parent], height.rotations[examples.hit, parent])
    return float(np.degrees(alone)), float(np.degrees(turned))


def _yaw(space: Space, made: Poses, joint: int) -> float:
    """Where the arm points on the floor at the hit, in radians."""
    examples = space.examples.ready_and_hit
    places, _ = kinematics.forward(examples.skeleton, made.root[examples.hit][None], made.rotations[examples.hit][None])
    x, _, z = places[0, examples.end] - places[0, joint]
    return float(np.arctan2(x, z))


@experiment(
    "chen-hip-lift",
    "The hip is lifted in a high kick",
    "Chen",
    "figures 25 and 26",
    {"tilt of the hips by the height of the kick": "higher kicks lift the hip"},
    place=47,
)
def hip_lift(clips: Clips, watch: Watch) -> Outcome:
    """The captured front kicks at their hits."""
    examples = space_of(clips, "straight kick").examples
    heights = examples.hits[:, 1]
    tilts = np.degrees(
        [_tilt(examples.skeleton.joint(f"{examples.side}_hip"), space_pose) for space_pose in _at_hit(examples)]
    )
    slope, rest = np.polyfit(heights, tilts, 1)
    related = float(np.corrcoef(heights, tilts)[0, 1])
    return Outcome(
        {
            "tilt of the hips by the height of the kick": f"{slope:.0f}° for each metre, correlation {related:.2f}, over "
            f"{len(heights)} kicks of "
            f"{heights.min():.2f} to {heights.max():.2f} m",
        },
        "alike" if slope > 0 and related > 0.3 else "differs",
        pictures=[
            Picture(
                "tilt",
                "How the hips tilt at the hit, by the height of the kick (as figure 26)",
                lambda file: _draw(file, heights, tilts, slope, rest),
            )
        ],
    )


def _at_hit(examples: Examples) -> list[Array]:
    """Places ``(J, 3)`` of all joints at the hit of each strike."""
    places = []
    for root, rotations in zip(examples.root[:, examples.hit], examples.rotations[:, examples.hit], strict=True):
        places.append(kinematics.forward(examples.skeleton, root[None], rotations[None])[0][0])
    return places


def _tilt(hip: int, places: Array) -> float:
    """Radians by which the line from the pelvis to the hip rises."""
    out = places[hip] - places[0]
    return float(np.arctan2(out[1], np.hypot(out[0], out[2])))


def _draw(file: Path, heights: Array, tilts: Array, slope: float, rest: float) -> None:
    figure = canvas.new_figure(5.4, 3.4)
    (axes,) = charts.axes_of(figure)
    axes.plot(heights, tilts, "o", color=charts.COLOURS[0])
    ends = np.array([heights.min(), heights.max()])
    axes.plot(ends, slope * ends + rest, color=charts.COLOURS[1])
    charts.label(axes, "height of the kick, m", "rise of the striking hip, degrees")
    canvas.write(figure, file)
