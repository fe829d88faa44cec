"""A motion on another body: limbs point alike, feet land where they landed, scaled."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import kinegraph as kg
from kinegraph import samples
from kinegraph.arrays import Array
from kinegraph.errors import MotionError, RoleError
from kinegraph.formats import asf
from kinegraph.motion import Motion, Skeleton, kinematics, rotation
from kinegraph.motion.angles import anatomical_angles
from kinegraph.motion.retargeting import retarget_all
from kinegraph.motion.spans import spans

SUBJECTS = ("02", "05", "09", "16", "17", "49", "127", "135")


def plants(motion: Motion, side: str) -> list[tuple[int, int]]:
    """Frames in which the ball of a foot is low and slow, in the source."""
    ball = motion.position(f"{side}_toe")
    speed = np.linalg.norm(np.gradient(ball, axis=0), axis=-1) * motion.fps
    held = (speed < 0.25) & (ball[:, 1] < np.percentile(ball[:, 1], 5) + 0.03)
    return [(a, b) for a, b in spans(held) if b - a > 0.05 * motion.fps]


def strayed(track: Array) -> float:
    """How far a planted point strays along the floor from its mean place, in metres."""
    floor = track[:, [0, 2]]
    return float(np.linalg.norm(floor - floor.mean(axis=0), axis=-1).max())


def skeleton_of(cmu: Path, subject: str) -> Skeleton:
    return asf.read(cmu / "acclaim" / subject / f"{subject}.asf").in_metres()


@pytest.mark.parametrize(("clip", "subject"), [("16_15", "16"), ("16_47", "16"), ("02_01", "02"), ("16_35", "16")])
def test_real_walks_on_other_subjects(cmu: Path, clip: str, subject: str) -> None:
    motion = kg.load(cmu / "acclaim" / subject / f"{clip}.amc")
    for other in SUBJECTS:
        skeleton = skeleton_of(cmu, other)
        moved = kg.retarget(motion, skeleton)
        factor = skeleton.leg_length / motion.skeleton.leg_length
        assert moved.skeleton == skeleton
        assert len(moved) == len(motion)
        count = 0
        for side in ("left", "right"):
            before, after = motion.position(f"{side}_toe"), moved.position(f"{side}_toe")
            for a, b in plants(motion, side):
                count += 1
                assert strayed(after[a:b]) <= factor * strayed(before[a:b]) + 1e-4
                # the captured floor itself is up to 3 cm uneven: what counts is the height over it, at each plant's own place
                raised = after[a:b, 1] - factor * before[a:b, 1]
                assert np.ptp(raised) < 1e-4
                assert np.abs(raised).max() < 0.01
        assert count > 0


def test_bones_of_the_target_keep_their_length(cmu: Path) -> None:
    motion = kg.load(cmu / "acclaim" / "16" / "16_15.amc")
    skeleton = skeleton_of(cmu, "127")
    moved = kg.retarget(motion, skeleton)
    lengths = np.linalg.norm(moved.positions[:, 1:] - moved.positions[:, skeleton.parents[1:]], axis=-1)
    assert np.abs(lengths - np.linalg.norm(skeleton.offsets[1:], axis=-1)).max() < 1e-9


def test_between_naming_conventions(cmu: Path) -> None:
    """The performer of the samples takes over a real walk and gives it back: other names, other joints, other bones."""
    motion = kg.load(cmu / "acclaim" / "16" / "16_15.amc")
    there = kg.retarget(motion, samples.skeleton())
    back = kg.retarget(there, motion.skeleton)
    for side in ("left", "right"):
        assert np.abs(back.position(f"{side}_toe") - motion.position(f"{side}_toe")).max() < 5e-3
        for joint, child in (("shoulder", "elbow"), ("elbow", "wrist")):
            # frame 0 of this capture holds a wild arm; directions must agree in all of them none the less
            a = there.position(f"{side}_{child}") - there.position(f"{side}_{joint}")
            b = motion.position(f"{side}_{child}") - motion.position(f"{side}_{joint}")
            cosine = np.sum(a * b, axis=-1) / np.linalg.norm(a, axis=-1) / np.linalg.norm(b, axis=-1)
            assert cosine.min() > np.cos(np.deg2rad(1.0))


def test_samples_on_a_larger_body() -> None:
    """Scaled as a whole, a body does the same thing at scale: every joint's place follows."""
    walk = samples.make("walk").motion
    large = walk.skeleton.scaled(1.2)
    moved = kg.retarget(walk, large)
    assert np.abs(moved.positions - 1.2 * walk.positions).max() < 2e-3


def test_longer_shins_still_plant() -> None:
    sample = samples.make("walk")
    walk, skeleton = sample.motion, sample.motion.skeleton
    offsets = skeleton.offsets.copy()
    for side in ("left", "right"):
        offsets[skeleton.joint(f"{side}_ankle")] *= 1.15
        offsets[skeleton.joint(f"{side}_toe")] *= 0.9
    moved = kg.retarget(walk, replace(skeleton, offsets=offsets))
    for column, side in ((1, "left"), (3, "right")):
        for a, b in spans(sample.contacts[:, column]):
            ball = moved.position(f"{side}_toe")[a:b]
            assert strayed(ball) < 1e-4
            # the samples' floor is exact: the ball rests as high above it as the foot's own shape says, scaled
            assert np.abs(ball[:, 1] - walk.position(f"{side}_toe")[a:b, 1]).max() < 0.01


