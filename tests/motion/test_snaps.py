"""Legs of real clips and of clips made by code: whatever is done to them, they snap no more than they did."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import kinegraph as kg
from kinegraph import samples
from kinegraph.motion import Motion, mirror, retarget, rotation, snaps
from kinegraph.motion.footwork import Bearing, stepped
from kinegraph.motion.snaps import Bounds, Legs, legs

# crouches, dives, kicks, hops and plain walks
CLIPS = (
    "127/127_24",
    "127/127_29",
    "127/127_33",
    "135/135_04",
    "135/135_07",
    "05/05_11",
    "49/49_02",
    "16/16_17",
    "16/16_23",
    "02/02_05",
)


def test_a_still_body_has_legs_that_do_not_move() -> None:
    still = legs(samples.make("stand").motion[:1])
    assert still.turning.shape == still.jerked.shape == (1, 2)
    assert not still.turning.any()
    assert not still.jerked.any()


def test_what_legs_do_is_measured_in_radians_and_metres_per_second() -> None:
    walk = samples.make("stand").motion[:60]
    rotations = np.repeat(walk.rotations[:1], 60, axis=0)
    knee = walk.skeleton.joint("left_knee")
    turn = rotation.exp(np.linspace(0.0, 1.0, 60)[:, None] * [1.0, 0.0, 0.0])
    rotations[:, knee] = rotation.multiply(rotations[:, knee], turn)
    now = np.arange(60) / walk.fps
    falling = replace(walk, root=walk.root[:1] - 4.905 * now[:, None] ** 2 * [0.0, 1.0, 0.0], rotations=rotations)
    moving = legs(falling)
    np.testing.assert_allclose(moving.turning[1:], np.broadcast_to([walk.fps / 59, 0.0], (59, 2)), atol=1e-9)
    np.testing.assert_allclose(moving.jerked[1:-1, 1], 9.81, rtol=1e-6)


@pytest.mark.parametrize(
    ("knee", "frame", "allowed"), [(9.0, 330, True), (13.0, 330, False), (9.0, 500, False), (4.9, 500, True)]
)
def test_a_knee_may_be_as_fast_as_it_was_nearby_or_as_is_usual(knee: float, frame: int, allowed: bool) -> None:
    fast = np.full((600, 2), 2.0)
    fast[300:360, 0] = 12.0
    bounds = Bounds.of(Legs(fast, fast), 60.0, knee_limit=5.0)
    after = fast.copy()
    after[frame, 0] = knee
    found = np.flatnonzero(bounds.exceeded(Legs(after, fast)).any(axis=1))
    # a knee turns between two frames
    assert found.tolist() == ([] if allowed else [frame - 1, frame])


def test_a_leg_that_is_jerked_is_found() -> None:
    quiet = np.full((600, 2), 2.0)
    jerked = quiet.copy()
    jerked[100, 1] = 60.0
    bounds = Bounds.of(Legs(quiet, quiet), 60.0)
    assert not bounds.exceeded(Legs(quiet, quiet)).any()
    assert np.argwhere(bounds.exceeded(Legs(quiet, jerked))).tolist() == [[100, 1]]


def check(before: Motion, after: Motion) -> None:
    """The bars: no knee turns faster than the fastest did, and no knee or ankle is jerked by half more than the hardest was, scaled."""
    was, now = legs(before), legs(after)
    assert now.turning.max() <= 1.06 * max(was.turning.max(), snaps.CALM)
    size = after.skeleton.leg_length / before.skeleton.leg_length
    assert now.jerked.max() <= 1.5 * size * max(was.jerked.max(), 30.0)


@pytest.mark.parametrize("clip", CLIPS)
@pytest.mark.parametrize("fps", [120, 30])
def test_captured_legs_do_not_snap_whatever_is_done_to_them(cmu: Path, clip: str, fps: int) -> None:
    motion = kg.load(cmu / "acclaim" / f"{clip}.amc").resample(fps)
    check(motion, kg.feet.clean(motion).motion)
    check(motion, retarget(mirror(motion), motion.skeleton))
    for other in ("acclaim/02/02_01.amc", "bvh/144_05.bvh"):
        check(motion, retarget(motion, kg.load(cmu / other).skeleton))


@pytest.mark.parametrize("clip", ["144_05", "144_09", "143_23"])
def test_captured_legs_of_other_files_do_not_snap_either(cmu: Path, clip: str) -> None:
    motion = kg.load(cmu / "bvh" / f"{clip}.bvh")
    check(motion, kg.feet.clean(motion).motion)
    check(motion, retarget(mirror(motion), motion.skeleton))
    check(motion, retarget(motion, kg.load(cmu / "acclaim" / "02" / "02_01.amc").skeleton))


def splayed(angle: float) -> Motion:
    """A body that sinks into a deep squat and comes up again, its knees turned out by up to ``angle`` radians."""
    stand = samples.make("stand").motion[:180]
    skeleton, rotations = stand.skeleton, np.repeat(stand.rotations[:1], 180, axis=0)
    part = np.hanning(180)
    for side, outwards in (("left", 1.0), ("right", -1.0)):
        hip, knee = skeleton.joint(f"{side}_hip"), skeleton.joint(f"{side}_knee")
        raised = rotation.exp(part[:, None] * [-1.7, 0.0, 0.0])
        turned = rotation.exp(part[:, None] * [0.0, outwards * angle, 0.0])
        rotations[:, hip] = rotation.multiply(rotation.multiply(turned, raised), rotations[:, hip])
        rotations[:, knee] = rotation.multiply(rotations[:, knee], rotation.exp(part[:, None] * [2.4, 0.0, 0.0]))
    drop = part[:, None] * [0.0, -0.55, 0.0]
    return replace(stand, root=stand.root[:1] + drop, rotations=rotations)


def longer_shins(motion: Motion) -> Motion:
    """The same pose by pose on a body whose legs have other proportions."""
    offsets = motion.skeleton.offsets.copy()
    for side in ("left", "right"):
        offsets[motion.skeleton.joint(f"{side}_ankle")] *= 1.1
    return retarget(motion, replace(motion.skeleton, offsets=offsets))


@pytest.mark.parametrize("angle", [0.0, 0.8, 1.6, 2.0])
def test_knees_turned_out_in_a_squat_stay_turned_out(angle: float) -> None:
    squat = splayed(angle)
    moved = longer_shins(squat)
    check(squat, moved)
    for side in ("left", "right"):
        knee = [motion.position(f"{side}_knee") - motion.position(f"{side}_hip") for motion in (squat, moved)]
        cosine = np.einsum("fi,fi->f", *knee) / np.prod([np.linalg.norm(bone, axis=-1) for bone in knee], axis=0)
        assert np.degrees(np.arccos(np.clip(cosine, -1.0, 1.0))).max() < 20.0


def test_a_leg_that_cannot_be_bent_without_snapping_keeps_its_bearing() -> None:
    walk = samples.make("walk").motion
    skeleton = walk.skeleton
    legs_of = [[skeleton.joint(f"{side}_{part}") for side in ("left", "right")] for part in ("knee", "ankle")]
    ankles = walk.positions[:, legs_of[1]].copy()
    # for one frame the left foot should be half a metre higher
    ankles[100, 0, 1] += 0.5
    bearing = Bearing(
        walk.positions, walk.orientations, walk.rotations, ankles, np.tile([1.0, 0.0, 0.0], (len(walk), 1))
    )
    root, rotations = stepped(skeleton, bearing, walk.fps)
    made = replace(walk, root=root, rotations=rotations)
    check(walk, made)
    # half a second away all is as it should be
    far = np.abs(np.arange(len(walk)) - 100) > walk.fps
    assert np.abs(made.positions[:, legs_of[1]] - ankles)[far].max() < 1e-6
