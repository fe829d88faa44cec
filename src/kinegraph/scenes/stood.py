"""Where feet stand in a motion that was cut, or of which some frames are those of another: what was told of them is cut likewise."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from kinegraph.feet.cleanup import CleaningReport


def first_of(report: CleaningReport | None, count: int) -> CleaningReport | None:
    """What is told of the feet of the first ``count`` frames."""
    if report is None:
        return None
    return replace(
        report,
        plants=tuple(replace(one, last=min(one.last, count)) for one in report.plants if one.first < count),
        released=tuple((column, first, min(last, count)) for column, first, last in report.released if first < count),
        eased=tuple(replace(one, last=min(one.last, count)) for one in report.eased if one.first < count),
    )


def spliced(
    whole: CleaningReport | None, piece: CleaningReport | None, first: int, last: int, since: int
) -> CleaningReport | None:
    """What is told of the feet of a motion whose frames ``first`` … ``last``−1 are those of a piece that begins at its frame ``since``.

    What lasts beyond these frames is that of the motion in which most of it lies. Figures of the whole, before and after, stay.
    """
    if whole is None or piece is None:
        return None

    def inside(begin: int, end: int) -> bool:
        return first <= 0.5 * (begin + end) < last

    old, new = _some(whole, lambda a, b: not inside(a, b), 0), _some(piece, inside, since)
    return replace(
        old,
        plants=tuple(sorted((*old.plants, *new.plants), key=lambda one: one.first)),
        released=tuple(sorted((*old.released, *new.released))),
        eased=tuple(sorted((*old.eased, *new.eased), key=lambda one: one.first)),
        moved=max(old.moved, new.moved),
        lowered=max(old.lowered, new.lowered),
        longer=max(old.longer, new.longer),
        missed=max(old.missed, new.missed),
    )


def _some(report: CleaningReport, wanted: Callable[[int, int], bool], by: int) -> CleaningReport:
    """The spans that are wanted, so many frames later."""
    return replace(
        report,
        plants=tuple(
            replace(one, first=one.first + by, last=one.last + by)
            for one in report.plants
            if wanted(one.first + by, one.last + by)
        ),
        released=tuple(
            (column, first + by, last + by) for column, first, last in report.released if wanted(first + by, last + by)
        ),
        eased=tuple(
            replace(one, first=one.first + by, last=one.last + by)
            for one in report.eased
            if wanted(one.first + by, one.last + by)
        ),
    )
