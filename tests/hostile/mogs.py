"""Hostile `.mog` files: each is a good one with one thing in it changed, and signed anew, so that nothing but its values betrays it."""

from __future__ import annotations

import json
import re
import sqlite3
import struct
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from kinegraph import samples, strikes
from kinegraph.graph.making.builder import build
from kinegraph.graph.store import signing
from kinegraph.graph.store.file import DAMAGE
from kinegraph.strikes.store.rows import read_unsigned

CLIPS = ("walk", "walk_left_medium", "run", "stand", "start", "stop")

# what may stand where a whole number, a number, a text or an array is expected
_INTEGERS = (-1, 0, 1, 3, 70_000, 2**31 - 1, 2**31, 2**62, -(2**63))
_NUMBERS = (-1.0, 0.0, 1e-300, 1e-9, 1e6, 1e7, 1e38, 1e150, -1e150, 1.7e308, float("inf"), float("-inf"))
_TEXTS = ("", "x", "a" * 100_000, "\0", "../../x", "﷽\u202e\U0001f600", "[red]x", "{}", "\r\n\x1b[2J")
_KINDS: tuple[Any, ...] = (None, "one", 1.5, 10**12, b"\xff\xfe")
_JSON: tuple[str, ...] = (
    "null", "true", "-1", "0", "1000000", "1e150", "1e999", "NaN", '"x"', "[]", "{}", '{"x": 1}', "[1, 2, 3]", "1" * 5000,
)  # fmt: skip


@dataclass(frozen=True)
class Case:
    """A hostile file: what is changed, and how."""

    name: str
    change: Callable[[sqlite3.Connection], Any]
    endless: bool = False
    """Whether nobody can read it to its end, and so not sign it."""

    def write(self, folder: Path) -> Path:
        """Put the good file with the change into a folder, signed anew wherever it can be read at all."""
        path = folder / "both.mog"
        path.write_bytes(good())
        with closing(sqlite3.connect(path)) as connection:
            connection.execute("PRAGMA ignore_check_constraints = ON")
            with suppress(sqlite3.Error, OverflowError):  # what SQLite refuses is left as it was
                self.change(connection)
            if not self.endless:
                _sign(connection, path)
            connection.commit()
        return path


@cache
def good() -> bytes:
    """A graph of a few short clips with a space of punches beside it."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "good.mog"
        build([samples.make(name).motion for name in CLIPS], path=path)
        punches = [samples.make(name).motion for name in samples.names() if name.startswith("punch")]
        strikes.save(strikes.build(punches, "punch"), path)
        return path.read_bytes()


def cases() -> Iterator[Case]:
    """All of them: every column of every table, every number of the parameters and of the report, rows that are gone, doubled or moved."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "good.mog"
        path.write_bytes(good())
        with closing(sqlite3.connect(path)) as connection:
            tables = [
                name for (name,) in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY 1")
            ]
            for table in tables:
                yield from _columns(connection, table)
                yield from _rows(table)
            yield from _arrays(connection)
            for key in ("parameters", "report"):
                (text,) = connection.execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()
                yield from _documents(key, text)


def _columns(connection: sqlite3.Connection, table: str) -> Iterator[Case]:
    """Other values in one row, or in all of them, of each column."""
    key = _key(connection, table)
    for column, kind in _described(connection, table):
        if table == "meta":
            continue
        values: tuple[Any, ...] = {"INTEGER": _INTEGERS, "REAL": _NUMBERS, "TEXT": _TEXTS}.get(kind, ())
        if kind == "BLOB":
            (size,) = connection.execute(f"SELECT max(length({column})) FROM {table}").fetchone()
            values = tuple(_blobs(size or 0))
        for value in values:
            shown = value if isinstance(value, int | float) else repr(value)[:24]
            for where in ("one", "all"):
                rows = (
                    ""
                    if where == "all"
                    else f" WHERE {key} IN (SELECT {key} FROM {table} ORDER BY {key} LIMIT 1 OFFSET 1)"
                )
                yield Case(
                    f"{table}.{column} = {shown} ({where})", _statement(f"UPDATE {table} SET {column} = ?{rows}", value)
                )
        # a table that says nothing of the kinds of its values lets any of them in
        for value in _KINDS:
            yield Case(f"{table}.{column} holds {value!r}", _loosely(table, column, value))


def _arrays(connection: sqlite3.Connection) -> Iterator[Case]:
    """Other numbers in each array of a graph."""
    for name, size in connection.execute("SELECT name, length(data) FROM array").fetchall():
        for value in (*_blobs(size), bytes(size)[1:]):
            shown = f"{value[:12]!r} × {len(value)}"
            yield Case(f"{name} = {shown}", _statement("UPDATE array SET data = ? WHERE name = ?", value, name))
        yield Case(f"{name} is gone", _statement("DELETE FROM array WHERE name = ?", name))


def _rows(table: str) -> Iterator[Case]:
    yield Case(f"{table} is empty", _statement(f"DELETE FROM {table}"))
    yield Case(
        f"{table} lacks its last row", _statement(f"DELETE FROM {table} WHERE rowid = (SELECT max(rowid) FROM {table})")
    )
    yield Case(f"{table} is a view", _as_view(table), endless=True)
    yield Case(f"{table} is made up", _made_up(table), endless=True)
    yield Case(f"{table} is gone", _statement(f"DROP TABLE {table}"))


