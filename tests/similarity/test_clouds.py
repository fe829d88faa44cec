from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kinegraph import samples
from kinegraph.errors import MotionError, RoleError
from kinegraph.motion import Motion, Skeleton, mirror
from kinegraph.motion.body import ROLES, SIDES
from kinegraph.motion.leaps import leaps, sound_frames
from kinegraph.similarity.clouds import cloud, cloud_matrix, mass_weights
from tests.similarity.reference import cloud_of, explicit_points
from tests.strategies import generators, motions, skeletons


def _body(*roles: str) -> Skeleton:
    """A skeleton whose joints are these roles, all below the hips."""
    offsets = np.arange(3.0 * len(roles)).reshape(-1, 3) + 1
    plain = Skeleton(
        tuple(f"j{n}" for n in range(len(roles))), [-1, *([0] * (len(roles) - 1))], offsets, [], np.zeros((0, 3))
    )
    return plain.with_roles({role: n for n, role in enumerate(roles)})


def test_weights_are_those_of_a_body() -> None:
    skeleton = samples.make("walk").motion.skeleton
    weights = mass_weights(skeleton)
    assert weights.shape == (len(skeleton),)
    assert weights.min() >= 0
    assert weights.sum() == pytest.approx(1.0, abs=1e-12)
    of = {role: float(weights[joint]) for role, joint in skeleton.roles.items()}
    legs = sum(of[f"{side}_{part}"] for side in SIDES for part in ("hip", "knee", "ankle", "toe"))
    arms = sum(of[f"{side}_{part}"] for side in SIDES for part in ("elbow", "wrist"))
    # Winter and de Leva: both legs are 32 to 41 % of the body, both arms without the shoulders below 10 %, the head 7 %
    assert 0.32 < legs < 0.42
    assert 0.04 < arms < 0.10
    assert 0.05 < of["head"] + of.get("neck", 0) < 0.09
    assert of["left_toe"] < of["left_ankle"] < of["left_knee"]


@pytest.mark.parametrize("kind", ["walk", "real"])
def test_weights_and_the_real_body_are_symmetric(kind: str, request: pytest.FixtureRequest) -> None:
    motion: Motion = samples.make("walk").motion if kind == "walk" else request.getfixturevalue("real")["16_15"]
    weights, roles = mass_weights(motion.skeleton), motion.skeleton.roles
    sided = [role.removeprefix("left_") for role in roles if role.startswith("left_")]
    assert len(sided) >= 7
    for part in sided:
        assert weights[roles[f"left_{part}"]] == weights[roles[f"right_{part}"]]
    assert np.count_nonzero(weights) >= 15


def test_joints_without_a_role_weigh_nothing() -> None:
    skeleton = samples.make("walk").motion.skeleton
    weights = mass_weights(skeleton)
    assert all(weights[joint] == 0 for joint in range(len(skeleton)) if joint not in skeleton.roles.values())


def test_a_skeleton_without_roles_weighs_all_joints_alike() -> None:
    skeleton = Skeleton(("a", "b", "c"), [-1, 0, 1], np.ones((3, 3)), [], np.zeros((0, 3)))
    assert mass_weights(skeleton).tolist() == [1 / 3] * 3


@given(st.lists(st.sampled_from([role for role in ROLES if role != "hips"]), unique=True, max_size=12))
def test_no_mass_is_lost_where_roles_are_missing(roles: list[str]) -> None:
    full = mass_weights(_body(*ROLES))
    some = mass_weights(_body("hips", *roles))
    assert some.sum() == pytest.approx(1.0)
    # a joint never weighs less for others being absent: it takes their mass
    for n, role in enumerate(("hips", *roles)):
        assert some[n] >= full[ROLES.index(role)] - 1e-12


def test_an_arm_without_a_wrist_weighs_as_much_as_with_one() -> None:
    arm = [f"left_{part}" for part in ("shoulder", "elbow", "wrist")]
    whole = mass_weights(_body("hips", "chest", *arm))
    cut = mass_weights(_body("hips", "chest", *arm[:2]))
    assert cut[3] == pytest.approx(whole[3] + whole[4])
    assert cut[2] == pytest.approx(whole[2])


def test_overrides_replace_the_mass_of_a_role() -> None:
    skeleton = samples.make("walk").motion.skeleton
    before = mass_weights(skeleton)
    joint = skeleton.joint("left_wrist")
    after = mass_weights(skeleton, {"left_wrist": 1.0})
    assert after.sum() == pytest.approx(1.0)
    assert after[joint] > 0.4
    others = np.arange(len(skeleton)) != joint
    ratio = after[others & (before > 0)] / before[others & (before > 0)]
    assert np.ptp(ratio) < 1e-12
    assert mass_weights(skeleton, {"left_wrist": 0.0})[joint] == 0


def test_overrides_that_cannot_be() -> None:
    skeleton = samples.make("walk").motion.skeleton
    with pytest.raises(RoleError, match="left_tail"):
        mass_weights(skeleton, {"left_tail": 1.0})
    with pytest.raises(RoleError, match="left_toe"):
        mass_weights(_body("hips", "left_hip"), {"left_toe": 1.0})
    with pytest.raises(MotionError, match="weigh nothing"):
        mass_weights(_body("hips"), {"hips": 0.0})


