"""Frame rates: a file's rounded frame time is some 1/N of a second."""

from __future__ import annotations

from decimal import Decimal
from math import isinf

# 29.97 and its kin are N × 1000/1001
_FILM = 1000.0 / 1001.0
# Rates at which people really record: where a file's few digits leave a choice, one of these is meant.
_USUAL = (24, 25, 30, 48, 50, 60, 72, 75, 90, 100, 120, 144, 150, 180, 200, 240, 250, 300, 360, 480, 500, 1000)


def snap(frame_time: float, written: str) -> float:
    """Frames per second of a frame time in seconds that was written with as many digits as ``written`` shows.

    The nearest whole rate, or whole rate × 1000/1001, is taken where it rounds (or was cut off) to those digits; where the digits
    allow for several whole rates and none is exact, a usual one.

    >>> snap(0.0083333, ".0083333"), snap(0.017, "0.017"), round(snap(0.0333667, "0.0333667"), 4), snap(0.0121, "0.0121000")
    (120.0, 60.0, 29.97, 82.64462809917356)
    """
    rate = 1.0 / frame_time
    if isinf(rate):
        return rate
    decimals = -int(Decimal(written).as_tuple().exponent)
    unit = 10.0**-decimals if decimals < 300 else 0.0
    # the rounding of a number that was once a 32-bit float
    slack = 2e-7 * frame_time

    def fits(option: float) -> bool:
        """Whether the rate's frame time, rounded or cut off to the digits, is the one written."""
        off = 1.0 / option - frame_time
        return -max(0.5000001 * unit, slack) <= off <= max(0.9999999 * unit, slack)

    exact = abs(round(rate) - rate) <= 1e-9 * rate
    several = rate > 2.0 and 1.0 / (rate - 1.0) - frame_time < unit
    if several and not exact:
        usual = min(_USUAL, key=lambda option: abs(1.0 / option - frame_time))
        if fits(usual):
            return float(usual)
    for whole, factor in ((round(rate), 1.0), (round(rate / _FILM), _FILM)):
        if whole >= 1 and fits(whole * factor):
            return whole * factor
    return rate


def frame_time(fps: float) -> str:
    """The frame time in seconds as it is written: all its digits, and so many of them that `snap` gives the rate back.

    >>> frame_time(25.0), frame_time(1 / 0.0121)
    ('0.04', '0.012100000000000000')
    """
    short = repr(1.0 / fps)
    return short if snap(1.0 / fps, short) == fps else f"{1.0 / fps:#.17g}"
