from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import kinegraph as kg
from kinegraph import samples
from tests.cli.inprocess import call


@pytest.fixture
def clips(tmp_path: Path) -> Path:
    folder = tmp_path / "clips"
    folder.mkdir()
    for name in ("walk", "run", "jump"):
        kg.save(samples.make(name).motion, folder / f"{name}.npz")
    return folder


def test_a_folder_keeps_its_names(clips: Path, tmp_path: Path) -> None:
    out = tmp_path / "made" / "deep"
    facts = call("convert", str(clips), str(out), "--to", "bvh", "--fps", "30", "--json").json
    assert sorted(file.name for file in out.iterdir()) == ["jump.bvh", "run.bvh", "walk.bvh"]
    assert [Path(one["target"]).stem for one in facts["clips"]] == ["jump", "run", "walk"]
    assert facts["failed"] == []
    assert kg.load(out / "run.bvh").fps == 30


def test_one_bad_file_does_not_stop_the_others(clips: Path, tmp_path: Path) -> None:
    (clips / "broken.bvh").write_text("HIERARCHY\nnonsense")
    done = call("convert", str(clips), str(tmp_path / "made"), "--to", ".BVH")
    assert done.code == 1
    assert "broken.bvh" in done.err
    assert "3 of 4 clips" in done.err
    assert not (tmp_path / "made" / "broken.bvh").exists()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["clips", "made"], "say the format with --to"),
        (["clips", "made", "--to", "xyz"], "unknown suffix"),
        (["clips", "clips", "--to", "npz"], "written over what is read"),
        (["clips/walk.npz", "walk.bvh", "--to", "bvh"], "--to is for a folder"),
        (["clips/walk.npz", "walk.bvh", "--t-pose", "last"], "--t-pose first"),
    ],
)
def test_what_cannot_be_is_refused_first(clips: Path, tmp_path: Path, words: list[str], message: str) -> None:
    before = sorted(tmp_path.rglob("*"))
    done = call("convert", *words, folder=tmp_path)
    assert done.code == 2
    assert message in done.err
    assert sorted(tmp_path.rglob("*")) == before


def test_two_clips_of_one_name_are_refused(clips: Path, tmp_path: Path) -> None:
    kg.save(samples.make("walk").motion, clips / "walk.bvh")
    done = call("convert", str(clips), str(tmp_path / "made"), "--to", "bvh")
    assert done.code == 2
    assert "several clips are called 'walk'" in done.err


def test_on_the_spot_with_a_t_pose_first(clips: Path, tmp_path: Path) -> None:
    target = tmp_path / "walk.npz"
    assert call("convert", str(clips / "walk.npz"), str(target), "--in-place", "--t-pose", "first").code == 0
    made = kg.load(target, trim_tpose=False)
    assert len(made) == len(samples.make("walk").motion) + 1
    assert np.ptp(made.root[:, [0, 2]], axis=0).max() < 1e-6
    wrists = made.position("left_wrist")[0] - made.position("right_wrist")[0]
    assert wrists[0] > 1.0


def test_a_folder_becomes_one_file_of_many_animations(clips: Path, tmp_path: Path) -> None:
    from kinegraph.formats.gltf import read_all

    target = tmp_path / "all.glb"
    facts = call("convert", str(clips), str(target), "--fps", "30", "--json").json
    assert facts["clips"] == ["jump", "run", "walk"]
    made = read_all(target)
    assert [motion.name for motion in made] == ["jump", "run", "walk"]
    assert {motion.fps for motion in made} == {30.0}


def test_clips_of_two_bodies_do_not_go_into_one_file(clips: Path, tmp_path: Path) -> None:
    walk = samples.make("walk").motion
    taller = replace(walk.skeleton, offsets=walk.skeleton.offsets * 1.1)
    kg.save(replace(walk, skeleton=taller), clips / "tall.npz")
    done = call("convert", str(clips), str(tmp_path / "all.glb"))
    assert done.code == 2
    assert "another skeleton" in done.err
    assert not (tmp_path / "all.glb").exists()


@pytest.mark.parametrize(
    ("name", "flags", "message"),
    [
        ("x.glb", ["--target-up", "z"], "--target-up is for"),
        ("x.bvh", ["--what", "rotations"], "--what is for .csv"),
        ("x.bvh", ["--no-mesh"], "--no-mesh is for"),
        ("x.glb", ["--target-units", "cm"], "--target-units is for"),
    ],
)
def test_flags_a_format_does_not_know_are_refused(
    clips: Path, tmp_path: Path, name: str, flags: list[str], message: str
) -> None:
    done = call("convert", str(clips / "walk.npz"), str(tmp_path / name), *flags)
    assert done.code == 2
    assert message in done.err
    assert not (tmp_path / name).exists()


def test_of_several_clips_in_one_file_the_one_that_is_named(clips: Path, tmp_path: Path) -> None:
    held, made = tmp_path / "all.glb", tmp_path / "run.npz"
    call("convert", str(clips), str(held))
    call("convert", str(held), str(made), "--animation", "run")
    assert len(kg.load(made)) == len(samples.make("run").motion)
    done = call("convert", str(held), str(made), "--skin", "Eve")
    assert done.code == 2
    assert "no skin is called 'Eve'" in done.err


def test_folders_within_it_are_converted_and_kept_apart(clips: Path) -> None:
    (clips / "old").mkdir()
    kg.save(samples.make("walk_slow").motion, clips / "old" / "walk.npz")
    done = call("convert", str(clips), str(clips / "made"), "--to", "bvh")
    assert done.code == 0, done.err
    first = sorted(path.relative_to(clips / "made").as_posix() for path in (clips / "made").rglob("*.bvh"))
    assert "old/walk.bvh" in first
    assert "walk.bvh" in first
    # what was made lies within the source, and is no clip of its own the next time
    assert call("convert", str(clips), str(clips / "made"), "--to", "bvh").code == 0
    assert sorted(path.relative_to(clips / "made").as_posix() for path in (clips / "made").rglob("*.bvh")) == first


def test_a_target_that_holds_all_clips_is_refused(clips: Path, tmp_path: Path) -> None:
    done = call("convert", str(tmp_path), str(clips), "--to", "bvh")
    assert done.code == 2
    assert "give another folder" in done.err
