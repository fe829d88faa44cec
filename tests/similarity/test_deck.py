from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kinegraph.similarity import deck


@given(st.lists(st.integers(1, 900), max_size=12), st.integers(2, 90), st.sampled_from((16, 17, 50, 192)), st.randoms())
def test_every_window_belongs_to_one_chunk_with_its_neighbours(
    lengths: list[int], window: int, size: int, random: object
) -> None:
    order = list(range(len(lengths)))
    random.shuffle(order)  # type: ignore[attr-defined]
    before = deck.CHUNK
    deck.CHUNK = size
    try:
        chunks = list(deck.cut(lengths, order, window))
    finally:
        deck.CHUNK = before
    owned: dict[int, list[int]] = {}
    met: list[int] = []
    for chunk in chunks:
        assert chunk
        # crumbs may be added to a full chunk, no more
        assert sum(piece.last - piece.first for piece in chunk) <= size + size // 8
        for piece in chunk:
            windows = lengths[piece.clip] - window + 1
            assert 0 <= piece.low <= piece.first < piece.last <= piece.high <= windows
            # whoever owns a window sees the ones beside it
            assert piece.low == max(piece.first - 1, 0)
            assert piece.high == min(piece.last + 1, windows)
            owned.setdefault(piece.clip, []).extend(range(piece.first, piece.last))
            if piece.clip not in met:
                met.append(piece.clip)
    assert met == [clip for clip in order if lengths[clip] >= window]
    for clip, windows_of in owned.items():
        assert windows_of == list(range(lengths[clip] - window + 1))


def test_short_clips_share_a_chunk() -> None:
    chunks = list(deck.cut([40] * 10, range(10), 10))
    assert len(chunks) < 5
    assert len(list(deck.cut([5000], [0], 10))) == pytest.approx(4991 / deck.CHUNK, abs=1)
