from __future__ import annotations

from random import Random

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from kinegraph.crew import Threads, in_order
from kinegraph.graph.making.components import Network, Timeline, cyclic_count, largest, parts
from kinegraph.graph.making.strong import Joining
from kinegraph.graph.making.transitions import Transitions

Jump = tuple[int, int, int, int, float]


def make_moves(jumps: list[Jump], length: int = 1) -> Transitions:
    """Moves from (clip, frame, clip, frame, cost), cheapest first."""
    jumps = sorted(jumps, key=lambda jump: jump[4])
    columns = [np.array([jump[n] for jump in jumps], np.int64) for n in range(4)]
    return Transitions(*columns, np.full(len(jumps), length, np.int64), np.array([jump[4] for jump in jumps], float))


def reachable(timeline: Timeline, moves: Transitions, allowed: np.ndarray | None = None) -> np.ndarray:
    """``(F, F)``: whether a frame leads to another, in any number of steps: by squaring, with nothing clever."""
    size = len(timeline)
    step = np.eye(size, dtype=bool)
    for clip, length in enumerate(timeline.lengths):
        start = sum(timeline.lengths[:clip])
        for frame in range(start, start + length - 1):
            step[frame, frame + 1] = True
    for a, s, b, t in zip(moves.source_clip, moves.source, moves.target_clip, moves.target, strict=True):
        step[sum(timeline.lengths[:a]) + s, sum(timeline.lengths[:b]) + t] = True
    if allowed is not None:
        step &= allowed[:, None] & allowed | np.eye(size, dtype=bool)
    for _ in range(size.bit_length() + 1):
        step = (step.astype(int) @ step.astype(int)) > 0
    return step


@st.composite
def timelines(draw: st.DrawFn) -> tuple[Timeline, Transitions]:
    """A few short clips and random moves between them."""
    lengths = draw(st.lists(st.integers(1, 8), min_size=1, max_size=4))
    clip = st.integers(0, len(lengths) - 1)
    jumps = []
    for a, b in draw(st.lists(st.tuples(clip, clip), max_size=10)):
        s, t = draw(st.integers(0, lengths[a] - 1)), draw(st.integers(0, lengths[b] - 1))
        jumps.append((a, s, b, t, draw(st.integers(1, 40)) / 200))
    return Timeline.of(lengths), make_moves(jumps)


@given(timelines(), st.data())
def test_components_equal_a_search_of_all_ways(made: tuple[Timeline, Transitions], data: st.DataObject) -> None:
    timeline, moves = made
    allowed = None
    if data.draw(st.booleans()):
        allowed = np.array(data.draw(st.lists(st.booleans(), min_size=len(timeline), max_size=len(timeline))))
    ways = reachable(timeline, moves, allowed)
    together = ways & ways.T
    labels = parts(timeline, moves, allowed)
    assert np.array_equal(labels[:, None] == labels, together)
    sizes = together.sum(axis=1)
    assert cyclic_count(labels) == len({tuple(row) for row in together[sizes > 1].tolist()})
    kept = largest(timeline, moves, allowed)
    if sizes.max() < 2:
        assert not kept.any()
    else:
        # of equal ones, that with the earliest frame
        assert np.array_equal(kept, together[int(np.argmax(sizes))])


def test_a_timeline_knows_whose_frames_they_are() -> None:
    timeline = Timeline.of([3, 1, 2])
    assert len(timeline) == 6
    assert timeline.starts.tolist() == [0, 3, 4, 6]
    assert timeline.clip.tolist() == [0, 0, 0, 1, 2, 2]
    assert np.flatnonzero(timeline.ahead).tolist() == [0, 1, 4]
    source, target = timeline.ends(make_moves([(2, 1, 0, 2, 0.1)]))
    assert (source.tolist(), target.tolist()) == ([5], [2])


def test_no_frames_and_no_moves() -> None:
    assert largest(Timeline.of([]), make_moves([])).tolist() == []
    assert not largest(Timeline.of([5]), make_moves([])).any()
    assert cyclic_count(parts(Timeline.of([5]), make_moves([]))) == 0


def test_a_move_back_closes_a_loop() -> None:
    kept = largest(Timeline.of([6, 4]), make_moves([(0, 4, 0, 1, 0.1), (0, 3, 1, 2, 0.1)]))
    assert np.flatnonzero(kept).tolist() == [1, 2, 3, 4]


@given(timelines(), st.integers(0, 41))
def test_one_network_tells_the_components_for_every_threshold(made: tuple[Timeline, Transitions], step: int) -> None:
    timeline, moves = made
    threshold = step / 200
    labels = Network.of(timeline, moves).parts(threshold)
    fewer = parts(timeline, moves[moves.cost <= threshold])
    assert np.array_equal(labels[:, None] == labels, fewer[:, None] == fewer)


