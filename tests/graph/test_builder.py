"""Building, adding, removing, stopping and going on: always the same graph."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import permutations
from pathlib import Path

import numpy as np
import pytest

from kinegraph import samples
from kinegraph.arrays import Ints
from kinegraph.errors import FormatError, GraphError, KinegraphError
from kinegraph.formats import load as load_motion
from kinegraph.formats import save as save_motion
from kinegraph.graph.making import builder
from kinegraph.graph.making import comparing as comparing_clips
from kinegraph.graph.making.builder import add, build, rechoose, remove
from kinegraph.graph.making.parameters import Parameters
from kinegraph.graph.model import EdgeKind, MotionGraph
from kinegraph.graph.store.files import check, digest, load, steps
from kinegraph.motion import FloorTransform, Motion, Skeleton
from kinegraph.motion.clip import KeptMotion
from kinegraph.similarity import compare as comparing
from kinegraph.similarity import deck
from tests.graph.test_assemble import check_all, check_structure

NAMES = ("run", "stop", "walk", "walk_left_tight")


def sample(*names: str) -> list[Motion]:
    return [samples.make(name).motion for name in names]


@pytest.fixture(scope="module")
def fresh() -> MotionGraph:
    return build(sample(*NAMES), Parameters(mirror=True))


def test_the_same_clips_give_the_same_graph(fresh: MotionGraph) -> None:
    again = build(sample(*NAMES), Parameters(mirror=True), threads=1)
    assert digest(again) == digest(fresh)
    assert digest(build(sample(*reversed(NAMES)), Parameters(mirror=True), threads=3)) == digest(fresh)
    check_all(fresh)


def test_a_mirrored_family_is_as_good_on_either_side(fresh: MotionGraph) -> None:
    """For each minimum of two clips their mirrored copies have one of the same cost."""
    for a, b in (("run", "walk"), ("stop", "walk_left_tight"), ("walk_left_tight", "walk_left_tight")):
        minima = fresh.record.candidates[a, b]
        mirrored = fresh.record.candidates[f"{a}_mirrored", f"{b}_mirrored"]
        costs = {(int(i), int(j)): float(c) for i, j, c in zip(minima.first, minima.second, minima.cost, strict=True)}
        other = {
            (int(i), int(j)): float(c) for i, j, c in zip(mirrored.first, mirrored.second, mirrored.cost, strict=True)
        }
        shared = costs.keys() & other.keys()
        # rounding decides a few that are as good as equal
        assert len(shared) >= 0.9 * len(costs)
        assert all(costs[place] == pytest.approx(other[place], abs=1e-4) for place in shared)


def test_clips_may_lie_anywhere(fresh: MotionGraph) -> None:
    moved = [
        motion.place(FloorTransform(1.0 + n, 10.0 * n, -5.0)) for n, motion in enumerate(sample("run", "stop", "walk"))
    ]
    one, two = build(sample("run", "stop", "walk")), build(moved)
    assert two.record.report.kept == pytest.approx(one.record.report.kept, abs=4)
    assert two.record.report.threshold == pytest.approx(one.record.report.threshold, abs=0.001)


@pytest.mark.parametrize("order", list(permutations(range(3)))[::2])
def test_adding_in_any_order_is_building_anew(order: tuple[int, ...]) -> None:
    motions = sample("run", "walk", "walk_left_tight")
    whole = digest(build(motions))
    graph = build([motions[order[0]]])
    for n in order[1:]:
        graph = add(graph, [motions[n]])
    assert digest(graph) == whole


def test_adding_and_removing_with_mirrored_copies(fresh: MotionGraph) -> None:
    some = build(sample(*NAMES[:2]), Parameters(mirror=True))
    grown = add(some, sample(*NAMES[2:]))
    assert digest(grown) == digest(fresh)
    assert digest(remove(fresh, NAMES[2:])) == digest(some)
    assert digest(remove(grown, ["stop"])) == digest(
        build(sample("run", "walk", "walk_left_tight"), Parameters(mirror=True))
    )


def test_old_pairs_are_not_compared_again(fresh: MotionGraph, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[set[str]] = []
    real = comparing.compare_all

    def spy(clouds: object, windows: Ints, **options: object) -> object:
        asked.append({f"{a} {b}" for a, b in np.argwhere(windows)})
        return real(clouds, windows, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(comparing_clips, "compare_all", spy)
    some = remove(fresh, ["walk"])
    assert asked == [set()]
    add(some, sample("walk"))
    # walk and its copy, clips 4 and 7 of 8, with all others, each other and themselves
    assert asked[1] == {f"{min(a, b)} {max(a, b)}" for a in (4, 7) for b in range(8)}


def test_a_clip_that_is_there_already_is_left_alone(fresh: MotionGraph) -> None:
    again = add(fresh, sample("walk"))
    assert [clip.name for clip in again.clips] == [clip.name for clip in fresh.clips]
    assert any("walk is in the graph already" in notice for notice in again.record.report.notices)
    with pytest.raises(GraphError, match="another clip called 'walk'"):
        add(fresh, [samples.make("sneak").motion.renamed("walk")])


def test_removing_what_is_not_there_or_all_that_is(fresh: MotionGraph) -> None:
    with pytest.raises(GraphError, match="no clip 'hop'"):
        remove(fresh, ["hop"])
    with pytest.raises(GraphError, match="leave no clip"):
        remove(fresh, NAMES)


def test_a_saved_graph_is_the_graph(tmp_path: Path) -> None:
    path = tmp_path / "g.mog"
    made = build(sample("run", "walk"), path=path)
    assert digest(load(path)) == digest(made)
    assert check(path) == []
    grown = add(load(path), sample("stop"), path=path)
    assert digest(load(path)) == digest(grown) == digest(build(sample("run", "walk", "stop")))
    remove(load(path), ["run"], path=path)
    assert digest(load(path)) == digest(build(sample("walk", "stop")))
    assert steps(path)[-1].step == "remove"
    assert steps(path)[-1].pairs == 0
    assert [file.name for file in tmp_path.iterdir()] == ["g.mog"]


def test_files_and_motions_give_the_same_motion(tmp_path: Path) -> None:
    for motion in sample("run", "walk"):
        save_motion(motion, tmp_path / f"{motion.name}.npz")
    files = build(sorted(tmp_path.glob("*.npz")))
    memory = build([load_motion(path) for path in sorted(tmp_path.glob("*.npz"))])
    assert [clip.source.file for clip in files.clips] == ["run.npz", "walk.npz"]
    assert np.array_equal(files.edges.cost, memory.edges.cost)
    assert np.array_equal(files.node_frame, memory.node_frame)


# -- stopped, and going on --------------------------------------------------------------------------------------------


class _Stopped(Exception):  # noqa: N818
    pass


def _stop_at(count: int, kind: type[BaseException]) -> Callable[[str, int, int], None]:
    def progress(what: str, done: int, _: int) -> None:
        if what == "compare" and done >= count:
            raise kind

    return progress


@pytest.mark.parametrize("kind", [_Stopped, KeyboardInterrupt])
@pytest.mark.parametrize("at", [1, 20, 40])
def test_a_stopped_build_goes_on_to_the_same_graph(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: type[BaseException], at: int
) -> None:
    monkeypatch.setattr(comparing, "_TILES", 1)
    monkeypatch.setattr(comparing_clips, "_PAUSE", 0.0)
    path = tmp_path / "g.mog"
    motions = sample(*NAMES)
    whole = build(motions)
    monkeypatch.setattr(deck, "CHUNK", 50)  # many tiles
    for stop in (at, 1):
        with pytest.raises(kind):
            build(motions, path=path, watch=_stop_at(stop, kind))
        assert not path.exists()
        assert Path(f"{path}.part").exists()
    graph = build(motions, path=path)
    assert digest(graph) == digest(load(path)) == digest(whole)
    assert [file.name for file in tmp_path.iterdir()] == ["g.mog"]
    assert steps(path)[0].pairs < whole.record.report.pairs or at < 40


def test_an_interrupt_keeps_what_is_done(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C long before the next write to the draft: what has been compared is written first."""
    monkeypatch.setattr(comparing, "_TILES", 1)
    monkeypatch.setattr(deck, "CHUNK", 190)
    path = tmp_path / "g.mog"
    motions = sample(*NAMES, "sneak", "walk_fast")
    with pytest.raises(KeyboardInterrupt):
        build(motions, path=path, watch=_stop_at(12, KeyboardInterrupt), threads=1)
    graph = build(motions, path=path)
    assert 0 < steps(path)[0].pairs < graph.record.report.pairs
    assert digest(graph) == digest(build(motions))


