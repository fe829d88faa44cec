from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from kinegraph import samples
from kinegraph.feet.contacts import contacts
from kinegraph.feet.slide import penetration
from kinegraph.feet.sole import soles
from kinegraph.formats import load
from kinegraph.motion.spans import spans
from tests.feet.skating import without_toes


def test_the_heel_of_the_built_in_performer_is_its_own() -> None:
    sample = samples.make("walk")
    for sole in soles(sample.motion, sample.contacts):
        assert np.allclose(sole.heel, [0.0, -0.08, -0.05])
        assert np.allclose(sole.tip, [0.0, 0.0, 0.07])
        assert np.allclose(sole.rest, 0.0, atol=1e-6)


def test_without_a_heel_in_the_skeleton_one_is_put_where_heels_are() -> None:
    sample = samples.make("walk")
    skeleton = sample.motion.skeleton
    keep = [tip for tip, parent in enumerate(skeleton.tip_parents) if "ankle" not in skeleton.names[parent]]
    bare = replace(skeleton, tip_parents=skeleton.tip_parents[keep], tip_offsets=skeleton.tip_offsets[keep])
    for sole in soles(replace(sample.motion, skeleton=bare), sample.contacts):
        assert np.linalg.norm(sole.heel - [0.0, -0.08, -0.05]) < 0.02


def test_a_foot_without_toes_is_its_ankle() -> None:
    motion = without_toes(samples.make("walk").motion)
    for sole in soles(motion, contacts(motion)):
        assert sole.parts == ("heel",)
        assert np.array_equal(sole.points(motion)[:, 0], motion.position(f"{sole.side}_ankle"))
        assert np.isclose(sole.rest[0], 0.08, atol=0.005)


def test_penetration_is_the_depth_below_rest() -> None:
    sample = samples.make("stand")
    feet = soles(sample.motion, sample.contacts)
    assert penetration(sample.motion, feet).max() < 1e-6
    sunk = replace(sample.motion, root=sample.motion.root - [0.0, 0.03, 0.0])
    assert np.allclose(penetration(sunk, feet), 0.03, atol=1e-6)


@pytest.mark.parametrize("name", ["16_15", "16_22", "16_47"])
def test_while_only_the_heel_bears_it_moves_less_than_half_as_far_as_the_ankle(cmu: Path, name: str) -> None:
    motion = load(cmu / "acclaim" / "16" / f"{name}.amc").resample(60.0)
    down = contacts(motion)
    heel, ankle = [], []
    for index, sole in enumerate(soles(motion, down)):
        for first, last in spans(down[:, 2 * index] & ~down[:, 2 * index + 1]):
            for points, out in ((sole.points(motion)[:, 0], heel), (motion.position(f"{sole.side}_ankle"), ankle)):
                here = points[first:last]
                out += list(np.linalg.norm(here - here.mean(axis=0), axis=-1))
    assert np.mean(heel) < 0.5 * np.mean(ankle)
