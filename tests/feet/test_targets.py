"""Targets of both feet at once are those of each by itself, and a foot that sinks is lifted without the other."""

from __future__ import annotations

from dataclasses import fields, replace

import numpy as np
import pytest

from kinegraph import samples
from kinegraph.feet.plants import footing
from kinegraph.feet.sole import Sole, underfoot
from kinegraph.feet.targets import Target, feet
from kinegraph.motion import Motion, rotation
from tests.feet.skating import hurried, turned, without_toes


def skating(name: str) -> tuple[Motion, np.ndarray]:
    sample = samples.make(name)
    return turned(hurried(sample.motion, 1.05), 0.05), sample.contacts


def assert_same(one: Target, other: Target, within: float = 1e-12) -> None:
    for part in fields(Target):
        np.testing.assert_allclose(getattr(one, part.name), getattr(other, part.name), atol=within)


def without_toes_on(sole: Sole) -> Sole:
    return replace(sole, toe=None, tip=None, heel=np.zeros(3), rest=np.full(3, 0.08))


@pytest.mark.parametrize("name", ["walk", "run", "jump", "kick_high_centre"])
@pytest.mark.parametrize("toes", ["both", "left", "none"])
def test_both_feet_at_once_are_each_by_itself(name: str, toes: str) -> None:
    motion, contacts = skating(name)
    if toes == "none":
        motion = without_toes(motion)
    found = footing(motion, contacts)
    if toes == "left":
        found = footing(motion, contacts, (found.soles[0], without_toes_on(found.soles[1])))
    both = feet(motion, found.soles, found.plants)
    assert tuple(sole for sole, _ in both) == found.soles
    for sole, made in both:
        assert_same(made, feet(motion, (sole,), [plant for plant in found.plants if plant.side == sole.side])[0][1])


def test_points_of_both_feet_at_once_are_those_of_each() -> None:
    motion, contacts = skating("walk")
    left, right = footing(motion, contacts).soles
    pair = left, without_toes_on(right)
    together = underfoot(motion, pair)
    assert together.shape == (len(motion), 2, 3, 3)
    for foot, sole in enumerate(pair):
        np.testing.assert_allclose(together[:, foot], sole.points(motion), atol=1e-12)
    # a foot without toes stands on one point
    assert np.ptp(together[:, 1], axis=1).max() < 1e-12


@pytest.mark.parametrize("side", [0, 1])
def test_a_foot_that_sinks_for_a_frame_is_lifted_alone_and_then(side: int) -> None:
    sample = samples.make("stand")
    soles = footing(sample.motion, sample.contacts).soles
    motion = replace(sample.motion, root=sample.motion.root + np.array([0.0, 0.2, 0.0]))
    # a frame in which one leg is 21 cm longer: its foot is a centimetre in the floor, the other one in the air
    translations = np.repeat(motion.skeleton.offsets[None], len(motion), axis=0)
    shin = motion.orientations[30, soles[side].knee]
    translations[30, soles[side].ankle] += rotation.rotate(rotation.inverse(shin), [0.0, -0.21, 0.0])
    motion = replace(motion, translations=translations)
    made = [foot for _, foot in feet(motion, soles, ())]
    raised = [foot.ankle - motion.positions[:, sole.ankle] for sole, foot in zip(soles, made, strict=True)]
    assert 0.006 < raised[side][30, 1] < 0.01
    raised[side][30] = 0.0
    assert not np.any(raised)
