"""What a walk will have to pay in tolls before it bears the next label, so that walks are compared by that as well. Compiled.

A walk that sets out for the next label pays, and one that puts it off does not yet. By what they have paid, those that put
it off would always be better, until it is too late for them.
"""

from __future__ import annotations

from typing import Any

from kinegraph.compiled import njit
from kinegraph.walks.course import CourseArrays

# metres to spare before it must set out for the next label below which a walk need not wait between two blends
HURRY = 1.0


@njit(cache=True, nogil=True, inline="always")
def _tolls_to(toll: Any, tolls: Any, pieces: float, step: float, whole: float, along: float) -> float:
    """What the way costs so far without a label."""
    along = min(max(along, 0.0), whole)
    piece = int(along * pieces)
    total: float = tolls[piece] + (along - piece * step) * toll[piece]
    return total


@njit(cache=True, nogil=True, inline="always")
def owed_on(
    toll: Any,
    tolls: Any,
    parts: Any,
    until: Any,
    needs: Any,
    change: Any,
    pieces: float,
    step: float,
    whole: float,
    node: int,
    along: float,
) -> tuple[float, bool]:
    """As `owed`; arrays come one by one, see `kinegraph.walks.course.play_frames`."""
    piece = int(along * pieces)
    part = parts[piece]
    back, onward = needs[part, 0, node], needs[part, 1, node]
    border, least, behind, price = until[part], change[part, 0], change[part, 1], change[part, 3]
    here, there = change[part, 4], change[part, 5]
    away = back + needs[part, 2, node] > 0.0
    left = border - along
    paid = _tolls_to(toll, tolls, pieces, step, whole, along)
    at_border = _tolls_to(toll, tolls, pieces, step, whole, border)
    # to the label of this part, and from it to the next: where that is best, or as soon as it can be
    late = behind if away else max(behind, onward - left)
    stay = _tolls_to(toll, tolls, pieces, step, whole, along + here * back) - paid + needs[part, 2, node] * toll[piece]
    stay += _tolls_to(toll, tolls, pieces, step, whole, border + there * late) + change[part, 2] * price
    stay -= _tolls_to(toll, tolls, pieces, step, whole, border + min(late - least, 0.0))
    if late > least:
        stay += _tolls_to(toll, tolls, pieces, step, whole, border + there * (late - least)) - at_border
    stay += needs[part, 4, node] * price
    # or straight to the next
    late = max(onward - left, 0.0)
    skip = _tolls_to(toll, tolls, pieces, step, whole, border + there * late) - paid + needs[part, 3, node] * price
    return min(stay, skip) + change[part, 6], away or left + behind - onward < HURRY


@njit(cache=True, nogil=True, forceinline=True)
def owed(course: CourseArrays, node: int, along: float) -> tuple[float, bool]:
    """What a walk that has come to a node so far along the path must still pay in tolls before it bears the next label, at
    least, and whether it must hurry.
    """
    if course.until.size == 0:
        return 0.0, False
    return owed_on(
        course.toll, course.tolls, course.part, course.until, course.needs, course.change, course.pieces, course.step,
        course.length, node, along,
    )  # fmt: skip
