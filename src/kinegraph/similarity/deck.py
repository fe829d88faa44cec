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
from numpy.typing import NDArray

from kinegraph.arrays import Array, Bools, Longs, Singles
from kinegraph.compiled import njit
from kinegraph.crew import Crew, Threads, in_order
from kinegraph.similarity.bounds import Axes, Directions, directions
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
_MANY = 16

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
    threads: int = 2,
) -> Deck:
    """The deck of clouds of one skeleton, clips in the given order. bounded: prepare what the sparse comparison needs, not the dense one.

    seen: directions of its lower bounds, which decks that are to be `joined` must share; by default those of these clips. threads: that
    deal it where it is large.
    """
    pieces = tuple(cut([len(cloud) for cloud in clouds], order, window))
    weights = taper(window)
    leaves: Leaves | None = None
    axes: Axes | None = None
    if bounded:
        seen = seen if seen is not None or not pieces else directions([clouds[clip] for clip in order], weights)
        if seen is not None:
            axes = Axes.of(seen, weights)
            leaves = unwritten(window, [_frames(chunk, window) for chunk in pieces], len(clouds[0].base))
    table: list[list[int]] = []
    parts: dict[str, list[NDArray[Any]]] = {name: [np.empty(0, np.float32)] for name in _FLAT}
    parts["places"] = [np.empty(0, np.int32)]
    sizes = dict.fromkeys(parts, 0)
    with Threads(threads) if threads > 1 and len(pieces) >= _MANY else nullcontext() as crew:
        exact = Exact.of(clouds, crew)
        sound = np.concatenate([cloud.sound for cloud in clouds])
        work = partial(_chunk, exact, sound, clouds[0].base, weights, axes, leaves)
        for made in in_order(crew, work, list(enumerate(pieces))):
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
    exact: Exact,
    sound: Bools,
    base: Array,
    weights: Array,
    axes: Axes | None,
    leaves: Leaves | None,
    numbered: tuple[int, tuple[Piece, ...]],
) -> dict[str, NDArray[Any]]:
    """The arrays of one chunk: those of its windows, whose leaves are written, or with its panels where there are none.

    sound: ``(ΣF,)``, of all clips.
    """
    number, chunk = numbered
    pieces = np.array([(piece.clip, piece.low, piece.high, piece.first, piece.last) for piece in chunk], np.int64)
    points, places, own, other, reach, spans = _laid(pieces, *exact, sound, base, weights)
    made = {"own": own, "other": other, "reach": reach, "span_reach": spans, "places": places}
    if leaves is None or axes is None:
        return made | _panels_of(points)
    write(leaves, number, points, base, own, own[:, 0] < ABSENT / 2, weights, tuple(axes))
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


@njit(nogil=True, cache=True)
def _laid(pieces: Any, exact: Any, frames: Any, starts: Any, sound: Any, base: Any, weights: Any) -> Any:
    """The frames of a chunk's pieces ``(n, 5)`` in a row, ``(F, 3, K)``, each piece about its own centre; and of its windows clip and
    number, moment, x and z as rows and as columns, and how far they reach, one by one and in spans.
    """
    window, depth = weights.size, base.size
    total = 0
    for n in range(pieces.shape[0]):
        total += pieces[n, 2] - pieces[n, 1] + window - 1
    count = total - window + 1
    points, centres, squares = np.empty((total, 3, depth)), np.empty((total, 2)), np.zeros(total)
    lost = np.zeros(total + 1, np.int64)
    # windows that reach from one piece into the next count as lost, too
    begins = np.zeros(total, np.int64)
    places = np.empty((count, 2), np.int32)
    at = 0
    for n in range(pieces.shape[0]):
        clip, low, high, first, last = pieces[n]
        begin, size = starts[clip] + low, high - low + window - 1
        middle = np.empty(2)
        for c in range(2):
            middle[c] = (frames[begin : begin + size, c].min() + frames[begin : begin + size, c].max()) / 2
        for k in range(size):
            frame, x, z = at + k, frames[begin + k, 0] - middle[0], frames[begin + k, 1] - middle[1]
            centres[frame, 0], centres[frame, 1] = x, z
            begins[frame] = at
            lost[frame + 1] = lost[frame] + (not sound[begin + k])
            for i in range(depth):
                px, py, pz = (
                    exact[begin + k, 0, i] + x * base[i],
                    exact[begin + k, 1, i],
                    exact[begin + k, 2, i] + z * base[i],
                )
                points[frame, 0, i], points[frame, 1, i], points[frame, 2, i] = px, py, pz
                squares[frame] += px * px + py * py + pz * pz
            if frame < count:
                own = low + k
                places[frame, 0] = clip if first <= own < last else -1
                places[frame, 1] = own
        at += size
    padded = -(-count // SPAN) * SPAN
    own, other = np.empty((count, 3), np.float32), np.zeros((3, padded), np.float32)
    reach, spans = np.empty(count, np.float32), np.zeros(padded // SPAN, np.float32)
    for n in range(count):
        moment = x = z = 0.0
        # a window and its two neighbours are made of the frames from one before it to one behind it
        widest = max(squares[max(n - 1, 0)], squares[min(n + window, total - 1)])
        for k in range(window):
            moment += weights[k] * squares[n + k]
            x += weights[k] * centres[n + k, 0]
            z += weights[k] * centres[n + k, 1]
            widest = max(widest, squares[n + k])
        moment -= x * x + z * z
        if lost[n + window] > lost[n] or begins[n + window - 1] > n:
            moment = float(ABSENT)
        own[n, 0], own[n, 1], own[n, 2] = moment, x, z
        other[0, n], other[1, n], other[2, n] = own[n, 0], own[n, 1], own[n, 2]
        reach[n] = np.sqrt(widest)
        spans[n // SPAN] = max(spans[n // SPAN], reach[n])
    return points, places, own, other, reach, spans


def _panels_of(frames: Array) -> dict[str, Singles]:
    points = frames.astype(np.float32)
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
