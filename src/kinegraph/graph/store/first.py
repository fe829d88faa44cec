"""Files of version 1, which kinegraph wrote before 2026-11: a row for every edge and every pair of clips, one digest over all. Only read.

Their digest is taken of rotations that were scaled to unit length, so that it cannot tell every bit of them; the checksum, which the oldest
of them lack, misses nothing. Both need all that a file holds: such a graph is read as a whole.
"""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import numpy as np

from kinegraph.graph.making.record import Record
from kinegraph.graph.model import Clip, ClipSource, Edges, LabelSpan, MotionGraph
from kinegraph.graph.rounding import packed_root, packed_rotations
from kinegraph.graph.store.digests import LATER, evened, json_text, span_words, without
from kinegraph.graph.store.kinds import of_kinds
from kinegraph.graph.store.parts import EDGE
from kinegraph.graph.store.rows import array, read_labels, read_meta, read_said, read_skeleton, read_spans
from kinegraph.motion.clip import Motion
from kinegraph.motion.skeleton import Skeleton
from kinegraph.similarity.candidates import Candidates, Named
from kinegraph.similarity.minima import Minima

_NODE = [("clip", "<i4"), ("frame", "<i4")]
_CLIP_COLUMNS = (
    "name, frames, fps, window, source_file, source_sha256, source_fps, source_frames, mirrored, retargeted, "
    "root, rotations, contacts, sound"
)
_CLIP_KINDS = (str, int, float, int, str, str, float, int, int, int, bytes, bytes, bytes, bytes)
_SOURCE = ("file", "sha256", "fps", "frames", "mirrored", "retargeted")
# nodes, edges, joints and candidates are in the digest bit for bit
_ROWS = {
    "meta": "SELECT key, value FROM meta WHERE key NOT IN ('checksum', 'version') ORDER BY key",
    "role": "SELECT * FROM role ORDER BY role",
    "clip": "SELECT * FROM clip ORDER BY id",
    "label_span": "SELECT * FROM label_span ORDER BY id",
}
# pairs of clips that are written as text at once
_TOGETHER = 10_000


def read_first(connection: sqlite3.Connection) -> MotionGraph:
    """The graph as the rows have it; nothing is checked beyond what arrays and dataclasses refuse by themselves."""
    clips = _read_clips(connection, read_skeleton(connection))
    nodes = np.fromiter(connection.execute("SELECT clip, frame FROM node ORDER BY id"), _NODE)
    kinds = [(name, "<i4" if kind == "u1" else kind) for name, kind in EDGE.items()]
    columns = ", ".join(EDGE)
    edges = np.fromiter(connection.execute(f"SELECT {columns} FROM edge ORDER BY id"), kinds)
    return MotionGraph(
        clips=clips,
        node_clip=nodes["clip"],
        node_frame=nodes["frame"],
        edges=Edges(*(edges[name] for name in EDGE)),
        labels=read_labels(connection),
        making=Record(*read_said(connection), _read_candidates(connection, [clip.name for clip in clips])),
    )


def is_as_first_saved(connection: sqlite3.Connection, graph: MotionGraph) -> bool:
    """Whether rows, and the graph that was read from them, are those that were signed."""
    signed = connection.execute("SELECT value FROM meta WHERE key = 'checksum'").fetchone()
    if signed is not None and signed[0] != first_checksum(connection):
        return False
    return first_digest(graph) == read_meta(connection, "digest")


def sign_first(connection: sqlite3.Connection) -> None:
    """Write digest and checksum of the rows as they are."""
    connection.execute("REPLACE INTO meta VALUES ('digest', ?)", (first_digest(read_first(connection)),))
    connection.execute("REPLACE INTO meta VALUES ('checksum', ?)", (first_checksum(connection),))


def first_checksum(connection: sqlite3.Connection) -> str:
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


def first_digest(graph: MotionGraph) -> str:
    """SHA-256 over the content as version 1 took it."""
    sha = hashlib.sha256(b"kinegraph motion graph 1\n")
    skeleton, edges = graph.skeleton, graph.edges
    labels = sorted(graph.labels.items())
    named = Named.of(graph.record.candidates)
    found = named.columns
    words = {
        "joints": [skeleton.names, skeleton.parents.tolist(), skeleton.tip_parents.tolist(), dict(skeleton.overrides)],
        "clips": [evened(_clip_words(clip)) for clip in graph.clips],
        "nodes": len(graph),
        "edges": len(edges),
        "labels": [[label, len(part.nodes), len(part.edges)] for label, part in labels],
        "parameters": evened(without(graph.record.parameters.to_dict(), LATER)),
        "report": evened(without({**graph.record.report.to_dict(), "notices": ()}, LATER)),
    }
    # lone surrogates, which no file can hold, are the store's to refuse
    text = json_text(words, "the graph")
    # what comes first in it is far the longest, and is never held as a whole
    for part in ("{", '"candidates":[', *_pairs(named), "],", text[1:]):
        sha.update(part.encode("utf-8", "surrogatepass"))
    # a zero has no sign in SQLite
    _feed(sha, "<f8", (skeleton.offsets + 0.0, skeleton.tip_offsets + 0.0))
    for clip in graph.clips:
        sha.update(packed_root(clip.motion.root).tobytes())
        sha.update(packed_rotations(clip.motion.rotations).tobytes())
        sha.update(clip.contacts.tobytes())
        sha.update(clip.sound.tobytes())
    _feed(sha, "<i4", (found.first,))
    _feed(sha, "<i4", (found.second,))
    _feed(sha, "<f8", (found.cost,))
    _feed(sha, "<i4", (graph.node_clip, graph.node_frame, edges.source, edges.target, edges.kind, edges.length))
    _feed(sha, "<f8", (edges.cost + 0.0, edges.angle + 0.0, edges.x + 0.0, edges.z + 0.0))
    _feed(sha, "<i4", (numbers for _, part in labels for numbers in (part.nodes, part.edges)))
    return sha.hexdigest()


