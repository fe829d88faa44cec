"""The curves everything moves along, and the rolling foot."""

import numpy as np
import pytest

from kinegraph.samples.curves import floor_under, hermite, hump, keyed, smooth, smooth_integral
from kinegraph.samples.feet import Footfall, Swing, track


def test_hermite_meets_both_ends_with_velocity_and_acceleration():
    start, end, seconds = (1.0, -2.0, 3.0), (4.0, 0.5, -1.0), 0.8
    step = 1e-4
    for moment, (place, velocity, acceleration) in ((0.0, start), (seconds, end)):
        before, now, after = hermite(moment + np.array([-step, 0.0, step]), seconds, start, end)
        assert now == pytest.approx(place)
        assert (after - before) / (2 * step) == pytest.approx(velocity, abs=1e-4)
        assert (after - 2 * now + before) / step**2 == pytest.approx(acceleration, abs=1e-2)


def test_keyed_passes_its_keys_and_is_smooth():
    times, values = [0.0, 0.3, 0.5, 1.2], np.array([[0.0, 1.0], [2.0, 1.0], [1.0, 3.0], [0.0, 0.0]])
    assert np.abs(keyed(np.array(times), times, values) - values).max() < 1e-12
    assert np.abs(keyed(np.array([-1.0, 2.0]), times, values) - values[[0, -1]]).max() == 0.0


def test_keyed_has_a_continuous_second_derivative():
    times, values = [0.0, 0.3, 0.5, 1.2], [0.0, 2.0, 1.0, 0.0]

    def largest_step(count):
        t = np.linspace(-0.2, 1.4, count)
        second = np.diff(keyed(t, times, values), 2) / (t[1] - t[0]) ** 2
        return np.abs(np.diff(second)).max()

    # the steps of a continuous function shrink with the grid; those of a broken one stay
    assert largest_step(8001) < 0.6 * largest_step(4001)


def test_smooth_integral_is_the_integral_of_smooth():
    u = np.linspace(-0.5, 2.0, 2001)
    slope = np.gradient(smooth_integral(u), u)
    assert np.abs(slope - smooth(u))[1:-1].max() < 1e-5


@pytest.mark.parametrize("fall", [3.0, 4.5, 6.0])
def test_hump_has_height_one_and_flat_ends(fall):
    bump = hump(np.linspace(0, 1, 10001), fall)
    assert bump.max() == pytest.approx(1.0, abs=1e-6)
    assert bump[:10].max() < 1e-6
    assert bump[-10:].max() < 1e-6


def test_floor_under_is_smooth_and_never_above():
    t = np.arange(400) / 60
    values = np.abs(np.sin(3 * t)) + 0.3 * (t > 3)
    under = floor_under(values, 0.2)
    assert (under <= values + 1e-12).all()
    assert np.abs(np.diff(under, 2)).max() < 0.2 * np.abs(np.diff(values, 2)).max()


@pytest.mark.parametrize("pitch_in", [-0.4, 0.0, 0.3])
def test_a_foot_lands_and_leaves_without_a_jolt(pitch_in):
    plants = [
        Footfall(-1.0, 0.0, 0.1, 0.0, 0.2, pitch_out=0.8),
        Footfall(0.4, 1.2, 0.15, 1.1, 0.5, pitch_in=pitch_in, pitch_out=0.7),
    ]
    t = np.linspace(-0.2, 0.8, 6001)
    foot = track(plants, t, Swing())
    velocity = np.diff(foot.ankle, axis=0) / (t[1] - t[0])
    assert np.abs(np.diff(velocity, axis=0)).max() < 0.02
    assert foot.ankle[:, 1].min() > 0.07
    assert not foot.heel_down[(t > 0.001) & (t < 0.399)].any()