def test_same_skeleton_is_left_alone() -> None:
    walk = samples.make("walk").motion
    assert kg.retarget(walk, walk.skeleton) is walk


def test_rest_pose_does_not_matter() -> None:
    """The same body described with arms hanging at rest: the motion in the world is the same."""
    walk = samples.make("walk").motion
    skeleton = walk.skeleton
    offsets = skeleton.offsets.copy()
    tips = skeleton.tip_offsets.copy()
    for side, sign in (("left", 1.0), ("right", -1.0)):
        below = [j for j in range(len(skeleton)) if _hangs_below(skeleton, j, skeleton.joint(f"{side}_shoulder"))]
        for joint in below:
            x, y, z = offsets[joint]
            offsets[joint] = [0.0, -abs(x), z] if abs(x) > abs(y) else [sign * abs(y), 0.0, z]
    hanging = replace(skeleton, offsets=offsets, tip_offsets=tips)
    moved = kg.retarget(walk, hanging)
    for role in ("left_elbow", "right_wrist", "left_wrist", "head", "left_toe"):
        assert np.abs(moved.position(role) - walk.position(role)).max() < 5e-3


def _hangs_below(skeleton: Skeleton, joint: int, top: int) -> bool:
    while joint > top:
        joint = int(skeleton.parents[joint])
        if joint == top:
            return True
    return False


def test_needs_legs() -> None:
    walk = samples.make("walk").motion
    lonely = Skeleton(("a", "b"), np.array([-1, 0]), np.array([[0.0, 0, 0], [0, 1, 0]]))
    with pytest.raises(RoleError, match="lacks hips, left_hip"):
        kg.retarget(walk, lonely)
    rotations = np.zeros((3, 2, 4))
    rotations[..., 0] = 1.0
    with pytest.raises(RoleError, match="the motion's skeleton lacks"):
        kg.retarget(Motion(lonely, np.zeros((3, 3)), rotations, 30.0), walk.skeleton)


def test_changing_bones_are_made_rigid() -> None:
    walk = samples.make("walk").motion
    translations = np.tile(walk.skeleton.offsets, (len(walk), 1, 1))
    translations[:, 3] += 0.01 * np.sin(np.arange(len(walk)))[:, None]
    moved = kg.retarget(replace(walk, translations=translations), walk.skeleton.scaled(0.9))
    assert moved.translations is None
    positions, _ = kinematics.forward(moved.skeleton, moved.root, moved.rotations)
    assert np.array_equal(positions, moved.positions)


def test_feet_of_another_kind_do_not_make_it_crouch(cmu: Path) -> None:
    """CMU's ball of the foot lies 3 cm above the sole, the samples' on it: knees must not bend to make up for that."""
    motion = kg.load(cmu / "acclaim" / "16" / "16_15.amc")
    there = kg.retarget(motion, samples.skeleton())
    before, after = anatomical_angles(motion), anatomical_angles(there)
    for side in ("left", "right"):
        change = after[f"{side}_knee_flexion"] - before[f"{side}_knee_flexion"]
        assert abs(np.degrees(change.mean())) < 6.0
        lowest = there.position(f"{side}_toe")[:, 1].min()
        assert -0.01 < lowest < 0.02


def test_rest_poses_that_are_no_stance(cmu: Path) -> None:
    """Some files (LAFAN1, Bandai-Namco) lay every bone of the rest pose along one axis: the motion must survive it, both ways."""
    walk = kg.load(cmu / "acclaim" / "02" / "02_01.amc")
    laid = _along_x(walk)
    assert np.abs(laid.positions - walk.positions).max() < 1e-9
    body = samples.skeleton()
    expected = kg.retarget(walk, body)
    for moved, reference in ((kg.retarget(laid, body), expected), (kg.retarget(expected, laid.skeleton), walk)):
        for side in ("left", "right"):
            for joint, child in (("hip", "knee"), ("knee", "ankle"), ("shoulder", "elbow"), ("elbow", "wrist")):
                assert _apart(moved, reference, f"{side}_{joint}", f"{side}_{child}") < 12.0
            assert _apart(moved, reference, f"{side}_ankle", f"{side}_toe") < 25.0
        assert _apart(moved, reference, "hips", "neck") < 12.0
        assert np.abs(moved.heading() - reference.heading()).max() < np.deg2rad(10.0)


