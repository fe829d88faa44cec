from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import kinegraph as kg
from tests.cli.inprocess import call
from tests.cli.test_follow import KEYS


def test_a_random_walk_lasts_as_long_as_asked(built: Path, tmp_path: Path) -> None:
    facts = call(
        "walk", built, "--seconds", "7.3", "-o", tmp_path / "w.bvh", "--plot", tmp_path / "w.svg", "--json"
    ).json
    assert facts.keys() >= KEYS
    assert facts["frames"] == 219 == len(kg.load(tmp_path / "w.bvh"))
    assert facts["deviation_cm"] is None
    assert facts["slide_mm"]["max"] <= 5
    assert facts["seed"] == 0
    assert "<svg" in (tmp_path / "w.svg").read_text()


def test_a_seed_gives_the_same_walk_and_another_another(built: Path, tmp_path: Path) -> None:
    roots = []
    for name, seed in (("a", "0"), ("b", "0"), ("c", "1")):
        call("walk", built, "--seconds", "6", "--seed", seed, "-o", tmp_path / f"{name}.npz")
        roots.append(kg.load(tmp_path / f"{name}.npz").root)
    assert np.array_equal(roots[0], roots[1])
    assert not np.array_equal(roots[0], roots[2])


def test_wishes_are_kept(built: Path) -> None:
    words = "--seconds 6 --label walk --start walk --pool 0.05 --gap 0.5 --blend inertial --json"
    facts = call("walk", built, *words.split()).json
    assert facts["labels"]["walk"] == 1
    assert "stand" not in facts["clips"]
    assert facts["blend"] == "inertial"
    assert facts["transitions"] <= 12


def test_steps_in_order(built: Path) -> None:
    facts = call("walk", built, "--sequence", "stand, walk,stand", "--stay", "1,2,0.5", "--json").json
    assert facts["sequence"] == ["stand", "walk", "stand"]
    assert {"stand", "walk"} <= facts["labels"].keys()
    assert facts["seconds"] >= 3.5
    items = facts["items"]
    assert [one["name"] for one in items] == ["stand", "walk", "stand"]
    assert [one["clip"].partition("_")[0] for one in items] == ["stand", "walk", "stand"]
    assert all(one["stayed_s"] >= least for one, least in zip(items, (1, 2, 0.5), strict=True))
    assert [one["seconds"] for one in items] == [round(one["frame"] / 30, 3) for one in items]
    ends = [one["seconds"] + one["stayed_s"] for one in items]
    assert all(end <= later["seconds"] + 1e-3 for end, later in zip(ends[:-1], items[1:], strict=True))
    assert ends[-1] == pytest.approx(facts["seconds"], abs=2e-3)


def test_the_report_for_people(built: Path) -> None:
    done = call("walk", built, "--sequence", "stand,walk")
    assert done.code == 0, done.err
    assert done.out.startswith("stand → walk\n")
    assert "step 1        stand at 0.00 s for " in done.out
    assert "step 2        walk at " in done.out


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("", "say which walk"),
        ("--seconds 3 --sequence walk", "say which walk"),
        ("--seconds 0", "above 0"),
        ("--seconds nan", "above 0"),
        ("--seconds 1e9", "up to 14,400 s"),
        ("--seconds 3 --stay 2", "--stay is for walks in order"),
        ("--sequence walk --pool 0.1", "--pool is for random walks"),
        ("--sequence walk --seed 3", "--seed is for random walks"),
        ("--sequence walk --within", "--within is for random walks"),
        ("--seconds 3 --either-side", "--either-side is for walks in order"),
        ("--seconds 3 --pool 2", "at most 1"),
        ("--seconds 3 --label wlak", "did you mean 'walk'"),
        ("--seconds 3 --start wlak", "did you mean 'walk'"),
        ("--sequence walk,wlak", "did you mean 'walk'"),
        ("--sequence walk,,stand", "with commas between them"),
        ("--sequence walk,stand --stay 1,2,3", "2 steps, but 3 stays"),
        ("--sequence walk --stay long", "such as 2 or 2,0.5,1"),
        ("--sequence walk --stay=-1", "such as 2 or 2,0.5,1"),
        ("--seconds 3 --blend soft", "no blend is called 'soft'"),
        ("--seconds 3 -o w.mp4", "kinegraph render"),
    ],
)
def test_bad_usage_is_one_sentence_and_no_file(built: Path, tmp_path: Path, words: str, sentence: str) -> None:
    done = call("walk", built, "--plot", "w.png", *words.split(), folder=tmp_path)
    assert (done.code, done.out) == (2, ""), done.err
    assert sentence in done.err
    assert list(tmp_path.iterdir()) == []


def test_a_step_without_a_way_is_exit_1(clips: Path, tmp_path: Path) -> None:
    graph = tmp_path / "g.mog"
    (tmp_path / "labels.toml").write_text('[walk]\nspans = [{label = "hop", from = 2.0, to = 2.15}]\n')
    assert call("build", clips, "-o", graph, "--labels", tmp_path / "labels.toml").code == 0
    done = call("walk", graph, "--sequence", "walk,hop", "--stay", "3", "--json")
    assert (done.code, done.out) == (1, "")
    assert "from 'walk' to 'hop' there is no way" in done.err
    assert json.loads(call("walk", graph, "--sequence", "walk,hop", "--stay", "0", "--json").out)["frames"] > 0
