"""Motion packs: what a browser needs to pose a skeleton at any time of a motion."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kinegraph.motion import Motion
from kinegraph.player.bodies import body_id
from kinegraph.player.packs import pack

_FULL = 32767
"""The int16 that stands for 1 in a quaternion: one step of it is less than a hundredth of a degree."""


def motion_pack(
    motion: Motion,
    *,
    contacts: NDArray[np.bool_] | None = None,
    facts: Mapping[str, Any] | None = None,
    arrays: Mapping[str, NDArray[Any]] | None = None,
    scales: Mapping[str, float] | None = None,
) -> bytes:
    """The pack of a motion. contacts: ``(F, 4)``, left heel, left ball, right heel, right ball. facts, arrays, scales: further ones.

    >>> import kinegraph as kg
    >>> facts, arrays, scales = kg.player.unpack(kg.player.motion_pack(kg.samples.make("walk").motion))
    >>> facts["name"], facts["fps"], arrays["rotations"].shape, arrays["rotations"].dtype.name
    ('walk', 60.0, (257, 24, 4), 'int16')
    """
    own: dict[str, NDArray[Any]] = {
        "root": motion.root.astype(np.float32),
        "rotations": np.rint(motion.rotations * _FULL).astype(np.int16),
    }
    if motion.translations is not None:
        own["translations"] = motion.translations.astype(np.float32)
    if contacts is not None:
        own["contacts"] = np.asarray(contacts).astype(np.uint8)
    return pack(
        {**motion_facts(motion), **(facts or {})},
        {**own, **(arrays or {})},
        {"rotations": 1.0 / _FULL, **(scales or {})},
    )


def motion_facts(motion: Motion) -> dict[str, Any]:
    """The facts in a motion pack: what it says about its motion and skeleton."""
    skeleton = motion.skeleton
    return {
        "kind": "motion",
        "name": motion.name,
        "fps": motion.fps,
        "frames": len(motion),
        "seconds": motion.seconds,
        "joints": list(skeleton.names),
        "parents": skeleton.parents.tolist(),
        "offsets": _rounded(skeleton.offsets),
        "tips": {"parents": skeleton.tip_parents.tolist(), "offsets": _rounded(skeleton.tip_offsets)},
        "roles": dict(skeleton.roles),
        "body": body_id(skeleton),
        "height": round(skeleton.stature, 4),
        "notices": list(motion.notices),
    }


def _rounded(places: NDArray[Any]) -> list[list[float]]:
    """Metres to a thousandth of a millimetre: what a header of text should hold."""
    rounded: list[list[float]] = (np.round(places, 6) + 0.0).tolist()
    return rounded