@pytest.mark.parametrize("change", ["clips", "weights", "ceiling"])
def test_a_draft_of_another_build_is_no_help(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, change: str) -> None:
    monkeypatch.setattr(comparing, "_TILES", 1)
    monkeypatch.setattr(comparing_clips, "_PAUSE", 0.0)
    monkeypatch.setattr(deck, "CHUNK", 50)
    path = tmp_path / "g.mog"
    motions, parameters = sample(*NAMES), Parameters()
    with pytest.raises(_Stopped):
        build(motions, parameters, path=path, watch=_stop_at(40, _Stopped))
    if change == "clips":
        motions = [replace(motion, root=motion.root * 1.01) for motion in motions]
    elif change == "weights":
        parameters = Parameters(weights={"left_wrist": 0.2})
    else:
        parameters = Parameters(ceiling=0.1)
    assert digest(build(motions, parameters, path=path)) == digest(build(motions, parameters))


def test_an_old_graph_stays_until_the_new_one_is_whole(tmp_path: Path) -> None:
    path = tmp_path / "g.mog"
    old = build(sample("run", "walk"), path=path)
    with pytest.raises(_Stopped):
        build(sample(*NAMES), path=path, watch=_stop_at(1, _Stopped))
    assert digest(load(path)) == digest(old)
    with pytest.raises(GraphError, match="leaves no cycle"):
        build(sample("jump", "kick_low_left"), Parameters(threshold=1e-6), path=path)
    assert digest(load(path)) == digest(old)


