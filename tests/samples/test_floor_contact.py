"""What bears weight stays put, and nothing sinks into the floor."""

import numpy as np
import pytest

from kinegraph import samples


def contact_points(motion):
    """Left heel, left ball, right heel, right ball: (F, 4, 3)."""
    skeleton = motion.skeleton
    points = []
    for side in ("left", "right"):
        ankle = skeleton.joint(f"{side}_ankle")
        points.append(motion.tips[:, int(np.flatnonzero(skeleton.tip_parents == ankle)[0])])
        points.append(motion.position(f"{side}_toe"))
    return np.stack(points, axis=1)


def plants(contact):
    """Pairs of first and one past last frame of each run of contact."""
    edges = np.flatnonzero(np.diff(np.concatenate([[False], contact, [False]]).astype(int)))
    return edges.reshape(-1, 2)


@pytest.mark.parametrize("name", samples.names())
def test_planted_points_do_not_move(name):
    """Measured: below 1e-12 m in every plant of every clip; the bar is 0.1 mm."""
    sample = samples.make(name)
    points = contact_points(sample.motion)
    for column in range(4):
        for start, stop in plants(sample.contacts[:, column]):
            drift = np.linalg.norm(points[start:stop, column] - points[start, column], axis=-1).max()
            assert drift < 1e-9
            assert abs(points[start:stop, column, 1]).max() < 1e-9


@pytest.mark.parametrize("name", samples.names())
def test_no_part_of_the_body_is_below_the_floor(name):
    motion = samples.make(name).motion
    assert motion.positions[..., 1].min() > -1e-9
    assert motion.tips[..., 1].min() > -1e-9


@pytest.mark.parametrize("name", samples.names())
def test_a_foot_without_contact_moves_or_is_off_the_floor(name):
    sample = samples.make(name)
    points = contact_points(sample.motion)
    speed = np.linalg.norm(np.diff(points, axis=0), axis=-1) * sample.motion.fps
    for foot in (slice(0, 2), slice(2, 4)):
        free = ~sample.contacts[:, foot].any(axis=1)
        inside = free[:-2] & free[1:-1] & free[2:]
        if inside.any():
            still = (speed[:-1, foot] < 0.02).all(axis=1) & (points[1:-1, foot, 1] < 0.002).all(axis=1)
            assert not (still & inside).any()


@pytest.mark.parametrize(
    ("name", "shares"), [("walk_slow", (0.6, 0.7)), ("walk", (0.56, 0.66)), ("run", (0.28, 0.4)), ("stand", (1, 1))]
)
def test_share_of_time_on_the_floor(name, shares):
    contacts = samples.make(name).contacts
    for foot in (slice(0, 2), slice(2, 4)):
        assert shares[0] <= contacts[:, foot].any(axis=1).mean() <= shares[1]


def test_a_walk_strikes_with_the_heel_and_leaves_over_the_ball():
    contacts = samples.make("walk").contacts
    heel, ball = contacts[:, 2], contacts[:, 3]
    for start, stop in plants(heel | ball)[1:-1]:
        assert heel[start]
        assert not ball[start]
        assert ball[stop - 1]
        assert not heel[stop - 1]
