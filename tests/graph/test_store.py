from __future__ import annotations

import lzma
import pickle
import sqlite3
import subprocess
import sys
import threading
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given

import kinegraph as kg
from kinegraph.errors import FormatError, GraphError
from kinegraph.graph.making.report import BuildReport
from kinegraph.graph.model import Clip, ClipSource, Component, Edges, MotionGraph
from kinegraph.graph.rounding import is_rounded, packed_root, packed_rotations, rounded
from kinegraph.graph.store import files as store
from kinegraph.graph.store import schema
from kinegraph.graph.store.digests import worked_out
from kinegraph.graph.store.faults import faults
from kinegraph.graph.store.files import Step, check, digest, load, save, steps
from tests.graph.made import made_clip, made_graph, recorded
from tests.strategies import motions


@pytest.fixture(scope="module")
def graph() -> MotionGraph:
    return made_graph(frames=40)


@pytest.fixture
def saved(graph, tmp_path):
    path = tmp_path / "g.mog"
    save(graph, path)
    return path


@pytest.fixture
def first(tmp_path):
    """The same graph as a kinegraph of 2026-10 saved it, in version 1 of the format."""
    path = tmp_path / "first.mog"
    path.write_bytes(lzma.decompress((Path(__file__).parent / "version_1.mog.xz").read_bytes()))
    return path


def read_all(path) -> MotionGraph:
    """The graph in a file, and everything in it that waits there until it is needed."""
    graph = load(path)
    for clip in graph.clips:
        assert len(clip.motion.rotations) == len(clip)
    assert len(graph.record.candidates) >= 0
    return graph


def edit(path, *statements):
    """Change a file behind the library's back."""
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA ignore_check_constraints = ON")
        for statement in statements:
            connection.execute(statement)
        connection.commit()


def same_bits(a, b):
    return a.dtype == b.dtype and a.shape == b.shape and a.tobytes() == b.tobytes()


def assert_same(a: MotionGraph, b: MotionGraph) -> None:
    assert [clip.name for clip in a.clips] == [clip.name for clip in b.clips]
    for one, other in zip(a.clips, b.clips, strict=True):
        assert same_bits(one.motion.root, other.motion.root)
        # a zero may have a sign in older files
        assert same_bits(one.motion.rotations + 0.0, other.motion.rotations + 0.0)
        assert same_bits(one.contacts, other.contacts)
        assert (one.window, one.spans, one.source) == (other.window, other.spans, other.source)
        assert one.motion.fps == other.motion.fps
    for name in ("names", "overrides"):
        assert getattr(a.skeleton, name) == getattr(b.skeleton, name)
    for name in ("parents", "offsets", "tip_parents", "tip_offsets"):
        assert np.array_equal(getattr(a.skeleton, name), getattr(b.skeleton, name))
    assert same_bits(a.node_clip, b.node_clip)
    assert same_bits(a.node_frame, b.node_frame)
    for name, values in vars(a.edges).items():
        assert np.array_equal(values, getattr(b.edges, name))
        assert values.dtype == getattr(b.edges, name).dtype
    assert dict(a.record.candidates) == dict(b.record.candidates)
    assert set(a.labels) == set(b.labels)
    for label, part in a.labels.items():
        assert same_bits(part.nodes, b.labels[label].nodes)
        assert same_bits(part.edges, b.labels[label].edges)
    assert a.record.parameters == b.record.parameters
    assert a.record.report == b.record.report


# -- rounding ---------------------------------------------------------------------------------------------------------


def assert_settled(motion):
    once = rounded(motion)
    twice = rounded(once)
    assert same_bits(once.root, twice.root)
    assert same_bits(once.rotations, twice.rotations)
    assert is_rounded(once)
    read = kg.Motion(
        once.skeleton,
        np.frombuffer(packed_root(once.root).tobytes(), "<f4").reshape(once.root.shape),
        np.frombuffer(packed_rotations(once.rotations).tobytes(), "<f4").reshape(once.rotations.shape),
        once.fps,
    )
    assert same_bits(read.root, once.root)
    assert same_bits(read.rotations, once.rotations)
    # a quarter turn between frames may fall on either sign, so rotations are compared without
    dots = np.abs(np.einsum("fji,fji->fj", once.rotations, motion.rotations))
    assert np.all(dots > 1 - 1e-12)
    assert np.allclose(once.root, motion.root, rtol=1e-7, atol=0)


