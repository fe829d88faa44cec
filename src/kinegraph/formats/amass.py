"""AMASS and SMPL archives (`.npz`): poses of the SMPL family of body models, read on a skeleton of our own.

Mahmood, Ghorbani, Troje, Pons-Moll, Black: "AMASS: Archive of Motion Capture as Surface Shapes" (ICCV 2019). An archive holds rotation
vectors of 24 (SMPL), 52 (SMPL+H) or 55 (SMPL-X) joints, the way of the body, its shape in numbers (``betas``) and a rate. What the numbers
mean in metres only the body model knows, whose licence keeps it out of here. So the first 22 joints, which all of these models share, stand
on a template of human proportions, as tall as one likes; or on the user's own model file, if one is given.
"""

from __future__ import annotations

from collections.abc import Container, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from kinegraph.arrays import Array
from kinegraph.errors import FormatError
from kinegraph.formats.options import ReadOptions
from kinegraph.formats.raw import RawMotion
from kinegraph.motion import Skeleton, rotation

NAMES = (
    "pelvis", "left_hip", "right_hip", "spine1", "left_knee", "right_knee", "spine2", "left_ankle", "right_ankle", "spine3", "left_foot",
    "right_foot", "neck", "left_collar", "right_collar", "head", "left_shoulder", "right_shoulder", "left_elbow", "right_elbow",
    "left_wrist", "right_wrist",
)  # fmt: skip
"""The joints, in the order of the models."""
PARENTS = (-1, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 9, 9, 12, 13, 14, 16, 17, 18, 19)
STATURE = 1.7
"""Metres, unless told."""

# Metres from the parent of a body that is 1 m tall, facing +Z in a T-pose: lengths of limbs by Winter, "Biomechanics and Motor Control of
# Human Movement", table 4.1; the rest between them as bodies are. Of two sides the left one; X is turned over on the right.
_CENTRAL = {
    "pelvis": (0.0, 0.0, 0.0), "spine1": (0.0, 0.065, -0.01), "spine2": (0.0, 0.08, 0.0), "spine3": (0.0, 0.035, 0.005),
    "neck": (0.0, 0.122, -0.015), "head": (0.0, 0.055, 0.02),
}  # fmt: skip
_LEFT = {
    "hip": (0.035, -0.05, 0.0), "knee": (0.015, -0.2445, 0.0), "ankle": (0.0, -0.246, -0.01), "foot": (0.01, -0.032, 0.075),
    "collar": (0.045, 0.065, -0.005), "shoulder": (0.065, 0.015, -0.01), "elbow": (0.155, 0.0, -0.01), "wrist": (0.146, 0.0, 0.0),
}  # fmt: skip
_TIPS = {"left_foot": (0.0, -0.007, 0.04), "right_foot": (0.0, -0.007, 0.04), "head": (0.0, 0.11, 0.02),
         "left_wrist": (0.1, 0.0, 0.0), "right_wrist": (-0.1, 0.0, 0.0)}  # fmt: skip

_KEYS = ("poses", "trans")
_PARTS = ("root_orient", "pose_body", "trans")
_RATES = ("mocap_framerate", "mocap_frame_rate", "fps")
_USUAL = 120.0
# Z up to Y up: a quarter turn about X.
_Z_UP = rotation.from_axis_angle([1.0, 0.0, 0.0], -0.5 * np.pi)


KEYS = (*_KEYS, *_PARTS, *_RATES, "betas")
"""The arrays that are looked at; others may hold anything."""


def is_one(arrays: Container[str]) -> bool:
    """Whether the arrays of an archive are those of such a motion."""
    return all(key in arrays for key in _KEYS) or all(key in arrays for key in _PARTS)


def read(arrays: Mapping[str, Any], options: ReadOptions, path: Path) -> RawMotion:
    """The motion that the arrays tell, in metres and Y up."""
    vectors = _vectors(arrays, path)
    way = _numbers(arrays, "trans", path)
    if way.shape != (len(vectors), 3):
        raise FormatError(f"trans must be ({len(vectors)}, 3) for {len(vectors)} poses, got {way.shape}", path)
    notices = []
    fps, told = _rate(arrays, options)
    notices += told
    model = options.skeleton
    skeleton = template(options.stature or STATURE) if model is None else of_model(model, _betas(arrays))
    if model is None and options.stature is None:
        notices.append(
            f"the body is taken to be {STATURE:g} m tall: its model is not here (--stature, --skeleton MODEL.npz)"
        )
    turns = rotation.exp(vectors)
    root = way + skeleton.offsets[0]
    if _lies(turns[:, 0]):
        turns[:, 0] = rotation.multiply(_Z_UP, turns[:, 0])
        root = rotation.rotate(_Z_UP, root)
        notices.append("Z is up in it: turned to Y up")
    return RawMotion(skeleton, root, turns, fps, None, 1.0, tuple(notices), settled=True)


