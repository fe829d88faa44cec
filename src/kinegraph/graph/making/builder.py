"""Building a motion graph, adding clips to it, and taking clips out of it.

A graph is a function of its clips, its parameters and the minima of every pair of clips. Minima depend on their two
clips alone, so that adding or removing clips compares only what is new and gives the same graph as building it from
nothing.
"""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Iterable, Sequence
from contextlib import ExitStack, nullcontext
from dataclasses import replace
from functools import partial
from os import PathLike
from pathlib import Path
from typing import Any

from kinegraph import crew, notes
from kinegraph.cluster import cluster
from kinegraph.errors import GraphError
from kinegraph.formats.intake import Given, Intake, Take, clip_files
from kinegraph.formats.intake import clips as taken_in
from kinegraph.formats.options import PLAIN, ReadOptions
from kinegraph.graph.labels import Labels
from kinegraph.graph.making.assemble import assemble
from kinegraph.graph.making.comparing import Comparing
from kinegraph.graph.making.draft import Draft
from kinegraph.graph.making.means import HERE, Means
from kinegraph.graph.making.parameters import Parameters
from kinegraph.graph.making.prepare import clouds_of, common_skeleton, laid_aside, prepare, sampled
from kinegraph.graph.model import Clip, MotionGraph
from kinegraph.graph.store.files import saving
from kinegraph.graph.store.rows import Step
from kinegraph.graph.store.stored import StoredMotion
from kinegraph.graph.styles import styled
from kinegraph.memory import give_back, need
from kinegraph.motion.clip import Motion
from kinegraph.motion.skeleton import Skeleton
from kinegraph.shelf import Shelf
from kinegraph.similarity.candidates import Named
from kinegraph.similarity.clouds import Cloud
from kinegraph.similarity.minima import METHOD
from kinegraph.watch import Watch, Watcher

# bytes of files from which on clips are laid aside on the disk, and several processes read them; and from which on they do if they begin
# at once
_LARGE, _MANY = 100_000_000, 4_000_000
# bytes of files for each frame of a graph, about
_EACH = 4_000


