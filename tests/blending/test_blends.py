from __future__ import annotations

import math
import pickle
from dataclasses import dataclass, field, replace
from typing import ClassVar

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kinegraph import samples
from kinegraph.arrays import Array
from kinegraph.blending import Blend, Stretch, blend, named, register
from kinegraph.blending.arcs import arcs
from kinegraph.blending.kinds import weighted
from kinegraph.blending.kinds.weighted import Anticipation, Cubic, Linear, anticipation
from kinegraph.blending.parts import upper_body
from kinegraph.errors import GraphError, KinegraphError
from kinegraph.motion import Skeleton, rotation
from tests.blending.made import BLENDS, BODY, angle_velocity, stretch, transition, wave


def chain(*joints: tuple[str, int]) -> Skeleton:
    """A skeleton of names and parents; the bones are all alike."""
    return Skeleton(tuple(name for name, _ in joints), np.array([p for _, p in joints]), np.ones((len(joints), 3)))


# -- weights ----------------------------------------------------------------------------------------------------------


def test_linear_and_cubic_weights() -> None:
    """t = (k + 1) / (L + 1): a transition of three frames stands at a quarter, a half and three quarters."""
    assert Linear().weights(BODY, 3)[:, 5].tolist() == [0.25, 0.5, 0.75]
    assert Cubic().weights(BODY, 3)[:, 5].tolist() == [3 / 16 - 2 / 64, 0.5, 27 / 16 - 54 / 64]


def test_anticipation_is_the_curve_of_the_thesis() -> None:
    """Figure 4.11: C = 1 is linear; C = 2 is a quarter of a circle, above it."""
    t = np.linspace(0, 1, 21)
    np.testing.assert_allclose(anticipation(t, np.array(1.0)), t, atol=1e-15)
    circle = anticipation(t, np.array(2.0))
    np.testing.assert_allclose((1 - t) ** 2 + circle**2, 1.0, atol=1e-12)
    assert np.all(circle[1:-1] > t[1:-1])
    assert np.all(anticipation(t, np.array(0.5))[1:-1] < t[1:-1])  # the thesis' own value: late


def test_anticipation_by_body_part() -> None:
    weights = Anticipation(steepest=math.inf).weights(BODY, 10)
    t = np.arange(1, 11) / 11
    for role in ("spine", "chest", "head", "left_wrist", "right_shoulder"):
        np.testing.assert_allclose(weights[:, BODY.joint(role)], np.sqrt(1 - (1 - t) ** 2))
    for role in ("hips", "left_hip", "right_toe"):
        np.testing.assert_allclose(weights[:, BODY.joint(role)], t)


def test_the_steepest_pace_cuts_only_the_upright_part() -> None:
    t = np.arange(1, 11) / 11
    head = Anticipation().weights(BODY, 10)[:, BODY.joint("head")]
    np.testing.assert_allclose(head[t < 0.47], 1.8 * t[t < 0.47])
    np.testing.assert_allclose(head[t > 0.48], np.sqrt(1 - (1 - t[t > 0.48]) ** 2))
    late = Anticipation(upper=0.5).weights(BODY, 10)[:, BODY.joint("head")]
    np.testing.assert_allclose(late[t > 0.9], 1 - 1.8 * (1 - t[t > 0.9]))
    assert np.max(np.diff(np.concatenate([[0], late, [1]]))) < 1.8 / 11 + 1e-12


@pytest.mark.parametrize("name", BLENDS)
@given(st.integers(1, 40))
def test_weights_grow_from_none_to_all(name: str, length: int) -> None:
    weights = blend(name).weights(BODY, length)
    assert weights.shape == (length, len(BODY))
    assert np.all(np.diff(weights, axis=0) > 0)
    assert np.all((weights > 0) & (weights < 1))


@given(st.floats(0.05, 20), st.floats(1, 50), st.integers(1, 30))
def test_any_constant_gives_a_monotone_curve(constant: float, steepest: float, length: int) -> None:
    weights = Anticipation(constant, constant, steepest=steepest).weights(BODY, length)[:, 0]
    assert np.all(np.diff(weights) >= 0)
    assert np.all((weights >= 0) & (weights <= 1))


