"""Avoidance: the velocities it allows are the best there are, and discs that take them do not run into one another or into walls."""

from __future__ import annotations

import numpy as np
import pytest

from kinegraph.arrays import Array
from kinegraph.crowds.avoidance import Care, Movers, allowed, avoid
from kinegraph.crowds.grid import grid_of, rows_of, run_of
from kinegraph.crowds.halfplanes import chosen

NO_WALLS = np.zeros((0, 4))
CARE = Care(apart=1 / 30)
MOST = 1.5
ANGLES = np.linspace(0, 2 * np.pi, 720, endpoint=False)
RADII = np.linspace(0, MOST, 301)
# velocities as fast as people are allowed to go
EVERY = (RADII[:, None, None] * np.stack([np.cos(ANGLES), np.sin(ANGLES)], axis=-1)).reshape(-1, 2)


@pytest.mark.parametrize("seed", range(60))
def test_no_velocity_is_better_than_the_chosen_one(seed: int) -> None:
    # against a fine grid over all velocities: the chosen one must be as good as the best of them
    chance = np.random.default_rng(seed)
    count = int(chance.integers(2, 12))
    angle = chance.uniform(0, 2 * np.pi, count)
    planes = np.stack([np.cos(angle), np.sin(angle), chance.normal(-0.3, 0.6, count)], axis=-1)
    firm = int(chance.integers(0, 2))
    planes[:firm, 2] = -np.abs(planes[:firm, 2])
    aim = chance.normal(0, 1, 2)
    x, z = chosen(planes, count, firm, MOST, aim[0], aim[1], np.empty((count, 3)))
    assert np.hypot(x, z) <= MOST + 1e-9
    violated = planes[:, 2] - EVERY @ planes[:, :2].T
    own = planes[:, 2] - planes[:, :2] @ (x, z)
    obeyed = (violated <= 0).all(axis=1)
    if obeyed.any():
        assert own.max() < 1e-6
        assert np.hypot(*(aim - (x, z))) <= np.hypot(*(EVERY[obeyed] - aim).T).min() + 1e-6
    else:
        kept = (violated[:, :firm] <= 1e-9).all(axis=1)
        assert own[:firm].max(initial=0.0) < 1e-6
        assert own[firm:].max() <= violated[kept][:, firm:].max(axis=1).min() + 1e-6


def _allowed(apart: Array, own: Array, relative: Array) -> Array:
    """The half plane for two discs of 0.25 m who share evenly."""
    return np.array(allowed(apart[0], apart[1], own[0], own[1], relative[0], relative[1], 0.5, 0.5, CARE))


@pytest.mark.parametrize("seed", range(20))
def test_half_planes_hold_what_they_promise(seed: int) -> None:
    # two who both keep to theirs do not meet within the horizon, whatever else they choose
    chance = np.random.default_rng(seed)
    apart = chance.uniform(0.6, 4.0) * np.array([np.cos(seed), np.sin(seed)])
    one, other = chance.normal(0, 1, (2, 2))
    mine = _allowed(apart, one, one - other)
    theirs = _allowed(-apart, other, other - one)
    mine_obeyed, theirs_obeyed = (
        3 * EVERY[3 * EVERY @ plane[:2] >= plane[2]] for plane in map(np.array, (mine, theirs))
    )
    for _ in range(200):
        v = mine_obeyed[chance.integers(len(mine_obeyed))] - theirs_obeyed[chance.integers(len(theirs_obeyed))]
        times = np.linspace(0, CARE.horizon, 400)
        assert np.hypot(*(apart[:, None] - v[:, None] * times)).min() > 0.5 - 1e-6


def moved(place: Array, goal: Array, seconds: float, walls: Array = NO_WALLS) -> Array:
    """Discs of 0.25 m that go to their goals, every frame ``(F, N, 2)``."""
    velocity, places, chance = np.zeros_like(place), [place], np.random.default_rng(1)
    for _ in range(round(seconds * 30)):
        way = goal - place
        far = np.hypot(*way.T)[:, None]
        wished = way / np.maximum(far, 1e-9) * np.minimum(1.3, 3.0 * far)
        # whose case is symmetric would wait for ever
        wished += 0.05 * np.minimum(far, 1.0) * chance.standard_normal(wished.shape)
        sides = (np.full(len(place), value) for value in (0.25, 1.6, 1.0))
        velocity = avoid(Movers(place, velocity, *sides), wished, walls, CARE)
        place = place + velocity / 30
        places.append(place)
    return np.array(places)


def nearest(places: Array) -> float:
    apart = np.hypot(*np.moveaxis(places[:, :, None] - places[:, None], -1, 0))
    return float((apart + 99 * np.eye(apart.shape[-1])).min())


def test_two_head_on_pass_each_other() -> None:
    start = np.array([[0.0, 0.0], [0.02, 8.0]])
    places = moved(start, start[::-1], 15)
    assert np.hypot(*(places[-1] - start[::-1]).T).max() < 0.05
    assert nearest(places) > 0.5 - 1e-3


@pytest.mark.parametrize("count", [20, 60])
def test_discs_cross_a_circle_without_getting_into_one_another(count: int) -> None:
    angle = 2 * np.pi * np.arange(count) / count
    start = 10.0 * np.stack([np.cos(angle), np.sin(angle)], axis=-1)
    start += np.random.default_rng(0).normal(0, 0.02, start.shape)
    places = moved(start, -start, 60)
    assert np.hypot(*(places[-1] + start).T).max() < 0.1
    # where no velocity is left they may touch for a moment
    assert nearest(places) > 0.5 - 0.06


def test_a_wall_is_not_crossed() -> None:
    wall = np.array([[-3.0, 2.0, 3.0, 2.0]])
    start = np.array([[x, 0.0] for x in np.linspace(-2, 2, 5)])
    places = moved(start, start + np.array([0.0, 6.0]), 10, wall)
    assert places[:, :, 1].max() < 2.0 - 0.25 + 1e-6


def test_who_stands_gives_way_less() -> None:
    place, velocity = np.array([[0.0, 0.0], [0.1, 2.0]]), np.array([[0.0, 1.3], [0.0, 0.0]])
    size, fast = np.full(2, 0.25), np.full(2, 1.6)
    even = avoid(Movers(place, velocity, size, fast, np.ones(2)), velocity, NO_WALLS, CARE)
    stubborn = avoid(Movers(place, velocity, size, fast, np.array([1.0, 0.1])), velocity, NO_WALLS, CARE)
    assert np.hypot(*stubborn[1]) < 0.5 * np.hypot(*even[1])


@pytest.mark.parametrize("seed", range(5))
def test_the_grid_finds_everybody_within_reach(seed: int) -> None:
    chance = np.random.default_rng(seed)
    points = chance.normal(0, 10.0 ** chance.integers(0, 4), (80, 2))
    grid = grid_of(points, 1.0)
    for x, z in points[::7]:
        found = {int(grid.order[k]) for row in range(*rows_of(grid, z, 2.5)) for k in range(*run_of(grid, x, 2.5, row))}
        assert set(np.flatnonzero(np.hypot(points[:, 0] - x, points[:, 1] - z) <= 2.5).tolist()) <= found
