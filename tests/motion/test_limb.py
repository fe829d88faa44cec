"""Two-bone limbs: targets are hit, bones keep their length, knees bend the right way, nothing snaps."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given

from kinegraph.arrays import Array
from kinegraph.motion import Motion, Skeleton, kinematics, limb, rotation
from tests.strategies import generators, random_quaternions


def solve(top: Array, middle: Array, end: Array, target: Array, hinge: Array | None = None) -> tuple[Array, Array]:
    """Where the middle and the end of the limb come to lie."""
    upper, lower = limb.bend(top, middle, end, target, hinge)
    for turn in (upper, lower):
        np.testing.assert_allclose(np.linalg.norm(turn, axis=-1), 1.0, atol=1e-12)
    knee = rotation.rotate(upper, middle - top)
    shin = rotation.rotate(upper, rotation.rotate(lower, end - middle))
    return top + knee, top + knee + shin


def random_limbs(random: np.random.Generator, count: int = 20) -> tuple[Array, Array, Array, Array, Array, Array]:
    """Limbs bent at random, targets well within reach, and lengths of both bones."""
    top = random.normal(size=(count, 3))
    a, b = random.uniform(0.2, 0.6, (2, count))
    directions = random.normal(size=(3, count, 3))
    directions /= np.linalg.norm(directions, axis=-1, keepdims=True)
    middle = top + a[:, None] * directions[0]
    end = middle + b[:, None] * directions[1]
    near, far = np.abs(a - b) * 1.001 + 1e-3, (a + b) * 0.999
    target = top + directions[2] * random.uniform(near, far)[:, None]
    return top, middle, end, target, a, b


def knee_angle(top: Array, middle: Array, end: Array) -> Array:
    """How far limbs are bent, in radians; 0 is straight."""
    upper, lower = middle - top, end - middle
    across = np.linalg.norm(np.cross(upper, lower), axis=-1)
    angle: Array = np.arctan2(across, np.einsum("...i,...i->...", upper, lower))
    return angle


class TestBend:
    @given(generators())
    def test_hits_what_is_within_reach(self, random: np.random.Generator) -> None:
        top, middle, end, target, a, b = random_limbs(random)
        knee, foot = solve(top, middle, end, target)
        np.testing.assert_allclose(foot, target, atol=1e-6)
        np.testing.assert_allclose(np.linalg.norm(knee - top, axis=-1), a, atol=1e-12)
        np.testing.assert_allclose(np.linalg.norm(foot - knee, axis=-1), b, atol=1e-12)

    @given(generators())
    def test_hits_it_whatever_the_hinge(self, random: np.random.Generator) -> None:
        top, middle, end, target, *_ = random_limbs(random)
        _, foot = solve(top, middle, end, target, random.normal(size=(20, 3)))
        np.testing.assert_allclose(foot, target, atol=1e-6)

    @given(generators())
    def test_keeps_its_own_plane_without_a_hinge(self, random: np.random.Generator) -> None:
        top, middle, end, target, *_ = random_limbs(random)
        _, lower = limb.bend(top, middle, end, target)
        normal = np.cross(middle - top, end - middle)
        np.testing.assert_allclose(np.cross(rotation.log(lower), normal), 0, atol=1e-6)

    @given(generators())
    def test_a_target_already_met_changes_nothing(self, random: np.random.Generator) -> None:
        top, middle, end, *_ = random_limbs(random)
        knee, foot = solve(top, middle, end, end)
        bent = np.linalg.norm(end - top, axis=-1) < 0.999 * (
            np.linalg.norm(middle - top, axis=-1) + np.linalg.norm(end - middle, axis=-1)
        )
        np.testing.assert_allclose(knee[bent], middle[bent], atol=1e-6)
        np.testing.assert_allclose(foot[bent], end[bent], atol=1e-6)

    @pytest.mark.parametrize("bend", [0.0, 1e-9, 1e-4, -1e-4, -0.3, 0.3])
    @pytest.mark.parametrize("distance", [0.3, 0.6, 0.75])
    def test_a_knee_bends_backwards_however_it_was(self, bend: float, distance: float) -> None:
        top = np.array([0.0, 0.8, 0.0])
        middle = np.array([0.0, 0.4, 0.0])
        # about +X, the axis to the left, a shin that hangs down swings back
        end = middle + rotation.rotate(rotation.exp([bend, 0, 0]), [0.0, -0.4, 0.0])
        target = top + distance * np.array([0.0, -1.0, 0.0])
        knee, foot = solve(top, middle, end, target, np.array([1.0, 0.0, 0.0]))
        np.testing.assert_allclose(foot, target, atol=1e-6)
        assert knee[2] > 1e-3
        assert abs(knee[0]) < 1e-6

    @given(generators())
    def test_a_limb_that_is_clearly_bent_keeps_its_plane_whatever_the_hinge(self, random: np.random.Generator) -> None:
        top, middle, end, target, *_ = random_limbs(random)
        normal = np.cross(middle - top, end - middle)
        clear = knee_angle(top, middle, end) > 0.6
        knee, _ = solve(top, middle, end, end, random.normal(size=(20, 3)))
        np.testing.assert_allclose(knee[clear], middle[clear], atol=1e-6)
        _, lower = limb.bend(top, middle, end, target, random.normal(size=(20, 3)))
        np.testing.assert_allclose(np.cross(rotation.log(lower), normal)[clear], 0, atol=1e-6)

    def test_a_limb_that_goes_through_straight_does_not_swing_about(self) -> None:
        # bent a little to all sides, as noise has it, and at last drawn through: the target asks for a clear bend all the while
        turn = np.linspace(0.0, 4 * np.pi, 400)
        side = np.stack([np.cos(turn), np.zeros(400), np.sin(turn)], axis=-1)
        middle = np.broadcast_to([0.0, 0.4, 0.0], (400, 3))
        end = middle + rotation.rotate(rotation.exp(np.linspace(0.0, 0.05, 400)[:, None] * side), [0.0, -0.4, 0.0])
        top, target = np.array([0.0, 0.8, 0.0]), np.array([0.0, 0.15, 0.0])
        knee, foot = solve(np.broadcast_to(top, (400, 3)), middle, end, target, np.array([1.0, 0.0, 0.0]))
        np.testing.assert_allclose(foot, np.broadcast_to(target, (400, 3)), atol=1e-6)
        assert np.abs(knee - knee.mean(axis=0)).max() < 0.02

    @pytest.mark.parametrize("hinge", [(1, 0, 0), (1, 0.5, 0.2), (1, -1, 0), (0.3, 0.0, 0.9)])
    def test_a_straight_limb_bends_about_a_hinge_that_is_askew(self, hinge: tuple[float, float, float]) -> None:
        top, middle, end = np.array([[0, 0.8, 0], [0, 0.4, 0], [0, 0, 0]])
        target = np.array([0.1, 0.3, 0.2])
        knee, foot = solve(top, middle, end, target, np.asarray(hinge, dtype=float))
        np.testing.assert_allclose(foot, target, atol=1e-6)
        # bends towards the hinge: seen along it, the shin turns the positive way
        assert np.cross(knee - top, foot - knee) @ hinge > 0

    def test_a_straight_limb_without_a_hinge(self) -> None:
        top, middle, end = np.array([[0, 0.8, 0], [0, 0.4, 0], [0, 0, 0.0]])
        for target in ([0.1, 0.3, 0.2], [0, 0.3, 0], [0, 1.2, 0]):
            _, foot = solve(top, middle, end, np.asarray(target, dtype=float))
            np.testing.assert_allclose(foot, target, atol=1e-6)

    @given(generators())
    def test_what_is_too_far_is_pointed_at(self, random: np.random.Generator) -> None:
        top, middle, end, target, a, b = random_limbs(random)
        far = top + (target - top) * (10 / np.linalg.norm(target - top, axis=-1, keepdims=True))
        _, foot = solve(top, middle, end, far)
        reached = np.linalg.norm(foot - top, axis=-1)
        assert np.all((0.999 * (a + b) < reached) & (reached <= a + b))
        np.testing.assert_allclose((foot - top) / reached[:, None], (far - top) / 10, atol=1e-6)

    def test_what_is_too_near_is_approached(self) -> None:
        top, middle, end = np.array([[0, 0, 0], [0, -0.5, 0], [0.0, -0.6, 0.2]])
        lower = np.linalg.norm(end - middle)
        target = np.array([0.0, 0.0, 0.05])
        _, foot = solve(top, middle, end, target)
        assert np.linalg.norm(foot) == pytest.approx(0.5 - lower, rel=1e-3)
        np.testing.assert_allclose(foot / np.linalg.norm(foot), [0, 0, 1], atol=1e-6)

    @pytest.mark.parametrize("length", [0.4, 0.3])
    def test_a_target_at_the_hip_itself(self, length: float) -> None:
        top, middle, end = np.array([[0.0, 0.0, 0.0], [0.0, -0.4, 0.0], [0.0, -0.4, -length]])
        _, foot = solve(top, middle, end, top)
        np.testing.assert_allclose(np.linalg.norm(foot - top), 0.4 - length, atol=1e-4)

    def test_is_continuous_along_a_smooth_path(self) -> None:
        s = np.linspace(0, 2 * np.pi, 2001)
        top, middle, end = np.array([[0, 0.9, 0], [0, 0.5, 0.02], [0, 0.1, 0]])
        # from well inside to far out of reach and back
        target = np.stack([0.3 * np.sin(s), 0.25 - 0.3 * np.cos(s), 0.5 * np.sin(2 * s)], -1)
        span = np.linalg.norm(target - top, axis=-1)
        assert span.min() < 0.6 < 0.9 < span.max()
        knee, foot = solve(
            *(np.broadcast_to(p, target.shape) for p in (top, middle, end)), target, np.array([1.0, 0, 0])
        )
        step = np.linalg.norm(np.diff(target, axis=0), axis=-1).max()
        assert np.linalg.norm(np.diff(foot, axis=0), axis=-1).max() < 3 * step
        # near full stretch the knee comes in as the square root of what is missing: fast, but it never jumps
        assert np.linalg.norm(np.diff(knee, axis=0), axis=-1).max() < 0.02

    def test_shapes(self) -> None:
        top, middle, end, target, *_ = (part[None, None, 0] for part in random_limbs(np.random.default_rng(0), 1))
        upper, lower = limb.bend(top, middle, end, target)
        assert upper.shape == lower.shape == (1, 1, 4)


# a body of which the left leg has a twist joint in thigh and shin, and a heavy set of rotations
LEG = Skeleton(
    ("hips", "left hip", "twist", "left knee", "roll", "left ankle", "left toe", "chest"),
    [-1, 0, 1, 2, 3, 4, 5, 0],
    [
        [0, 0, 0],
        [0.1, -0.05, 0],
        [0, -0.2, 0],
        [0, -0.2, 0.01],
        [0, -0.2, 0],
        [0, -0.2, -0.02],
        [0, -0.05, 0.1],
        [0, 0.3, 0],
    ],
)
JOINTS = (1, 3, 5)


class TestReach:
    @given(generators())
    def test_the_end_arrives_and_the_rest_stays(self, random: np.random.Generator) -> None:
        before = Motion(LEG, random.normal(size=(6, 3)), random_quaternions(random, 6, 8), 30)
        top, old_end = before.positions[:, 1], before.positions[:, 5]
        a, b = (
            np.linalg.norm(before.positions[:, 3] - top, axis=-1),
            np.linalg.norm(old_end - before.positions[:, 3], axis=-1),
        )
        direction = random.normal(size=(6, 3))
        direction /= np.linalg.norm(direction, axis=-1, keepdims=True)
        target = top + direction * random.uniform(np.abs(a - b) + 0.01, (a + b) * 0.99)[:, None]
        out = limb.reach(LEG, before.root, before.rotations, JOINTS, target)
        after = Motion(LEG, before.root, out, 30)
        np.testing.assert_allclose(after.positions[:, 5], target, atol=1e-6)
        for joint in (0, 1, 7):
            np.testing.assert_allclose(after.positions[:, joint], before.positions[:, joint], atol=1e-12)
        np.testing.assert_allclose(
            rotation.angle_between(after.orientations[:, 5], before.orientations[:, 5]), 0, atol=1e-7
        )
        for joint in (0, 2, 4, 6, 7):
            np.testing.assert_array_equal(out[:, joint], before.rotations[:, joint])

    def test_the_orientation_asked_for(self) -> None:
        random = np.random.default_rng(5)
        before = Motion(LEG, np.zeros((4, 3)), random_quaternions(random, 4, 8), 30)
        wanted = random_quaternions(random, 4)
        top, middle, end = (before.positions[:, joint] for joint in JOINTS)
        a, b = np.linalg.norm(middle - top, axis=-1), np.linalg.norm(end - middle, axis=-1)
        target = top + np.maximum(a, b)[:, None] * np.array([0.0, -0.6, 0.8])
        out = limb.reach(LEG, before.root, before.rotations, JOINTS, target, wanted, np.array([1.0, 0, 0]))
        positions, orientations = kinematics.forward(LEG, before.root, out)
        np.testing.assert_allclose(rotation.angle_between(orientations[:, 5], wanted), 0, atol=1e-7)
        np.testing.assert_allclose(positions[:, 5], target, atol=1e-6)

    def test_limbs_bent_at_once_are_each_bent_by_itself(self) -> None:
        random = np.random.default_rng(7)
        before = Motion(LEG, random.normal(size=(4, 3)), random_quaternions(random, 4, 8), 30)
        # the second one begins at the root, which has nothing above it
        limbs = JOINTS, (0, 1, 2)
        targets, ends = random.normal(size=(4, 2, 3)), random_quaternions(random, 4, 2)
        tops, middles, lasts = (list(joints) for joints in zip(*limbs, strict=True))
        turns = limb.bend(*(before.positions[:, joints] for joints in (tops, middles, lasts)), targets)
        made = limb.local(LEG, before.orientations, (tops, middles, lasts), turns, ends)
        for column, joints in enumerate(limbs):
            alone = limb.reach(LEG, before.root, before.rotations, joints, targets[:, column], ends[:, column])
            np.testing.assert_allclose(made[:, :, column], alone[:, joints], atol=1e-12)

    def test_a_limb_that_begins_at_the_root(self) -> None:
        chain = Skeleton(("a", "b", "c"), [-1, 0, 1], [[0, 0, 0], [0, -1, 0], [0, -1, 0.1]])
        root, q = np.ones((2, 3)), random_quaternions(np.random.default_rng(6), 2, 3)
        target = root + np.array([[0.5, 0.5, 0.5], [1, 1, 0]])
        positions, _ = kinematics.forward(chain, root, limb.reach(chain, root, q, (0, 1, 2), target))
        np.testing.assert_allclose(positions[:, 2], target, atol=1e-6)

    def test_input_is_not_written_to(self) -> None:
        before = Motion(LEG, np.zeros((2, 3)), random_quaternions(np.random.default_rng(7), 2, 8), 30)
        limb.reach(LEG, before.root, before.rotations, JOINTS, before.positions[:, 5] * 0.9)  # the arrays are read-only

    def test_straight_limbs_give_motions_that_are_accepted(self) -> None:
        straight = LEG.offsets * [1, 1, 0]
        body = Skeleton(LEG.names, LEG.parents, straight)
        pose = Motion(body, np.zeros((1, 3)), rotation.identity(1, 8), 30)
        target = pose.positions[:, 5] + [0, 0.2, 0]
        after = Motion(body, pose.root, limb.reach(body, pose.root, pose.rotations, JOINTS, target), 30)
        np.testing.assert_allclose(after.positions[:, 5], target, atol=1e-6)


class TestHinges:
    def bent(self, angle: Array) -> tuple[Array, Array]:
        """A limb that hangs down, bent about +X by so many radians ``(F,)``."""
        upper = np.broadcast_to([0.0, -0.4, 0.0], (len(angle), 3))
        return upper, rotation.rotate(rotation.exp(angle[:, None] * [1.0, 0.0, 0.0]), upper)

    def test_a_knee_that_is_drawn_through_for_long_still_bends_the_other_way(self) -> None:
        angle = np.where(np.arange(600) < 500, -0.06, 0.9)
        axes = limb.hinges(*self.bent(angle), rotation.identity(600), 60.0)
        assert (axes[:, 0] > 0).all()
        np.testing.assert_allclose(axes[:, 1:], 0, atol=1e-12)

    def test_a_bone_twisted_half_around_takes_its_hinge_along(self) -> None:
        upper, lower = self.bent(np.full(600, 1.2))
        twist = rotation.from_axis_angle(np.array([0.0, 1.0, 0.0]), np.where(np.arange(600) < 400, 0.0, np.pi))
        axes = limb.hinges(upper, lower, twist, 60.0)
        # away from the moment of the twist both say the same in the world
        assert (axes[:350, 0] > 0).all()
        assert (axes[450:, 0] > 0).all()

    def test_a_limb_that_never_bends_has_none(self) -> None:
        axes = limb.hinges(*self.bent(np.zeros(30)), rotation.identity(30), 30.0)
        np.testing.assert_allclose(axes, 0, atol=1e-15)
