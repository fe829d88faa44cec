from __future__ import annotations

import numpy as np

from kinegraph import samples
from kinegraph.feet.sole import soles
from kinegraph.motion.floor import FloorTransform
from kinegraph.strikes.balance import centre_of_mass, overhang, support
from kinegraph.strikes.finish import stance
from kinegraph.strikes.space import Space

ALL = np.ones(4, np.bool_)


def test_a_standing_body_is_over_its_feet_and_a_shifted_one_is_not() -> None:
    sample = samples.make("stand")
    motion = sample.motion[:30]
    feet = soles(motion, np.ones((len(motion), 4), np.bool_))
    places, turns = motion.positions, motion.orientations
    assert np.abs(overhang(motion.skeleton, (places, turns), ALL, feet)).max() < 0.02
    # the upper body a metre to the left, the feet where they are
    aside = places.copy()
    legs = [joint for sole in feet for joint in (sole.ankle, sole.toe) if joint is not None]
    rest = [joint for joint in range(len(motion.skeleton)) if joint not in legs]
    aside[:, rest, 0] += 1.0
    off = overhang(motion.skeleton, (aside, turns), ALL, feet)
    assert np.all(off[:, 0] > 0.6)
    assert np.abs(off[:, 1]).max() < 0.1


def test_the_centre_of_mass_goes_with_the_body() -> None:
    motion = samples.make("walk").motion[:20]
    move = FloorTransform(1.1, 2.0, -3.0)
    before = centre_of_mass(motion.skeleton, motion.positions)
    after = centre_of_mass(motion.skeleton, motion.place(move).positions)
    assert np.allclose(after, move.apply(before))
    # about the navel
    assert np.all((before[:, 1] > 0.5 * motion.skeleton.stature) & (before[:, 1] < 0.62 * motion.skeleton.stature))


def test_a_kick_stands_on_the_other_foot() -> None:
    assert support("kick", "right").tolist() == [True, True, False, False]
    assert support("kick", "left").tolist() == [False, False, True, True]
    assert support("punch", "right").all()


def test_captured_and_made_strikes_are_balanced_alike(punches: Space, kicks: Space) -> None:
    for space in (punches, kicks):
        assert stance(space.examples).overhang < 0.12
        done = space.reach(space.region.corners.mean(axis=0)).finish
        assert done is not None
        assert done.balanced
        assert done.usual == stance(space.examples).overhang


def test_a_body_that_leans_too_far_is_brought_back(kicks: Space) -> None:
    """Far beyond the examples the body would fall; the finish keeps it over its foot, and still hits."""
    low, high = kicks.region.low, kicks.region.high
    leaned = 0
    for target in ((low[0] - 0.1, 0.9), (high[0] + 0.12, 0.9), (high[0] + 0.12, high[1]), (low[0] - 0.1, high[1])):
        made = kicks.reach(target)
        assert made.finish is not None
        leaned += made.finish.overhang > made.finish.usual
        assert made.finish.overhang <= made.finish.usual + 0.03
        assert made.miss < 0.005
    assert leaned, "none of these targets makes the body lean: the test shows nothing"


def test_between_wide_feet_nothing_hangs_over() -> None:
    """The middle of a straddle is over neither foot nor any line between heels and balls, but it is between them."""
    motion = samples.make("stand").motion[:1]
    feet = soles(motion, np.ones((1, 4), np.bool_))
    places, turns = motion.positions.copy(), motion.orientations
    left, right = feet
    for sole, x, z in ((left, 0.5, 0.1), (right, -0.5, -0.1)):
        for joint in (sole.ankle, sole.toe):
            assert joint is not None
            places[:, joint, 0] += x
            places[:, joint, 2] += z
    off = overhang(motion.skeleton, (places, turns), ALL, feet)
    assert not off.any()
