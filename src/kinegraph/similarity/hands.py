"""Hands: the clips of a comparison in parts, so that few of them are held at a time, here or wherever the work is done.

A hand is dealt where it is needed, into a deck. Decks are kept as long as there is room for them: whoever compares one hand with one after
another deals each of them once.
"""

from __future__ import annotations

import threading
import uuid
import weakref
from collections import OrderedDict
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from kinegraph.arrays import Array, Bools, Ints
from kinegraph.similarity.bounds import Directions
from kinegraph.similarity.clouds import Cloud
from kinegraph.similarity.deck import Deck, Piece, cut, deal, joined
from kinegraph.similarity.tiles import sweep
from kinegraph.similarity.windows import taper


@dataclass(frozen=True, eq=False)
class Question:
    """What is asked of all hands of a comparison with one window."""

    window: int
    limit: float
    """Metres."""
    seen: Directions | None
    """Directions of the lower bounds; None where everything is compared."""
    room: float
    """Bytes of decks that a process may hold."""


@dataclass(frozen=True, eq=False)
class Hand:
    """Some clips of a comparison."""

    asked: Question
    clouds: Sequence[Cloud]
    order: Sequence[int]
    """In which they are dealt, by their places in ``clouds``."""
    threads: int = 2
    """That deal it: one where other hands are dealt beside it."""
    key: str = field(default_factory=lambda: uuid.uuid4().hex)

    def pieces(self) -> tuple[tuple[Piece, ...], ...]:
        """Which windows its chunks hold: known from the lengths of the clips alone."""
        return tuple(cut([len(cloud) for cloud in self.clouds], self.order, self.asked.window))

    def deck(self) -> Deck:
        """Its deck, dealt where it is not at hand."""
        return _DEALT.get((self.key,), self._dealt, self, self.asked.room)

    def _dealt(self) -> Deck:
        asked = self.asked
        bounded = asked.seen is not None
        return deal(self.clouds, self.order, asked.window, bounded=bounded, seen=asked.seen, threads=self.threads)


def compare_tiles(a: Hand, b: Hand | None, wanted: Bools, tiles: Ints) -> tuple[NDArray[np.int32], Array]:
    """The minima of pairs of chunks ``tiles (n, 2)`` of a hand, or of two; clips and chunks of ``b`` count on from those of ``a``.

    wanted: which pairs of clips count. A piece of work that gives the same wherever, and however often, it is done.
    """
    asked = a.asked
    deck = a.deck()
    if b is not None:
        other = b
        deck = _DEALT.get((a.key, b.key), lambda: joined(a.deck(), other.deck()), a, asked.room)
    found, costs = sweep(
        deck.cards, tiles.astype(np.int64), taper(asked.window), wanted, asked.limit, asked.seen is not None
    )
    return found, costs


class _Dealt:
    """Decks that this process has dealt, those asked for lately first; each goes with the hands that it was made of."""

    def __init__(self) -> None:
        self._decks: OrderedDict[tuple[str, ...], Future[Deck]] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, key: tuple[str, ...], make: Callable[[], Deck], owner: Hand, room: float) -> Deck:
        with self._lock:
            held = self._decks.get(key)
            dealing = held is None
            if held is None:
                held = self._decks[key] = Future()
                weakref.finalize(owner, self._forget, key)
            self._decks.move_to_end(key)
        if dealing:
            try:
                held.set_result(make())
            except BaseException as error:
                self._forget(key)
                held.set_exception(error)
        # whoever needs what another is dealing waits for it
        deck = held.result()
        with self._lock:
            dealt = {key: one.result().size for key, one in self._decks.items() if one.done()}
            taken = sum(dealt.values())
            while taken > room and len(dealt) > 1:
                oldest = next(iter(dealt))
                taken -= dealt.pop(oldest)
                self._decks.pop(oldest, None)
        return deck

    def _forget(self, key: tuple[str, ...]) -> None:
        # not under the lock: it may be the garbage of whoever holds it
        self._decks.pop(key, None)

    def drop(self, hand: Hand) -> None:
        with self._lock:
            for key in [key for key in self._decks if hand.key in key]:
                del self._decks[key]


_DEALT = _Dealt()


def drop(hand: Hand) -> None:
    """Let go of all decks of this process that hold its clips."""
    _DEALT.drop(hand)


def parts(lengths: Sequence[int], most: float) -> list[range]:
    """Clips of so many frames, in their order, in runs of at most about so many frames; a longer clip is a run of its own."""
    out: list[range] = []
    first = held = 0
    for clip, frames in enumerate(lengths):
        if held and held + frames > most:
            out.append(range(first, clip))
            first = clip
            held = 0
        held += frames
    if len(lengths) > first:
        out.append(range(first, len(lengths)))
    return out


def bytes_of_frame(depth: int) -> float:
    """About how much a deck holds for each frame of so many points: in double precision, and what either comparison reads."""
    return 24.0 * (-(-depth // 4) * 4) + max(12.0 * depth + 340.0, 32.0 * depth + 100.0)
