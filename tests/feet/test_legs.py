from __future__ import annotations

import numpy as np
import pytest

from kinegraph import samples
from kinegraph.feet.legs import LEVEL, Lowering, reach
from kinegraph.feet.sole import Sole, soles
from kinegraph.feet.targets import Target
from kinegraph.motion import Motion, kinematics, rotation

FRAMES = 90


def standing() -> tuple[Motion, tuple[Sole, Sole]]:
    sample = samples.make("stand")
    motion = sample.motion[:FRAMES]
    return motion, soles(motion, sample.contacts[:FRAMES])


def moved(motion: Motion, sole: Sole, by: np.ndarray, planted: bool = True) -> Target:
    """A target at ``by (F, 3)`` from where the foot is."""
    none = rotation.identity(len(motion))
    return Target(motion.positions[:, sole.ankle] + by, none, none, np.full(len(motion), planted))


def hump(size: float, axis: int) -> np.ndarray:
    return size * np.hanning(FRAMES)[:, None] * np.eye(3)[axis]


def ankles(motion: Motion, reached: object, feet: tuple[Sole, Sole]) -> np.ndarray:
    offsets = np.broadcast_to(motion.skeleton.offsets, (len(motion), len(motion.skeleton), 3)).copy()
    for column, sole in enumerate(feet):
        bones = motion.skeleton.chain(sole.hip, sole.ankle)[1:]
        offsets[:, bones] *= 1 + reached.longer[:, column, None, None]  # type: ignore[attr-defined]
    positions, _ = kinematics.forward(motion.skeleton, reached.root, reached.rotations, offsets)  # type: ignore[attr-defined]
    return positions[:, [sole.ankle for sole in feet]]


@pytest.mark.parametrize(("size", "axis"), [(0.05, 0), (-0.08, 2), (0.1, 1), (-0.03, 1)])
def test_the_ankles_get_where_they_should(size: float, axis: int) -> None:
    motion, feet = standing()
    targets = [moved(motion, feet[0], hump(size, axis)), moved(motion, feet[1], np.zeros((FRAMES, 3)))]
    reached = reach(motion, tuple(zip(feet, targets, strict=True)), 0.0, None)
    got = ankles(motion, reached, feet)
    assert np.abs(got - np.stack([t.ankle for t in targets], axis=1)).max() < 1e-9
    assert not reached.missed.any()


def test_the_body_comes_down_for_a_foot_that_is_too_far_and_only_then() -> None:
    motion, feet = standing()
    still = moved(motion, feet[1], np.zeros((FRAMES, 3)))
    near = reach(motion, ((feet[0], moved(motion, feet[0], hump(0.05, 1))), (feet[1], still)), 0.0, None)
    # he stands a hair straighter than a leg that is led may be
    assert near.lowered.max() < 0.001
    far = reach(motion, ((feet[0], moved(motion, feet[0], hump(0.3, 2))), (feet[1], still)), 0.0, None)
    assert 0.03 < far.lowered.max() < 0.09
    assert far.lowered[0] < 0.1 * far.lowered.max()
    assert np.abs(np.diff(far.lowered, 2)).max() * motion.fps**2 < 5.0


@pytest.mark.parametrize("stretch", [0.0, 0.01, 0.02])
def test_bones_grow_only_where_lowering_does_not_help(stretch: float) -> None:
    motion, feet = standing()
    # a wide lunge: from a lower body the foot is no nearer
    targets = (moved(motion, feet[0], hump(0.8, 2)), moved(motion, feet[1], np.zeros((FRAMES, 3))))
    reached = reach(motion, tuple(zip(feet, targets, strict=True)), stretch, None)
    assert np.abs(reached.longer[:, 0]).max() == pytest.approx(stretch)
    assert reached.missed[:, 0].max() > 0.05
    assert not reached.longer[:10].any()


def test_a_foot_in_the_air_gives_way_to_a_knee_that_would_snap() -> None:
    motion, feet = standing()
    sudden = np.zeros((FRAMES, 3))
    sudden[45:, 1] = 0.3
    other = moved(motion, feet[1], np.zeros((FRAMES, 3)))
    reached = reach(motion, ((feet[0], moved(motion, feet[0], sudden, planted=False)), (feet[1], other)), 0.02, 6.0)
    knee = reached.rotations[:, feet[0].knee]
    speed = rotation.angle_between(knee[:-1], knee[1:]) * motion.fps
    assert 5.0 < speed.max() <= 6.0
    assert not reached.longer.any()
    # it is there when it has to be, and only before that higher than asked
    got = ankles(motion, reached, feet)[:, 0, 1] - motion.positions[:, feet[0].ankle, 1]
    assert np.abs(got[45:] - 0.3).max() < 1e-9
    assert got.min() > -1e-9
    assert np.abs(got[:20]).max() < 1e-9


@pytest.mark.parametrize(
    ("stance", "lowest"), [(LEVEL, 0.1), (Lowering(lowest=0.05), 0.05), (Lowering(lowest=0.2), 0.2)]
)
def test_the_body_comes_down_by_so_many_leg_lengths_at_most(stance: Lowering, lowest: float) -> None:
    motion, feet = standing()
    sunk = np.tile([0.0, -0.4, 0.0], (FRAMES, 1))
    targets = tuple((sole, moved(motion, sole, sunk)) for sole in feet)
    reached = reach(motion, targets, 0.0, None, stance)
    knee, ankle = (motion.skeleton.offsets[joint] for joint in (feet[0].knee, feet[0].ankle))
    leg = float(np.linalg.norm(knee) + np.linalg.norm(ankle))
    np.testing.assert_allclose(reached.lowered, lowest * leg, rtol=1e-6)
