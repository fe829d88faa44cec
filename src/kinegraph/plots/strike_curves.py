"""A strike that a space has not seen, and what the space makes of its target: joint angles over time (Chen 2007, tables 2 to 5)."""

from __future__ import annotations

from dataclasses import dataclass
from os import PathLike
from typing import TYPE_CHECKING, Any

import numpy as np

from kinegraph.arrays import Array
from kinegraph.errors import SpaceError
from kinegraph.evaluation.strikes.left_out import blended, by_parts
from kinegraph.motion import euler
from kinegraph.plots import canvas
from kinegraph.strikes.blend import Poses
from kinegraph.strikes.choice import error
from kinegraph.strikes.examples import Examples
from kinegraph.strikes.kinds import KINDS
from kinegraph.strikes.space import Space

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_AXES = "xyz"
# Intrinsic order of the angles: a limb that is lifted turns about X far, and the middle angle must keep away from a right angle.
_ORDER = "zyx"
# A joint whose quaternions differ by less than this (a tenth of a degree) does not move.
_STILL = 1e-3
_STYLES: dict[str, dict[str, Any]] = {
    "real": {"color": canvas.INK, "linewidth": 2.6, "alpha": 0.85},
    "all": {"color": "#1f6f8b", "linewidth": 1.5},
    "without": {"color": canvas.ACCENT, "linewidth": 1.5},
    "parts": {"color": "#b07d2b", "linewidth": 1.5, "linestyle": (0, (5, 2))},
}


@dataclass(frozen=True, eq=False)
class LimbCurve:
    """A strike to draw."""

    style: str
    """The name of its style."""
    label: str
    """What the legend says."""
    rotations: Array
    """``(T, J, 4)``."""


def save(space: Space, path: str | PathLike[str], index: int | None = None) -> None:
    """Draw the curves of one strike of ``space`` to a PNG, SVG or PDF file.

    index: which strike; by default the one whose target is furthest outside the region of all the others.

    Punches show chest and collar (and the shoulder, if the capture turns that instead), kicks show the striking hip. The curves are those
    of the captured strike, of the blend at its target from all strikes, of the blend from all other strikes and, if the target is outside
    their region, of partial blending from all other strikes.
    """
    target = canvas.check_target(path)
    canvas.write(figure(space, index), target)


def figure(space: Space, index: int | None = None) -> Figure:
    """The figure of `save`, to show or to add to."""
    chosen = furthest_out(space) if index is None else index
    examples = space.examples
    if not -len(examples) <= chosen < len(examples):
        raise SpaceError(f"there is no strike {chosen} in a space of {len(examples)}: they are numbered from 0")
    chosen %= len(examples)
    drawn = curves(space, chosen)
    joints = shown_joints(examples)
    made = canvas.new_figure(13.0, 1.4 + 2.6 * len(joints))
    grid = made.subplots(len(joints), 3, squeeze=False, sharex=True)
    seconds = examples.times[chosen]
    for row, role in zip(grid, joints, strict=True):
        angles = [joint_angles(curve.rotations[:, examples.skeleton.joint(role)]) for curve in drawn]
        for column, axes in enumerate(row):
            _draw(axes, seconds, [(curve, turned[:, column]) for curve, turned in zip(drawn, angles, strict=True)])
            axes.set_title(f"{role.replace('_', ' ')}, {_AXES[column]}", fontsize=canvas.LABEL, color=canvas.INK)
        row[0].set_ylabel("degrees", fontsize=canvas.LABEL, color=canvas.INK)
    for axes in grid[-1]:
        axes.set_xlabel("seconds from the hit", fontsize=canvas.LABEL, color=canvas.INK)
    strike = examples.strikes[chosen]
    across, height = examples.hits[chosen, :2]
    made.suptitle(
        f"{canvas.shown(space.name)}: the strike of {canvas.shown(strike.clip)} that hits at frame {strike.hit}, {_across(across)}, "
        f"{height:.2f} m up",
        fontsize=canvas.TITLE,
        color=canvas.INK,
    )
    made.legend(
        *grid[0, 0].get_legend_handles_labels(),
        loc="outside lower center",
        ncols=len(drawn),
        fontsize=canvas.LABEL,
        frameon=False,
        labelcolor=canvas.INK,
    )
    return made


def furthest_out(space: Space) -> int:
    """The strike whose target is furthest outside the region of all others; if none is, the first corner of the region."""
    examples = space.examples
    best, furthest = 0, -1.0
    for index, hit in enumerate(examples.hits[:, :2]):
        try:
            lesser = Space("left", examples.without(index)).region
        except SpaceError:
            continue
        left, right = lesser.span(1, hit[1])
        low, high = lesser.span(0, hit[0])
        out = float(np.hypot(max(left - hit[0], hit[0] - right, 0.0), max(low - hit[1], hit[1] - high, 0.0)))
        if out > furthest:
            best, furthest = index, out
    return best


def curves(space: Space, index: int) -> list[LimbCurve]:
    """The curves to draw for one strike, the captured one first."""
    examples = space.examples
    goal = examples.hits[index, :2]
    lesser = Space(space.name, examples.without(index))
    count = len(examples)
    found = [
        LimbCurve("real", "as captured", examples.rotations[index]),
        _told("all", f"blend of all {count}", examples, index, blended(space, goal)),
        _told("without", f"blend of the other {count - 1}", examples, index, blended(lesser, goal)),
    ]
    parts = by_parts(lesser, goal)
    if parts is not None:
        found.append(_told("parts", f"partial blending of the other {count - 1}", examples, index, parts))
    return found


def shown_joints(examples: Examples) -> list[str]:
    """Roles of the joints whose angles say most: what partial blending turns, and the shoulder if the collar never turns."""
    if KINDS[examples.kind].lifts:
        return [f"{examples.side}_hip"]
    collar, shoulder = (f"{examples.side}_{part}" for part in ("collar", "shoulder"))
    still = np.ptp(examples.rotations[:, :, examples.skeleton.joint(collar)], axis=(0, 1)).max() < _STILL
    return ["chest", collar, shoulder] if still else ["chest", collar]


def joint_angles(rotations: Array) -> Array:
    """Angles ``(T, 3)`` in degrees about x, y and z of rotations ``(T, 4)``, continuous in time, beginning with less than half a turn."""
    angles = euler.from_quaternion(rotations, _ORDER)[:, ::-1]
    return np.degrees(np.unwrap(angles, axis=0))


def _told(style: str, label: str, examples: Examples, index: int, made: Poses) -> LimbCurve:
    angle, path = error(examples, index, made)
    return LimbCurve(style, f"{label}: {angle:.1f}°, {path:.1f} cm off", made.rotations)


def _draw(axes: Axes, seconds: Array, lines: list[tuple[LimbCurve, Array]]) -> None:
    canvas.quiet(axes)
    real = lines[0][1]
    for curve, angles in lines:
        # a whole turn more or less is the same angle
        turns = 360.0 * np.round(np.median(real - angles) / 360.0)
        axes.plot(seconds, angles + turns, label=curve.label, **_STYLES[curve.style])
    axes.axvline(0.0, color=canvas.PALE, linewidth=1.0, linestyle=":")
    axes.set_xlim(seconds[0], seconds[-1])
    axes.grid(color=canvas.FRAME, linewidth=0.5, alpha=0.6)


def _across(metres: float) -> str:
    return f"{abs(metres):.2f} m to the {'left' if metres >= 0 else 'right'}"
