"""Building a motion graph, adding clips to it, and taking clips out of it.

A graph is a function of its clips, its parameters and the minima of every pair of clips. Minima depend on their two
clips alone, so that adding or removing clips compares only what is new and gives the same graph as building it from
nothing.
"""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Iterable, Mapping, Sequence
from contextlib import nullcontext, suppress
from dataclasses import replace
from os import PathLike

from kinegraph.errors import GraphError, KinegraphError
from kinegraph.formats.intake import Given, Intake, Take
from kinegraph.formats.intake import clips as taken_in
from kinegraph.graph.labels import Labels
from kinegraph.graph.making.assemble import assemble
from kinegraph.graph.making.draft import Draft
from kinegraph.graph.making.parameters import Parameters
from kinegraph.graph.making.prepare import common_skeleton, prepare
from kinegraph.graph.model import Clip, MotionGraph
from kinegraph.graph.store.files import save
from kinegraph.graph.store.rows import Step
from kinegraph.graph.styles import styled
from kinegraph.motion.skeleton import Skeleton
from kinegraph.similarity.clouds import Cloud, cloud, cloud_matrix, mass_weights
from kinegraph.similarity.compare import compare_all, window_pairs
from kinegraph.similarity.minima import Minima
from kinegraph.watch import Watch, Watcher

Names = tuple[str, str]

# Changes whenever the same clips and parameters would give other minima.
_METHOD = "minima-1"
# seconds between two writes to the draft
_PAUSE = 0.5


def build(
    clips: Given | Iterable[Given],
    parameters: Parameters | None = None,
    *,
    path: str | PathLike[str] | None = None,
    labels: Labels | None = None,
    skeleton: Skeleton | None = None,
    watch: Watcher = None,
    threads: int | None = None,
) -> MotionGraph:
    """The motion graph of clips: motions, files that hold them, or folders of such files, as `formats.clips` takes them in.

    path: where to save it; then a build that was stopped goes on where it was when it is called again. labels: from a
    file, see `labels.read`. skeleton: that of all clips in the graph, else the one that most clips have. watch: told of
    the stages read, prepare, compare, choose and save; where it stops the build, the pairs compared so far stay in the draft.

    >>> from kinegraph import samples
    >>> graph = build([samples.make(name).motion for name in ("walk", "walk_left_medium", "walk_right_medium")])
    >>> len(graph.clips), graph.record.report.kept > 0.8 * graph.record.report.attainable
    (3, True)
    """
    parameters, watch = parameters or Parameters(), Watch.of(watch)
    takes, notices = _taken(clips, watch)
    made, more = prepare(takes, parameters, skeleton or common_skeleton(takes), labels=labels, watch=watch)
    return _finish(made, parameters, {}, (*notices, *more), "build", path, (), None, watch, threads)


def add(
    graph: MotionGraph,
    clips: Given | Iterable[Given],
    *,
    path: str | PathLike[str] | None = None,
    labels: Labels | None = None,
    history: Sequence[Step] = (),
    keep: str | PathLike[str] | None = None,
    watch: Watcher = None,
    threads: int | None = None,
) -> MotionGraph:
    """The graph with further clips, on its skeleton and with its parameters; pairs of old clips are not compared again.

    history: what was done before, to be saved with it, see `store.steps`. keep: a file whose spaces are saved along, see `store.save`.

    >>> import kinegraph as kg
    >>> graph = kg.graph.build(kg.samples.make("walk").motion)
    >>> kg.graph.add(graph, kg.samples.make("walk_left_medium").motion)
    MotionGraph(2 clips, 147 nodes, 275 edges)
    """
    record, watch = graph.record, Watch.of(watch)
    takes, notices = _taken(clips, watch)
    known = {clip.source.sha256: clip.name for clip in graph.clips if not clip.source.mirrored}
    fresh = []
    for one in takes:
        if one.sha256 in known:
            notices = (*notices, f"{one.name} is in the graph already, as {known[one.sha256]}: left as it is")
        elif one.name in graph.clip_index:
            raise GraphError(f"the graph has another clip called {one.name!r}: remove that first, or rename this one")
        else:
            fresh.append(one)
    made: list[Clip] = []
    more: tuple[str, ...] = ()
    if fresh:
        made, more = prepare(fresh, record.parameters, graph.skeleton, labels=labels, watch=watch)
    for clip in made:
        if clip.name in graph.clip_index:
            raise GraphError(f"the graph has another clip called {clip.name!r}: remove that first, or rename this one")
    every = sorted((*graph.clips, *made), key=lambda clip: clip.name)
    notices = (*record.report.notices, *notices, *more)
    return _finish(every, record.parameters, record.candidates, notices, "add", path, history, keep, watch, threads)


def remove(
    graph: MotionGraph,
    names: Iterable[str],
    *,
    path: str | PathLike[str] | None = None,
    history: Sequence[Step] = (),
    keep: str | PathLike[str] | None = None,
    watch: Watcher = None,
) -> MotionGraph:
    """The graph without some clips; a clip's mirrored copy goes with it. history, keep: as in `add`.

    >>> import kinegraph as kg
    >>> graph = kg.graph.build([kg.samples.make(name).motion for name in ("walk", "walk_left_medium")])
    >>> [clip.name for clip in kg.graph.remove(graph, ["walk"]).clips]
    ['walk_left_medium']
    """
    record, gone = graph.record, set()
    for name in names:
        source = graph.clip(name).source
        gone.add(name)
        if not source.mirrored:
            gone |= {clip.name for clip in graph.clips if clip.source == replace(source, mirrored=True)}
    left = [clip for clip in graph.clips if clip.name not in gone]
    if not left:
        raise GraphError("that would leave no clip: delete the file instead")
    known = {pair: minima for pair, minima in record.candidates.items() if not gone & set(pair)}
    return _finish(
        left, record.parameters, known, record.report.notices, "remove", path, history, keep, Watch.of(watch), None
    )


