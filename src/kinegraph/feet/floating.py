"""Floating: feet that stand, by all that the body does, and yet come nowhere near the floor. Some captures have them, by centimetres.

A floor that was not level when it was captured makes nobody float: feet come down to it wherever they are.
"""

from __future__ import annotations

import numpy as np

from kinegraph.arrays import Array, Bools
from kinegraph.errors import MotionError
from kinegraph.feet.contacts import contacts, joints
from kinegraph.motion.clip import Motion

# Metres over where it rests lowest within which a heel or a ball is on the floor, and the share of its contacts that may be
# lower than what is called its lowest.
_NEAR, _LOWEST = 0.025, 0.05
# The share of frames in which neither foot is, from which on that is told; and the share in which a foot must stand: runners and jumpers
# push off high, and do not float.
_FLOATS, _STANDS = 0.12, 0.95
# Of the height that hips mostly have, what they must have for ankles and toes to be judged: who squats lifts the heels.
_UPRIGHT = 0.85
# How much a floor may tilt, in metres a metre: what rises more is a hill or a stair.
_TILT = 0.05


def floating(motion: Motion, down: Bools) -> float:
    """The share of frames in which a foot is ``down (F, 4)``, but neither is within 2.5 cm of the floor; 0 for who runs, jumps or sits.

    >>> from kinegraph import samples
    >>> sample = samples.make("walk")
    >>> floating(sample.motion, sample.contacts)
    0.0
    """
    standing: Bools = np.logical_or.reduce(down, axis=1)
    if standing.mean() < _STANDS:
        return 0.0
    points = motion.positions[:, joints(motion.skeleton)]
    height = points[..., 1] - _tilted(points, down)
    each = zip(height.T, down.T, strict=True)
    rest = np.array([np.quantile(column[stands] if stands.any() else column, _LOWEST) for column, stands in each])
    hips = 0.5 * (motion.position("left_hip") + motion.position("right_hip"))[:, 1] - points[..., 1].min(axis=1)
    near = np.logical_or.reduce(height - rest < _NEAR, axis=1)
    return float(np.mean(standing & ~near & (hips > _UPRIGHT * np.median(hips))))


def floating_notices(motion: Motion) -> tuple[str, ...]:
    """What to say of a motion whose feet float; nothing where they do not, or where its legs are not known.

    >>> from kinegraph import samples
    >>> floating_notices(samples.make("run").motion)
    ()
    """
    try:
        share = floating(motion, contacts(motion))
    except MotionError:
        return ()
    return (f"{told(share)}: its feet float, and how they stand is a guess",) if floats(share) else ()


def floats(share: float) -> bool:
    """Whether a share of frames, as `floating` finds it, is worth telling."""
    return share >= _FLOATS


def told(share: float) -> str:
    """The share of frames as a sentence.

    >>> told(0.213)
    'neither foot comes within 2.5 cm of the floor in 21 % of the frames, though the body does not jump'
    """
    return f"neither foot comes within {100 * _NEAR:g} cm of the floor in {100 * share:.0f} % of the frames, though the body does not jump"


def _tilted(points: Array, down: Bools) -> Array:
    """Heights ``(F, 4)`` of a tilted floor below ``points (F, 4, 3)``: as it rises along the way on which they mostly stand."""
    frame, column = down.nonzero()
    stood = points[frame, column]
    middle = stood[:, [0, 2]].mean(axis=0)
    way = np.linalg.eigh((stood[:, [0, 2]] - middle).T @ (stood[:, [0, 2]] - middle))[1][:, -1]
    along = (stood[:, [0, 2]] - middle) @ way
    # heels and balls rest at heights of their own
    rise = float(np.linalg.lstsq(np.column_stack([along, np.eye(4)[column]]), stood[:, 1], rcond=None)[0][0])
    tilt: Array = (points[..., [0, 2]] - middle) @ way * (rise if abs(rise) < _TILT else 0.0)
    return tilt