def test_constants_by_role_and_by_joint() -> None:
    hand = BODY.names[BODY.joint("left_wrist")]
    given_ = Anticipation(joints={"left_elbow": 3.0, hand: 4.0, "hips": 1.5}).constants(BODY)
    assert given_[BODY.joint("left_elbow")] == 3.0
    assert given_[BODY.joint("left_wrist")] == 4.0
    assert given_[BODY.joint("hips")] == 1.5
    assert given_[BODY.joint("right_elbow")] == 2.0


def test_a_joint_without_a_role_follows_the_one_above_it() -> None:
    body = chain(
        ("Hips", -1), ("tail", 0), ("Spine", 0), ("extra", 2), ("LeftArm", 3), ("LeftForeArm", 4), ("LeftHand", 5),
        ("finger", 6), ("nail", 7), ("LeftUpLeg", 0), ("LeftLeg", 9), ("LeftFoot", 10), ("spur", 11),
    )  # fmt: skip
    upper = {name for name, is_upper in zip(body.names, upper_body(body), strict=True) if is_upper}
    assert upper == {"Spine", "extra", "LeftArm", "LeftForeArm", "LeftHand", "finger", "nail"}
    constants = dict(
        zip(body.names, Anticipation(joints={"left_wrist": 5.0, "nail": 6.0}).constants(body), strict=True)
    )
    assert (constants["LeftHand"], constants["finger"], constants["nail"], constants["spur"]) == (5.0, 5.0, 6.0, 1.0)


def test_legs_that_hang_on_the_spine_are_legs() -> None:
    """As in Biped skeletons."""
    body = chain(
        ("Bip01 Pelvis", -1), ("Bip01 Spine", 0), ("Bip01 L Thigh", 1), ("Bip01 L Calf", 2), ("Bip01 L Foot", 3),
        ("Bip01 R Thigh", 1), ("Bip01 R Calf", 5), ("Bip01 R Foot", 6), ("Bip01 Neck", 1), ("Bip01 Head", 8),
    )  # fmt: skip
    assert body.has_roles("left_hip", "right_knee", "head")
    upper = {name for name, is_upper in zip(body.names, upper_body(body), strict=True) if is_upper}
    assert upper <= {"Bip01 Spine", "Bip01 Neck", "Bip01 Head"}
    assert {"Bip01 Neck", "Bip01 Head"} <= upper


def test_a_skeleton_without_roles_is_all_lower_body() -> None:
    assert not upper_body(chain(("a", -1), ("b", 0), ("c", 1))).any()


# -- asking for a blend -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", BLENDS)
def test_every_blend_by_name(name: str) -> None:
    made = blend(name)
    assert made.name == name
    assert made == blend(name)
    assert hash(made) == hash(blend(name))
    assert pickle.loads(pickle.dumps(made)) == made


def test_blends_are_all_there_are() -> None:
    assert tuple(named.BLENDS) == BLENDS


def test_what_is_promised() -> None:
    assert {name for name in BLENDS if blend(name).smooth} == {"cubic", "inertial"}


def test_unknown_blends_and_options() -> None:
    with pytest.raises(GraphError, match=r"'quartic'.*linear, cubic, anticipation, inertial"):
        blend("quartic")
    with pytest.raises(GraphError, match=r"cubic blend has no option 'upper'.*none"):
        blend("cubic", upper=2)
    with pytest.raises(GraphError, match=r"no option 'C'.*upper, lower, joints, steepest"):
        blend("anticipation", C=2)


def test_every_blend_and_option_says_what_it_does() -> None:
    for kind in named.BLENDS.values():
        for help in (kind.help, *kind.options.values()):
            assert help.endswith(".")
            assert 20 < len(help) < 100


