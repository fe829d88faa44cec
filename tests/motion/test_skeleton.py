"""Skeletons: what is refused, what is found, and that nothing changes under one's hands."""

from __future__ import annotations

import copy
import pickle
from dataclasses import FrozenInstanceError
from typing import Any

import numpy as np
import pytest
from hypothesis import given

from kinegraph.errors import KinegraphError, MotionError, RoleError
from kinegraph.motion import Skeleton
from kinegraph.motion.body import ROLES
from tests.strategies import skeletons


def small(**changes: Any) -> Skeleton:
    parts: dict[str, Any] = {
        "names": ("Hips", "LeftUpLeg", "LeftLeg", "LeftFoot", "RightUpLeg", "RightLeg", "RightFoot"),
        "parents": [-1, 0, 1, 2, 0, 4, 5],
        "offsets": [[0, 1, 0], [0.1, 0, 0], [0, -0.4, 0], [0, -0.5, 0], [-0.1, 0, 0], [0, -0.4, 0], [0, -0.3, 0]],
        "tip_parents": [3, 6],
        "tip_offsets": [[0, 0, 0.2], [0, 0, 0.2]],
    }
    return Skeleton(**(parts | changes))


class TestRefusals:
    @pytest.mark.parametrize(
        ("changes", "words"),
        [
            ({"names": (), "parents": [], "offsets": np.zeros((0, 3))}, "at least one joint"),
            ({"parents": [-1, 0, 1]}, "need parents"),
            ({"offsets": np.zeros((7, 2))}, "need parents"),
            ({"offsets": np.zeros((6, 3))}, "need parents"),
            ({"parents": [-1, 0, 3, 2, 0, 4, 5]}, "before its children"),
            ({"parents": [-1, 0, 2, 2, 0, 4, 5]}, "before its children"),
            ({"parents": [-1, 0, 1, 2, -1, 4, 5]}, "only root"),
            ({"parents": [0, 0, 1, 2, 0, 4, 5]}, "only root"),
            ({"parents": [-1, 0, 1, 2, 0, 4, 9]}, "before its children"),
            ({"tip_parents": [3]}, "tips need as many parents"),
            ({"tip_parents": [3, 7]}, "does not exist"),
            ({"tip_parents": [3, -1]}, "does not exist"),
            ({"offsets": np.full((7, 3), np.nan)}, "finite"),
            ({"tip_offsets": [[0, 0, np.inf], [0, 0, 0]]}, "finite"),
            ({"overrides": {"tail": 0}}, "unknown body role 'tail'"),
            ({"overrides": {"head": 7}}, "7 joints"),
            ({"overrides": {"head": -1}}, "7 joints"),
        ],
    )
    def test_arrays_that_make_no_skeleton(self, changes: dict[str, Any], words: str) -> None:
        with pytest.raises(MotionError, match=words) as caught:
            small(**changes)
        assert isinstance(caught.value, KinegraphError)

    def test_no_such_joint(self) -> None:
        with pytest.raises(MotionError, match=r"no joint is called 'Tail'.*Hips, LeftUpLeg"):
            small().index("Tail")
        with pytest.raises(RoleError, match=r"head.*roles=.*Hips"):
            small().joint("head")
        with pytest.raises(RoleError, match="unknown body role 'tail'"):
            small().joint("tail")

    def test_a_long_list_of_names_is_cut(self) -> None:
        many = Skeleton(tuple(f"bone{i}" for i in range(100)), np.arange(-1, 99), np.zeros((100, 3)))
        with pytest.raises(MotionError, match="60 more"):
            many.index("Hips")


class TestTree:
    def test_children_and_levels(self) -> None:
        skeleton = small()
        assert skeleton.children == ((1, 4), (2,), (3,), (), (5,), (6,), ())
        assert [level.tolist() for level in skeleton.levels] == [[0], [1, 4], [2, 5], [3, 6]]

    @given(skeletons())
    def test_levels_hold_every_joint_once_below_its_parent(self, skeleton: Skeleton) -> None:
        assert sorted(int(joint) for level in skeleton.levels for joint in level) == list(range(len(skeleton)))
        for above, below in zip(skeleton.levels, skeleton.levels[1:], strict=False):
            assert set(skeleton.parents[below]) <= set(above)
        assert skeleton.levels[0].tolist() == [0]

    @given(skeletons())
    def test_children_are_the_inverse_of_parents(self, skeleton: Skeleton) -> None:
        pairs = {(parent, child) for parent, children in enumerate(skeleton.children) for child in children}
        assert pairs == {(int(skeleton.parents[child]), child) for child in range(1, len(skeleton))}

    def test_rest(self) -> None:
        np.testing.assert_allclose(small().rest[[0, 3, 6]], [[0, 0, 0], [0.1, -0.9, 0], [-0.1, -0.7, 0]])

    def test_chains(self) -> None:
        skeleton = small()
        assert skeleton.chain(0, 3) == [0, 1, 2, 3]
        assert skeleton.chain(2, 2) == [2]
        assert skeleton.chain_length(1, 3) == pytest.approx(0.9)
        assert skeleton.leg_length == pytest.approx((0.9 + 0.7) / 2)
        for top, bottom in ((1, 6), (3, 1), (4, 3)):
            with pytest.raises(MotionError, match="does not hang below"):
                skeleton.chain(top, bottom)

    def test_names_may_repeat(self) -> None:
        skeleton = Skeleton(("a", "end", "end"), [-1, 0, 0], np.zeros((3, 3)))
        assert skeleton.index("end") == 1


