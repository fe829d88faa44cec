"""Large libraries: how far they are compared, and which minima they keep."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kinegraph import samples
from kinegraph.graph.making import comparing, reach
from kinegraph.graph.making.builder import add, build, rechoose
from kinegraph.graph.making.parameters import Parameters
from kinegraph.graph.model import MotionGraph
from kinegraph.graph.store import digest, load
from kinegraph.motion import Motion
from kinegraph.similarity.candidates import Candidates, gathered
from kinegraph.similarity.minima import Minima
from tests.strategies import generators

NAMES = ("run", "sneak", "stand", "walk", "walk_left_medium", "walk_left_tight", "walk_right_medium")


def _sample(*names: str) -> list[Motion]:
    return [samples.make(name).motion for name in names]


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """Some seconds are a large library."""
    monkeypatch.setattr(reach, "LARGE", 300)
    monkeypatch.setattr(reach, "_QUERIES", 300)
    monkeypatch.setattr(reach, "_LANDMARKS", 600)


def _found(random: np.random.Generator, clips: int = 3, frames: int = 40) -> Candidates:
    made = {}
    for a in range(clips):
        for b in range(a, clips):
            places = np.unique(random.integers(0, frames, (int(random.integers(0, 40)), 2)), axis=0)
            # costs that are equal now and then
            made[a, b] = Minima(places[:, 0], places[:, 1], random.integers(1, 30, len(places)) / 100, 10)
    return Candidates.of(made)


def _rows(found: Candidates) -> set[tuple[int, int, int, int, float]]:
    return {
        (a, b, i, j, cost)
        for (a, b), minima in found.items()
        for i, j, cost in zip(minima.first.tolist(), minima.second.tolist(), minima.cost.tolist(), strict=True)
    }


@given(generators(), st.integers(1, 12))
def test_each_second_keeps_its_best(random: np.random.Generator, most: int) -> None:
    found = _found(random)
    kept = _rows(reach.Best([40] * 3, 10.0, most).of(found)[0])
    every = _rows(found)
    seconds: dict[tuple[int, int], list[float]] = {}
    for a, b, i, j, cost in every:
        seconds.setdefault((a, i // 10), []).append(cost)
        seconds.setdefault((b, j // 10), []).append(cost)
    limit = {second: sorted(costs)[most - 1] if len(costs) >= most else np.inf for second, costs in seconds.items()}
    assert kept == {row for row in every if row[4] <= max(limit[row[0], row[2] // 10], limit[row[1], row[3] // 10])}


@given(generators(), st.integers(1, 12))
def test_the_best_do_not_depend_on_the_order_in_which_they_come(random: np.random.Generator, most: int) -> None:
    found = _found(random)
    whole = reach.Best([40] * 3, 10.0, most).of(found)[0]
    best = reach.Best([40] * 3, 10.0, most)
    held: list[Candidates] = []
    owner = random.integers(0, 3, found.pairs)
    for part in random.permutation(3):
        held = best.of(gathered([*held, best.among(found.among(owner == part))]))
    assert _rows(best.of(gathered(held))[0]) == _rows(whole)
    assert gathered(held).pairs == found.pairs


def test_what_stands_for_all_is_spread_evenly() -> None:
    lengths = [100] * 50
    chosen = reach.spread(lengths, np.ones(50, bool), 1000)
    assert np.flatnonzero(chosen).tolist() == list(range(0, 50, 5))
    able = np.arange(50) >= 40
    assert np.flatnonzero(reach.spread(lengths, able, 200)).tolist() == [40, 45]
    assert reach.spread(lengths, able, 10_000).tolist() == able.tolist()
    assert not reach.spread(lengths, np.zeros(50, bool), 200).any()


@pytest.mark.usefixtures("few")
class TestLarge:
    def test_a_large_library_is_compared_as_far_as_it_needs(self) -> None:
        graph = build(_sample(*NAMES))
        whole, report = self._whole(), graph.record.report
        assert whole.record.report.looked is None
        assert report.looked is not None
        assert 0.01 < report.looked <= 0.07
        assert report.pairs == whole.record.report.pairs
        assert report.candidates < whole.record.report.candidates
        assert report.kept > 0.85 * whole.record.report.kept
        # nothing that a pair has up to there is missing, unless both seconds have better ones
        for pair, minima in whole.record.candidates.items():
            here = graph.record.candidates[pair]
            assert {*zip(here.first.tolist(), here.second.tolist(), strict=True)} <= {
                *zip(minima.first.tolist(), minima.second.tolist(), strict=True)
            }
            near = minima.below(report.looked)
            assert len(here.below(report.looked)) == len(near) or len(near) > reach._MOST
        # clips that lacked some have been looked at further
        assert max(minima.cost.max(initial=0.0) for minima in graph.record.candidates.values()) > report.looked

    @staticmethod
    def _whole() -> MotionGraph:
        with pytest.MonkeyPatch.context() as patched:
            patched.setattr(reach, "LARGE", 10**9)
            return build(_sample(*NAMES))

    def test_threads_and_how_much_is_held_change_nothing(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(reach.Best.__init__, "__defaults__", (8,))
        one = build(_sample(*NAMES), threads=1)
        monkeypatch.setattr(comparing, "_HELD", 5)
        assert digest(build(_sample(*NAMES), threads=3)) == digest(one)

    def test_it_is_saved_with_how_far_it_was_compared(self, tmp_path: Path) -> None:
        graph = build(_sample(*NAMES), path=tmp_path / "g.mog")
        read = load(tmp_path / "g.mog")
        assert digest(read) == digest(graph)
        assert read.record.report.looked == graph.record.report.looked
        again = rechoose(read, replace(read.record.parameters, threshold=0.03))
        assert again.record.report.looked == graph.record.report.looked

    def test_what_is_added_is_compared_as_far(self) -> None:
        graph = build(_sample(*NAMES[:-1]))
        grown = add(graph, _sample(NAMES[-1]))
        assert grown.record.report.looked == graph.record.report.looked
        assert len(grown.record.candidates) == len(NAMES) * (len(NAMES) + 1) // 2
        name = NAMES[-1]
        assert len(grown.record.candidates["walk", name]) > 0

    def test_one_that_was_stopped_goes_on(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        from kinegraph.similarity import compare

        monkeypatch.setattr(compare, "_SPARSE_TILES", 1)
        monkeypatch.setattr(comparing, "_PAUSE", 0.0)
        known = digest(build(_sample(*NAMES), Parameters()))
        path, told = tmp_path / "g.mog", [0]

        def stop(stage: str, done: int, total: int) -> None:
            told[0] += stage == "compare"
            if told[0] == 3:
                raise KeyboardInterrupt

        monkeypatch.setattr("kinegraph.similarity.deck.CHUNK", 60)
        with pytest.raises(KeyboardInterrupt):
            build(_sample(*NAMES), path=path, watch=stop)
        assert (tmp_path / "g.mog.part").exists()
        assert digest(build(_sample(*NAMES), path=path)) == known
