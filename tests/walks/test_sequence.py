from __future__ import annotations

import itertools
import time
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from kinegraph import samples
from kinegraph.errors import GraphError
from kinegraph.graph import Parameters, build
from kinegraph.graph.model import Clip, EdgeKind, Edges, LabelSpan, MotionGraph
from kinegraph.graph.walk import Walk
from kinegraph.walks.choice import edges_within, played, resolve
from kinegraph.walks.ordering import price, sequence, stays, visited
from tests.graph.made import made_clip, made_graph

FPS = 30.0
SECOND = 0.6  # dear, so that an exhaustive search has an end
FRAME = SECOND**2 / FPS


@cache
def _base() -> tuple[MotionGraph, tuple[Clip, ...]]:
    return made_graph(), tuple(made_clip(name, 12) for name in ("run", "stand", "walk"))


def _tiny(rng: np.random.Generator) -> MotionGraph:
    """Two or three clips of twelve frames, some nodes, some transitions between any of them, labels a and b anywhere."""
    base, clips = _base()
    clips = clips[: rng.integers(2, 4)]
    spans = [
        tuple(
            LabelSpan(label, *sorted(rng.choice(13, 2, replace=False).tolist()))
            for label in ("a", "b")
            if rng.random() < 0.8
        )
        for _ in clips
    ]
    clips = tuple(replace(clip, spans=own) for clip, own in zip(clips, spans, strict=True))
    nodes = [
        (c, f) for c in range(len(clips)) for f in sorted(rng.choice(12, rng.integers(2, 5), replace=False).tolist())
    ]
    rows = [(i, i + 1, 0, q[1] - p[1], 0.0) for i, (p, q) in enumerate(pairwise(nodes)) if p[0] == q[0]]
    for _ in range(rng.integers(4, 12)):
        a, b = rng.integers(len(nodes), size=2).tolist()
        length = int(min(rng.integers(1, 4), 12 - nodes[a][1], nodes[b][1]))
        if length > 0:
            # few different costs, so that ties occur
            rows.append((a, b, 1, length, 0.1 * rng.integers(1, 6)))
    source, target, kind, length, cost = (np.array(column) for column in zip(*sorted(rows), strict=True))
    none = np.zeros(len(rows))
    edges = Edges(source, target, kind, length, cost, none, none, none)
    node_clip, node_frame = np.array(nodes).T
    return replace(base, clips=clips, node_clip=node_clip, node_frame=node_frame, edges=edges, labels={}, making=None)


Held = dict[tuple[int, str], list[bool]]


def _table(graph: MotionGraph, names: set[str]) -> Held:
    return {(edge, name): _bearing(graph, edge, name) for edge in range(len(graph.edges)) for name in names}


def _bearing(graph: MotionGraph, edge: int, name: str) -> list[bool]:
    """For each frame of an edge, whether it bears a label or belongs to a clip, worked out clip by clip."""
    edges = graph.edges
    length, ends = int(edges.length[edge]), (int(edges.source[edge]), int(edges.target[edge]))
    first = int(graph.node_frame[ends[0]])
    sides = [(graph.clips[graph.node_clip[ends[0]]], first)]
    if edges.kind[edge]:
        sides.append((graph.clips[graph.node_clip[ends[1]]], int(graph.node_frame[ends[1]]) - length))

    def one(clip: Clip, frame: int) -> bool:
        return clip.name == name or any(s.label == name and s.first <= frame < s.last for s in clip.spans)

    return [all(one(clip, begin + n) for clip, begin in sides) for n in range(length)]


def _ends(held: list[list[bool]], least: int) -> int | None:
    """After how many frames a walk has done all steps, given for each step which of its frames count."""
    at = 0
    for own in held:
        ends = (e for e in range(at + least, len(own) + 1) if all(own[e - least : e]))
        found = next(ends, None)
        if found is None:
            return None
        at = found
    return at


def _all_walks(graph: MotionGraph, most: float, starts: list[int]) -> Iterator[list[int]]:
    """Every walk that costs less than ``most`` if one leaves its last edge's frames out."""
    edges = graph.edges
    todo = [([edge], 0.0) for node in starts for edge in graph.out(node)]
    while todo:
        walk, before = todo.pop()
        yield walk
        spent = before + float(edges.cost[walk[-1]]) ** 2 + FRAME * int(edges.length[walk[-1]])
        if spent < most:
            todo += [([*walk, edge], spent) for edge in graph.out(int(edges.target[walk[-1]]))]


