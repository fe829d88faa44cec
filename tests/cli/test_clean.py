from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import kinegraph as kg
from kinegraph import samples
from tests.cli.inprocess import call
from tests.cli.test_build import bad as bad  # a folder with a body whose legs have no names


@pytest.fixture(scope="module")
def skating(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A walk that glides over the floor by 5 cm a second."""
    walk = samples.make("walk").motion
    root = walk.root + np.arange(len(walk))[:, None] / walk.fps * [0.05, 0.0, 0.0]
    path = tmp_path_factory.mktemp("skating") / "skating.bvh"
    kg.save(kg.Motion(walk.skeleton, root, walk.rotations, walk.fps), path)
    return path


def test_feet_stand_still_afterwards(skating: Path, tmp_path: Path) -> None:
    facts = call("clean", skating, tmp_path / "still.bvh", "--json").json
    assert facts["before"]["held_slide_mm"]["max"] > 5 > 1 > facts["held_slide_mm"]["max"]
    assert facts["warnings"] == []
    assert facts["plants"] > 5
    assert 0 < facts["cleaning"]["moved_mm"] < 100
    judged = [call("evaluate", path, "--json").json for path in (skating, tmp_path / "still.bvh")]
    # what is said of it is what the files show
    assert [one["slide_mm"]["mean"] for one in judged] == pytest.approx(
        [facts["before"]["slide_mm"]["mean"], facts["slide_mm"]["mean"]], abs=0.05
    )
    assert judged[1]["slide_mm"]["mean"] < 0.3 * judged[0]["slide_mm"]["mean"]
    assert judged[1]["frames"] == facts["frames"] == len(samples.make("walk").motion)


def test_the_report_for_people(skating: Path, tmp_path: Path) -> None:
    done = call("clean", skating, tmp_path / "still.amc", "--stretch", "0")
    assert done.code == 0, done.err
    for words in ("plants", "slide", "sink", "knees", "joints by up to"):
        assert words in done.out
    assert "--rate 60" in done.err


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("walk.bvh walk.bvh", "this is the source itself"),
        ("nowhere.bvh out.bvh", "nowhere.bvh: no such file"),
        ("walk.bvh out.png", "kinegraph render"),
        ("walk.bvh no/out.bvh", "there is no folder no"),
        ("walk.bvh out.bvh --stretch 1", "0 to 0.2"),
        ("walk.bvh out.bvh --stretch=-0.1", "0 to 0.2"),
        ("odd.bvh out.bvh", "--roles F.toml"),
    ],
)
def test_bad_input_is_one_sentence_and_no_file(bad: Path, words: str, sentence: str) -> None:
    before = sorted(bad.rglob("*"))
    done = call("clean", *words.split(), folder=bad)
    assert (done.code, done.out) == (2, "")
    assert sentence in done.err
    assert sorted(bad.rglob("*")) == before