def _documents(key: str, text: str) -> Iterator[Case]:
    """The JSON of a key with each of its values replaced, and as a whole."""
    said = json.loads(text)
    for whole in (*_JSON, "", "{", "[" * 100_000, '{"a":' * 2000 + "1" + "}" * 2000, "\ufeff{}"):
        yield Case(f"{key} is {whole[:20]}", _statement("UPDATE meta SET value = ? WHERE key = ?", whole, key))
    for place in sorted({_pattern(place): place for place in _places(said)}.values(), key=str):
        for value in _JSON:
            changed = _with(said, place, value)
            where = ".".join(map(str, place))
            yield Case(
                f"{key}.{where} = {value[:20]}", _statement("UPDATE meta SET value = ? WHERE key = ?", changed, key)
            )


def _places(value: Any, here: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    if here:
        yield here
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, one in inside:
        yield from _places(one, (*here, key))


def _pattern(place: tuple[Any, ...]) -> str:
    """The same for every element of a list, of which one is enough."""
    return ".".join("*" if isinstance(part, int) else part for part in place)


def _with(said: Any, place: tuple[Any, ...], value: str) -> str:
    mark = "\ue000"
    changed = json.loads(json.dumps(said))
    inner = changed
    for part in place[:-1]:
        inner = inner[part]
    inner[place[-1]] = mark
    return json.dumps(changed, ensure_ascii=False).replace(json.dumps(mark, ensure_ascii=False), value)


def _statement(sql: str, *values: Any) -> Callable[[sqlite3.Connection], Any]:
    return lambda connection: connection.execute(sql, values)


def _loosely(table: str, column: str, value: Any) -> Callable[[sqlite3.Connection], None]:
    """A value of any kind, in a table without a word on kinds."""

    def change(connection: sqlite3.Connection) -> None:
        _unchecked(connection, table)
        connection.execute(f"UPDATE {table} SET {column} = ?", (value,))

    return change


def _as_view(table: str) -> Callable[[sqlite3.Connection], None]:
    """A view that never ends in a table's place."""

    def change(connection: sqlite3.Connection) -> None:
        columns = ", ".join(f"n AS {column}" for column, _ in _described(connection, table))
        connection.execute(f"DROP TABLE {table}")
        endless = "WITH RECURSIVE c(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM c)"
        connection.execute(f"CREATE VIEW {table} AS {endless} SELECT {columns} FROM c")

    return change


def _made_up(table: str) -> Callable[[sqlite3.Connection], None]:
    """Many rows whose last column is no more than a promise of a megabyte."""

    def change(connection: sqlite3.Connection) -> None:
        *first, last = [column for column, _ in _described(connection, table)]
        connection.execute(f"DROP TABLE {table}")
        connection.execute(f"CREATE TABLE {table} ({', '.join(first)}, {last} AS (zeroblob(1000000)))")
        rows = "WITH RECURSIVE c(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM c WHERE n < 5000)"
        connection.execute(f"{rows} INSERT INTO {table} SELECT {', '.join('n' for _ in first)} FROM c")

    return change


def _unchecked(connection: sqlite3.Connection, table: str) -> None:
    (sql,) = connection.execute("SELECT sql FROM sqlite_schema WHERE name = ?", (table,)).fetchone()
    loose = re.sub(r"\)\s*STRICT(, WITHOUT ROWID)?\s*$", r")", sql.strip())
    loose = re.sub(r"\b(INTEGER|REAL|TEXT|BLOB)\b", "", loose).replace("NOT NULL", "")
    loose = loose.replace(f"TABLE {table}", f"TABLE loose_{table}", 1)
    connection.execute(loose)
    connection.execute(f"INSERT INTO loose_{table} SELECT * FROM {table}")
    connection.execute("PRAGMA foreign_keys = OFF")
    connection.execute("PRAGMA legacy_alter_table = ON")
    connection.execute(f"DROP TABLE {table}")
    connection.execute(f"ALTER TABLE loose_{table} RENAME TO {table}")


def _described(connection: sqlite3.Connection, table: str) -> list[tuple[str, str]]:
    return [(name, kind) for _, name, kind, *_ in connection.execute(f"PRAGMA table_info ({table})")]


def _key(connection: sqlite3.Connection, table: str) -> str:
    """What tells the rows of a table apart: their number, or what it is ordered by."""
    columns = [name for name, _ in _described(connection, table)]
    return "id" if "id" in columns else {"role": "role", "label_component": "label"}.get(table, columns[0])


def _blobs(size: int) -> Iterator[bytes]:
    yield b""
    yield bytes(size)
    yield b"\xff" * size
    yield b"\x01" * size
    yield bytes(max(size - 4, 0))
    for value in (1e38, 1e20, float("inf"), float("nan"), -1e9, 1e-40):
        yield struct.pack("<f", value) * (size // 4)
    for number in (1e150, -1e300, float("nan"), 5e-324):
        yield struct.pack("<d", number) * (size // 8)
    for whole in (-1, 2**31 - 1):
        yield struct.pack("<i", whole) * (size // 4)


def _sign(connection: sqlite3.Connection, path: Path) -> None:
    """Make digests and checksums right, wherever there is something that can be read."""
    with suppress(*DAMAGE):
        signing.sign(connection, path)
    with suppress(*DAMAGE):
        for (number,) in connection.execute("SELECT id FROM space").fetchall():
            rows = read_unsigned(connection, number)
            connection.execute("UPDATE space SET digest = ? WHERE id = ?", (rows.digest(), number))
