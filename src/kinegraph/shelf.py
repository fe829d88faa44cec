"""`Shelf`: arrays that wait on the disk until they are needed, in a file without a name, which goes with its process however that ends."""

from __future__ import annotations

import os
import tempfile
import threading
import weakref
from collections import OrderedDict
from dataclasses import dataclass
from os import PathLike
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from kinegraph.errors import FormatError

# bytes of arrays that were asked for lately and are at hand
_AT_HAND = 1 << 27


@dataclass(frozen=True)
class ShelfPlace:
    """Where an array lies on a shelf."""

    at: int
    shape: tuple[int, ...]
    kind: str


class Shelf:
    """Arrays on the disk.

    >>> shelf = Shelf()
    >>> place = shelf.put(np.arange(3.0))
    >>> shelf.get(place)
    array([0., 1., 2.])
    """

    def __init__(self, folder: str | PathLike[str] | None = None):
        self._folder = folder
        self._file = tempfile.TemporaryFile(dir=folder, prefix=".kinegraph-")  # noqa: SIM115 - open as long as the shelf is
        weakref.finalize(self, self._file.close)
        self._end = 0
        self._lock = threading.Lock()
        self._at_hand: OrderedDict[int, NDArray[Any]] = OrderedDict()
        self._held = 0

    def put(self, values: NDArray[Any]) -> ShelfPlace:
        """Lay an array there."""
        flat = np.ascontiguousarray(values)
        with self._lock:
            place = ShelfPlace(self._end, values.shape, values.dtype.str)
            try:
                self._file.seek(self._end)
                self._file.write(flat.data)
            except OSError as error:
                where = self._folder or tempfile.gettempdir()
                raise FormatError(
                    f"clips cannot be laid aside there: {error.strerror}; free some space", where
                ) from error
            self._end += flat.nbytes
        return place

    def get(self, place: ShelfPlace) -> NDArray[Any]:
        """The array that lies there; nobody can write to it."""
        with self._lock:
            found = self._at_hand.get(place.at)
            if found is not None:
                self._at_hand.move_to_end(place.at)
                return found
            self._file.seek(place.at)
            found = np.empty(place.shape, place.kind)
            self._file.readinto(found.data)
            found.setflags(write=False)
            self._at_hand[place.at] = found
            self._held += found.nbytes
            while self._held > _AT_HAND and len(self._at_hand) > 1:
                self._held -= self._at_hand.popitem(last=False)[1].nbytes
        return found

    @property
    def size(self) -> int:
        """Bytes that lie there."""
        return os.fstat(self._file.fileno()).st_size


class OnShelf:
    """For dataclasses: a second base, by which fields that lie on a shelf are fetched whenever they are asked for.

    Copies of it, in this process or another, are of the plain class.
    """

    _plain: ClassVar[type[Any]]

    def __new__(cls, *given: Any, **named: Any) -> Any:
        """One of the plain class: only `laid_aside` lays something aside."""
        return cls._plain(*given, **named)

    def __getattr__(self, name: str) -> Any:
        places = vars(self)["_places"]
        if name not in places:
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        return vars(self)["_shelf"].get(places[name])

    def __len__(self) -> int:
        return int(next(iter(vars(self)["_places"].values())).shape[0])

    def __reduce_ex__(self, protocol: Any) -> Any:
        plain = object.__new__(self._plain)
        vars(plain).update({name: getattr(self, name) for name in self._plain.__dataclass_fields__})
        return _itself, (plain,)


def _itself(one: Any) -> Any:
    return one


def laid_aside(kind: type[Any], one: Any, shelf: Shelf, names: tuple[str, ...]) -> Any:
    """``one`` as a ``kind`` of `OnShelf`, with the arrays of these names on the shelf, and nothing that was computed from them."""
    made = object.__new__(kind)
    fields = {name: getattr(one, name) for name in one.__dataclass_fields__ if name not in names}
    vars(made).update(fields, _shelf=shelf, _places={name: shelf.put(getattr(one, name)) for name in names})
    return made
