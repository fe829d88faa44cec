from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import kinegraph as kg
from kinegraph import samples
from kinegraph.cli import console, graphs
from kinegraph.graph.making.builder import build
from kinegraph.graph.making.parameters import Parameters
from kinegraph.graph.store import files as store
from kinegraph.similarity.compare import compare_all
from tests.cli.inprocess import call

KEYS = {
    "clips", "frames", "pairs", "seconds", "pairs_per_second", "threshold_cm", "transitions", "nodes", "edges",
    "kept_share", "components", "bridges", "groups", "losses", "labels", "curve", "notices", "dropped_nodes",
    "dropped_seconds", "attainable",
}  # fmt: skip


def test_a_folder_gives_the_graph_that_the_library_builds_of_its_files(clips: Path, built: Path) -> None:
    graph = store.load(built)
    assert [clip.name for clip in graph.clips] == ["stand", "walk", "walk_left_tight"]
    assert [clip.source.file for clip in graph.clips] == ["stand.bvh", "walk.bvh", "walk_left_tight.bvh"]
    assert store.digest(graph) == store.digest(build(clips))
    assert [step.step for step in store.steps(built)] == ["build"]
    assert sorted(path.name for path in built.parent.iterdir()) == ["built.mog"]


def test_the_report_for_scripts(clips: Path, tmp_path: Path) -> None:
    done = call("build", clips / "walk.bvh", "-o", tmp_path / "g.mog", "--json")
    facts = done.json
    assert facts.keys() >= KEYS
    assert facts["clips"] == 1
    assert facts["frames"] == len(store.load(tmp_path / "g.mog").clips[0])
    assert facts["pairs_per_second"] == pytest.approx(facts["pairs"] / facts["seconds"], rel=1e-3)
    assert any("centimetres" in sentence for sentence in facts["notices"])
    assert done.err == ""


def test_the_report_for_people(clips: Path, tmp_path: Path) -> None:
    done = call("build", clips, "-o", tmp_path / "g.mog")
    for words in ("pairs of windows", "transitions", "% of the attainable frames", "group 1", "cm"):
        assert words in done.out
    assert "all 3 clips: lengths taken as centimetres" in done.err
    assert str(tmp_path / "g.mog") in done.err


def test_a_bound_on_memory_gives_the_same_graph_and_the_report_says_what_was_held(clips: Path, tmp_path: Path) -> None:
    path = tmp_path / "g.mog"
    facts = call("build", clips, "-o", path, "--memory", "64G", "--json").json
    assert 50e6 < facts["peak_bytes"] < 64e9
    assert store.digest(store.load(path)) == store.digest(build(clips))
    for said, told in (("1M", "1 MB of memory are too few"), ("much", "--memory: expected a size such as 2G or 512M")):
        done = call("build", clips, "-o", tmp_path / "other.mog", "--memory", said)
        assert done.code == 2
        assert told in done.err
    assert [entry.name for entry in tmp_path.iterdir()] == ["g.mog"]


def test_one_bar_is_for_all_stages_of_a_build() -> None:
    bars = console.Progress()
    watch = console.Bars(bars, None)
    watch.expect({"read": 1.0, "prepare": 2.0, "compare": 5.0})
    seen = []
    for stage, done in (("read", 1), ("read", 2), ("compare", 0), ("compare", 1), ("compare", 2)):
        watch.tell(stage, done, 2)
        seen.append(bars.tasks[0].completed)
    assert bars.tasks[0].description == "in all"
    assert seen == [0.5, 1.0, 3.0, 5.5, 8.0]
    assert bars.tasks[0].total == 8.0


def test_every_option_reaches_the_parameters(clips: Path, tmp_path: Path) -> None:
    labels = tmp_path / "labels.toml"
    labels.write_text('["walk*"]\nlabels = ["promenade"]\n["nobody"]\nlabels = ["walk"]\n')
    words = (
        "--fps 20 --window 0.3 --no-adapt --threshold 6 --ceiling 15 --share 80 --mirror --no-annotate --no-bridges --along 1 "
        "--weight left_toe=0.1 --weight hips=0.3 --threads 1"
    )
    path = tmp_path / "g.mog"
    body = tmp_path / "child.npz"
    walk = samples.make("walk").motion
    kg.save(kg.retarget(walk, walk.skeleton.scaled(0.8)), body)
    facts = call("build", clips, "-o", path, *words.split(), "--labels", labels, "--onto", body, "--json").json
    graph = store.load(path)
    assert graph.record.parameters == Parameters(
        fps=20, window=0.3, adapt=False, threshold=0.06, ceiling=0.15, share=0.8, mirror=True, bridges=False, along=1,
        weights={"left_toe": 0.1, "hips": 0.3}, annotate=False,
    )  # fmt: skip
    assert len(graph.clips) == 6
    assert graph.skeleton.stature == pytest.approx(0.8 * walk.skeleton.stature)
    assert {span.label for span in graph.clip("walk").spans} == {"promenade"}
    assert any("no clip is called 'nobody'" in sentence for sentence in facts["notices"])