def rechoose(graph: MotionGraph, parameters: Parameters) -> MotionGraph:
    """The graph with another threshold, share or choice of bridges; nothing is compared again.

    >>> import kinegraph as kg
    >>> from dataclasses import replace
    >>> graph = kg.graph.build([kg.samples.make(name).motion for name in ("walk", "walk_left_medium")])
    >>> stricter = kg.graph.rechoose(graph, replace(graph.record.parameters, threshold=0.02))    # metres
    >>> len(stricter.edges) < len(graph.edges), stricter.record.report.threshold
    (True, 0.02)
    """
    record, allowed = graph.record, {"threshold", "share", "bridges"}
    for name, value in parameters.to_dict().items():
        if name not in allowed and value != record.parameters.to_dict()[name]:
            raise GraphError(f"{name} decides what is compared: build the graph anew to change it")
    if parameters.limit > record.parameters.limit:
        raise GraphError(
            f"candidates were looked for up to {100 * record.parameters.limit:g} cm only: build the graph anew for a higher threshold"
        )
    candidates = {pair: minima.below(parameters.limit) for pair, minima in record.candidates.items()}
    clouds = _clouds(graph.clips, parameters)
    return assemble(
        graph.clips, clouds, candidates, parameters, pairs=record.report.pairs, notices=record.report.notices
    )


def _finish(
    clips: Sequence[Clip],
    parameters: Parameters,
    known: Mapping[Names, Minima],
    notices: tuple[str, ...],
    step: str,
    path: str | PathLike[str] | None,
    history: Sequence[Step],
    keep: str | PathLike[str] | None,
    watch: Watch,
    threads: int | None,
) -> MotionGraph:
    """Compare what is not known yet, assemble, and save where a path is given."""
    if parameters.styles:
        clips = styled(clips)
    clouds = _clouds(clips, parameters)
    windows = {(a, b): min(clips[a].window, clips[b].window) for a in range(len(clips)) for b in range(a, len(clips))}
    sizes = {
        pair: window_pairs(len(clips[pair[0]]), len(clips[pair[1]]), window, same=pair[0] == pair[1])
        for pair, window in windows.items()
    }
    draft = Draft.open(path, _fingerprint(clips, parameters)) if path is not None else None
    with draft or nullcontext():
        begun = time.perf_counter()
        done = {**known, **(draft.done if draft else {})}
        named = {pair: (clips[pair[0]].name, clips[pair[1]].name) for pair in windows}
        todo = {pair: window for pair, window in windows.items() if named[pair] not in done}
        held: dict[Names, Minima] = {}
        last = begun
        try:
            for pair, minima in compare_all(clouds, todo, limit=parameters.limit, threads=threads, watch=watch):
                held[named[pair]] = minima
                if draft and time.perf_counter() - last > _PAUSE:
                    draft.put(held)
                    done |= held
                    held, last = {}, time.perf_counter()
        except BaseException:
            # whoever stops a build, by a key or by their watch: what was compared is kept
            if draft and held:
                with suppress(KinegraphError):
                    draft.put(held)
            raise
        if draft:
            # whatever comes, this need not be compared again
            draft.put(held)
        done |= held
        seconds = time.perf_counter() - begun
        candidates = {named[pair]: done[named[pair]] for pair in sorted(windows)}
        watch.tell("choose", 0, 1)
        graph = assemble(clips, clouds, candidates, parameters, pairs=sum(sizes.values()), notices=notices)
        watch.tell("choose", 1, 1)
        if path is not None:
            watch.tell("save", 0, 1)
            steps = [*history, Step(step, seconds, sum(sizes[pair] for pair in todo), _version())]
            save(graph, path, steps, keep=keep)
        if draft:
            draft.discard()
    return graph


def _clouds(clips: Sequence[Clip], parameters: Parameters) -> list[Cloud]:
    skeleton = clips[0].motion.skeleton
    matrix = cloud_matrix(skeleton, mass_weights(skeleton, parameters.weights), parameters.along)
    return [cloud(clip.motion, matrix, clip.sound) for clip in clips]


def _fingerprint(clips: Sequence[Clip], parameters: Parameters) -> str:
    """Of all that decides what the minima are."""
    decisive = {name: value for name, value in parameters.to_dict().items() if name in ("fps", "weights", "along")}
    sha = hashlib.sha256(json.dumps([_METHOD, parameters.limit, decisive], sort_keys=True).encode())
    for clip in clips:
        sha.update(json.dumps([clip.name, clip.window, len(clip)]).encode())
        sha.update(clip.motion.root.tobytes())
        sha.update(clip.motion.rotations.tobytes())
        sha.update(clip.sound.tobytes())
    skeleton = clips[0].motion.skeleton
    sha.update(skeleton.offsets.tobytes() + skeleton.parents.tobytes())
    sha.update(json.dumps([skeleton.names, sorted(skeleton.roles.items())]).encode())
    return sha.hexdigest()


def _taken(clips: Given | Iterable[Given], watch: Watch) -> tuple[list[Take], tuple[str, ...]]:
    """The takes of clips, ordered by name, and what should be known of them."""
    taken: Intake = taken_in(clips, watch=watch)
    if not taken.takes:
        raise GraphError("no clips: give at least one")
    return sorted(taken.takes, key=lambda take: take.name), taken.repeated


def _version() -> str:
    from kinegraph.version import __version__  # here, since the package imports its parts first

    return __version__
