"""Any motion to glTF and back."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kinegraph import Motion, Skeleton, load, samples
from kinegraph.formats import gltf
from tests.strategies import motions, random_quaternions, symmetric_skeletons

WITHIN = 1e-4  # metres: the bar; single precision is far better
FINE = 2e-6


def there_and_back(motion: Motion, path: Path, **options: bool) -> Motion:
    gltf.write(motion, path, **options)
    (back,) = gltf.read_all(path)
    return back


@pytest.mark.parametrize("suffix", ["glb", "gltf"])
@pytest.mark.parametrize("name", samples.names())
def test_samples(tmp_path: Path, name: str, suffix: str) -> None:
    motion = samples.make(name).motion
    back = there_and_back(motion, tmp_path / f"x.{suffix}")
    assert (back.fps, len(back), back.name, back.notices) == (motion.fps, len(motion), motion.name, ())
    assert back.skeleton == motion.skeleton
    assert np.abs(back.positions - motion.positions).max() < FINE
    assert np.abs(back.tips - motion.tips).max() < FINE


@pytest.mark.parametrize("clip", ["16_15", "16_35", "02_05"])
def test_real_clips(cmu: Path, tmp_path: Path, clip: str) -> None:
    path = cmu / "acclaim" / clip[:2] / f"{clip}.amc"
    if not path.exists():
        pytest.skip(f"no {path}")
    motion = load(path)
    back = there_and_back(motion, tmp_path / "x.glb")
    assert (back.fps, len(back)) == (motion.fps, len(motion))
    assert back.skeleton == motion.skeleton
    assert np.abs(back.positions - motion.positions).max() < WITHIN / 10


@given(motion=st.one_of(motions(), motions(symmetric_skeletons())), mesh=st.booleans())
def test_any_motion(tmp_path: Path, motion: Motion, mesh: bool) -> None:
    back = there_and_back(motion, tmp_path / "x.glb", mesh=mesh)
    assert back.fps == motion.fps
    assert back.skeleton.names == motion.skeleton.names
    np.testing.assert_array_equal(back.skeleton.parents, motion.skeleton.parents)
    np.testing.assert_allclose(back.positions, motion.positions, atol=20 * FINE)
    np.testing.assert_allclose(np.abs(np.sum(back.rotations * motion.rotations, axis=-1)), 1.0, atol=1e-6)
    if motion.translations is None:
        assert back.translations is None
        assert back.skeleton == motion.skeleton


@pytest.mark.parametrize("fps", [1.0, 23.976, 24.0, 29.97, 30000 / 1001, 37.3, 59.94, 120.0, 1 / 3])
def test_the_rate_is_exact_however_odd(tmp_path: Path, fps: float) -> None:
    walk = samples.make("walk").motion
    motion = Motion(walk.skeleton, walk.root, walk.rotations, fps)
    back = there_and_back(motion, tmp_path / "x.glb")
    assert (back.fps, len(back)) == (fps, len(motion))
    assert np.abs(back.positions - motion.positions).max() < FINE


def test_an_hour_keeps_its_frames(tmp_path: Path) -> None:
    """Late times are coarse in single precision: 3600 s resolves 0.24 ms."""
    body = Skeleton(("a", "b"), [-1, 0], [[0, 0, 0], [0, 1.0, 0]])
    frames = 120 * 3600
    turns = random_quaternions(np.random.default_rng(1), 2, 2)[np.arange(frames) % 2]
    motion = Motion(body, np.zeros((frames, 3)), turns, 120.0)
    back = there_and_back(motion, tmp_path / "x.glb")
    assert len(back) == frames
    assert np.abs(back.positions - motion.positions).max() < FINE


@pytest.mark.parametrize("frames", [1, 2, 3])
def test_few_frames_and_a_body_that_stands_still(tmp_path: Path, frames: int) -> None:
    walk = samples.make("walk").motion
    still = Motion(walk.skeleton, walk.root[:1].repeat(frames, 0), walk.rotations[:1].repeat(frames, 0), 30.0)
    back = there_and_back(still, tmp_path / "x.glb")
    assert (len(back), back.fps) == (frames, 30.0)
    assert np.abs(back.positions - still.positions).max() < FINE


def test_names_repeat_and_roles_are_kept(tmp_path: Path) -> None:
    body = Skeleton(("twin", "twin", "", "a.b:c", "ü\ud800"), [-1, 0, 1, 2, 3], np.eye(5, 3), overrides={"head": 3})
    motion = Motion(body, np.ones((2, 3)), random_quaternions(np.random.default_rng(3), 2, 5), 30.0)
    back = there_and_back(motion, tmp_path / "x.glb")
    assert back.skeleton.names == body.names
    assert dict(back.skeleton.overrides) == {"head": 3}


def test_what_other_files_have_trimmed_stays(tmp_path: Path) -> None:
    """A T-pose, a joint above the hips and a giant are the user's own in a file of ours."""
    names = ("joint_Root", "Hips", "LeftUpLeg", "LeftLeg", "LeftFoot", "RightUpLeg", "RightLeg", "RightFoot")
    body = Skeleton(names, [-1, 0, 1, 2, 3, 1, 5, 6], np.random.default_rng(5).normal(size=(8, 3)) * 10)
    rotations = random_quaternions(np.random.default_rng(6), 1, 8).repeat(6, axis=0)
    rotations[0] = [1.0, 0.0, 0.0, 0.0]
    motion = Motion(body, np.zeros((6, 3)), rotations, 30.0)
    back = there_and_back(motion, tmp_path / "x.glb")
    assert len(back) == 6
    assert back.notices == ()
    np.testing.assert_allclose(back.positions, motion.positions, atol=1e-4)


def test_several_clips(tmp_path: Path) -> None:
    walk, jump = samples.make("walk").motion, samples.make("jump").motion.resample(30)
    gltf.write_all([walk, jump, walk[10:50]], tmp_path / "x.glb")
    back = gltf.read_all(tmp_path / "x.glb")
    assert [(clip.name, len(clip), clip.fps) for clip in back] == [
        ("walk", len(walk), 60.0),
        ("jump", len(jump), 30.0),
        ("walk_2", 40, 60.0),
    ]
    assert np.abs(back[1].positions - jump.positions).max() < FINE
