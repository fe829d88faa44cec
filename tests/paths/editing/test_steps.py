from __future__ import annotations

import numpy as np
import pytest

from kinegraph import samples
from kinegraph.feet.plants import Plant, footing, footsteps
from kinegraph.paths.editing.hills import Terrain
from kinegraph.paths.editing.steps import moved, on_ground
from kinegraph.paths.moving import MovingFrame, moving_frame, turned
from kinegraph.paths.shapes import shape

Plants = tuple[Plant, ...]


@pytest.fixture(scope="module")
def stood() -> tuple[MovingFrame, Plants]:
    sample = samples.make("walk")
    return moving_frame(sample.motion), footing(sample.motion, sample.contacts).plants


def apart(plants: Plants) -> list[float]:
    """How far heel and ball of each footstep are from each other, all pairs."""
    return [
        float(np.linalg.norm(one.place - other.place))
        for step in footsteps(plants)
        for one in step
        for other in step
        if one is not other
    ]


def bent(frame: MovingFrame, rate: float) -> MovingFrame:
    """The frame on a circle that turns by ``rate`` radians a metre."""
    circle = shape(f"circle:{1 / rate}")
    return MovingFrame(circle.at(frame.walked), np.unwrap(circle.heading(frame.walked)), frame.walked)


def test_footsteps_hold_heel_and_ball_of_one_stance(stood: tuple[MovingFrame, Plants]) -> None:
    steps = footsteps(stood[1])
    assert sum(len(step) for step in steps) == len(stood[1])
    for step in steps:
        assert len({plant.side for plant in step}) == 1
        assert sorted(plant.part for plant in step) in (["ball", "heel"], ["ball"], ["heel"])


def test_on_its_own_frame_every_step_stays(stood: tuple[MovingFrame, Plants]) -> None:
    frame, plants = stood
    for before, after in zip(plants, moved(plants, frame, frame), strict=True):
        np.testing.assert_array_equal(before.place, after.place)
        assert (before.side, before.part, before.first, before.last) == (
            after.side,
            after.part,
            after.first,
            after.last,
        )


def test_a_step_is_moved_as_one_by_the_frame_of_its_middle(stood: tuple[MovingFrame, Plants]) -> None:
    frame, plants = stood
    target = bent(frame, 0.8)
    there = moved(plants, frame, target)
    np.testing.assert_allclose(apart(there), apart(plants), atol=1e-12)
    step = footsteps(plants)[2]
    middle = (min(plant.first for plant in step) + max(plant.last for plant in step) - 1) // 2
    own = {(plant.side, plant.part, plant.first): plant.place for plant in there}
    for plant in step:
        seen = turned((plant.place[[0, 2]] - frame.points[middle])[None], -frame.heading[[middle]])
        wanted = target.points[middle] + turned(seen, target.heading[[middle]])[0]
        np.testing.assert_allclose(own[plant.side, plant.part, plant.first][[0, 2]], wanted, atol=1e-12)
        assert own[plant.side, plant.part, plant.first][1] == plant.place[1]


def test_no_plants_stay_no_plants(stood: tuple[MovingFrame, Plants]) -> None:
    frame, _ = stood
    terrain = Terrain(shape("line:9"), lambda points: 0.2 * points[..., 1])
    assert moved((), frame, frame) == ()
    assert on_ground((), terrain, frame.walked) == ()


@pytest.mark.parametrize("grades", [(0.0, 0.3), (0.2, 0.0), (-0.2, -0.2)])
def test_a_step_on_a_slope_lies_on_it_and_keeps_its_length(
    stood: tuple[MovingFrame, Plants], grades: tuple[float, float]
) -> None:
    frame, plants = stood
    x, z = grades
    terrain = Terrain(shape("line:9"), lambda points: x * points[..., 0] + z * points[..., 1])
    raised = on_ground(plants, terrain, frame.walked)
    np.testing.assert_allclose(apart(raised), apart(plants), atol=1e-9)
    for flat, up in zip(plants, raised, strict=True):
        # a point as high over flat ground as this one stands as far off the slope
        over = (up.place[1] - x * up.place[0] - z * up.place[2]) / np.sqrt(1 + x * x + z * z)
        assert over == pytest.approx(flat.place[1], abs=1e-9)


def test_flat_ground_changes_nothing(stood: tuple[MovingFrame, Plants]) -> None:
    frame, plants = stood
    terrain = Terrain(shape("line:9"), lambda points: 0.0 * points[..., 0])
    for before, after in zip(plants, on_ground(plants, terrain, frame.walked), strict=True):
        np.testing.assert_allclose(before.place, after.place, atol=1e-12)


def test_where_the_ground_is_not_flat_under_a_foot_each_point_follows_it(stood: tuple[MovingFrame, Plants]) -> None:
    frame, plants = stood

    def ground(points: np.ndarray) -> np.ndarray:
        """Bumps of 4 cm, a metre and a half apart: half a centimetre over the length of a foot."""
        heights: np.ndarray = 0.02 * np.sin(4.0 * points[..., 1])
        return heights

    raised = on_ground(plants, Terrain(shape("line:9"), ground), frame.walked)
    assert [(p.first, p.last, p.column) for p in raised] == [(p.first, p.last, p.column) for p in plants]
    for flat, up in zip(plants, raised, strict=True):
        assert up.place[1] - ground(up.place[[0, 2]]) == pytest.approx(flat.place[1], abs=5e-4)
