"""The jump obeys gravity."""

import numpy as np

from kinegraph import samples


def test_flight_is_ballistic():
    sample = samples.make("jump")
    first, last = sample.flight
    height = sample.motion.root[first : last + 1, 1]
    acceleration = np.diff(height, 2) * sample.motion.fps**2
    assert np.abs(acceleration + 9.81).max() < 1e-6
    assert 0.4 < (last - first) / sample.motion.fps < 0.6


def test_contacts_end_with_the_flight_and_return_after_it():
    sample = samples.make("jump")
    first, last = sample.flight
    aloft = ~sample.contacts.any(axis=1)
    assert np.flatnonzero(aloft).tolist() == list(range(first, last + 1))
    assert sample.contacts[0].all()
    assert sample.contacts[-1].all()


def test_it_crouches_rises_and_stands_again():
    motion = samples.make("jump").motion
    height = motion.root[:, 1]
    top = int(np.argmax(height))
    assert height[top] - height[0] > 0.25
    assert height[:top].min() < height[0] - 0.2
    assert height[top:].min() < height[0] - 0.15
    first, last = (motion[k : k + 1].at_origin() for k in (0, len(motion) - 1))
    assert np.abs(first.positions - last.positions).max() < 1e-9


def test_the_ballistic_root_shows_in_the_feet_too():
    sample = samples.make("jump")
    middle = sum(sample.flight) // 2
    lowest = np.minimum(sample.motion.positions[middle, :, 1].min(), sample.motion.tips[middle, :, 1].min())
    assert lowest > 0.15
