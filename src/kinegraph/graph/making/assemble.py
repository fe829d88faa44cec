"""From clips and the minima between them to the pruned graph. Pure: the same candidates give the same graph."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from kinegraph.arrays import Bools, Ints, Longs
from kinegraph.crew import Threads
from kinegraph.errors import GraphError
from kinegraph.graph.labels import lies_over
from kinegraph.graph.making import bridges, thresholds
from kinegraph.graph.making.alignments import Alignments
from kinegraph.graph.making.components import Network, Timeline, biggest, cyclic_count, parts
from kinegraph.graph.making.confined import confined
from kinegraph.graph.making.groups import ClipGroup, find_groups
from kinegraph.graph.making.label_ways import GraphSoFar, LabelWays, Leaving, label_ways
from kinegraph.graph.making.parameters import Parameters
from kinegraph.graph.making.record import Record
from kinegraph.graph.making.report import BuildReport, Group, Loss
from kinegraph.graph.making.transitions import Transitions, joined, transitions_from
from kinegraph.graph.model import Clip, EdgeKind, Edges, MotionGraph, label_frames
from kinegraph.graph.styles import styles
from kinegraph.similarity.candidates import Candidates, Named
from kinegraph.similarity.clouds import Cloud

# minima that lie no further apart than this many seconds in both clips do the same
_SAME = 1 / 15
# clips are near if they meet once in so many seconds of the shorter one
_MEETING = 0.5
# transitions that a group must have for each second of motion: runs that are just connected (11 of them) cannot follow a figure of eight,
# with 25 they stay within 3 cm of it; walks have 45 where they are just connected
_CHOICES = 25.0
# by how much a group's threshold is raised at a time until the share is reached
_STEP = 1.15


def assemble(
    clips: Sequence[Clip],
    clouds: Sequence[Cloud],
    candidates: Candidates,
    parameters: Parameters,
    *,
    pairs: int,
    notices: tuple[str, ...] = (),
    looked: float | None = None,
    most: float = np.inf,
    old: MotionGraph | None = None,
    meanwhile: Callable[[], None] | None = None,
) -> MotionGraph:
    """The motion graph of ``clips`` (in the order of their names) with their clouds and the minima of every pair, by the clips' numbers.

    pairs, looked: of windows that were compared, and how far, for the report. most: frames of clouds that are held at a time.
    old: a graph of some of these very clips: how its transitions are laid need not be worked out again. meanwhile: called when one
    processor is enough for the rest, to begin something else.
    """
    timeline = Timeline.of([len(clip) for clip in clips], [clip.sound for clip in clips])
    transitions = transitions_from(candidates, timeline.lengths, same=round(_SAME * parameters.fps))
    network = Network.of(timeline, transitions)
    able = _attainable(timeline, network, clips)
    with Threads(1) as beside:
        # what does not depend on groups, while these are looked for
        ways = beside.submit(bridges.Ways.of, timeline, transitions)
        usable = beside.submit(_usable, timeline, transitions, label_frames(clips))
        curve = beside.submit(thresholds.curve, network, transitions.cost, parameters.limit)
        if meanwhile is not None:
            beside.submit(meanwhile)
        plan = _plan(timeline, transitions, ways, network, parameters, able)
        labels = usable.result()
        if isinstance(parameters.threshold, str) and parameters.bridges:
            # first what a body does, then how it does it
            how = {*styles(clips), *filter(lies_over, labels)}
            plan = _caring(timeline, transitions, parameters, plan, labels, how)
        taken, kinds, cores = _taken(timeline, transitions, plan)
        labelled = parts(timeline, taken)
        kept = biggest(labelled)
        if not kept.any():
            raise GraphError(_no_cycle(network, parameters))
        losses = beside.submit(_losses, timeline, network, clips, able, kept, parameters)
        source, target = timeline.ends(taken)
        inside = kept[source] & kept[target]
        nodes = np.flatnonzero(_either(source[inside], target[inside], len(timeline)))
        alignments = Alignments(clouds, clips, old, most)
        edges = _edges(timeline, nodes, taken[inside], kinds[inside], cores[inside], alignments)
    node_clip = timeline.clip[nodes]
    node_frame = (nodes - timeline.starts[node_clip]).astype(np.int32)
    before = np.count_nonzero(_either(source, target, len(timeline)))
    report = BuildReport(
        frames=len(timeline),
        attainable=int(np.count_nonzero(able)),
        kept=int(np.count_nonzero(kept & able)),
        candidates=len(candidates),
        components=cyclic_count(labelled),
        dropped_nodes=int(before) - len(nodes),
        pairs=pairs,
        threshold=max((kind.threshold or 0.0) for kind in plan.groups),
        curve=curve.result(),
        groups=tuple(Group(tuple(clips[c].name for c in kind.clips), kind.threshold or 0.0) for kind in plan.groups),
        meetings=plan.choice.meetings,
        losses=losses.result(),
        labels={label: frames for label, (_, frames) in labels.items()},
        notices=notices,
        looked=looked,
    )
    record = Record(parameters, report, Named([clip.name for clip in clips], candidates))
    graph = MotionGraph(tuple(clips), node_clip.astype(np.int32), node_frame, edges, {}, record)
    return replace(graph, labels=confined(graph))


def _usable(timeline: Timeline, transitions: Transitions, labels: Mapping[str, Bools]) -> dict[str, tuple[Bools, int]]:
    """Label → its frames, and how many of them a walk that keeps to it has if all transitions may be taken."""
    leaving = Leaving(timeline, transitions)
    return {label: (frames, leaving.usable(frames)) for label, frames in labels.items()}


def _either(source: Ints, target: Ints, count: int) -> Bools:
    """``(count,)``: which frames are a source or a target."""
    found = np.zeros(count, bool)
    found[source] = found[target] = True
    return found


def _attainable(timeline: Timeline, network: Network, clips: Sequence[Clip]) -> Bools:
    """``(F,)``: frames that all transitions together would keep, without the first and last window of every clip."""
    place = np.arange(len(timeline)) - timeline.starts[timeline.clip]
    window = np.array([clip.window for clip in clips])[timeline.clip]
    inner = (place >= window) & (place <= np.asarray(timeline.lengths)[timeline.clip] - window)
    return np.asarray(network.largest() & inner)


@dataclass(frozen=True, eq=False)
class _Plan:
    groups: list[ClipGroup]
    choice: bridges.Choice
    ways: LabelWays | None = None


def _plan(
    timeline: Timeline,
    transitions: Transitions,
    ways: Future[bridges.Ways],
    network: Network,
    parameters: Parameters,
    able: Bools,
) -> _Plan:
    """Groups with their thresholds, and which transitions are taken; ``ways`` are of these transitions."""
    if not isinstance(parameters.threshold, str):
        groups = [ClipGroup(tuple(range(len(timeline.lengths))), parameters.threshold)]
        return _Plan(groups, bridges.choose(ways.result(), groups, bridges=False))
    if not parameters.bridges:
        # without bridges only one threshold for all can hold all clips together
        goal = int(np.ceil(parameters.share * np.count_nonzero(able)))
        threshold = thresholds.smallest_threshold(network, [(able, goal)], parameters.limit)
        groups = [ClipGroup(tuple(range(len(timeline.lengths))), threshold)]
        return _Plan(groups, bridges.choose(ways.result(), groups, bridges=False))
    groups = find_groups(
        timeline,
        transitions,
        network,
        share=parameters.share,
        ceiling=parameters.limit,
        every=_MEETING * parameters.fps,
        choice=_CHOICES / parameters.fps,
    )
    while True:
        plan = _Plan(groups, bridges.choose(ways.result(), groups, bridges=True))
        kept = plan.choice.kept
        raised = _raised(timeline, groups, able, kept, parameters)
        if np.count_nonzero(kept & able) >= parameters.share * np.count_nonzero(able) or raised == groups:
            return plan
        groups = raised


def _raised(
    timeline: Timeline, groups: list[ClipGroup], able: Bools, kept: Bools, parameters: Parameters
) -> list[ClipGroup]:
    """Thresholds a step higher where a group keeps less than its share: by itself it may attain less than with the others' help."""
    out = []
    could = np.bincount(timeline.clip[able], minlength=len(timeline.lengths))
    has = np.bincount(timeline.clip[kept & able], minlength=len(timeline.lengths))
    for kind in groups:
        own = list(kind.clips)
        short = has[own].sum() < parameters.share * could[own].sum()
        higher = kind.threshold
        if short and higher is not None:
            higher = min(round(_STEP * higher, 6), parameters.limit)
        out.append(replace(kind, threshold=higher))
    return out