def _clip_words(clip: Clip) -> list[Any]:
    source = {name: getattr(clip.source, name) for name in _SOURCE}
    return [clip.name, len(clip), clip.motion.fps, clip.window, source, [*map(span_words, clip.spans)]]


def _pairs(named: Named) -> Iterator[str]:
    """The pairs of clips as JSON: both names, the window, how many minima; some thousands at a time."""
    found = named.columns
    names = [json_text(name, "a name") for name in named.names]
    for start in range(0, found.pairs, _TOGETHER):
        part = slice(start, start + _TOGETHER)
        columns = (found.a[part], found.b[part], found.window[part], found.counts[part])
        rows = (
            f"[{names[a]},{names[b]},{window},{count}]"
            for a, b, window, count in zip(*(column.tolist() for column in columns), strict=True)
        )
        yield ("," if start else "") + ",".join(rows)


def _feed(sha: Any, dtype: str, arrays: Iterable[Any]) -> None:
    """Add many small arrays at once: their lengths are among the words already."""
    parts = [np.ravel(array) for array in arrays]
    if parts:
        sha.update(np.concatenate(parts).astype(dtype).tobytes())


def _read_clips(connection: sqlite3.Connection, skeleton: Skeleton) -> tuple[Clip, ...]:
    spans: dict[int, tuple[LabelSpan, ...]] = read_spans(connection)
    clips: list[Clip] = []
    for row in of_kinds(connection.execute(f"SELECT {_CLIP_COLUMNS} FROM clip ORDER BY id"), *_CLIP_KINDS):
        name, frames, fps, window, file, sha256, source_fps, source_frames, mirrored, retargeted, *blobs = row
        motion = Motion(
            skeleton,
            array(blobs[0], "<f4", frames, 3),
            array(blobs[1], "<f4", frames, len(skeleton), 4),
            fps,
            name=name,
        )
        clips.append(
            Clip(
                motion,
                window,
                array(blobs[2], "u1", frames, 4),
                spans.pop(len(clips), ()),
                ClipSource(file, sha256, source_fps, source_frames, bool(mirrored), bool(retargeted)),
                array(blobs[3], "u1", frames),
            )
        )
    if spans:
        raise ValueError(f"labels are given to clip {min(spans)}, which does not exist")
    return tuple(clips)


def _read_candidates(connection: sqlite3.Connection, names: list[str]) -> Mapping[tuple[str, str], Minima]:
    rows = connection.execute(
        "SELECT clip_a, clip_b, window, count, first, second, cost FROM candidates ORDER BY clip_a, clip_b"
    )
    pairs: list[tuple[int, int, int, int]] = []
    blobs: tuple[list[bytes], list[bytes], list[bytes]] = ([], [], [])
    for a, b, window, count, *parts in of_kinds(rows, int, int, int, int, bytes, bytes, bytes):
        if not (0 <= a < len(names) and 0 <= b < len(names)):
            raise ValueError("candidates belong to a clip that does not exist")
        if [len(part) for part in parts] != [4 * count, 4 * count, 8 * count]:
            raise ValueError("candidates are as many as they are not said to be")
        pairs.append((a, b, window, count))
        for held, part in zip(blobs, parts, strict=True):
            held.append(part)
    table = np.array(pairs, np.int64).reshape(-1, 4)
    first, second, cost = (
        np.frombuffer(b"".join(held), kind) for held, kind in zip(blobs, ("<i4", "<i4", "<f8"), strict=True)
    )
    ends = table[:, :3].astype(np.int32)
    offsets = np.concatenate([[0], np.cumsum(table[:, 3])]).astype(np.int64)
    found = Candidates(ends[:, 0], ends[:, 1], ends[:, 2], offsets, first, second, cost)
    if names == sorted(names):
        return Named(names, found)
    return {(names[a], names[b]): minima for (a, b), minima in found.items()}