def test_a_zero_that_was_rounded_has_no_sign():
    walk = kg.samples.make("walk").motion
    turned = replace(walk, root=walk.root * [1, 1, -0.0], rotations=-walk.rotations)
    once = rounded(turned)
    for numbers in (once.root, once.rotations):
        assert (numbers == 0).any()
        assert not np.signbit(numbers[numbers == 0]).any()


@given(motions(stretching=False))
def test_rounding_settles(motion):
    assert_settled(motion)


def test_components_near_zero_settle_soon():
    # scaled by the norm again and again, these would creep from one float32 to the next for thousands of journeys
    body = kg.samples.skeleton()
    q = np.zeros((50, len(body), 4))
    angle = np.linspace(0.1, 3, 50 * len(body)).reshape(50, -1)
    q[..., 0], q[..., 1], q[..., 2], q[..., 3] = np.cos(angle), np.sin(angle), 1.2e-18, -1e-39
    assert_settled(kg.Motion(body, np.zeros((50, 3)), q, 30.0))


def test_quarter_turns_between_frames_settle():
    # neighbours at right angles in quaternion space: rounding decides the sign
    body = kg.samples.skeleton()
    q = np.random.default_rng(3).normal(size=(200, len(body), 4))
    q /= np.linalg.norm(q, axis=-1, keepdims=True)
    q[1::2] = q[::2][..., [1, 0, 3, 2]] * [1, -1, 1, -1]
    assert_settled(kg.Motion(body, np.zeros((200, 3)), q, 30.0))


def test_real_clips_settle(cmu):
    for name in ("16/16_15.amc", "02/02_01.amc"):
        assert_settled(kg.load(cmu / "acclaim" / name))


# -- round trip -------------------------------------------------------------------------------------------------------


def test_made_graph_is_sound(graph):
    assert faults(graph) == []


@pytest.mark.parametrize("name", ["g.mog", "a b?c#d%20e&mode=rw.mog", "größe.mog", "no_suffix"])
def test_what_is_loaded_is_what_was_saved(graph, tmp_path, name):
    path = tmp_path / name
    save(graph, path)
    back = load(path)
    assert_same(graph, back)
    assert digest(back) == digest(graph)
    assert check(path) == []
    assert [entry.name for entry in tmp_path.iterdir()] == [name]


def test_real_clip_comes_back(cmu, graph, tmp_path):
    motion = rounded(kg.load(cmu / "acclaim" / "16" / "16_15.amc").resample(30))
    clip = Clip(
        motion,
        10,
        np.zeros((len(motion), 4), bool),
        (),
        ClipSource("16_15.amc", "0" * 64, 120.0, 500),
        np.ones(len(motion), bool),
    )
    loop = Edges(*np.array([[0, 1], [1, 0], [0, 1], [90, 10], [0, 0.01], [0, 0.5], [0, 1], [0, 2]]))
    alone = replace(
        recorded(graph, candidates={}), clips=(clip,), node_clip=[0, 0], node_frame=[10, 100], edges=loop, labels={}
    )
    save(alone, tmp_path / "g.mog")
    assert_same(alone, load(tmp_path / "g.mog"))
    assert check(tmp_path / "g.mog") == []
    none = replace(alone, node_clip=[], node_frame=[], edges=Edges(*np.zeros((8, 0))))
    with pytest.raises(GraphError, match="the graph has no edges"):
        save(none, tmp_path / "none.mog")


