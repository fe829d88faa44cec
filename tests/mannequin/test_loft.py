from __future__ import annotations

import numpy as np
import pytest

from kinegraph.mannequin.loft import ball, loft, smooth_table, squared, vertex_normals
from tests.mannequin.figure_bodies import areas, is_closed, volume


class TestBall:
    def test_is_closed_and_round(self) -> None:
        shell = ball(np.array([1.0, 2.0, 3.0]), 0.5, segments=24)
        assert is_closed(shell.faces)
        assert np.linalg.norm(shell.vertices - [1, 2, 3], axis=-1) == pytest.approx(0.5)

    def test_normals_point_outwards(self) -> None:
        shell = ball(np.zeros(3), 2.0)
        normals = vertex_normals(shell.vertices, shell.faces)
        assert (np.einsum("vi,vi->v", normals, shell.vertices) > 1.9).all()


class TestLoft:
    @pytest.mark.parametrize("direction", [[0, 1, 0], [0, -1, 0], [1, 0, 0], [0.6, 0, 0.8]])
    def test_holds_what_a_capsule_holds(self, direction: list[float]) -> None:
        at = np.linspace(0.0, 2.0, 9)
        tangent = np.array(direction, dtype=np.float64)
        shell = loft(
            at,
            at[:, None] * tangent,
            np.tile(tangent, (9, 1)),
            [0.0, 0.0, 1.0],
            np.full((9, 3), 0.5),
            segments=64,
            caps=(0.5, 0.5),
            rounds=(12, 12),
        )
        assert is_closed(shell.faces)
        assert areas(shell.vertices, shell.faces).min() > 0
        assert volume(shell.vertices, shell.faces) == pytest.approx(np.pi * (0.25 * 2 + 4 / 3 * 0.125), rel=0.01)

    def test_depths_lie_in_front_and_behind(self) -> None:
        at, up = np.array([0.0, 1.0]), np.tile([0.0, 1.0, 0.0], (2, 1))
        radii = np.tile([0.3, 0.2, 0.1], (2, 1))
        shell = loft(at, at[:, None] * up, up, [0.0, 0.0, 1.0], radii, segments=16, caps=(0.1, 0.1))
        assert shell.vertices.max(axis=0) == pytest.approx([0.3, 1.1, 0.2])
        assert shell.vertices.min(axis=0) == pytest.approx([-0.3, -0.1, -0.1])

    def test_tells_how_far_along_its_vertices_are(self) -> None:
        at, up = np.array([0.0, 1.0]), np.tile([0.0, 1.0, 0.0], (2, 1))
        shell = loft(at, at[:, None] * up, up, [0.0, 0.0, 1.0], np.ones((2, 3)), segments=8, caps=(0.4, 0.2))
        assert shell.along == pytest.approx(shell.vertices[:, 1])


class TestSquared:
    def test_is_at_right_angles(self) -> None:
        tangents = np.array([[0.0, 1.0, 0.0], [0.0, 0.6, 0.8]])
        made = squared(np.array([0.0, 0.0, 1.0]), tangents)
        assert np.einsum("ni,ni->n", made, tangents) == pytest.approx(0.0)
        assert made[0] == pytest.approx([0, 0, 1])

    def test_of_parallel_vectors(self) -> None:
        tangents = np.eye(3)
        made = squared(np.array([0.0, 0.0, 1.0]), tangents)
        assert np.einsum("ni,ni->n", made, tangents) == pytest.approx(0.0)
        assert np.linalg.norm(made, axis=-1) == pytest.approx(1.0)


def test_smooth_table_goes_through_its_rows_and_never_beyond() -> None:
    places = np.array([0.0, 0.1, 0.5, 1.0])
    values = np.array([[1.0], [3.0], [3.0], [0.0]])
    assert smooth_table(places, values, places) == pytest.approx(values)
    between = smooth_table(places, values, np.linspace(-1, 2, 200))
    assert between.max() <= 3.0 + 1e-12
    assert between.min() >= 0.0
