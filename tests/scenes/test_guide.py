"""Guides go through their keys in time, and ways are bent and timed to be there exactly."""

from __future__ import annotations

import math

import numpy as np
import pytest

from kinegraph.scenes.asked import FASTER, SLOWER
from kinegraph.scenes.guide import Anchor, Pacing, make_guide
from kinegraph.scenes.meeting import BareWay, meet

FPS = 30.0
NOTHING = np.zeros((0, 3)), np.zeros((0, 4))


def pacing(frames: int, low: float, usual: float, high: float) -> Pacing:
    moments = np.arange(frames + 1) / FPS
    return Pacing(low * moments, usual * moments, high * moments)


ANCHORS = [Anchor(60, 0, 0, 0.0), Anchor(210, 3, 4, math.pi / 2), Anchor(360, 6, 0, math.pi)]


def test_a_guide_goes_through_its_keys_in_time_and_as_they_face() -> None:
    guide = make_guide(ANCHORS, pacing(420, 0.8, 1.2, 1.8), *NOTHING)
    s = np.arange(len(guide.points)) * guide.step
    for one, arc in zip(ANCHORS, guide.arcs, strict=True):
        assert guide.due[one.frame] == pytest.approx(arc)
        at = np.array([np.interp(arc, s, guide.points[:, axis]) for axis in (0, 1)])
        np.testing.assert_allclose(at, [one.x, one.z], atol=0.01)
        ahead = np.array([np.interp(arc + 0.1, s, guide.points[:, axis]) for axis in (0, 1)]) - at
        assert one.heading is not None
        assert abs(math.remainder(math.atan2(ahead[0], ahead[1]) - one.heading, 2 * math.pi)) < 0.2
    assert (np.diff(guide.due) >= 0).all()


def test_a_guide_is_long_enough_for_who_cannot_stand() -> None:
    ends = [Anchor(0, 0, 0, 0.0), Anchor(300, 0, 3, 0.0)]
    patient = make_guide(ends, pacing(300, 0.0, 1.2, 1.8), *NOTHING)
    restless = make_guide(ends, pacing(300, 1.0, 1.2, 1.8), *NOTHING)
    assert np.diff(patient.arcs)[0] < 8.0
    assert np.diff(restless.arcs)[0] > 9.0


def test_who_may_stand_does_not_go_round_in_circles_to_be_a_step_further() -> None:
    # before and after the wait somebody would usually go a metre
    gone = np.interp(np.arange(81), [0, 10, 65, 80], [0.0, 0.5, 0.5, 1.0])
    waits = Pacing(np.zeros(81), gone, 3.0 * gone)
    guide = make_guide([Anchor(0, 0, 0, 0.0), Anchor(80, 0, 0.11, 0.03)], waits, *NOTHING)
    assert np.diff(guide.arcs)[0] < 0.3


def test_who_is_to_run_and_has_little_way_to_go_runs_a_bow() -> None:
    # frames of a run are slow now and then, so that the least that it can go is far below what can be kept up
    ends = [Anchor(0, 0, 0, 0.0), Anchor(210, 0, 10, 0.0)]
    fast = make_guide(ends, pacing(210, 1.1, 2.5, 4.7), *NOTHING)
    slow = make_guide(ends, pacing(210, 1.1, 1.5, 2.0), *NOTHING)
    assert np.diff(fast.arcs)[0] > 0.75 * 2.5 * 7.0
    assert np.diff(slow.arcs)[0] < 10.5


def test_a_guide_keeps_clear() -> None:
    discs = np.array([[0.0, 4.0, 1.0]])
    guide = make_guide([Anchor(0, 0, 0, 0.0), Anchor(240, 0, 8, 0.0)], pacing(240, 0.0, 1.2, 1.8), discs, NOTHING[1])
    assert np.hypot(guide.points[:, 0], guide.points[:, 1] - 4.0).min() >= 1.0


def straight(frames: int = 420, speed: float = 1.3) -> BareWay:
    z = np.arange(frames) * speed / FPS
    points = np.stack([np.zeros(frames), z], axis=-1)
    # hips that sway
    root = points + 0.03 * np.stack([np.sin(2 * np.pi * z / 1.4), np.zeros(frames)], axis=-1)
    return BareWay(points, root, np.zeros(frames), np.zeros(frames), np.ones(frames), FPS)


def places_of(way: BareWay, bending: object) -> np.ndarray:
    """Where the root is at every moment, worked out frame by frame."""
    turn, found = bending.turn, []  # type: ignore[attr-defined]
    place, heading = way.points[0] + bending.shift, turn  # type: ignore[attr-defined]
    for k in range(len(way.points)):
        c, s = math.cos(heading), math.sin(heading)
        if k:
            x, z = way.points[k] - way.points[k - 1]
            place = place + np.array([c * x + s * z, c * z - s * x])
        x, z = way.root[k] - way.points[k]
        found.append(place + np.array([c * x + s * z, c * z - s * x]))
        heading += bending.turns[k]  # type: ignore[attr-defined]
    every = np.array(found)
    return np.stack([np.interp(bending.moments, np.arange(len(every)), every[:, axis]) for axis in (0, 1)], axis=-1)  # type: ignore[attr-defined]


def test_keys_are_met_by_turning_and_timing() -> None:
    way = straight()
    moments = np.array([30.0, 150.0, 330.0])
    places = np.array([[0.0, 1.2], [0.25, 6.2], [-0.2, 14.9]])
    bending = meet(way, np.arange(361.0), moments, places, np.array([np.nan, 0.1, np.nan]), np.ones(3))
    np.testing.assert_allclose(places_of(way, bending)[moments.astype(int)], places, atol=0.005)
    assert bending.rates.min() >= SLOWER - 1e-9
    assert bending.rates.max() <= FASTER + 1e-9
    # smooth: no frame is played another two hundredths faster than the one before
    assert np.abs(np.diff(bending.rates)).max() < 0.02
    assert (np.diff(bending.moments) > 0.8).all()


def test_a_key_out_of_reach_does_not_twist_the_way_to_others() -> None:
    way = straight()
    moments, places = np.array([30.0, 150.0, 330.0]), np.array([[0.0, 1.3], [8.0, 6.5], [0.0, 14.3]])
    bending = meet(way, np.arange(361.0), moments, places, np.full(3, np.nan), np.ones(3))
    found = places_of(way, bending)
    assert np.hypot(*(found[30] - places[0])) < 0.02
    assert np.hypot(*(found[330] - places[2])) < 0.02
    assert np.abs(bending.turns).max() < 0.05
