"""Path editing, section 5.8: a motion relative to the tangent of a path that goes up and down, and relative to its shadow on the floor."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from kinegraph.arrays import Array
from kinegraph.experiments import charts
from kinegraph.experiments.clips import Clips
from kinegraph.experiments.documents.path_editing import straight_walk
from kinegraph.experiments.experiment import Outcome, Picture, experiment
from kinegraph.feet.contacts import contacts
from kinegraph.feet.slide import slides
from kinegraph.motion import rotation
from kinegraph.motion.clip import Motion
from kinegraph.paths.editing.editor import PathEditor
from kinegraph.paths.ground import ground
from kinegraph.rendering.strips import strip
from kinegraph.watch import Watch

_LINE, _GROUND = "line:12", "hill:1.5,6"


@experiment(
    "path-hills",
    "Uphill and downhill",
    "Path editing",
    "section 5.8, figures 3.7, 5.21 and 5.22",
    {
        "relative to the tangent on the horizontal": "upright, but slides vertically as in a lift",
        "relative to the tangent": "leans as if to fall over: highly unrealistic",
    },
    place=58,
)
def hills(clips: Clips, watch: Watch) -> Outcome:
    """A straight walk, repeated over a round hill, carried in three ways."""
    editor = PathEditor(straight_walk(clips))
    flat = editor.lay(_LINE, cycle=True, feet=False)
    heights = ground(_GROUND)
    lifted = _lifted(flat.motion, flat.s, heights(flat.frame.points))
    tilted, slope = _tilted(flat.motion, flat.s, heights(flat.frame.points))
    ours = editor.lay(_LINE, cycle=True, ground=_GROUND)
    stands = contacts(flat.motion)
    lean = {
        name: float(np.abs(_lean(one) - _lean(flat.motion)).max())
        for name, one in (("lifted", lifted), ("tilted", tilted))
    }
    stray = {
        name: 1000 * slides(one, stands).overall[1]
        for name, one in (("lifted", lifted), ("tilted", tilted), ("flat", flat.motion))
    }
    holds = lean["tilted"] > 5 and lean["lifted"] < 1 and stray["lifted"] > 2 * stray["flat"]
    return Outcome(
        {
            "relative to the tangent on the horizontal": f"leans by {lean['lifted']:.0f}° more than on the flat; planted feet stray "
            "up to "
            f"{stray['lifted']:.0f} mm, {stray['flat']:.0f} on the flat",
            "relative to the tangent": f"leans by up to {lean['tilted']:.0f}° on a slope of up to "
            f"{np.degrees(np.abs(slope).max()):.0f}°; planted feet "
            f"stray up to {stray['tilted']:.0f} mm",
            "ours, footsteps on the ground": f"upright; planted feet stray up to {1000 * ours.slides.overall[1]:.1f} mm and are "
            f"{1000 * float(ours.off_ground.max()):.1f} mm off the slope at most",
        },
        "alike" if holds else "differs",
        "Both of the dissertation's ways are made here by hand, on a hill 1.5 m high. Ours lays footsteps on the ground and lets "
        "legs do the rest.",
        pictures=[
            Picture(
                "strips",
                "Over a hill: relative to the tangent's shadow (as figure 5.21), relative to the tangent (as figure 5.22), and ours",
                lambda file: _draw(
                    file,
                    {
                        "relative to the tangent on the horizontal": lifted,
                        "relative to the tangent": tilted,
                        "ours": ours.motion,
                    },
                ),
            )
        ],
    )


def _lifted(motion: Motion, s: Array, height: Array) -> Motion:
    root = motion.root.copy()
    root[:, 1] += height
    return Motion(motion.skeleton, root, motion.rotations, motion.fps)


def _tilted(motion: Motion, s: Array, height: Array) -> tuple[Motion, Array]:
    """The motion in a frame whose Z follows the slope of a path along +Z, and that slope in radians ``(F,)``."""
    rise, run = np.gradient(height), np.maximum(np.gradient(s), 1e-6)
    slope: Array = np.arctan2(rise, run)
    tilt = rotation.exp(np.stack([-slope, np.zeros_like(slope), np.zeros_like(slope)], axis=-1))
    foot = np.stack([np.zeros_like(s), np.zeros_like(s), s], axis=-1)
    root = rotation.rotate(tilt, motion.root - foot) + foot
    root[:, 1] += height
    rotations = motion.rotations.copy()
    rotations[:, 0] = rotation.multiply(tilt, rotations[:, 0])
    return Motion(motion.skeleton, root, rotations, motion.fps), slope


def _lean(motion: Motion) -> Array:
    """Degrees ``(F,)`` by which the line from hips to head leans forwards."""
    up = motion.position("head") - motion.root
    lean: Array = np.degrees(np.arctan2(up[:, 2], up[:, 1]))
    return lean


def _draw(file: Path, motions: dict[str, Motion]) -> None:
    charts.stacked(
        file,
        [
            (said, strip(motion, 13, width=1200, height=230, view="side", layout="world"))
            for said, motion in motions.items()
        ],
    )
