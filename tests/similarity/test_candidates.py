"""Candidates in columns say what a dictionary of minima says."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kinegraph.similarity.candidates import Candidates, Named, Pair, gathered
from kinegraph.similarity.minima import Minima
from tests.strategies import generators


def _minima(random: np.random.Generator) -> Minima:
    count = int(random.integers(0, 6))
    return Minima(
        np.sort(random.integers(0, 9, count)), np.arange(count), random.random(count), int(random.integers(2, 9))
    )


def _some(random: np.random.Generator, clips: int = 4) -> dict[Pair, Minima]:
    return {(a, b): _minima(random) for a in range(clips) for b in range(a, clips) if random.random() < 0.8}


@given(generators())
def test_nothing_is_lost_on_the_way(random: np.random.Generator) -> None:
    known = _some(random)
    found = Candidates.of(known)
    assert found.pairs == len(known)
    assert len(found) == sum(map(len, known.values()))
    assert list(dict(found.items())) == sorted(known)
    assert dict(found.items()) == known
    assert all(found[pair] == minima for pair, minima in known.items())
    assert found.owner.tolist() == [n for n, pair in enumerate(sorted(known)) for _ in range(len(known[pair]))]


@given(generators(), st.integers(1, 4))
def test_parts_make_the_whole_in_any_order(random: np.random.Generator, count: int) -> None:
    known = _some(random)
    owner = {pair: int(random.integers(count)) for pair in known}
    parts = [Candidates.of({pair: known[pair] for pair in known if owner[pair] == n}) for n in range(count)]
    whole = gathered(parts)
    assert list(dict(whole.items())) == sorted(known)
    assert dict(whole.items()) == known


@given(generators())
def test_some_of_them(random: np.random.Generator) -> None:
    known = _some(random)
    found = Candidates.of(known)
    assert dict(found.below(0.5).items()) == {pair: minima.below(0.5) for pair, minima in known.items()}
    chosen = random.random(found.pairs) < 0.5
    kept = [pair for pair, keep in zip(sorted(known), chosen, strict=True) if keep]
    assert dict(found.among(chosen).items()) == {pair: known[pair] for pair in kept}
    fewer = found.renumbered([0, -1, 1, 4])
    new = {0: 0, 2: 1, 3: 4}
    assert dict(fewer.items()) == {(new[a], new[b]): m for (a, b), m in known.items() if 1 not in (a, b)}


def test_a_pair_that_was_not_compared() -> None:
    found = Candidates.of({(0, 1): Minima([1], [2], [0.1], 4), (1, 3): Minima([], [], [], 4)})
    for pair in ((0, 0), (0, 2), (1, 1), (2, 2), (5, 5), (1, 4)):
        with pytest.raises(KeyError):
            found[pair]
    named = Named("abcd", found)
    with pytest.raises(KeyError, match="'a', 'c'"):
        named["a", "c"]
    with pytest.raises(KeyError, match="'a', 'x'"):
        named["a", "x"]


def test_by_name_it_reads_as_a_dictionary() -> None:
    known = {("run", "walk"): Minima([1], [2], [0.1], 4), ("run", "run"): Minima([], [], [], 4)}
    named = Named.of(known)
    assert Named.of(named) is named
    assert dict(named) == known
    assert list(named) == [("run", "run"), ("run", "walk")]
    assert len(named) == 2
    assert dict(named.numbered(["hop", "run", "walk"]).items()) == {
        (1, 1): known["run", "run"],
        (1, 2): known["run", "walk"],
    }
    assert dict(named.numbered(["walk"]).items()) == {}
