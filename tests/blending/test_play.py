from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from kinegraph.arrays import Array
from kinegraph.blending import Performance, Stretch, blend, play
from kinegraph.errors import GraphError
from kinegraph.graph.model import EdgeKind, LabelSpan, MotionGraph
from kinegraph.graph.walk import Walk
from kinegraph.motion import rotation
from kinegraph.motion.clip import Motion
from kinegraph.motion.floor import FloorTransform
from tests.blending.made import BLENDS, START, random_walk, whole_walk
from tests.graph.made import WINDOW, made_graph


@pytest.fixture(scope="module")
def graph() -> MotionGraph:
    return made_graph()


def edge_of(graph: MotionGraph, kind: EdgeKind, clip: str | None = None) -> int:
    """The first edge of a kind, if asked for one that leaves that clip."""
    for edge in np.flatnonzero(graph.edges.kind == kind).tolist():
        if clip is None or graph.clips[graph.node_clip[graph.edges.source[edge]]].name == clip:
            return int(edge)
    raise AssertionError(f"no {kind!r} edge")


def clip_frames(graph: MotionGraph, clip: int, first: int, count: int, place: FloorTransform) -> Motion:
    return graph.clips[clip].motion.place(place)[first : first + count]


def sides(walk: Walk, order: int) -> tuple[Motion, Motion]:
    """The two placed motions of a transition of the walk, over its own frames."""
    graph, edges = walk.graph, walk.graph.edges
    edge = int(walk.edges[order])
    length = int(edges.length[edge])
    source, target = edges.source[edge], edges.target[edge]
    here = walk.placements[order]
    return (
        clip_frames(graph, graph.node_clip[source], graph.node_frame[source], length, here),
        clip_frames(
            graph,
            graph.node_clip[target],
            graph.node_frame[target] - length,
            length,
            here @ edges.alignment(edge),
        ),
    )


def assert_same(motion: Motion, first: int, expected: Motion) -> None:
    cut = motion[first : first + len(expected)]
    np.testing.assert_allclose(cut.root, expected.root, atol=1e-9)
    assert np.max(rotation.angle_between(cut.rotations, expected.rotations)) < 1e-7
    np.testing.assert_allclose(cut.positions, expected.positions, atol=1e-9)


# -- what is played ---------------------------------------------------------------------------------------------------


def test_an_original_edge_is_the_clip_placed(graph: MotionGraph) -> None:
    edge = edge_of(graph, EdgeKind.ORIGINAL, "walk")
    made = play(whole_walk(graph, edge))
    clip, frame = graph.node_clip[graph.edges.source[edge]], graph.node_frame[graph.edges.source[edge]]
    assert_same(made.motion, 0, clip_frames(graph, clip, frame, int(graph.edges.length[edge]), START))
    assert made.motion.name == "walk"
    assert made.motion.notices == ()
    assert made.motion.fps == graph.fps


@pytest.mark.parametrize("name", BLENDS)
def test_every_edge_of_a_walk_is_what_it_should_be(strolling: MotionGraph, name: str) -> None:
    """Edge by edge, as plainly as can be: the clip placed, or one transition mixed by itself, against all of them at once."""
    graph = strolling
    walk = random_walk(graph, 300, seed=4)
    made = play(walk, name)
    assert made.blend == name
    transitions = 0
    for order, edge in enumerate(walk.edges.tolist()):
        length, first = int(graph.edges.length[edge]), int(walk.begins[order])
        played = int(walk.begins[order + 1]) - first
        node = graph.edges.source[edge]
        if not graph.edges.kind[edge]:
            expected = clip_frames(graph, graph.node_clip[node], graph.node_frame[node], length, walk.placements[order])
        else:
            transitions += 1
            stretches = []
            for end, start in (
                (node, graph.node_frame[node]),
                (graph.edges.target[edge], graph.node_frame[graph.edges.target[edge]] - length),
            ):
                place = walk.placements[order]
                if end != node:
                    place = place @ graph.edges.alignment(edge)
                source = graph.clips[graph.node_clip[end]].motion.place(place)
                stretches.append(around(source, int(start), length))
            root, rotations = blend(name).mix(*stretches)
            expected = Motion(graph.skeleton, root, rotations, graph.fps)
        assert_same(made.motion, first, expected[:played])
    assert transitions > 5


def around(motion: Motion, first: int, length: int) -> Stretch:
    """Frames ``first − 1`` … ``first + length`` of a motion, gone on straight where it has none."""
    frames = np.arange(first - 1, first + length + 1)
    held = np.clip(frames, 0, len(motion) - 1)
    root, rotations = motion.root[held].copy(), motion.rotations[held].copy()
    for end, beside, further in ((0, 1, 2), (-1, -2, -3)):
        if frames[end] != held[end]:
            root[end] = 2 * root[beside] - root[further]
            turn = rotation.multiply(rotations[beside], rotation.inverse(rotations[further]))
            rotations[end] = rotation.multiply(turn, rotations[beside])
    return Stretch(motion.skeleton, root, rotations, motion.fps)


