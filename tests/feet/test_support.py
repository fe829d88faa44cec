from __future__ import annotations

import numpy as np
import pytest

from kinegraph import samples
from kinegraph.feet.support import unsupported


@pytest.mark.parametrize("name", ["walk_slow", "walk", "walk_fast", "stand", "sneak"])
def test_who_does_not_fall_is_carried_by_something(name: str) -> None:
    motion = samples.make(name).motion
    assert unsupported(motion, np.zeros(len(motion), bool)).all()


@pytest.mark.parametrize("name", ["jump", "run"])
def test_who_flies_needs_no_support(name: str) -> None:
    sample = samples.make(name)
    standing = sample.contacts.any(axis=1)
    assert not standing.all()
    assert not unsupported(sample.motion, standing).any()


def test_a_few_frames_say_nothing() -> None:
    motion = samples.make("walk").motion
    standing = np.ones(len(motion), bool)
    standing[20:22] = standing[40:60] = False
    assert np.flatnonzero(unsupported(motion, standing)).tolist() == list(range(40, 60))