class TestRoles:
    def test_found_by_name(self) -> None:
        skeleton = small()
        assert skeleton.joint("left_knee") == 2
        assert skeleton.has_roles("hips", "right_ankle")
        assert not skeleton.has_roles("hips", "head")
        assert set(skeleton.roles) <= set(ROLES)

    def test_the_users_word_counts(self) -> None:
        skeleton = small().with_roles({"left_knee": "LeftFoot", "head": 0})
        assert skeleton.joint("left_knee") == 3
        assert skeleton.joint("head") == 0
        assert skeleton.joint("right_knee") == 5
        assert skeleton.with_roles({"head": 1}).joint("left_knee") == 3
        assert small().joint("left_knee") == 2

    def test_the_users_word_can_be_wrong(self) -> None:
        with pytest.raises(MotionError, match="no joint is called"):
            small().with_roles({"head": "Head"})
        with pytest.raises(RoleError, match="unknown body role"):
            small().with_roles({"tail": "Hips"})

    def test_survive_scaling(self) -> None:
        skeleton = small().with_roles({"head": 0}).scaled(2.0)
        assert skeleton.joint("head") == 0
        np.testing.assert_array_equal(skeleton.offsets, 2 * small().offsets)
        np.testing.assert_array_equal(skeleton.tip_offsets, 2 * small().tip_offsets)

    def test_unknown_names(self) -> None:
        skeleton = Skeleton(("a", "b"), [-1, 0], np.zeros((2, 3)))
        assert skeleton.naming == ""
        assert skeleton.roles == {}
        assert "unknown naming" in repr(skeleton)
        assert "7 joints, 2 tips" in repr(small())


class TestValue:
    def test_equal_where_all_is_equal(self) -> None:
        assert small() == small()
        assert hash(small()) == hash(small())
        assert small(offsets=-0.0 * small().offsets) == small(offsets=0.0 * small().offsets)
        for other in (
            small(offsets=small().offsets + 1e-9),
            small(names=("Hips", "A", "B", "C", "D", "E", "F")),
            small(parents=[-1, 0, 1, 2, 0, 4, 4]),
            small(tip_parents=[3, 5]),
            small(tip_offsets=np.zeros((2, 3))),
            small(overrides={"head": 0}),
        ):
            assert other != small()
        assert small() != "small"

    def test_nothing_can_be_written_to(self) -> None:
        skeleton = small()
        for array in (skeleton.parents, skeleton.offsets, skeleton.tip_parents, skeleton.tip_offsets):
            with pytest.raises(ValueError, match="read-only"):
                array[0] = 0
        with pytest.raises(FrozenInstanceError):
            skeleton.names = ()  # type: ignore[misc]
        with pytest.raises(TypeError):
            skeleton.roles["head"] = 0  # type: ignore[index]
        with pytest.raises(TypeError):
            skeleton.overrides["head"] = 0  # type: ignore[index]

    def test_the_givers_arrays_stay_their_own(self) -> None:
        offsets, parents, overrides = np.zeros((7, 3)), np.array([-1, 0, 1, 2, 0, 4, 5]), {"head": 0}
        skeleton = small(offsets=offsets, parents=parents, overrides=overrides)
        twin = small(offsets=offsets, parents=parents, overrides=overrides)
        offsets[1], parents[3], overrides["head"] = 5.0, 0, 2
        np.testing.assert_array_equal(skeleton.offsets, 0.0)
        assert skeleton.parents[3] == 2
        assert skeleton.joint("head") == 0
        assert skeleton == twin

    @pytest.mark.parametrize("duplicate", [copy.deepcopy, lambda s: pickle.loads(pickle.dumps(s))])
    def test_can_be_sent_to_another_process(self, duplicate: Any) -> None:
        skeleton = small(overrides={"head": 0})
        assert skeleton.joint("head") == 0
        twin = duplicate(skeleton)
        assert twin == skeleton
        assert not twin.offsets.flags.writeable


def test_a_read_only_view_of_what_can_be_written_is_copied() -> None:
    base = np.zeros((2, 3))
    base[1] = [0.0, 1.0, 0.0]
    view = np.broadcast_to(base, (2, 3))
    skeleton = Skeleton(("a", "b"), np.array([-1, 0]), view)
    base[:] = 5.0
    assert skeleton.offsets[1].tolist() == [0.0, 1.0, 0.0]


def test_the_roots_own_offset_makes_no_other_body() -> None:
    offsets = np.array([[0.0, 0.0, 0.0], [0.0, 1.0, 0.0]])
    one = Skeleton(("a", "b"), np.array([-1, 0]), offsets)
    moved = offsets.copy()
    moved[0] = [3.0, 0.0, 0.0]
    assert one == Skeleton(("a", "b"), np.array([-1, 0]), moved)
    assert one != Skeleton(("a", "b"), np.array([-1, 0]), offsets * 2)