def _ever(graph: MotionGraph, held: Held, steps: list[str], least: int, starts: list[int]) -> int:
    """How many steps any walk can do, by flooding all states (node, steps done, frames stayed)."""
    seen = {(node, 0, 0) for node in starts}
    todo = list(seen)
    most = 0
    while todo:
        node, done, stayed = todo.pop()
        for edge in graph.out(node):
            k, c = done, stayed
            for n in range(int(graph.edges.length[edge])):
                if k < len(steps):
                    c = c + 1 if held[edge, steps[k]][n] else 0
                    k, c = (k + 1, 0) if c == least else (k, c)
            most = max(most, k)
            state = (int(graph.edges.target[edge]), k, c)
            if k < len(steps) and state not in seen:
                seen.add(state)
                todo.append(state)
    return most


@settings(max_examples=200)
@given(
    st.integers(0, 2**32),
    st.lists(st.sampled_from(["a", "b", "run", "stand", "walk"]), min_size=2, max_size=3),
    st.integers(1, 4),
    st.booleans(),
)
def test_equals_exhaustive_enumeration(seed: int, steps: list[str], least: int, free: bool) -> None:
    graph = _tiny(np.random.default_rng(seed))
    names = {span.label for clip in graph.clips for span in clip.spans} | set(graph.clip_index)
    steps = [step for step in steps if step in names] or ["run"]
    start = None if free else "run"
    first = np.flatnonzero(graph.node_clip == 0).tolist()[:1]
    starts = list(range(len(graph))) if free else first
    table = _table(graph, set(steps))
    done = _ever(graph, table, steps, least, starts)
    if done < len(steps):
        with pytest.raises(GraphError, match=f"to {steps[done]!r} there is no way"):
            sequence(graph, steps, stay=least / FPS, second=SECOND, start=start)
        return
    walk = sequence(graph, steps, stay=least / FPS, second=SECOND, start=start)
    found = price(walk, second=SECOND)
    assert len(stays(walk, steps, stay=least / FPS)) == len(steps)
    best = np.inf
    # a bound keeps the enumeration finite: nothing dearer than what was found can be better
    for count, edges in enumerate(_all_walks(graph, min(found, 0.9), starts)):
        held = [[flag for edge in edges for flag in table[edge, step]] for step in steps]
        frames = _ends(held, least)
        if frames is not None and frames > sum(graph.edges.length[edges[:-1]]):
            best = min(best, sum(float(graph.edges.cost[edge]) ** 2 for edge in edges) + FRAME * frames)
        assume(count < 5_000)
    if found <= 0.9:
        assert best == pytest.approx(found)
    else:
        assert best >= found - 1e-9


@pytest.fixture(scope="module")
def graph() -> MotionGraph:
    names = ("walk", "walk_left_medium", "walk_right_medium", "run", "stand", "jump")
    return build([samples.make(name).motion for name in names], Parameters(mirror=True))


def _held(walk: Walk, name: str) -> np.ndarray:
    bears = resolve(walk.graph, name).frames
    left, right = played(walk)
    return bears[left] & bears[right]


def test_stays_are_kept_in_order(graph: MotionGraph) -> None:
    steps = ["run", "walk_left_medium", "stand", "walk", "run"]
    walk = sequence(graph, steps, stay=[1.0, 0.5, 0.7, 1.5, 0.2])
    found = stays(walk, steps, stay=[1.0, 0.5, 0.7, 1.5, 0.2])
    assert [last - first for first, last in found] == [30, 15, 21, 45, 6]
    assert all(before[1] <= after[0] for before, after in pairwise(found))
    for step, (first, last) in zip(steps, found, strict=True):
        assert _held(walk, step)[first:last].all()
    assert found[-1][1] == walk.frames  # it ends when all is done


def test_longer_stays_and_more_steps_never_cost_less(graph: MotionGraph) -> None:
    prices = [price(sequence(graph, ["run", "stand"], stay=stay)) for stay in (0.1, 0.5, 1.0, 2.0)]
    assert prices == sorted(prices)
    assert price(sequence(graph, ["run", "walk", "stand"], stay=0.5)) >= prices[1]


def test_dearer_seconds_make_it_shorter(graph: MotionGraph) -> None:
    steps = ["walk_left_medium", "run", "walk_right_medium"]
    frames = [sequence(graph, steps, second=second).frames for second in (1e-4, 0.5)]
    assert frames[1] <= frames[0]


def test_start_is_obeyed_and_costs(graph: MotionGraph) -> None:
    walk = sequence(graph, ["run"], start="clip:stand")
    node = graph.edges.source[walk.edges[0]]
    assert graph.clips[graph.node_clip[node]].name == "stand"
    assert price(walk) > price(sequence(graph, ["run"]))
    place = graph.clips[graph.node_clip[node]].motion.place(walk.start)[graph.node_frame[node] :]
    np.testing.assert_allclose(place.root[0, [0, 2]], 0, atol=1e-9)
    np.testing.assert_allclose(place.heading()[0], 0, atol=1e-9)


