from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import kinegraph as kg
from kinegraph.paths.bspline import Spline
from kinegraph.paths.editing.course import stride_course
from kinegraph.paths.editing.fit import residual_table
from kinegraph.paths.reading import read_curve
from tests.cli.inprocess import call
from tests.cli.test_startup import loaded


def test_help_names_the_verbs_and_loads_nothing_heavy() -> None:
    listed = call("paths", "--help").out
    for verb in ("show", "fit"):
        assert f" {verb} " in listed
        assert call("paths", verb, "--help").code == 0
    assert " paths " in call("--help").out
    assert loaded("paths", "show", "--help") == []


# -- show a clip -----------------------------------------------------------------------------------------------------


def test_the_table_for_scripts(clips: Path) -> None:
    clip = clips / "walk_left_tight.bvh"
    done = call("paths", "show", clip, "--degree", "4,2,4", "--json")
    facts = done.json
    assert done.err == ""
    motion = kg.load(clip)
    wanted = residual_table(motion, [2, 4])
    assert [row["degree"] for row in facts["paths"]] == [2, 4, None]
    for row, fit in zip(facts["paths"], wanted, strict=True):
        assert row["rms_cm"] == pytest.approx(fit.rms_cm, abs=1e-4)
        assert row["max_cm"] == pytest.approx(fit.max_cm, abs=1e-4)
        assert row["rms_degrees"] == pytest.approx(fit.rms_degrees, abs=1e-4)
        assert row["between_cm"] == pytest.approx(fit.between_cm, abs=1e-4)
        assert row["length_m"] == pytest.approx(fit.length, abs=1e-4)
    assert facts["stride_s"] == pytest.approx(1.167, abs=0.01)
    assert facts["frames"] == len(motion)


def test_the_table_for_people_and_degrees_that_the_clip_bears(clips: Path, tmp_path: Path) -> None:
    done = call("paths", "show", clips / "walk.bvh")
    assert done.code == 0, done.err
    assert [line.split("  ")[0] for line in done.out.splitlines()[2:]] == [
        *(f"degree {degree}" for degree in (2, 4, 13, 45)),
        "spline by stride",
    ]
    assert "a stride lasts 1.07 s" in done.out
    kg.save(kg.load(clips / "walk.bvh")[:100], tmp_path / "short.bvh")
    done = call("paths", "show", tmp_path / "short.bvh")
    assert "degree 13" in done.out
    assert "degree 45" not in done.out
    assert "100 frames bear polynomials up to degree 30" in done.err


def test_the_picture_of_a_clip(clips: Path, tmp_path: Path) -> None:
    done = call("paths", "show", clips / "walk.bvh", "--degree", "2", "--plot", tmp_path / "w.png")
    assert done.code == 0, done.err
    assert (tmp_path / "w.png").read_bytes().startswith(b"\x89PNG")
    assert "w.png" in done.err


# -- show a path -----------------------------------------------------------------------------------------------------


def test_a_shape_for_scripts() -> None:
    facts = call("paths", "show", "circle:3", "--json").json
    assert facts["length_m"] == pytest.approx(2 * np.pi * 3, abs=0.001)
    assert facts["tightest"]["radius_m"] == pytest.approx(3, rel=0.01)
    assert facts["tightest"]["side"] == "left"
    assert facts["closed"] is True
    assert facts["start"]["at"] == pytest.approx([0, 0], abs=1e-4)
    assert facts["altitude_m"] == {"min": 0.0, "max": 0.0}
    assert call("paths", "show", "line:4", "--json").json["tightest"] is None
    bend = call("paths", "show", "0,0 0,5 -5,5", "--json").json["tightest"]
    assert bend["side"] == "right"
    assert bend["along_m"] == pytest.approx(5, abs=0.2)


def test_a_path_for_people(tmp_path: Path) -> None:
    done = call("paths", "show", "0,0,0 0,1,5 3,1,8", "--plot", tmp_path / "p.svg")
    assert done.code == 0, done.err
    for words in ("9.24 m", "at 0.00,0.00, heading 0°", "at 3.00,8.00, heading 45°", "to the left", "0.00 to 1.00 m"):
        assert words in done.out
    assert (tmp_path / "p.svg").exists()
    assert "straight all the way" in call("paths", "show", "line:4").out
    assert "flat" in call("paths", "show", "line:4").out
    # a heading that rounds to nothing is not called minus nothing
    assert "-0°" not in call("paths", "show", "circle:3").out


