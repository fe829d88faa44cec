from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import kinegraph as kg
from kinegraph.motion.floor import FloorTransform
from tests.cli.inprocess import call
from tests.cli.test_space_build import write_strikes


@pytest.fixture(scope="module")
def punches(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("join")
    done = call("space", "build", write_strikes(folder / "takes", "punch"), "--kind", "punch", "-o", folder / "s.mog")
    assert done.code == 0, done.err
    return folder / "s.mog"


def test_a_strike_between_two_walks(punches: Path, built: Path, tmp_path: Path) -> None:
    words = ["--before", "2", "--after", "1", "--seed", "3", "--json"]
    facts = call("space", "join", punches, "-0.05,1.3", built, "-o", tmp_path / "j.npz", *words).json
    motion = kg.load(tmp_path / "j.npz")
    assert facts["frames"] == len(motion)
    assert facts["miss_cm"] < 0.1
    assert facts["entered"]["bridge"]
    assert facts["notices"]
    placement = facts["placement"]
    laid = FloorTransform(np.radians(placement["degrees"]), placement["x"], placement["z"])
    hit = laid.inverse().apply(motion.position("right_wrist")[facts["hit_frame"]])
    np.testing.assert_allclose(hit[:2], [-0.05, 1.3], atol=1e-3)
    np.testing.assert_allclose(facts["hit"], hit, atol=1e-3)


def test_the_report_for_people(punches: Path, built: Path) -> None:
    done = call("space", "join", punches, "0.05,1.3", built, "--before", "1", "--after", "1")
    assert done.code == 0, done.err
    assert "entered" in done.out
    assert "bridges of up to" in done.err


def test_what_cannot_be_had_exits_with_1(punches: Path, built: Path, tmp_path: Path) -> None:
    far = call("space", "join", punches, "3,1.3", built, "-o", tmp_path / "j.bvh")
    assert (far.code, "cannot be reached" in far.err) == (1, True)
    assert not (tmp_path / "j.bvh").exists()
    dear = call("space", "join", punches, "0,1.3", built, "--limit", "2")
    assert (dear.code, "more than the 2.0 cm allowed" in dear.err) == (1, True)


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("0,1.3,x", "a target is two numbers"),
        ("0,1.3 --limit -2", "--limit"),
        ("0,1.3 --before -1", "--before"),
        ("0,1.3 --blend magic", "no blend is called"),
    ],
)
def test_bad_usage_exits_with_2(words: str, sentence: str, punches: Path, built: Path) -> None:
    target, *more = words.split()
    done = call("space", "join", punches, target, built, *more)
    assert (done.code, sentence in done.err) == (2, True), done.err
