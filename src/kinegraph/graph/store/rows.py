"""Between a `MotionGraph` and the rows of a `.mog` file."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kinegraph.graph.making.parameters import Parameters
from kinegraph.graph.making.record import Record
from kinegraph.graph.making.report import BuildReport
from kinegraph.graph.model import Clip, ClipSource, Component, Edges, LabelSpan, MotionGraph
from kinegraph.graph.rounding import packed_root, packed_rotations
from kinegraph.graph.store.digests import digest, json_text
from kinegraph.graph.store.kinds import of_hint, of_kinds
from kinegraph.graph.store.skeleton import joint_rows, role_rows, skeleton_of, tip_rows
from kinegraph.motion.clip import Motion
from kinegraph.motion.skeleton import Skeleton
from kinegraph.similarity.candidates import Candidates, Named
from kinegraph.similarity.minima import Minima

_NODE = [("clip", "<i4"), ("frame", "<i4")]
_EDGE = [
    *((name, "<i4") for name in ("source", "target", "kind", "length")),
    *((name, "<f8") for name in ("cost", "angle", "x", "z")),
]
_CLIP_COLUMNS = (
    "name, frames, fps, window, source_file, source_sha256, source_fps, source_frames, mirrored, retargeted, "
    "root, rotations, contacts, sound"
)
_CLIP_KINDS = (str, int, float, int, str, str, float, int, int, int, bytes, bytes, bytes, bytes)


@dataclass(frozen=True)
class Step:
    """Something that was done to make a graph."""

    step: str
    """What: build, add, remove, rechoose."""
    seconds: float
    """How long comparing took."""
    pairs: int
    """Pairs of windows that were compared."""
    version: str
    """The version of kinegraph that did it."""


def write_rows(connection: sqlite3.Connection, graph: MotionGraph, history: Iterable[Step], version: str) -> None:
    """Fill the empty tables."""
    insert = _Inserter(connection)
    skeleton, edges, record = graph.skeleton, graph.edges, graph.record
    meta = {
        "version": version,
        "parameters": json_text(record.parameters.to_dict(), "the parameters"),
        "report": json_text(record.report.to_dict(), "the report"),
        "digest": digest(graph),
    }
    insert("meta", sorted(meta.items()))
    insert("joint", _numbered(joint_rows(skeleton)))
    insert("tip", _numbered(tip_rows(skeleton)))
    insert("role", role_rows(skeleton))
    insert("clip", _numbered(map(_clip_row, graph.clips)))
    insert(
        "label_span",
        _numbered(
            (clip, span.label, int(span.first), int(span.last), span.origin, float(span.confidence))
            for clip in range(len(graph.clips))
            for span in graph.clips[clip].spans
        ),
    )
    insert(
        "candidates",
        _candidate_rows(Named.of(record.candidates), graph.clip_index),
    )
    insert("node", _numbered(zip(graph.node_clip.tolist(), graph.node_frame.tolist(), strict=True)))
    insert("edge", zip(range(len(edges)), *(getattr(edges, name).tolist() for name, _ in _EDGE), strict=True))
    insert(
        "label_component",
        (
            (label, len(part.nodes), len(part.edges), *(a.astype("<i4").tobytes() for a in (part.nodes, part.edges)))
            for label, part in sorted(graph.labels.items())
        ),
    )
    insert("history", _numbered((s.step, float(s.seconds), int(s.pairs), s.version) for s in history))


def read_graph(connection: sqlite3.Connection) -> MotionGraph:
    """The graph as the rows have it; nothing is checked beyond what arrays and dataclasses refuse by themselves."""
    skeleton = _read_skeleton(connection)
    clips = _read_clips(connection, skeleton)
    nodes = np.fromiter(connection.execute("SELECT clip, frame FROM node ORDER BY id"), _NODE)
    columns = ", ".join(name for name, _ in _EDGE)
    edges = np.fromiter(connection.execute(f"SELECT {columns} FROM edge ORDER BY id"), _EDGE)
    labels = {
        label: Component(array(nodes, "<i4", count), array(edges, "<i4", edge_count))
        for label, count, edge_count, nodes, edges in of_kinds(
            connection.execute(
                "SELECT label, node_count, edge_count, nodes, edges FROM label_component ORDER BY label"
            ),
            *(str, int, int, bytes, bytes),
        )
    }
    return MotionGraph(
        clips=clips,
        node_clip=nodes["clip"],
        node_frame=nodes["frame"],
        edges=Edges(*(edges[name] for name, _ in _EDGE)),
        labels=labels,
        making=Record(
            Parameters.from_dict(_read_said(connection, "parameters", Parameters)),
            BuildReport.from_dict(_read_said(connection, "report", BuildReport)),
            _read_candidates(connection, [clip.name for clip in clips]),
        ),
    )


def read_meta(connection: sqlite3.Connection, key: str) -> str:
    """The value of a key of the table ``meta``."""
    row = connection.execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()
    if row is None:
        raise KeyError(f"meta has no {key}")
    return str(row[0])


def _read_said(connection: sqlite3.Connection, key: str, kind: type) -> dict[str, Any]:
    """The JSON of a key of the table ``meta``, whose values must be as the fields of ``kind`` say."""
    said: dict[str, Any] = json.loads(read_meta(connection, key))
    of_hint(said, kind, key)
    return said


def read_history(connection: sqlite3.Connection) -> tuple[Step, ...]:
    """What was done to make the graph, in order."""
    rows = connection.execute("SELECT step, seconds, pairs, version FROM history ORDER BY id")
    return tuple(Step(str(step), float(seconds), int(pairs), str(version)) for step, seconds, pairs, version in rows)


class _Inserter:
    """Rows into a table, as many columns as the table has."""

    def __init__(self, connection: sqlite3.Connection):
        self.connection = connection

    def __call__(self, table: str, rows: Iterable[tuple[Any, ...]]) -> None:
        columns = len(self.connection.execute(f"SELECT * FROM {table}").description)
        self.connection.executemany(f"INSERT INTO {table} VALUES ({', '.join('?' * columns)})", rows)


def _numbered(rows: Iterable[tuple[Any, ...]]) -> Iterable[tuple[Any, ...]]:
    return ((number, *row) for number, row in enumerate(rows))


def _clip_row(clip: Clip) -> tuple[Any, ...]:
    motion, source = clip.motion, clip.source
    return (
        motion.name,
        len(motion),
        motion.fps,
        int(clip.window),
        source.file,
        source.sha256,
        float(source.fps),
        int(source.frames),
        int(source.mirrored),
        int(source.retargeted),
        packed_root(motion.root).tobytes(),
        packed_rotations(motion.rotations).tobytes(),
        clip.contacts.tobytes(),
        clip.sound.tobytes(),
    )


def _read_skeleton(connection: sqlite3.Connection) -> Skeleton:
    return skeleton_of(
        connection.execute("SELECT name, parent, x, y, z FROM joint ORDER BY id"),
        connection.execute("SELECT joint, x, y, z FROM tip ORDER BY id"),
        connection.execute("SELECT role, joint, given FROM role ORDER BY role"),
    )


def _read_clips(connection: sqlite3.Connection, skeleton: Skeleton) -> tuple[Clip, ...]:
    spans: dict[int, list[LabelSpan]] = {}
    # older files do not say how sure a label is
    told = [name for _, name, *_ in connection.execute("PRAGMA table_info (label_span)")]
    confidence = "confidence" if "confidence" in told else "1.0"
    rows = connection.execute(f"SELECT clip, label, first, last, origin, {confidence} FROM label_span ORDER BY id")
    for clip, *span in of_kinds(rows, int, str, int, int, str, float):
        spans.setdefault(clip, []).append(LabelSpan(*span))
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
                tuple(spans.pop(len(clips), ())),
                ClipSource(file, sha256, source_fps, source_frames, bool(mirrored), bool(retargeted)),
                array(blobs[3], "u1", frames),
            )
        )
    if spans:
        raise ValueError(f"labels are given to clip {min(spans)}, which does not exist")
    return tuple(clips)


def _candidate_rows(named: Named, number: Mapping[str, int]) -> Iterator[tuple[Any, ...]]:
    """A row for each pair, cut out of the columns."""
    columns = named.columns
    first, second, cost = (
        memoryview(getattr(columns, name).astype(kind).tobytes())
        for name, kind in (("first", "<i4"), ("second", "<i4"), ("cost", "<f8"))
    )
    clips = [number[name] for name in named.names]
    starts = columns.offsets.tolist()
    for n, (a, b, window) in enumerate(
        zip(columns.a.tolist(), columns.b.tolist(), columns.window.tolist(), strict=True)
    ):
        low, high = starts[n], starts[n + 1]
        parts = first[4 * low : 4 * high], second[4 * low : 4 * high], cost[8 * low : 8 * high]
        yield clips[a], clips[b], window, high - low, *parts


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


def array(blob: bytes, dtype: str, *shape: int) -> NDArray[Any]:
    """A blob as an array of that shape, which it must fill."""
    return np.frombuffer(blob, dtype).reshape(shape)
