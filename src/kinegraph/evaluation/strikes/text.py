"""The figures of a space as tables for people to read."""

from __future__ import annotations

from collections.abc import Iterator

from kinegraph.evaluation.strikes.figures import PAPER, Miss, StrikeFigures
from kinegraph.evaluation.strikes.finish import FinishFigures, TargetSpread
from kinegraph.strikes.strike import standing_side

# Characters of the first column.
_WIDTH = 60


def lines(figures: StrikeFigures) -> list[str]:
    """What there is to say about a space, line by line."""
    return [
        f"{figures.name}: {figures.strikes} strikes; {figures.targets} random targets each, seed {figures.seed}",
        *_misses(figures),
        *_partial(figures),
        *_finish(figures),
        *_times(figures),
    ]


def _misses(figures: StrikeFigures) -> Iterator[str]:
    yield ""
    yield f"{'miss in cm, before any finish':<{_WIDTH}}     mean      max   across   height"
    for what, miss in (
        ("in the region", figures.inside),
        ("in the box around it", figures.box),
        ("in 3D, on the sheet that blends reach", figures.sheet),
    ):
        yield f"  {what + ', ' + _bounds(miss):<{_WIDTH - 2}} {miss.mean:8.4f} {miss.max:8.4f} {miss.horizontal:8.4f} {miss.vertical:8.4f}"


def _partial(figures: StrikeFigures) -> Iterator[str]:
    """In the form of the paper's table 1, beside its own figures for strikes of the same limb."""
    yield ""
    if figures.paper is None or figures.corrected is None:
        yield "partial blending: the region fills the box around it, so there is nothing outside to put together"
        return
    title = f"partial blending outside the region, {_bounds(figures.paper)}"
    yield f"{title:<{_WIDTH}}  strikes  horizontal  vertical  whole (cm)      max"
    for name, (count, across, height, whole) in PAPER.items():
        if name.endswith(figures.kind):
            yield f"  {'Chen 2007, ' + name:<{_WIDTH - 2}}  {count:7d}  {across:10.2f}  {height:8.2f}  {whole:10.2f}        –"
    for what, miss in (("as in the paper", figures.paper), ("asking again by what was missed", figures.corrected)):
        yield (
            f"  {what:<{_WIDTH - 2}}  {figures.strikes:7d}  {miss.horizontal:10.2f}  {miss.vertical:8.2f}  {miss.mean:10.2f} "
            f"{miss.max:8.2f}"
        )


def _finish(figures: StrikeFigures) -> Iterator[str]:
    columns = [("in the region", figures.finished_inside)]
    if figures.finished_outside is not None:
        columns.append(("in the box outside it", figures.finished_outside))
    yield ""
    yield f"{'finished strikes: mean (max)':<{_WIDTH}}" + "".join(f"{name:>24}" for name, _ in columns)
    foot = f"{standing_side(figures.kind, figures.side)} foot"
    rows = (
        ("still missed, cm", [_both(one.residual_cm, 4) for _, one in columns]),
        ("joint turned most, degrees", [_both(one.change_deg, 2) for _, one in columns]),
        ("  at the hit", [_both(one.change_at_hit_deg, 2) for _, one in columns]),
        ("  of the legs that stand, over all frames", [_both(one.legs_deg, 2) for _, one in columns]),
        ("beyond human limits and the examples, degrees", [_limits(one) for _, one in columns]),
        ("largest velocity jump / examples' 99 %", [_both(one.jump, 2) for _, one in columns]),
        ("  unfinished", [_both(one.jump_unfinished, 2) for _, one in columns]),
        ("  of the examples themselves", [f"({one.jump_examples:.2f})" for _, one in columns]),
        (f"slide of the {foot}, mm", [_both(one.slide_mm, 2) for _, one in columns]),
        ("  by contacts found anew", [_both(one.slide_anew_mm, 2) for _, one in columns]),
        ("  its ball over the whole strike", [_both(one.ball_mm, 1) for _, one in columns]),
        ("  of the examples", [f"({one.ball_examples_mm:.1f})" for _, one in columns]),
        (f"frames in which the {foot} is held", [f"{100 * one.stands:.0f} %" for _, one in columns]),
    )
    for what, cells in rows:
        yield f"  {what:<{_WIDTH - 2}}" + "".join(f"{cell:>24}" for cell in cells)


def _times(figures: StrikeFigures) -> Iterator[str]:
    times = figures.times
    yield ""
    yield (
        f"a request takes {times.weights_ms:.2f} ms for the weights, {times.blend_ms:.2f} for the blend and {times.finish_ms:.2f} for the "
        f"finish of a strike of {60 * times.seconds:.0f} frames:"
    )
    yield (
        f"  {100 * times.share_blended:.2f} % of its own play time without the finish, {100 * times.share_finished:.2f} % with it; "
        f"for a strike of 1 s {times.blended:.1f} and {times.finished:.1f} ms"
    )


def _bounds(miss: Miss) -> str:
    low, high = miss.bounds
    return f"weights {low:g} … {high:g}"


def _both(spread: TargetSpread, digits: int) -> str:
    return f"{spread.mean:.{digits}f} ({spread.max:.{digits}f})"


def _limits(one: FinishFigures) -> str:
    return f"{one.beyond_limits_deg:.1f} {one.beyond_limits_angle}" if one.beyond_limits_angle else "none"
