from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from kinegraph import samples
from kinegraph.feet.contacts import contacts
from kinegraph.feet.floating import floating, floating_notices
from kinegraph.formats import load
from kinegraph.motion import Motion

WALKS = ("02_01", "02_02", "16_11", "16_15", "16_17", "16_21", "16_31", "16_47", "16_58")
RUNS = ("09_01", "09_02", "16_35", "16_36", "16_45", "16_46", "16_55", "16_56")


def afloat(motion: Motion, rise: float) -> Motion:
    """The motion as a capture has it in which the body goes up and down by ``rise`` metres while its feet stand."""
    turns = 2 * np.pi * 1.3 * np.arange(len(motion)) / motion.fps
    return replace(motion, root=motion.root + np.sin(turns)[:, None] * [0.0, 0.5 * rise, 0.0])


@pytest.mark.parametrize("name", ["walk_slow", "walk", "walk_left_medium"])
def test_feet_that_float_are_told_with_how_often(name: str) -> None:
    motion = afloat(samples.make(name).motion, 0.06)
    (sentence,) = floating_notices(motion)
    share = floating(motion, contacts(motion))
    assert 0.15 < share < 0.7
    assert f"neither foot comes within 2.5 cm of the floor in {100 * share:.0f} % of the frames" in sentence


@pytest.mark.parametrize("name", samples.names())
def test_nobody_of_the_built_in_performers_floats(name: str) -> None:
    assert floating_notices(samples.make(name).motion) == ()


@pytest.mark.parametrize("tilt", [-0.03, 0.02])
def test_a_floor_that_is_not_level_makes_nobody_float(tilt: float) -> None:
    motion = samples.make("walk").motion
    up = tilt * motion.root[:, 2] * np.array([[0.0], [1.0], [0.0]])
    assert abs(up[1, -1] - up[1, 0]) > 0.08
    assert floating_notices(replace(motion, root=motion.root + up.T)) == ()


def test_a_body_whose_legs_are_not_known_is_passed_over() -> None:
    motion = samples.make("walk").motion
    names = tuple(f"thing{number}" for number in range(len(motion.skeleton)))
    assert floating_notices(replace(motion, skeleton=replace(motion.skeleton, names=names))) == ()


@pytest.mark.parametrize("name", [*WALKS, *RUNS])
def test_captured_walkers_and_runners_do_not_float(cmu: Path, name: str) -> None:
    assert floating_notices(load(cmu / "acclaim" / name.split("_")[0] / f"{name}.amc")) == ()