def test_overrides_of_roles_and_doubtful_words_come_back(graph, tmp_path):
    body = graph.skeleton.with_roles({"head": 3})
    clips = tuple(
        replace(
            clip,
            motion=replace(clip.motion, skeleton=body, name=f"{clip.name}'; DROP TABLE clip; --\n"),
            spans=(*clip.spans, replace(clip.spans[0], label="ходьба", origin="file")),
        )
        for clip in graph.clips
    )
    renamed = {clip.name: new.name for clip, new in zip(graph.clips, clips, strict=True)}
    candidates = {(renamed[a], renamed[b]): minima for (a, b), minima in graph.record.candidates.items()}
    odd = replace(recorded(graph, candidates=candidates), clips=clips)
    save(odd, tmp_path / "g.mog")
    assert_same(odd, load(tmp_path / "g.mog"))


def unsure(graph, confidence):
    """The graph with labels of which the first of every clip has that confidence."""
    clips = (
        replace(clip, spans=(replace(clip.spans[0], confidence=confidence), *clip.spans[1:])) for clip in graph.clips
    )
    return replace(graph, clips=tuple(clips))


def test_how_sure_a_label_is_comes_back_and_older_files_are_sure(graph, tmp_path, first):
    path = tmp_path / "g.mog"
    save(unsure(graph, 0.63), path)
    assert [clip.spans[0].confidence for clip in load(path).clips] == [0.63] * len(graph.clips)
    # what was saved before labels had a confidence
    edit(first, "ALTER TABLE label_span DROP COLUMN confidence")
    edit(first, "DELETE FROM meta WHERE key = 'checksum'")
    assert check(first) == []
    assert_same(load(first), unsure(graph, 1.0))


def test_files_of_version_1_are_read_and_saved_in_this_version(graph, first, tmp_path):
    assert check(first) == []
    old = load(first)
    assert_same(old, graph)
    assert [step.step for step in steps(first)] == ["build"]
    save(old, tmp_path / "new.mog")
    assert_same(load(tmp_path / "new.mog"), graph)
    assert digest(load(tmp_path / "new.mog")) == digest(old)
    # a space beside it leaves the graph as it is, for older readers too
    punches = [kg.samples.make(name).motion for name in kg.samples.names() if name.startswith("punch")]
    kg.strikes.save(kg.strikes.build(punches, "punch"), first)
    assert first.read_bytes()[60:64] == (1).to_bytes(4, "big")
    assert_same(load(first), graph)


def test_what_waits_in_a_file_is_read_when_it_is_needed_even_after_another_took_its_place(graph, saved, tmp_path):
    waiting = load(saved)
    assert "rotations" not in vars(waiting.clips[0].motion)
    save(made_graph(("walk", "stand"), frames=40), saved)
    assert len(load(saved).clips) == 2
    assert_same(waiting, graph)
    # in another process it is a motion like others
    again = pickle.loads(pickle.dumps(load(saved)))
    assert type(again.clips[0].motion) is kg.Motion
    assert_same(again, made_graph(("walk", "stand"), frames=40))


def test_history_is_kept_and_is_no_content(graph, tmp_path):
    done = (Step("build", 1.25, 1000, "0.1.0"), Step("add", 0.5, 10, "0.2.0"))
    save(graph, tmp_path / "a.mog", done)
    save(graph, tmp_path / "b.mog")
    assert steps(tmp_path / "a.mog") == done
    assert steps(tmp_path / "b.mog") == ()
    assert digest(load(tmp_path / "a.mog")) == digest(load(tmp_path / "b.mog"))


def test_same_graph_gives_same_bytes(graph, tmp_path):
    save(graph, tmp_path / "a.mog")
    save(load(tmp_path / "a.mog"), tmp_path / "b.mog")
    assert (tmp_path / "a.mog").read_bytes() == (tmp_path / "b.mog").read_bytes()


# -- digest -----------------------------------------------------------------------------------------------------------