@given(motions(stretching=False, least=2, most=2), st.integers(0, 4), generators())
def test_sums_of_squares_equal_those_over_explicit_points(
    motion: Motion, along: int, random: np.random.Generator
) -> None:
    """However many points lie on the bones: the matrix measures what the points would."""
    weights = random.uniform(0, 1, len(motion.skeleton)) ** 3
    matrix = cloud_matrix(motion.skeleton, weights, along)
    assert len(matrix) <= len(motion.skeleton)
    one, two = motion.positions
    skeleton = motion.skeleton
    bones = [(int(parent), joint) for joint, parent in enumerate(skeleton.parents) if parent >= 0]
    total, expected = 0.0, 0.0
    for joint in range(len(skeleton)):
        total += weights[joint]
        expected += weights[joint] * np.sum((one[joint] - two[joint]) ** 2)
    for parent, joint in bones:
        for t in np.arange(1, along + 1) / (along + 1):
            gap = (1 - t) * (one[parent] - two[parent]) + t * (one[joint] - two[joint])
            degree = [sum(end in bone for bone in bones) for end in (parent, joint)]
            share = (1 - t) * weights[parent] / degree[0] + t * weights[joint] / degree[1]
            total += share
            expected += share * np.sum(gap**2)
    made = np.sum((matrix @ (one - two)) ** 2)
    assert made == pytest.approx(expected / total, rel=1e-9, abs=1e-12)


@given(skeletons(), st.integers(0, 3))
def test_a_shift_of_the_body_by_one_metre_is_a_distance_of_one_metre(skeleton: Skeleton, along: int) -> None:
    matrix = cloud_matrix(skeleton, np.ones(len(skeleton)), along)
    assert np.sum(matrix.sum(axis=1) ** 2) == pytest.approx(1.0, abs=1e-9)


def test_a_cloud_says_what_a_shift_adds() -> None:
    motion = samples.make("walk").motion[:3]
    shifted = replace(motion, root=motion.root + np.array([1.0, 0.0, 0.0]))
    one, two = cloud_of(motion, 2), cloud_of(shifted, 2)
    assert np.allclose(two.points[:, 0] - one.points[:, 0], one.base, atol=1e-12)
    assert np.allclose(two.points[:, 1:], one.points[:, 1:], atol=1e-12)
    assert np.sum(one.base**2) == pytest.approx(1.0, abs=1e-12)


@pytest.mark.parametrize("along", [0, 2])
def test_joints_at_one_place_count_as_one(slow: dict[str, Motion], along: int) -> None:
    """CMU's hip joints begin at the root: fewer points, the same distance."""
    motion = slow["16_15"]
    weights = mass_weights(motion.skeleton)
    matrix = cloud_matrix(motion.skeleton, weights, along)
    distinct = len(np.unique(np.round(motion.positions[20], 7), axis=0))
    assert distinct < len(motion.skeleton)
    assert len(matrix) <= distinct
    points, shares = explicit_points(motion, along)
    for i, j in ((3, 50), (10, 90)):
        gaps = points[i] - points[j]
        expected = np.sum(shares * np.sum(gaps * gaps, axis=-1))
        assert np.sum((matrix @ (motion.positions[i] - motion.positions[j])) ** 2) == pytest.approx(expected, rel=1e-10)


def test_fewer_rows_than_joints_where_joints_weigh_nothing() -> None:
    skeleton = samples.make("walk").motion.skeleton
    weights = mass_weights(skeleton)
    assert len(cloud_matrix(skeleton, weights)) == np.count_nonzero(weights)


def test_clouds_of_mirrored_clips_have_the_same_size_of_weights() -> None:
    motion = samples.make("walk_left_medium").motion[:50]
    a, b = cloud_of(motion), cloud_of(mirror(motion))
    assert np.allclose(np.einsum("fck,fck->fc", a.points, a.points), np.einsum("fck,fck->fc", b.points, b.points))


def test_leaps_make_frames_unsound(real: dict[str, Motion]) -> None:
    """16_15 loses an arm at the start: all frames up to the leap are of no use, at whatever rate."""
    motion = real["16_15"]
    made = cloud_of(motion)
    assert (~made.sound).nonzero()[0].tolist() == [0, 1, 2]
    slow = motion.resample(30.0)
    matrix = cloud_matrix(motion.skeleton, mass_weights(motion.skeleton))
    assert (~cloud(slow, matrix, sound_frames(motion, 30.0)).sound).nonzero()[0].tolist() == [0]
    motion = real["49_03"]
    found = leaps(motion)
    assert found
    known = set(motion.skeleton.roles.values())
    # thumbs, which have no role: they spoil nothing
    assert not {leap.joint for leap in found} & known
    assert cloud_of(motion).sound.all()
    assert cloud_of(samples.make("run").motion).sound.all()


def test_a_cloud_of_stretching_bones_is_that_of_the_rigid_clip() -> None:
    motion = samples.make("walk").motion[:20]
    offsets = np.repeat(motion.skeleton.offsets[None], len(motion), axis=0)
    stretching = replace(motion, translations=offsets * np.linspace(0.9, 1.1, len(motion))[:, None, None])
    assert np.allclose(cloud_of(stretching).points, cloud_of(motion).points, atol=1e-12)


def test_positions_beyond_all_numbers_are_refused_with_the_frame() -> None:
    motion = samples.make("walk").motion[:5]
    offsets = motion.skeleton.offsets.copy()
    offsets[5:] = 1.7e308
    huge = replace(motion, skeleton=replace(motion.skeleton, offsets=offsets), name="huge")
    with np.errstate(all="ignore"), pytest.raises(MotionError, match=r"huge: .*not finite at frame 0"):
        cloud(huge, cloud_matrix(huge.skeleton, mass_weights(motion.skeleton)))


@pytest.mark.parametrize("weight", [-0.05, np.inf, np.nan])
def test_weights_that_are_none_are_refused(weight: float) -> None:
    with pytest.raises(MotionError, match="hips"):
        mass_weights(samples.make("walk").motion.skeleton, {"hips": weight})