def test_a_blend_is_asked_with_the_frames_beside_the_transition(graph: MotionGraph) -> None:
    """Frames s−1 … s+L and t−1 … t+L; a clip that has none goes on straight."""
    seen: list[tuple[Stretch, Stretch]] = []

    class Spy:
        name, smooth = "spy", False

        def weights(self, skeleton: object, length: int) -> Array:
            return np.full((length, len(graph.skeleton)), 0.4)

        def mix(self, outgoing: Stretch, incoming: Stretch) -> tuple[Array, Array]:
            seen.append((outgoing, incoming))
            return outgoing.root[..., 1:-1, :], outgoing.rotations[..., 1:-1, :, :]

    edge = edge_of(graph, EdgeKind.TRANSITION, "walk")
    target = graph.edges.target[edge]
    assert graph.node_frame[target] == WINDOW  # it leads to the clip's first frame, before which there is none
    walk = whole_walk(graph, edge)
    made = play(walk, Spy())
    assert made.blend == "spy"
    [(outgoing, incoming)] = seen
    assert outgoing.root.shape == (1, WINDOW + 2, 3)
    here, there = sides(walk, 0)
    np.testing.assert_allclose(outgoing.root[0, 1:-1], here.root, atol=1e-12)
    np.testing.assert_allclose(incoming.root[0, 1:-1], there.root, atol=1e-12)
    np.testing.assert_allclose(incoming.root[0, 0], 2 * there.root[0] - there.root[1], atol=1e-12)
    steps = rotation.multiply(incoming.rotations[0, 1:3], rotation.inverse(incoming.rotations[0, 0:2]))
    np.testing.assert_allclose(steps[0], steps[1], atol=1e-12)


def test_a_frame_that_the_capture_lost_is_not_looked_at(graph: MotionGraph) -> None:
    """The frame before a transition may lie outside what the graph holds to be sound."""
    edge = edge_of(graph, EdgeKind.TRANSITION, "walk")
    number, first = graph.node_clip[graph.edges.source[edge]], graph.node_frame[graph.edges.source[edge]]
    clip = graph.clips[number]
    rotations = clip.motion.rotations.copy()
    rotations[first - 1] = rotation.from_axis_angle([1.0, 0.0, 0.0], 2.0)
    sound = clip.sound.copy()
    sound[first - 1] = False

    def played(sound: NDArray[np.bool_]) -> Motion:
        broken = replace(clip, motion=replace(clip.motion, rotations=rotations), sound=sound)
        clips = tuple(broken if n == number else other for n, other in enumerate(graph.clips))
        return play(whole_walk(replace(graph, clips=clips), edge), "inertial").motion

    plain = play(whole_walk(graph, edge), "inertial").motion
    assert np.max(np.abs(played(sound).positions - plain.positions)) < 0.05
    assert np.max(np.abs(played(clip.sound).positions - plain.positions)) > 0.2


@pytest.mark.parametrize("name", BLENDS)
def test_a_walk_that_is_cut_is_the_beginning_of_the_whole(graph: MotionGraph, name: str) -> None:
    edge = edge_of(graph, EdgeKind.TRANSITION, "walk")
    whole = play(whole_walk(graph, edge), name)
    for frames in range(1, WINDOW + 1):
        made = play(Walk(graph, np.array([edge]), START, frames), name)
        assert len(made) == frames
        np.testing.assert_allclose(made.motion.root, whole.motion.root[:frames], atol=1e-12)
        assert [(t.first, t.length) for t in made.transitions] == [(0, frames)]


def test_any_length_is_exact(strolling: MotionGraph) -> None:
    for seed, frames in enumerate([1, 2, 29, 300, 301, 333]):
        made = play(random_walk(strolling, frames, seed))
        rows = (made.contacts, made.clip, made.frame, made.other_clip, made.other_frame, made.weight, made.edge)
        assert {len(row) for row in rows} == {len(made)} == {frames}


def test_quaternions_are_continuous(strolling: MotionGraph) -> None:
    rotations = play(random_walk(strolling, 900)).motion.rotations
    assert np.all(np.sum(rotations[1:] * rotations[:-1], axis=-1) > 0)
    np.testing.assert_allclose(np.linalg.norm(rotations, axis=-1), 1.0, atol=1e-12)


def test_an_unknown_blend(graph: MotionGraph) -> None:
    with pytest.raises(GraphError, match="no blend is called 'quick'"):
        play(whole_walk(graph, 0), "quick")


def test_the_same_walk_gives_the_same_bytes(strolling: MotionGraph) -> None:
    one, two = (play(random_walk(strolling, 200)) for _ in range(2))
    assert one.motion.rotations.tobytes() == two.motion.rotations.tobytes()


def test_the_start_moves_all_of_it(strolling: MotionGraph) -> None:
    here = play(random_walk(strolling, 200, start=FloorTransform()))
    there = play(random_walk(strolling, 200, start=START))
    np.testing.assert_allclose(there.motion.positions, here.motion.place(START).positions, atol=1e-9)


# -- where it came from -----------------------------------------------------------------------------------------------


