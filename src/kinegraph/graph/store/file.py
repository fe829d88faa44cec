"""A `.mog` as a file, whatever it holds: opened for reading with all damage told, and written whole, with what else was in it.

``what`` is the word for what is looked for in the file, "motion graph" or "space": messages name it.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Iterator
from contextlib import closing, contextmanager
from os import PathLike
from pathlib import Path

import numpy as np

from kinegraph.errors import FormatError, KinegraphError
from kinegraph.formats.atomic import replacing
from kinegraph.graph.store import schema

# whatever SQLite, JSON, NumPy and the dataclasses make of damaged rows
DAMAGE = (
    sqlite3.Error, sqlite3.Warning, KinegraphError, ValueError, TypeError, LookupError, AttributeError, OverflowError,
    RecursionError, OSError,
)  # fmt: skip

_MAGIC = b"SQLite format 3\0"
_HEADER = 100  # bytes; SQLite's own header, which no database lacks
# STRICT tables
_OLDEST_SQLITE = (3, 37)
# bytes; no blob of a smaller file is larger
_LEAST_LIMIT = 1_000_000


@contextmanager
def opened(path: str | PathLike[str], what: str) -> Iterator[sqlite3.Connection]:
    """A connection that only reads, to a file that is a `.mog` of a version that is known here."""
    # damaged numbers are told by the digest, not by NumPy's warnings
    with closing(connected(path, what)) as connection, np.errstate(all="ignore"):
        yield connection


def connected(path: str | PathLike[str], what: str) -> sqlite3.Connection:
    """As `opened`; whoever asked closes it. One thread at a time may use it."""
    path = Path(path)
    _need_sqlite(path)
    _check_header(path, what)
    with damage_told(path, what):
        return stored(path)


def stored(path: Path) -> sqlite3.Connection:
    """A connection that only reads, to any database whose tables hold what is stored, and nothing that is made up while it is read."""
    connection = sqlite3.connect(_read_only(path), uri=True, isolation_level=None, check_same_thread=False)
    try:
        _limit(connection, path)
        connection.execute("PRAGMA trusted_schema = OFF")
        for table in tables(connection):  # damaged definitions are told here
            _need_stored(connection, table)
    except BaseException:
        connection.close()
        raise
    return connection


def tables(connection: sqlite3.Connection) -> set[str]:
    """Names of the tables in a file."""
    return {name for (name,) in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")}


def _need_stored(connection: sqlite3.Connection, table: str) -> None:
    """Refuse a table whose values are made up while they are read: a small file could fill the memory."""
    quoted = '"' + table.replace('"', '""') + '"'
    if any(hidden for *_, hidden in connection.execute(f"PRAGMA table_xinfo ({quoted})")):
        raise ValueError(f"table {table} holds what is not stored")


def need_tables(connection: sqlite3.Connection, wanted: Collection[str], path: str | PathLike[str], what: str) -> None:
    """Refuse a file that lacks some of these tables."""
    found = tables(connection)
    missing = [name for name in wanted if name not in found]
    if missing:
        raise FormatError(f"the file is damaged (it has no table {', '.join(missing)}): {_remedy(what)}", path)


@contextmanager
def damage_told(path: str | PathLike[str], what: str) -> Iterator[None]:
    """Turn whatever reading damaged rows raises into a `FormatError`."""
    try:
        yield
    except FormatError:
        raise
    except DAMAGE as error:
        raise FormatError(f"the file is damaged ({said(error)}): {_remedy(what)}", path) from error


def said(error: BaseException) -> str:
    """What an exception says, without the quotes that a `KeyError` puts around it."""
    return str(error.args[0]) if error.args else type(error).__name__


def file_faults(connection: sqlite3.Connection) -> Iterator[str]:
    """What SQLite itself finds wrong with a file: its pages, its tables' conditions, and rows that point to none."""
    for (line,) in connection.execute("PRAGMA integrity_check(20)"):
        if line != "ok":
            yield f"SQLite finds: {line}"
    for table, row, parent, _ in connection.execute("PRAGMA foreign_key_check"):
        which = "a row" if row is None else f"row {row}"  # some tables do not number their rows
        yield f"{which} of table {table} points to a row of {parent} that does not exist"


