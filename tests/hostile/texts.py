"""Hostile files of every kind that is text or arrays: good ones in which one word, number, line, array or value is changed."""

from __future__ import annotations

import io
import re
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from tests.hostile.goods import TEXTS, good

FILES = (
    *("clip.bvh", "clip.npz", "clip.amc", "body.asf", *TEXTS),
    *("ground.npz", "ground.npy", "tracks.sqlite", "kept.npz", "kept.json"),
)

_NUMBERS = ("", "-1", "0", "1e-300", "1e30", "-1e30", "1e999", "nan", "1" * 5000, "2147483648", "0.5", "x", "\u0661")
_WORDS = ("", "x", "0", "\0", "\ufeff", "a" * 100_000, "\U0001f600", '"', "[", "}", "\u202e")
_TOKEN = re.compile(r"[-+]?\d+(?:\.\d+)?|[A-Za-z_]+|[^\sA-Za-z0-9]")
# of the numbers of a file, how many are changed, and into how many parts it is cut
_FIRST, _PARTS = 14, 12
_ARRAYS: dict[str, Callable[[np.ndarray], Any]] = {
    "empty": lambda held: held[:0] if held.ndim else np.array([]),
    "a number": lambda held: np.array(1.0),
    "a text": lambda held: np.array("x"),
    "texts": lambda held: np.full(held.shape, "\0"),
    "an object": lambda held: np.array({"x": held}, dtype=object),
    "not a number": lambda held: np.full(held.shape, np.nan),
    "infinite": lambda held: np.full(held.shape, -np.inf),
    "large": lambda held: np.full(held.shape, 1e38),
    "beyond": lambda held: np.full(held.shape, 1.7e308),
    "nothing": lambda held: np.zeros(held.shape),
    "below": lambda held: np.full(held.shape, -1),
    "many": lambda held: np.full(held.shape, 2**62),
    "complex": lambda held: np.full(held.shape, 1j),
    "times": lambda held: np.full(held.shape, "2026-01-01", "M8[D]"),
    "one more": lambda held: held[None],
    "turned": lambda held: held.T,
    "long": lambda held: np.repeat(np.atleast_1d(held), 50, axis=0),
    "records": lambda held: np.zeros(3, [("a", "f8")]),
}
_WHOLE: dict[str, Callable[[bytes], bytes]] = {
    "twice": lambda data: data + data,
    "in UTF-16": lambda data: data.decode("latin-1").encode("utf-16"),
    "with a byte that is no text": lambda data: data[:30] + b"\xff" + data[30:],
    "with returns": lambda data: data.replace(b"\n", b"\r"),
    "backwards": lambda data: data[::-1],
    "zeros": lambda data: bytes(len(data)),
}
_VALUES = (None, -1, 0, 1e9, 1e300, 2**62, float("inf"), "x", "1e999", "", b"\xff")


@dataclass(frozen=True)
class Case:
    """A hostile file: what it is called, what is changed, and its bytes."""

    file: str
    what: str
    make: Callable[[], bytes]

    @property
    def name(self) -> str:
        return f"{self.file}: {self.what}"

    def write(self, folder: Path) -> Path:
        """Put it into a folder, in the place of whatever else was of that name."""
        path = folder / self.file
        path.write_bytes(self.make())
        return path


