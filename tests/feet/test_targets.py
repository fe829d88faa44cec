"""Targets of both feet at once are those of each by itself, and a foot that sinks is lifted without the other."""

from __future__ import annotations

from dataclasses import fields, replace

import numpy as np
import pytest

from kinegraph import samples
from kinegraph.feet.plants import Footing, Plant, as_contacts, footing
from kinegraph.feet.sole import Sole, underfoot
from kinegraph.feet.targets import Floor, Target, feet, seen_from
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


def tilted(found: Footing, grades: tuple[float, float]) -> tuple[np.ndarray, tuple[Plant, ...], Floor]:
    """A slope through the origin, rising by so much towards +X and +Z: its normal, plants on it, and the floor that it is."""
    x, z = grades
    normal = np.array([-x, 1.0, -z]) / np.sqrt(1 + x * x + z * z)
    tilt = rotation.between(np.array([0.0, 1.0, 0.0]), normal)
    plants = tuple(replace(plant, place=rotation.rotate(tilt, plant.place)) for plant in found.plants)
    return normal, plants, lambda points: x * points[..., 0] + z * points[..., 1]


@pytest.mark.parametrize("grades", [(0.3, 0.0), (-0.2, 0.0), (0.0, 0.3), (0.0, -0.3), (0.2, -0.2)])
def test_feet_on_a_slope_lie_on_it_in_all_directions(grades: tuple[float, float]) -> None:
    sample = samples.make("walk")
    found = footing(sample.motion, sample.contacts)
    normal, plants, floor = tilted(found, grades)
    down = as_contacts(plants, len(sample.motion))
    for side, (_, foot) in enumerate(feet(sample.motion, found.soles, plants, floor)):
        flat = down[:, 2 * side] & down[:, 2 * side + 1]
        assert flat.sum() > 20
        # flat feet of the sample have their up side up, and toes that lie on the floor
        for turns in (foot.turn, foot.toes):
            up = rotation.rotate(turns[flat], np.broadcast_to([0.0, 1.0, 0.0], (flat.sum(), 3)))
            assert np.degrees(np.arccos(np.minimum(up @ normal, 1.0))).max() < 0.5


def test_a_floor_that_is_level_at_some_height_lifts_feet_and_turns_nothing() -> None:
    sample = samples.make("walk")
    found = footing(sample.motion, sample.contacts)
    high = replace(sample.motion, root=sample.motion.root + np.array([0.0, 0.4, 0.0]))
    plants = tuple(replace(plant, place=plant.place + np.array([0.0, 0.4, 0.0])) for plant in found.plants)
    raised = feet(high, found.soles, plants, lambda points: np.full(points.shape[:-1], 0.4))
    for (_, there), (_, here) in zip(raised, feet(sample.motion, found.soles, found.plants), strict=True):
        assert_same(replace(there, ankle=there.ankle - [0.0, 0.4, 0.0]), here, 1e-9)


def test_a_foot_in_the_air_is_kept_out_of_ground_that_rises_under_it() -> None:
    sample = samples.make("walk")
    found = footing(sample.motion, sample.contacts)
    # all of it 5 cm too high but for the first metre
    made = feet(sample.motion, found.soles, (), lambda points: np.where(points[..., 1] > 1.0, 0.05, 0.0))
    for sole, foot in made:
        ankle = sample.motion.positions[:, sole.ankle]
        beyond = ankle[:, 2] > 1.3
        deepest = (sole.points(sample.motion)[..., 1] - sole.rest)[beyond].min()
        assert deepest < 0.001
        assert (foot.ankle[beyond] - ankle[beyond])[:, 1].max() == pytest.approx(0.05, abs=0.006)
        assert np.abs(foot.ankle - ankle)[ankle[:, 2] < 0.6].max() < 0.003


@pytest.mark.parametrize("lean", [0.2, -0.1])
def test_feet_seen_from_a_body_that_leans_are_where_those_of_its_steps_are(lean: float) -> None:
    sample = samples.make("walk")
    steps = sample.motion
    found = footing(steps, sample.contacts)
    rotations = steps.rotations.copy()
    about = np.broadcast_to(rotation.from_axis_angle(np.array([0.0, 0.0, 1.0]), np.float64(lean)), (len(steps), 4))
    rotations[:, 0] = rotation.multiply(about, rotations[:, 0])
    body = replace(steps, rotations=rotations)
    own = feet(turned(steps, 0.1), found.soles, found.plants)
    for (sole, seen), (_, here) in zip(seen_from(own, turned(steps, 0.1), body), own, strict=True):
        np.testing.assert_array_equal(seen.ankle, here.ankle)
        assert sole.toe is not None
        for joint, there, wanted in ((sole.ankle, seen.turn, here.turn), (sole.toe, seen.toes, here.toes)):
            apart = rotation.angle_between(
                rotation.multiply(there, body.orientations[:, joint]),
                rotation.multiply(wanted, turned(steps, 0.1).orientations[:, joint]),
            )
            assert apart.max() < 1e-6


@pytest.mark.parametrize("hanging", [0.6, 1.2, 2.0, 2.5])
def test_toes_that_would_sink_are_curled_up_to_the_front(hanging: float) -> None:
    sample = samples.make("stand")
    soles = footing(sample.motion, sample.contacts).soles
    motion = replace(sample.motion, root=sample.motion.root + np.array([0.0, 0.01, 0.0]))
    rotations = motion.rotations.copy()
    # he faces +Z: a turn about +X lets the toes hang down and, past a right angle, backwards
    down = np.broadcast_to(rotation.from_axis_angle(np.array([1.0, 0.0, 0.0]), np.float64(hanging)), (len(motion), 4))
    for sole in soles:
        assert sole.toe is not None
        above = rotation.inverse(motion.orientations[:, motion.skeleton.parents[sole.toe]])
        rotations[:, sole.toe] = rotation.multiply(above, rotation.multiply(down, motion.orientations[:, sole.toe]))
    motion = replace(motion, rotations=rotations)
    for sole, foot in feet(motion, soles, ()):
        points = sole.points(motion)
        tips = points[:, 2] - points[:, 1]
        assert (points[:, 2, 1] - sole.rest[2]).max() < -0.02
        made = rotation.rotate(foot.toes, tips)
        lifted = foot.ankle[:, 1] - motion.positions[:, sole.ankle, 1]
        assert (points[:, 1, 1] + lifted + made[:, 1] - sole.rest[2]).min() > -0.005
        assert made[:, 2].min() > 0.5 * np.linalg.norm(tips[0])