@contextmanager
def writing(
    path: str | PathLike[str], keep: str | PathLike[str] | None = None, but: Collection[str] = ()
) -> Iterator[sqlite3.Connection]:
    """A connection to write a `.mog` with, which takes the place of ``path`` at the end, in one go; on an error ``path`` stays as it was.

    The file begins with all that the `.mog` file ``keep`` holds, row by row, except the tables and views named in ``but``.
    """
    _need_sqlite(path)
    with replacing(path) as temporary:
        try:
            # one thread may go on where another has written
            made = sqlite3.connect(temporary.as_uri(), uri=True, isolation_level=None, check_same_thread=False)
            with closing(made) as connection:
                # nobody else sees the temporary file, and it is flushed to the disk before it takes its place
                connection.execute("PRAGMA journal_mode = OFF")
                connection.execute("PRAGMA synchronous = OFF")
                connection.execute("PRAGMA trusted_schema = OFF")
                connection.execute(f"PRAGMA application_id = {schema.APPLICATION_ID}")
                connection.execute(f"PRAGMA user_version = {schema.VERSION}")
                if keep is not None:
                    _copy(connection, Path(keep), but)
                if "edge" in tables(connection):
                    # a graph of version 1 that is kept as it is
                    connection.execute("PRAGMA user_version = 1")
                connection.execute("BEGIN")
                yield connection
                connection.execute("COMMIT")
                if connection.execute("PRAGMA freelist_count").fetchone()[0]:
                    # what was kept and then replaced has left empty pages
                    connection.execute("VACUUM")
        except sqlite3.OperationalError as error:  # a full disk
            raise FormatError(f"cannot be written: {error}; free some space or choose another folder", path) from error


def create(connection: sqlite3.Connection, ddl: str) -> None:
    """Make tables and views within the transaction that is under way: `executescript` would end it."""
    for statement in ddl.split(";"):
        connection.execute(statement)


def _copy(connection: sqlite3.Connection, source: Path, but: Collection[str]) -> None:
    """Everything of another file, tables that are not known here included; triggers and virtual tables, which no `.mog` has, are not."""
    usual = connection.getlimit(sqlite3.SQLITE_LIMIT_LENGTH)
    try:
        connection.execute("ATTACH ? AS old", (_read_only(source),))
        _limit(connection, source)
        connection.execute("BEGIN")
        entries = connection.execute(
            "SELECT type, name, tbl_name, sql FROM old.sqlite_schema "
            "WHERE sql IS NOT NULL AND (type = 'view' OR type IN ('table', 'index') AND rootpage > 0) "
            "ORDER BY type <> 'table', rowid"
        ).fetchall()
        for kind, name, table, sql in entries:
            if table in but or name.startswith("sqlite_"):
                continue
            connection.execute(sql)
            if kind == "table":
                quoted = '"' + name.replace('"', '""') + '"'
                connection.execute(f"INSERT INTO main.{quoted} SELECT * FROM old.{quoted}")
        connection.execute("COMMIT")
        connection.execute("DETACH old")
    except DAMAGE as error:
        if getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_FULL:
            raise
        raise FormatError(
            f"what else it holds cannot be kept, since the file is damaged ({said(error)}): take a copy that is whole, or delete it "
            "first",
            source,
        ) from error
    connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, usual)


def _read_only(path: Path) -> str:
    return f"{path.absolute().as_uri()}?mode=ro"


def _limit(connection: sqlite3.Connection, path: Path) -> None:
    """A damaged length must not fill the memory."""
    connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, max(path.stat().st_size, _LEAST_LIMIT))


def _check_header(path: Path, what: str) -> None:
    """Tell a file that is no `.mog`, or one of a later version, from one that is worth opening."""
    try:
        if path.is_dir():
            raise FormatError(f"this is a folder, not a {what}", path)
        with path.open("rb") as file:
            header = file.read(_HEADER)
    except FileNotFoundError:
        raise FormatError("there is no such file", path) from None
    except OSError as error:
        raise FormatError(f"cannot be read: {error.strerror or error}", path) from error
    except ValueError as error:  # a zero byte in the name
        raise FormatError(f"no file can have that name: {error}", repr(str(path))) from error
    if not header:
        raise FormatError(f"the file is empty: build the {what} anew", path)
    if not header.startswith(_MAGIC) or len(header) < _HEADER:
        raise FormatError(f"this is no {what} (a .mog is an SQLite file, and this is none)", path)
    if int.from_bytes(header[68:72], "big") != schema.APPLICATION_ID:
        raise FormatError(f"this is an SQLite file, but no {what} of kinegraph", path)
    version = int.from_bytes(header[60:64], "big")
    if version > schema.VERSION:
        raise FormatError(
            f"made by a newer kinegraph (schema {version}; this one reads up to {schema.VERSION}): update kinegraph",
            path,
        )
    if version < 1:
        raise FormatError(f"the file is damaged (schema {version}): {_remedy(what)}", path)


def _remedy(what: str) -> str:
    return f"take a copy that is whole, or build the {what} anew"


def _need_sqlite(path: str | PathLike[str]) -> None:
    if sqlite3.sqlite_version_info < _OLDEST_SQLITE:
        needed = ".".join(map(str, _OLDEST_SQLITE))
        raise FormatError(f"a .mog file needs SQLite {needed}; this Python has {sqlite3.sqlite_version}", path)