def test_digest_is_blind_to_order_and_kind_of_number(graph):
    asked = graph.record.parameters
    turned = recorded(
        replace(graph, labels=dict(reversed(graph.labels.items()))),
        candidates=dict(reversed(graph.record.candidates.items())),
        parameters=replace(asked, fps=30, weights=dict(reversed(asked.weights.items()))),
    )
    assert digest(turned) == digest(graph)


def other(graph: MotionGraph, **changes) -> MotionGraph:
    return replace(graph, edges=replace(graph.edges, **changes))


def test_digest_sees_every_change(graph):
    clip = graph.clips[0]
    pair, minima = next(iter(graph.record.candidates.items()))
    moved = replace(clip.motion, root=clip.motion.root + np.array([0, 0, 2.0**-20]))
    contacts = clip.contacts.copy()
    contacts[3, 2] ^= True

    def with_clip(**changes):
        return replace(graph, clips=(replace(clip, **changes), *graph.clips[1:]))

    changed = [
        with_clip(motion=moved),
        with_clip(motion=clip.motion.renamed("ruN")),
        with_clip(contacts=contacts),
        with_clip(window=9),
        with_clip(spans=()),
        with_clip(spans=(replace(clip.spans[0], origin="auto"),)),
        with_clip(source=replace(clip.source, mirrored=True)),
        recorded(graph, candidates={**graph.record.candidates, pair: replace(minima, cost=minima.cost + 1e-15)}),
        recorded(graph, candidates={**graph.record.candidates, pair: replace(minima, window=9)}),
        recorded(graph, candidates={}),
        replace(graph, labels={}),
        replace(graph, labels={**graph.labels, "walk": Component(graph.labels["walk"].nodes, [])}),
        replace(graph, node_frame=graph.node_frame + 1),
        recorded(graph, parameters=replace(graph.record.parameters, threshold=0.06)),
        recorded(graph, report=replace(graph.record.report, kept=1)),
        *(other(graph, **{name: values + 1}) for name, values in vars(graph.edges).items()),
    ]
    digests = [digest(one) for one in (graph, *changed)]
    assert len(set(digests)) == len(digests)


# -- saving: all or nothing -------------------------------------------------------------------------------------------


def test_reader_sees_the_old_graph_while_the_new_one_is_written(graph, saved, monkeypatch):
    new = recorded(graph, report=replace(graph.record.report, notices=("new",)))
    half_written, go_on = threading.Event(), threading.Event()
    write_chosen = store.write_chosen

    def slow(*args):
        write_chosen(*args)
        half_written.set()
        assert go_on.wait(10)

    monkeypatch.setattr(store, "write_chosen", slow)
    writer = threading.Thread(target=save, args=(new, saved))
    writer.start()
    assert half_written.wait(10)
    seen = load(saved)
    go_on.set()
    writer.join()
    assert digest(seen) == digest(graph)
    assert digest(load(saved)) == digest(new)


@pytest.mark.parametrize("part", ["write_given", "write_chosen"])
def test_full_disk_leaves_the_old_graph(graph, saved, monkeypatch, part):
    before = saved.read_bytes()
    write = getattr(store, part)

    def on_small_disk(connection, *args):
        # as many pages as there are: what is written now does not fit
        pages = connection.execute("PRAGMA page_count").fetchone()[0]
        connection.execute(f"PRAGMA max_page_count = {pages}")
        return write(connection, *args)

    monkeypatch.setattr(store, part, on_small_disk)
    much = store.Step("more than a page holds " * 1000, 0.0, 0, "")
    with pytest.raises(FormatError, match=r"g\.mog: cannot be written: database or disk is full"):
        save(graph, saved, [much])
    assert saved.read_bytes() == before
    assert list(saved.parent.iterdir()) == [saved]


def test_missing_folder(graph, tmp_path):
    with pytest.raises(FormatError, match="there is no folder"):
        save(graph, tmp_path / "nowhere" / "g.mog")