def test_same_wishes_same_walk(graph: MotionGraph) -> None:
    one, two = (sequence(graph, ["run", "walk", "stand"]) for _ in range(2))
    np.testing.assert_array_equal(one.edges, two.edges)


def _copies(walk: Walk, first: int, last: int) -> np.ndarray:
    """Which of a walk's frames come from mirrored copies."""
    copied = np.concatenate([np.full(len(clip), clip.source.mirrored) for clip in walk.graph.clips])
    left, right = played(walk)
    mixed: np.ndarray = (copied[left] | copied[right])[first:last]
    return mixed


def test_mirrored_copies_count_only_if_wished(graph: MotionGraph) -> None:
    both, alone = (resolve(graph, "walk_left_medium", either_side=wish).frames for wish in (True, False))
    assert both.sum() == 2 * alone.sum()
    assert resolve(graph, "walk_left_medium_mirrored").frames.sum() == alone.sum()
    steps = ["run", "walk_left_medium", "stand"]
    strict = sequence(graph, steps)
    assert price(sequence(graph, steps, either_side=True)) < price(strict)
    for first, last in stays(strict, steps):
        assert not _copies(strict, first, last).any()
    (_, (first, last), _) = stays(strict, steps)
    assert (alone[played(strict)[0]])[first:last].all()


def test_a_label_means_originals_unless_it_names_a_side(graph: MotionGraph) -> None:
    both, alone = (resolve(graph, "run", either_side=wish).frames for wish in (True, False))
    assert both.sum() == 2 * alone.sum() > 0
    # a copy of a turn to the right bears turn_left, and is one
    both, alone = (resolve(graph, "turn_left", either_side=wish).frames for wish in (True, False))
    assert (both == alone).all()


def test_on_the_way_copies_may_be_played() -> None:
    motions = [samples.make(name).motion for name in ("walk", "walk_left_medium", "punch_middle_right")]
    graph = build(motions, Parameters(mirror=True))
    walk = sequence(graph, ["walk_left_medium", "punch", "walk_left_medium"])
    for first, last in stays(walk, ["walk_left_medium", "punch", "walk_left_medium"]):
        assert not _copies(walk, first, last).any()
    assert _copies(walk, 0, walk.frames).any()


def test_what_only_copies_reach_is_told() -> None:
    graph = made_graph()
    number = graph.clip_index["walk"]
    copy = replace(graph.clips[number], source=replace(graph.clips[number].source, mirrored=True))
    only = replace(graph, clips=(*graph.clips[:number], copy, *graph.clips[number + 1 :]))
    with pytest.raises(GraphError, match=r"from 'run' to 'walk' there is no way but by mirrored copies.*--either-side"):
        sequence(only, ["run", "walk"], stay=0.2)
    assert sequence(only, ["run", "walk"], stay=0.2, either_side=True).frames > 0
    # a copy that is asked for by its name is what is meant
    assert sequence(only, ["run", "clip:walk"], stay=0.2).frames > 0


def test_when_each_step_is_reached(graph: MotionGraph) -> None:
    steps = ["run", "walk_left_medium", "stand"]
    walk = sequence(graph, steps, stay=0.5)
    found = visited(walk, steps, stay=0.5)
    assert [one.name for one in found] == steps
    left, _ = played(walk)
    begins = np.cumsum([0, *map(len, graph.clips)])
    for one, (first, last) in zip(found, stays(walk, steps, stay=0.5), strict=True):
        assert one.first == first < last <= one.last
        assert left[first] == begins[graph.clip_index[one.clip]] + one.clip_frame
        held = resolve(graph, one.name, either_side=False).frames
        assert all(held[side[one.first : one.last]].all() for side in played(walk))
        # the frame before it is not in it yet, nor is the frame after it any more
        for beside in (one.first - 1, one.last):
            assert not 0 <= beside < walk.frames or not all(held[side[beside]] for side in played(walk))
    assert all(one.last <= two.first for one, two in pairwise(found))
    assert found[-1].last == walk.frames


def test_a_label_goes_before_a_clip_of_its_name(graph: MotionGraph) -> None:
    assert not resolve(graph, "walk").clip
    clip = resolve(graph, "clip:walk", either_side=False)
    assert clip.clip
    assert clip.frames.sum() == len(graph.clip("walk")) < resolve(graph, "walk").frames.sum()


def test_edges_within_agrees_with_frames() -> None:
    for seed in range(30):
        tiny = _tiny(np.random.default_rng(seed))
        for name in {span.label for clip in tiny.clips for span in clip.spans} | {"run"}:
            whole = [all(_bearing(tiny, edge, name)) for edge in range(len(tiny.edges))]
            assert edges_within(tiny, resolve(tiny, name).frames).tolist() == whole


