"""Between a `MotionGraph` and the rows of a `.mog` file."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kinegraph.crew import Threads, in_order
from kinegraph.graph.making.parameters import Parameters
from kinegraph.graph.making.record import Record
from kinegraph.graph.making.report import BuildReport
from kinegraph.graph.model import Clip, ClipSource, Component, Edges, LabelSpan, MotionGraph
from kinegraph.graph.store.digests import combined, json_text, know
from kinegraph.graph.store.faults import candidate_faults
from kinegraph.graph.store.kinds import of_hint, of_kinds
from kinegraph.graph.store.parts import (
    EDGE,
    FRAMES,
    KINDS,
    NODE,
    candidates_of,
    chosen_arrays,
    given_arrays,
    raw_rotations,
)
from kinegraph.graph.store.skeleton import joint_rows, role_rows, skeleton_of, tip_rows
from kinegraph.graph.store.stored import MogParts, StoredCandidates, StoredMotion, no_longer, sha_of
from kinegraph.motion.skeleton import Skeleton
from kinegraph.similarity.candidates import Candidates, Names
from kinegraph.similarity.minima import Minima

_CLIP_COLUMNS = (
    "name, frames, fps, window, source_file, source_sha256, source_fps, source_frames, mirrored, retargeted, "
    "licence, credit, sha256"
)  # fmt: skip
_CLIP_KINDS = (str, int, float, int, str, str, float, int, int, int, str, str, str)
# bytes of an array in one row: SQLite holds no more than a gigabyte in one
_PIECE = 1 << 26
# threads that fetch clips, and how many clips wait for each
_WORKERS, _AHEAD = 2, 8


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


@dataclass(frozen=True)
class Written:
    """The SHA-256 of what is in a file already."""

    clips: list[str]
    """Of the rotations of each clip."""
    arrays: dict[str, str]
    """Of arrays, by their names."""


def write_given(connection: sqlite3.Connection, clips: Sequence[Clip], candidates: Mapping[Names, Minima]) -> Written:
    """Fill the empty tables with what is known before transitions are chosen: the body, the clips, and candidates."""
    insert = _Inserter(connection)
    skeleton = clips[0].motion.skeleton
    insert("joint", _numbered(joint_rows(skeleton)))
    insert("tip", _numbered(tip_rows(skeleton)))
    insert("role", role_rows(skeleton))
    found: list[str] = []
    with Threads(_WORKERS) as crew:
        # fetched and compared with their SHA-256 while others are written
        insert("clip", _numbered(_noted(in_order(crew, _clip_row, clips, _AHEAD), found)))
    insert(
        "label_span",
        _numbered(
            (clip, span.label, int(span.first), int(span.last), span.origin, float(span.confidence))
            for clip in range(len(clips))
            for span in clips[clip].spans
        ),
    )
    return Written(found, _write_arrays(insert, given_arrays(clips, candidates)))


def write_chosen(
    connection: sqlite3.Connection, graph: MotionGraph, written: Written, history: Iterable[Step], version: str
) -> None:
    """Fill the other tables. written: what `write_given` has told."""
    insert, record = _Inserter(connection), graph.record
    arrays = written.arrays | _write_arrays(insert, chosen_arrays(graph))
    insert(
        "label_component",
        (
            (label, len(part.nodes), len(part.edges), *(a.astype("<i4").tobytes() for a in (part.nodes, part.edges)))
            for label, part in sorted(graph.labels.items())
        ),
    )
    insert("history", _numbered((s.step, float(s.seconds), int(s.pairs), s.version) for s in history))
    digest = combined(graph, written.clips, arrays)
    know(graph, digest)
    meta = {
        "version": version,
        "parameters": json_text(record.parameters.to_dict(), "the parameters"),
        "report": json_text(record.report.to_dict(), "the report"),
        "digest": digest,
    }
    insert("meta", sorted(meta.items()))


def read_graph(connection: sqlite3.Connection, file: MogParts) -> MotionGraph:
    """The graph as the rows have it, but for clips' rotations and candidates: these are read from ``file`` when they are needed. Nothing is
    checked but arrays against their SHA-256, beyond what arrays and dataclasses refuse by themselves.
    """
    skeleton = read_skeleton(connection)
    node, edge = (
        [read_array(connection, f"{what}_{name}") for name in columns]
        for what, columns in (("node", NODE), ("edge", EDGE))
    )
    clips = _read_clips(connection, skeleton, file)
    graph = MotionGraph(
        clips=clips,
        node_clip=node[0],
        node_frame=node[1],
        edges=Edges(*edge),
        labels=read_labels(connection),
        making=Record(*read_said(connection), _candidates(clips, file)),
    )
    know(graph, read_meta(connection, "digest"))
    return graph


def read_array(connection: sqlite3.Connection, name: str) -> NDArray[Any]:
    """An array that a file holds, compared with its SHA-256."""
    rows = connection.execute("SELECT piece, sha256, data FROM array WHERE name = ? ORDER BY piece", (name,))
    found: list[bytes] = []
    for number, (piece, sha256, data) in enumerate(of_kinds(rows, int, str, bytes)):
        if piece != number or sha_of(data) != sha256:
            raise ValueError(f"the array {name} is not what was saved")
        found.append(data)
    if not found:
        raise KeyError(f"there is no array {name}")
    return np.frombuffer(found[0] if len(found) == 1 else b"".join(found), KINDS[name])


def read_meta(connection: sqlite3.Connection, key: str) -> str:
    """The value of a key of the table ``meta``."""
    row = connection.execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()
    if row is None:
        raise KeyError(f"meta has no {key}")
    return str(row[0])


def read_said(connection: sqlite3.Connection) -> tuple[Parameters, BuildReport]:
    """Parameters and report, whose values must be as their fields say."""
    said: list[dict[str, Any]] = []
    for key, kind in (("parameters", Parameters), ("report", BuildReport)):
        said.append(json.loads(read_meta(connection, key)))
        of_hint(said[-1], kind, key)
    return Parameters.from_dict(said[0]), BuildReport.from_dict(said[1])


def read_history(connection: sqlite3.Connection) -> tuple[Step, ...]:
    """What was done to make the graph, in order."""
    rows = connection.execute("SELECT step, seconds, pairs, version FROM history ORDER BY id")
    return tuple(Step(str(step), float(seconds), int(pairs), str(version)) for step, seconds, pairs, version in rows)


def read_skeleton(connection: sqlite3.Connection) -> Skeleton:
    """The body."""
    return skeleton_of(
        connection.execute("SELECT name, parent, x, y, z FROM joint ORDER BY id"),
        connection.execute("SELECT joint, x, y, z FROM tip ORDER BY id"),
        connection.execute("SELECT role, joint, given FROM role ORDER BY role"),
    )


def read_labels(connection: sqlite3.Connection) -> dict[str, Component]:
    """Label → the part of the graph in which a walk can keep to it."""
    rows = connection.execute("SELECT label, node_count, edge_count, nodes, edges FROM label_component ORDER BY label")
    return {
        label: Component(array(nodes, "<i4", count), array(edges, "<i4", edge_count))
        for label, count, edge_count, nodes, edges in of_kinds(rows, str, int, int, bytes, bytes)
    }


def read_spans(connection: sqlite3.Connection) -> dict[int, tuple[LabelSpan, ...]]:
    """The number of a clip → its labels."""
    spans: dict[int, list[LabelSpan]] = {}
    # older files do not say how sure a label is
    told = [name for _, name, *_ in connection.execute("PRAGMA table_info (label_span)")]
    confidence = "confidence" if "confidence" in told else "1.0"
    rows = connection.execute(f"SELECT clip, label, first, last, origin, {confidence} FROM label_span ORDER BY id")
    for clip, *span in of_kinds(rows, int, str, int, int, str, float):
        spans.setdefault(clip, []).append(LabelSpan(*span))
    return {clip: tuple(found) for clip, found in spans.items()}


class _Inserter:
    """Rows into a table, as many columns as the table has."""

    def __init__(self, connection: sqlite3.Connection):
        self.connection = connection

    def __call__(self, table: str, rows: Iterable[tuple[Any, ...]]) -> None:
        columns = len(self.connection.execute(f"SELECT * FROM {table}").description)
        self.connection.executemany(f"INSERT INTO {table} VALUES ({', '.join('?' * columns)})", rows)


def _numbered(rows: Iterable[tuple[Any, ...]]) -> Iterable[tuple[Any, ...]]:
    return ((number, *row) for number, row in enumerate(rows))


def _write_arrays(insert: _Inserter, arrays: Iterable[tuple[str, NDArray[Any]]]) -> dict[str, str]:
    """Arrays in rows that SQLite can hold, an empty one in one as well; the SHA-256 of each by its name."""
    found: dict[str, str] = {}
    for name, values in arrays:
        data = values.reshape(-1).view(np.uint8).data
        parts = [data[start : start + _PIECE] for start in range(0, max(len(data), 1), _PIECE)]
        shas = [sha_of(part) for part in parts]
        insert("array", ((name, piece, sha, part) for piece, (sha, part) in enumerate(zip(shas, parts, strict=True))))
        found[name] = shas[0] if len(parts) == 1 else sha_of(data)
    return found


def _noted(rows: Iterable[tuple[Any, ...]], found: list[str]) -> Iterator[tuple[Any, ...]]:
    """The rows of clips; the SHA-256 of their rotations are put into ``found`` besides."""
    for row in rows:
        found.append(row[-2])
        yield row


def _clip_row(clip: Clip) -> tuple[Any, ...]:
    motion, source = clip.motion, clip.source
    rotations = raw_rotations(motion)
    # what comes from a file was compared with it just now
    sha256 = motion.sha256 if isinstance(motion, StoredMotion) else sha_of(rotations)
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
        source.licence,
        source.credit,
        sha256,
        rotations,
    )


def _read_clips(connection: sqlite3.Connection, skeleton: Skeleton, file: MogParts) -> tuple[Clip, ...]:
    spans = read_spans(connection)
    rows = list(of_kinds(connection.execute(f"SELECT {_CLIP_COLUMNS} FROM clip ORDER BY id"), *_CLIP_KINDS))
    total = sum(row[1] for row in rows)
    root, contacts, sound, heading = (
        read_array(connection, name).reshape((-1, width) if width > 1 else -1) for name, (_, width) in FRAMES.items()
    )
    # bodies of which nobody knows where they face have no heading
    if {len(root), len(contacts), len(sound), len(heading) or total} != {total} or min(row[1] for row in rows) < 1:
        raise ValueError("the clips have other frames than they are said to have")
    if not (np.isfinite(root).all() and np.isfinite(heading).all()):
        raise ValueError("a clip holds a value that is not finite")
    places, stands, heard = no_longer(root.astype(np.float64)), no_longer(contacts != 0), no_longer(sound != 0)
    clips: list[Clip] = []
    start = 0
    for name, frames, fps, window, file_name, sha256, was, count, mirrored, retargeted, licence, credit, own in rows:
        part = slice(start, start + frames)
        start += frames
        clips.append(
            Clip(
                StoredMotion.of(file, skeleton, places[part], heading[part] if len(heading) else None, fps, name, own),
                window,
                stands[part],
                spans.pop(len(clips), ()),
                ClipSource(file_name, sha256, was, count, bool(mirrored), bool(retargeted), licence, credit),
                heard[part],
            )
        )
    if spans:
        raise ValueError(f"labels are given to clip {min(spans)}, which does not exist")
    return tuple(clips)


def _candidates(clips: Iterable[Clip], file: MogParts) -> StoredCandidates:
    lengths = {clip.name: len(clip) for clip in clips}

    def read() -> Candidates:
        with file.reading() as connection:
            names = [name for name in KINDS if name.startswith("candidate_")]
            found = candidates_of({name: read_array(connection, name) for name in names})
            if found.pairs and not (
                0 <= min(found.a.min(), found.b.min()) <= max(found.a.max(), found.b.max()) < len(lengths)
            ):
                raise ValueError("candidates belong to a clip that does not exist")
            for fault in candidate_faults(lengths, sorted(lengths), found):
                raise ValueError(fault)
            return found

    return StoredCandidates(sorted(lengths), read)


def array(blob: bytes, dtype: str, *shape: int) -> NDArray[Any]:
    """A blob as an array of that shape, which it must fill."""
    return np.frombuffer(blob, dtype).reshape(shape)