def test_a_blend_that_is_added_is_known_by_its_name() -> None:
    @register("All at once, halfway.")
    @dataclass(frozen=True)
    class Cut:
        """The first motion up to a share of the transition, then the second."""

        share: float = field(default=0.5, metadata={"help": "Where the second motion begins."})
        name: ClassVar[str] = "cut"
        smooth: ClassVar[bool] = False

        def weights(self, skeleton: Skeleton, length: int) -> Array:
            return np.repeat((np.arange(length) >= self.share * length)[:, None], len(skeleton), axis=1) * 1.0

        def mix(self, outgoing: Stretch, incoming: Stretch) -> tuple[Array, Array]:
            return weighted.blended(outgoing, incoming, self.weights(outgoing.skeleton, outgoing.length))

    try:
        assert tuple(named.BLENDS) == (*BLENDS, "cut")
        assert named.BLENDS["cut"].options == {"share": "Where the second motion begins."}
        one, two = stretch(wave(1), 4), stretch(wave(2), 4)
        root = blend("cut", share=0.25).mix(one, two)[0]
        np.testing.assert_allclose(root, np.concatenate([one.root[1:2], two.root[2:5]]))
        with pytest.raises(GraphError, match="expected one of linear, cubic, anticipation, inertial, cut"):
            blend("quartic")
        with pytest.raises(KinegraphError, match="already a blend called 'cut'"):
            register("Another.")(Cut)
    finally:
        named.BLENDS.remove("cut")
    with pytest.raises(GraphError, match="no blend is called 'cut'"):
        blend("cut")


@pytest.mark.parametrize("constant", [0.0, -1.0, math.nan, math.inf, "2", None])
def test_constants_that_are_none(constant: float) -> None:
    for what, options in {
        "upper": {"upper": constant},
        "lower": {"lower": constant},
        "head": {"joints": {"head": constant}},
    }.items():
        with pytest.raises(GraphError, match=f"C of '{what}'.*above 0"):
            blend("anticipation", **options)


@pytest.mark.parametrize("pace", [0.5, -1.0, math.nan])
def test_paces_that_are_none(pace: float) -> None:
    with pytest.raises(GraphError, match="pace must be 1"):
        Anticipation(steepest=pace)


def test_constants_of_joints_that_are_not_there() -> None:
    with pytest.raises(GraphError, match=r"'left_antenna'.*no body role or joint"):
        Anticipation(joints={"left_antenna": 2.0}).weights(BODY, 5)
    with pytest.raises(GraphError, match=r"'head'.*no joint of that role"):
        Anticipation(joints={"head": 2.0}).weights(chain(("a", -1), ("b", 0)), 5)


def test_the_constants_cannot_be_changed_behind_the_blend() -> None:
    constants = {"head": 2.0}
    made = Anticipation(joints=constants)
    constants["head"] = 7.0
    assert made.joints["head"] == 2.0
    with pytest.raises(TypeError):
        made.joints["head"] = 3.0  # type: ignore[index]


# -- mixing -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("blend", [Linear(), Cubic(), Anticipation()])
def test_root_by_interpolation_and_joints_by_slerp(blend: Blend) -> None:
    one, two = stretch(wave(1), 7), stretch(wave(2), 7)
    root, rotations = blend.mix(one, two)
    weights = blend.weights(BODY, 7)
    np.testing.assert_allclose(root, (1 - weights[:, :1]) * one.root[1:-1] + weights[:, :1] * two.root[1:-1])
    expected = rotation.slerp(one.rotations[1:-1], two.rotations[1:-1], weights)
    assert np.max(rotation.angle_between(rotations, expected)) < 1e-9


@pytest.mark.parametrize("name", BLENDS)
@pytest.mark.parametrize("length", [1, 2, 9])
def test_many_transitions_at_once_are_each_alone(name: str, length: int) -> None:
    ones, twos = ([stretch(wave(seed + side), length) for seed in range(0, 6, 2)] for side in (0, 1))
    together = [
        Stretch(BODY, np.stack([s.root for s in some]), np.stack([s.rotations for s in some]), 30.0)
        for some in (ones, twos)
    ]
    root, rotations = blend(name).mix(*together)
    for n, (one, two) in enumerate(zip(ones, twos, strict=True)):
        alone = blend(name).mix(one, two)
        np.testing.assert_allclose(root[n], alone[0], atol=1e-12)
        np.testing.assert_allclose(rotations[n], alone[1], atol=1e-12)


