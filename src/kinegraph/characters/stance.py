"""The stance of a character: its bind pose turned to stand on our floor, Y up, facing +Z, whatever axes the mesh was made along."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from kinegraph.arrays import Array
from kinegraph.characters.bones import Bones
from kinegraph.motion.body import SIDES

# A direction that is this near to an axis of the mesh is meant to be that axis: bodies are modelled along axes, not joints.
_MEANT_UP, _MEANT_LEFT = np.cos(np.deg2rad(25.0)), np.cos(np.deg2rad(20.0))


def axes(bones: Bones, roles: Mapping[str, int]) -> Array:
    """Rows left, up and ahead ``(3, 3)`` of a body with known roles: what turns the mesh's axes into ours."""
    places = bones.places
    ankles, hips = (0.5 * (places[roles[f"left_{part}"]] + places[roles[f"right_{part}"]]) for part in ("ankle", "hip"))
    top = next((places[roles[role]] for role in ("neck", "head", "chest") if role in roles), hips)
    up = _meant(_unit(top - ankles), _MEANT_UP)
    across = np.zeros(3)
    for part in ("hip", "shoulder"):
        if all(f"{side}_{part}" in roles for side in SIDES):
            across += places[roles[f"left_{part}"]] - places[roles[f"right_{part}"]]
    left = _meant(_unit(across - (across @ up) * up), _MEANT_LEFT)
    left = _unit(left - (left @ up) * up)
    return np.stack([left, up, np.cross(left, up)])


def _meant(direction: Array, near: float) -> Array:
    """The axis that a unit vector ``(3,)`` is near to, if it is; else itself."""
    largest = int(np.argmax(np.abs(direction)))
    if abs(direction[largest]) < near:
        return direction
    axis = np.zeros(3)
    axis[largest] = np.sign(direction[largest])
    return axis


def _unit(v: Array) -> Array:
    unit: Array = v / max(float(np.linalg.norm(v)), 1e-12)
    return unit
