from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import kinegraph as kg
from kinegraph import samples
from kinegraph.feet.contacts import contacts
from kinegraph.motion import Motion
from kinegraph.motion.floor import FloorTransform
from kinegraph.motion.mirroring import mirror
from kinegraph.paths.editing.stride import likeness, stride

# seconds of two steps of each style
GAITS = {"walk_slow": 4 / 3, "walk": 64 / 60, "walk_fast": 56 / 60, "run": 0.7, "sneak": 1.7}


@pytest.mark.parametrize("name", GAITS)
def test_built_in_gaits(name: str) -> None:
    assert stride(samples.make(name).motion) == pytest.approx(GAITS[name], rel=0.005)


def test_neither_rate_nor_place_nor_side_matter() -> None:
    walk = samples.make("walk_left_tight").motion
    plain = stride(walk)
    assert plain is not None
    assert stride(walk.resample(30)) == pytest.approx(plain, rel=0.005)
    assert stride(walk.place(FloorTransform(2.0, 30.0, -4.0))) == pytest.approx(plain, rel=1e-6)
    assert stride(mirror(walk)) == pytest.approx(plain, rel=1e-6)


def test_less_than_a_stride_and_a_half_is_told_by_the_step() -> None:
    walk = samples.make("walk").motion
    short = walk[:70]
    assert short.seconds < 1.2 * GAITS["walk"]
    assert stride(short) == pytest.approx(GAITS["walk"], rel=0.1)


@pytest.mark.parametrize("name", ["start", "stop"])
def test_standing_before_or_after_does_not_matter(name: str) -> None:
    assert stride(samples.make(name).motion) == pytest.approx(GAITS["walk"], rel=0.03)


@pytest.mark.parametrize("name", ["stand", "jump", "punch_high_left"])
def test_who_does_not_walk_has_none(name: str) -> None:
    assert stride(samples.make(name).motion) is None


def test_without_known_legs_or_frames_there_is_none() -> None:
    walk = samples.make("walk").motion
    nameless = replace(walk.skeleton, names=tuple(f"q{index}" for index in range(len(walk.skeleton))))
    assert stride(replace(walk, skeleton=nameless)) is None
    for frames in (1, 2, 3, 10):
        assert stride(walk[:frames]) is None


def test_likeness_is_that_of_the_definition() -> None:
    values = np.random.default_rng(3).normal(size=40)
    found = likeness(values)
    for lag in range(40):
        early, late = values[: 40 - lag], values[lag:]
        assert found[lag] == pytest.approx(2 * (early @ late) / (early @ early + late @ late), abs=1e-9)


def between_plants(motion: Motion) -> float:
    """Middle time from one landing of a foot to the next of the same."""
    down = contacts(motion)
    times: list[float] = []
    for side in (0, 2):
        stands = down[:, side] | down[:, side + 1]
        times += np.diff(np.flatnonzero(~stands[:-1] & stands[1:]) / motion.fps).tolist()
    return float(np.median(times))


@pytest.mark.parametrize("name", ["16_15", "16_17", "16_21", "16_35", "16_47", "16_55", "16_58"])
def test_captured_walks_and_runs_agree_with_their_plants(cmu: Path, name: str) -> None:
    motion = kg.load(cmu / "acclaim" / "16" / f"{name}.amc")
    assert stride(motion) == pytest.approx(between_plants(motion), rel=0.04)