def build(
    clips: Given | Iterable[Given],
    parameters: Parameters | None = None,
    *,
    path: str | PathLike[str] | None = None,
    labels: Labels | None = None,
    skeleton: Skeleton | None = None,
    watch: Watcher = None,
    threads: int | None = None,
    reading: ReadOptions = PLAIN,
    strict: bool = True,
    processes: int = 1,
    memory: float | None = None,
    scheduler: str | None = None,
) -> MotionGraph:
    """The motion graph of clips: motions, files that hold them, or folders of such files, as `formats.clips` takes them in.

    path: where to save it; then a build that was stopped goes on where it was when it is called again. labels: from a
    file, see `labels.read`. skeleton: that of all clips in the graph, else the one that most clips have. watch: told of
    the stages read, prepare, compare, choose and save; where it stops the build, the pairs compared so far stay in the draft.
    threads: that compare. reading: how files are read. strict: refuse all where one file cannot be read; else such files are left out
    and named among the notices. processes: that read and prepare many clips; a script that asks for several must guard its
    ``__main__``, as `multiprocessing` wants it. memory: bytes that it may hold; what is compared is held in parts then, and clips lie on
    the disk. scheduler: the address of a Dask scheduler whose workers compare (extra ``cluster``); the graph is the same.

    >>> from kinegraph import samples
    >>> graph = build([samples.make(name).motion for name in ("walk", "walk_left_medium", "walk_right_medium")])
    >>> len(graph.clips), graph.record.report.kept > 0.8 * graph.record.report.attainable
    (3, True)
    """
    parameters, watch = parameters or Parameters(), Watch.of(watch)
    given = [clips] if isinstance(clips, Motion | Take | str | PathLike) else list(clips)
    amount = _bytes(given)
    large = amount >= _LARGE or memory is not None
    need()
    shelf = Shelf(Path(path).resolve().parent if path is not None else None) if large else None
    with ExitStack() as stack:
        # before anything is read: whoever gave a wrong address should not wait to be told
        means = Means(threads, stack.enter_context(cluster(scheduler)) if scheduler else None, memory)
        with crew.processes(processes if amount >= (_MANY if crew.forks() else _LARGE) else 1) as workers:
            become, keep = partial(sampled, parameters.fps), None if shelf is None else partial(laid_aside, shelf)
            watch.expect(expected(amount / _EACH))
            taken = taken_in(given, reading, watch, strict=strict, become=become, keep=keep, crew=workers)
            takes = _ordered(taken)
            watch.expect(expected(parameters.fps * sum(one.motion.seconds for one in takes)))
            made = prepare(
                takes,
                parameters,
                skeleton or common_skeleton(takes),
                labels=labels,
                watch=watch,
                crew=workers,
                shelf=shelf,
            )
        notices = (*taken.notices, *made.notices)
        return _finish(made.clips, made.clouds, parameters, None, notices, "build", path, (), None, watch, means)


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
    MotionGraph(2 clips, 115 nodes, 249 edges)
    """
    record, watch = graph.record, Watch.of(watch)
    taken = taken_in(clips, watch=watch)
    takes, notices = _ordered(taken), taken.repeated
    known = {clip.source.sha256: clip.name for clip in graph.clips if not clip.source.mirrored}
    fresh = []
    for one in takes:
        if one.sha256 in known:
            notices = (*notices, notes.KNOWN.say(name=one.name, other=known[one.sha256]))
        elif one.name in graph.clip_index:
            raise GraphError(f"the graph has another clip called {one.name!r}: remove that first, or rename this one")
        else:
            fresh.append(one)
    made: list[Clip] = []
    more: tuple[str, ...] = ()
    if fresh:
        prepared = prepare(fresh, record.parameters, graph.skeleton, labels=labels, watch=watch)
        made, more = prepared.clips, prepared.notices
    for clip in made:
        if clip.name in graph.clip_index:
            raise GraphError(f"the graph has another clip called {clip.name!r}: remove that first, or rename this one")
    every = sorted((*graph.clips, *made), key=lambda clip: clip.name)
    notices = (*record.report.notices, *notices, *more)
    clouds = clouds_of(every, record.parameters)
    means = Means(threads)
    return _finish(every, clouds, record.parameters, graph, notices, "add", path, history, keep, watch, means)


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
    return _finish(
        left,
        clouds_of(left, record.parameters),
        record.parameters,
        graph,
        record.report.notices,
        "remove",
        path,
        history,
        keep,
        Watch.of(watch),
        HERE,
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
    candidates = Named.of(record.candidates).numbered([clip.name for clip in graph.clips]).below(parameters.limit)
    clouds = clouds_of(graph.clips, parameters)
    return assemble(
        graph.clips,
        clouds,
        candidates,
        parameters,
        pairs=record.report.pairs,
        notices=record.report.notices,
        looked=record.report.looked,
        old=graph,
    )


def _finish(
    clips: Sequence[Clip],
    clouds: Sequence[Cloud],
    parameters: Parameters,
    old: MotionGraph | None,
    notices: tuple[str, ...],
    step: str,
    path: str | PathLike[str] | None,
    history: Sequence[Step],
    keep: str | PathLike[str] | None,
    watch: Watch,
    means: Means,
) -> MotionGraph:
    """Compare what is not known yet, assemble, and save where a path is given.

    old: a graph of some of the clips, which knows how these compare.
    """
    if parameters.styles:
        clips = styled(clips)
    # comparing a few clips leaves little memory behind, which is sooner used again than given back and asked for anew
    whole = old is None
    if whole:
        give_back()
    begun = time.perf_counter()
    comparing = Comparing(clips, clouds, parameters, None if old is None else old.record, means)
    draft = Draft.open(path, _fingerprint(clips, parameters, comparing.looked)) if path is not None else None
    with draft or nullcontext():
        candidates = comparing.run(draft, watch)
        seconds = time.perf_counter() - begun
        if whole:
            give_back()
        named = Named([clip.name for clip in clips], candidates)
        with saving(clips, named, path, keep=keep) if path is not None else nullcontext() as file:
            watch.tell("choose", 0, 1)
            graph = assemble(
                clips,
                clouds,
                candidates,
                parameters,
                pairs=comparing.pairs,
                notices=notices,
                looked=comparing.looked,
                most=means.frames(len(clouds[0].base)),
                old=old,
                meanwhile=None if file is None else file.begin,
            )
            watch.tell("choose", 1, 1)
            if file is not None:
                watch.tell("save", 0, 1)
                if whole:
                    give_back()
                file.finish(graph, [*history, Step(step, seconds, comparing.fresh, _version())])
        if draft:
            draft.discard()
    return graph


def _fingerprint(clips: Sequence[Clip], parameters: Parameters, looked: float | None) -> str:
    """Of all that decides what the minima are."""
    decisive = {name: value for name, value in parameters.to_dict().items() if name in ("fps", "weights", "along")}
    limit = parameters.limit if looked is None else looked
    sha = hashlib.sha256(json.dumps([METHOD, limit, decisive], sort_keys=True).encode())
    for clip in clips:
        sha.update(json.dumps([clip.name, clip.window, len(clip)]).encode())
        sha.update(clip.motion.root.tobytes())
        # what is in a graph's file already need not be read for that
        known = (
            clip.motion.sha256.encode() if isinstance(clip.motion, StoredMotion) else clip.motion.rotations.tobytes()
        )
        sha.update(known)
        sha.update(clip.sound.tobytes())
    skeleton = clips[0].motion.skeleton
    sha.update(skeleton.offsets.tobytes() + skeleton.parents.tobytes())
    sha.update(json.dumps([skeleton.names, sorted(skeleton.roles.items())]).encode())
    return sha.hexdigest()


def _ordered(taken: Intake) -> list[Any]:
    """What was taken in, ordered by name."""
    if not taken.takes:
        raise GraphError("no clips: give at least one")
    return sorted(taken.takes, key=lambda take: take.name)


def expected(frames: float) -> dict[str, float]:
    """How long the stages of a build of so many frames take, about: seconds of two processors, by how long the whole of CMU took."""
    return {
        "read": 40e-6 * frames,
        "prepare": 25e-6 * frames,
        "compare": 10e-6 * frames + 45.0 * (frames / 727_000) ** 2,
        "choose": 75e-6 * frames,
        "save": 33e-6 * frames,
    }


def _bytes(given: Sequence[Given]) -> int:
    """How large the files are that were given, also in folders."""
    paths = [one for one in given if isinstance(one, str | PathLike)]
    return sum(one.path.stat().st_size for one in clip_files(paths) if one.path.exists()) if paths else 0


def _version() -> str:
    from kinegraph.version import __version__  # here, since the package imports its parts first

    return __version__