def test_an_amc_takes_the_skeleton_beside_it_and_others_the_given_one(clips: Path, tmp_path: Path) -> None:
    with_asf, without = tmp_path / "with", tmp_path / "without"
    with_asf.mkdir()
    without.mkdir()
    walk = kg.load(clips / "walk.bvh")
    kg.save(walk, with_asf / "walk.amc")
    kg.save(kg.retarget(walk, walk.skeleton.scaled(0.8)), without / "small.amc")
    given = tmp_path / "given.asf"
    (without / "small.asf").rename(given)
    words = ["build", with_asf, without, "-o", tmp_path / "g.mog", "--rate", "60"]
    assert "its ASF was not found" in call(*words).err
    done = call(*words, "--skeleton", given)
    assert done.code == 0, done.err
    graph = store.load(tmp_path / "g.mog")
    sources = {clip.name: clip.source for clip in graph.clips}
    assert sources["small"].retargeted != sources["walk"].retargeted


def test_a_clip_given_twice_is_used_once(clips: Path, tmp_path: Path) -> None:
    shutil.copy(clips / "walk.bvh", tmp_path / "copy.bvh")
    done = call("build", clips, clips / "walk.bvh", tmp_path / "copy.bvh", "-o", tmp_path / "g.mog")
    assert "walk.bvh is given twice: used once" in done.err
    assert "copy.bvh is the same recording as" in done.err
    assert len(store.load(tmp_path / "g.mog").clips) == 3


def test_many_clips_given_again_are_told_in_one_sentence(clips: Path, tmp_path: Path) -> None:
    copies = [tmp_path / f"copy_{number}.bvh" for number in range(8)]
    for copy in copies:
        shutil.copy(clips / "walk.bvh", copy)
    done = call("build", clips, *copies, "-o", tmp_path / "g.mog")
    (said,) = [line for line in done.err.splitlines() if "same recording" in line]
    assert "8 clips are the same recordings as others" in said
    assert "and 2 more" in said
    assert copies[0].name in said
    # scripts are told of each
    listed = call("inspect", tmp_path / "g.mog", "--json").json["notices"]
    assert [any(f"{copy} is the same recording as" in notice for notice in listed) for copy in copies] == [True] * 8


def test_clips_too_short_are_left_out_with_a_notice(clips: Path, tmp_path: Path) -> None:
    kg.save(samples.make("run").motion[:1], tmp_path / "one.bvh")
    kg.save(samples.make("run").motion[:8], tmp_path / "short.bvh")
    done = call("build", clips, tmp_path, "-o", tmp_path / "g.mog")
    assert done.code == 0, done.err
    assert "2 clips are left out" in done.err
    for name in ("one (1, window ", "short ("):
        assert name in done.err
    assert len(store.load(tmp_path / "g.mog").clips) == 3


def test_real_clips_that_have_no_skeleton_of_their_own(cmu: Path, tmp_path: Path) -> None:
    words = ["build", cmu / "labeled" / "walk_16_15.amc", cmu / "labeled" / "sneak_17_03.amc", "-o", tmp_path / "g.mog"]
    assert call(*words).code == 2
    facts = call(*words, "--skeleton", cmu / "acclaim" / "16" / "16.asf", "--json").json
    assert facts["clips"] == 2
    assert facts["kept_share"] >= 0.9
    assert {"walk", "sneak"} <= facts["labels"].keys()


