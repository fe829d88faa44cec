"""What is none of the kinds: dances, work, sports; told by limbs that are busier than standing or going needs."""

from __future__ import annotations

import numpy as np

from kinegraph.arrays import Array, Bools
from kinegraph.graph.making.recognition.signs import Signs, mean_over, most, rises

# Seconds over which limbs are watched, and over which a body that goes keeps to its way.
_WATCHED, _WAY = 1.2, 2.4
# Of these seconds, the share in which limbs must not be busy with a jump, a punch or a kick to be judged.
_FREE = 0.25
# Mean speeds of the faster hand and foot of one who only stands, and of one who is busy: leg lengths per second.
_HANDS, _FEET = (1.0, 2.0), (1.0, 2.0)
# Speed of the faster hand for each Froude speed of a body that goes (with this much added), plus what straying adds to it.
_STILL, _STRAYING, _GOING = 0.1, 5.0, (3.5, 6.0)


def fidgets(signs: Signs, free: Bools) -> Array:
    """Belief ``(F,)`` that a body that stays does more than stand, by what its limbs do where they are ``free (F,)`` of other deeds."""
    hands, feet = (_watched(signs, speed.max(axis=1), free) for speed in (signs.hand_speed, signs.foot_speed))
    return most(rises(hands, *_HANDS), rises(feet, *_FEET))


def strays(signs: Signs, free: Bools) -> Array:
    """Belief ``(F,)`` that a body that goes does more than go, by what it does where its limbs are ``free (F,)`` of other deeds.

    Its hands are faster than its pace needs; and it goes now this way, now that way of where it faces, where one who walks, be it
    backwards or sideways, keeps to one.
    """
    hands = _watched(signs, signs.hand_speed.max(axis=1), free) / (_watched(signs, signs.speed, free) + _STILL)
    own = (signs.travel[:, 1] + 1j * signs.travel[:, 0]) * np.exp(-1j * signs.heading)
    width = signs.frames(_WAY)
    kept = np.abs(mean_over(own, width)) / np.maximum(mean_over(np.abs(own), width), 1e-6)
    return rises(hands + _STRAYING * (1.0 - kept), *_GOING)


def _watched(signs: Signs, values: Array, free: Bools) -> Array:
    """The mean ``(F,)`` of ``values (F,)`` around each frame where the limbs are ``free (F,)``; 0 where they hardly are."""
    width = signs.frames(_WATCHED)
    share = mean_over(free.astype(np.float64), width)
    return np.where(share > _FREE, mean_over(values * free, width) / np.maximum(share, _FREE), 0.0)
