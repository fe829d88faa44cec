"""What to keep of hours of capture: takes that are nearly the same, what is wrong with clips, and what each adds to the graph.

Every answer is a list of plain rows, ready for JSON, what matters most first.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np

from kinegraph.arrays import Array
from kinegraph.graph.model import Clip, EdgeKind, MotionGraph
from kinegraph.graph.summary.figures import kept_frames
from kinegraph.motion import rotation
from kinegraph.motion.spans import spans
from kinegraph.similarity.candidates import Named
from kinegraph.watch import Watch, Watcher

# metres between matched points below which a moment of two clips may be one and the same; and between their joints, all along
_ALIKE, _SAME = 0.01, 0.015
# the share of the shorter clip that must be the same
_MOSTLY = 0.8
# seconds for which a joint is frozen that does not turn by this angle (radians) while the others turn on average by at least that, a second
_FROZEN, _STILL, _MOVES = 1.0, 1e-4, 0.3
# the share of the clips in which a joint may be frozen for it to be worth telling
_UNUSUAL = 0.2
# times the usual (the 99th percentile of all clips) by which the velocity of a joint changes where it leaps
_LEAPS = 6.0


def duplicates(graph: MotionGraph, watch: Watcher = None) -> list[dict[str, Any]]:
    """Takes of which most is nearly the same motion: ``clip``, ``same_as``, the ``seconds`` and the ``share`` of the shorter one that are,
    ``later`` by how many seconds the second shows it later, and ``apart_cm``, how far their joints are from each other on average.

    Looked for among the graph's candidates: only takes that meet within a centimetre somewhere are compared all along.

    >>> import kinegraph as kg
    >>> walk = kg.samples.make("walk").motion
    >>> graph = kg.graph.build([walk, walk[8:].renamed("again"), kg.samples.make("run").motion])
    >>> [(row["clip"], row["same_as"], round(row["later"], 2)) for row in duplicates(graph)]
    [('again', 'walk', 0.13)]
    """
    watch = Watch.of(watch)
    named = Named.of(graph.record.candidates)
    found = named.columns
    owner = found.owner
    near = np.flatnonzero((found.cost < _ALIKE) & (found.a[owner] != found.b[owner]))
    # of each pair the place that is most alike
    near = near[np.lexsort((found.cost[near], owner[near]))]
    near = near[np.unique(owner[near], return_index=True)[1]]
    rows = []
    for number, place in enumerate(near.tolist()):
        watch.tell("compare", number, len(near))
        one, two = (graph.clip(named.names[int(side[owner[place]])]) for side in (found.a, found.b))
        row = _overlap(one, two, int(found.second[place]) - int(found.first[place]))
        if row is not None:
            rows.append(row)
    return sorted(rows, key=lambda row: (-row["share"], row["apart_cm"]))


def flaws(graph: MotionGraph, watch: Watcher = None) -> list[dict[str, Any]]:
    """What is wrong with clips: ``clip``, ``flaw`` (lost, frozen, leap), ``joint`` where it is one, ``first`` and ``last`` frame past it,
    and ``seconds``. Lost: the capture lost a joint, and no transition leads there. Frozen: a joint stays as it is while the body moves.
    Leap: a joint changes its velocity far more than anywhere else.

    >>> import kinegraph as kg
    >>> flaws(kg.graph.build([kg.samples.make(name).motion for name in ("walk", "walk_left_medium")]))
    []
    """
    watch = Watch.of(watch)
    joints = sorted(set(graph.skeleton.roles.values()) - {0}) or list(range(1, len(graph.skeleton)))
    usual = _usual(graph, joints)
    rows: list[dict[str, Any]] = []
    for number, clip in enumerate(graph.clips):
        watch.tell("look", number, len(graph.clips))
        for flaw, joint, first, last in _flaws(clip, joints, usual):
            name = None if joint is None else graph.skeleton.names[joint]
            seconds = round((last - first) / graph.fps, 6)
            rows.append(
                {"clip": clip.name, "flaw": flaw, "joint": name, "first": first, "last": last, "seconds": seconds}
            )
    # a joint that hardly any clip moves was not captured: that is no clip's flaw
    frozen = Counter(row["joint"] for row in rows if row["flaw"] == "frozen")
    rows = [
        row for row in rows if row["flaw"] != "frozen" or frozen[row["joint"]] <= max(1, _UNUSUAL * len(graph.clips))
    ]
    return sorted(rows, key=lambda row: (-row["seconds"], row["clip"], row["first"]))


def contributions(graph: MotionGraph) -> list[dict[str, Any]]:
    """What each clip adds: ``seconds`` and ``kept_seconds``, ``labels`` with the share of the graph's frames of each that are its own,
    ``to_clips`` and ``from_clips``, and ``holds``: clips that could not be entered, or not left, without it. What adds least comes first.

    >>> import kinegraph as kg
    >>> graph = kg.graph.build([kg.samples.make(name).motion for name in ("walk", "walk_left_medium")])
    >>> sorted(row["clip"] for row in contributions(graph))
    ['walk', 'walk_left_medium']
    """
    kept, count = kept_frames(graph), len(graph.clips)
    totals: dict[str, int] = {}
    own: list[dict[str, int]] = []
    for clip, frames in zip(graph.clips, kept, strict=True):
        borne = {label: int((clip.labelled(label) & frames).sum()) for label in {span.label for span in clip.spans}}
        own.append(borne)
        for label, some in borne.items():
            totals[label] = totals.get(label, 0) + some
    edges = graph.edges
    blends = edges.kind != EdgeKind.ORIGINAL
    ends = np.stack([graph.node_clip[edges.source[blends]], graph.node_clip[edges.target[blends]]])
    pairs = np.unique(ends[0].astype(np.int64) * count + ends[1])
    out_of, into = pairs // count, pairs % count
    other = out_of != into
    out_of, into = out_of[other], into[other]
    to, fro = np.bincount(out_of, minlength=count), np.bincount(into, minlength=count)
    holds: dict[int, set[int]] = {}
    for one, two in zip(out_of.tolist(), into.tolist(), strict=True):
        if fro[two] == 1:
            holds.setdefault(one, set()).add(two)
        if to[one] == 1:
            holds.setdefault(two, set()).add(one)
    rows = [
        {
            "clip": clip.name,
            "seconds": round(len(clip) / graph.fps, 6),
            "kept_seconds": round(int(frames.sum()) / graph.fps, 6),
            "labels": {
                label: round(some / totals[label], 4)
                for label, some in sorted(borne.items(), key=lambda o: -o[1])
                if some
            },
            "to_clips": int(to[number]),
            "from_clips": int(fro[number]),
            "holds": sorted(graph.clips[held].name for held in holds.get(number, ())),
        }
        for number, (clip, frames, borne) in enumerate(zip(graph.clips, kept, own, strict=True))
    ]
    return sorted(
        rows, key=lambda row: (len(row["holds"]), max(row["labels"].values(), default=0.0), row["kept_seconds"])
    )


def _overlap(one: Clip, two: Clip, later: int) -> dict[str, Any] | None:
    """The row of two clips if the second shows, so many frames ``later``, what the first does."""
    first, last = max(0, -later), min(len(one), len(two) - later)
    share = (last - first) / min(len(one), len(two))
    if share < _MOSTLY:
        return None
    a, b = _seen(one, slice(first, last)), _seen(two, slice(first + later, last + later))
    apart = np.linalg.norm(a - b, axis=-1).mean(axis=1)
    same = apart < _SAME
    if same.sum() < _MOSTLY * min(len(one), len(two)):
        return None
    fps = one.motion.fps
    return {
        "clip": one.name,
        "same_as": two.name,
        "seconds": round(int(same.sum()) / fps, 6),
        "share": round(int(same.sum()) / min(len(one), len(two)), 4),
        "later": round(later / fps, 6),
        "apart_cm": round(100 * float(apart[same].mean()), 4),
    }


def _seen(clip: Clip, frames: slice) -> Array:
    """Joints ``(F, J, 3)`` as the body sees them: from its root, and from where it faces."""
    motion = clip.motion
    away = motion.positions[frames] - motion.root[frames, None] * np.array([1.0, 0.0, 1.0])
    angle = -motion.heading()[frames]
    cosine, sine = np.cos(angle)[:, None], np.sin(angle)[:, None]
    x, y, z = np.moveaxis(away, -1, 0)
    return np.stack([cosine * x + sine * z, y, cosine * z - sine * x], axis=-1)


def _changes(clip: Clip, joints: list[int]) -> Array:
    """By how many metres a frame the velocity of each joint changes at each frame ``(F − 2, n)``."""
    places = clip.motion.positions[:, joints]
    changes: Array = np.linalg.norm(places[2:] - 2.0 * places[1:-1] + places[:-2], axis=-1)
    return changes


def _usual(graph: MotionGraph, joints: list[int]) -> float:
    from kinegraph.graph.sampling import some_clips

    parts = [
        _changes(graph.clips[number], joints).ravel() for number in some_clips(graph) if len(graph.clips[number]) > 2
    ]
    return float(np.percentile(np.concatenate(parts), 99)) if parts else np.inf


def _flaws(clip: Clip, joints: list[int], usual: float) -> Iterator[tuple[str, int | None, int, int]]:
    for first, last in spans(~clip.sound):
        yield "lost", None, first, last
    if len(clip) < 3:
        return
    changes = _changes(clip, joints)
    for place in np.argwhere((changes > _LEAPS * usual) & clip.sound[1:-1, None] & _peaks(changes)).tolist():
        yield "leap", joints[place[1]], place[0] + 1, place[0] + 2
    motion = clip.motion
    turns = rotation.angle_between(motion.rotations[1:, joints], motion.rotations[:-1, joints])
    moving = turns.mean(axis=1) * motion.fps > _MOVES
    for number, joint in enumerate(joints):
        for first, last in spans(turns[:, number] < _STILL):
            if last - first >= _FROZEN * motion.fps and moving[first:last].mean() > 0.5:
                yield "frozen", joint, first, last + 1


def _peaks(changes: Array) -> Any:
    """Where a change is the largest of its joint among its neighbours: a leap changes a velocity there and back."""
    padded = np.pad(changes, ((2, 2), (0, 0)))
    near = np.stack([padded[k : k + len(changes)] for k in (0, 1, 3, 4)])
    return changes > near.max(axis=0)
