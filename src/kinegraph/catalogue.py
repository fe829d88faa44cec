"""`Catalogue`: things of one kind by name, each of which says of itself what there is to know.

Formats, blends, grounds, shapes and kinds of strike are kept in one each. Whoever lists them (a command's help, the server, the page)
asks the catalogue when it needs them, so that what was added a moment ago is among them.

>>> from dataclasses import dataclass
>>> @dataclass(frozen=True)
... class Colour:
...     name: str
>>> colours = Catalogue[Colour]("colour")
>>> colours.register(Colour("red"))
Colour(name='red')
>>> list(colours), colours["red"]
(['red'], Colour(name='red'))
"""

from __future__ import annotations

import pkgutil
from collections.abc import Iterator, Mapping
from importlib import import_module
from threading import RLock
from typing import Protocol, TypeVar

from kinegraph.errors import KinegraphError

_LAST = 1000


class Listed(Protocol):
    """What a catalogue asks of a thing."""

    @property
    def name(self) -> str:
        """What it is asked for by."""


T = TypeVar("T", bound=Listed)


class Catalogue(Mapping[str, T]):
    """Things by name, in the order of their places.

    what: what one of them is called, for messages. home: a package whose modules register the things that come with kinegraph; they are
    imported when somebody first looks into the catalogue. A file put there is found without being named anywhere.
    """

    def __init__(self, what: str, home: str = ""):
        self._what = what
        self._home = home
        self._things: dict[str, tuple[int, T]] = {}
        self._finding = RLock()

    def register(self, thing: T, *, place: int = _LAST) -> T:
        """Add a thing, and give it back. place: where it stands in lists, the smallest first; by default behind those that have one."""
        if thing.name in self._things:
            raise KinegraphError(f"there is already a {self._what} called {thing.name!r}: choose another name")
        # looks for no others: the modules of the home call this while they are being imported
        self._things = dict(sorted([*self._things.items(), (thing.name, (place, thing))], key=lambda item: item[1][0]))
        return thing

    def remove(self, name: str) -> None:
        """Take a thing out again."""
        self._find()
        if name not in self._things:
            raise KinegraphError(f"there is no {self._what} called {name!r}")
        self._things = {other: known for other, known in self._things.items() if other != name}

    def __getitem__(self, name: str) -> T:
        self._find()
        return self._things[name][1]

    def __iter__(self) -> Iterator[str]:
        self._find()
        return iter(self._things)

    def __len__(self) -> int:
        self._find()
        return len(self._things)

    def __repr__(self) -> str:
        return f"Catalogue({', '.join(self)})"

    def _find(self) -> None:
        """Import what registers itself, once; others who look meanwhile wait, so that nobody sees half of it."""
        if self._home:
            with self._finding:
                if self._home:
                    for part in pkgutil.iter_modules(import_module(self._home).__path__):
                        import_module(f"{self._home}.{part.name}")
                    self._home = ""
