"""What is none of the kinds: dances, work, sports; told by limbs that are busier than standing or going needs."""

from __future__ import annotations

import numpy as np

from kinegraph.arrays import Array
from kinegraph.graph.making.recognition.signs import Signs, mean_over, most, rises

# Seconds over which limbs are watched, and over which a body that goes keeps to its way.
_WATCHED, _WAY = 1.2, 2.4
# Mean speeds of the faster hand and foot of one who only stands, and of one who is busy: leg lengths per second.
_HANDS, _FEET = (1.0, 2.0), (1.0, 2.0)
# Speed of the faster hand for each Froude speed of a body that goes (with this much added), plus what straying adds to it.
_STILL, _STRAYING, _GOING = 0.1, 5.0, (3.5, 6.0)


def fidgets(signs: Signs) -> Array:
    """Belief ``(F,)`` that a body that stays does more than stand."""
    width = signs.frames(_WATCHED)
    hands, feet = (mean_over(speed.max(axis=1), width) for speed in (signs.hand_speed, signs.foot_speed))
    return most(rises(hands, *_HANDS), rises(feet, *_FEET))


def strays(signs: Signs) -> Array:
    """Belief ``(F,)`` that a body that goes does more than go.

    Its hands are faster than its pace needs; and it goes now this way, now that way of where it faces, where one who walks, be it
    backwards or sideways, keeps to one.
    """
    width = signs.frames(_WATCHED)
    hands = mean_over(signs.hand_speed.max(axis=1), width) / (mean_over(signs.speed, width) + _STILL)
    own = (signs.travel[:, 1] + 1j * signs.travel[:, 0]) * np.exp(-1j * signs.heading)
    width = signs.frames(_WAY)
    kept = np.abs(mean_over(own, width)) / np.maximum(mean_over(np.abs(own), width), 1e-6)
    return rises(hands + _STRAYING * (1.0 - kept), *_GOING)
