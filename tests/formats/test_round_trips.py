"""Any skeleton and motion through each writer and back."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from kinegraph import Motion, Skeleton, load, save
from kinegraph.errors import FormatError
from kinegraph.formats.units import CMU_UNIT
from kinegraph.motion import euler
from tests.strategies import generators, motions, random_quaternions, symmetric_skeletons

WITHIN = 1e-6  # metres; rotations are written to a millionth of a degree


def sorted_tips(motion: Motion, order: np.ndarray) -> np.ndarray:
    """Tips in the order of the joints they hang on, joints in ``order``."""
    rank = np.argsort(order)
    return motion.tips[:, np.argsort(rank[motion.skeleton.tip_parents], kind="stable")]


@given(motion=motions(), order=st.sampled_from(euler.ORDERS), units=st.sampled_from(["m", "cm", "mm", 0.0254]))
def test_bvh(tmp_path: Path, motion: Motion, order: str, units: str | float) -> None:
    path = tmp_path / "x.bvh"
    save(motion, path, order=order, units=units)
    back = load(path, units=units, trim_tpose=False)
    listed = motion.skeleton.depth_first
    assert back.fps == pytest.approx(motion.fps, rel=1e-15)
    assert back.skeleton.names == tuple(motion.skeleton.names[joint] for joint in listed)
    tolerance = 20 * WITHIN if units == "m" else WITHIN
    np.testing.assert_allclose(back.positions, motion.positions[:, listed], atol=tolerance)
    np.testing.assert_allclose(back.tips, sorted_tips(motion, listed), atol=tolerance)
    np.testing.assert_allclose(np.abs(np.sum(back.rotations * motion.rotations[:, listed], axis=-1)), 1.0, atol=1e-9)


@given(motion=motions(symmetric_skeletons()))
def test_bvh_twice_gives_the_same_bytes(tmp_path: Path, motion: Motion) -> None:
    first, second, third = (tmp_path / f"{name}.bvh" for name in ("first", "second", "third"))
    save(motion, first)
    save(load(first, units="cm", trim_tpose=False), second)
    save(load(first, units="cm", trim_tpose=False), third)
    assert second.read_bytes() == third.read_bytes()
    assert second.read_bytes().count(b"\n") == first.read_bytes().count(b"\n")


@given(motion=motions(stretching=False))
def test_amc_with_a_skeleton_of_its_own(tmp_path: Path, motion: Motion) -> None:
    path = tmp_path / "x.amc"
    assume(len(motion.skeleton) + len(motion.skeleton.tip_parents) > 1)
    save(motion, path)
    back = load(path, units=CMU_UNIT, fps=motion.fps, trim_tpose=False)
    places = _places(back)
    for points in (np.moveaxis(motion.positions, 1, 0), np.moveaxis(motion.tips, 1, 0)):
        for point in points:
            assert np.abs(places - point).max(axis=(1, 2)).min() < WITHIN


def _places(motion: Motion) -> np.ndarray:
    return np.moveaxis(np.concatenate([motion.positions, motion.tips], axis=1), 1, 0)


def test_amc_names_joints_as_the_motion_does(tmp_path: Path) -> None:
    names = ("Hips", "twin", "twin", "a b", "(c)", "1st", "#d", "root", "ü", "", "a_b")
    count = len(names)
    random = np.random.default_rng(2)
    body = Skeleton(
        names, np.arange(count) - 1, random.normal(size=(count, 3)), np.array([count - 1]), random.normal(size=(1, 3))
    )
    motion = Motion(body, random.normal(size=(3, 3)), random_quaternions(random, 3, count), 120.0)
    save(motion, tmp_path / "x.amc")
    back = load(tmp_path / "x.amc", units=CMU_UNIT)
    found = [name for name in back.skeleton.names if not name.endswith("_base")]
    assert found == ["root", "twin", "twin_2", "a_b", "c", "b_1st", "d", "b_root", "ü", "bone", "a_b_2"]
    np.testing.assert_allclose(
        back.positions[:, [back.skeleton.index(name) for name in found]], motion.positions, atol=WITHIN
    )


def test_a_single_joint_does_not_fit_an_asf(tmp_path: Path) -> None:
    motion = Motion(Skeleton(("a",), [-1], np.zeros((1, 3))), np.zeros((1, 3)), [[[1.0, 0, 0, 0]]], 30.0)
    with pytest.raises(FormatError, match="a single joint"):
        save(motion, tmp_path / "x.amc")
    assert list(tmp_path.iterdir()) == []


def test_a_stretching_motion_does_not_fit_an_amc(tmp_path: Path) -> None:
    motion = Motion(
        Skeleton(("a", "b"), [-1, 0], np.ones((2, 3))),
        np.zeros((2, 3)),
        np.tile([1.0, 0, 0, 0], (2, 2, 1)),
        30.0,
        np.ones((2, 2, 3)),
    )
    with pytest.raises(FormatError, match="rigid"):
        save(motion, tmp_path / "x.amc")
    assert list(tmp_path.iterdir()) == []


def _assert_identical(back: Motion, motion: Motion) -> None:
    assert back.fps == motion.fps
    assert back.skeleton.names == motion.skeleton.names
    assert dict(back.skeleton.overrides) == dict(motion.skeleton.overrides)
    for one, other in (
        (back.root, motion.root),
        (back.rotations, motion.rotations),
        (back.translations, motion.translations),
        (back.skeleton.parents, motion.skeleton.parents),
        (back.skeleton.offsets, motion.skeleton.offsets),
        (back.skeleton.tip_parents, motion.skeleton.tip_parents),
        (back.skeleton.tip_offsets, motion.skeleton.tip_offsets),
    ):
        assert (one is None) == (other is None)
        if one is not None and other is not None:
            assert one.tobytes() == other.tobytes()


@given(motion=st.one_of(motions(), motions(symmetric_skeletons())))
def test_npz_bit_for_bit(tmp_path: Path, motion: Motion) -> None:
    save(motion, tmp_path / "x.npz")
    _assert_identical(load(tmp_path / "x.npz"), motion)


@given(random=generators())
def test_npz_keeps_a_tpose_a_reference_and_any_size(tmp_path: Path, random: np.random.Generator) -> None:
    """What readers of other formats trim, fold or rescale is the user's own here."""
    names = ("joint_Root", "Hips", "LeftUpLeg", "LeftLeg", "LeftFoot", "RightUpLeg", "RightLeg", "RightFoot")
    body = Skeleton(names, [-1, 0, 1, 2, 3, 1, 5, 6], random.normal(size=(8, 3)) * 0.01, overrides={"head": 0})
    rotations = random_quaternions(random, 1, 8).repeat(6, axis=0)
    rotations[0] = [1.0, 0.0, 0.0, 0.0]
    motion = Motion(body, random.normal(size=(6, 3)) * 100, rotations, 37.3)
    save(motion, tmp_path / "x.npz")
    back = load(tmp_path / "x.npz")
    _assert_identical(back, motion)
    assert back.notices == ()
    np.testing.assert_allclose(load(tmp_path / "x.npz", units="cm").root, motion.root * 0.01)