def template(stature: float = STATURE) -> Skeleton:
    """The 22 joints on a body of human proportions in a T-pose.

    >>> round(template(1.8).stature, 2)
    1.8
    """
    if not 0.3 <= stature <= 3.0:
        raise FormatError(f"a stature is given in metres, from 0.3 to 3, got {stature:g}")
    offsets = []
    for name in NAMES:
        side, _, part = name.rpartition("_")
        offset = np.array(_LEFT[part] if side else _CENTRAL[name])
        offsets.append(offset * [-1.0, 1.0, 1.0] if side == "right" else offset)
    made = _skeleton(np.array(offsets))
    return made.scaled(stature / made.stature)


def of_model(path: Path, betas: Array) -> Skeleton:
    """The 22 joints as a model file of the user's places them (`.npz` with ``J_regressor``, ``v_template``, ``shapedirs``)."""
    try:
        with np.load(path, allow_pickle=False) as model:
            regressor, shape = (np.asarray(model[key], np.float64) for key in ("J_regressor", "v_template"))
            spread = np.asarray(model["shapedirs"], np.float64)
    except (OSError, KeyError, ValueError) as error:
        raise FormatError(
            f"this is no body model: expected an .npz with J_regressor, v_template and shapedirs as plain numbers ({error})",
            path,
        ) from error
    count = min(len(betas), spread.shape[-1])
    places = regressor @ (shape + spread[..., :count] @ betas[:count])
    offsets = places[: len(NAMES)].copy()
    offsets[1:] -= places[list(PARENTS[1:])]
    return _skeleton(offsets)


def _skeleton(offsets: Array) -> Skeleton:
    ends = [(NAMES.index(name), offset) for name, offset in _TIPS.items()]
    bare = Skeleton(NAMES, np.array(PARENTS), offsets)
    size = bare.stature
    return Skeleton(
        NAMES,
        np.array(PARENTS),
        offsets,
        np.array([joint for joint, _ in ends]),
        size * np.array([offset for _, offset in ends]),
    )


def _vectors(arrays: Mapping[str, Any], path: Path) -> Array:
    """Rotation vectors ``(F, 22, 3)``."""
    if "poses" in arrays:
        poses = _numbers(arrays, "poses", path)
        flat = poses.reshape(len(poses), -1) if poses.ndim >= 2 else poses
    else:
        flat = np.concatenate([_numbers(arrays, key, path) for key in _PARTS[:2]], axis=-1)
    if flat.ndim != 2 or flat.shape[1] < 3 * len(NAMES) or flat.shape[1] % 3:
        raise FormatError(
            f"poses must be (F, 3 × joints) rotation vectors of at least {len(NAMES)} joints, got {flat.shape}", path
        )
    return flat[:, : 3 * len(NAMES)].reshape(-1, len(NAMES), 3)


def _numbers(arrays: Mapping[str, Any], key: str, path: Path) -> Array:
    found = np.asarray(arrays[key])
    if found.dtype.kind not in "fiu" or not found.size:
        raise FormatError(f"array {key!r} holds {found.dtype.name}, and {found.size} of it: expected numbers", path)
    values: Array = found.astype(np.float64)
    if not np.isfinite(values).all():
        raise FormatError(f"array {key!r} holds what is no finite number", path)
    return values


def _betas(arrays: Mapping[str, Any]) -> Array:
    found = np.asarray(arrays.get("betas", np.zeros(0)))
    return np.asarray(found, np.float64).ravel() if found.dtype.kind in "fiu" else np.zeros(0)


def _rate(arrays: Mapping[str, Any], options: ReadOptions) -> tuple[float, list[str]]:
    """Frames per second, under any of its names."""
    if options.fps is not None:
        return options.fps, []
    for key in _RATES:
        found = np.asarray(arrays.get(key, np.zeros(0)))
        if found.dtype.kind in "fiu" and found.size == 1 and float(found.reshape(-1)[0]) > 0:
            return float(found.reshape(-1)[0]), []
    return _USUAL, [f"the archive tells no rate: taken as {_USUAL:g} frames/s (--rate)"]


def _lies(turns: Array) -> bool:
    """Whether bodies, turned by ``turns (F, 4)``, stand along Z rather than along Y."""
    up = rotation.rotate(turns, np.broadcast_to([0.0, 1.0, 0.0], (len(turns), 3)))
    _, y, z = np.abs(np.median(up, axis=0))
    return bool(z > y)
