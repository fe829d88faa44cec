from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import kinegraph as kg
from kinegraph.evaluation.strikes import figures as strikes
from kinegraph.plots import strike_curves
from kinegraph.strikes.space import Space
from kinegraph.strikes.store import files as store
from tests.cli.inprocess import Done, call
from tests.cli.test_space_build import write_strikes
from tests.cli.test_startup import loaded

VERBS = ("build", "show", "reach", "evaluate")


@pytest.fixture(scope="module")
def two_spaces(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file with a space of punches and one of kicks."""
    folder = tmp_path_factory.mktemp("spaces")
    for kind in ("punch", "kick"):
        takes = write_strikes(folder / kind, kind)
        done = call("space", "build", takes, "--kind", kind, "-o", folder / "two.mog")
        assert done.code == 0, done.err
    return folder / "two.mog"


def test_help_names_the_verbs() -> None:
    listed = call("space", "--help").out
    for verb in VERBS:
        assert f" {verb} " in listed
        assert call("space", verb, "--help").code == 0
    assert " space " in call("--help").out


def test_asking_for_help_loads_nothing_heavy() -> None:
    assert loaded("space", "reach", "--help") == []


def test_a_file_without_a_space(built: Path, clips: Path, tmp_path: Path) -> None:
    for words in (("show",), ("reach", "0,1"), ("evaluate",)):
        for path, sentence in (
            (built, "a motion graph and no space"),
            (clips / "walk.bvh", "this is no space"),
            (tmp_path / "none.mog", "no such file"),
        ):
            done = call("space", words[0], path, *words[1:])
            assert (done.code, done.out) == (2, "")
            assert sentence in done.err


@pytest.mark.parametrize("words", [("show",), ("reach", "0,1"), ("evaluate",)], ids=lambda words: words[0])
def test_of_several_spaces_one_must_be_named(two_spaces: Path, words: tuple[str, ...]) -> None:
    done = call("space", words[0], two_spaces, *words[1:])
    assert done.code == 2
    assert "--name 'right punch' or --name 'right kick'" in done.err
    unknown = call("space", words[0], two_spaces, *words[1:], "--name", "slap")
    assert unknown.code == 2
    assert "no space 'slap'" in unknown.err


# -- show ------------------------------------------------------------------------------------------------------------


def test_shown_for_people(two_spaces: Path) -> None:
    done = call("space", "show", two_spaces, "--name", "right kick")
    assert done.code == 0, done.err
    for words in (
        "kick_high_centre ",
        "5 kicks with the right foot",
        "X to the left",
        "box",
        "region",
        "in the middle",
    ):
        assert words in done.out
    assert "another space too: 'right punch'" in done.err


def test_shown_for_scripts(two_spaces: Path) -> None:
    done = call("space", "show", two_spaces, "--name", "right punch", "--json")
    facts = done.json
    assert done.err == ""
    assert (facts["name"], facts["names"]) == ("right punch", ["right punch", "right kick"])
    assert len(facts["strikes"]) == len(facts["clips"]) == 5
    space = store.load(two_spaces, "right punch")
    low, high = space.region.low, space.region.high
    trust = facts["reliability"]
    assert trust["box"]["left_high"] == pytest.approx(space.reach(high).reliability, abs=1e-3)
    assert trust["box"]["right_low"] == pytest.approx(space.plane.reliability(low), abs=1e-3)
    assert len(trust["region"]) == len(facts["region"])
    lasts = [row["seconds"] for row in facts["strikes"]]
    assert lasts == pytest.approx((space.examples.times[:, -1] - space.examples.times[:, 0]).tolist(), abs=1e-3)


def test_the_picture_of_a_space(two_spaces: Path, tmp_path: Path) -> None:
    done = call("space", "show", two_spaces, "--name", "right punch", "--plot", tmp_path / "s.png")
    assert done.code == 0, done.err
    assert (tmp_path / "s.png").read_bytes().startswith(b"\x89PNG")
    assert "s.png" in done.err


@pytest.mark.parametrize(("target", "words"), [("s.txt", "unknown suffix"), ("no/s.png", "there is no folder")])
def test_a_picture_that_cannot_be_written(two_spaces: Path, tmp_path: Path, target: str, words: str) -> None:
    done = call("space", "show", two_spaces, "--name", "right punch", "--plot", target, folder=tmp_path)
    assert (done.code, done.out) == (2, "")
    assert words in done.err
    assert list(tmp_path.iterdir()) == []


# -- reach -----------------------------------------------------------------------------------------------------------

KEYS = {"target", "hit", "hit_frame", "miss_cm", "frames", "inside", "reliability", "weights", "seconds", "finish"}


def reach(path: Path, *words: str, name: str = "right punch", folder: Path | None = None) -> Done:
    return call("space", "reach", path, *words, "--name", name, folder=folder)


def test_the_report_for_scripts_and_the_file_agree(two_spaces: Path, tmp_path: Path) -> None:
    done = reach(two_spaces, "0.05,1.4", "-o", "a.bvh", "--json", folder=tmp_path)
    facts = done.json
    assert done.err == ""
    assert facts.keys() >= KEYS
    assert facts["target"] == [0.05, 1.4]
    assert facts["miss_cm"] < 0.1
    assert facts["inside"] is True
    assert facts["hit"][:2] == pytest.approx([0.05, 1.4], abs=1e-3)
    motion = kg.load(tmp_path / "a.bvh")
    assert (len(motion), motion.fps) == (facts["frames"], 60)
    assert motion.position("right_wrist")[facts["hit_frame"]] == pytest.approx(facts["hit"], abs=1e-3)
    weights = [row["weight"] for row in facts["weights"]]
    assert weights == sorted(weights, reverse=True)
    assert sum(weights) == pytest.approx(1, abs=1e-3)
    assert {row["clip"] for row in facts["weights"]} <= {
        row.clip for row in store.load(two_spaces, "right punch").examples.strikes
    }
    assert facts["finish"].keys() >= {"turned_deg", "lowered_cm", "balanced"}


def test_the_report_for_people(two_spaces: Path, tmp_path: Path) -> None:
    done = reach(two_spaces, "0.05,1.4", "-o", "a.npz", folder=tmp_path)
    assert done.code == 0, done.err
    for words in (
        "right punch at 0.05,1.40 with the right hand",
        "at frame",
        "within the region",
        "reliability",
        "feet held",
    ):
        assert words in done.out
    assert "a.npz" in done.err
    assert reach(two_spaces, "0.05,1.4", folder=tmp_path).code == 0
    assert [path.name for path in tmp_path.iterdir()] == ["a.npz"]


@pytest.mark.parametrize("target", ["-0.1,1.4", "-.1,1.4", "-0.1,1.4,0.66", "-1e-1,1.4"])
@pytest.mark.parametrize("where", ["before", "after", "behind two dashes"])
def test_a_target_may_begin_with_a_minus(two_spaces: Path, target: str, where: str) -> None:
    options = ["--name", "right punch", "--bounds", "-0.3,1.3", "--json"]
    words = {
        "before": [two_spaces, target, *options],
        "after": [*options, two_spaces, target],
        "behind two dashes": [*options, "--", two_spaces, target],
    }[where]
    facts = call("space", "reach", *words).json
    assert facts["target"] == [float(word) for word in target.split(",")]
    assert facts["bounds"] == [-0.3, 1.3]


def test_a_wrong_option_is_still_told() -> None:
    done = call("space", "reach", "s.mog", "-0.1,1.4", "--metod", "partial")
    assert done.code == 2
    assert "No such option" in done.err


def test_three_coordinates(two_spaces: Path) -> None:
    on_sheet = reach(two_spaces, "0.05,1.4", "--json").json["hit"]
    ahead = on_sheet[2] - 0.01
    facts = reach(two_spaces, f"0.05,1.4,{ahead}", "--json").json
    assert facts["hit"] == pytest.approx([0.05, 1.4, ahead], abs=0.005)


def test_every_option_reaches_the_space(two_spaces: Path) -> None:
    plain = reach(two_spaces, "0.05,1.4", "--no-finish", "--fps", "30", "--bounds", "0,1", "--json").json
    assert plain["finish"] is None
    assert plain["fps"] == 30
    assert min(row["weight"] for row in plain["weights"]) >= 0
    space = store.load(two_spaces, "right kick")
    # in the box, but beyond the region: only there do parts of the body make another strike than a blend
    x, y = space.region.high - 0.02
    words = (f"{x:.3f},{y:.3f}", "--nearest", "--json")
    whole, parts = (reach(two_spaces, *words, "--method", way, name="right kick").json for way in ("blend", "partial"))
    assert (whole["method"], parts["method"]) == ("blend", "partial")
    assert whole["inside"] is parts["inside"] is False
    assert whole["weights"] != parts["weights"]


def test_mirrored_it_is_the_other_hand_at_the_same_target(two_spaces: Path, tmp_path: Path) -> None:
    facts = reach(two_spaces, "-0.05,1.4", "--mirror", "-o", "m.npz", "--json", folder=tmp_path).json
    assert facts["target"] == [-0.05, 1.4]
    assert facts["hit"][:2] == pytest.approx([-0.05, 1.4], abs=1e-3)
    motion = kg.load(tmp_path / "m.npz")
    assert motion.position("left_wrist")[facts["hit_frame"]] == pytest.approx(facts["hit"], abs=1e-3)
    right = reach(two_spaces, "0.05,1.4", "--json").json
    assert facts["weights"] == right["weights"]
    assert "mirrored, at -0.05,1.40 with the left hand" in reach(two_spaces, "-0.05,1.4", "--mirror").out


@pytest.mark.parametrize("target", ["10,1.4", "0,1.4,-0.5", "0,10"])
def test_out_of_reach(two_spaces: Path, tmp_path: Path, target: str) -> None:
    done = reach(two_spaces, target, "-o", "a.bvh", "--json", folder=tmp_path)
    assert done.code == 1
    facts = json.loads(done.out)
    assert (facts["reached"], facts["output"]) == (False, None)
    assert facts["miss_cm"] > 10
    goal, hit = np.array(facts["target"]), np.array(facts["hit"])
    assert 100 * np.linalg.norm(hit[: len(goal)] - goal) == pytest.approx(facts["miss_cm"], abs=0.01)
    assert "cannot be reached" in done.err
    assert "a.bvh was not written (--nearest" in done.err
    assert list(tmp_path.iterdir()) == []
    nearest = reach(two_spaces, target, "-o", "a.bvh", "--nearest", folder=tmp_path)
    assert nearest.code == 0
    assert f"misses it by {facts['miss_cm']:.1f} cm" in nearest.err
    assert len(kg.load(tmp_path / "a.bvh")) == facts["frames"]


BAD = {
    "nan": ("nan,1.3", "", "got 'nan,1.3'"),
    "minus nan": ("-nan,1.3", "", "got '-nan,1.3'"),
    "infinite": ("-inf,1.3", "", "got '-inf,1.3'"),
    "one number": ("1.3", "", "a target is two numbers or three in metres"),
    "four numbers": ("0,1,1,1", "", "got '0,1,1,1'"),
    "letters": ("left,high", "", "got 'left,high'"),
    "nothing": ("", "", "got ''"),
    "method": ("0,1.3", "--method magic", "unknown method 'magic'"),
    "partial in three": ("2,1.3,0.5", "--method partial", "without a distance"),
    "one bound": ("0,1.3", "--bounds 0", "--bounds is two numbers"),
    "narrow bounds": ("0,1.3", "--bounds 0.2,0.9", "must be allowed to be 0 and 1"),
    "rate": ("0,1.3", "--fps 0", "frames per second must be positive"),
    "a film": ("0,1.3", "-o a.gif", "then draw it with `kinegraph render`"),
    "no folder": ("0,1.3", "-o no/a.bvh", "there is no folder"),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_input(two_spaces: Path, tmp_path: Path, case: str) -> None:
    target, words, sentence = BAD[case]
    done = reach(two_spaces, target, *words.split(), folder=tmp_path)
    assert (done.code, done.out) == (2, "")
    assert sentence in done.err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("suffix", ["bvh", "amc", "npz"])
def test_every_format(two_spaces: Path, tmp_path: Path, suffix: str) -> None:
    done = reach(two_spaces, "0.05,1.4", "-o", f"a.{suffix}", folder=tmp_path)
    assert done.code == 0, done.err
    assert len(kg.load(tmp_path / f"a.{suffix}")) > 30


# -- evaluate --------------------------------------------------------------------------------------------------------

NAMED = ("--name", "right punch")


def test_figures_for_scripts_and_for_people(two_spaces: Path) -> None:
    words = ("space", "evaluate", two_spaces, *NAMED, "--targets", "3", "--seed", "4")
    done = call(*words, "--json")
    facts = done.json
    assert done.err == ""
    assert (facts["name"], facts["targets"], facts["seed"]) == ("right punch", 3, 4)
    told = call(*words)
    assert told.code == 0, told.err
    assert "right punch" in told.out


def test_the_picture_of_limbs_and_what_is_asked_for(
    two_spaces: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = []

    def evaluate(space: Space, targets: int, seed: int) -> str:
        asked.append((space.name, targets, seed))
        return "figures"

    monkeypatch.setattr(strikes, "evaluate", evaluate)
    monkeypatch.setattr(strike_curves, "save", lambda space, path: path.write_text(space.name))
    monkeypatch.setattr(strikes, "text", lambda figures: f"the {figures} [of it]")
    done = call("space", "evaluate", two_spaces, *NAMED, "--plot", tmp_path / "e.png")
    assert done.code == 0, done.err
    assert asked == [("right punch", 200, 0)]
    assert done.out.startswith("the figures [of it]\n")
    assert "leave one out: 5 strikes" in done.out
    assert (tmp_path / "e.png").read_text() == "right punch"


@pytest.mark.parametrize("words", [("--targets", "0"), ("--seed", "-1"), ("--plot", "e.txt")])
def test_evaluate_refuses(two_spaces: Path, tmp_path: Path, words: tuple[str, str]) -> None:
    done = call("space", "evaluate", two_spaces, *NAMED, *words, folder=tmp_path)
    assert (done.code, done.out) == (2, "")
    assert list(tmp_path.iterdir()) == []


def test_a_strike_tells_how_it_was_made_and_how_to_see_its_hit(two_spaces: Path, tmp_path: Path) -> None:
    out = tmp_path / "hit.bvh"
    words = ("space", "reach", two_spaces, "0.0,1.3", "--name", "right punch", "-o", out)
    facts = call(*words, "--json").json
    assert (facts["method"], facts["way"], facts["choice"]["way"]) == ("auto", "blend", "blend")
    bent = call(*words, "--json", "--method", "nearest").json
    assert (bent["way"], len(bent["weights"]), bent["reached"]) == ("nearest", 1, True)
    told = call(*words).err
    assert f"--mark {facts['hit_frame']}:hit" in told
    pytest.importorskip("PIL")
    seen = call("render", out, "-o", tmp_path / "strip.png", "--mark", f"{facts['hit_frame']}:hit")
    assert seen.code == 0, seen.err
    assert (tmp_path / "strip.png").is_file()
    wrong = call("render", out, "-o", tmp_path / "strip.png", "--mark", "hit")
    assert wrong.code == 2
    assert "such as 34:hit" in wrong.err


def test_a_space_that_does_not_blend_says_so_wherever_it_strikes(cmu: Path, tmp_path: Path) -> None:
    """Four punches of each hand, of 143_23: left out in turn, the nearest one bent onto the target is nearer than a blend."""
    built = call("space", "build", cmu / "bvh" / "143_23.bvh", "--kind", "punch", "-o", tmp_path / "s.mog")
    assert built.code == 0, built.err
    assert "instead of a blend" in built.out
    space = store.load(tmp_path / "s.mog")
    target = ",".join(f"{value:.3f}" for value in space.region.corners.mean(axis=0))
    told = call("space", "reach", tmp_path / "s.mog", target)
    assert "instead of a blend" in told.err
    facts = call("space", "reach", tmp_path / "s.mog", target, "--json").json
    assert (facts["way"], facts["choice"]["way"], facts["reached"]) == ("nearest", "nearest", True)
    assert any("instead of a blend" in notice for notice in facts["notices"])
    blended = call("space", "reach", tmp_path / "s.mog", target, "--method", "blend", "--json").json
    assert (blended["way"], blended["notices"]) == ("blend", [])