def _caring(
    timeline: Timeline,
    transitions: Transitions,
    parameters: Parameters,
    plan: _Plan,
    labels: Mapping[str, tuple[Bools, int]],
    last: set[str],
) -> _Plan:
    """The plan with the ways that labels need."""
    limit = np.zeros(len(timeline.lengths))
    for kind in plan.groups:
        limit[list(kind.clips)] = kind.threshold or 0.0
    chosen = GraphSoFar(
        plan.choice.ordinary,
        plan.choice.bridges,
        _taken(timeline, transitions, plan)[0],
        np.minimum(limit[transitions.source_clip], limit[transitions.target_clip]),
    )
    ways = label_ways(timeline, transitions, chosen, labels, last=last, fps=parameters.fps, ceiling=parameters.limit)
    return replace(plan, ways=ways)


def _taken(timeline: Timeline, transitions: Transitions, plan: _Plan) -> tuple[Transitions, NDArray[np.uint8], Ints]:
    """The transitions of the graph, their kinds, and the length of the window in their middle that was compared."""
    choice, ways = plan.choice, plan.ways
    ordinary, bridging = transitions[choice.ordinary], transitions[choice.bridges]
    longer = bridges.lengthened(bridging, timeline)
    if ways is not None:
        ordinary = joined(ordinary, transitions[ways.ordinary])
        bridging, longer = joined(bridging, transitions[ways.bridges]), joined(longer, ways.lengthened)
    kinds = np.repeat(
        np.array([EdgeKind.TRANSITION, EdgeKind.BRIDGE], np.uint8),
        [len(ordinary), len(bridging)],
    )
    return joined(ordinary, longer), kinds, np.concatenate([ordinary.length, bridging.length])


