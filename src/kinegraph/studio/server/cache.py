"""`Cache`: what was read from files, kept while there is room and while the files stay as they are."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from pathlib import Path
from threading import Lock
from typing import Any, Generic, TypeVar

_T = TypeVar("_T")

Stamp = tuple[str, int, int]
"""A file as it is now: its path, its time of change and its size."""


def stamp(path: Path) -> Stamp:
    """What changes whenever a file does."""
    status = path.stat()
    return str(path), status.st_mtime_ns, status.st_size


class Cache(Generic[_T]):
    """Values by key, the least recently used given up first once their weights exceed ``room``.

    Threads that ask for the same thing at once wait for one of them to make it. file: the path that a key is about; where it is given, a
    file is held once, as it was read last.
    """

    def __init__(self, room: int, weigh: Callable[[_T], int], file: Callable[[Any], str] | None = None):
        self._room = room
        self._weigh = weigh
        self._file = file
        self._held: OrderedDict[Hashable, tuple[_T, int]] = OrderedDict()
        self._makers: dict[Hashable, tuple[Lock, int]] = {}
        self._total = 0
        self._lock = Lock()

    def get(self, key: Hashable, make: Callable[[], _T]) -> _T:
        """The value of a key, made if it is not held."""
        found = self._find(key)
        if found is not None:
            return found[0]
        with self._lock:
            maker, waiting = self._makers.get(key, (Lock(), 0))
            self._makers[key] = maker, waiting + 1
        try:
            with maker:
                found = self._find(key)
                if found is not None:
                    return found[0]
                value = make()
                self._put(key, value)
                return value
        finally:
            with self._lock:
                maker, waiting = self._makers.pop(key)
                if waiting > 1:
                    self._makers[key] = maker, waiting - 1

    def forget(self, path: Path) -> None:
        """Give up what is held of a file."""
        with self._lock:
            self._drop(str(path))

    def _drop(self, file: str) -> None:
        if self._file is None:
            return
        for key in [key for key in self._held if self._file(key) == file]:
            self._total -= self._held.pop(key)[1]

    def _find(self, key: Hashable) -> tuple[_T] | None:
        with self._lock:
            if key not in self._held:
                return None
            self._held.move_to_end(key)
            return (self._held[key][0],)

    def _put(self, key: Hashable, value: _T) -> None:
        weight = self._weigh(value)
        with self._lock:
            if self._file is not None:
                self._drop(self._file(key))
            self._held[key] = value, weight
            self._total += weight
            while self._total > self._room and len(self._held) > 1:
                _, (_, freed) = self._held.popitem(last=False)
                self._total -= freed
