from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given

from kinegraph.graph.making.bridges import Ways, choose, lengthened
from kinegraph.graph.making.components import Timeline, largest
from kinegraph.graph.making.groups import ClipGroup
from kinegraph.graph.making.transitions import Transitions, joined, transitions_from
from kinegraph.similarity.candidates import Candidates
from kinegraph.similarity.minima import Minima
from tests.graph.test_components import make_moves
from tests.graph.test_groups import grouped, meet, two_kinds
from tests.strategies import generators


def _kept(timeline: Timeline, moves: Transitions, ordinary: np.ndarray, bridges: np.ndarray) -> np.ndarray:
    return largest(timeline, joined(moves[ordinary], lengthened(moves[bridges], timeline)))


@pytest.mark.parametrize("far", [0.125, 0.13, 0.15, 0.17])
def test_two_kinds_are_joined_each_way(far: float) -> None:
    timeline, moves = two_kinds(far)
    groups = grouped(timeline, moves)
    choice = choose(Ways.of(timeline, moves), groups, bridges=True)
    assert not (choice.ordinary & choice.bridges).any()
    bridging = moves[choice.bridges]
    towards = {(bool(a >= 3), bool(b >= 3)) for a, b in zip(bridging.source_clip, bridging.target_clip, strict=True)}
    assert towards == {(True, False), (False, True)}
    # a small graph gets the best way there and the best way back, not more
    assert len(bridging) == 2
    assert bridging.cost == pytest.approx([far, far])
    (meeting,) = choice.meetings
    assert meeting.groups == (0, 1)
    assert meeting.bridges == 2
    assert meeting.threshold == pytest.approx(far)
    kept = _kept(timeline, moves, choice.ordinary, choice.bridges)
    assert {int(clip) for clip in timeline.clip[kept]} == set(range(5))


def test_ordinary_moves_are_what_both_kinds_call_alike() -> None:
    timeline, moves = two_kinds(far=0.05)
    choice = choose(Ways.of(timeline, moves), [ClipGroup((0, 1, 2), 0.02), ClipGroup((3, 4), 0.06)], bridges=False)
    assert not choice.bridges.any()
    assert choice.meetings == ()
    for n in range(len(moves)):
        limits = [0.02 if clip < 3 else 0.06 for clip in (moves.source_clip[n], moves.target_clip[n])]
        assert choice.ordinary[n] == (moves.cost[n] <= min(limits))


def test_bridges_are_few_in_a_large_graph() -> None:
    """Many clips of two kinds, all of which meet: at most two of a hundred transitions are bridges."""
    count = 24
    jumps = []
    for a in range(count):
        for b in range(a, count):
            same = (a < 12) == (b < 12)
            jumps += meet(a, b, 0.02 if same else 0.12, 0.001)
    timeline, moves = Timeline.of([100] * count), make_moves(jumps, 8)
    groups = grouped(timeline, moves)
    assert len(groups) == 2
    choice = choose(Ways.of(timeline, moves), groups, bridges=True)
    assert 2 <= np.count_nonzero(choice.bridges) <= 0.02 * np.count_nonzero(choice.ordinary | choice.bridges)
    kept = _kept(timeline, moves, choice.ordinary, choice.bridges)
    assert {int(clip) for clip in timeline.clip[kept]} == set(range(count))


def test_a_clip_that_nobody_is_like_is_rescued() -> None:
    jumps = [jump for a in range(2) for b in range(a, 2) for jump in meet(a, b, 0.02)]
    # into clip 2 early and out of it late; it holds no cycle of its own
    jumps += [(0, 60, 2, 20, 0.14), (2, 70, 1, 40, 0.16)]
    timeline, moves = Timeline.of([100] * 3), make_moves(jumps, 8)
    groups = grouped(timeline, moves)
    choice = choose(Ways.of(timeline, moves), groups, bridges=True)
    kept = _kept(timeline, moves, choice.ordinary, choice.bridges)
    assert np.flatnonzero(kept & (timeline.clip == 2)).tolist() == list(range(200 + 20 + 4, 200 + 70 - 4 + 1))
    without = choose(Ways.of(timeline, moves), groups, bridges=False)
    kept = _kept(timeline, moves, without.ordinary, without.bridges)
    assert not (kept & (timeline.clip == 2)).any()


def test_a_clip_without_a_way_out_stays_out() -> None:
    jumps = [*meet(0, 1, 0.02), (0, 60, 2, 20, 0.14), (2, 10, 1, 40, 0.05)]
    timeline, moves = Timeline.of([100] * 3), make_moves(jumps, 8)
    choice = choose(Ways.of(timeline, moves), grouped(timeline, moves), bridges=True)
    kept = _kept(timeline, moves, choice.ordinary, choice.bridges)
    assert {int(clip) for clip in timeline.clip[kept]} == {0, 1}


@given(generators())
def test_bridges_are_longer_where_there_are_frames_and_inside_both_clips(random: np.random.Generator) -> None:
    lengths = random.integers(12, 60, 3)
    window = int(random.integers(2, 12))
    found = {}
    for a in range(3):
        for b in range(a, 3):
            count = 6
            first = random.integers(0, lengths[a] - window + 1, count)
            second = random.integers(0, lengths[b] - window + 1, count)
            order = np.lexsort((second, first))
            found[a, b] = Minima(first[order], second[order], random.uniform(0.01, 0.2, count), window)
    moves = transitions_from(Candidates.of(found), lengths.tolist())
    made = lengthened(moves, Timeline.of(lengths.tolist()))
    assert (made.source >= 0).all()
    assert (made.target - made.length >= 0).all()
    assert (made.source + made.length <= lengths[made.source_clip]).all()
    # a frame must be left to go on with
    assert (made.target < lengths[made.target_clip]).all()
    grown = made.length - moves.length
    assert (grown >= 0).all()
    assert (grown <= moves.length).all()
    assert (grown % 2 == 0).all()
    # the compared window stays in the middle
    assert np.array_equal(made.source + grown // 2, moves.source)
    assert np.array_equal(made.target - grown // 2, moves.target)
    room = np.minimum(
        np.minimum(moves.source, moves.target - moves.length),
        np.minimum(
            lengths[moves.source_clip] - moves.source - moves.length, lengths[moves.target_clip] - 1 - moves.target
        ),
    )
    assert np.array_equal(grown // 2, np.minimum(np.maximum(room, 0), moves.length // 2))


def test_a_bridge_does_not_grow_over_lost_frames() -> None:
    lengths = [60, 60]
    sound = [np.ones(60, bool), np.ones(60, bool)]
    move = make_moves([(0, 20, 1, 30, 0.1)], 8)
    assert lengthened(move, Timeline.of(lengths, sound)).length.tolist() == [16]
    for clip, frame in ((0, 17), (0, 30), (1, 19), (1, 33)):
        lost = [part.copy() for part in sound]
        lost[clip][frame] = False
        assert lengthened(move, Timeline.of(lengths, lost)).length.tolist() == [8]
    for clip, frame in ((0, 15), (0, 32), (1, 17), (1, 34)):
        lost = [part.copy() for part in sound]
        lost[clip][frame] = False
        assert lengthened(move, Timeline.of(lengths, lost)).length.tolist() == [16]
