"""Spaces in a `.mog` file, by name, with or without a motion graph in the same file. Saving one keeps everything else in the file.

`docs/mog-format.md` describes the file for readers in other languages.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kinegraph.errors import FormatError, SpaceError
from kinegraph.graph.store import files as graph_store
from kinegraph.graph.store import schema
from kinegraph.graph.store.bounds import body_faults, place_faults
from kinegraph.graph.store.file import (
    DAMAGE,
    create,
    damage_told,
    file_faults,
    need_tables,
    opened,
    said,
    tables,
    writing,
)
from kinegraph.strikes.examples import Examples
from kinegraph.strikes.space import Space
from kinegraph.strikes.store.rows import numbers, packed, read_rows, unpacked, write_rows

_WHAT = "space"
# seconds from a strike's hit to its ends
_LONGEST = 600.0


def save(space: Space, path: str | PathLike[str]) -> None:
    """Put the space into the `.mog` file ``path``, replacing one of the same name. The file changes completely or not at all.

    Everything else in the file, a motion graph or other spaces, is kept; if there is no file, it is created. The examples must be
    rounded (`kinegraph.strikes.rounding.rounded`), as `build` leaves them: so `load` returns what was saved, bit for bit.

    >>> import kinegraph as kg
    >>> import pathlib, tempfile
    >>> takes = [kg.samples.make(name).motion for name in kg.samples.names() if name.startswith("punch")]
    >>> file = pathlib.Path(tempfile.mkdtemp(), "strikes.mog")
    >>> kg.strikes.save(kg.strikes.build(takes, "punch", name="jab"), file)
    >>> kg.strikes.load(file)
    Space('jab', 9 strikes of the right hand)
    """
    from kinegraph.version import __version__  # here, since the package imports its parts first

    for fault in _faults(space):
        raise SpaceError(f"this space is not sound and was not saved: {fault}")
    try:
        rows = packed(space)
        again = unpacked(rows)
    except ValueError as error:
        raise SpaceError(f"this space cannot be held by a .mog file: {error}") from error
    if not _same_bits(again.examples, space.examples):
        raise SpaceError(f"the space {space.name!r} holds more digits than a .mog file: round its examples first")
    keep = Path(path) if _is_there(path) else None
    known = None if keep is None else _kept_numbers(keep)
    number = 0 if known is None else known.get(space.name, len(known))
    try:
        with writing(path, keep) as connection:
            if known is None:
                create(connection, schema.SPACE_DDL)
            write_rows(connection, number, rows, __version__)
    except (sqlite3.Error, OverflowError, UnicodeError) as error:
        raise SpaceError(f"this space cannot be held by a .mog file: {error}") from error


def load(path: str | PathLike[str], name: str | None = None) -> Space:
    """The space of that name in a `.mog` file, or the only one; bit for bit the one that was saved, or else a `FormatError`.

    The file is opened for reading only, and its content is compared with the digest that was saved with it.

    >>> import kinegraph as kg
    >>> import pathlib, tempfile
    >>> takes = [kg.samples.make(name).motion for name in kg.samples.names() if name.startswith("kick")]
    >>> file = pathlib.Path(tempfile.mkdtemp(), "strikes.mog")
    >>> kg.strikes.save(kg.strikes.build(takes, "kick"), file)
    >>> kg.strikes.load(file, "right kick").reach((0.0, 1.0)).reached
    True
    """
    with opened(path, _WHAT) as connection, damage_told(path, _WHAT):
        known = _numbers(connection, path)
        if known is None:
            raise FormatError(
                "this holds a motion graph and no space: kinegraph inspect shows the graph, kinegraph space build makes a space",
                path,
            )
        if not known:
            raise FormatError("this holds no space: kinegraph space build makes one", path)
        if name is None and len(known) > 1:
            raise FormatError(f"this holds the spaces {_listed(known)}: say which", path)
        if name is not None and name not in known:
            raise FormatError(f"there is no space {name!r} in it; it holds {_listed(known)}", path)
        space = unpacked(read_rows(connection, next(iter(known.values())) if name is None else known[name]))
        for fault in _faults(space):
            raise ValueError(fault)
        return space


def names(path: str | PathLike[str]) -> tuple[str, ...]:
    """The names of the spaces in a `.mog` file, in the order in which they were first saved; none if it only contains a graph.

    >>> import kinegraph as kg
    >>> import pathlib, tempfile
    >>> file = pathlib.Path(tempfile.mkdtemp(), "strikes.mog")
    >>> for kind in ("punch", "kick"):
    ...     takes = [kg.samples.make(name).motion for name in kg.samples.names() if name.startswith(kind)]
    ...     kg.strikes.save(kg.strikes.build(takes, kind), file)
    >>> kg.strikes.names(file)
    ('right punch', 'right kick')
    """
    with opened(path, _WHAT) as connection, damage_told(path, _WHAT):
        return tuple(_numbers(connection, path) or ())


def check(path: str | PathLike[str]) -> list[str]:
    """Everything that is wrong with a `.mog` file, its graph and its spaces, as sentences; none if it is sound.

    A `FormatError` only if there is no `.mog` file of this version to check.

    >>> import kinegraph as kg
    >>> import pathlib, tempfile
    >>> takes = [kg.samples.make(name).motion for name in kg.samples.names() if name.startswith("punch")]
    >>> file = pathlib.Path(tempfile.mkdtemp(), "strikes.mog")
    >>> kg.strikes.save(kg.strikes.build(takes, "punch"), file)
    >>> kg.strikes.check(file)
    []
    """
    with opened(path, _WHAT) as connection:
        with damage_told(path, _WHAT):
            known = _numbers(connection, path)
            graph = bool(tables(connection).intersection(schema.GRAPH_TABLES))
        found = graph_store.check(path) if graph else []
        try:
            if not graph:
                found += file_faults(connection)
            if known is not None:
                found += _numbering_faults(connection)
        except DAMAGE as error:
            found.append(f"cannot be read: {said(error)}")
        for name, number in (known or {}).items():
            try:
                found += (f"the space {name!r}: {fault}" for fault in _faults(unpacked(read_rows(connection, number))))
            except DAMAGE as error:
                found.append(f"the space {name!r} cannot be read: {said(error)}")
    return found


def _numbers(connection: sqlite3.Connection, path: str | PathLike[str]) -> dict[str, int] | None:
    """Name → number of the spaces in a file; None where it has no tables for them, but those of a graph."""
    found = tables(connection)
    graph = found.issuperset(schema.TABLES) or found.issuperset(schema.FIRST_TABLES)
    if graph and not found.intersection(schema.SPACE_TABLES):
        return None
    need_tables(connection, schema.SPACE_TABLES, path, _WHAT)
    return numbers(connection)


def _kept_numbers(path: Path) -> dict[str, int] | None:
    """`_numbers` of a file that a space is to be put into."""
    try:
        with opened(path, _WHAT) as connection, damage_told(path, _WHAT):
            return _numbers(connection, path)
    except FormatError as error:
        raise FormatError(
            f"no space can be put into this file; delete it first, or choose another name: {error.what}", path
        ) from error


def _is_there(path: str | PathLike[str]) -> bool:
    """Whether there is a file with something in it; where that cannot be told, writing will say why."""
    try:
        return Path(path).is_file() and Path(path).stat().st_size > 0
    except (OSError, ValueError):
        return False


def _numbering_faults(connection: sqlite3.Connection) -> Iterator[str]:
    """Tables whose rows are not numbered 0, 1, 2 …, as readers in other languages rely on."""
    for table in ("space", "space_joint", "space_tip", "space_strike"):
        groups = "" if table == "space" else "GROUP BY space"
        for count, last in connection.execute(f"SELECT count(*), max(id) FROM {table} {groups}"):
            if count and last != count - 1:
                yield f"the rows of table {table} are not numbered 0 to {count - 1}"


def _faults(space: Space) -> Iterator[str]:
    """What would make arrays point beyond each other or numbers lie."""
    examples = space.examples
    if not len(examples):
        yield "it holds no strikes"
        return
    count, moments, joints = len(examples), examples.moments, len(examples.skeleton)
    if not space.name:
        yield "it has no name"
    shapes = {"root": (3,), "rotations": (joints, 4), "times": (), "contacts": (4,)}
    for name, rest in shapes.items():
        shape, wanted = getattr(examples, name).shape, (count, moments, *rest)
        if shape != wanted:
            yield f"{count} strikes at {moments} moments need {name} of shape {wanted}, not {shape}"
            return
    if not 0 < examples.hit < moments - 1:
        yield f"its hit is at moment {examples.hit} of {moments}"
    if not 0 < examples.fps < np.inf:
        yield f"it has {examples.fps:g} frames/s"
    for name in ("root", "rotations", "times"):
        if not np.isfinite(getattr(examples, name)).all():
            yield f"{name} holds a value that is not finite"
    if not np.all(np.diff(examples.times) > 0):
        yield "the times of a strike do not increase"
    yield from body_faults(examples.skeleton, examples.fps)
    yield from place_faults(examples.root, "a strike")
    if not np.abs(examples.times).max() <= _LONGEST:
        yield f"a strike takes {np.abs(examples.times).max():.3g} s"


def _same_bits(a: Examples, b: Examples) -> bool:
    """Equality that tells 0 from −0."""
    return all(one.tobytes() == other.tobytes() for one, other in zip(_arrays(a), _arrays(b), strict=True))


def _arrays(examples: Examples) -> tuple[NDArray[Any], ...]:
    body = examples.skeleton
    return examples.root, examples.rotations, examples.times, examples.contacts, body.offsets, body.tip_offsets


def _listed(known: dict[str, int]) -> str:
    return ", ".join(map(repr, known))
