from __future__ import annotations

from pathlib import Path

import pytest

from kinegraph import samples
from kinegraph.formats import load
from kinegraph.motion import Motion, retarget

# walk, walk with a turn, run, run and stop, jump, sneak, punches, hops: of several subjects
_REAL = ("16_15", "16_17", "16_35", "16_08", "16_01", "17_03", "02_05", "49_03")


@pytest.fixture(scope="session")
def real(cmu: Path) -> dict[str, Motion]:
    """Real clips of several kinds as captured, at 120 frames/s, on one skeleton."""
    read = {name: load(cmu / "acclaim" / name[:2] / f"{name}.amc") for name in _REAL}
    skeleton = read["16_15"].skeleton
    return {
        name: motion if motion.skeleton == skeleton else retarget(motion, skeleton) for name, motion in read.items()
    }


@pytest.fixture(scope="session")
def slow(real: dict[str, Motion]) -> dict[str, Motion]:
    """The real clips at 30 frames/s, none longer than five seconds."""
    return {name: motion.resample(30.0)[:150] for name, motion in real.items()}


@pytest.fixture(scope="session")
def played() -> dict[str, Motion]:
    """Built-in clips at 30 frames/s."""
    names = ("walk", "walk_left_medium", "run", "sneak", "jump", "stand")
    return {name: samples.make(name).motion.resample(30.0) for name in names}
