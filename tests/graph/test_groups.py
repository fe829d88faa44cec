from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given

from kinegraph.graph.making.components import Network, Timeline
from kinegraph.graph.making.groups import ClipGroup, find_groups, frames_of, links, spanning_tree
from kinegraph.graph.making.thresholds import smallest_threshold
from kinegraph.graph.making.transitions import Transitions
from tests.graph.test_components import Jump, make_moves, timelines


def meet(a: int, b: int, cost: float, step: float = 0.0) -> list[Jump]:
    """Ways between two clips of 100 frames, each way, from near the end of one to near the beginning of the other, and between."""
    places = [(85, 14), (60, 30), (40, 50)]
    return [
        jump
        for n, (late, early) in enumerate(places)
        for jump in ((a, late, b, early, cost + n * step), (b, late, a, early, cost + n * step))
    ]


def two_kinds(far: float = 0.15) -> tuple[Timeline, Transitions]:
    """Clips 0 to 2 meet at 2 cm, clips 3 and 4 at 6 cm, and one kind the other at ``far``."""
    jumps = [jump for a in range(3) for b in range(a, 3) for jump in meet(a, b, 0.02)]
    jumps += [jump for a in (3, 4) for b in range(a, 5) for jump in meet(a, b, 0.06)]
    jumps += [jump for a in range(3) for b in (3, 4) for jump in meet(a, b, far, 0.01)]
    return Timeline.of([100] * 5), make_moves(jumps, length=8)


def grouped(timeline: Timeline, moves: Transitions) -> list[ClipGroup]:
    """Groups that keep 90 % of their frames below 20 cm; one meeting in a hundred frames makes clips near."""
    return find_groups(timeline, moves, Network.of(timeline, moves), share=0.9, ceiling=0.2, every=100.0)


def test_two_kinds_get_a_threshold_each() -> None:
    timeline, moves = two_kinds()
    groups = grouped(timeline, moves)
    assert [group.clips for group in groups] == [(0, 1, 2), (3, 4)]
    assert [group.threshold for group in groups] == pytest.approx([0.02, 0.06])


def test_kinds_that_meet_not_far_above_are_one() -> None:
    timeline, moves = two_kinds(far=0.025)
    groups = grouped(timeline, moves)
    assert [group.clips for group in groups] == [(0, 1, 2, 3, 4)]
    assert groups[0].threshold == pytest.approx(0.025, abs=0.0006)


def test_clips_that_meet_nobody_are_alone() -> None:
    timeline = Timeline.of([100] * 3)
    groups = grouped(timeline, make_moves(meet(0, 1, 0.02), 8))
    assert [group.clips for group in groups] == [(0, 1), (2,)]
    assert groups[1].threshold is None
    assert [group.clips for group in grouped(timeline, make_moves([]))] == [(0,), (1,), (2,)]


@given(timelines())
def test_groups_share_out_all_clips_and_keep_their_share(made: tuple[Timeline, Transitions]) -> None:
    timeline, moves = made
    groups = grouped(timeline, moves)
    assert sorted(clip for group in groups for clip in group.clips) == list(range(len(timeline.lengths)))
    assert [len(group.clips) for group in groups] == sorted((len(group.clips) for group in groups), reverse=True)
    network = Network.of(timeline, moves)
    everything = network.largest()
    goal = int(np.ceil(0.9 * np.count_nonzero(everything)))
    whole = smallest_threshold(network, [(everything, goal)], 0.2) if goal else None
    for group in groups:
        own = network.among(frames_of(timeline, group.clips))
        could = np.count_nonzero(own.largest())
        if group.threshold is None:
            assert could == 0
            continue
        # no group is laxer than one threshold for all would be
        assert 0 < group.threshold <= (0.2 if whole is None else whole)
        if group.threshold != whole and len(group.clips) == 1:
            assert np.count_nonzero(own.largest(group.threshold + 1e-12)) >= 0.9 * could


def test_clips_are_as_near_as_they_meet_often() -> None:
    """Both ways count, the worse of them; and of 100 frames one meeting in 50, so the second best."""
    jumps = [(0, 1, 1, 2, 0.3), (0, 5, 1, 2, 0.4), (0, 9, 1, 2, 0.5), (1, 1, 0, 2, 0.1), (1, 5, 0, 2, 0.2)]
    jumps += [(2, 1, 1, 2, 0.1), (1, 1, 2, 2, 0.1), (1, 9, 2, 9, 0.1)]
    made = links(Timeline.of([100, 100, 300]), make_moves(jumps), 50.0)
    assert made.tolist() == [[0.0, 0.4, np.inf], [0.4, 0.0, np.inf], [np.inf, np.inf, 0.0]]
    often = links(Timeline.of([100, 100, 300]), make_moves(jumps), 100.0)
    assert often[0, 1] == 0.3
    assert often[1, 2] == 0.1


def test_the_cheapest_tree() -> None:
    best = np.array([[0, 0.0, 0.5, np.inf], [0.0, 0, 0.2, np.inf], [0.5, 0.2, 0, np.inf], [np.inf] * 3 + [0]])
    assert spanning_tree(best) == [(0, 1, pytest.approx(0.0)), (1, 2, pytest.approx(0.2))]


def test_a_group_gets_enough_ways_to_choose_from() -> None:
    """Two clips that one cheap loop connects, and dearer ways between them: the threshold rises until there are enough, but no further."""
    cheap = [(0, 95, 1, 5, 0.01), (1, 95, 0, 5, 0.01)]
    dear = [(n % 2, 10 + n, 1 - n % 2, 20 + n, 0.0105 + 0.0002 * n) for n in range(40)]
    timeline, moves = Timeline.of([100, 100]), make_moves([*cheap, *dear])
    bare = find_groups(timeline, moves, Network.of(timeline, moves), share=0.9, ceiling=0.2, every=500.0)
    rich = find_groups(timeline, moves, Network.of(timeline, moves), share=0.9, ceiling=0.2, every=500.0, choice=0.1)
    assert [group.clips for group in bare] == [group.clips for group in rich] == [(0, 1)]
    assert bare[0].threshold == pytest.approx(0.01)
    # no group is laxer than one threshold for all clips would be: here that is as low
    assert rich[0].threshold == pytest.approx(0.01)
    apart = [(2, 95, 3, 5, 0.05), (3, 95, 2, 5, 0.05), (0, 50, 2, 50, 0.1), (2, 60, 0, 60, 0.1)]
    timeline, moves = Timeline.of([100] * 4), make_moves([*cheap, *dear, *apart])
    rich = find_groups(timeline, moves, Network.of(timeline, moves), share=0.9, ceiling=0.2, every=500.0, choice=0.1)
    # twenty ways for two hundred frames: the two cheap ones and the first eighteen of the others
    assert next(group for group in rich if 0 in group.clips).threshold == pytest.approx(0.014)
    # by no more than half, or to what can hardly be seen
    coarse = [(n % 2, 20 + n, 1 - n % 2, 40 + n, 0.03 + 0.001 * n) for n in range(40)]
    for scale, highest in ((1.0, 0.035), (4.0, 0.06)):
        lax = [(*jump[:4], scale * jump[4]) for jump in [*cheap, *coarse]]
        mixed = make_moves([*lax, *apart])
        many = find_groups(
            timeline, mixed, Network.of(timeline, mixed), share=0.9, ceiling=0.2, every=500.0, choice=1.0
        )
        assert next(group for group in many if 0 in group.clips).threshold == pytest.approx(highest)
