"""Motions as a `.mog` file holds them: rounded to float32, so that what is read equals what was written, bit for bit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kinegraph.arrays import Array, Singles
from kinegraph.errors import MotionError
from kinegraph.motion import rotation
from kinegraph.motion.clip import Motion

# Steps of a quaternion's components: float32 holds each multiple of 2⁻²⁴ up to 1.
_STEPS = 2.0**24
# Two or three are enough; one more would mean that the numbers never settle.
_MOST_JOURNEYS = 20


def packed_root(root: Array) -> Singles:
    """Positions ``(F, 3)`` as the little-endian float32 of a file."""
    # a number beyond float32 becomes infinite here, and `Motion` refuses that with a sentence
    with np.errstate(over="ignore"):
        singles: Singles = np.ascontiguousarray(root, dtype="<f4")
    return singles


def packed_rotations(rotations: Array) -> Singles:
    """Quaternions ``(F, J, 4)`` as the little-endian float32 of a file, their components multiples of 2⁻²⁴."""
    singles: Singles = np.ascontiguousarray(np.rint(rotations * _STEPS) / _STEPS, dtype="<f4")
    return singles


def rounded(motion: Motion) -> Motion:
    """The motion after a journey through a file; a second journey changes no bit."""
    return rounded_all([motion])[0]


def rounded_all(motions: Sequence[Motion]) -> list[Motion]:
    """`rounded` for many motions of one skeleton.

    One journey is not enough: `Motion` scales each quaternion to unit length again, and that may tip a component over to the next
    step. But every journey that changes a quaternion brings its packed form nearer to the unit sphere (the form that follows is the
    nearest one to a point of the sphere, and its own nearest point of the sphere is nearer still), so the loop ends. Steps of one size
    make it end soon: float32's own finer steps near zero would let a tiny component creep for thousands of journeys.
    """
    whole = [motion.rotations for motion in motions]
    packed = _signless(packed_rotations(np.concatenate(whole)))
    for _ in range(_MOST_JOURNEYS):
        again = _signless(packed_rotations(rotation.unit(packed.astype(np.float64))))
        if _same_bits(again, packed):
            ends = np.cumsum([len(rotations) for rotations in whole])[:-1]
            parts = zip(motions, np.split(packed.astype(np.float64), ends), strict=True)
            return [
                replace(motion, root=_signless(packed_root(motion.root)).astype(np.float64), rotations=rotations)
                for motion, rotations in parts
            ]
        packed = again
    raise MotionError(f"{motions[0].name or 'the motion'} cannot be rounded: its rotations do not settle")


def _signless(numbers: Singles) -> Singles:
    """They without a −0: which sign a zero has depends on the processor, and a graph must not."""
    return numbers + np.float32(0.0)


def is_rounded(motion: Motion) -> bool:
    """Whether a journey through a file leaves the motion as it is, bit for bit."""
    back = _travelled(motion)
    return _same_bits(back.root, motion.root) and _same_bits(back.rotations, motion.rotations)


def _travelled(motion: Motion) -> Motion:
    return replace(
        motion,
        root=packed_root(motion.root).astype(np.float64),
        rotations=packed_rotations(motion.rotations).astype(np.float64),
    )


def _same_bits(a: NDArray[Any], b: NDArray[Any]) -> bool:
    """Equality that tells 0 from −0."""
    bits = f"u{a.itemsize}"
    return bool(np.array_equal(a.view(bits), b.view(bits)))