@pytest.mark.parametrize("name", BLENDS)
def test_from_a_motion_to_itself_is_the_motion(name: str) -> None:
    one = stretch(wave(3), 8)
    root, rotations = blend(name).mix(one, one)
    np.testing.assert_allclose(root, one.root[1:-1], atol=1e-12)
    np.testing.assert_allclose(rotations, one.rotations[1:-1], atol=1e-12)


@pytest.mark.parametrize("name", BLENDS)
def test_the_sign_of_a_quaternion_does_not_matter(name: str) -> None:
    one, two = stretch(wave(4), 8), stretch(wave(5), 8)
    plain = blend(name).mix(one, two)[1]
    other = blend(name).mix(one, replace(two, rotations=-two.rotations))[1]
    assert np.max(rotation.angle_between(plain, other)) < 1e-7


def test_one_arc_where_motions_drift_through_half_a_turn() -> None:
    """The shorter arc changes sides in the middle; a blend that followed it would turn a joint by half a turn in a frame."""
    apart = np.linspace(0.97, 1.04, 12) * np.pi
    start = rotation.identity(12, 1)
    end = rotation.from_axis_angle([1.0, 0.0, 0.0], apart)[:, None]
    np.testing.assert_allclose(arcs(start, end)[:, 0, 0], np.where(apart.mean() < np.pi, apart, apart - 2 * np.pi))
    body = chain(("a", -1))
    one, two = Stretch(body, np.zeros((12, 3)), start, 30.0), Stretch(body, np.zeros((12, 3)), end, 30.0)
    steps = angle_velocity(Linear().mix(one, two)[1], 30.0) / 30.0
    assert np.max(np.linalg.norm(steps, axis=-1)) < 0.5


@pytest.mark.parametrize("name", BLENDS)
def test_stretches_that_do_not_go_together(name: str) -> None:
    one = stretch(wave(1), 5)
    with pytest.raises(GraphError, match="same frames and joints"):
        blend(name).mix(one, stretch(wave(2), 6))
    with pytest.raises(GraphError, match="resample"):
        blend(name).mix(one, stretch(wave(2), 5, fps=60.0))


def test_a_stretch_of_no_frames() -> None:
    with pytest.raises(GraphError, match="L at least 1"):
        stretch(wave(1), 0)
    with pytest.raises(GraphError, match="24 joints needs"):
        Stretch(BODY, np.zeros((5, 3)), np.zeros((5, 3, 4)), 30.0)


def jumps(name: str, fps: float, seed: int) -> tuple[float, float]:
    """The largest change of joint-angle velocity at the first and at the last end of a third of a second, in rad/s."""
    made = transition(blend(name), wave(seed), wave(seed + 100), round(fps / 3) - 1, fps)
    change = np.linalg.norm(np.diff(angle_velocity(made[1], fps), axis=0), axis=-1).max(axis=1)
    return float(change[0]), float(change[-1])


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("name", ["cubic", "inertial"])
def test_smooth_schemes_keep_the_velocity_at_both_ends(name: str, seed: int) -> None:
    """What is continuous vanishes with the time between frames; a kink, as the linear blend's, stays as it is."""
    for coarse, fine, kink in zip(
        jumps(name, 60, seed), jumps(name, 1920, seed), jumps("linear", 1920, seed), strict=True
    ):
        assert fine < coarse / 8
        assert fine < 0.15 * kink


@pytest.mark.parametrize("seed", range(4))
def test_the_linear_blend_has_a_kink(seed: int) -> None:
    for coarse, fine in zip(jumps("linear", 480, seed), jumps("linear", 1920, seed), strict=True):
        assert fine > 0.8 * coarse


def test_the_built_in_body_has_both_parts() -> None:
    upper = upper_body(samples.make("run").motion.skeleton)
    assert 8 <= upper.sum() <= len(upper) - 8
