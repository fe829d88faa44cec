from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kinegraph.graph.making import thresholds
from kinegraph.graph.making.components import Network, Timeline, cyclic_count, largest, parts
from kinegraph.graph.making.thresholds import curve, smallest_threshold
from kinegraph.graph.making.transitions import Transitions
from tests.graph.test_components import make_moves, timelines

_FINEST = 0.0005


def _below(moves: Transitions, threshold: float) -> Transitions:
    return moves[moves.cost <= threshold]


@given(timelines(), st.integers(2, 12))
def test_it_is_enough_and_half_a_millimetre_less_is_not(made: tuple[Timeline, Transitions], count: int) -> None:
    timeline, moves = made
    everything = np.ones(len(timeline), bool)
    found = smallest_threshold(Network.of(timeline, moves), [(everything, count)], 0.2)
    if found is None:
        assert np.count_nonzero(largest(timeline, moves)) < count
        return
    assert np.count_nonzero(largest(timeline, _below(moves, found + 1e-12))) >= count
    # frames of the largest component only grow in number: below, there is none that would do
    for step in range(1, 40):
        assert np.count_nonzero(largest(timeline, _below(moves, found - step * _FINEST))) < count


@given(timelines(), st.data())
def test_few_frames_have_the_threshold_that_many_would(made: tuple[Timeline, Transitions], data: st.DataObject) -> None:
    """Where frames are few all thresholds are tried in one call, whatever is known of others; costs in order or not."""
    timeline, moves = made
    order = np.array(data.draw(st.permutations(range(len(moves)))), np.int64)
    frames = st.lists(st.booleans(), min_size=len(timeline), max_size=len(timeline))
    goals = [(np.array(data.draw(frames)), data.draw(st.integers(0, 6))) for _ in range(data.draw(st.integers(1, 2)))]
    # multiples of half a millimetre, and what lies between
    ceiling = data.draw(st.one_of(st.integers(1, 420).map(lambda n: n * _FINEST), st.floats(1e-5, 0.21)))
    found = set()
    with pytest.MonkeyPatch.context() as patch:
        for few in (0, len(timeline)):
            patch.setattr(thresholds, "_FEW", few)
            found |= {smallest_threshold(Network.of(timeline, some), goals, ceiling) for some in (moves, moves[order])}
    assert len(found) == 1


def test_every_goal_must_be_met() -> None:
    timeline = Timeline.of([10, 10])
    moves = make_moves([(0, 8, 0, 1, 0.02), (0, 5, 1, 2, 0.04), (1, 8, 0, 3, 0.07)])
    first, second = timeline.clip == 0, timeline.clip == 1
    assert smallest_threshold(Network.of(timeline, moves), [(first, 8)], 0.2) == pytest.approx(0.02)
    assert smallest_threshold(Network.of(timeline, moves), [(first, 8), (second, 7)], 0.2) == pytest.approx(0.07)
    assert smallest_threshold(Network.of(timeline, moves), [(first, 8), (second, 8)], 0.2) is None
    assert smallest_threshold(Network.of(timeline, moves), [(first, 8), (second, 7)], 0.06) is None
    assert smallest_threshold(Network.of(timeline, make_moves([])), [(first, 0)], 0.2) is None


def test_a_threshold_never_lies_above_the_ceiling() -> None:
    timeline = Timeline.of([10])
    moves = make_moves([(0, 8, 0, 1, 0.12341)])
    found = smallest_threshold(Network.of(timeline, moves), [(np.ones(10, bool), 8)], 0.12345)
    assert found == 0.12345


@given(timelines())
def test_the_curve_rises(made: tuple[Timeline, Transitions]) -> None:
    timeline, moves = made
    points = curve(Network.of(timeline, moves), moves.cost, 0.2)
    thresholds = [point.threshold for point in points]
    assert thresholds == sorted(thresholds)
    assert thresholds[-1] == pytest.approx(0.2)
    for name in ("transitions", "frames"):
        values = [getattr(point, name) for point in points]
        assert values == sorted(values)
    for point in points:
        chosen = _below(moves, point.threshold)
        assert point.transitions == len(chosen)
        assert point.frames == np.count_nonzero(largest(timeline, chosen))
        assert point.components == cyclic_count(parts(timeline, chosen))
    assert points[-1].transitions == len(moves)