def test_progress_tells_every_stage() -> None:
    seen: dict[str, list[tuple[int, int]]] = {}
    build(sample("run", "walk"), watch=lambda what, done, of: seen.setdefault(what, []).append((done, of)))
    assert list(seen) == ["read", "prepare", "compare", "choose"]
    for stage in seen.values():
        assert stage == sorted(stage)
        assert stage[-1][0] == stage[-1][1]


# -- bad input --------------------------------------------------------------------------------------------------------


def _stick(name: str = "stick") -> Motion:
    plain = Skeleton(("a", "b", "c"), [-1, 0, 1], np.ones((3, 3)), [], np.zeros((0, 3)))
    return Motion(plain, np.zeros((90, 3)), np.tile([1.0, 0, 0, 0], (90, 3, 1)), 30.0, name=name)


@pytest.mark.parametrize(
    ("clips", "message"),
    [
        ([], "no clips"),
        ([samples.make("walk").motion[:1]], "longer than its window"),
        ([samples.make("walk").motion[:10]], "longer than its window"),
        ([*sample("walk", "run"), _stick()], "stick: the joints' names do not tell"),
        ([*sample("walk"), samples.make("run").motion.renamed("walk")], "two different clips are called 'walk'"),
        ([samples.make("walk").motion.renamed("")], "needs a name"),
    ],
)
def test_clips_from_which_nothing_can_be_built(clips: list[Motion], message: str, tmp_path: Path) -> None:
    with pytest.raises(GraphError, match=message):
        build(clips, path=tmp_path / "g.mog")
    assert list(tmp_path.iterdir()) == []


def test_a_lone_skeleton_without_legs_is_refused() -> None:
    with pytest.raises(GraphError, match=r"stick.*hips"):
        build([_stick()])


def test_a_weight_for_a_role_that_is_not_there() -> None:
    with pytest.raises(KinegraphError, match="tail"):
        build(sample("walk"), Parameters(weights={"tail": 1.0}))


def test_short_clips_and_clips_given_twice_are_noticed() -> None:
    walk, run = sample("walk", "run")
    graph = build([walk, run, walk, walk.renamed("again"), run[:3].renamed("blip"), run.resample(24.0).renamed("slow")])
    assert [clip.name for clip in graph.clips] == ["run", "slow", "walk"]
    notices = " | ".join(graph.record.report.notices)
    for words in ("walk is given twice", "again is the same recording as walk", "blip is left out", "slow (24/s)"):
        assert words in notices
    check_structure(graph)


def test_clips_whose_feet_float_are_noticed() -> None:
    walk, slow = sample("walk", "walk_slow")
    turns = 2 * np.pi * 1.3 * np.arange(len(slow)) / slow.fps
    afloat = replace(slow, root=slow.root + np.sin(turns)[:, None] * [0.0, 0.03, 0.0])
    (notice,) = build([walk, afloat]).record.report.notices
    assert notice.startswith("walk_slow: neither foot comes within 2.5 cm of the floor in ")
    assert build([walk, slow]).record.report.notices == ()