BAD = {
    "a clip that stands": ("stand.bvh", "", "this clip stands"),
    "degree of a path": ("circle:3", "--degree 3", "--degree is for clips"),
    "no number": ("walk.bvh", "--degree two", "expected whole numbers such as 2,4,13,45, got 'two'"),
    "too high": ("walk.bvh", "--degree 46", "1 to 45, got 46"),
    "neither": ("walk.xyz", "", "neither a clip (.bvh"),
    "no such clip": ("none.bvh", "", "no such file"),
    "no such shape": ("circel:3", "", "circle"),
    "a picture of words": ("walk.bvh", "--plot w.txt", "unknown suffix"),
    "no folder": ("walk.bvh", "--plot no/w.png", "there is no folder"),
}


@pytest.mark.parametrize("case", BAD)
def test_what_cannot_be_shown(clips: Path, case: str) -> None:
    source, words, sentence = BAD[case]
    before = sorted(clips.iterdir())
    done = call("paths", "show", source, *words.split(), folder=clips)
    assert (done.code, done.out) == (2, "")
    assert sentence in done.err
    assert sorted(clips.iterdir()) == before


# -- fit -------------------------------------------------------------------------------------------------------------


def test_the_own_path_is_written_exactly(clips: Path, tmp_path: Path) -> None:
    facts = call("paths", "fit", clips / "walk.bvh", "-o", tmp_path / "own.json", "--json").json
    own = read_curve(tmp_path / "own.json")
    curve = stride_course(kg.load(clips / "walk.bvh")).curve
    assert isinstance(own, Spline)
    assert isinstance(curve, Spline)
    assert own.controls.tolist() == curve.controls.tolist()
    assert own.knots.tolist() == curve.knots.tolist()
    assert (facts["kind"], facts["count"]) == ("controls", len(curve))
    assert facts["apart_cm"] < 1e-6


def test_few_control_points_to_move_by_hand(clips: Path, tmp_path: Path) -> None:
    words = ("paths", "fit", clips / "walk_left_tight.bvh", "-o", tmp_path / "own.json", "--controls", "9")
    done = call(*words)
    assert done.code == 0, done.err
    assert "9 control points" in done.err
    held = json.loads((tmp_path / "own.json").read_text())
    assert len(held["controls"]) == 9
    facts = call(*words, "--json").json
    assert 0 < facts["apart_cm"] < 3
    curve = stride_course(kg.load(clips / "walk_left_tight.bvh")).curve
    assert facts["length_m"] == pytest.approx(curve.length, rel=0.01)


@pytest.mark.parametrize("words", [("--degree", "6"), ()])
def test_points(clips: Path, tmp_path: Path, words: tuple[str, ...]) -> None:
    facts = call("paths", "fit", clips / "walk.bvh", "-o", tmp_path / "own.csv", *words, "--json").json
    assert facts["kind"] == "points"
    assert facts["apart_cm"] < 0.05
    assert facts["fit"]["degree"] == (6 if words else None)
    assert read_curve(tmp_path / "own.csv").length == pytest.approx(facts["length_m"], abs=1e-3)


BAD_FITS = {
    "suffix": ("walk.bvh -o own.svg", "written to .json or .csv"),
    "controls as points": ("walk.bvh -o own.csv --controls 8", "control points are written to .json"),
    "too few controls": ("walk.bvh -o own.json --controls 3", "at least 4 control points"),
    "degree": ("walk.bvh -o own.json --degree 0", "1 to 45, got 0"),
    "stands": ("stand.bvh -o own.json", "this clip stands"),
    "no folder": ("walk.bvh -o no/own.json", "there is no folder"),
}


@pytest.mark.parametrize("case", BAD_FITS)
def test_what_cannot_be_fitted(clips: Path, case: str) -> None:
    words, sentence = BAD_FITS[case]
    before = sorted(clips.iterdir())
    done = call("paths", "fit", *words.split(), folder=clips)
    assert (done.code, done.out) == (2, "")
    assert sentence in done.err
    assert sorted(clips.iterdir()) == before