def test_unsound_graphs_are_not_saved(graph, tmp_path):
    edges, clip = graph.edges, graph.clips[0]
    bare = kg.samples.make("run").motion
    cases = {
        "round its motion first": replace(graph, clips=(replace(clip, motion=bare), *graph.clips[1:])),
        "change length": replace(
            graph,
            clips=(
                replace(clip, motion=replace(clip.motion, translations=np.zeros((len(clip), len(graph.skeleton), 3)))),
                *graph.clips[1:],
            ),
        ),
        "costs nan": other(graph, cost=np.full(len(edges), np.nan)),
        "which does not exist": other(graph, target=edges.target + 10_000),
        "not ordered by source": other(graph, source=edges.source[::-1]),
        "same name": replace(graph, clips=(clip, clip)),
        "a confidence of 1.5, not between 0 and 1": unsure(graph, 1.5),
        "a confidence of 0.0, not between 0 and 1": unsure(graph, 0.0),
        "beyond its clip": replace(graph, node_frame=graph.node_frame + 1000),
        "no such clip": recorded(graph, candidates={("x", "y"): next(iter(graph.record.candidates.values()))}),
        "cannot be written as JSON": recorded(graph, report=replace(graph.record.report, threshold=float("inf"))),
        "cannot be held": recorded(graph, report=replace(graph.record.report, notices=("\udcff",))),
    }
    for message, unsound in cases.items():
        with pytest.raises(GraphError, match=message):
            save(unsound, tmp_path / "g.mog")
    assert list(tmp_path.iterdir()) == []


def test_numbers_of_numpy_in_a_report_are_numbers(graph, tmp_path):
    values = {**graph.record.report.to_dict(), "kept": np.int64(7), "threshold": np.float32(0.5)}
    save(recorded(graph, report=BuildReport.from_dict(values)), tmp_path / "g.mog")
    assert load(tmp_path / "g.mog").record.report.kept == 7


# -- opening what is no graph -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("question", [load, check, steps])
def test_files_that_are_no_graph(tmp_path, question):
    (tmp_path / "text.mog").write_text("HIERARCHY\n" * 100)
    (tmp_path / "short.mog").write_bytes(b"SQLite format 3\0")
    (tmp_path / "empty.mog").touch()
    with closing(sqlite3.connect(tmp_path / "foreign.mog")) as connection:
        connection.execute("CREATE TABLE clip (id)")
    cases = {
        "text.mog": "this is no motion graph",
        "short.mog": "this is no motion graph",
        "empty.mog": "the file is empty",
        "foreign.mog": "an SQLite file, but no motion graph",
        "missing.mog": "there is no such file",
        ".": "this is a folder",
        "zero\0byte": "no file can have that name",
    }
    for name, message in cases.items():
        with pytest.raises(FormatError, match=message):
            question(tmp_path / name)


def test_newer_file(saved):
    edit(saved, f"PRAGMA user_version = {schema.VERSION + 1}")
    with pytest.raises(FormatError, match=r"newer kinegraph \(schema 3; this one reads up to 2\): update kinegraph"):
        load(saved)


def test_file_without_a_table(saved):
    edit(saved, "DROP TABLE history")
    with pytest.raises(FormatError, match="no table history"):
        load(saved)


