"""What a reader found, in the file's own units and axes, and what is done to it to make a `Motion` of ours."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from kinegraph.arrays import Array
from kinegraph.errors import FormatError
from kinegraph.formats import limbs, units
from kinegraph.formats.options import ReadOptions
from kinegraph.formats.tpose import leading_poses
from kinegraph.motion import Motion, Skeleton, body, kinematics, rotation

# Z up to Y up: a quarter turn about X
_Z_UP = rotation.from_axis_angle([1.0, 0.0, 0.0], -0.5 * np.pi)

# Lengths beyond this, in whatever unit, come of damage, and their squares would overflow.
_LONGEST = 1e12
MOST_JOINTS = 5000
"""Of a body that is read: hands and faces included, rigs have some hundred."""
# characters of a joint's name: no file of ours holds longer ones
_LONGEST_NAME = 1000
SLOWEST, FASTEST = 0.1, 10_000.0
"""Frames a second: beyond these somebody has mistaken a unit, and a moment's frames would fill the memory."""
# frames looked at to learn something of the whole clip
_LOOKED_AT = 100
# share of the trunk that must lie along Z for the axes to be doubted
_LYING = 0.8


@dataclass(frozen=True)
class RawMotion:
    """Arrays as in `Motion`, lengths in the file's unit.

    metres_per_unit: what the file itself says, if it does. settled: a motion that was written by us as it is, so that nothing
    in it is guessed, folded or trimmed.
    """

    skeleton: Skeleton
    root: Array
    rotations: Array
    fps: float
    translations: Array | None = None
    metres_per_unit: float | None = None
    notices: tuple[str, ...] = ()
    settled: bool = False

    def noting(self, *notices: str) -> RawMotion:
        """The same with further notices."""
        return replace(self, notices=(*self.notices, *notices))

    def frames(self, which: slice | NDArray[np.intp]) -> RawMotion:
        """Some of the frames."""
        shifts = None if self.translations is None else self.translations[which]
        return replace(self, root=self.root[which], rotations=self.rotations[which], translations=shifts)

    def world(self) -> tuple[Array, Array]:
        """Positions ``(F, J, 3)`` and orientations ``(F, J, 4)`` of all joints."""
        return kinematics.forward(self.skeleton, self.root, self.rotations, self.translations)


def finish(raw: RawMotion, options: ReadOptions, path: Path) -> Motion:
    """The motion in metres, Y up, with the T-pose and a joint above the hips taken away; each change leaves a notice."""
    if len(raw.skeleton) > MOST_JOINTS:
        raise FormatError(f"{len(raw.skeleton):,} joints: at most {MOST_JOINTS:,} are read", path)
    longest = max(map(len, raw.skeleton.names), default=0)
    if longest > _LONGEST_NAME:
        raise FormatError(f"a joint's name has {longest:,} characters: at most {_LONGEST_NAME:,} are read", path)
    _check_lengths(raw, path)
    if options.roles:
        raw = replace(raw, skeleton=raw.skeleton.with_roles(options.roles))
    if options.fps is not None:
        if not (np.isfinite(options.fps) and options.fps > 0):
            raise FormatError(f"frames per second must be positive, got {options.fps}")
        raw = replace(raw, fps=options.fps)
    if not SLOWEST <= raw.fps <= FASTEST:
        raise FormatError(
            f"{raw.fps:g} frames a second: from {SLOWEST:g} to {FASTEST:g} are read; say what is meant (fps, --rate)",
            path,
        )
    raw = _turned_up(raw, options.up)
    if not raw.settled:
        raw = _without_reference(limbs.hung(raw))
    raw = _in_metres(raw, options.units)
    if options.trim_tpose and not raw.settled:
        raw = _without_tpose(raw)
    if not raw.settled:
        raw = raw.noting(*_doubts(raw, options.up))
    raw.rotations.setflags(write=False)  # nobody else holds it: the motion need not copy it
    return Motion(raw.skeleton, raw.root, raw.rotations, raw.fps, raw.translations, path.stem, raw.notices)


def _check_lengths(raw: RawMotion, path: Path) -> None:
    for array in (raw.skeleton.offsets, raw.skeleton.tip_offsets, raw.root, raw.translations):
        if array is not None and not np.all(np.abs(array) <= _LONGEST):
            raise FormatError(f"a length or position beyond {_LONGEST:g} is no body's: the file is damaged", path)


