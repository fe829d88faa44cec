"""Scenes on ground that rises and falls: keys are met there too, feet stand on the slope, and a stretch made anew leaves the rest alone."""

from __future__ import annotations

import math

import numpy as np
import pytest

import kinegraph as kg
from kinegraph.feet.sole import soles
from kinegraph.graph.model import MotionGraph
from kinegraph.paths.ground import ground
from kinegraph.scenes import Key, Label, Scene
from kinegraph.tasks import Made

HILLS = "waves:0.5,7"
WALK = Scene(9, (Label("walk", 0, 9),), (Key(1, (0, 0), 0.0), Key(4.5, (0.5, 4.0)), Key(8, (2.5, 7.5))), ground=HILLS)


@pytest.fixture(scope="module")
def hilly(stage: MotionGraph) -> Made:
    return kg.direct(stage, WALK, width=60)


def test_keys_are_met_and_the_body_is_as_high_over_the_ground_as_over_a_floor(hilly: Made) -> None:
    assert hilly.reached
    for key in WALK.keys:
        x, _, z = hilly.motion.root[round((key.time or 0.0) * 30)]
        assert math.hypot(x - key.at[0], z - key.at[1]) < 0.02
    flat = hilly.details.finished.motion
    below = ground(HILLS)(hilly.motion.root[:, [0, 2]])
    assert np.ptp(below) > 0.4
    assert np.abs(hilly.motion.root[:, 1] - below - flat.root[:, 1]).max() < 0.12


def test_feet_stand_on_the_slope(hilly: Made) -> None:
    assert hilly.slides is not None
    assert hilly.slides.overall[1] < 0.001
    assert len(hilly.plants) > 10
    found = soles(hilly.details.finished.motion, hilly.details.finished.contacts)
    points = np.concatenate([sole.points(hilly.motion)[:, :2] for sole in found], axis=1)
    resting = np.concatenate([sole.points(hilly.details.finished.motion)[:, :2] for sole in found], axis=1)[..., 1]
    for plant in hilly.plants:
        frame = (plant.first + plant.last) // 2
        x, y, z = points[frame, plant.column]
        over = y - float(ground(HILLS)(np.array([x, z])))
        assert over == pytest.approx(resting[frame, plant.column], abs=0.02)


def test_outside_a_stretch_every_bit_stays(stage: MotionGraph, hilly: Made) -> None:
    other = kg.direct(stage, WALK, width=60, stretch="4-7", seed=2, of=hilly)
    outside = np.r_[0 : 4 * 30 + 1, 7 * 30 : len(hilly.motion)]
    assert np.array_equal(hilly.motion.root[outside], other.motion.root[outside])
    assert np.array_equal(np.abs(hilly.motion.rotations[outside]), np.abs(other.motion.rotations[outside]))
    assert not np.array_equal(hilly.motion.root, other.motion.root)
