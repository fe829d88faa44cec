"""Single precision: how far a tile is from the truth, and that this is less than what the kernel allows for."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from kinegraph.motion import Motion
from kinegraph.similarity import tiles
from kinegraph.similarity.clouds import Cloud
from kinegraph.similarity.deck import ABSENT, OTHER_AT, PADDED, PLACE_AT, WINDOWS, Deck, deal
from kinegraph.similarity.matrix import distance_matrix
from kinegraph.similarity.sieve import make_sieve, near_distances
from kinegraph.similarity.simd import SPAN
from kinegraph.similarity.windows import taper
from tests.similarity.reference import cloud_of


def _tile(made: Deck, row: int, column: int) -> np.ndarray:
    a, b = made.cards.table[row], made.cards.table[column]
    scratch = tiles.make_scratch(np.array([[row, column]]), made.cards.table, made.window)
    single = taper(made.window).astype(np.float32)
    if made.bounded:
        # at this limit nothing is far
        sieve = make_sieve(made.cards.leaves.table, made.cards.leaves.size, made.window)
        near_distances(made.cards, row, column, single, np.float32(100.0), sieve, scratch.out, scratch.out_stride)
    else:
        tiles.distances(made.cards, a, b, single, scratch)
    whole = scratch.out[: (a[WINDOWS] + 2) * scratch.out_stride].reshape(-1, scratch.out_stride)
    return whole[:, : b[WINDOWS] + 2]


@pytest.mark.parametrize("bounded", [False, True])
@pytest.mark.parametrize("window", [2, 10, 20, 81])
def test_single_precision_errs_by_less_than_half_of_what_is_allowed_for(
    real: dict[str, Motion], window: int, bounded: bool
) -> None:
    clouds = [cloud_of(real[name].resample(60.0)[:400]) for name in ("16_15", "16_35", "02_05", "49_03")]
    made = deal(clouds, range(len(clouds)), window, bounded=bounded)
    squares: dict[tuple[int, int], np.ndarray] = {}
    worst, seen = 0.0, 0
    for row, column in product(range(len(made.pieces)), repeat=2):
        tile = _tile(made, row, column)
        for border in (tile[0], tile[-1], tile[:, 0], tile[:, -1]):
            assert (border == ABSENT).all()
        allowed = float(tiles.rounding(made.window)) * np.outer(_reaches(made, row), _spread(made, column))
        i = 1
        for p in made.pieces[row]:
            j = 1
            for q in made.pieces[column]:
                if (p.clip, q.clip) not in squares:
                    squares[p.clip, q.clip] = distance_matrix(clouds[p.clip], clouds[q.clip], window) ** 2
                truth = squares[p.clip, q.clip][p.low : p.high, q.low : q.high]
                part = tile[i : i + p.high - p.low, j : j + q.high - q.low]
                there = part < ABSENT / 2
                assert np.array_equal(there, _present(clouds, p.clip, window)[p.low : p.high, None]
                                      & _present(clouds, q.clip, window)[q.low : q.high])  # fmt: skip
                error = np.abs(part - truth) / allowed[i - 1 : i - 1 + len(part), j - 1 : j - 1 + part.shape[1]]
                worst = max(worst, float(error[there].max(initial=0.0)))
                seen += int(there.sum())
                j += q.high - q.low + window - 1
            i += p.high - p.low + window - 1
    assert seen > 50_000
    assert 0 < worst < 0.5


def _present(clouds: list[Cloud], clip: int, window: int) -> np.ndarray:
    return np.convolve(~clouds[clip].sound, np.ones(window), "valid") < 0.5


def _reaches(made: Deck, chunk: int) -> np.ndarray:
    row = made.cards.table[chunk]
    return made.cards.reach[row[PLACE_AT] : row[PLACE_AT] + row[WINDOWS]]


def _spread(made: Deck, chunk: int) -> np.ndarray:
    """The reach of every window's span."""
    row = made.cards.table[chunk]
    first = row[OTHER_AT] // (3 * SPAN)
    return np.repeat(made.cards.span_reach[first : first + row[PADDED] // SPAN], SPAN)[: row[WINDOWS]]