BAD = {
    "a skeleton": ("walk.asf -o g.mog", "an ASF is a skeleton"),
    "missing": ("nowhere.bvh -o g.mog", "nowhere.bvh: no such file"),
    "no clips": ("empty -o g.mog", "empty: no clips in this folder"),
    "no folder": ("walk.bvh -o no/such/g.mog", "there is no folder no/such"),
    "a folder": ("walk.bvh -o folder.mog", "this is a folder"),
    "no graph": ("walk.bvh -o walk.bvh", "ends in .mog"),
    "no roles": ("walk.bvh odd.bvh -o g.mog", "odd: the joints' names do not tell which is the hips"),
    "one frame": ("one.bvh -o g.mog", "no clip is longer than its window"),
    "window": ("walk.bvh -o g.mog --window 60", "no clip is longer than its window"),
    "one name": ("walk.bvh other/walk.bvh -o g.mog", "called 'walk', walk.bvh and other/walk.bvh"),
    "nan": ("nan.bvh -o g.mog", "expected a finite number, found 'nan'"),
    "threshold": ("walk.bvh -o g.mog --threshold high", "--threshold: expected auto or a distance in cm"),
    "negative": ("walk.bvh -o g.mog --threshold -3", "got '-3'"),
    "ceiling": ("walk.bvh -o g.mog --ceiling 0", "--ceiling: expected a distance in cm"),
    "share": ("walk.bvh -o g.mog --share 0.9", "--share"),
    "threads": ("walk.bvh -o g.mog --threads 0", "--threads must be a number of at least 1"),
    "along": ("walk.bvh -o g.mog --along 200", "along can be 100 at most, got 200"),
    "rate": ("walk.bvh -o g.mog --fps 0", "fps must be positive"),
    "role": ("walk.bvh -o g.mog --weight tail=1", "unknown body role 'tail'"),
    "weight": ("walk.bvh -o g.mog --weight left_toe=much", "such as left_toe=0.1"),
    "negative weight": ("walk.bvh -o g.mog --weight left_toe=-1", "weights must be 0 or positive"),
    "labels": ("walk.bvh -o g.mog --labels none.toml", "none.toml: cannot be read"),
    "body": ("walk.bvh -o g.mog --onto none.bvh", "none.bvh: no such file"),
    "no clip": ("-o g.mog", "Missing argument"),
}


@pytest.fixture(scope="module")
def bad(clips: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("bad")
    text = (clips / "walk.bvh").read_text()
    (folder / "walk.bvh").write_text(text)
    for name in ("empty", "other", "folder.mog"):
        (folder / name).mkdir()
    kg.save(samples.make("run").motion, folder / "other" / "walk.bvh")
    kg.save(samples.make("walk").motion[:1], folder / "one.bvh")
    odd = text
    for number, name in enumerate(sorted(samples.make("walk").motion.skeleton.names, key=len, reverse=True)):
        odd = odd.replace(f" {name}\n", f" q{number}\n")
    (folder / "odd.bvh").write_text(odd)
    lines = text.rstrip().split("\n")
    lines[-1] = "nan " + lines[-1].split(" ", 1)[1]
    (folder / "walk.asf").touch()
    (folder / "nan.bvh").write_text("\n".join(lines))
    return folder


@pytest.mark.parametrize("case", BAD)
def test_bad_input_is_one_sentence_and_no_file(bad: Path, case: str) -> None:
    words, sentence = BAD[case]
    before = {path: path.stat().st_mtime_ns for path in bad.rglob("*")}
    done = call("build", *words.split(), folder=bad)
    assert done.code == 2
    assert sentence in done.err
    assert done.out == ""
    assert {path: path.stat().st_mtime_ns for path in bad.rglob("*")} == before


def test_a_threshold_that_leaves_no_cycle_says_which_would(clips: Path, mog: Path, tmp_path: Path) -> None:
    kg.save(samples.make("walk_left_tight").motion[10:75], tmp_path / "part.bvh")
    before = mog.read_bytes()
    done = call("build", tmp_path / "part.bvh", "-o", mog, "--threshold", "0.001")
    assert done.code == 2
    assert "0.001 cm leaves no cycle" in done.err
    assert mog.read_bytes() == before


def test_ctrl_c_stops_cleanly_and_the_same_command_goes_on(
    clips: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "g.mog"
    words = ["build", clips, "-o", path]

    def interrupted(*given: Any, **options: Any) -> Iterator[Any]:
        """Ctrl-C once three of six pairs are done."""
        found = next(compare_all(*given, **options))
        yield found.among(np.arange(found.pairs) < 3)
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr("kinegraph.graph.making.comparing.compare_all", interrupted)
        done = call(*words)
    assert done.code == 130
    assert f"kept in {path}{graphs.DRAFT}: the same command goes on from there" in done.err
    assert sorted(entry.name for entry in tmp_path.iterdir()) == [f"g.mog{graphs.DRAFT}"]
    again = call(*words, "--json").json
    assert 0 < again["history"][0]["pairs"] < again["pairs"]
    assert store.digest(store.load(path)) == store.digest(build(clips))
    assert [entry.name for entry in tmp_path.iterdir()] == ["g.mog"]