def _edges(
    timeline: Timeline,
    nodes: Longs,
    taken: Transitions,
    kinds: NDArray[np.uint8],
    cores: Ints,
    alignments: Alignments,
) -> Edges:
    """Original stretches between neighbouring nodes of a clip, and the transitions, ordered by source."""
    clip = timeline.clip[nodes]
    tails = np.flatnonzero(clip[1:] == clip[:-1])
    number = np.empty(len(timeline), np.int64)
    number[nodes] = np.arange(len(nodes))
    source, target = timeline.ends(taken)
    cost, angle, x, z = alignments.of(taken, cores)
    none = np.zeros(len(tails))
    columns = {
        "source": np.concatenate([tails, number[source]]),
        "target": np.concatenate([tails + 1, number[target]]),
        "kind": np.concatenate([np.full(len(tails), EdgeKind.ORIGINAL, np.uint8), kinds]),
        "length": np.concatenate([nodes[tails + 1] - nodes[tails], taken.length]),
        "cost": np.concatenate([none, cost]),
        "angle": np.concatenate([none, angle]),
        "x": np.concatenate([none, x]),
        "z": np.concatenate([none, z]),
    }
    order = _ordered(len(nodes), *(columns[name] for name in ("source", "kind", "target", "length")))
    return Edges(**{name: values[order] for name, values in columns.items()})


def _ordered(nodes: int, source: Longs, kind: NDArray[np.uint8], target: Longs, length: Longs) -> Longs:
    """The order of edges between so many nodes by source, kind, target and length: one number is sorted sooner than four."""
    longest = int(length.max(initial=0)) + 1
    if nodes * len(EdgeKind) * nodes * longest < 1 << 62:
        numbers = ((source * len(EdgeKind) + kind) * nodes + target) * longest + length
        order: Longs = np.argsort(numbers)
        if (np.diff(numbers[order]) > 0).all():
            return order
    # of edges that are alike in all four the one that comes first stays first
    return np.lexsort((length, target, kind, source))


def _losses(
    timeline: Timeline,
    network: Network,
    clips: Sequence[Clip],
    able: Bools,
    kept: Bools,
    parameters: Parameters,
) -> tuple[Loss, ...]:
    """What pruning took of every clip that lost more than its ends."""
    count = len(clips)
    had = np.bincount(timeline.clip[able], minlength=count)
    has = np.bincount(timeline.clip[kept], minlength=count)
    whole = np.bincount(timeline.clip[kept & able], minlength=count) >= had
    left_out = np.flatnonzero((has == 0) & (had > 0))
    needs = dict(
        zip(
            left_out.tolist(),
            thresholds.entrances(network, timeline.clip, left_out, parameters.limit),
            strict=True,
        )
    )
    return tuple(
        Loss(clip.name, int(len(clip) - has[index]), len(clip), needs.get(index))
        for index, clip in enumerate(clips)
        if not (has[index] and whole[index])
    )


def _no_cycle(network: Network, parameters: Parameters) -> str:
    """Why there is no graph, and which threshold would give one."""
    some = thresholds.smallest_threshold(network, [(np.ones(len(network), bool), 2)], parameters.limit)
    asked = parameters.threshold
    if isinstance(asked, str) or some is None:
        return (
            f"below {100 * parameters.limit:g} cm these clips do not meet in a way that leads back: no motion could go on. "
            "Give clips that resemble each other, a shorter window, or a higher ceiling"
        )
    return f"a threshold of {100 * asked:g} cm leaves no cycle: {100 * some:.2f} cm would, and 'auto' finds a good one"
