"""What stays in a graph's file until it is needed: the rotations of each clip, nine tenths of the whole, and the candidates.

Each has its SHA-256 in the file, and is compared with it whenever it is read: damage is told no later than when it would be used.
"""

from __future__ import annotations

import hashlib
import os
import sqlite3
import threading
import weakref
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kinegraph.arrays import Array, Singles
from kinegraph.graph.store.file import connected, damage_told
from kinegraph.motion import kinematics
from kinegraph.motion.clip import Motion
from kinegraph.motion.skeleton import Skeleton
from kinegraph.shelf import OnShelf
from kinegraph.similarity.candidates import Candidates, Named

_WHAT = "motion graph"
# bytes of arrays that were asked for lately and are at hand
_AT_HAND = 1 << 28
# elsewhere a file that is open cannot be replaced, and is opened whenever it is read
_STAYS_OPEN = os.name == "posix"


def sha_of(data: Any) -> str:
    """SHA-256 of bytes, or of an array in C order."""
    return hashlib.sha256(data.data if isinstance(data, np.ndarray) else data).hexdigest()


class MogParts:
    """A `.mog` file that parts of a graph are read from, by whichever thread or process asks.

    Where it can, it keeps the file open, and so reads what it was even after another has taken its place. Otherwise it takes the clip of
    that content from the file that stands there now.
    """

    def __init__(self, path: Path, connection: sqlite3.Connection):
        self.path = path.resolve()
        self._lock = threading.Lock()
        self._process = os.getpid()
        self._connection: sqlite3.Connection | None = connection
        self._at_hand: OrderedDict[Any, Any] = OrderedDict()
        self._held = 0

    def own(self) -> None:
        """From now on the connection is its own: it closes it, at once where an open file could not be replaced."""
        assert self._connection is not None
        if _STAYS_OPEN:
            weakref.finalize(self, self._connection.close)
        else:
            self._connection.close()
            self._connection = None

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """The file, for one reader at a time, with all damage told as such."""
        with damage_told(self.path, _WHAT), self._lock, np.errstate(all="ignore"):
            connection = self._connection if self._process == os.getpid() else None
            if connection is None:
                connection = connected(self.path, _WHAT)
                if _STAYS_OPEN:  # another process's connection is of no use here
                    self._connection, self._process = connection, os.getpid()
                    weakref.finalize(self, connection.close)
            try:
                yield connection
            finally:
                if connection is not self._connection:
                    connection.close()

    def raw(self, name: str, sha256: str) -> bytes:
        """The rotations of a clip as they are in the file, which must be those of that SHA-256."""
        with self.reading() as connection:
            row = connection.execute(
                "SELECT rotations FROM clip WHERE name = ? AND sha256 = ?", (name, sha256)
            ).fetchone()
        # not while others wait for the file
        with damage_told(self.path, _WHAT):
            if row is None:
                raise ValueError(f"clip {name!r} is no longer in it as it was: load the graph anew")
            data = row[0]
            if not isinstance(data, bytes) or sha_of(data) != sha256:
                raise ValueError(f"the rotations of clip {name!r} are not what was saved")
            return data

    def get(self, place: ClipPlace) -> Array:
        """The rotations of a clip, scaled and continuous."""
        rotations: Array = self.at_hand((place.name, "rotations"), lambda: self._rotations(place))
        return rotations

    def _rotations(self, place: ClipPlace) -> Array:
        raw = self.raw(place.name, place.sha256)
        with damage_told(self.path, _WHAT), np.errstate(all="ignore"):
            rotations = np.frombuffer(raw, "<f4").reshape(place.shape)
            return Motion(place.skeleton, np.zeros((place.shape[0], 3)), rotations, 1.0).rotations

    def at_hand(self, key: Any, make: Callable[[], Any]) -> Any:
        """What was made under that key lately, or else made now; arrays, or tuples of them."""
        found = self._at_hand.get(key)
        if found is None:
            found = make()
            with self._lock:
                self._held += _size(found) if key not in self._at_hand else 0
                self._at_hand[key] = found
                while self._held > _AT_HAND and len(self._at_hand) > 1:
                    self._held -= _size(self._at_hand.popitem(last=False)[1])
        return found


def _size(held: Any) -> int:
    return sum(one.nbytes for one in held) if isinstance(held, tuple) else int(held.nbytes)


@dataclass(frozen=True)
class ClipPlace:
    """Where the rotations of a clip are."""

    name: str
    sha256: str
    shape: tuple[int, ...]
    skeleton: Skeleton


class StoredMotion(OnShelf, Motion):
    """A motion whose rotations are read from a graph's file when they are needed; what is made from it is a motion like others."""

    _plain = Motion

    @classmethod
    def of(
        cls, file: MogParts, skeleton: Skeleton, root: Array, heading: Array | None, fps: float, name: str, sha256: str
    ) -> StoredMotion:
        """The motion of a clip in a file. heading: where that is known."""
        made: StoredMotion = object.__new__(cls)
        vars(made).update(
            skeleton=skeleton,
            root=root,
            fps=fps,
            translations=None,
            name=name,
            notices=(),
            _shelf=file,
            _places={"rotations": ClipPlace(name, sha256, (len(root), len(skeleton), 4), skeleton)},
            _heading=heading,
        )
        return made

    @property
    def sha256(self) -> str:
        """Of its rotations, as files hold them."""
        return str(vars(self)["_places"]["rotations"].sha256)

    def raw(self) -> bytes:
        """Its rotations, as files hold them."""
        file: MogParts = vars(self)["_shelf"]
        return file.raw(self.name, self.sha256)

    def packed(self) -> Singles:
        """As of every motion; nothing of it is held."""
        packed: Singles = np.frombuffer(self.raw(), "<f4").reshape(vars(self)["_places"]["rotations"].shape)
        return packed

    def heading(self) -> Array:
        """As of every motion; worked out when the graph was saved."""
        known: Array | None = vars(self)["_heading"]
        return super().heading() if known is None else known.copy()

    @property
    def _world(self) -> tuple[Array, Array]:
        file: MogParts = vars(self)["_shelf"]
        return file.at_hand((self.name, "world"), self._posed)  # type: ignore[no-any-return]

    def _posed(self) -> tuple[Array, Array]:
        posed = kinematics.forward(self.skeleton, self.root, self.rotations, None)
        for part in posed:
            part.setflags(write=False)
        return posed


class StoredCandidates(Named):
    """Candidates that are read from a graph's file when they are first needed."""

    def __init__(self, names: Sequence[str], read: Callable[[], Candidates]):
        self.names = tuple(names)
        self._number = {name: number for number, name in enumerate(self.names)}
        self._read: Callable[[], Candidates] | None = read
        self._found: Candidates | None = None

    @property
    def columns(self) -> Candidates:  # type: ignore[override]
        """All of them."""
        if self._found is None:
            assert self._read is not None
            self._found = self._read()
            self._read = None
        return self._found

    def __reduce__(self) -> Any:
        return Named, (self.names, self.columns)


def no_longer(values: NDArray[Any]) -> NDArray[Any]:
    """The array, which nobody can write to from now on."""
    values.setflags(write=False)
    return values
