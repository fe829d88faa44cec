"""Local minima of all pairs of windows: the fast way against a search of every place."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import combinations_with_replacement
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kinegraph import samples
from kinegraph.motion import FloorTransform, Motion, concatenate
from kinegraph.similarity import compare as comparing
from kinegraph.similarity import deck, hands
from kinegraph.similarity.candidates import Pair, gathered
from kinegraph.similarity.clouds import Cloud
from kinegraph.similarity.compare import all_window_pairs, compare, compare_all, shortest_windows, window_pairs
from kinegraph.similarity.exact import centred, window_pair
from kinegraph.similarity.hands import _DEALT, bytes_of_frame
from kinegraph.similarity.matrix import distance_matrix
from kinegraph.similarity.minima import Minima
from kinegraph.similarity.windows import taper
from tests.similarity.reference import brute_force, by_rule, cloud_of, direct, present
from tests.strategies import generators


def _places(minima: Minima) -> set[tuple[int, int]]:
    return set(zip(minima.first.tolist(), minima.second.tolist(), strict=True))


def _check(a: Cloud, b: Cloud, window: int, limit: float, minima: Minima) -> int:
    """The minima are exactly those that a search of every place finds, with their costs; how many rounding decides."""
    assert minima.window == window
    if min(len(a), len(b)) < window:
        assert len(minima) == 0
        return 0
    distance = distance_matrix(a, b, window)
    there = distance.copy()
    there[~present(a, window)] = np.inf
    there[:, ~present(b, window)] = np.inf
    found = brute_force(there, limit, window, same=a is b)
    places = _places(minima)
    assert len(places) == len(minima)
    assert not found.sure - places, "missed"
    assert not places - found.sure - found.perhaps, "not minima"
    assert minima.cost**2 == pytest.approx(distance[minima.first, minima.second] ** 2, abs=1e-12)
    assert (minima.cost <= limit).all()
    order = np.lexsort((minima.second, minima.first))
    assert np.array_equal(order, np.arange(len(minima)))
    return len(found.perhaps)


def _everything(
    clouds: Sequence[Cloud], window: int, limit: float, *, skip: bool = True, threads: int | None = None
) -> dict[Pair, Minima]:
    pairs = dict.fromkeys(combinations_with_replacement(range(len(clouds)), 2), window)
    return _compared(clouds, pairs, limit=limit, skip=skip, threads=threads)


def _compared(clouds: Sequence[Cloud], pairs: Mapping[Pair, int], **wishes: Any) -> dict[Pair, Minima]:
    windows = np.zeros((len(clouds), len(clouds)), np.int32)
    for pair, window in pairs.items():
        windows[pair] = window
    parts = list(compare_all(clouds, windows, **wishes))
    found = dict(gathered(parts).items())
    assert len(found) == sum(part.pairs for part in parts)
    return found


def _all_same(one: Mapping[Pair, Minima], two: Mapping[Pair, Minima]) -> bool:
    return set(one) == set(two) and all(one[pair] == two[pair] for pair in one)


@pytest.fixture(scope="module")
def clouds(slow: dict[str, Motion]) -> list[Cloud]:
    return [cloud_of(motion) for motion in slow.values()]


@pytest.mark.parametrize("skip", [True, False])
@pytest.mark.parametrize(("window", "limit"), [(2, 0.03), (6, 0.2), (10, 0.05), (10, 1.0), (41, 0.2)])
def test_minima_of_all_pairs_of_real_clips_equal_a_search(
    clouds: list[Cloud], window: int, limit: float, skip: bool
) -> None:
    found = _everything(clouds, window, limit, skip=skip)
    assert len(found) == 36
    doubtful = sum(_check(clouds[a], clouds[b], window, limit, minima) for (a, b), minima in found.items())
    assert doubtful <= 2
    assert sum(map(len, found.values())) > 50


@pytest.mark.parametrize("limit", [0.02, 0.1, 0.5])
def test_minima_of_built_in_clips_equal_a_search(played: dict[str, Motion], limit: float) -> None:
    made = [cloud_of(motion, along=1) for motion in played.values()]
    found = _everything(made, 10, limit)
    for (a, b), minima in found.items():
        _check(made[a], made[b], 10, limit, minima)
    assert sum(map(len, found.values())) > 20


@pytest.mark.parametrize(("fps", "window"), [(60.0, 20), (120.0, 40), (120.0, 81)])
def test_clips_longer_than_a_chunk(
    monkeypatch: pytest.MonkeyPatch, real: dict[str, Motion], fps: float, window: int
) -> None:
    """Some hundred windows are cut into tiles: minima at the seams are neither lost nor found twice."""
    monkeypatch.setattr(deck, "CHUNK", 190)
    made = [cloud_of(real[name].resample(fps)[:700]) for name in ("16_17", "17_03")]
    assert max(map(len, made)) - window > deck.CHUNK
    found = _everything(made, window, 0.2)
    for (a, b), minima in found.items():
        _check(made[a], made[b], window, 0.2, minima)
    assert all(map(len, found.values()))


@pytest.mark.parametrize("size", [16, 17, 50])
def test_minima_do_not_depend_on_how_clips_are_cut(
    clouds: list[Cloud], size: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = _everything(clouds, 10, 0.2)
    monkeypatch.setattr(deck, "CHUNK", size)
    assert _all_same(_everything(clouds, 10, 0.2), whole)
    assert _all_same(_everything(clouds, 10, 0.2, skip=False), whole)


@settings(max_examples=20)
@given(generators(), st.integers(9, 60), st.integers(2, 12), st.booleans(), st.sampled_from((0.2, 1.0)))
def test_random_walks_cut_anywhere(
    random: np.random.Generator, size: int, window: int, skip: bool, scale: float
) -> None:
    """Clouds with no body behind them: short and long ones, frames that are lost. Small ones are near enough to skip others."""
    limit = 0.25 * scale
    count = int(random.choice([1, 3, 8, 31]))
    base = random.uniform(0.1, 1, count)
    base /= np.linalg.norm(base)
    made = []
    for _ in range(4):
        frames = int(random.integers(1, 90))
        path = np.cumsum(0.05 * random.normal(size=(frames, 3, 1)), axis=0)
        points = 0.17 * random.normal(size=(frames, 3, count)) / np.sqrt(count) + path * base
        made.append(Cloud(scale * points, base, random.uniform(size=frames) > 0.01))
    before = deck.CHUNK
    deck.CHUNK = size
    try:
        found = _everything(made, window, limit, skip=skip)
    finally:
        deck.CHUNK = before
    assert set(found) == set(combinations_with_replacement(range(4), 2))
    for (a, b), minima in found.items():
        _check(made[a], made[b], window, limit, minima)


def test_threads_order_and_company_change_nothing(clouds: list[Cloud]) -> None:
    whole = _everything(clouds, 10, 0.15)
    assert _all_same(_everything(clouds, 10, 0.15, threads=1), whole)
    assert _all_same(_everything(clouds, 10, 0.15, threads=3), whole)
    order = [5, 2, 7, 0, 4, 1, 6, 3]
    for (a, b), minima in _everything([clouds[n] for n in order], 10, 0.15).items():
        i, j = order[a], order[b]
        known = whole[min(i, j), max(i, j)]
        turned = set(_places(minima)) if i <= j else {(t, s) for s, t in _places(minima)}
        assert turned == _places(known)
        assert sorted(minima.cost.tolist()) == pytest.approx(sorted(known.cost.tolist()), abs=1e-9)
    for a, b in ((0, 0), (0, 1), (2, 6), (4, 7)):
        assert compare(clouds[a], clouds[b], 10, limit=0.15) == whole[a, b]
    # new clips against old ones, as when they are added to a graph
    few = {(a, b): 10 for a, b in whole if {a, b} & {3, 6}}
    some = _compared(clouds, few, limit=0.15)
    assert _all_same(some, {pair: whole[pair] for pair in few})


def test_each_pair_has_the_window_it_asks_for(clouds: list[Cloud]) -> None:
    pairs = {(0, 1): 10, (0, 2): 6, (2, 2): 6, (1, 3): 7}
    found = _compared(clouds, pairs, limit=0.3)
    for (a, b), window in pairs.items():
        assert found[a, b] == compare(clouds[a], clouds[b], window, limit=0.3)
        assert found[a, b].window == window


@pytest.mark.parametrize(("window", "chunk"), [(2, 222), (10, 17), (20, 50)])
def test_skipping_changes_nothing_at_any_limit(
    clouds: list[Cloud], window: int, chunk: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = {limit: _everything(clouds, window, limit, skip=False) for limit in (0.02, 0.06, 0.3)}
    # also where it would not pay
    monkeypatch.setattr(comparing, "_NEAR", 10.0)
    monkeypatch.setattr(deck, "CHUNK", chunk)
    for limit, known in whole.items():
        assert _all_same(_everything(clouds, window, limit), known)


def test_skipping_long_clips_changes_nothing(real: dict[str, Motion]) -> None:
    made = [cloud_of(real[name].resample(60.0)[:700], along=1) for name in ("16_17", "17_03", "02_05")]
    found = _everything(made, 20, 0.05)
    assert _all_same(found, _everything(made, 20, 0.05, skip=False))
    assert any(map(len, found.values()))


def test_minima_are_those_of_a_higher_limit_that_lie_below(clouds: list[Cloud]) -> None:
    high, low = _everything(clouds, 10, 0.3), _everything(clouds, 10, 0.07)
    for pair, minima in low.items():
        below = high[pair].cost <= 0.07
        assert np.array_equal(high[pair].first[below], minima.first)
        assert np.array_equal(high[pair].second[below], minima.second)
        assert np.array_equal(high[pair].cost[below], minima.cost)


def test_costs_are_those_of_the_direct_formula(slow: dict[str, Motion]) -> None:
    a, b = slow["16_15"], slow["16_17"]
    minima = compare(cloud_of(a), cloud_of(b), 10, limit=0.2)
    assert len(minima) > 5
    for i, j, cost in zip(minima.first, minima.second, minima.cost, strict=True):
        assert cost == pytest.approx(direct(a, i, b, j, 10)[0], abs=1e-9)


def test_a_clip_with_itself_leaves_out_what_is_trivial(clouds: list[Cloud]) -> None:
    for made in clouds:
        minima = compare(made, made, 10, limit=0.5)
        assert (minima.second - minima.first >= 10).all()
    assert any(len(compare(made, made, 10, limit=0.5)) for made in clouds)


def test_a_clip_and_its_copy_elsewhere_meet_along_the_diagonal(slow: dict[str, Motion]) -> None:
    """A copy is another clip: at every frame it is the same to rounding, which leaves one of the ties at least."""
    a, b = slow["16_17"], slow["16_17"].place(FloorTransform(2.0, 7.0, -3.0))
    minima = compare(cloud_of(a), cloud_of(b), 10, limit=0.2)
    diagonal = minima.first == minima.second
    assert diagonal.any()
    assert minima.cost[diagonal].max() < 1e-6
    assert minima.cost[~diagonal].min() > 1e-4


def _held(name: str, frames: int) -> Motion:
    pose = samples.make(name).motion[10:11]
    return replace(pose, root=np.repeat(pose.root, frames, axis=0), rotations=np.repeat(pose.rotations, frames, axis=0))


@pytest.mark.parametrize("chunk", [222, 16])
def test_of_equal_distances_the_first_in_a_then_in_b_counts(chunk: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(deck, "CHUNK", chunk)
    a, b = cloud_of(_held("walk", 60)), cloud_of(_held("jump", 45))
    distance = float(distance_matrix(a, b, 10)[0, 0])
    minima = compare(a, b, 10, limit=1.0)
    assert _places(minima) == {(0, 0)}
    assert minima.cost[0] == pytest.approx(distance, abs=1e-9)
    # whichever clip comes first in the call
    assert _places(_compared([b, a], {(0, 1): 10}, limit=1.0)[0, 1]) == {(0, 0)}
    assert compare(a, b, 10, limit=distance - 1e-6).cost.tolist() == []
    assert len(compare(a, b, 10, limit=distance + 1e-9)) == 1


def test_a_tie_between_two_places_goes_to_the_first() -> None:
    """A pose held for a window and one frame, met once by another clip: two equal minima beside each other."""
    walk = samples.make("walk").motion.resample(30.0)
    held = _held("walk", 11)
    meets = concatenate([walk[30:36], replace(held, fps=30.0)[:11], walk[50:60]])
    minima = compare(cloud_of(replace(held, fps=30.0)[:10]), cloud_of(meets), 10, limit=1e-4)
    assert _places(minima) == {(0, 6)}


@pytest.mark.parametrize(
    ("window", "chunk", "skip"), [(10, 222, True), (10, 16, False), (7, 50, True), (2, 222, False)]
)
def test_ties_along_a_cycle_are_decided_by_the_rule(
    window: int, chunk: int, skip: bool, monkeypatch: pytest.MonkeyPatch, slow: dict[str, Motion]
) -> None:
    """A stride that repeats itself to the bit is its own equal a stride later, all along: the rule for ties says where it counts."""
    monkeypatch.setattr(deck, "CHUNK", chunk)
    stride = cloud_of(slow["16_15"][20:50])
    cycle = replace(stride, points=np.tile(stride.points, (3, 1, 1)), sound=np.tile(stride.sound, 3))
    other = replace(cycle, points=cycle.points[7:], sound=cycle.sound[7:])
    found = _everything([cycle, other], window, 0.05, skip=skip)
    for (a, b), minima in found.items():
        one, two = (cycle, other)[a], (cycle, other)[b]
        assert _places(minima) == by_rule(distance_matrix(one, two, window), 0.05, window, same=a == b)
        _check(one, two, window, 0.05, minima)
    half = max(1, window // 2)
    assert set(range(0, 61 - window, half)) <= set(found[0, 0].first[found[0, 0].cost == 0].tolist())


def test_a_cycle_can_be_left_every_half_window() -> None:
    """A cycle is as near to itself one step later all along: the first moment counts, and then one every half window."""
    cycle = samples.make("walk").motion.resample(30.0)[12:42]
    endless = concatenate([replace(cycle, root=cycle.root * [1.0, 1.0, 0.0])] * 4)
    places = _places(compare(cloud_of(endless), cloud_of(endless), 10, limit=1e-6))
    steps = {second - first for first, second in places}
    assert 0 in {step % 30 for step in steps}
    for step in steps:
        first = sorted(one for one, two in places if two - one == step)
        assert np.diff(first).max(initial=0) <= 5


def test_the_order_of_summing_changes_no_cost() -> None:
    """Processors with longer vectors sum in another order: of windows that are equally far none must become the nearest by that."""
    cloud = cloud_of(samples.make("walk").motion.resample(30.0))
    points, frames = centred(cloud)
    weights = taper(10)
    some = np.random.default_rng(5).integers(0, len(points) - 10, (300, 2))
    order = np.random.default_rng(6).permutation(points.shape[2])
    mixed = np.ascontiguousarray(points[:, :, order])
    one = [window_pair(points, frames, i, points, frames, j, weights)[0] for i, j in some.tolist()]
    two = [window_pair(mixed, frames, i, mixed, frames, j, weights)[0] for i, j in some.tolist()]
    assert one == two


def test_clips_as_long_as_the_window_or_shorter(slow: dict[str, Motion]) -> None:
    long, exact, short = cloud_of(slow["16_15"]), cloud_of(slow["16_17"][20:30]), cloud_of(slow["16_17"][20:29])
    found = _everything([long, exact, short], 10, 2.0)
    _check(long, exact, 10, 2.0, found[0, 1])
    assert len(found[0, 1]) >= 1
    assert len(found[1, 1]) == 0
    for pair in ((0, 2), (1, 2), (2, 2)):
        assert len(found[pair]) == 0
        assert found[pair].window == 10
    assert _places(compare(exact, cloud_of(slow["16_17"][40:50]), 10, limit=5.0)) == {(0, 0)}


def test_nothing_to_compare() -> None:
    made = cloud_of(samples.make("walk").motion)
    assert _compared([made], {}, limit=0.1) == {}
    assert _compared([], {}, limit=0.1) == {}


def test_ten_kilometres_away_nothing_is_lost(slow: dict[str, Motion]) -> None:
    names = ("16_15", "16_17", "17_03")
    near = [cloud_of(slow[name]) for name in names]
    far = [
        near[0],
        *(cloud_of(replace(slow[n], root=slow[n].root + np.array([10_000.0, 0.0, -1e4]))) for n in names[1:]),
    ]
    for pair, minima in _everything(far, 10, 0.2).items():
        known = _everything(near, 10, 0.2)[pair]
        assert _places(minima) == _places(known)
        assert minima.cost == pytest.approx(known.cost, abs=1e-7)


def test_lost_frames_are_in_no_window(slow: dict[str, Motion]) -> None:
    made = cloud_of(slow["16_17"])
    sound = np.ones(len(made), bool)
    sound[[40, 75]] = False
    holed = replace(made, sound=sound)
    other = cloud_of(slow["16_15"])
    minima = compare(holed, other, 10, limit=0.2)
    assert len(minima)
    for start in minima.first.tolist():
        assert sound[start : start + 10].all()
    _check(holed, other, 10, 0.2, minima)


def test_progress_counts_up_to_all(clouds: list[Cloud]) -> None:
    seen: list[tuple[int, int]] = []
    pairs = {(a, b): 6 + (a % 2) for a, b in combinations_with_replacement(range(len(clouds)), 2)}
    _compared(clouds, pairs, limit=0.1, watch=lambda _, done, total: seen.append((done, total)))
    assert seen[-1][0] == seen[-1][1]
    assert [done for done, _ in seen] == sorted(done for done, _ in seen)
    assert len({total for _, total in seen}) == 1


def test_window_pairs() -> None:
    assert window_pairs(100, 50, 10) == 91 * 41
    assert window_pairs(100, 100, 10, same=True) == 91 * 92 // 2
    assert window_pairs(9, 50, 10) == 0
    assert window_pairs(10, 10, 10, same=True) == 1
    lengths, windows = [100, 50, 9, 10], shortest_windows([10, 6, 10, 10])
    pairs = list(combinations_with_replacement(range(4), 2))
    one_by_one = [window_pairs(lengths[a], lengths[b], int(windows[a, b]), same=a == b) for a, b in pairs]
    assert windows.tolist() == [[10, 6, 10, 10], [0, 6, 6, 6], [0, 0, 10, 10], [0, 0, 0, 10]]
    assert all_window_pairs(lengths, windows) == sum(one_by_one)


def test_an_unlimited_search_leaves_lost_frames_out() -> None:
    a = cloud_of(samples.make("walk").motion.resample(30.0))
    b = cloud_of(samples.make("run").motion.resample(30.0))
    sound = np.ones(len(a), bool)
    sound[40] = False
    for limit in (np.inf, 1e12):
        minima = compare(replace(a, sound=sound), b, 10, limit=limit)
        assert len(minima)
        assert not ((minima.first > 30) & (minima.first <= 40)).any()


@pytest.mark.parametrize("skip", [True, False])
def test_clips_that_are_dealt_a_few_at_a_time_have_the_same_minima(clouds: list[Cloud], skip: bool) -> None:
    """With little memory every hand holds one clip, two or three, and is compared with itself and with each other."""
    whole = _everything(clouds, 10, 0.06, skip=skip)
    frames, each = sum(map(len, clouds)), bytes_of_frame(len(clouds[0].base))
    for share in (0.02, 0.5, 1.1):
        memory = 4.3 * each * share * frames
        assert _all_same(_compared(clouds, dict.fromkeys(whole, 10), limit=0.06, skip=skip, memory=memory), whole)
    # some clips with all others, as where they are added
    few = {(a, b): 10 + 2 * (a == 3) for a, b in whole if {a, b} & {3, 6}}
    some = _compared(clouds, few, limit=0.06, skip=skip)
    assert _all_same(_compared(clouds, few, limit=0.06, skip=skip, memory=4.3 * each * 200), some)
    assert any(map(len, some.values()))
    assert not _DEALT._decks


@pytest.mark.parametrize("limit", [0.06, 0.3])
def test_few_clips_with_many_have_the_same_minima(
    clouds: list[Cloud], limit: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where clips are added to many, these come in small parts, each dealt beside the few."""
    pairs = list(combinations_with_replacement(range(len(clouds)), 2))
    # two new ones with each other, with themselves and with all others, which differ in their windows
    few = {(a, b): 10 - 2 * (b == 5) for a, b in pairs if {a, b} & {2, 6}}
    expected = _compared(clouds, few, limit=limit)
    whole = _everything(clouds, 10, limit)
    assert _all_same({pair: expected[pair] for pair in few if 5 not in pair}, {k: whole[k] for k in few if 5 not in k})
    assert any(map(len, expected.values()))
    parts: list[int] = []
    deal = hands.deal

    def noted(some: list[Cloud], *args: Any, **named: Any) -> deck.Deck:
        parts.append(len(some))
        return deal(some, *args, **named)

    monkeypatch.setattr(hands, "deal", noted)
    monkeypatch.setattr(comparing, "_part", lambda few: 1)
    monkeypatch.setattr(comparing, "_PARTS", 1)
    for threads in (1, 2):
        assert _all_same(_compared(clouds, few, limit=limit, threads=threads), expected)
    assert len(parts) > 4
    assert max(parts) < len(clouds)
    assert not _DEALT._decks


def test_many_with_many_are_not_few(clouds: list[Cloud], monkeypatch: pytest.MonkeyPatch) -> None:
    whole = _everything(clouds, 10, 0.06)
    monkeypatch.setattr(comparing, "_part", lambda few: 1)
    monkeypatch.setattr(comparing, "_PARTS", 1)
    # one is compared with all, and two others besides: whoever takes the first for the only few would forget these
    pairs = {(0, n): 10 for n in range(len(clouds))} | {(1, 3): 10}
    found = _compared(clouds, pairs, limit=0.06)
    assert set(found) == set(pairs)
    assert _all_same(found, {pair: whole[pair] for pair in pairs})


def test_a_deck_that_cannot_be_dealt_is_no_trap_for_whoever_waits(
    clouds: list[Cloud], monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: Any, **__: Any) -> deck.Deck:
        raise MemoryError("no room")

    monkeypatch.setattr(hands, "deal", broken)
    with pytest.raises(MemoryError, match="no room"):
        _compared(clouds, {(0, 1): 10}, limit=0.06, threads=2)
    assert not _DEALT._decks
    monkeypatch.undo()
    assert len(_compared(clouds, {(0, 1): 10}, limit=0.06, threads=2)) == 1
