from __future__ import annotations

import numpy as np
import pytest

from kinegraph.mannequin import deformed, mannequin
from kinegraph.mannequin.skinning import along_chain, strongest
from kinegraph.motion import Motion, rotation
from kinegraph.samples import skeleton


class TestAlongChain:
    def test_middles_of_bones_follow_one_joint(self) -> None:
        weights = along_chain(np.array([-5.0, 0.5, 1.5, 9.0]), [0.0, 1.0, 2.0], [0.1, 0.1, 0.1])
        assert weights == pytest.approx(np.array([[1, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]))

    def test_joints_share_what_lies_between(self) -> None:
        weights = along_chain(np.linspace(0.5, 1.5, 11), [0.0, 1.0], [0.3, 0.3])
        assert weights.sum(axis=1) == pytest.approx(1.0)
        assert weights[5] == pytest.approx([0.5, 0.5])
        assert (np.diff(weights[:, 1]) >= 0).all()

    def test_a_bone_of_no_length_has_no_share(self) -> None:
        weights = along_chain(np.linspace(0, 2, 9), [0.0, 1.0, 1.0], [0.2, 0.2, 0.2])
        assert weights[:, 1] == pytest.approx(0.0)

    def test_nothing_is_negative_where_reaches_cross(self) -> None:
        weights = along_chain(np.linspace(-1, 3, 99), [0.0, 1.0, 1.05], [0.2, 0.05, 0.8])
        assert weights.min() >= 0
        assert weights.sum(axis=1) == pytest.approx(1.0)


def test_strongest_keeps_four() -> None:
    joints, weights = strongest(np.array([[0.1, 0.3, 0.0, 0.2, 0.25, 0.15], [0, 0, 1, 0, 0, 0]]))
    assert joints.tolist() == [[1, 4, 3, 5], [2, 0, 0, 0]]
    assert weights[0] == pytest.approx(np.array([0.3, 0.25, 0.2, 0.15]) / 0.9)
    assert weights[1].tolist() == [1, 0, 0, 0]


class TestDeformed:
    def test_moves_as_a_whole_with_the_root(self) -> None:
        body = skeleton()
        mesh = mannequin(body)
        turns = rotation.identity(1, len(body))
        turns[0, 0] = rotation.about_y(np.pi / 2)
        moved = deformed(mesh, body, Motion(body, np.array([[3.0, 0.0, 0.0]]), turns, 30), 0)
        expected = rotation.rotate(turns[0, 0], mesh.vertices - body.offsets[0]) + np.array([3.0, 0.0, 0.0])
        assert moved == pytest.approx(expected)

    def test_bones_that_grow_take_the_surface_along(self) -> None:
        body = skeleton()
        mesh = mannequin(body)
        lengths = body.offsets[None].copy()
        lengths[0, body.joint("head"), 1] += 0.1
        grown = Motion(body, body.offsets[:1], rotation.identity(1, len(body)), 30, translations=lengths)
        rise = deformed(mesh, body, grown, 0)[:, 1].max() - mesh.vertices[:, 1].max()
        assert rise == pytest.approx(0.1)
