"""Two motions made one: frames of the one where those of the other were, faded into each other at both ends."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from kinegraph.arrays import Array, Bools, Longs
from kinegraph.graph.walk import Walk
from kinegraph.motion import rotation
from kinegraph.motion.clip import Motion
from kinegraph.scenes.stood import spliced
from kinegraph.walks.performing import Finished


def far_apart(one: Motion, some: Longs, two: Motion, others: Longs) -> float:
    """By how many metres the joints of frames ``some (n,)`` of a motion are away from those of ``others (n,)`` of another, at most."""
    return float(np.linalg.norm(one.positions[some] - two.positions[others], axis=-1).max())


def mixed(one: Motion, two: Motion, share: Array) -> tuple[Array, Array, Array | None]:
    """Root, rotations and translations of which ``share (F,)`` is of the second motion, the rest of the first."""
    root = one.root + share[:, None] * (two.root - one.root)
    rotations = rotation.slerp(one.rotations, two.rotations, share[:, None])
    if one.translations is None and two.translations is None:
        return root, rotations, None
    bones = [
        np.broadcast_to(m.skeleton.offsets, (*rotations.shape[:-1], 3)) if m.translations is None else m.translations
        for m in (one, two)
    ]
    return root, rotations, np.asarray(bones[0] + share[:, None, None] * (bones[1] - bones[0]))


def with_piece(whole: Finished, piece: Finished, seen: Longs, share: Array, walk: Walk) -> Finished:
    """What was finished, of whose frames ``seen (n,)`` a ``share (n,)`` is of a piece. walk: that of both."""
    played = whole.performance
    motion, contacts, rows = mixed_in(whole, piece, seen, share)
    new = seen[rows]
    names = ("contacts", "clip", "frame", "other_clip", "other_frame", "edge", "weight")
    taken = {name: _put(getattr(played, name), new, getattr(piece.performance, name)[rows]) for name in names}
    performance = replace(played, motion=motion, unbent=motion, walk=walk, **taken)
    feet = spliced(whole.feet, piece.feet, int(new[0]), int(new[-1]) + 1, int(seen[0]))
    return replace(whole, motion=motion, contacts=contacts, performance=performance, feet=feet)


def mixed_in(whole: Finished, piece: Finished, seen: Longs, share: Array) -> tuple[Motion, Bools, Longs]:
    """Motion and contacts of which ``share (n,)`` at frames ``seen (n,)`` is of a piece; and which of these are mostly so."""
    part, old = share > 0.0, whole.motion
    where, rows = seen[part], np.flatnonzero(share > 0.5)
    root, rotations, bones = mixed(
        some_frames(old, where), some_frames(piece.motion, np.flatnonzero(part)), share[part]
    )
    motion = replace(
        old,
        root=_put(old.root, where, root),
        rotations=_put(old.rotations, where, rotations),
        translations=None if bones is None else _put(_bones(old), where, bones),
    )
    return motion, _put(whole.contacts, seen[rows], piece.contacts[rows]), rows


def some_frames(motion: Motion, frames: Longs) -> Motion:
    """Some frames of a motion."""
    bones = None if motion.translations is None else motion.translations[frames]
    return replace(motion, root=motion.root[frames], rotations=motion.rotations[frames], translations=bones)


def _bones(motion: Motion) -> Array:
    if motion.translations is not None:
        return motion.translations
    return np.broadcast_to(motion.skeleton.offsets, (len(motion), len(motion.skeleton), 3))


def _put(values: Any, where: Longs, others: Any) -> Any:
    found = np.array(values)
    found[where] = others
    return found