def cases() -> Iterator[Case]:
    """All of them, file by file."""
    for file in FILES:
        makes = {"npz": _archives, "npy": _arrays, "sqlite": _tables}
        yield from makes.get(file.rsplit(".")[-1], _texts)(file)
        data = good(file)
        for part in range(_PARTS):
            yield Case(
                file, f"{part} of {_PARTS} parts", lambda data=data, part=part: data[: len(data) * part // _PARTS]
            )
        for what, bend in _WHOLE.items():
            yield Case(file, what, lambda data=data, bend=bend: bend(data))


def _texts(file: str) -> Iterator[Case]:
    """Each word and sign at its first place, the first numbers and the last, and each line."""
    text = good(file).decode()
    seen: set[str] = set()
    numbers: list[re.Match[str]] = []
    for token in _TOKEN.finditer(text):
        if token[0][-1].isdigit():
            numbers.append(token)
        elif token[0] not in seen:
            seen.add(token[0])
            yield from _instead(file, text, token, _WORDS)
    for token in [*numbers[:_FIRST], *numbers[_FIRST:][-1:]]:
        yield from _instead(file, text, token, _NUMBERS)
    lines = text.splitlines(keepends=True)
    for number in range(min(len(lines), 40)):
        yield Case(file, f"line {number + 1} is gone", lambda n=number: "".join([*lines[:n], *lines[n + 1 :]]).encode())
        yield Case(file, f"line {number + 1} twice", lambda n=number: "".join([*lines[: n + 1], *lines[n:]]).encode())


def _instead(file: str, text: str, token: re.Match[str], values: tuple[str, ...]) -> Iterator[Case]:
    begin, end = token.span()
    for value in values:
        what = f"{token[0][:20]!r} at {begin} is {value[:12]!r}"
        yield Case(file, what, lambda value=value: (text[:begin] + value + text[end:]).encode("utf-8", "surrogatepass"))


def _archives(file: str) -> Iterator[Case]:
    """Each array of the archive gone, or of another kind, size or content."""
    with np.load(io.BytesIO(good(file))) as held:
        arrays = dict(held)
    for name, array in arrays.items():
        for what, change in _ARRAYS.items():
            yield Case(file, f"{name} is {what}", lambda n=name, a=array, c=change: _packed({**arrays, n: c(a)}))
        yield Case(file, f"{name} is gone", lambda n=name: _packed({k: v for k, v in arrays.items() if k != n}))
    yield Case(file, "leads out of it", lambda: _packed({**arrays, "../../x": np.zeros(3)}))


def _arrays(file: str) -> Iterator[Case]:
    """The one array of a file of another kind, size or content."""
    array = np.load(io.BytesIO(good(file)))
    for what, change in _ARRAYS.items():

        def made(change: Callable[[np.ndarray], Any] = change) -> bytes:
            out = io.BytesIO()
            np.save(out, change(array))
            return out.getvalue()

        yield Case(file, f"it is {what}", made)


def _tables(file: str) -> Iterator[Case]:
    """Other values in each column of a database, tables that are gone, and one without an end."""
    columns = {"metadata": ("key", "value"), "trajectory_data": ("frame", "id", "pos_x", "pos_y")}
    endless = "WITH RECURSIVE c(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM c) SELECT"
    for table, names in columns.items():
        for name in names:
            for value in _VALUES:
                yield Case(file, f"{table}.{name} = {value!r}", _changed(file, f"UPDATE {table} SET {name} = ?", value))
        shown = ", ".join(f"n AS {name}" for name in names)
        yield Case(file, f"{table} is gone", _changed(file, f"DROP TABLE {table}"))
        yield Case(file, f"{table} is empty", _changed(file, f"DELETE FROM {table}"))
        drop = f"ALTER TABLE {table} RENAME TO old"
        yield Case(
            file, f"{table} has no end", _changed(file, drop, more=f"CREATE VIEW {table} AS {endless} {shown} FROM c")
        )


def _changed(file: str, sql: str, *values: Any, more: str = "") -> Callable[[], bytes]:
    def made() -> bytes:
        with TemporaryDirectory() as folder:
            path = Path(folder) / file
            path.write_bytes(good(file))
            with closing(sqlite3.connect(path)) as connection:
                connection.execute(sql, values)
                connection.execute(more or "SELECT 1")
                connection.commit()
            return path.read_bytes()

    return made


def _packed(arrays: dict[str, Any]) -> bytes:
    out = io.BytesIO()
    np.savez(out, **arrays)
    return out.getvalue()
