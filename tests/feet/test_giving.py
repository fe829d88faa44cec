from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import kinegraph as kg
from kinegraph import samples
from kinegraph.arrays import Bools
from kinegraph.feet import clean
from kinegraph.feet.cleanup import held
from kinegraph.feet.giving import TAKEN_ALONG, WAYS, Eased, told
from kinegraph.feet.plants import as_contacts, footing
from kinegraph.motion import Motion, rotation, snaps
from kinegraph.motion.ranges import ranges_of
from kinegraph.tasks.kinds.clean import Clean
from kinegraph.walks.performing import stood
from tests.feet.skating import hurried, turned

SKATING = (("walk", 1.3, 0.0), ("walk_fast", 1.3, 0.0), ("walk_right_medium", 1.5, 0.0), ("sneak", 1.0, 0.3))


def skating(name: str, factor: float, rate: float) -> tuple[Motion, np.ndarray]:
    sample = samples.make(name)
    return turned(hurried(sample.motion, factor), rate), sample.contacts


@pytest.mark.parametrize("stretch", [0.0, 0.02])
@pytest.mark.parametrize(("name", "factor", "rate"), SKATING)
def test_what_would_snap_gives_way(name: str, factor: float, rate: float, stretch: float) -> None:
    motion, contacts = skating(name, factor, rate)
    bounds = snaps.Bounds.of(snaps.legs(motion), motion.fps)
    by_force, _ = held(motion, footing(motion, contacts), stretch=stretch)
    assert bounds.exceeded(snaps.legs(by_force)).any()
    done = clean(motion, contacts, stretch=stretch)
    assert not bounds.exceeded(snaps.legs(done.motion)).any()
    assert done.report.eased
    # what is still said to stand does
    assert done.report.after.slides.overall[1] < 1e-6
    for one in done.report.eased:
        assert one.way in WAYS[1:]
        if one.way != "lowered":
            side = 2 * ("left", "right").index(one.side)
            assert not done.contacts[one.first : one.last, side : side + 2].any(axis=1).all()


def test_what_does_not_snap_is_held_as_ever() -> None:
    sample = samples.make("walk")
    motion = hurried(sample.motion, 1.1)
    done = clean(motion, sample.contacts)
    by_force, _ = held(motion, footing(motion, sample.contacts))
    assert done.report.eased == ()
    np.testing.assert_array_equal(done.motion.rotations, by_force.rotations)


def test_a_thigh_that_a_file_twists_half_around_leaves_the_leg_where_it_is() -> None:
    """Files with a hinge of one axis turn the thigh by half a turn and bend the knee the other way, and the body stays the same."""
    sample = samples.make("sneak")
    motion = hurried(sample.motion, 1.05)
    skeleton, rotations = motion.skeleton, motion.rotations.copy()
    late = np.arange(len(motion)) > 0.6 * len(motion)
    for side in ("left", "right"):
        hip, knee = skeleton.joint(f"{side}_hip"), skeleton.joint(f"{side}_knee")
        half = rotation.from_axis_angle(skeleton.offsets[knee], np.where(late, np.pi, 0.0))
        rotations[:, hip] = rotation.multiply(rotations[:, hip], half)
        rotations[:, knee] = rotation.multiply(rotation.inverse(half), rotations[:, knee])
    twisted = replace(motion, rotations=rotations)
    np.testing.assert_allclose(twisted.positions, motion.positions, atol=1e-9)
    plain, done = clean(motion, sample.contacts).motion, clean(twisted, sample.contacts).motion
    assert np.linalg.norm(done.positions - plain.positions, axis=-1).max() < 0.005


def test_in_the_end_all_stays_as_it_was() -> None:
    motion, contacts = skating("walk", 1.3, 0.0)
    nothing = np.zeros((len(motion), 2))
    found = footing(motion, contacts)
    left, reached = held(motion, found, share=nothing)
    np.testing.assert_array_equal(left.rotations, motion.rotations)
    np.testing.assert_array_equal(left.root, motion.root)
    assert not reached.missed.any()


def test_it_is_told() -> None:
    assert told((), 30.0) == []
    assert told((Eased("left", 0, 30, "lowered"),), 30.0) == []
    (both,) = told((Eased("left", 0, 30, "let go"), Eased("right", 60, 90, "as it was")), 30.0)
    assert "2 times" in both
    assert "first the left one from 0.00 to 1.00 s" in both
    # contacts are found here
    made = Clean().run(hurried(samples.make("walk").motion, 1.3))
    eased = made.details.cleaned.report.eased
    assert made.quality["cleaning"]["eased"] == len(eased) > 0
    assert list(made.notices) == told(eased, made.motion.fps)


def test_plants_that_are_cut_stay_where_they_were() -> None:
    motion, contacts = skating("walk", 1.3, 0.0)
    places = {plant.place.tobytes() for plant in footing(motion, contacts).plants}
    done = clean(motion, contacts)
    assert {plant.place.tobytes() for plant in done.report.plants} <= places
    np.testing.assert_array_equal(done.contacts, as_contacts(done.report.plants, len(motion)))


def test_a_foot_goes_along_where_standing_still_would_twist_its_leg() -> None:
    """A straight sneak on a square: no clip bends a leg as a foot that stands in such a corner would."""
    sneak = samples.make("sneak").motion
    graph = kg.graph.build([sneak])
    finished = kg.follow(graph, kg.paths.read("square:3"), warp=True).details
    bent = kg.walks.perform(finished.performance.walk, onto=finished.onto, feet=False).motion
    feet, ranges = stood(finished.performance, bent), ranges_of([sneak])
    legs = [bent.skeleton.joint(f"{side}_{part}") for side in ("left", "right") for part in ("hip", "knee", "ankle")]
    assert ranges.beyond(clean(bent, feet=feet).motion)[:, legs].max() > 18.0
    done = clean(bent, feet=feet, ranges=ranges)
    assert ranges.beyond(done.motion)[:, legs].max() < 15.0
    along = [one for one in done.report.eased if one.way == TAKEN_ALONG]
    assert along
    assert any("twist" in sentence for sentence in told(done.report.eased, bent.fps))
    # what is still said to stand does
    assert done.report.after.slides.overall[1] < 1e-6
    for one in along:
        side = 2 * ("left", "right").index(one.side)
        assert not done.contacts[one.first : one.last, side : side + 2].any()


def test_what_letting_go_does_not_mend_costs_no_other_step_its_hold(monkeypatch: pytest.MonkeyPatch) -> None:
    """A leg that is straight in a kick stays out of bounds whatever is let go: all other feet must be held as if nothing were."""
    motion, contacts = skating("walk", 1.1, 0.0)
    before = clean(motion, contacts).report.plants
    judged, wrong = snaps.Bounds.exceeded, len(motion) // 2

    def exceeded(bounds: snaps.Bounds, after: snaps.Legs) -> Bools:
        found: Bools = judged(bounds, after) | (np.arange(len(after.turning)) == wrong)[:, None]
        return found

    monkeypatch.setattr(snaps.Bounds, "exceeded", exceeded)
    after = clean(motion, contacts).report.plants
    far = [one for one in before if one.last < wrong - motion.fps or one.first > wrong + motion.fps]
    assert len(far) > 4
    assert {(one.column, one.first, one.last) for one in far} <= {(one.column, one.first, one.last) for one in after}