def test_hands_follow_the_forearm_from_any_rest_pose() -> None:
    """With arms hanging in the source's rest pose the hands once came out at right angles."""
    walk = samples.make("walk").motion
    skeleton = walk.skeleton
    hang = {side: rotation.from_axis_angle([0, 0, 1], sign * np.pi / 2) for side, sign in (("left", -1), ("right", 1))}
    turns = np.tile(rotation.IDENTITY, (len(skeleton), 1))
    for side, turn in hang.items():
        shoulder = skeleton.joint(f"{side}_shoulder")
        for joint in range(len(skeleton)):
            if joint == shoulder or _hangs_below(skeleton, joint, shoulder):
                turns[joint] = rotation.inverse(turn)
    hanging = _reframed(walk, turns)
    moved = kg.retarget(hanging, skeleton)
    for side in ("left", "right"):
        fingers = skeleton.index(f"{side}_fingers")
        hand = moved.positions[:, fingers] - moved.position(f"{side}_wrist")
        before = walk.positions[:, fingers] - walk.position(f"{side}_wrist")
        cosine = np.sum(hand * before, axis=-1) / np.linalg.norm(hand, axis=-1) / np.linalg.norm(before, axis=-1)
        assert np.degrees(np.arccos(cosine.min())) < 5.0


ARM_AND_LEG = [
    f"{side}_{part}" for side in ("left", "right") for part in ("collar", "shoulder", "elbow", "hip", "knee")
]


@pytest.mark.parametrize("clip", ["walk", "walk_left_medium", "run"])
def test_a_mirror_image_is_rolled_as_its_original(clip: str) -> None:
    """Where the rest pose is no stance: the image is the image, and its joints are not half a turn from the original's."""
    laid = _along_x(samples.make(clip).motion)
    image = kg.mirror(laid)
    assert image.skeleton != laid.skeleton
    [copy] = retarget_all([image], laid.skeleton, like=[laid])
    for role in ("left_wrist", "right_elbow", "head", "left_knee"):
        top = "hips" if role == "left_knee" else "chest"
        seen = [motion.position(role) - motion.position(top) for motion in (image, copy)]
        np.testing.assert_allclose(*seen, atol=0.005)
    joints = [laid.skeleton.joint(role) for role in ARM_AND_LEG]
    means = [rotation.mean(motion.rotations[:, joints]) for motion in (laid, copy)]
    assert np.degrees(rotation.angle_between(*means).max()) < 45


def test_bodies_of_one_making_are_rolled_alike() -> None:
    """Bones a little longer, as of the same person measured again: every joint turns as it did."""
    laid = _along_x(samples.make("walk").motion)
    for factor in (1.0 + 1e-12, 1.03):
        moved = kg.retarget(laid, laid.skeleton.scaled(factor))
        joints = [laid.skeleton.joint(role) for role in ARM_AND_LEG]
        apart = rotation.angle_between(moved.rotations[:, joints], laid.rotations[:, joints])
        assert np.degrees(apart.max()) < 6


def _apart(a: Motion, b: Motion, start: str, end: str) -> float:
    """Largest angle in degrees between a bone's directions in two motions."""
    u, v = (m.position(end) - m.position(start) for m in (a, b))
    cosine = np.sum(u * v, axis=-1) / np.linalg.norm(u, axis=-1) / np.linalg.norm(v, axis=-1)
    return float(np.degrees(np.arccos(np.clip(cosine, -1, 1)).max()))


def _reframed(motion: Motion, turns: Array) -> Motion:
    """The same motion of a skeleton whose joints' own axes are turned by ``turns (J, 4)``: another rest pose, equal positions."""
    skeleton = motion.skeleton
    back = rotation.inverse(turns)
    above = skeleton.parents[1:]
    offsets = np.concatenate([skeleton.offsets[:1], rotation.rotate(back[above], skeleton.offsets[1:])])
    rotations = rotation.multiply(motion.rotations, turns)
    rotations[:, 1:] = rotation.multiply(back[above], rotations[:, 1:])
    tips = rotation.rotate(back[skeleton.tip_parents], skeleton.tip_offsets)
    return replace(motion, skeleton=replace(skeleton, offsets=offsets, tip_offsets=tips), rotations=rotations)


def _along_x(motion: Motion) -> Motion:
    """All bones along +X in the rest pose, except where a joint has several children."""
    skeleton = motion.skeleton
    turns = np.tile(rotation.IDENTITY, (len(skeleton), 1))
    for joint, children in enumerate(skeleton.children):
        ends = [skeleton.offsets[child] for child in children if np.linalg.norm(skeleton.offsets[child]) > 1e-6]
        if len(ends) == 1 and joint:
            turns[joint] = rotation.between([1.0, 0.0, 0.0], ends[0])
    return _reframed(motion, turns)


def test_the_scale_is_that_of_the_moving_bones() -> None:
    """A file may give offsets in its header that its position channels replace: only the latter are the body's."""
    walk = samples.make("walk").motion
    skeleton = walk.skeleton
    translations = np.tile(skeleton.offsets, (len(walk), 1, 1))
    misled = replace(walk, skeleton=replace(skeleton, offsets=0.5 * skeleton.offsets), translations=translations)
    target = skeleton.scaled(0.8)
    assert np.abs(kg.retarget(misled, target).positions - kg.retarget(walk, target).positions).max() < 1e-9
    assert kg.retarget(replace(walk, translations=translations), skeleton).translations is None
    with pytest.raises(MotionError, match="no length"):
        kg.retarget(walk, skeleton.scaled(0.0))
