from __future__ import annotations

import numpy as np
import pytest

from kinegraph import samples
from kinegraph.feet.support import unsupported


@pytest.mark.parametrize("name", ["walk_slow", "walk", "walk_fast", "stand", "sneak"])
def test_who_does_not_fall_is_carried_by_something(name: str) -> None:
    motion = samples.make(name).motion
    assert unsupported(motion, np.zeros((len(motion), 4), bool)).all()


@pytest.mark.parametrize("name", ["jump", "run"])
def test_who_flies_needs_no_support(name: str) -> None:
    sample = samples.make(name)
    assert not sample.contacts.any(axis=1).all()
    assert not unsupported(sample.motion, sample.contacts).any()


def test_a_few_frames_say_nothing() -> None:
    motion = samples.make("walk").motion
    down = np.ones((len(motion), 4), bool)
    down[20:22] = down[40:60] = False
    assert np.flatnonzero(unsupported(motion, down)).tolist() == list(range(40, 60))
