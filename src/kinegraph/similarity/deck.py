"""A deck: the clouds of many clips, laid out as the tile kernel reads them, in chunks of about equal size.

A chunk is a run of windows. It contains several short clips one after another, or a piece of a long one. Pieces overlap by
one window on either side of a cut, so that a tile alone is enough to recognise every local minimum in it. Windows that would
reach from one clip into the next are absent. Every piece is centred on itself, so that single precision is enough to tell
distances of a millimetre. The rows of a product (clip A) lie in panels of `simd.ROWS` frames, the columns (clip B) in panels
of `simd.COLUMNS`, padded with zeros.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from kinegraph.arrays import Array, Longs, Singles
from kinegraph.crew import Crew, Threads, in_order
from kinegraph.similarity.bounds import Directions, directions
from kinegraph.similarity.clouds import Cloud
from kinegraph.similarity.exact import all_centred
from kinegraph.similarity.leaves import Leaves, nothing, one_after_another, unwritten, write
from kinegraph.similarity.simd import COLUMNS, ROWS, SPAN
from kinegraph.similarity.windows import taper

# Windows in a chunk: larger ones waste less on their seams, smaller ones fit the cache and lie closer to their centre.
CHUNK = 286

# Squared distance that stands for "no window here": far above any real one, and still finite, as the fast compare
# needs.
ABSENT = np.float32(1e18)

# chunks from which on several threads deal
_MANY, _WORKERS = 16, 2

_FLAT = ("a_plane", "a_height", "b_plane", "b_turned", "b_height", "own", "other", "reach", "span_reach")

# columns of the chunk table
WINDOWS, PADDED, A_PANELS, B_PANELS, A_AT, A_HEIGHT_AT, B_AT, B_HEIGHT_AT, OWN_AT, OTHER_AT, PLACE_AT = range(11)


@dataclass(frozen=True, eq=False)
class Piece:
    """Windows ``low`` … ``high``−1 of a clip, of which ``first`` … ``last``−1 are this chunk's own."""

    clip: int
    low: int
    high: int
    first: int
    last: int


class Cards(NamedTuple):
    """The arrays of a deck, in the form that compiled code takes. Planes and heights are panels, flat."""

    depth: int
    """Points of a frame."""
    table: Longs
    """``(C, 11)``: numbers of windows and panels of every chunk, and offsets into the flat arrays; columns are named above."""
    a_plane: Singles
    """(x, z), as rows of a product."""
    a_height: Singles
    """y, as rows."""
    b_plane: Singles
    """(x, z), as columns."""
    b_turned: Singles
    """(z, −x), as columns."""
    b_height: Singles
    """y, as columns."""
    own: Singles
    """``(n, 3)``, flat: moment, x and z of every window."""
    other: Singles
    """The same with three rows for each chunk, flat."""
    places: NDArray[np.int32]
    """``(n, 2)``: clip and window of every window of every chunk; the clip is −1 for windows that are not the chunk's own."""
    reach: Singles
    """``(n,)``: the furthest that points of a window and its neighbours are from the centre."""
    span_reach: Singles
    """The same for spans of windows."""
    points: Array
    """``(ΣF, 3, K)``: of all clips in double precision, see `exact.centred`."""
    frames: Array
    """``(ΣF, 3)``: of all clips in double precision, see `exact.centred`."""
    starts: Longs
    """The first frame of each clip in ``points`` and ``frames``."""
    leaves: Leaves
    """What the sparse comparison reads instead of planes and heights."""


@dataclass(frozen=True, eq=False)
class Deck:
    """The chunks of all clips that are long enough for the window: which pieces each contains, and their arrays."""

    window: int
    pieces: tuple[tuple[Piece, ...], ...]
    cards: Cards
    bounded: bool
    """Whether it is for the sparse comparison."""

    @property
    def size(self) -> int:
        """Bytes."""
        return sum(one.nbytes for one in (*self.cards, *self.cards.leaves) if isinstance(one, np.ndarray))


def cut(lengths: Sequence[int], order: Sequence[int], window: int) -> Iterator[tuple[Piece, ...]]:
    """The chunks of clips of so many frames, in the given order. Clips shorter than the window are left out."""
    chunk: list[Piece] = []
    size = 0
    for clip in order:
        windows = lengths[clip] - window + 1
        first = 0
        while first < windows:
            last = min(windows, first + CHUNK - size)
            # a cut that leaves only crumbs on either side costs more than it saves
            if last < windows and last - first < CHUNK // 4:
                last = first
            elif windows - last < CHUNK // 8:
                last = windows
            if last > first:
                chunk.append(Piece(clip, max(first - 1, 0), min(last + 1, windows), first, last))
                size += last - first
                first = last
            if first < windows or size >= CHUNK:
                yield tuple(chunk)
                chunk, size = [], 0
            elif chunk:
                size += window  # the windows that reach into the next clip
    if chunk:
        yield tuple(chunk)


