"""The way limbs go: rolls of bones do not move joints, and arms that are far apart meet where arms hang."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kinegraph import samples
from kinegraph.arrays import Array
from kinegraph.blending import Performance, blend
from kinegraph.blending.between import between
from kinegraph.blending.stretch import Stretch
from kinegraph.blending.ways import limbs, way
from kinegraph.motion import Motion, Skeleton, kinematics, rotation
from kinegraph.motion.floor import FloorTransform
from tests.blending.made import BLENDS, BODY, angle_velocity, stretch, wave

ARM = [BODY.joint(f"left_{part}") for part in ("collar", "shoulder", "elbow")]
LEG = [BODY.joint(f"right_{part}") for part in ("hip", "knee")]
LENGTH = 10


def rerolled(rotations: Array, degrees: dict[int, float]) -> Array:
    """The same poses with some bones rolled about themselves, as another tool might have them: no joint moves."""
    turn = rotation.identity(len(BODY))
    for joint, angle in degrees.items():
        [child] = BODY.children[joint]
        turn[joint] = rotation.from_axis_angle(BODY.offsets[child], np.deg2rad(angle))
    out = rotation.multiply(rotations, turn)
    out[..., 1:, :] = rotation.multiply(rotation.inverse(turn[BODY.parents[1:]]), out[..., 1:, :])
    return out


def places(root: Array, rotations: Array) -> Array:
    return kinematics.forward(BODY, root, rotations)[0]


def walk_at(frame: int) -> Stretch:
    walk = samples.make("walk").motion.resample(30.0)
    frames = slice(frame, frame + LENGTH + 2)
    return Stretch(BODY, walk.root[frames], walk.rotations[frames], 30.0)


@pytest.mark.parametrize("name", BLENDS)
@pytest.mark.parametrize("rolls", [(175.0, -170.0, 178.0), (100.0, 179.0, -120.0), (180.0, 0.0, 180.0)])
def test_how_bones_are_rolled_moves_no_joint(name: str, rolls: tuple[float, ...]) -> None:
    """The shorter arcs of collar and arm go round opposite sides there, and the hand would fly over the head."""
    one, two = walk_at(12), walk_at(16)
    other = replace(two, rotations=rerolled(two.rotations, dict(zip(ARM + LEG, (*rolls, 170.0, 165.0), strict=True))))
    np.testing.assert_allclose(places(other.root, other.rotations), places(two.root, two.rotations), atol=1e-9)
    plain, rolled = (blend(name).mix(one, incoming) for incoming in (two, other))
    # not to the last digit: the few degrees by which the motions themselves roll are taken for a part of it
    assert np.max(np.linalg.norm(places(*plain) - places(*rolled), axis=-1)) < 0.05
    # and no bone is spun all at once: the frames beside the transition included
    whole = np.concatenate([one.rotations[:1], rolled[1], other.rotations[-1:]])
    assert np.max(np.linalg.norm(angle_velocity(whole, 1.0), axis=-1)) < np.deg2rad(75.0)


def swung(degrees: float) -> Motion:
    """A body that stands, its left arm hanging; in the middle third of four seconds it is swung forward (above 0) or back and held."""
    seconds = np.arange(120) / 30.0
    rise = np.clip(np.minimum(seconds - 1.0, 3.0 - seconds) / 0.6, 0.0, 1.0)
    angle = -np.deg2rad(degrees) * rise * rise * (3 - 2 * rise)
    rotations = rotation.identity(120, len(BODY))
    for side, sign in (("left", -1.0), ("right", 1.0)):
        rotations[:, BODY.joint(f"{side}_shoulder")] = rotation.from_axis_angle([0.0, 0.0, 1.0], sign * np.pi / 2)
    arm = BODY.joint("left_shoulder")
    rotations[:, arm] = rotation.multiply(rotation.from_axis_angle([1.0, 0.0, 0.0], angle), rotations[:, arm])
    return Motion(BODY, np.tile([0.0, 1.0, 0.0], (120, 1)), rotations, 30.0)


def from_front_to_back(name: str, forward: float, back: float) -> Performance:
    clips = swung(forward), swung(-back)
    still = [np.ones((120, 4), bool)] * 2
    sound = [np.ones(120, bool)] * 2
    return between(clips, still, sound, (55, 55), LENGTH, FloorTransform(), name, before=20, after=20)


@pytest.mark.parametrize("name", BLENDS)
@pytest.mark.parametrize(("forward", "back"), [(110.0, 85.0), (130.0, 60.0), (100.0, 50.0)])
def test_arms_that_are_half_a_turn_apart_meet_where_arms_hang(name: str, forward: float, back: float) -> None:
    """Over the head the way is shorter, or nearly so; but no clip ever had the arm there."""
    made = from_front_to_back(name, forward, back).motion
    hand = made.position("left_wrist") - made.position("left_shoulder")
    highest = max(
        np.max((m.position("left_wrist") - m.position("left_shoulder"))[:, 1]) for m in (swung(forward), swung(-back))
    )
    assert np.max(hand[:, 1]) < highest + 0.02
    assert np.min(hand[:, 1]) < -0.4  # it does come through below
    aside = np.abs(hand[:, 0] - hand[0, 0])
    assert np.max(aside) < 0.1  # and straight


@pytest.mark.parametrize("name", BLENDS)
def test_a_stretch_that_says_nothing_of_its_usual_pose_is_told_by_itself(name: str) -> None:
    one, two = stretch(wave(1), 8), stretch(wave(2), 8)
    said = [replace(s, usual=rotation.mean(s.rotations)) for s in (one, two)]
    for plain, told in zip(blend(name).mix(one, two), blend(name).mix(*said), strict=True):
        np.testing.assert_allclose(plain, told, atol=1e-12)


def any_rotations(seed: int, spread: float, *shape: int) -> Array:
    return rotation.exp(np.random.default_rng(seed).normal(0.0, spread, (*shape, 3)))


@given(st.integers(0, 10_000))
def test_a_way_leads_from_the_one_to_the_other(seed: int) -> None:
    """Whatever the poses: none of it is the outgoing motion, all of it the incoming, rolls included."""
    usual = any_rotations(seed, 0.3, 2, len(BODY)), any_rotations(seed + 1, 1.0, 2, len(BODY))
    here, there = (
        rotation.multiply(u[:, None], any_rotations(seed + k, 0.9, 2, 1, len(BODY))) for k, u in enumerate(usual)
    )
    ways = way(BODY, here, there, *usual)
    assert ways.roll.any()
    assert ways.far.any()
    alike = ways.unrolled(there)
    vectors = ways.apart(here, alike)
    start = ways.rolled(ways.gone(here, 0.0 * vectors), np.zeros((1, 1)))
    end = ways.rolled(ways.gone(here, vectors), np.ones((1, 1)))
    assert np.max(rotation.angle_between(start, here)) < 1e-6
    assert np.max(rotation.angle_between(end, there)) < 1e-6
    # rolling moves no joint
    still = np.zeros((2, 1, 3))
    for joint in np.flatnonzero(np.any(ways.bones, axis=1)).tolist():
        ends = [kinematics.from_root(BODY, BODY.children[joint][0], some) for some in (alike, there)]
        np.testing.assert_allclose(ends[0] + still, ends[1], atol=1e-9)


def test_fingers_and_the_root_take_the_shorter_arc() -> None:
    names = (
        "Hips",
        "Spine",
        "LeftArm",
        "helper",
        "LeftForeArm",
        "LeftHand",
        "thumb",
        "LeftUpLeg",
        "LeftLeg",
        "LeftFoot",
    )
    body = Skeleton(names, np.array([-1, 0, 1, 2, 3, 4, 5, 0, 7, 8]), np.ones((10, 3)))
    assert [name for name, counts in zip(names, limbs(body), strict=True) if not counts] == ["Hips", "thumb"]
    bare = Skeleton(("a", "b", "c"), np.array([-1, 0, 1]), np.ones((3, 3)))
    assert limbs(bare).tolist() == [False, True, True]