FIRST_ROWS = [
    "UPDATE edge SET target = 100000 WHERE id = 3",
    "UPDATE edge SET cost = cost + 1e-9 WHERE kind > 0",
    "UPDATE node SET clip = 99 WHERE id = 1",
    "UPDATE clip SET root = zeroblob(5) WHERE id = 0",
    "UPDATE candidates SET clip_b = clip_b + 77",
    "UPDATE candidates SET first = zeroblob(3)",
    "DELETE FROM edge",
]
ROWS = [
    "UPDATE array SET data = zeroblob(length(data)) WHERE name = 'edge_target'",
    "UPDATE array SET data = zeroblob(8) WHERE name = 'edge_cost'",
    "UPDATE array SET data = zeroblob(length(data)) WHERE name = 'contacts'",
    "UPDATE array SET data = zeroblob(length(data)) WHERE name = 'candidate_first'",
    "UPDATE array SET name = 'edge_why' WHERE name = 'edge_x'",
    "UPDATE array SET piece = 1 WHERE name = 'candidate_cost'",
    "UPDATE clip SET rotations = zeroblob(length(rotations)) WHERE id = 1",
    "UPDATE clip SET sha256 = '' WHERE id = 1",
    "UPDATE clip SET licence = 'CC0' WHERE id = 1",
    "DELETE FROM array",
    "DELETE FROM meta WHERE key = 'checksum'",
]
BOTH = [
    "UPDATE clip SET fps = 31.0",
    "UPDATE label_component SET nodes = zeroblob(1)",
    "UPDATE label_span SET clip = 50 WHERE id = 0",
    "UPDATE meta SET value = '{' WHERE key = 'report'",
    "UPDATE meta SET value = '[]' WHERE key = 'parameters'",
    "UPDATE meta SET value = '{\"later\": 1}' WHERE key = 'parameters'",
    "DELETE FROM meta WHERE key = 'digest'",
    "DELETE FROM joint WHERE id = 4",
    "DELETE FROM clip",
]


@pytest.mark.parametrize("statement", [*ROWS, *BOTH])
def test_changed_rows_are_refused_and_found(saved, statement):
    edit(saved, statement)
    with pytest.raises(FormatError, match=r"g\.mog: the file is damaged .*: take a copy that is whole, or build"):
        read_all(saved)
    assert check(saved) != []


@pytest.mark.parametrize("statement", [*FIRST_ROWS, *BOTH])
def test_changed_rows_of_version_1_are_refused_and_found(first, statement):
    edit(first, statement)
    with pytest.raises(FormatError, match=r"first\.mog: the file is damaged .*: take a copy that is whole, or build"):
        load(first)
    assert check(first) != []


def outcome(path, wanted: str) -> str:
    """What becomes of a damaged file; anything but the same graph or a `FormatError` fails the test."""
    try:
        graph = read_all(path)
        assert worked_out(graph) == digest(graph) == wanted, "a different graph"
    except FormatError:
        return "refused"
    return "whole"


