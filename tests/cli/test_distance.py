from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import kinegraph as kg
from kinegraph import samples
from tests.cli.inprocess import call


def test_arrays_and_the_report_for_scripts_agree(clips: Path, tmp_path: Path) -> None:
    path = tmp_path / "d.npz"
    facts = call("distance", clips / "walk.bvh", clips / "walk_left_tight.bvh", "-o", path, "--json").json
    with np.load(path) as arrays:
        matrix, first, second, cost = (arrays[name] for name in ("matrix_cm", "first", "second", "cost_cm"))
        assert arrays["names"].tolist() == ["walk", "walk_left_tight"]
        assert (float(arrays["fps"]), int(arrays["window"])) == (30.0, facts["window"])
    assert [facts["a"], facts["b"], facts["fps"]] == ["walk", "walk_left_tight", 30.0]
    assert facts["frames"] == [size + facts["window"] - 1 for size in matrix.shape]
    # minima come from the compiled kernel, the matrix from NumPy alone
    assert np.abs(matrix[first, second] - cost).max() < 0.01
    assert facts["smallest_cm"] == pytest.approx(cost.min(), abs=1e-3)
    assert len(facts["minima"]) == len(cost)
    best = facts["minima"][0]
    assert best["cost_cm"] == facts["smallest_cm"]
    assert best["second_b"] == pytest.approx(best["frame_b"] / 30, abs=1e-6)


def test_minima_are_those_of_the_matrix(clips: Path, tmp_path: Path) -> None:
    path = tmp_path / "d.npz"
    call("distance", clips / "walk.bvh", clips / "walk_left_tight.bvh", "-o", path)
    with np.load(path) as arrays:
        matrix, found = arrays["matrix_cm"], {*zip(arrays["first"].tolist(), arrays["second"].tolist(), strict=True)}
    rows, columns = matrix.shape
    inner = {
        (i, j)
        for i in range(1, rows - 1)
        for j in range(1, columns - 1)
        if matrix[i, j] <= matrix[i - 1 : i + 2, j - 1 : j + 2].min()
    }
    assert {(i, j) for i, j in found if 0 < i < rows - 1 and 0 < j < columns - 1} == inner


def test_a_picture_and_a_table(clips: Path, tmp_path: Path) -> None:
    path = tmp_path / "d.png"
    done = call("distance", clips / "walk.bvh", clips / "walk.bvh", "-o", path, "--threshold", "5")
    assert done.code == 0, done.err
    assert path.read_bytes().startswith(b"\x89PNG")
    title, heading, *lines = done.out.splitlines()
    assert title == "A: walk, B: walk"
    assert heading.split() == ["A:", "frame", "second", "B:", "frame", "second", "cm"]
    assert len(lines) == 11
    # of a clip with itself nothing near the diagonal
    assert all(abs(int(line.split()[0]) - int(line.split()[2])) >= 10 for line in lines[:10])


def test_the_window_and_the_rate_are_as_asked(clips: Path, tmp_path: Path) -> None:
    words = ["distance", clips / "walk.bvh", clips / "stand.bvh", "-o", tmp_path / "d.npz", "--json"]
    facts = call(*words, "--window", "0.5", "--fps", "20", "--along", "2").json
    assert (facts["window"], facts["fps"]) == (10, 20)


def test_another_skeleton_is_retargeted(clips: Path, tmp_path: Path) -> None:
    walk = samples.make("walk").motion
    child = tmp_path / "child.npz"
    kg.save(kg.retarget(walk, walk.skeleton.scaled(0.6)), child)
    facts = call("distance", clips / "walk.bvh", child, "-o", tmp_path / "d.npz", "--json").json
    assert "child is moved to the skeleton of walk" in facts["notices"]
    assert facts["smallest_cm"] < 2


def test_where_the_capture_lost_a_joint_the_map_is_blank(clips: Path, tmp_path: Path) -> None:
    walk = samples.make("walk").motion[:120]
    rotations = walk.rotations.copy()
    rotations[90, walk.skeleton.joint("left_elbow")] = [0, 0, 1, 0]
    broken = tmp_path / "broken.npz"
    kg.save(kg.Motion(walk.skeleton, walk.root, rotations, walk.fps), broken)
    words = ["distance", broken, clips / "walk.bvh", "-o", tmp_path / "d.npz", "--fps", "60", "--window", "0.25"]
    assert "of the map is blank: the capture lost a joint there" in call(*words).err
    with np.load(tmp_path / "d.npz") as arrays:
        blank = np.isnan(arrays["matrix_cm"]).all(axis=1)
        # from the windows that reach the frame before it to those that begin with the frame after
        assert np.flatnonzero(blank).tolist() == list(range(90 - 15, 92))
        assert not blank[arrays["first"]].any()


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("walk.bvh none.bvh -o d.png", "none.bvh: no such file"),
        ("walk.bvh walk.bvh -o d.bmp", "ends in .png, .svg, .pdf or .npz"),
        ("walk.bvh walk.bvh -o no/d.png", "there is no folder no"),
        ("walk.bvh walk.bvh -o d.png --window 0", "--window: expected seconds"),
        ("walk.bvh walk.bvh -o d.png --window 60", "walk is shorter than the window"),
        ("walk.bvh walk.bvh -o d.png --threshold far", "--threshold: expected a distance in cm"),
        ("walk.bvh walk.bvh -o d.png --fps -1", "frames per second must be positive"),
        ("walk.bvh walk.bvh -o d.png --fps 5000", "too many for a picture"),
    ],
)
def test_bad_input_is_one_sentence_and_no_file(clips: Path, words: str, sentence: str) -> None:
    before = sorted(clips.iterdir())
    done = call("distance", *words.split(), folder=clips)
    assert done.code == 2
    assert sentence in done.err
    assert sorted(clips.iterdir()) == before
