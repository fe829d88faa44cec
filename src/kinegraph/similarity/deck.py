"""A deck: the clouds of many clips laid out as the tile kernel reads them, in chunks of about equal size.

A chunk is a run of windows: short clips stand one after another in it, a long one is cut, with one window more at
either side of the cut, so that every local minimum can be told from within a tile. Windows that would reach from one
clip into the next are absent. Every piece of a clip stands about its own centre: single precision then suffices to tell
distances of a millimetre. Rows of a product (clip A) lie in panels of `simd.ROWS` frames, columns (clip B) in panels of
`simd.COLUMNS`, padded with zeros."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from kinegraph.motion.rotation import Array
from kinegraph.similarity.clouds import Cloud
from kinegraph.similarity.exact import centred
from kinegraph.similarity.simd import COLUMNS, ROWS, SPAN
from kinegraph.similarity.windows import taper

Floats = NDArray[np.float32]
Longs = NDArray[np.int64]

# Windows in a chunk: larger ones waste less on their seams, smaller ones fit the cache and lie closer to their centre.
CHUNK = 192

# Squared distance that stands for "no window here": far above any real one, and still finite, as the fast compare
# needs.
ABSENT = np.float32(1e18)

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


@dataclass(frozen=True, eq=False)
class Deck:
    """Chunks of all clips that are long enough for the window.

    pieces: of every chunk. table: ``(C, 11)`` int64, by the names above: numbers of windows and panels, and offsets
    into the flat arrays. a_plane, a_height, b_plane, b_turned, b_height: float32 panels of (x, z), y; (x, z), (z, −x),
    y. own ``(n, 3)`` and other (flat, 3 rows a chunk): moment, x, z of windows. places ``(n, 2)``: clip and window of
    every window of every chunk, clip −1 where it is not the chunk's own. scale: ``(C,)``, the largest square of a
    frame's points. points ``(ΣF, 3, K)``, frames ``(ΣF, 3)``: of all clips in double precision, see `exact.centred`,
    clip c from frame ``starts[c]`` on."""

    window: int
    depth: int
    pieces: tuple[tuple[Piece, ...], ...]
    table: Longs
    a_plane: Floats
    a_height: Floats
    b_plane: Floats
    b_turned: Floats
    b_height: Floats
    own: Floats
    other: Floats
    places: NDArray[np.int32]
    scale: Array
    points: Array
    frames: Array
    starts: Longs


def cut(lengths: Sequence[int], order: Sequence[int], window: int) -> Iterator[tuple[Piece, ...]]:
    """Chunks of clips of so many frames, in the given order. A clip shorter than the window is in none."""
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


def deal(clouds: Sequence[Cloud], order: Sequence[int], window: int) -> Deck:
    """The deck of clouds of one skeleton, clips in the given order."""
    exact = [centred(cloud) for cloud in clouds]
    lengths = [len(cloud) for cloud in clouds]
    pieces = tuple(cut(lengths, order, window))
    table: list[list[int]] = []
    names = ("a_plane", "a_height", "b_plane", "b_turned", "b_height", "own", "other", "places")
    parts: dict[str, list[NDArray[np.float64]]] = {name: [] for name in names}
    sizes = dict.fromkeys(names, 0)
    scale: list[float] = []
    depth = clouds[0].points.shape[2] if clouds else 0
    for chunk in pieces:
        made, square = _chunk(chunk, clouds, exact, depth, taper(window))
        offsets = [sizes[name] for name in ("a_plane", "a_height", "b_plane", "b_height", "own", "other", "places")]
        table.append(
            [len(made["own"]), made["other"].shape[1], made["a_plane"].shape[0], made["b_plane"].shape[0], *offsets]
        )
        scale.append(square)
        for name, values in made.items():
            parts[name].append(values.ravel())
            sizes[name] += values.size
    flat = {name: np.concatenate([np.empty(0), *values]) for name, values in parts.items()}
    places = flat.pop("places").astype(np.int32).reshape(-1, 2)
    return Deck(
        window=window,
        depth=depth,
        pieces=pieces,
        table=np.array(table, np.int64).reshape(-1, 11),
        **{name: values.astype(np.float32) for name, values in flat.items()},
        places=places,
        scale=np.array(scale),
        points=np.concatenate([points for points, _ in exact]) if exact else np.zeros((0, 3, 0)),
        frames=np.concatenate([frames for _, frames in exact]) if exact else np.zeros((0, 3)),
        starts=np.concatenate([[0], np.cumsum(lengths)])[: len(lengths)].astype(np.int64),
    )


def _chunk(
    chunk: tuple[Piece, ...], clouds: Sequence[Cloud], exact: Sequence[tuple[Array, Array]], depth: int, weights: Array
) -> tuple[dict[str, Array], float]:
    """Panels and window moments of a chunk, and the largest square of a frame."""
    window = len(weights)
    points, about, sound, places = [], [], [], []
    for piece in chunk:
        part = slice(piece.low, piece.high + window - 1)
        centre = exact[piece.clip][1][part, :2]
        middle = centre - (centre.min(axis=0) + centre.max(axis=0)) / 2
        moved = exact[piece.clip][0][part, :, :depth].copy()
        moved[:, ::2] += middle[:, :, None] * clouds[piece.clip].base
        points.append(moved)
        about.append(middle)
        sound.append(clouds[piece.clip].sound[part])
        own = np.arange(piece.low, piece.high + window - 1)
        clip = np.where((own >= piece.first) & (own < piece.last), piece.clip, -1)
        places.append(np.stack([clip, own], axis=1))
    joined, centres = np.concatenate(points), np.concatenate(about)
    count = len(joined) - window + 1
    squares = np.einsum("fck,fck->f", joined, joined)
    x, z = (np.convolve(centres[:, n], weights[::-1], "valid") for n in range(2))
    moment = np.convolve(squares, weights[::-1], "valid") - x * x - z * z
    moment[np.convolve(~np.concatenate(sound), np.ones(window), "valid") > 0.5] = ABSENT
    for seam in np.cumsum([len(part) for part in points])[:-1]:
        moment[seam - window + 1 : seam] = ABSENT
    own = np.stack([moment, x, z], axis=1)
    other = np.zeros((3, _up(count, SPAN)))
    other[:, :count] = own.T
    plane = np.concatenate([joined[:, 0], joined[:, 2]], axis=1)
    turned = np.concatenate([joined[:, 2], -joined[:, 0]], axis=1)
    made = {
        "a_plane": _panels(plane, ROWS),
        "a_height": _panels(joined[:, 1], ROWS),
        "b_plane": _panels(plane, COLUMNS),
        "b_turned": _panels(turned, COLUMNS),
        "b_height": _panels(joined[:, 1], COLUMNS),
        "own": own,
        "other": other,
        "places": np.concatenate(places)[:count],
    }
    return made, float(squares.max())


def _panels(values: Array, width: int) -> Array:
    """``(F, D)`` as ``(panels, D, width)``, padded with zeros."""
    padded = np.zeros((_up(len(values), width), values.shape[1]))
    padded[: len(values)] = values
    return padded.reshape(-1, width, values.shape[1]).transpose(0, 2, 1)


def _up(count: int, step: int) -> int:
    return -(-count // step) * step