@given(timelines(), st.lists(st.integers(0, 41), min_size=2, max_size=8))
def test_thresholds_asked_in_any_order_tell_what_one_asked_alone_does(
    made: tuple[Timeline, Transitions], steps: list[int]
) -> None:
    """What lies between two known thresholds is looked for in what the lower one has joined."""
    timeline, moves = made
    network = Network.of(timeline, moves)
    for step in steps:
        together, alone = network.parts(step / 200), Network.of(timeline, moves).parts(step / 200)
        assert np.array_equal(together[:, None] == together, alone[:, None] == alone)


@given(timelines(), st.data())
def test_a_network_among_some_clips_is_that_of_these_alone(
    made: tuple[Timeline, Transitions], data: st.DataObject
) -> None:
    timeline, moves = made
    clips = data.draw(st.sets(st.integers(0, len(timeline.lengths) - 1), min_size=1))
    inside = np.isin(timeline.clip, list(clips))
    some = Network.of(timeline, moves).among(np.flatnonzero(inside))
    alone = parts(timeline, moves, inside)[inside]
    found = some.parts()
    assert len(some) == len(alone)
    assert np.array_equal(found[:, None] == found, alone[:, None] == alone)


def test_a_way_given_twice_counts_once_and_at_its_cheapest() -> None:
    timeline = Timeline.of([3, 3])
    moves = make_moves([(0, 2, 1, 0, 0.1), (0, 2, 1, 0, 0.02), (1, 2, 0, 0, 0.02), (0, 0, 0, 1, 0.01)] * 3)
    assert Network.of(timeline, moves).largest(0.02).all()
    assert not Network.of(timeline, moves).largest(0.015).any()


@given(timelines(), st.randoms(use_true_random=False), st.data())
def test_the_order_of_ways_changes_no_component(
    made: tuple[Timeline, Transitions], random: Random, data: st.DataObject
) -> None:
    """Where ways come cheapest first, rows hold their places in that order instead of what they cost."""
    timeline, moves = made
    order = list(range(len(moves)))
    random.shuffle(order)
    ordered, mixed = Network.of(timeline, moves), Network.of(timeline, moves[np.array(order, np.int64)])
    for threshold in data.draw(st.lists(st.integers(0, 42), min_size=1, max_size=5)):
        # exactly what some way costs, too
        labels = [one.parts(threshold / 200) for one in (ordered, mixed)]
        below = moves[moves.cost <= threshold / 200]
        ways = reachable(timeline, below)
        for found in labels:
            assert np.array_equal(found[:, None] == found, ways & ways.T)


@given(timelines(), st.data())
def test_some_of_the_ways_are_as_if_there_were_no_others(
    made: tuple[Timeline, Transitions], data: st.DataObject
) -> None:
    timeline, moves = made
    chosen = np.array(data.draw(st.lists(st.booleans(), min_size=len(moves), max_size=len(moves))), bool)
    allowed = np.array(data.draw(st.lists(st.booleans(), min_size=len(timeline), max_size=len(timeline))))
    for inside in (None, allowed):
        some, alone = Network.of(timeline, moves, inside, chosen=chosen), Network.of(timeline, moves[chosen], inside)
        for threshold in (0.0, 0.05, 0.1, np.inf):
            assert np.array_equal(some.largest(threshold), alone.largest(threshold))


def test_threads_may_ask_one_network() -> None:
    random = np.random.default_rng(4)
    timeline = Timeline.of([400] * 5)
    jumps = [(*random.integers(0, 5, 1), *random.integers(0, 400, 1), *random.integers(0, 5, 1), *random.integers(0, 400, 1), c)
             for c in random.uniform(0, 1, 800).round(3)]  # fmt: skip
    moves = make_moves(jumps)
    thresholds = random.permutation(np.linspace(0, 1, 60)).tolist()
    expected = [Network.of(timeline, moves).largest(threshold) for threshold in thresholds]
    shared = Network.of(timeline, moves)
    with Threads(4) as crew:
        found = list(in_order(crew, shared.largest, thresholds, 4))
    assert all(np.array_equal(one, two) for one, two in zip(found, expected, strict=True))


@given(timelines(), st.data())
def test_ways_added_one_after_another_join_what_they_join_together(
    made: tuple[Timeline, Transitions], data: st.DataObject
) -> None:
    timeline, moves = made
    chosen = np.array(data.draw(st.lists(st.booleans(), min_size=len(moves), max_size=len(moves))), bool)
    joining = Joining(Network.of(timeline, moves, chosen=chosen).rows)
    later = np.flatnonzero(~chosen)
    source, target = timeline.ends(moves)
    while len(later):
        # some at a time: none, one, or several of one frame
        count = data.draw(st.integers(0, len(later)))
        some, later = later[:count], later[count:] if count else later[1:]
        before = joining.parts.copy()
        joined = joining.parts_with(source[some], target[some])
        assert np.array_equal(joining.parts, before)
        joining.add(source[some], target[some])
        chosen[some] = True
        ways = reachable(timeline, moves[chosen])
        for labels in (joined, joining.parts):
            assert np.array_equal(labels[:, None] == labels, ways & ways.T)
