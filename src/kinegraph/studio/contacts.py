"""When feet stand, for motions that are only shown."""

from __future__ import annotations

import numpy as np

from kinegraph.arrays import Bools
from kinegraph.errors import MotionError
from kinegraph.feet.contacts import contacts
from kinegraph.motion import Motion, Skeleton
from kinegraph.motion.body import SIDES


def known_contacts(motion: Motion) -> Bools | None:
    """Contacts of heels and balls ``(F, 4)``; None where the body's legs are not known."""
    try:
        return contacts(_legs(motion))
    except MotionError:
        return None


def _legs(motion: Motion) -> Motion:
    """The motion of the legs alone, and of what they hang on: to know where feet are, arms and head need not be posed."""
    skeleton = motion.skeleton
    roles = {f"{side}_{part}" for side in SIDES for part in ("hip", "knee", "ankle", "toe")}
    known = {role: joint for role, joint in skeleton.roles.items() if role in roles}
    kept = set[int]()
    for joint in known.values():
        while joint >= 0 and joint not in kept:
            kept.add(joint)
            joint = int(skeleton.parents[joint])
    chosen = sorted(kept | {0})
    number = {joint: place for place, joint in enumerate(chosen)}
    part = Skeleton(
        names=tuple(skeleton.names[joint] for joint in chosen),
        parents=np.array([number.get(int(skeleton.parents[joint]), -1) for joint in chosen]),
        offsets=skeleton.offsets[chosen],
        overrides={role: number[joint] for role, joint in known.items()},
    )
    shifts = None if motion.translations is None else motion.translations[:, chosen]
    return Motion(part, motion.root, motion.rotations[:, chosen], motion.fps, shifts)
