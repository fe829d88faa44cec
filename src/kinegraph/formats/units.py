"""Lengths in files: which unit a number is in, and what a body's height says where the file does not."""

from __future__ import annotations

import math

from kinegraph.errors import FormatError

INCH = 0.0254
# CMU's skeletons say `length 0.45`: their numbers times 1/0.45 are inches
CMU_UNIT = INCH / 0.45

METRES_PER_UNIT = {"m": 1.0, "cm": 0.01, "mm": 0.001, "dm": 0.1, "in": INCH, "ft": 0.3048, "cmu": CMU_UNIT}
_NAMES = {
    "m": "metres",
    "cm": "centimetres",
    "mm": "millimetres",
    "dm": "decimetres",
    "in": "inches",
    "ft": "feet",
    "cmu": "CMU units (5.64 cm)",
}

# A standing person, in metres: outside of this a unit is not believed.
SHORTEST, TALLEST = 0.9, 2.6
_USUAL = 1.7
_USUALLY = (1.3, 2.2)


def metres_per_unit(units: str | float) -> float:
    """The factor of a unit's name, or of a number given as metres per unit."""
    if isinstance(units, str) and units in METRES_PER_UNIT:
        return METRES_PER_UNIT[units]
    try:
        factor = float(units)
    except (TypeError, ValueError):
        factor = math.nan
    if not (math.isfinite(factor) and factor > 0):
        known = ", ".join(METRES_PER_UNIT)
        raise FormatError(f"unknown unit {units!r}: expected one of {known}, or a number of metres per unit")
    return factor


def guess(stature: float) -> tuple[float, str]:
    """Metres per unit for a body that measures ``stature`` units, and a sentence that says so.

    >>> guess(172.0)[0], round(guess(30.4)[0], 4)
    (0.01, 0.0564)
    """
    if not stature > 0:
        return 1.0, "the body has no height to guess a unit from: metres assumed"
    name = min(_NAMES, key=lambda unit: abs(math.log(stature) + math.log(METRES_PER_UNIT[unit] / _USUAL)))
    factor = METRES_PER_UNIT[name]
    height = stature * factor
    sure = "" if _USUALLY[0] <= height <= _USUALLY[1] else ", which is unusual: give the unit if this is wrong"
    return factor, f"lengths taken as {_NAMES[name]}, from the body's height ({height:.2f} m{sure})"


def choose(wanted: str | float, stature: float, declared: float | None) -> tuple[float, list[str]]:
    """Metres per unit for a body of ``stature`` units, and what the user should know about the choice.

    wanted: ``"auto"``, or the user's word. declared: what the file says, if it does; doubted where it makes no human height.
    """
    if wanted != "auto":
        factor = metres_per_unit(wanted)
        if SHORTEST <= stature * factor <= TALLEST:
            return factor, []
        return factor, [f"with the unit given the body is {stature * factor:.3g} m tall: is it the file's unit?"]
    if declared is not None and SHORTEST <= stature * declared <= TALLEST:
        return declared, []
    factor, notice = guess(stature)
    if declared is not None:
        notice = f"the file's own unit would make the body {stature * declared:.2f} m tall; {notice}"
    return factor, [notice]
