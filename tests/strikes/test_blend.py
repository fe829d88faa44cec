from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from kinegraph.motion import rotation
from kinegraph.strikes.blend import poses, timed, timing
from kinegraph.strikes.space import Space


def test_one_example_by_itself_is_that_example(punches: Space) -> None:
    examples = punches.examples
    for index in range(len(examples)):
        made = poses(examples, np.eye(len(examples))[index])
        assert np.allclose(made.root, examples.root[index])
        assert rotation.angle_between(made.rotations, examples.rotations[index]).max() < 1e-7
        assert np.allclose(made.times, examples.times[index])


def test_two_examples_are_blended_along_the_arc_between_them(kicks: Space) -> None:
    """Half and half of two: each joint half-way between, as near as the mean of all, about which they are blended, allows."""
    two = kicks.examples.only([1, 4])
    made = poses(two, np.array([0.5, 0.5]))
    middle = rotation.slerp(two.rotations[0], two.rotations[1], np.full(two.rotations.shape[1:3], 0.5))
    assert rotation.angle_between(made.rotations, middle).max() < 1e-6


def test_weights_beyond_one_go_on_along_the_same_arc(kicks: Space) -> None:
    two = kicks.examples.only([1, 4])
    whole = rotation.angle_between(two.rotations[0], two.rotations[1])
    made = poses(two, np.array([1.2, -0.2]))
    assert np.allclose(rotation.angle_between(made.rotations, two.rotations[1]), 1.2 * whole, atol=1e-6)


def test_signs_of_quaternions_do_not_matter(punches: Space) -> None:
    examples = punches.examples
    flipped = examples.rotations.copy()
    flipped[::2] *= -1.0
    weights = np.full(len(examples), 1 / len(examples))
    same = poses(replace(examples, rotations=flipped), weights)
    assert rotation.angle_between(same.rotations, poses(examples, weights).rotations).max() < 1e-7


def test_time_is_blended_and_always_goes_on(punches: Space) -> None:
    examples = punches.examples
    random = np.random.default_rng(0)
    for _ in range(40):
        weights = random.uniform(-0.2, 1.2, len(examples))
        weights /= weights.sum()
        times = timing(examples, weights)
        assert np.all(np.diff(times) > 0)
        assert times[examples.hit] == 0.0
    mean = np.full(len(examples), 1 / len(examples))
    assert np.allclose(timing(examples, mean), examples.times.mean(axis=0))


def test_a_slow_and_a_quick_strike_make_one_of_the_time_between(punches: Space) -> None:
    """Figure 27 of the paper has frames doubled and left out; here every frame shows another moment, and the length is right."""
    examples = punches.examples.only([0, 1])
    slow = replace(examples, times=np.stack([examples.times[0], 2.0 * examples.times[1]]))
    weights = np.array([0.25, 0.75])
    made = timed(slow, poses(slow, weights), weights)
    seconds = 0.25 * np.ptp(slow.times[0]) + 0.75 * np.ptp(slow.times[1])
    assert (len(made.motion) - 1) / made.motion.fps == pytest.approx(seconds, abs=1.01 / made.motion.fps)
    assert np.all(np.diff(made.moments) > 0)
    # one moment a frame on average, never none and never many
    assert np.diff(made.moments).min() > 0.2 * np.diff(made.moments).mean()


def test_the_hit_falls_on_a_frame(kicks: Space) -> None:
    examples = kicks.examples
    weights = np.full(len(examples), 1 / len(examples))
    made = poses(examples, weights)
    for fps in (24.0, 30.0, 59.94, 120.0):
        strike = timed(examples, made, weights, fps)
        assert strike.moments[strike.hit] == examples.hit
        assert np.allclose(strike.motion.root[strike.hit], made.root[examples.hit])
        assert (strike.moments[0], strike.moments[-1]) == (0.0, examples.moments - 1.0)


def test_a_foot_stands_where_nearly_all_examples_stand(kicks: Space) -> None:
    examples = kicks.examples
    contacts = np.zeros_like(examples.contacts)
    contacts[:, :, 0] = True
    contacts[: len(examples) // 2, :, 1] = True
    weights = np.full(len(examples), 1 / len(examples))
    some = replace(examples, contacts=contacts)
    stands = timed(some, poses(some, weights), weights).contacts
    assert stands[:, 0].all()
    assert not stands[:, 1:].any()
