"""The measure of feet that slide, on feet of which it is known how they do."""

from __future__ import annotations

import numpy as np
import pytest

from kinegraph.arrays import Array
from kinegraph.characters.skating import BEARS, SkinSkating, skating

FRAMES = 40
# a sole as a grid of points, 25 cm long and 8 cm wide
SOLE = np.stack(np.meshgrid(np.linspace(-0.04, 0.04, 9), [0.0], np.linspace(-0.12, 0.13, 51)), axis=-1).reshape(-1, 3)


def measured(skin: Array) -> SkinSkating:
    return skating(skin, skin[..., 1], np.ones(len(skin), np.bool_), BEARS)


def turned(angle: Array, axis: int, about: Array) -> Array:
    """The sole ``(F, V, 3)`` turned by ``angle (F,)`` about an axis through a point."""
    one, two = [number for number in range(3) if number != axis]
    out = np.tile(SOLE - about, (len(angle), 1, 1))
    cosine, sine = np.cos(angle)[:, None], np.sin(angle)[:, None]
    first, second = out[..., one].copy(), out[..., two].copy()
    out[..., one], out[..., two] = cosine * first - sine * second, sine * first + cosine * second
    return out + about


def test_a_foot_that_stands_does_not_slide() -> None:
    found = measured(np.tile(SOLE, (FRAMES, 1, 1)))
    assert (found.drift, found.stray, found.off, found.deep) == (0.0, 0.0, 0.0, 0.0)


@pytest.mark.parametrize("direction", [0.0, 0.4, 1.2, 2.5])
def test_a_foot_that_is_dragged_slides_as_far_as_it_is(direction: float) -> None:
    way = np.linspace(0.0, 0.02, FRAMES)[:, None, None] * [np.cos(direction), 0.0, np.sin(direction)]
    found = measured(SOLE + way)
    assert found.drift == pytest.approx(0.02, rel=0.03)
    assert found.stray == pytest.approx(0.02, rel=0.03)


def test_a_foot_that_rolls_over_its_toes_does_not_slide() -> None:
    front = np.array([0.0, 0.0, SOLE[:, 2].max()])
    found = measured(turned(np.linspace(0.0, 0.8, FRAMES), 0, front))
    assert found.off < 1e-9
    assert found.drift < 5e-4
    assert found.stray < 5e-4


def test_a_foot_that_skates_while_it_rolls_is_seen() -> None:
    """A wheel that is dragged: no point bears for long."""
    angle = np.linspace(0.0, 2.0, 200)
    around = np.linspace(0.0, 2.0 * np.pi, 720, endpoint=False)
    place = around[None] - angle[:, None]
    rolling = np.stack([np.zeros_like(place), 0.1 - 0.1 * np.cos(place), 0.1 * np.sin(place)], axis=-1)
    rolling[..., 2] += 0.1 * angle[:, None]
    assert measured(rolling).drift < 0.002
    dragged = rolling + np.linspace(0.0, 0.05, 200)[:, None, None] * [0.0, 0.0, 1.0]
    assert measured(dragged).drift > 0.04


def test_a_foot_that_turns_on_the_spot_strays_and_does_not_drift() -> None:
    found = measured(turned(np.linspace(0.0, 0.5, FRAMES), 1, SOLE.mean(axis=0)))
    assert found.drift < 1e-6
    assert found.stray > 0.04


def test_a_foot_that_turns_about_its_heel_drifts() -> None:
    found = measured(turned(np.linspace(0.0, 0.5, FRAMES), 1, np.array([0.0, 0.0, -0.12])))
    assert found.drift > 0.05


def test_only_what_stands_counts_and_only_what_bears() -> None:
    way = np.linspace(0.0, 0.02, FRAMES)[:, None, None] * [1.0, 0.0, 0.0]
    skin = SOLE + way
    assert skating(skin, skin[..., 1], np.zeros(FRAMES, np.bool_), BEARS).drift == 0.0
    found = measured(skin + np.array([0.0, 0.01, 0.0]))
    assert found.drift == 0.0
    assert found.off == pytest.approx(0.01)


def test_what_sinks_is_told() -> None:
    found = measured(np.tile(SOLE, (FRAMES, 1, 1)) - [0.0, 0.003, 0.0])
    assert found.deep == pytest.approx(0.003)
    assert found.off == pytest.approx(0.003)
