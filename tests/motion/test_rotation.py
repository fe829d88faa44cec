"""Quaternions against SciPy, against brute force, and where formulas break down."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import minimize
from scipy.spatial.transform import Rotation, Slerp

from kinegraph.arrays import Array
from kinegraph.motion import rotation
from tests.strategies import generators, random_quaternions, rotation_vectors, unit_quaternions


def scipy(q: Array) -> Rotation:
    return Rotation.from_quat(np.asarray(q), scalar_first=True)


def assert_same(a: Array, b: Array, within: float = 1e-9) -> None:
    """The same rotations, whatever the signs."""
    np.testing.assert_allclose(rotation.angle_between(a, b), 0.0, atol=within)


@pytest.fixture
def many() -> Array:
    return random_quaternions(np.random.default_rng(0), 200)


class TestProducts:
    def test_multiply_as_scipy(self, many: Array) -> None:
        a, b = many[:100], many[100:]
        assert_same(rotation.multiply(a, b), (scipy(a) * scipy(b)).as_quat(scalar_first=True))

    def test_rotate_as_scipy(self, many: Array) -> None:
        v = np.random.default_rng(1).normal(size=(200, 3))
        np.testing.assert_allclose(rotation.rotate(many, v), scipy(many).apply(v), atol=1e-12)

    @given(unit_quaternions(), unit_quaternions(), generators())
    def test_the_second_factor_acts_first(self, a: Array, b: Array, random: np.random.Generator) -> None:
        v = random.normal(size=3)
        one_by_one = rotation.rotate(a, rotation.rotate(b, v))
        np.testing.assert_allclose(rotation.rotate(rotation.multiply(a, b), v), one_by_one, atol=1e-12)

    @given(unit_quaternions())
    def test_inverse(self, q: Array) -> None:
        np.testing.assert_allclose(rotation.multiply(q, rotation.inverse(q)), rotation.IDENTITY, atol=1e-12)

    def test_leading_axes_broadcast(self, many: Array) -> None:
        a, b = many[:6].reshape(2, 3, 4), many[6:9]
        assert rotation.multiply(a, b).shape == (2, 3, 4)
        assert rotation.multiply(a[:, :1], b).shape == (2, 3, 4)
        assert rotation.rotate(a[:, None], np.ones((5, 1, 3))).shape == (2, 5, 3, 3)
        assert rotation.slerp(a, b, np.zeros((2, 1))).shape == (2, 3, 4)
        np.testing.assert_array_equal(rotation.multiply(a, b)[1, 2], rotation.multiply(a[1, 2], b[2]))

    def test_numbers_may_lie_anywhere_in_memory(self, many: Array) -> None:
        a, b, v = many[:60].reshape(5, 12, 4), many[60:120].reshape(5, 12, 4), many[120:180, 1:].reshape(5, 12, 3)
        product, turned = rotation.multiply(a, b), rotation.rotate(a, v)
        # last axis first in memory, every other number, backwards, one of many, and read-only
        for scattered in (
            lambda x: np.moveaxis(np.moveaxis(x, -1, 0).copy(), 0, -1),
            lambda x: np.repeat(x, 2, axis=-1)[..., ::2],
            lambda x: x[..., ::-1].copy()[..., ::-1],
            lambda x: np.stack([x, x], axis=1)[:, 1],
        ):
            np.testing.assert_array_equal(rotation.multiply(scattered(a), scattered(b)), product)
            np.testing.assert_array_equal(rotation.rotate(scattered(a), scattered(v)), turned)
            np.testing.assert_array_equal(rotation.rotate(a[0], scattered(v)[0]), turned[0])
        same = np.broadcast_to(many[0], a.shape)
        np.testing.assert_array_equal(rotation.multiply(same, b), rotation.multiply(many[0], b))
        assert rotation.multiply(a[:0], b[:0]).shape == (0, 12, 4)
        assert rotation.rotate(a[:, :0], v[:, :0]).shape == (5, 0, 3)

    def test_the_identity_changes_no_digit(self, many: Array) -> None:
        np.testing.assert_array_equal(rotation.multiply(rotation.IDENTITY, many), many)
        np.testing.assert_array_equal(rotation.multiply(many, rotation.IDENTITY), many)
        np.testing.assert_array_equal(rotation.rotate(rotation.IDENTITY, many[:, 1:]), many[:, 1:])

    def test_identity_cannot_be_changed(self) -> None:
        with pytest.raises(ValueError):
            rotation.IDENTITY[0] = 2.0
        assert rotation.identity(2, 3).shape == (2, 3, 4)
        np.testing.assert_array_equal(rotation.identity(2)[1], [1, 0, 0, 0])

    def test_normalize(self) -> None:
        q = rotation.normalize([[0, 0, 0, 0], [0, 3, 0, 4], [1e-200, 0, 0, 0]])
        np.testing.assert_allclose(q[:2], [[1, 0, 0, 0], [0, 0.6, 0, 0.8]])


class TestAxisAngle:
    def test_as_scipy(self) -> None:
        random = np.random.default_rng(2)
        axis, angle = random.normal(size=(50, 3)), random.uniform(-9, 9, 50)
        unit = axis / np.linalg.norm(axis, axis=-1, keepdims=True)
        expected = Rotation.from_rotvec(unit * angle[:, None]).as_quat(scalar_first=True)
        assert_same(rotation.from_axis_angle(axis, angle), expected)

    def test_axes_and_angles_broadcast(self) -> None:
        q = rotation.from_axis_angle([0, 2, 0], [0.0, 1.0, 2.0])
        np.testing.assert_allclose(q, rotation.about_y([0.0, 1.0, 2.0]), atol=1e-15)

    def test_an_axis_of_no_length_gives_a_rotation_all_the_same(self) -> None:
        q = rotation.from_axis_angle([[0, 0, 0], [0, 1, 0]], 2.0)
        np.testing.assert_allclose(np.linalg.norm(q, axis=-1), 1.0)
        np.testing.assert_array_equal(q[0], rotation.IDENTITY)

    def test_about_y_turns_from_z_to_x(self) -> None:
        np.testing.assert_allclose(rotation.rotate(rotation.about_y(np.pi / 2), [0, 0, 1]), [1, 0, 0], atol=1e-15)
        assert rotation.about_y(0.3).shape == (4,)


class TestLogExp:
    @given(rotation_vectors())
    def test_exp_as_scipy(self, v: Array) -> None:
        assert_same(rotation.exp(v), Rotation.from_rotvec(v).as_quat(scalar_first=True), 1e-14)

    @given(unit_quaternions())
    def test_exp_undoes_log(self, q: Array) -> None:
        assert_same(rotation.exp(rotation.log(q)), q, 1e-12)

    @given(rotation_vectors())
    def test_log_undoes_exp(self, v: Array) -> None:
        back = rotation.log(rotation.exp(v))
        if np.linalg.norm(v) > np.pi - 1e-6:  # a half turn either way round is the same rotation
            assert min(np.linalg.norm(back - v), np.linalg.norm(back + v)) < 3e-6
        else:
            np.testing.assert_allclose(back, v, rtol=1e-9, atol=1e-15)

    @given(unit_quaternions())
    def test_log_is_blind_to_sign_and_at_most_pi(self, q: Array) -> None:
        v = rotation.log(q)
        assert np.linalg.norm(v) <= np.pi + 1e-12
        if abs(q[0]) > 1e-12:
            np.testing.assert_array_equal(v, rotation.log(-q))

    def test_small_angles_keep_their_digits(self) -> None:
        v = np.outer(10.0 ** -np.arange(1, 16), [0.6, 0.0, 0.8])
        np.testing.assert_allclose(rotation.log(rotation.exp(v)), v, rtol=1e-12)

    @given(unit_quaternions(), unit_quaternions())
    def test_angle_between(self, a: Array, b: Array) -> None:
        angle = rotation.angle_between(a, b)
        np.testing.assert_allclose(angle, (scipy(a).inv() * scipy(b)).magnitude(), atol=1e-7)
        np.testing.assert_allclose(angle, rotation.angle_between(b, -a), atol=1e-14)

    def test_angle_between_near_rotations(self) -> None:
        step = rotation.from_axis_angle([1, 2, 3], 1e-10)
        assert rotation.angle_between(rotation.IDENTITY, step) == pytest.approx(1e-10, rel=1e-6)


class TestSlerp:
    def test_as_scipy(self, many: Array) -> None:
        for a, b in zip(many[:20], many[20:40], strict=True):
            t = np.linspace(0, 1, 7)
            curve = Slerp([0, 1], scipy(np.stack([a, b])))(t)
            assert_same(rotation.slerp(a, b, t), curve.as_quat(scalar_first=True))

    @given(unit_quaternions(), unit_quaternions())
    def test_starts_at_one_and_ends_at_the_other(self, a: Array, b: Array) -> None:
        assert_same(rotation.slerp(a, b, 0.0), a, 1e-12)
        assert_same(rotation.slerp(a, b, 1.0), b, 1e-12)

    @given(unit_quaternions(), unit_quaternions(), st.floats(0, 1))
    def test_constant_speed_along_the_shorter_arc(self, a: Array, b: Array, t: float) -> None:
        whole = rotation.angle_between(a, b)
        q = rotation.slerp(a, b, t)
        assert np.linalg.norm(q) == pytest.approx(1.0, abs=1e-12)
        # the rounding of arctan2 near a half turn is that of a square root
        np.testing.assert_allclose(rotation.angle_between(a, q), t * whole, atol=1e-9)
        np.testing.assert_allclose(rotation.angle_between(q, b), (1 - t) * whole, atol=1e-9)

    @pytest.mark.parametrize("angle", [0.0, 1e-12, 1e-7, 1e-6, 1.9e-6, 2.1e-6, 1e-4])
    def test_nearly_equal(self, angle: float) -> None:
        a = rotation.exp([0.3, -0.2, 0.9])
        b = rotation.multiply(a, rotation.from_axis_angle([0, 1, 1], angle))
        q = rotation.slerp(a, -b, np.linspace(0, 1, 5))
        np.testing.assert_allclose(rotation.angle_between(a, q), np.linspace(0, 1, 5) * angle, atol=1e-15)

    def test_opposite_quaternions_are_one_rotation(self) -> None:
        a = rotation.exp([0.3, -0.2, 0.9])
        assert_same(rotation.slerp(a, -a, 0.5), a, 1e-15)

    def test_a_half_turn_takes_one_of_its_two_ways(self) -> None:
        a, b = rotation.IDENTITY, np.array([0.0, 0.0, 1.0, 0.0])
        q = rotation.slerp(a, b, [0.25, 0.5])
        np.testing.assert_allclose(np.abs(rotation.log(q)), [[0, np.pi / 4, 0], [0, np.pi / 2, 0]], atol=1e-12)


class TestBetween:
    @given(generators())
    def test_takes_one_direction_to_the_other_with_the_least_turn(self, random: np.random.Generator) -> None:
        a, b = random.normal(size=(2, 20, 3)) * random.uniform(0.01, 100, (2, 20, 1))
        q = rotation.between(a, b)
        unit_a, unit_b = (v / np.linalg.norm(v, axis=-1, keepdims=True) for v in (a, b))
        np.testing.assert_allclose(rotation.rotate(q, unit_a), unit_b, atol=1e-9)
        cosine = np.clip(np.sum(unit_a * unit_b, axis=-1), -1, 1)
        np.testing.assert_allclose(rotation.angle_between(rotation.IDENTITY, q), np.arccos(cosine), atol=1e-6)

    @pytest.mark.parametrize("direction", [[1, 0, 0], [0, 1, 0], [0, 0, -1], [1, 1, 1], [1e-9, 0, 3], [0.3, -0.5, 0.2]])
    @pytest.mark.parametrize("off", [0.0, 1e-12, 1e-9, 1e-7, 1e-6, 2e-6, 1e-5, 1e-3])
    def test_opposite_and_nearly(self, direction: list[float], off: float) -> None:
        a = np.asarray(direction) / np.linalg.norm(direction)
        across = np.cross(a, np.roll(a, 1) + np.array([0.1, 0.2, 0.3]))
        b = -np.cos(off) * a + np.sin(off) * across / np.linalg.norm(across)
        q = rotation.between(a, b)
        assert np.linalg.norm(q) == pytest.approx(1.0)
        np.testing.assert_allclose(rotation.rotate(q, a), b, atol=2e-7)
        np.testing.assert_allclose(rotation.angle_between(rotation.IDENTITY, q), np.pi - off, atol=2e-7)

    def test_equal_and_nearly(self) -> None:
        a = np.array([0.3, -0.5, 0.2])
        assert_same(rotation.between(a, 7 * a), rotation.IDENTITY, 1e-15)
        b = a + np.array([0, 0, 1e-9])
        np.testing.assert_allclose(
            rotation.angle_between(rotation.IDENTITY, rotation.between(a, b)),
            np.linalg.norm(np.cross(a, b)) / (a @ a),
            rtol=1e-6,
        )

    def test_a_vector_of_no_length_turns_nothing(self) -> None:
        q = rotation.between([[0, 0, 0], [1, 0, 0]], [[0, 1, 0], [0, 0, 0]])
        np.testing.assert_array_equal(q, rotation.identity(2))

    def test_one_against_many(self) -> None:
        q = rotation.between([0, 0, 1], np.eye(3))
        np.testing.assert_allclose(rotation.rotate(q, [0, 0, 1]), np.eye(3), atol=1e-15)


class TestUnroll:
    @given(generators(), st.integers(1, 9), st.sampled_from((0, 1, -2)))
    def test_same_rotations_and_no_jumps(self, random: np.random.Generator, count: int, axis: int) -> None:
        q = random_quaternions(random, *((count, 3) if axis == 0 else (3, count)))
        out = rotation.unroll(q, axis)
        np.testing.assert_array_equal(np.abs(np.sum(out * q, axis=-1)).round(12), 1.0)
        np.testing.assert_array_equal(np.abs(out), np.abs(q))
        lined = np.moveaxis(out, axis, 0)
        assert np.all(np.sum(lined[1:] * lined[:-1], axis=-1) >= 0)
        np.testing.assert_array_equal(lined[0], np.moveaxis(q, axis, 0)[0])

    def test_leaves_what_it_is_given_alone(self) -> None:
        for q in (rotation.identity(1), rotation.identity(3), rotation.identity(3) * [[1], [-1], [1]]):
            q.setflags(write=False)
            before = q.copy()
            np.testing.assert_array_equal(rotation.unroll(q), rotation.identity(len(q)))
            np.testing.assert_array_equal(q, before)


class TestMean:
    @given(generators(), st.integers(1, 6))
    def test_no_rotation_is_nearer_to_all(self, random: np.random.Generator, count: int) -> None:
        centre = random_quaternions(random)
        q = rotation.multiply(centre, rotation.exp(random.normal(size=(count, 3)) * 0.5))
        w = random.uniform(0.05, 1, count)

        def cost(v: Array) -> float:
            at = rotation.multiply(centre, rotation.exp(v))
            return float(np.sum(w * np.sum((rotation.to_matrix(q) - rotation.to_matrix(at)) ** 2, axis=(-1, -2))))

        best = minimize(cost, np.zeros(3), tol=1e-12)
        found = rotation.mean(q, w)
        offset = rotation.log(rotation.multiply(rotation.inverse(centre), found))
        assert cost(offset) <= best.fun + 1e-9
        assert_same(found, rotation.multiply(centre, rotation.exp(best.x)), 1e-4)
        assert_same(found, scipy(q).mean(weights=w).as_quat(scalar_first=True), 1e-7)

    @given(generators())
    def test_blind_to_signs(self, random: np.random.Generator) -> None:
        q = random_quaternions(random, 5)
        flipped = q * random.choice([-1.0, 1.0], (5, 1))
        assert_same(rotation.mean(q), rotation.mean(flipped), 1e-6)

    def test_of_two_is_halfway(self) -> None:
        a, b = rotation.exp([0.2, 0.1, 0]), rotation.exp([0.9, -1, 0.4])
        assert_same(rotation.mean([a, -b]), rotation.slerp(a, b, 0.5))
        assert_same(rotation.mean([a, b], [1.0, 0.0]), a)

    def test_any_axis_and_any_shape_of_weights(self, many: Array) -> None:
        q = many[:12].reshape(3, 4, 4)
        w = np.random.default_rng(3).uniform(0.1, 1, (3, 4))
        for axis in (1, -2):
            by_row = np.stack([rotation.mean(q[row], w[row]) for row in range(3)])
            assert_same(rotation.mean(q, w, axis=axis), by_row)
            assert_same(rotation.mean(q, w[0], axis=axis), np.stack([rotation.mean(r, w[0]) for r in q]))
        assert_same(rotation.mean(q), np.stack([rotation.mean(q[:, column]) for column in range(4)]))


class TestMatrices:
    def test_as_scipy(self, many: Array) -> None:
        np.testing.assert_allclose(rotation.to_matrix(many), scipy(many).as_matrix(), atol=1e-12)

    @given(unit_quaternions())
    def test_there_and_back(self, q: Array) -> None:
        assert_same(rotation.from_matrix(rotation.to_matrix(q)), q, 1e-12)

    @pytest.mark.parametrize("axis", range(3))
    def test_half_turns(self, axis: int) -> None:
        q = np.zeros(4)
        q[1 + axis] = 1.0
        assert_same(rotation.from_matrix(rotation.to_matrix(q)), q, 1e-15)

    def test_shapes(self, many: Array) -> None:
        q = many[:6].reshape(2, 3, 4)
        assert rotation.to_matrix(q).shape == (2, 3, 3, 3)
        assert_same(rotation.from_matrix(rotation.to_matrix(q)), q)


class TestTwist:
    @given(unit_quaternions(), generators())
    def test_what_is_left_turns_about_no_part_of_the_axis(self, q: Array, random: np.random.Generator) -> None:
        axis = random.normal(size=3)
        twist = rotation.twist(q, axis)
        swing = rotation.multiply(q, rotation.inverse(twist))
        assert np.linalg.norm(twist) == pytest.approx(1.0)
        np.testing.assert_allclose(np.cross(twist[1:], axis), 0.0, atol=1e-9)
        # a half turn about an axis across has no twist to speak of: any is right
        if np.hypot(q[0], q[1:] @ axis / np.linalg.norm(axis)) > 1e-6:
            assert swing[1:] @ axis / np.linalg.norm(axis) == pytest.approx(0.0, abs=1e-9)

    def test_a_pure_turn_is_all_twist(self) -> None:
        q = rotation.about_y([0.4, -2.0, 3.0])
        assert_same(rotation.twist(q, [0, 5, 0]), q)
        assert_same(
            rotation.twist(rotation.multiply(q[0], rotation.exp([0.1, 0, 0])), [1, 0, 0]), rotation.exp([0.1, 0, 0])
        )
