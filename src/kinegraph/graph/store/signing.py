"""What tells whether a graph's file is as it was saved: a digest of its content, and a checksum of its rows to the last bit.

The digest is the same for the same graph in whatever file. It is taken of rotations that were scaled to unit length, so that it cannot
tell every bit of them, and it is blind to what is no content. The checksum is of the file alone, and misses nothing; older files have none.
"""

from __future__ import annotations

import hashlib
import sqlite3

from kinegraph.graph.model import MotionGraph
from kinegraph.graph.store.digests import digest
from kinegraph.graph.store.rows import read_graph, read_meta

# nodes, edges, joints and candidates are in the digest bit for bit
_ROWS = {
    "meta": "SELECT key, value FROM meta WHERE key NOT IN ('checksum', 'version') ORDER BY key",
    "role": "SELECT * FROM role ORDER BY role",
    "clip": "SELECT * FROM clip ORDER BY id",
    "label_span": "SELECT * FROM label_span ORDER BY id",
}


def checksum(connection: sqlite3.Connection) -> str:
    """SHA-256 over the rows that a digest does not tell to the last bit, just as the file holds them."""
    sha = hashlib.sha256(b"kinegraph rows 1\n")
    for table, query in _ROWS.items():
        sha.update(f"{table}\n".encode())
        for row in connection.execute(query):
            for value in row:
                raw = value if isinstance(value, bytes) else repr(value).encode("utf-8", "surrogatepass")
                sha.update(f"{type(value).__name__} {len(raw)} ".encode())
                sha.update(raw)
    return sha.hexdigest()


def sign(connection: sqlite3.Connection) -> None:
    """Write digest and checksum of the rows as they are."""
    connection.execute("REPLACE INTO meta VALUES ('digest', ?)", (digest(read_graph(connection)),))
    sign_rows(connection)


def sign_rows(connection: sqlite3.Connection) -> None:
    """Write the checksum of the rows, beside a digest that is right already."""
    connection.execute("REPLACE INTO meta VALUES ('checksum', ?)", (checksum(connection),))


def is_as_saved(connection: sqlite3.Connection, graph: MotionGraph) -> bool:
    """Whether rows, and the graph that was read from them, are those that were signed."""
    signed = connection.execute("SELECT value FROM meta WHERE key = 'checksum'").fetchone()
    if signed is not None and signed[0] != checksum(connection):
        return False
    return digest(graph) == read_meta(connection, "digest")
