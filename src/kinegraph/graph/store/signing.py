"""What tells whether a graph's file is as it was saved: the SHA-256 of every part, and a checksum over these and all that is small.

Opening a graph compares the checksum, and every part that it reads with its SHA-256; what is read later is compared then. The digest is the
same for the same graph in whatever file; since it follows from the parts, `check` alone works it out.
"""

from __future__ import annotations

import hashlib
import sqlite3
from pathlib import Path

from kinegraph.graph.model import MotionGraph
from kinegraph.graph.store import schema
from kinegraph.graph.store.digests import worked_out
from kinegraph.graph.store.file import tables
from kinegraph.graph.store.first import sign_first
from kinegraph.graph.store.rows import read_graph, read_meta
from kinegraph.graph.store.stored import MogParts, sha_of

# of what is large, its SHA-256 only
_ROWS = {
    "meta": "SELECT key, value FROM meta WHERE key NOT IN ('checksum', 'version') ORDER BY key",
    "joint": "SELECT * FROM joint ORDER BY id",
    "tip": "SELECT * FROM tip ORDER BY id",
    "role": "SELECT * FROM role ORDER BY role",
    "clip": (
        "SELECT id, name, frames, fps, window, source_file, source_sha256, source_fps, source_frames, mirrored, retargeted, licence, "
        "credit, sha256 FROM clip ORDER BY id"
    ),
    "label_span": "SELECT * FROM label_span ORDER BY id",
    "array": "SELECT name, piece, sha256 FROM array ORDER BY name, piece",
    "label_component": "SELECT * FROM label_component ORDER BY label",
}


def checksum(connection: sqlite3.Connection) -> str:
    """SHA-256 over the rows, just as the file holds them."""
    sha = hashlib.sha256(b"kinegraph rows 2\n")
    for table, query in _ROWS.items():
        sha.update(f"{table}\n".encode())
        for row in connection.execute(query):
            for value in row:
                if isinstance(value, bytes):
                    sha.update(b"%d " % len(value))
                    sha.update(value)
            plain = repr([len(value) if isinstance(value, bytes) else value for value in row])
            sha.update(plain.encode("utf-8", "surrogatepass") + b"\n")
    return sha.hexdigest()


def sign_rows(connection: sqlite3.Connection) -> None:
    """Write the checksum of the rows, beside a digest that is right already."""
    connection.execute("REPLACE INTO meta VALUES ('checksum', ?)", (checksum(connection),))


def sign(connection: sqlite3.Connection, path: Path) -> None:
    """Make everything that is signed right for the rows as they are, of whichever version."""
    if not tables(connection).issuperset(schema.TABLES):
        sign_first(connection)
        return
    for table, key, data in (("clip", "id", "rotations"), ("array", "rowid", "data")):
        for number, value in connection.execute(f"SELECT {key}, {data} FROM {table}").fetchall():
            connection.execute(f"UPDATE {table} SET sha256 = ? WHERE {key} = ?", (sha_of(value), number))
    try:
        graph = read_graph(connection, MogParts(path, connection))
        connection.execute("REPLACE INTO meta VALUES ('digest', ?)", (worked_out(graph),))
    finally:
        sign_rows(connection)


def is_sealed(connection: sqlite3.Connection) -> bool:
    """Whether the rows are those that were signed."""
    return read_meta(connection, "checksum") == checksum(connection)


def is_as_saved(connection: sqlite3.Connection, graph: MotionGraph) -> bool:
    """Whether the graph is the one that was signed."""
    return is_sealed(connection) and worked_out(graph) == read_meta(connection, "digest")