def test_frames_know_their_clip(graph: MotionGraph) -> None:
    original, blend = edge_of(graph, EdgeKind.ORIGINAL, "walk"), edge_of(graph, EdgeKind.TRANSITION, "walk")
    made = play(whole_walk(graph, original))
    walk = graph.clip_index["walk"]
    assert set(made.clip) == {walk}
    assert made.frame.tolist() == list(range(WINDOW, WINDOW + len(made)))
    assert (set(made.other_clip), set(made.other_frame), set(made.weight)) == ({-1}, {-1}, {0.0})
    assert not made.blended.any()

    made = play(whole_walk(graph, blend), "linear")
    assert made.blended.all()
    assert set(made.edge) == {blend}
    np.testing.assert_allclose(made.weight, np.arange(1, WINDOW + 1) / (WINDOW + 1))
    leaves = graph.node_frame[graph.edges.source[blend]]
    half = WINDOW // 2
    assert made.frame.tolist() == [*range(leaves, leaves + half), *range(half, WINDOW)]
    assert made.other_frame.tolist() == [*range(half), *range(leaves + half, leaves + WINDOW)]


@pytest.mark.parametrize("name", BLENDS)
def test_contacts_are_the_heavier_clips(strolling: MotionGraph, name: str) -> None:
    made = play(random_walk(strolling, 600), name)
    heavy = np.stack([strolling.clips[c].contacts[f] for c, f in zip(made.clip, made.frame, strict=True)])
    np.testing.assert_array_equal(made.contacts, heavy)
    assert 0.2 < made.contacts.mean() < 0.8
    light = np.stack([strolling.clips[c].contacts[f] for c, f in zip(made.other_clip, made.other_frame, strict=True)])
    agree = made.blended & (heavy == light).all(axis=1)
    assert agree.sum() > 50
    np.testing.assert_array_equal(made.contacts[agree], light[agree])


def test_the_heavier_clip_is_nearer(graph: MotionGraph) -> None:
    """The clip that a frame is said to be of is the one whose root it is nearer to."""
    walk = whole_walk(graph, edge_of(graph, EdgeKind.BRIDGE, "walk"))
    made = play(walk, "cubic")
    apart = np.stack([np.linalg.norm(made.motion.root - side.root, axis=1) for side in sides(walk, 0)])
    incoming = made.weight >= 0.5
    assert incoming.tolist() == (apart[1] <= apart[0]).tolist()
    source, target = graph.edges.source[walk.edges[0]], graph.edges.target[walk.edges[0]]
    np.testing.assert_array_equal(made.clip, np.where(incoming, graph.node_clip[target], graph.node_clip[source]))


def test_transitions_are_told(strolling: MotionGraph) -> None:
    walk = random_walk(strolling, 600)
    made = play(walk)
    assert len(made.transitions) == walk.transitions > 5
    blended = np.zeros(len(made), bool)
    for told in made.transitions:
        blended[told.first : told.first + told.length] = True
        assert set(made.edge[told.first : told.first + told.length]) == {told.edge}
        assert told.cost == strolling.edges.cost[told.edge] >= 0
    np.testing.assert_array_equal(made.blended, blended)
    assert f"600 frames at 30/s, {walk.transitions} transitions, anticipation" in repr(made)


def test_a_transition_bears_a_label_only_if_both_clips_do(graph: MotionGraph) -> None:
    bridge = edge_of(graph, EdgeKind.BRIDGE, "run")
    before = bridge_to = graph.edges.source[bridge]
    into = int(np.flatnonzero((graph.edges.target == before) & (graph.edges.kind == 0))[0])
    out = next(e for e in graph.out(graph.edges.target[bridge]) if graph.edges.kind[e] == 0)
    assert bridge_to == graph.edges.target[into]
    made = play(whole_walk(graph, into, bridge, out))
    labels = made.labels()
    assert sorted(labels) == ["run", "stand"]
    first, last = (int(graph.edges.length[e]) for e in (into, out))
    assert labels["run"].tolist() == [True] * first + [False] * (WINDOW + last)
    assert labels["stand"].tolist() == [False] * (first + WINDOW) + [True] * last
    loop = play(whole_walk(graph, edge_of(graph, EdgeKind.TRANSITION, "run"))).labels()
    assert loop["run"].all()


def test_labels_of_part_of_a_clip(graph: MotionGraph) -> None:
    edge = edge_of(graph, EdgeKind.ORIGINAL, "walk")
    clips = tuple(
        replace(clip, spans=(*clip.spans, LabelSpan("careful", WINDOW + 2, WINDOW + 4)))
        if clip.name == "walk"
        else clip
        for clip in graph.clips
    )
    made = play(whole_walk(replace(graph, clips=clips), edge))
    assert np.flatnonzero(made.labels()["careful"]).tolist() == [2, 3]
    assert made.labels()["walk"].all()


def test_a_performance_cannot_be_written_to(graph: MotionGraph) -> None:
    made: Performance = play(whole_walk(graph, 0))
    for row in (made.contacts, made.clip, made.weight, made.motion.root):
        with pytest.raises(ValueError, match="read-only"):
            row[0] = 0
