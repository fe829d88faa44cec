from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import kinegraph as kg
from kinegraph import samples
from kinegraph.feet import sole
from kinegraph.graph.store.files import load
from kinegraph.paths.reading import read
from kinegraph.tasks import Follow
from kinegraph.walks import arrival
from kinegraph.walks.begin import framed
from kinegraph.walks.performing import Finished, perform
from kinegraph.walks.request import Box, Disc, Section
from tests.cli.inprocess import call

KEYS = {
    "frames",
    "seconds",
    "deviation_cm",
    "slide_mm",
    "transitions",
    "cpu_per_second",
    "clips",
    "labels",
    "warnings",
    "notices",
}


@pytest.fixture(scope="module")
def followed(built: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, object]]:
    """A folder with what following a circle left, and the report."""
    folder = tmp_path_factory.mktemp("followed")
    done = call("follow", built, "line:5", "-o", "way.bvh", "--plot", "way.png", "--json", folder=folder)
    assert done.err == ""
    return folder, done.json


def test_the_report_for_scripts(followed: tuple[Path, dict[str, object]]) -> None:
    _, facts = followed
    assert facts.keys() >= KEYS
    assert facts["deviation_cm"]["mean"] < 8
    assert facts["slide_mm"]["max"] <= 5
    assert sum(facts["clips"].values()) == pytest.approx(1, abs=0.01)
    assert facts["labels"]["walk"] > 0.9
    assert (facts["output"], facts["plot"], facts["path"], facts["search"]) == (
        "way.bvh",
        "way.png",
        "line:5",
        "fast",
    )
    assert facts["warp"] is None


def test_where_all_is_well_nothing_is_warned_of(followed: tuple[Path, dict[str, object]]) -> None:
    assert followed[1]["warnings"] == []


