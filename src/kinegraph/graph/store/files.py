"""The `.mog` store: a whole motion graph in one SQLite file, which appears whole or not at all.

A file may hold spaces of strikes, too (`kinegraph.strikes.store`): saving a graph keeps them. `docs/mog-format.md` describes the file for
readers in other languages.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from contextlib import contextmanager
from os import PathLike
from pathlib import Path

import numpy as np

from kinegraph.crew import Threads
from kinegraph.errors import FormatError, GraphError
from kinegraph.graph.model import Clip, MotionGraph
from kinegraph.graph.rounding import is_rounded
from kinegraph.graph.store import schema
from kinegraph.graph.store.digests import digest
from kinegraph.graph.store.faults import faults, structure_faults
from kinegraph.graph.store.file import (
    DAMAGE,
    connected,
    create,
    damage_told,
    file_faults,
    need_tables,
    opened,
    said,
    tables,
    writing,
)
from kinegraph.graph.store.first import is_as_first_saved, read_first
from kinegraph.graph.store.rows import Step, Written, read_graph, read_history, write_chosen, write_given
from kinegraph.graph.store.signing import is_as_saved, is_sealed, sign_rows
from kinegraph.graph.store.stored import MogParts, StoredMotion
from kinegraph.similarity.candidates import Names
from kinegraph.similarity.minima import Minima

__all__ = ["Step", "check", "digest", "load", "save", "steps"]

_WHAT = "motion graph"


def save(
    graph: MotionGraph,
    path: str | PathLike[str],
    history: Iterable[Step] = (),
    *,
    keep: str | PathLike[str] | None = None,
) -> None:
    """Write the graph; a file at ``path`` is replaced at the end, in one go, or stays as it was.

    The clips' motions must be rounded (`kinegraph.graph.rounding.rounded`): `load` gives back what was saved, bit for bit. ``history``
    is kept beside the content, for people; `steps` reads it. keep: a `.mog` file whose spaces go into the new file as well; by default
    the one at ``path``, if there is one.

    >>> import kinegraph as kg
    >>> import pathlib, tempfile
    >>> file = pathlib.Path(tempfile.mkdtemp(), "walks.mog")
    >>> kg.graph.save(kg.graph.build(kg.samples.make("walk").motion), file)
    >>> file.read_bytes()[:13]    # any SQLite browser can open it
    b'SQLite format'
    """
    with saving(graph.clips, graph.record.candidates, path, keep=keep) as file:
        file.begin()
        file.finish(graph, history)


class Saving:
    """A file that is written for a graph that is still made: clips and candidates first, by a thread of its own."""

    def __init__(
        self, connection: sqlite3.Connection, beside: Threads, clips: Sequence[Clip], candidates: Mapping[Names, Minima]
    ):
        self._connection, self._beside, self._given = connection, beside, (clips, candidates)
        self._written: Future[Written] | None = None

    def begin(self) -> None:
        """Write what is known already, while the caller goes on: best where processors have little else to do."""
        if self._written is None:
            self._written = self._beside.submit(write_given, self._connection, *self._given)

    def finish(self, graph: MotionGraph, history: Iterable[Step]) -> None:
        """Write the rest."""
        from kinegraph.version import __version__  # here, since the package imports its parts first

        for fault in structure_faults(graph):
            raise GraphError(f"this graph is not sound and was not saved: {fault}")
        self.begin()
        assert self._written is not None
        write_chosen(self._connection, graph, self._written.result(), history, __version__)
        sign_rows(self._connection)


@contextmanager
def saving(
    clips: Sequence[Clip],
    candidates: Mapping[Names, Minima],
    path: str | PathLike[str],
    *,
    keep: str | PathLike[str] | None = None,
) -> Iterator[Saving]:
    """`save` for a graph that is still made; what is yielded must be finished."""
    for clip in clips:
        # what comes from a file was rounded before
        if not isinstance(clip.motion, StoredMotion) and not is_rounded(clip.motion):
            raise GraphError(f"clip {clip.name!r} holds more digits than a .mog file: round its motion first")
    try:
        # the thread ends before the connection is closed
        with (
            writing(path, _beside(path, keep), (*schema.GRAPH_TABLES, *schema.FIRST_VIEWS)) as connection,
            Threads(1) as beside,
        ):
            create(connection, schema.DDL)
            try:
                yield Saving(connection, beside, clips, candidates)
            except BaseException:
                connection.interrupt()
                raise
    except (sqlite3.Error, OverflowError, UnicodeError) as error:
        raise GraphError(f"this graph cannot be held by a .mog file: {error}") from error


def load(path: str | PathLike[str]) -> MotionGraph:
    """The graph in a `.mog` file, equal bit for bit to the one that was saved; a `FormatError` where that is not to be had.

    The file is opened for reading only. Rotations of clips and the candidates stay in it until they are needed; whatever is read is
    compared with the SHA-256 that was saved with it, then a `FormatError` tells damage. The file may be replaced meanwhile, not changed.

    >>> import kinegraph as kg
    >>> import pathlib, tempfile
    >>> file = pathlib.Path(tempfile.mkdtemp(), "walks.mog")
    >>> graph = kg.graph.build(kg.samples.make("walk").motion, path=file)
    >>> kg.graph.digest(kg.graph.load(file)) == kg.graph.digest(graph)
    True
    """
    connection = connected(path, _WHAT)
    try:
        with np.errstate(all="ignore"):
            first = _need_graph(connection, path)
            with damage_told(path, _WHAT):
                graph, file = _read(connection, Path(path), first=first)
    except BaseException:
        connection.close()
        raise
    if file is None:
        connection.close()
    else:
        file.own()
    return graph


def _read(connection: sqlite3.Connection, path: Path, *, first: bool) -> tuple[MotionGraph, MogParts | None]:
    """The graph of a file, checked, and what the rest of it is read from."""
    if first:
        graph, file = read_first(connection), None
        whole = is_as_first_saved(connection, graph)
    else:
        whole = is_sealed(connection)
        file = MogParts(path, connection)
        graph = read_graph(connection, file)
    if not whole:
        raise ValueError("its content is not what was saved")
    for fault in structure_faults(graph):
        raise ValueError(fault)
    return graph, file


def steps(path: str | PathLike[str]) -> tuple[Step, ...]:
    """What was done to make the graph in a `.mog` file, and how long it took."""
    with _opened(path) as connection, damage_told(path, _WHAT):
        return read_history(connection)


def check(path: str | PathLike[str]) -> list[str]:
    """Everything that is wrong with a `.mog` file, as sentences; none where it is sound.

    A `FormatError` only where there is no graph of this version to check at all. Of spaces beside it only what SQLite can tell is
    checked: `kinegraph.strikes.store.files.check` looks into them, too.

    >>> import kinegraph as kg
    >>> import pathlib, tempfile
    >>> file = pathlib.Path(tempfile.mkdtemp(), "walks.mog")
    >>> graph = kg.graph.build(kg.samples.make("walk").motion, path=file)
    >>> kg.graph.check(file)
    []
    """
    found: list[str] = []
    with _opened(path) as connection:
        try:
            found += file_faults(connection)
            first = is_first(connection)
            for table in ("joint", "tip", "clip", "label_span", "history", *(("node", "edge") if first else ())):
                count, last = connection.execute(f"SELECT count(*), max(id) FROM {table}").fetchone()
                if count and last != count - 1:
                    found.append(f"the rows of table {table} are not numbered 0 to {count - 1}")
            if first:
                graph = read_first(connection)
                whole = is_as_first_saved(connection, graph)
            else:
                graph = read_graph(connection, MogParts(Path(path), connection))
                whole = is_as_saved(connection, graph)
            if not whole:
                found.append("the content is not what was saved: its digest differs")
            found += faults(graph)
            for clip in graph.clips:
                clip.motion.rotations  # noqa: B018 - compared with what was saved by reading it
        except DAMAGE as error:
            found.append(f"cannot be read: {said(error)}")
    return found


@contextmanager
def _opened(path: str | PathLike[str]) -> Iterator[sqlite3.Connection]:
    """A connection that only reads, to a file with a graph in it."""
    with opened(path, _WHAT) as connection:
        _need_graph(connection, path)
        yield connection


def _need_graph(connection: sqlite3.Connection, path: str | PathLike[str]) -> bool:
    """Refuse a file without a graph; whether the one in it is of version 1."""
    with damage_told(path, _WHAT):
        found = tables(connection)
        spaces: list[str] = []
        if "space" in found and not found.intersection(schema.GRAPH_TABLES):
            spaces = [repr(name) for (name,) in connection.execute("SELECT name FROM space ORDER BY id")]
        first = is_first(connection)
    if spaces:
        raise FormatError(
            f"this holds the space{'s' if len(spaces) > 1 else ''} {', '.join(spaces)} and no motion graph: kinegraph space show "
            f"{path} shows what is in it",
            path,
        )
    need_tables(connection, schema.FIRST_TABLES if first else schema.TABLES, path, _WHAT)
    return first


def is_first(connection: sqlite3.Connection) -> bool:
    """Whether a file's graph is of version 1."""
    return "array" not in (found := tables(connection)) and "edge" in found


def _beside(path: str | PathLike[str], keep: str | PathLike[str] | None) -> str | PathLike[str] | None:
    """The file whose spaces go along with a graph that is saved at ``path``; None where there are none."""
    try:
        with opened(path if keep is None else keep, _WHAT) as connection:
            more = tables(connection).difference(schema.GRAPH_TABLES)
    except FormatError:
        if keep is not None:
            raise
        return None  # no file at all, or nothing in it that could be kept
    if not more:
        return None
    return path if keep is None else keep