def test_places_where_nothing_can_be_written(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="there is no folder"):
        build(sample("walk"), path=tmp_path / "nowhere" / "g.mog")
    with pytest.raises(FormatError, match="this is a folder"):
        build(sample("walk"), path=tmp_path)


@pytest.mark.parametrize(
    "values",
    [
        {"threshold": 0.0},
        {"threshold": -1.0},
        {"threshold": float("nan")},
        {"threshold": "high"},
        {"share": 1.5},
        {"share": 0.0},
        {"fps": 0.0},
        {"window": float("inf")},
        {"ceiling": float("nan")},
        {"along": -1},
        {"weights": {"hips": -1.0}},
        {"weights": {"hips": float("nan")}},
    ],
)
def test_parameters_that_cannot_be(values: dict[str, object]) -> None:
    with pytest.raises(GraphError):
        Parameters(**values)  # type: ignore[arg-type]


# -- real clips -------------------------------------------------------------------------------------------------------


def test_walks_runs_and_stops_of_a_real_subject(cmu: Path) -> None:
    """The bar: 90 % of what is attainable, every clip, a median of 4 cm, and bridges one in fifty."""
    jumps = {f"16_{n:02d}" for n in (*range(1, 8), 9, 10)}
    files = [path for path in sorted((cmu / "acclaim" / "16").glob("*.amc")) if path.stem not in jumps]
    if len(files) < 49:
        pytest.skip("needs all clips of subject 16")
    graph = build(files, Parameters(mirror=True))
    check_all(graph)
    assert len(graph.clips) == 98
    assert {int(clip) for clip in graph.node_clip} == set(range(98))
    assert graph.record.report.kept >= 0.9 * graph.record.report.attainable
    moving = graph.edges.kind != EdgeKind.ORIGINAL
    assert np.median(graph.edges.cost[moving]) <= 0.04
    assert 0 < np.count_nonzero(graph.edges.kind == EdgeKind.BRIDGE) <= 0.02 * np.count_nonzero(moving)
    assert {"walk", "run"} <= set(graph.labels)
    # what a clip of another subject brings: compared with all, and taken out again without a trace
    grown = add(graph, [cmu / "acclaim" / "17" / "17_03.amc"])
    assert digest(remove(grown, ["17_03"])) == digest(graph)
    assert digest(rechoose(graph, Parameters(mirror=True))) == digest(graph)


# -- large libraries --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("large", [True, False])
def test_many_clips_give_the_same_graph_from_several_processes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, large: bool
) -> None:
    folder = tmp_path / "clips"
    folder.mkdir()
    for name in ("walk", "walk_left_medium", "stand", "run"):
        save_motion(samples.make(name).motion, folder / f"{name}.bvh")
    plain = build(folder, Parameters(mirror=True), path=tmp_path / "plain.mog")
    monkeypatch.setattr(builder, "_LARGE" if large else "_MANY", 1)
    many = build(folder, Parameters(mirror=True), path=tmp_path / "many.mog", processes=2)
    assert isinstance(many.clips[0].motion, KeptMotion) == large
    assert digest(many) == digest(plain)
    assert digest(load(tmp_path / "many.mog")) == digest(plain)
    # nothing is left beside the graphs
    assert sorted(path.name for path in tmp_path.iterdir()) == ["clips", "many.mog", "plain.mog"]


def test_broken_files_are_left_out_and_named_unless_all_must_be_read(tmp_path: Path) -> None:
    for name in ("walk", "walk_left_medium"):
        save_motion(samples.make(name).motion, tmp_path / f"{name}.bvh")
    (tmp_path / "broken.bvh").write_text("HIERARCHY\nnothing\n")
    (tmp_path / "empty.bvh").write_text("")
    with pytest.raises(FormatError, match="broken"):
        build(tmp_path)
    graph = build(tmp_path, strict=False)
    assert [clip.name for clip in graph.clips] == ["walk", "walk_left_medium"]
    told = [sentence for sentence in graph.record.report.notices if "left out" in sentence]
    assert len(told) == 2
    assert "broken.bvh" in told[0]
    assert "empty.bvh" in told[1]
    for name in ("walk", "walk_left_medium"):
        (tmp_path / f"{name}.bvh").unlink()
    with pytest.raises(FormatError, match="none of 2 files"):
        build(tmp_path, strict=False)
