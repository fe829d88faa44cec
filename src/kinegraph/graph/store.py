"""The `.mog` store: a whole motion graph in one SQLite file, which appears whole or not at all.

`docs/mog-format.md` describes the file for readers in other languages.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from os import PathLike
from pathlib import Path

from kinegraph.errors import FormatError, GraphError, KinegraphError
from kinegraph.formats.atomic import replacing
from kinegraph.graph import schema
from kinegraph.graph.model import MotionGraph
from kinegraph.graph.rounding import is_rounded
from kinegraph.graph.store_digest import digest
from kinegraph.graph.store_faults import faults, structure_faults
from kinegraph.graph.store_rows import Step, read_graph, read_history, read_meta, write_rows

__all__ = ["Step", "check", "digest", "load", "save", "steps"]

_MAGIC = b"SQLite format 3\0"
_HEADER = 100  # bytes; SQLite's own header, which no database lacks
_REMEDY = "take a copy that is whole, or build the graph anew"
# STRICT tables
_OLDEST_SQLITE = (3, 37)
# whatever SQLite, JSON, NumPy and the dataclasses make of damaged rows
_DAMAGE = (
    sqlite3.Error, sqlite3.Warning, KinegraphError, ValueError, TypeError, LookupError, AttributeError, OverflowError,
    RecursionError,
)  # fmt: skip


def save(graph: MotionGraph, path: str | PathLike[str], history: Iterable[Step] = ()) -> None:
    """Write the graph; a file at ``path`` is replaced at the end, in one go, or stays as it was.

    The clips' motions must be rounded (`kinegraph.graph.rounding.rounded`): `load` gives back what was saved, bit for bit. ``history``
    is kept beside the content, for people; `steps` reads it.
    """
    from kinegraph import __version__  # here, since the package imports its parts first

    _need_sqlite(path)
    for clip in graph.clips:
        if not is_rounded(clip.motion):
            raise GraphError(f"clip {clip.name!r} holds more digits than a .mog file: round its motion first")
    for fault in structure_faults(graph):
        raise GraphError(f"this graph is not sound and was not saved: {fault}")
    with replacing(path) as temporary:
        try:
            with closing(sqlite3.connect(temporary, isolation_level=None)) as connection:
                # nobody else sees the temporary file, and it is flushed to the disk before it takes its place
                connection.execute("PRAGMA journal_mode = OFF")
                connection.execute("PRAGMA synchronous = OFF")
                connection.execute(f"PRAGMA application_id = {schema.APPLICATION_ID}")
                connection.execute(f"PRAGMA user_version = {schema.VERSION}")
                connection.executescript(f"BEGIN; {schema.DDL}")
                write_rows(connection, graph, history, __version__)
                connection.execute("COMMIT")
        except sqlite3.OperationalError as error:  # a full disk
            raise FormatError(f"cannot be written: {error}; free some space or choose another folder", path) from error
        except (sqlite3.Error, OverflowError, UnicodeError) as error:
            raise GraphError(f"this graph cannot be held by a .mog file: {error}") from error


def load(path: str | PathLike[str]) -> MotionGraph:
    """The graph in a `.mog` file, equal bit for bit to the one that was saved; a `FormatError` where that is not to be had.

    The file is opened for reading only, and its content is compared with the digest that was saved with it.
    """
    with _opened(path) as connection, _damage_told(path):
        graph = read_graph(connection)
        if digest(graph) != read_meta(connection, "digest"):
            raise ValueError("its content is not what was saved")
        for fault in structure_faults(graph):
            raise ValueError(fault)
        return graph


def steps(path: str | PathLike[str]) -> tuple[Step, ...]:
    """What was done to make the graph in a `.mog` file, and how long it took."""
    with _opened(path) as connection, _damage_told(path):
        return read_history(connection)


def check(path: str | PathLike[str]) -> list[str]:
    """Everything that is wrong with a `.mog` file, as sentences; none where it is sound.

    A `FormatError` only where there is no `.mog` file of this version to check at all.
    """
    found: list[str] = []
    with _opened(path) as connection:
        try:
            found += [
                f"SQLite finds: {line}" for (line,) in connection.execute("PRAGMA integrity_check(20)") if line != "ok"
            ]
            for table, row, parent, _ in connection.execute("PRAGMA foreign_key_check"):
                found.append(f"row {row} of table {table} points to a row of {parent} that does not exist")
            for table in ("joint", "tip", "clip", "label_span", "node", "edge", "history"):
                count, last = connection.execute(f"SELECT count(*), max(id) FROM {table}").fetchone()
                if count and last != count - 1:
                    found.append(f"the rows of table {table} are not numbered 0 to {count - 1}")
            graph = read_graph(connection)
            if digest(graph) != read_meta(connection, "digest"):
                found.append("the content is not what was saved: its digest differs")
            found += faults(graph)
        except _DAMAGE as error:
            found.append(f"cannot be read: {_said(error)}")
    return found


@contextmanager
def _opened(path: str | PathLike[str]) -> Iterator[sqlite3.Connection]:
    """A connection that only reads, to a file that is a `.mog` of a version that is known here."""
    path = Path(path)
    _need_sqlite(path)
    _check_header(path)
    with _damage_told(path):
        connection = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True, isolation_level=None)
    with closing(connection):
        with _damage_told(path):
            # a damaged length must not fill the memory
            connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, max(path.stat().st_size, 1_000_000))
            connection.execute("PRAGMA trusted_schema = OFF")
            tables = {name for (name,) in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")}
        missing = [name for name in schema.TABLES if name not in tables]
        if missing:
            raise FormatError(f"the file is damaged (it has no table {', '.join(missing)}): {_REMEDY}", path)
        yield connection


def _check_header(path: Path) -> None:
    """Tell a file that is no `.mog`, or one of a later version, from one that is worth opening."""
    try:
        if path.is_dir():
            raise FormatError("this is a folder, not a motion graph", path)
        with path.open("rb") as file:
            header = file.read(_HEADER)
    except FileNotFoundError:
        raise FormatError("there is no such file", path) from None
    except OSError as error:
        raise FormatError(f"cannot be read: {error.strerror or error}", path) from error
    except ValueError as error:  # a zero byte in the name
        raise FormatError(f"no file can have that name: {error}", repr(str(path))) from error
    if not header:
        raise FormatError("the file is empty: build the graph anew", path)
    if not header.startswith(_MAGIC) or len(header) < _HEADER:
        raise FormatError("this is no motion graph (a .mog is an SQLite file, and this is none)", path)
    if int.from_bytes(header[68:72], "big") != schema.APPLICATION_ID:
        raise FormatError("this is an SQLite file, but no motion graph of kinegraph", path)
    version = int.from_bytes(header[60:64], "big")
    if version > schema.VERSION:
        raise FormatError(
            f"made by a newer kinegraph (schema {version}; this one reads up to {schema.VERSION}): update kinegraph",
            path,
        )
    if version < 1:
        raise FormatError(f"the file is damaged (schema {version}): {_REMEDY}", path)


@contextmanager
def _damage_told(path: str | PathLike[str]) -> Iterator[None]:
    try:
        yield
    except FormatError:
        raise
    except _DAMAGE as error:
        raise FormatError(f"the file is damaged ({_said(error)}): {_REMEDY}", path) from error


def _said(error: BaseException) -> str:
    """What an exception says, without the quotes that a `KeyError` puts around it."""
    return str(error.args[0]) if error.args else type(error).__name__


def _need_sqlite(path: str | PathLike[str]) -> None:
    if sqlite3.sqlite_version_info < _OLDEST_SQLITE:
        needed = ".".join(map(str, _OLDEST_SQLITE))
        raise FormatError(f"a .mog file needs SQLite {needed}; this Python has {sqlite3.sqlite_version}", path)