def _turned_up(raw: RawMotion, up: str) -> RawMotion:
    if up == "y":
        return raw
    if up != "z":
        raise FormatError(f"unknown vertical axis {up!r}: expected y or z")
    skeleton = raw.skeleton
    turn, back = _Z_UP, rotation.inverse(_Z_UP)
    return replace(
        raw,
        skeleton=replace(
            skeleton,
            offsets=rotation.rotate(turn, skeleton.offsets),
            tip_offsets=rotation.rotate(turn, skeleton.tip_offsets),
        ),
        root=rotation.rotate(turn, raw.root),
        rotations=rotation.multiply(rotation.multiply(turn, raw.rotations), back),
        translations=None if raw.translations is None else rotation.rotate(turn, raw.translations),
    )


def _in_metres(raw: RawMotion, wanted: str | float) -> RawMotion:
    notices: list[str] = []
    if raw.settled and wanted == "auto":
        factor = raw.metres_per_unit or 1.0
    else:
        factor, notices = units.choose(wanted, _stature(raw), raw.metres_per_unit)
    return replace(
        raw,
        skeleton=raw.skeleton.scaled(factor),
        root=raw.root * factor,
        translations=None if raw.translations is None else raw.translations * factor,
    ).noting(*notices)


def _stature(raw: RawMotion) -> float:
    """Body height in the file's own unit: from the legs where they are known, else the extent of the first pose."""
    if raw.skeleton.stature:
        return raw.skeleton.stature
    positions, orientations = raw.frames(slice(0, 1)).world()
    points = np.concatenate([positions[0], kinematics.tips(raw.skeleton, positions, orientations)[0]])
    return float(np.ptp(points, axis=0).max())


def _without_tpose(raw: RawMotion) -> RawMotion:
    count = leading_poses(raw.skeleton, raw.root, raw.rotations)
    if count == 0:
        return raw
    blank = f", with blank frames up to {count - 1}" if count > 1 else ""
    return raw.frames(slice(count, None)).noting(
        f"frame 0 is a T-pose that was put before the capture{blank}: left out"
    )


def _doubts(raw: RawMotion, up: str) -> list[str]:
    """What the user should look at: a body that lies down all the time, and roles that nobody could find."""
    skeleton = raw.skeleton
    doubts = []
    top = next((skeleton.roles[role] for role in ("head", "neck", "chest") if role in skeleton.roles), None)
    if top is not None and skeleton.has_roles("hips"):
        looked_at = np.linspace(0, len(raw.root) - 1, _LOOKED_AT).astype(np.intp)
        some = raw.frames(looked_at)
        head, hips = (
            kinematics.from_root(skeleton, joint, some.rotations, some.translations)
            for joint in (top, skeleton.joint("hips"))
        )
        trunk = head - hips
        share = np.abs(trunk[:, 2]) / np.maximum(np.linalg.norm(trunk, axis=-1), 1e-12)
        if np.median(share) > _LYING:
            other = "z" if up == "y" else "y"
            doubts.append(
                f"the body lies along Z most of the time: if the file has {other.upper()} up, read it with up='{other}' (--up {other})"
            )
    missing = [role for role in body.ESSENTIAL if role not in skeleton.roles]
    if skeleton.naming and missing:
        doubts.append(
            f"no joint is known to be the {', '.join(missing)}: name them with roles={{role: joint}} (--roles)"
        )
    return doubts


def _without_reference(raw: RawMotion) -> RawMotion:
    """Joints above the hips that carry nothing else (a tool's "reference") are folded into the hips' own motion."""
    skeleton = raw.skeleton
    hips = skeleton.roles.get("hips", 0)
    above = skeleton.chain(0, hips)[:-1]
    if (
        not above
        or any(len(skeleton.children[joint]) > 1 for joint in above)
        or np.isin(skeleton.tip_parents, above).any()
    ):
        return raw
    positions, orientations = raw.world()
    # whatever is not above the hips hangs below them, and stands behind them in the list
    rotations = raw.rotations[:, hips:].copy()
    rotations[:, 0] = orientations[:, hips]
    offsets = skeleton.offsets[hips:].copy()
    offsets[0] = 0.0
    translations = None if raw.translations is None else raw.translations[:, hips:]
    if translations is not None and not np.ptp(translations[:, 1:], axis=0).any():
        offsets[1:] = translations[0, 1:]
        translations = None
    folded = Skeleton(
        names=skeleton.names[hips:],
        parents=np.maximum(skeleton.parents[hips:] - hips, -1),
        offsets=offsets,
        tip_parents=skeleton.tip_parents - hips,
        tip_offsets=skeleton.tip_offsets,
        overrides={role: index - hips for role, index in skeleton.overrides.items()},
    )
    names = ", ".join(skeleton.names[joint] for joint in above)
    return replace(
        raw, skeleton=folded, root=positions[:, hips], rotations=rotations, translations=translations
    ).noting(f"{names} above the hips carries nothing else: folded into {skeleton.names[hips]}")
