from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from kinegraph.motion import kinematics, rotation
from kinegraph.motion.angles import HUMAN_LIMITS, anatomical_angles
from kinegraph.motion.clip import Motion
from kinegraph.strikes.inverse import LARGEST, applied, bump, change
from kinegraph.strikes.space import Space
from kinegraph.strikes.strike import standing_sides


def test_a_bump_rises_and_falls_without_a_jerk() -> None:
    shape = bump(101, 10, 60, 90)
    assert (shape[10], shape[60], shape[90]) == (0.0, 1.0, 0.0)
    assert not shape[:10].any()
    assert not shape[90:].any()
    assert np.all(np.diff(shape[10:61]) >= 0)
    assert np.all(np.diff(shape[60:91]) <= 0)
    assert np.abs(np.diff(shape, 2)).max() < 0.02


@pytest.mark.parametrize("dims", [2, 3])
@pytest.mark.parametrize("pelvis", [0.0, 1.0])
def test_the_end_comes_to_its_target(punches: Space, kicks: Space, dims: int, pelvis: float) -> None:
    for space in (punches, kicks):
        examples = space.examples
        for index, offset in enumerate(([0.02, 0.01, -0.01], [-0.02, -0.02, -0.02], [0.0, 0.03, -0.03])):
            root, rotations = examples.root[index, examples.hit], examples.rotations[index, examples.hit]
            goal = (examples.hits[index] + offset)[:dims]
            made = change(examples, root, rotations, goal, pelvis=pelvis)
            moved_root, moved = applied(root[None], rotations[None], made, np.ones(1))
            places, _ = kinematics.forward(examples.skeleton, moved_root, moved)
            assert np.linalg.norm(places[0, examples.end, :dims] - goal) == pytest.approx(made.left, abs=1e-5)
            # all the way, unless a joint would have to turn too far: a kick without its pelvis has only hip and knee
            assert made.left < 1e-4 or made.largest > 0.9 * LARGEST
            assert made.left < 0.02
            if pelvis == 0.0:
                assert not made.shift.any()
                assert np.allclose(moved[0, 0], rotations[0])


def test_the_change_is_spread(punches: Space) -> None:
    """Three centimetres: no joint does most of it alone."""
    examples = punches.examples
    made = change(
        examples,
        examples.root[4, examples.hit],
        examples.rotations[4, examples.hit],
        examples.hits[4] + np.array([0.03, 0.0, 0.0]),
    )
    turns = np.linalg.norm(made.turns, axis=-1)
    assert turns.max() < np.radians(4)
    assert np.count_nonzero(turns > 0.1 * turns.max()) >= 4


def test_limits_are_kept_however_far_the_target(captured: Callable[[str], Space]) -> None:
    for what in ("punch 02_05", "kick 144_05 144_06"):
        examples = captured(what).examples
        for index in (0, 3, 7):
            root, rotations = examples.root[index, examples.hit], examples.rotations[index, examples.hit]
            for offset in ([0.4, 0.3, 0.2], [-0.5, 0.0, 0.6], [0.0, -0.4, -0.3]):
                made = change(examples, root, rotations, examples.hits[index] + offset)
                assert made.largest <= LARGEST + 1e-9
                moved_root, moved = applied(root[None], rotations[None], made, np.ones(1))
                both = Motion(examples.skeleton, np.stack([root, moved_root[0]]), np.stack([rotations, moved[0]]), 1.0)
                standing = standing_sides(examples.kind, examples.side)
                for name, (before, after) in anatomical_angles(both).items():
                    # the legs that stand are bent afterwards, to hold the feet
                    if name.startswith(standing) and name.split("_")[1] in ("hip", "knee", "ankle"):
                        continue
                    low, high = HUMAN_LIMITS[name]
                    beyond = max(low - after, after - high, 0.0)
                    assert beyond <= max(low - before, before - high, 0.0) + np.radians(1.01), name
                # and it does go towards the target
                hit = moved_root[0] + kinematics.from_root(examples.skeleton, examples.end, moved[0])
                assert np.linalg.norm(examples.hits[index] + offset - hit) <= np.linalg.norm(offset) + 1e-9


def test_elbow_and_knee_only_bend(punches: Space, kicks: Space) -> None:
    for space, joint in ((punches, "right_elbow"), (kicks, "right_knee")):
        examples = space.examples
        hinge = examples.skeleton.joint(joint)
        rotations = examples.rotations[0, examples.hit]
        goal = examples.hits[0] + np.array([0.0, 0.02, -0.05])
        made = change(examples, examples.root[0, examples.hit], rotations, goal)
        turn = made.turns[made.chain.index(hinge)]
        upper = rotation.rotate(rotation.inverse(rotations[hinge]), examples.skeleton.offsets[hinge])
        lower = examples.skeleton.offsets[examples.skeleton.chain(hinge, examples.end)[1]]
        axis = np.cross(upper, lower)
        assert (
            np.linalg.norm(np.cross(turn, axis)) < 1e-6 * max(np.linalg.norm(turn) * np.linalg.norm(axis), 1e-9) + 1e-9
        )