def test_what_is_worse_than_the_clips_is_told_and_changes_no_exit_code(
    built: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Walks that are carried off sideways after all else was done to them."""

    def carried(*given: object, **asked: object) -> Finished:
        done = perform(*given, **asked)  # type: ignore[arg-type]
        drift = np.linspace(0.0, 0.4, len(done.motion))[:, None] * [1.0, 0.0, 0.0]
        return replace(done, motion=replace(done.motion, root=done.motion.root + drift))

    monkeypatch.setattr("kinegraph.walks.performing.perform", carried)
    words = ("follow", built, "line:4")
    for sentence in (told := call(*words, "--json", folder=tmp_path).json["warnings"]):
        assert "\n" not in sentence
    assert any(one.startswith("feet slide by ") and "in the clips by" in one for one in told)
    assert any("cm off the path" in one for one in told)
    done = call(*words, folder=tmp_path)
    assert done.code == 0
    for sentence in told:
        assert f"⚠ {sentence}" in done.out


def test_the_files_hold_what_was_reported(followed: tuple[Path, dict[str, object]]) -> None:
    folder, facts = followed
    assert sorted(path.name for path in folder.iterdir()) == ["way.bvh", "way.png"]
    motion = kg.load(folder / "way.bvh")
    assert (len(motion), motion.fps) == (facts["frames"], 30)
    assert (folder / "way.png").read_bytes().startswith(b"\x89PNG")
    judged = call("evaluate", folder / "way.bvh", "--path", "line:5", "--json").json
    assert judged["deviation_cm"] == pytest.approx(facts["deviation_cm"], abs=0.01)


def test_the_report_for_people_and_nothing_written(built: Path, tmp_path: Path) -> None:
    done = call("follow", built, "line:4", folder=tmp_path)
    assert done.code == 0, done.err
    assert done.out.startswith("line:4, 4.0 m\n")
    for words in (
        "cm off it",
        "where they are seen to stand",
        "before cleaning",
        "transitions",
        "s of CPU for a second",
    ):
        assert words in done.out
    assert list(tmp_path.iterdir()) == []


def test_the_same_command_gives_the_same_bytes(built: Path, tmp_path: Path) -> None:
    for name in ("a", "b"):
        assert call("follow", built, "line:3", "-o", tmp_path / f"{name}.npz").code == 0
    assert np.array_equal(kg.load(tmp_path / "a.npz").root, kg.load(tmp_path / "b.npz").root)
    assert np.array_equal(kg.load(tmp_path / "a.npz").rotations, kg.load(tmp_path / "b.npz").rotations)


def test_the_warp_brings_it_nearer_and_feet_may_be_left(built: Path, followed: tuple[Path, dict[str, object]]) -> None:
    words = ["follow", built, "line:5", "--warp", "--no-clean", "--blend", "cubic", "--json"]
    facts = call(*words).json
    assert facts["deviation_cm"]["mean"] < followed[1]["deviation_cm"]["mean"]
    assert facts["warp"]["after_cm"]["mean"] < facts["warp"]["before_cm"]["mean"]
    assert facts["slide_mm"]["max"] > 1
    assert facts["before"] is None
    assert facts["blend"] == "cubic"


def test_every_option_reaches_the_request(built: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seen = []

    def run(task: Follow, graph: object, watch: object) -> object:
        seen.append(task)
        raise kg.KinegraphError("seen")

    monkeypatch.setattr(Follow, "run", run)
    words = (
        "--prefer walk=40 --sections 0-2:walk,2-4:stand --zone 1 --search exact --horizon 3 --keep 0.5 --width 200 --price 30 --gap 0.3 "
        "--start walk@20 --heading 90 --end-heading -45 --speed 1.2 --limit 20 --disc -3,3,0.5 --disc 4,4,1 --box -5,1,2,1"
    )
    assert call("follow", built, "line:4", *words.split()).code == 2
    (request,) = seen
    assert request == Follow(
        request.path, search="exact", horizon=3, keep=0.5, width=200, price=30, gap=0.3, start="walk@20", heading=np.pi / 2,
        sections=(Section(0, 2, "walk"), Section(2, 4, "stand")), zone=1, prefer={"walk": 40}, speed=1.2,
        obstacles=[Disc(-3, 3, 0.5), Disc(4, 4, 1), Box(-5, 1, 2, 1)], end_heading=-np.pi / 4, limit=20,
    )  # fmt: skip
    assert call("follow", built, "line:4", "--label", "walk", "--start", "walk").code == 2
    assert (seen[1].label, seen[1].start) == ("walk", "walk")


@pytest.mark.parametrize("path", ["0,0 0,1 0,1 0,1 0,4", "0,0 0,3 3,3 3,0 -1,-1"])
def test_repeated_points_and_crossings_are_fine(built: Path, path: str) -> None:
    facts = json.loads(call("follow", built, path, "--json").out)
    assert facts["frames"] > 50


BAD = {
    "one point": ("1,2", "", "at least two points"),
    "the same points": ("1,2 1,2", "", "the path has no length"),
    "nan": ("1,2 nan,2", "", "'nan,2' is not a point"),
    "no length": ("line:0", "", "must be above 0"),
    "too long": ("line:10001", "", "at most 10 km"),
    "shape": ("eigth:3", "", "Did you mean eight"),
    "missing file": ("way.svg", "", "way.svg: no such file"),
    "label": ("line:4", "--label wlak", "did you mean 'walk'"),
    "no component": ("line:4", "--label hop", "no walk can keep to 'hop'"),
    "pause": ("line:4", "--pause 2", "cannot understand pause '2'"),
    "pause beyond": ("line:4", "--pause 5:1", "not on the path, which is 4.00 m long"),
    "no pause": ("line:4", "--pause 2:0", "lasts more than 0"),
    "one pause": ("line:4", "--pause 2:1,2.2:1", "less than 0.5 m apart: make them one"),
    "section's label": ("line:4", "--sections 0-2:walk,2-4:stnad", "did you mean 'stand'"),
    "hole": ("line:4", "--sections 0-1:walk,2-4:stand", "close the hole"),
    "overlap": ("line:4", "--sections 0-3:walk,2-4:stand", "overlap from 2 to 3 m"),
    "short": ("line:4", "--sections 0-3:walk", "after 3 m no section"),
    "no section": ("line:4", "--sections walk", "cannot understand section 'walk'"),
    "both": ("line:4", "--label walk --sections 0-4:walk", "not both"),
    "clip": ("line:4", "--prefer wlak=3", "did you mean 'walk'"),
    "margin": ("line:4", "--prefer walk=-3", "must be 0 cm or more"),
    "no margin": ("line:4", "--prefer walk", "such as jump=20"),
    "start": ("line:4", "--start wlak", "did you mean 'walk'"),
    "start frame": ("line:4", "--start walk@999", "has no frame 999"),
    "blend": ("line:4", "--blend cubix", "no blend is called 'cubix'"),
    "search": ("line:4", "--search slow", "expected fast or exact"),
    "keep": ("line:4", "--keep 9", "must not be longer than the horizon"),
    "gap": ("line:4", "--gap -1", "gap must be"),
    "disc": ("line:4", "--disc 1,2", "--disc: expected X,Z,R"),
    "no disc": ("line:4", "--disc 1,2,0", "a size above 0"),
    "box": ("line:4", "--box 1,2,a,3", "--box: expected X,Z,W,D"),
    "folder": ("line:4", "-o no/way.bvh", "there is no folder no"),
    "a folder": ("line:4", "-o folder.bvh", "this is a folder"),
    "film": ("line:4", "-o way.gif", "kinegraph render"),
    "format": ("line:4", "-o way.xyz", "unknown suffix '.xyz'"),
    "plot": ("line:4", "--plot way.jpg", "unknown suffix '.jpg'"),
    "plot's folder": ("line:4", "--plot no/way.png", "there is no folder no"),
}  # fmt: skip


@pytest.fixture(scope="module")
def labelled(clips: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A graph in which 'hop' is a label of a few frames that lead nowhere."""
    folder = tmp_path_factory.mktemp("labelled")
    (folder / "labels.toml").write_text('[walk]\nspans = [{label = "hop", from = 2.0, to = 2.15}]\n')
    (folder / "folder.bvh").mkdir()
    done = call("build", clips, "-o", folder / "g.mog", "--labels", folder / "labels.toml")
    assert done.code == 0, done.err
    return folder


@pytest.mark.parametrize("case", BAD)
def test_bad_input_is_one_sentence_and_no_file(labelled: Path, case: str) -> None:
    path, words, sentence = BAD[case]
    before = sorted(labelled.iterdir())
    done = call("follow", "g.mog", path, "-o", "way.npz", *words.split(), folder=labelled)
    assert (done.code, done.out) == (2, ""), done.err
    assert sentence in done.err
    assert done.err.count("\n") == 1
    assert sorted(labelled.iterdir()) == before


def test_what_is_no_graph(clips: Path, tmp_path: Path) -> None:
    for graph, sentence in ((clips / "walk.bvh", "this is no motion graph"), (tmp_path / "no.mog", "no such file")):
        done = call("follow", graph, "line:4", "-o", tmp_path / "way.bvh")
        assert done.code == 2
        assert sentence in done.err
    assert list(tmp_path.iterdir()) == []


def test_what_cannot_be_done_is_exit_1(built: Path, tmp_path: Path) -> None:
    done = call("follow", built, "line:4", "--limit", "1", "-o", tmp_path / "way.bvh")
    assert (done.code, done.out) == (1, "")
    assert "3.2 s at least, and 1 s were allowed" in done.err
    assert list(tmp_path.iterdir()) == []


def test_a_walk_that_ends_elsewhere_says_so(built: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As one would for a path that the graph cannot follow: the figures, then a sentence."""
    monkeypatch.setattr(arrival, "THERE", 0.0001)
    done = call("follow", built, "line:3", "--json")
    assert done.code == 1
    assert "from the end of the path" in done.err
    assert "from the end of the path" in json.loads(done.out)["notices"][0]


# -- feet --------------------------------------------------------------------------------------------------------------


@pytest.fixture
def stretching(monkeypatch: pytest.MonkeyPatch) -> None:
    """Cleaning that makes legs longer, as it does where a knee would snap."""

    def longer(*given: object, **wishes: object) -> Finished:
        made = perform(*given, **wishes)  # type: ignore[arg-type]
        if made.feet is None or wishes.get("stretch") == 0.0:
            return made
        share = 1 + 0.01 * np.sin(np.arange(len(made.motion)))[:, None, None]
        motion = replace(made.motion, translations=share * made.motion.skeleton.offsets)
        return replace(made, motion=motion, feet=replace(made.feet, longer=0.01))

    monkeypatch.setattr("kinegraph.walks.performing.perform", longer)


def test_legs_that_change_are_told(built: Path, tmp_path: Path, stretching: None) -> None:
    facts = call("follow", built, "line:2", "-o", tmp_path / "way.bvh", "--json").json
    assert "legs change length by up to 1.0 %" in facts["notices"][0]
    assert kg.load(tmp_path / "way.bvh").translations is not None


def test_an_amc_gets_feet_cleaned_without_it(built: Path, tmp_path: Path, stretching: None) -> None:
    facts = call("follow", built, "line:2", "-o", tmp_path / "way.amc", "--json").json
    assert "an AMC's bones have one length" in facts["notices"][0]
    assert facts["cleaning"]["leg_change"] == 0
    assert facts["slide_mm"]["max"] <= 5
    assert len(kg.load(tmp_path / "way.amc", fps=30)) == facts["frames"]


def test_an_amc_says_with_which_rate_to_read_it(built: Path, tmp_path: Path) -> None:
    done = call("follow", built, "line:2", "-o", tmp_path / "way.amc")
    assert "way.asf" in done.err
    assert "--rate 30" in done.err


def test_without_legs_the_feet_are_left_with_a_notice(built: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kinegraph.tasks.walking.has_legs", lambda skeleton: False)
    facts = call("follow", built, "line:2", "--json").json
    assert "the feet are left as they are" in facts["notices"][0]
    assert facts["cleaning"] is None


def test_legs_are_known_by_their_roles() -> None:
    whole = samples.make("walk").motion.skeleton
    assert sole.has_legs(whole)
    assert not sole.has_legs(replace(whole, names=tuple(f"joint {number}" for number in range(len(whole)))))


def test_starts(built: Path) -> None:
    graph = load(built)
    assert framed(graph, "walk") == "walk"
    assert framed(graph, "clip:walk@3") == ("walk", 3)
    assert read("line:2").length == 2
