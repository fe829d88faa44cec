"""Thumbnails: a clip as a few stick figures, in greys that read on light and on dark."""

from __future__ import annotations

import numpy as np

from kinegraph.arrays import Array
from kinegraph.motion import Motion
from kinegraph.motion.body import SIDES

WIDTH, HEIGHT = 240, 96
"""Of the picture, in units that are pixels at its usual size."""

_POSES = 5
_MARGIN = 8.0
# from where the body is seen: radians from its front, towards its left side, and from above
_SIDEWAYS, _DOWN = np.radians(62.0), np.radians(10.0)
# what lies behind is lighter; both have some contrast with white and with black
_COLOURS = {"left": "#9aa7b4", "right": "#64748b", "middle": "#7b8a9a"}
_OPACITY = (0.45, 1.0)


def thumbnail(motion: Motion) -> str:
    """An SVG of poses spread over a clip, each turned to be seen from the same side.

    >>> import kinegraph as kg
    >>> kg.rendering.thumbnail(kg.samples.make("walk").motion)[:4]
    '<svg'
    """
    frames = np.unique(np.linspace(0, len(motion) - 1, min(_POSES, len(motion))).round().astype(int))
    still = _chosen(motion, frames)
    poses = _seen(still)
    low, high = poses.min(axis=(0, 1)), poses.max(axis=(0, 1))
    middles = 0.5 * (poses[:, :, 0].min(axis=1) + poses[:, :, 0].max(axis=1))
    widest = float(np.ptp(poses[:, :, 0], axis=1).max())
    column = (WIDTH - 2 * _MARGIN) / len(frames)
    tall = max(float(high[1] - low[1]), 1e-6)
    scale = min((HEIGHT - 2 * _MARGIN) / tall, 1.25 * column / max(widest, 1e-6))
    sides = _sides(motion)
    parents = motion.skeleton.parents
    drawn = []
    for number, pose in enumerate(poses):
        x = _MARGIN + (number + 0.5) * column + (pose[:, 0] - middles[number]) * scale
        y = HEIGHT - _MARGIN - (pose[:, 1] - low[1]) * scale
        paths = dict.fromkeys(_COLOURS, "")
        for joint in range(1, len(parents)):
            parent = parents[joint]
            paths[sides[joint]] += f"M{x[parent]:.1f} {y[parent]:.1f}L{x[joint]:.1f} {y[joint]:.1f}"
        share = number / max(len(poses) - 1, 1)
        opacity = _OPACITY[0] + (_OPACITY[1] - _OPACITY[0]) * share
        lines = "".join(f'<path d="{path}" stroke="{_COLOURS[side]}"/>' for side, path in paths.items() if path)
        head = _head(motion, x, y, scale)
        drawn.append(f'<g opacity="{opacity:.2f}">{lines}{head}</g>')
    floor = f'<path d="M{_MARGIN} {HEIGHT - 5}H{WIDTH - _MARGIN}" stroke="#94a3b8" stroke-width="1" opacity="0.5"/>'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" fill="none" stroke-width="2.2" '
        f'stroke-linecap="round" stroke-linejoin="round">{floor}{"".join(drawn)}</svg>'
    )


def _chosen(motion: Motion, frames: Array) -> Motion:
    """Some frames of a motion: only those need be posed."""
    return motion.sample(frames / motion.fps)


def _seen(motion: Motion) -> Array:
    """Joints ``(F, J, 2)`` as they are seen, to the right and up, relative to the root's place on the floor."""
    places = motion.positions - motion.root[:, None] * [1.0, 0.0, 1.0]
    legs = motion.skeleton.has_roles("left_hip", "right_hip")
    turn = (motion.heading() if legs else np.zeros(len(motion)))[:, None]
    # as if the body faced +Z, seen from its left and a little from the front: ahead is to the right
    across = places[..., 0] * np.cos(turn) - places[..., 2] * np.sin(turn)
    ahead = places[..., 0] * np.sin(turn) + places[..., 2] * np.cos(turn)
    right = ahead * np.sin(_SIDEWAYS) - across * np.cos(_SIDEWAYS)
    near = ahead * np.cos(_SIDEWAYS) + across * np.sin(_SIDEWAYS)
    return np.stack([right, places[..., 1] * np.cos(_DOWN) - near * np.sin(_DOWN)], axis=-1)


def _sides(motion: Motion) -> list[str]:
    """For each joint on which side of the body it hangs."""
    skeleton = motion.skeleton
    sides = ["middle"] * len(skeleton)
    for side in SIDES:
        for limb in ("hip", "shoulder"):
            top = skeleton.roles.get(f"{side}_{limb}")
            if top is not None:
                for joint in (top, *skeleton.below(top)):
                    sides[joint] = side
    return sides


def _head(motion: Motion, x: Array, y: Array, scale: float) -> str:
    head = motion.skeleton.roles.get("head")
    if head is None or motion.skeleton.stature <= 0:
        return ""
    radius = 0.06 * motion.skeleton.stature * scale
    return (
        f'<circle cx="{x[head]:.1f}" cy="{y[head] - 0.5 * radius:.1f}" r="{radius:.1f}" fill="{_COLOURS["middle"]}"/>'
    )