def test_edges_of_a_component_bear_its_label(graph: MotionGraph) -> None:
    for label, part in graph.labels.items():
        assert edges_within(graph, resolve(graph, label).frames)[part.edges].all()


def test_a_stay_that_no_stretch_lasts_is_named_with_the_longest() -> None:
    graph = made_graph(("run", "stand", "walk"))
    # the stand can be left at its end only, and its loop is cut: what remains of it is the clip itself
    edges, clip = graph.edges, graph.clip_index["stand"]
    loop = (graph.node_clip[edges.source] == clip) & (graph.node_clip[edges.target] == clip) & (edges.kind > 0)
    cut = replace(graph, edges=Edges(**{name: values[~loop] for name, values in vars(edges).items()}))
    own = graph.node_frame[graph.node_clip == clip]
    longest = (own.max() - own.min()) / FPS
    steps = ["run", "clip:stand", "walk"]
    assert sequence(cut, steps, stay=[1.0, longest, 1.0])
    with pytest.raises(GraphError, match=rf"from 'run' to 'clip:stand' .* lasts {longest:.2f} s on end at most, 60"):
        sequence(cut, steps, stay=[1.0, 60.0, 1.0])


def test_a_step_that_pruning_took_is_named() -> None:
    graph = made_graph()
    ghost = replace(graph.clips[0], motion=graph.clips[0].motion.renamed("zebra"), spans=(LabelSpan("sneak", 0, 20),))
    with pytest.raises(GraphError, match="from 'walk' to 'sneak' there is no way: no frame of 'sneak' is left"):
        sequence(replace(graph, clips=(*graph.clips, ghost)), ["run", "walk", "sneak"], stay=0.2)


def test_parts_that_do_not_lead_to_each_other() -> None:
    graph = made_graph()
    edges = graph.edges
    apart = edges.kind != EdgeKind.BRIDGE
    cut = replace(graph, edges=Edges(**{name: values[apart] for name, values in vars(edges).items()}))
    with pytest.raises(GraphError, match="from 'run' to 'walk' there is no way: this graph falls into parts"):
        sequence(cut, ["run", "walk"], stay=0.2)


@pytest.mark.parametrize(
    ("steps", "wishes", "said"),
    [
        ([], {}, "at least one step"),
        ("run", {}, "a list of labels"),
        (["run", "wlak"], {}, "did you mean 'walk'"),
        (["run"], {"stay": -1.0}, "stay"),
        (["run"], {"stay": float("nan")}, "stay"),
        (["run", "walk"], {"stay": [1.0]}, "2 steps, but 1 stays"),
        (["run"], {"second": 0.0}, "second"),
        (["run"], {"start": "wlak"}, "did you mean 'walk'"),
    ],
)
def test_wishes_that_cannot_be_understood(graph: MotionGraph, steps: list[str], wishes: dict, said: str) -> None:
    with pytest.raises(GraphError, match=said):
        sequence(graph, steps, **wishes)


def test_quick_on_a_large_graph() -> None:
    rng = np.random.default_rng(1)
    base, _ = _base()
    clips = tuple(replace(made_clip("walk"), motion=made_clip("walk").motion.renamed(f"c{n:03}")) for n in range(60))
    frames = range(10, len(clips[0]) - 10)
    clips = tuple(replace(clip, spans=(LabelSpan("abcdef"[n % 6], 0, len(clip)),)) for n, clip in enumerate(clips))
    nodes = list(itertools.product(range(60), frames))
    rows = [(i, i + 1, 0, 1, 0.0) for i, (p, q) in enumerate(pairwise(nodes)) if p[0] == q[0]]
    ends = rng.integers(len(nodes), size=(2 * len(nodes), 2)).tolist()
    rows += [(a, b, 1, 10, cost) for (a, b), cost in zip(ends, rng.uniform(0.01, 0.1, len(ends)).tolist(), strict=True)]
    source, target, kind, length, cost = (np.array(column) for column in zip(*sorted(rows), strict=True))
    none = np.zeros(len(rows))
    edges = Edges(source, target, kind, length, cost, none, none, none)
    node_clip, node_frame = np.array(nodes).T
    large = replace(base, clips=clips, node_clip=node_clip, node_frame=node_frame, edges=edges, labels={}, making=None)
    assert len(large) > 4000
    sequence(made_graph(), ["run"])  # compiled before the clock runs
    begun = time.process_time()
    walk = sequence(large, list("abcdef"))
    assert time.process_time() - begun < 2
    assert len(stays(walk, list("abcdef"))) == 6
