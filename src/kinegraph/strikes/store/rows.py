"""Between a `Space` and the rows of a `.mog` file."""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from kinegraph.graph.rounding import packed_root, packed_rotations
from kinegraph.graph.store.kinds import of_kinds
from kinegraph.graph.store.rows import array
from kinegraph.graph.store.schema import SPACE_TABLES
from kinegraph.graph.store.skeleton import Row, joint_rows, role_rows, skeleton_of, tip_rows
from kinegraph.motion import rotation
from kinegraph.strikes.examples import Examples
from kinegraph.strikes.kinds import kind_of
from kinegraph.strikes.space import Space
from kinegraph.strikes.strike import CapturedStrike, check_side

_HEAD = "name, kind, side, fps, moments, hit"
_JOINT = "name, parent, x, y, z"
_TIP = "joint, x, y, z"
_ROLE = "role, joint, given"
_WORDS = "clip, first, hit, last, x, y, z, moments"
_BLOBS = "root, rotations, times, contacts"
_STRIKE_KINDS = (str, int, int, int, float, float, float, int, bytes, bytes, bytes, bytes)


@dataclass(frozen=True)
class SpaceRows:
    """A space as the rows of its tables, in order, without their row numbers."""

    head: Row
    """Name, kind, side, fps, moments, hit."""
    joints: list[Row]
    tips: list[Row]
    roles: list[Row]
    strikes: list[tuple[Row, Row]]
    """For each its values (clip, first, hit, last, target x, y, z, moments) and its blobs (root, rotations, times, contacts)."""

    @property
    def name(self) -> str:
        """The space's name."""
        return str(self.head[0])

    def digest(self) -> str:
        """SHA-256 of everything in the rows."""
        words = [self.head, self.joints, self.tips, self.roles, [strike for strike, _ in self.strikes]]
        blobs = [blob for _, some in self.strikes for blob in some]
        sha = hashlib.sha256(b"kinegraph space 1\n")
        sha.update(json.dumps([words, [len(blob) for blob in blobs]], allow_nan=False).encode())
        for blob in blobs:
            sha.update(blob)
        return sha.hexdigest()


def packed(space: Space) -> SpaceRows:
    """The rows of a space. If it was rounded before (`kinegraph.strikes.rounding`), nothing is lost."""
    examples = space.examples
    targets = (examples.hits + 0.0).tolist()  # a zero has no sign in SQLite
    strikes = []
    for number, (strike, target) in enumerate(zip(examples.strikes, targets, strict=True)):
        frames = (int(strike.start), int(strike.hit), int(strike.end))
        blobs = (
            packed_root(examples.root[number]),
            packed_rotations(examples.rotations[number]),
            examples.times[number].astype("<f8"),
            examples.contacts[number].astype("u1"),
        )
        words = (strike.clip, *frames, *target, examples.moments)
        strikes.append((words, tuple(blob.tobytes() for blob in blobs)))
    head = (space.name, examples.kind, examples.side, float(examples.fps), examples.moments, int(examples.hit))
    body = examples.skeleton
    return SpaceRows(head, joint_rows(body), tip_rows(body), role_rows(body), strikes)


def unpacked(rows: SpaceRows) -> Space:
    """The space that these rows describe."""
    name, kind, side, fps, moments, hit = rows.head
    shapes = (("<f4", 3), ("<f4", len(rows.joints), 4), ("<f8",), ("u1", 4))

    def arrays(which: int) -> Any:
        dtype, *shape = shapes[which]
        return np.stack([array(blobs[which], str(dtype), moments, *map(int, shape)) for _, blobs in rows.strikes])

    examples = Examples(
        kind=kind_of(kind).name,
        side=check_side(side),
        skeleton=skeleton_of(rows.joints, rows.tips, rows.roles),
        fps=fps,
        strikes=tuple(CapturedStrike(*words[:4]) for words, _ in rows.strikes),
        hit=hit,
        root=arrays(0).astype(np.float64),
        rotations=rotation.unit(arrays(1).astype(np.float64)),
        times=arrays(2).astype(np.float64),
        contacts=arrays(3).astype(np.bool_),
    )
    return Space(name, examples)


def numbers(connection: sqlite3.Connection) -> dict[str, int]:
    """Name → number of the spaces in a file, in their order."""
    return {name: number for number, name in connection.execute("SELECT id, name FROM space ORDER BY id")}


def read_rows(connection: sqlite3.Connection, number: int) -> SpaceRows:
    """The rows of a space as they are in the file; a `ValueError` if they are not those that were saved."""
    rows = read_unsigned(connection, number)
    if rows.digest() != _head(connection, number)[1]:
        raise ValueError(f"the space {rows.name!r} is not what was saved")
    return rows


def read_unsigned(connection: sqlite3.Connection, number: int) -> SpaceRows:
    """The rows of a space as they are in the file, whether or not they are those that were saved."""
    found = of_kinds(_of(connection, "space_strike", f"{_WORDS}, {_BLOBS}", number), *_STRIKE_KINDS)
    strikes = [(row[:8], row[8:]) for row in found]
    return SpaceRows(
        head=_head(connection, number)[0],
        joints=list(_of(connection, "space_joint", _JOINT, number)),
        tips=list(_of(connection, "space_tip", _TIP, number)),
        roles=list(_of(connection, "space_role", _ROLE, number, "role")),
        strikes=strikes,
    )


def write_rows(connection: sqlite3.Connection, number: int, rows: SpaceRows, version: str) -> None:
    """Put a space into the tables, replacing the one with that number if there is one."""
    for table in reversed(SPACE_TABLES):
        key = "id" if table == "space" else "space"
        connection.execute(f"DELETE FROM {table} WHERE {key} = ?", (number,))
    # columns by name: a file of a later kinegraph may have more
    _insert(connection, "space", f"id, {_HEAD}, version, digest", [(number, *rows.head, version, rows.digest())])
    for table, columns, content in (
        ("space_joint", f"id, {_JOINT}", [(index, *row) for index, row in enumerate(rows.joints)]),
        ("space_tip", f"id, {_TIP}", [(index, *row) for index, row in enumerate(rows.tips)]),
        ("space_role", _ROLE, rows.roles),
        (
            "space_strike",
            f"id, {_WORDS}, {_BLOBS}",
            [(i, *words, *some) for i, (words, some) in enumerate(rows.strikes)],
        ),
    ):
        _insert(connection, table, f"space, {columns}", [(number, *row) for row in content])


def _head(connection: sqlite3.Connection, number: int) -> tuple[Row, str]:
    row = connection.execute(f"SELECT {_HEAD}, digest FROM space WHERE id = ?", (number,)).fetchone()
    if row is None:
        raise KeyError(f"there is no space {number}")
    ((*head, digest),) = of_kinds([row], str, str, str, float, int, int, str)
    return tuple(head), digest


def _of(connection: sqlite3.Connection, table: str, columns: str, number: int, order: str = "id") -> Iterator[Row]:
    return connection.execute(f"SELECT {columns} FROM {table} WHERE space = ? ORDER BY {order}", (number,))


def _insert(connection: sqlite3.Connection, table: str, columns: str, rows: list[Row]) -> None:
    marks = ", ".join("?" * len(columns.split(",")))
    connection.executemany(f"INSERT INTO {table} ({columns}) VALUES ({marks})", rows)
