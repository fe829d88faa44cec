from __future__ import annotations

import numpy as np
import pytest

from kinegraph import samples
from kinegraph.feet.sole import soles
from kinegraph.feet.stepping import Side, stepped
from kinegraph.motion.clip import Motion, concatenate
from kinegraph.motion.floor import FloorTransform

LENGTH = 20


@pytest.fixture(scope="module")
def stance() -> tuple[Motion, np.ndarray]:
    sample = samples.make("stand")
    return sample.motion.resample(30.0)[:60], sample.contacts[::2][:60]


def shifted(stance: tuple[Motion, np.ndarray], way: FloorTransform) -> tuple[Motion, np.ndarray, Side, Side]:
    """Stands, and drifts within `LENGTH` frames to where ``way`` has it, as a blend would: both feet along the floor."""
    motion, contacts = stance
    moved = motion.place(way)
    share = np.arange(1, LENGTH + 1)[:, None] / (LENGTH + 1)
    between = motion[20 : 20 + LENGTH]
    root = (1 - share) * between.root + share * moved.root[20 : 20 + LENGTH]
    between = Motion(motion.skeleton, root, between.rotations, motion.fps)
    whole = concatenate([motion[:20], between, moved[40:60]])
    here = slice(20, 20 + LENGTH)
    return whole, contacts, Side(motion[here], contacts[here]), Side(moved[here], contacts[here])


def test_feet_that_must_move_step_and_otherwise_stand(stance: tuple[Motion, np.ndarray]) -> None:
    whole, contacts, outgoing, incoming = shifted(stance, FloorTransform(0.0, 0.05, 0.15))
    made, down = stepped(whole, contacts, 20, outgoing, incoming)
    for side, sole in enumerate(soles(made, down)):
        ball = made.positions[:, sole.toe or sole.ankle]
        stands = down[:, 2 * side : 2 * side + 2].any(axis=1)
        still = stands[1:] & stands[:-1]
        assert np.linalg.norm(np.diff(ball, axis=0), axis=-1)[still].max() < 1e-3
        assert 5 <= np.count_nonzero(~stands) <= LENGTH // 2
        assert ball[~stands, 1].max() > ball[stands, 1].mean() + 0.02
    assert (down[:, :2].any(axis=1) | down[:, 2:].any(axis=1)).all()


def test_what_is_not_in_the_transition_stays(stance: tuple[Motion, np.ndarray]) -> None:
    whole, contacts, outgoing, incoming = shifted(stance, FloorTransform(0.0, 0.05, 0.15))
    made, down = stepped(whole, contacts, 20, outgoing, incoming)
    upper = whole.skeleton.joint("left_shoulder")
    np.testing.assert_allclose(made.rotations[:, upper], whole.rotations[:, upper])
    np.testing.assert_allclose(made.rotations[:10], whole.rotations[:10])
    assert np.array_equal(down[:20], contacts[:20])
    assert np.array_equal(down[40:], contacts[40:])


def test_feet_that_need_not_move_hardly_do(stance: tuple[Motion, np.ndarray]) -> None:
    whole, contacts, outgoing, incoming = shifted(stance, FloorTransform())
    made, _ = stepped(whole, contacts, 20, outgoing, incoming)
    np.testing.assert_allclose(made.positions, whole.positions, atol=1e-6)