class Exact(NamedTuple):
    """The frames of all clips in double precision."""

    points: Array
    frames: Array
    starts: Longs

    @classmethod
    def of(cls, clouds: Sequence[Cloud], crew: Crew | None = None) -> Exact:
        """Of these clips, see `exact.centred`; crew: threads that work on them."""
        return cls(*all_centred(clouds, crew))


def deal(
    clouds: Sequence[Cloud],
    order: Sequence[int],
    window: int,
    *,
    bounded: bool = False,
    seen: Directions | None = None,
) -> Deck:
    """The deck of clouds of one skeleton, clips in the given order. bounded: prepare what the sparse comparison needs, not the dense one.

    seen: directions of its lower bounds, which decks that are to be `joined` must share; by default those of these clips.
    """
    pieces = tuple(cut([len(cloud) for cloud in clouds], order, window))
    weights = taper(window)
    leaves: Leaves | None = None
    if bounded:
        seen = seen if seen is not None or not pieces else directions([clouds[clip] for clip in order], weights)
        if seen is not None:
            leaves = unwritten(window, [_frames(chunk, window) for chunk in pieces], len(clouds[0].base))
    table: list[list[int]] = []
    parts: dict[str, list[NDArray[Any]]] = {name: [np.empty(0, np.float32)] for name in _FLAT}
    parts["places"] = [np.empty(0, np.int32)]
    sizes = dict.fromkeys(parts, 0)
    with Threads(_WORKERS) if len(pieces) >= _MANY else nullcontext() as crew:
        exact = Exact.of(clouds, crew)
        for made in in_order(crew, partial(_chunk, clouds, exact, weights, seen, leaves), list(enumerate(pieces))):
            table.append(
                [len(made["own"]), made["other"].shape[1]]
                + [len(made[name]) if name in made else 0 for name in ("a_plane", "b_plane")]
                + [sizes[name] for name in ("a_plane", "a_height", "b_plane", "b_height", "own", "other")]
                + [sizes["places"] // 2]
            )
            for name, values in made.items():
                parts[name].append(values.ravel())
                sizes[name] += values.size
    cards = Cards(
        depth=len(clouds[0].base),
        table=np.array(table, np.int64).reshape(-1, 11),
        places=np.concatenate(parts.pop("places")).reshape(-1, 2),
        leaves=nothing() if leaves is None else leaves,
        **exact._asdict(),
        # taken out one by one: they are not held twice
        **{name: np.concatenate(parts.pop(name)) for name in _FLAT},
    )
    return Deck(window, pieces, cards, leaves is not None)


def _chunk(
    clouds: Sequence[Cloud],
    exact: Exact,
    weights: Array,
    seen: Directions | None,
    leaves: Leaves | None,
    numbered: tuple[int, tuple[Piece, ...]],
) -> dict[str, NDArray[Any]]:
    """The arrays of one chunk: those of its windows, whose leaves are written, or with its panels where there are none."""
    number, chunk = numbered
    joined = _join(chunk, clouds, exact, len(weights))
    made = _windows(joined, weights)
    if leaves is None or seen is None:
        return made | _panels_of(joined)
    write(leaves, number, joined.points, joined.base, made["own"], made["own"][:, 0] < ABSENT / 2, weights, seen)
    return made


def _frames(chunk: tuple[Piece, ...], window: int) -> int:
    """How many frames a chunk has."""
    return sum(piece.high + window - 1 - piece.low for piece in chunk)


def joined(a: Deck, b: Deck) -> Deck:
    """The deck of the clips of both; those of ``b`` count on from those of ``a``."""
    clips = len(a.cards.starts)
    one, two = a.cards, b.cards
    places = two.places.copy()
    places[places[:, 0] >= 0, 0] += clips
    table = two.table.copy()
    for column, name in ((A_AT, "a_plane"), (A_HEIGHT_AT, "a_height"), (B_AT, "b_plane"), (B_HEIGHT_AT, "b_height"),
                         (OWN_AT, "own"), (OTHER_AT, "other"), (PLACE_AT, "places")):  # fmt: skip
        table[:, column] += len(getattr(one, name))
    cards = Cards(
        depth=one.depth,
        table=np.concatenate([one.table, table]),
        places=np.concatenate([one.places, places]),
        points=np.concatenate([one.points, two.points]),
        frames=np.concatenate([one.frames, two.frames]),
        starts=np.concatenate([one.starts, two.starts + len(one.points)]),
        leaves=one_after_another(one.leaves, two.leaves),
        **{name: np.concatenate([getattr(one, name), getattr(two, name)]) for name in _FLAT},
    )
    return Deck(a.window, a.pieces + shifted(b.pieces, clips), cards, a.bounded)


def shifted(pieces: Sequence[tuple[Piece, ...]], clips: int) -> tuple[tuple[Piece, ...], ...]:
    """The pieces of chunks whose clips count on from so many others."""
    return tuple(tuple(replace(piece, clip=piece.clip + clips) for piece in chunk) for chunk in pieces)


@dataclass(frozen=True, eq=False)
class _Joined:
    """The frames of a chunk: points ``(F, 3, K)`` and centroids ``(F, 2)`` relative to each piece's centre; clip and window of each."""

    points: Array
    centres: Array
    sound: NDArray[np.bool_]
    places: Longs
    seams: Longs
    base: Array


def _join(chunk: tuple[Piece, ...], clouds: Sequence[Cloud], exact: Exact, window: int) -> _Joined:
    points, centres, sound, places = [], [], [], []
    base = clouds[chunk[0].clip].base
    for piece in chunk:
        own = np.arange(piece.low, piece.high + window - 1)
        part = slice(*(exact.starts[piece.clip] + (piece.low, piece.high + window - 1)))
        centre = exact.frames[part, :2]
        about = centre - (centre.min(axis=0) + centre.max(axis=0)) / 2
        moved = exact.points[part, :, : len(base)].copy()
        moved[:, ::2] += about[:, :, None] * base
        points.append(moved)
        centres.append(about)
        sound.append(clouds[piece.clip].sound[piece.low : piece.high + window - 1])
        clip = np.where((own >= piece.first) & (own < piece.last), piece.clip, -1)
        places.append(np.stack([clip, own], axis=1))
    return _Joined(
        np.concatenate(points),
        np.concatenate(centres),
        np.concatenate(sound),
        np.concatenate(places),
        np.cumsum([len(part) for part in points]),
        base,
    )


def _windows(joined: _Joined, weights: Array) -> dict[str, NDArray[Any]]:
    """Moments, places and reaches of the windows of a chunk."""
    window = len(weights)
    squares = np.einsum("fck,fck->f", joined.points, joined.points)
    x, z = (np.convolve(joined.centres[:, n], weights[::-1], "valid") for n in range(2))
    moment = np.convolve(squares, weights[::-1], "valid") - x * x - z * z
    moment[np.convolve(~joined.sound, np.ones(window), "valid") > 0.5] = ABSENT
    for seam in joined.seams[:-1]:
        moment[seam - window + 1 : seam] = ABSENT
    own = np.stack([moment, x, z], axis=1).astype(np.float32)
    other = np.zeros((3, _up(len(own), SPAN)), np.float32)
    other[:, : len(own)] = own.T
    # a window and its two neighbours are made of the frames from one before it to one behind it
    widest = sliding_window_view(np.pad(squares, 1, mode="edge"), window + 2).max(axis=1)
    reach = np.sqrt(widest).astype(np.float32)
    spans = np.zeros(other.shape[1], np.float32)
    spans[: len(own)] = reach
    return {
        "own": own,
        "other": other,
        "reach": reach,
        "span_reach": spans.reshape(-1, SPAN).max(axis=1),
        "places": joined.places[: len(own)].astype(np.int32),
    }


def _panels_of(joined: _Joined) -> dict[str, Singles]:
    points = joined.points.astype(np.float32)
    plane = np.concatenate([points[:, 0], points[:, 2]], axis=1)
    turned = np.concatenate([points[:, 2], -points[:, 0]], axis=1)
    return {
        "a_plane": _panels(plane, ROWS),
        "a_height": _panels(points[:, 1], ROWS),
        "b_plane": _panels(plane, COLUMNS),
        "b_turned": _panels(turned, COLUMNS),
        "b_height": _panels(points[:, 1], COLUMNS),
    }


def _panels(values: Singles, width: int) -> Singles:
    """``(F, D)`` as ``(panels, D, width)``, padded with zeros."""
    padded = np.zeros((_up(len(values), width), values.shape[1]), np.float32)
    padded[: len(values)] = values
    return padded.reshape(-1, width, values.shape[1]).transpose(0, 2, 1)


def _up(count: int, step: int) -> int:
    return -(-count // step) * step
