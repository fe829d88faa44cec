from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from kinegraph.graph.making import transitions as making
from kinegraph.graph.making.transitions import Transitions, joined
from kinegraph.similarity.candidates import Candidates
from kinegraph.similarity.minima import Minima

Row = tuple[int, int, int, int, int, float]


def rows(moves: Transitions) -> list[Row]:
    """Source clip and frame, target clip and frame, length and cost of every move."""
    columns = (moves.source_clip, moves.source, moves.target_clip, moves.target, moves.length, moves.cost)
    return list(zip(*(column.tolist() for column in columns), strict=True))


def transitions_from(found: dict[tuple[int, int], Minima], lengths: list[int]) -> Transitions:
    return making.transitions_from(Candidates.of(found), lengths)


def _minima(places: list[tuple[int, int, float]], window: int) -> Minima:
    places = sorted(places)
    first, second, cost = (np.array([place[n] for place in places]) for n in range(3))
    return Minima(first, second, cost, window)


def test_a_minimum_is_a_move_each_way() -> None:
    """Windows from 20 of A and from 40 of B: after L frames of blending, the other clip goes on behind its window."""
    moves = transitions_from({(0, 1): _minima([(20, 40, 0.03)], 10)}, [100, 100])
    assert rows(moves) == [(0, 20, 1, 50, 10, 0.03), (1, 40, 0, 30, 10, 0.03)]


def test_a_clip_leads_to_itself_forwards_and_backwards() -> None:
    moves = transitions_from({(0, 0): _minima([(5, 60, 0.02)], 8)}, [100])
    assert rows(moves) == [(0, 5, 0, 68, 8, 0.02), (0, 60, 0, 13, 8, 0.02)]


def test_a_move_must_arrive_at_a_frame() -> None:
    """A window at the very end leads nowhere; the other way it is as good as any."""
    moves = transitions_from({(0, 1): _minima([(90, 40, 0.03)], 10)}, [100, 100])
    assert rows(moves) == [(0, 90, 1, 50, 10, 0.03)]
    moves = transitions_from({(0, 1): _minima([(89, 40, 0.03)], 10)}, [100, 100])
    assert len(moves) == 2


def test_of_neighbours_the_best_stays() -> None:
    places = [(10, 10, 0.05), (12, 12, 0.02), (14, 14, 0.04), (16, 16, 0.06), (12, 15, 0.03)]
    moves = transitions_from({(0, 1): _minima(places, 5)}, [50, 50])
    kept = {(row[1], row[3] - 5) for row in rows(moves) if row[0] == 0}
    # 16, 16 is near 14, 14 only, which goes; 12, 15 is three frames away
    assert kept == {(12, 12), (16, 16), (12, 15)}


def test_neighbours_in_another_pair_of_clips_are_no_neighbours() -> None:
    one = _minima([(10, 10, 0.05)], 5)
    moves = transitions_from({(0, 1): one, (0, 2): one, (1, 2): one}, [50, 50, 50])
    assert len(moves) == 6


def test_no_minima_no_moves() -> None:
    assert len(transitions_from({}, [10])) == 0
    assert len(transitions_from({(0, 0): _minima([], 5)}, [10])) == 0
    assert len(joined(transitions_from({}, []), transitions_from({}, []))) == 0


@st.composite
def _candidates(draw: st.DrawFn) -> tuple[dict[tuple[int, int], Minima], list[int]]:
    lengths = draw(st.lists(st.integers(12, 40), min_size=1, max_size=3))
    found = {}
    for a in range(len(lengths)):
        for b in range(a, len(lengths)):
            window = draw(st.integers(2, 10))
            place = st.tuples(st.integers(0, lengths[a] - window), st.integers(0, lengths[b] - window))
            if a == b:
                place = place.filter(lambda at, window=window: at[1] - at[0] >= window)  # type: ignore[misc]
            places = draw(st.lists(place, unique=True, max_size=12)) if a != b or lengths[a] >= 2 * window else []
            costs = [draw(st.integers(1, 20)) / 100 for _ in places]
            found[a, b] = _minima([(i, j, cost) for (i, j), cost in zip(places, costs, strict=True)], window)
    return found, lengths


@given(_candidates())
def test_thinning_keeps_the_best_and_no_fewer_than_needed(
    made: tuple[dict[tuple[int, int], Minima], list[int]],
) -> None:
    candidates, lengths = made
    moves = rows(transitions_from(candidates, lengths))
    assert [row[5] for row in moves] == sorted(row[5] for row in moves)
    for (a, b), minima in candidates.items():
        window = minima.window
        every = list(zip(minima.first.tolist(), minima.second.tolist(), minima.cost.tolist(), strict=True))
        kept = [
            (i, j, cost)
            for i, j, cost in every
            if (a, i, b, j + window, window, cost) in moves or (b, j, a, i + window, window, cost) in moves
        ]
        for i, j, cost in every:
            beside = [other for other in kept if abs(other[0] - i) <= 2 and abs(other[1] - j) <= 2]
            if (i, j, cost) in kept:
                assert beside == [(i, j, cost)]  # no two that do the same
            elif j + window < lengths[b] or i + window < lengths[a]:
                # what went had a better one, or an equal one, beside it; unless that itself arrives nowhere
                gone = [
                    (m, n, c)
                    for m, n, c in every
                    if m + window >= lengths[a] and n + window >= lengths[b] and abs(m - i) <= 2 and abs(n - j) <= 2
                ]
                assert any(other[2] <= cost for other in [*beside, *gone])
        for i, j, cost in kept:
            assert ((a, i, b, j + window, window, cost) in moves) == (j + window < lengths[b])
            assert ((b, j, a, i + window, window, cost) in moves) == (i + window < lengths[a])


def test_the_order_of_the_pairs_does_not_matter() -> None:
    random = np.random.default_rng(2)
    found = {
        (a, b): _minima([(int(i), int(j), float(c)) for i, j, c in random.integers(0, 30, (9, 3))], 4)
        for a in range(3)
        for b in range(a, 3)
    }
    one, two = transitions_from(found, [60] * 3), transitions_from(dict(reversed(found.items())), [60] * 3)
    assert rows(one) == rows(two)


def test_some_of_the_moves() -> None:
    moves = transitions_from({(0, 1): _minima([(3 * n, 5 * n, 0.01 * n) for n in range(4)], 3)}, [60, 60])
    assert rows(moves[2:5]) == rows(moves)[2:5]
    odd = np.arange(len(moves)) % 2 == 1
    assert rows(joined(moves[~odd], moves[odd])) == rows(moves)[::2] + rows(moves)[1::2]
