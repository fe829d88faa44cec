"""The spaces that people strike from, by name: given, or in files, from which they are read when somebody first asks for them."""

from __future__ import annotations

from collections.abc import Iterable
from os import PathLike
from pathlib import Path

from kinegraph.errors import SpaceError
from kinegraph.strikes.space import Space
from kinegraph.strikes.store import files

Given = Space | str | PathLike[str] | Iterable[Space | str | PathLike[str]]
"""Spaces, or `.mog` files that hold some."""


class Spaces:
    """Spaces by name.

    >>> import kinegraph as kg
    >>> takes = [kg.samples.make(name).motion for name in kg.samples.names() if name.startswith("punch")]
    >>> spaces = Spaces(kg.strikes.build(takes, "punch"))
    >>> spaces.names, spaces["right punch"]
    (('right punch',), Space('right punch', 9 strikes of the right hand))
    """

    def __init__(self, given: Given | None = None):
        many = [] if given is None else [given] if isinstance(given, Space | str | PathLike) else list(given)
        self._known: dict[str, Space | Path] = {}
        for one in many:
            for name, space in _named(one):
                if name in self._known:
                    raise SpaceError(f"there are two spaces called {name!r}: give one of them another name")
                self._known[name] = space

    @property
    def names(self) -> tuple[str, ...]:
        """What they are called."""
        return tuple(self._known)

    def __getitem__(self, name: str) -> Space:
        found = self._known.get(name)
        if found is None:
            there = f"there are {', '.join(map(repr, self.names))}" if self.names else "there is none"
            raise SpaceError(
                f"no space is called {name!r}, so nobody can strike at a target by it; {there}: `kinegraph space build` makes one, also "
                "into the graph's own file"
            )
        if isinstance(found, Path):
            found = self._known[name] = files.load(found, name).prepare()
        return found


def _named(one: Space | str | PathLike[str]) -> list[tuple[str, Space | Path]]:
    if isinstance(one, Space):
        return [(one.name, one)]
    return [(name, Path(one)) for name in files.names(one)]