def test_truncated_files_are_refused(graph, saved):
    data, wanted = saved.read_bytes(), digest(graph)
    for size in (*range(0, 200, 20), *range(200, len(data), len(data) // 40), len(data) - 1):
        saved.write_bytes(data[:size])
        assert outcome(saved, wanted) == "refused", size


def test_flipped_bytes_never_give_another_graph(graph, saved):
    data, wanted = saved.read_bytes(), digest(graph)
    random = np.random.default_rng(5)
    # the header and the tables' definitions byte by byte, the rest by chance
    places = [*range(0, 120, 3), *random.integers(100, 8192, 60), *random.integers(0, len(data), 150)]
    seen = set()
    for place in places:
        damaged = bytearray(data)
        damaged[place] ^= 1 << int(random.integers(8))
        saved.write_bytes(damaged)
        seen.add(outcome(saved, wanted))
        try:
            check(saved)
        except FormatError:
            assert outcome(saved, wanted) == "refused"
    assert seen == {"refused", "whole"}


@pytest.mark.parametrize("version", [1, 2])
def test_a_single_flip_of_any_bit_of_a_rotation_is_noticed(version, first, saved):
    path = first if version == 1 else saved
    with closing(sqlite3.connect(path)) as connection:
        (blob,) = connection.execute("SELECT rotations FROM clip WHERE id = 0").fetchone()
    random = np.random.default_rng(3)
    for place in random.integers(0, len(blob), 30):
        flipped = bytearray(blob)
        flipped[place] ^= 1 << int(random.integers(8))
        with closing(sqlite3.connect(path)) as connection:
            connection.execute("UPDATE clip SET rotations = ? WHERE id = 0", (bytes(flipped),))
            connection.commit()
        with pytest.raises(FormatError, match="the file is damaged"):
            read_all(path)


def test_damage_is_told_when_a_damaged_clip_is_used_and_not_before(saved):
    edit(saved, "UPDATE clip SET rotations = zeroblob(length(rotations)) WHERE id = 1")
    graph = load(saved)
    assert len(graph.clips[0].motion.positions) == len(graph.clips[0])
    with pytest.raises(FormatError, match=r"damaged \(the rotations of clip 'stand' are not what was saved\)"):
        graph.clips[1].motion.positions  # noqa: B018
    with pytest.raises(FormatError, match="damaged"):
        save(graph, saved.with_name("copy.mog"))


# -- check ------------------------------------------------------------------------------------------------------------


def test_check_names_what_points_nowhere(first):
    edit(first, "UPDATE edge SET target = 100000 WHERE id = 3")
    found = "\n".join(check(first))
    assert "row 3 of table edge points to a row of node that does not exist" in found
    assert "its digest differs" in found
    assert "edge 3 enters node 100000" in found


def test_faults_of_every_kind(graph):
    edges, first = graph.edges, int(np.argmax(graph.edges.kind > 0))
    walk, run = graph.labels["walk"], graph.labels["run"]
    pair, minima = next(iter(graph.record.candidates.items()))

    def at(name, value):
        values = getattr(edges, name).copy()
        values[first if value is not None else 0] = 5 if value is None else value
        return other(graph, **{name: values})

    keep = np.delete(np.arange(len(edges)), first + 1)  # the bridge that leads on to the next clip
    pruned = Edges(*(values[keep] for values in vars(edges).values()))
    cases = {
        "more than its source clip has left": at("length", 1000),
        "frames between its nodes": at("length", None),
        "but has a cost": at("angle", None),
        "plays 0 frames": at("length", 0),
        "kind 9": at("kind", 9),
        "costs -1": at("cost", -1),
        "whose x is nan": at("x", np.nan),
        "next node": at("kind", 0),
        "falls into 3 components": replace(graph, edges=pruned, labels={}),
        "leads out of it": replace(graph, labels={"walk": Component(walk.nodes[1:], walk.edges)}),
        "not ascending": replace(graph, labels={"walk": Component(walk.nodes[::-1], [])}),
        "may end": replace(graph, labels={"walk": Component(walk.nodes, walk.edges[1:])}),
        "does not bear it": replace(graph, labels={"walk": run}),
        "are not in order": recorded(graph, candidates={pair: replace(minima, first=minima.first[::-1])}),
        "lie beyond a clip": recorded(graph, candidates={pair: replace(minima, first=minima.first + 1000)}),
        "no distance": recorded(graph, candidates={pair: replace(minima, cost=-minima.cost)}),
        "stand there twice": recorded(graph, candidates={("run", "walk"): minima, ("walk", "run"): minima}),
        "another skeleton": replace(
            graph,
            clips=(
                graph.clips[0],
                *(replace(c, motion=replace(c.motion, skeleton=graph.skeleton.scaled(2))) for c in graph.clips[1:]),
            ),
        ),
        "on frames 5 to 4": replace(
            graph,
            clips=(
                replace(graph.clips[0], spans=(replace(graph.clips[0].spans[0], first=5, last=4),)),
                *graph.clips[1:],
            ),
        ),
    }
    for message, wrong in cases.items():
        assert message in "\n".join(faults(wrong)), message


def test_clip_of_any_length_is_made():
    assert len(made_clip("walk", 25)) == 25


def test_reader_in_the_docs_plays_a_walk(saved):
    text = (Path(__file__).parents[2] / "docs" / "mog-format.md").read_text(encoding="utf-8")
    program = text.split("```python\n")[2].split("```")[0]
    ran = subprocess.run([sys.executable, "-c", program, str(saved)], capture_output=True, text=True, check=True)
    walk = np.array([line.split() for line in ran.stdout.splitlines()], float)
    assert len(walk) >= 300
    # placed by its alignments the walk has no jumps: a runner's root moves no more than 20 cm a frame, and the clips were cut by hand
    assert np.linalg.norm(np.diff(walk, axis=0), axis=1).max() < 0.5
