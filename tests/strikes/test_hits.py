"""Strikes that lack one of the usual marks are hits all the same where they show the others clearly; steps and gestures are none."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import kinegraph as kg
from kinegraph import samples
from kinegraph.arrays import Array
from kinegraph.motion import Motion, rotation
from kinegraph.strikes import finder
from kinegraph.strikes.hits import hits
from kinegraph.strikes.limb_curves import RATE, Curves, LimbCurves, curves
from kinegraph.strikes.ready import phases

ACROSS = np.array([1.0, 0.0, 0.0])


def swung(back: float = 45.0, bent: float = 70.0, ahead: float = 40.0, slower: float = 1.0) -> Motion:
    """The right leg swings back by so many degrees, its knee bent, and then forwards, straight, as if at a ball; the left foot stands."""
    stand = samples.make("stand").motion
    time = np.arange(int(3.0 * slower * stand.fps)) / stand.fps / slower
    times = [0.0, 0.8, 1.1, 1.3, 1.7, 3.0]
    hip = np.radians(np.interp(time, times, [0, 0, back, -ahead, 0, 0]))
    knee = np.radians(np.interp(time, times, [0, 0, bent, 3, 5, 0]))
    rotations = np.repeat(stand.rotations[:1], len(time), axis=0)
    for role, angles in (("right_hip", hip), ("right_knee", knee)):
        joint = stand.skeleton.joint(role)
        turns = rotation.from_axis_angle(ACROSS, np.convolve(np.pad(angles, 3, "edge"), np.ones(7) / 7, "valid"))
        rotations[:, joint] = rotation.multiply(rotations[:, joint], turns)
    return replace(stand, root=np.repeat(stand.root[:1], len(time), axis=0), rotations=rotations)


def changed(seen: Curves, change: Callable[[LimbCurves], dict[str, Array]], side: str = "right") -> Curves:
    limb = seen.of("right" if side == "right" else "left")
    return replace(seen, **{side: replace(limb, **change(limb))})


def test_a_low_kick_from_behind_is_found() -> None:
    motion = swung()
    found = finder.find(motion, "kick")
    (strike,) = found.strikes
    assert found.side == "right"
    # the curves are smoothed over seven frames
    assert abs(strike.hit / motion.fps - 1.3) < 0.1
    leg = curves(motion, "kick").right
    assert leg.lift[round(strike.hit * RATE / motion.fps)] < 0.25


@pytest.mark.parametrize(
    "motion",
    [swung(back=5.0, bent=30.0), swung(bent=5.0), swung(ahead=20.0), swung(slower=4.0)],
    ids=["not from behind", "straight", "not far", "slow"],
)
def test_a_leg_that_is_lifted_otherwise_is_no_kick(motion: Motion) -> None:
    assert hits(curves(motion, "kick"), "kick", "right") == []


def test_a_step_is_no_kick() -> None:
    seen = curves(swung(), "kick")
    assert len(hits(seen, "kick", "right")) == 1
    behind = changed(seen, lambda left: {"ahead": left.ahead - 0.4}, "left")
    moving = changed(seen, lambda left: {"speed": left.speed + 2.0}, "left")
    assert hits(behind, "kick", "right") == hits(moving, "kick", "right") == []


def punch() -> tuple[Curves, int]:
    """Curves of a built-in punch, which is fast and straight, with two seconds of standing before and after; and its hit."""
    sample = samples.make("punch_middle_centre")
    ready = [sample.motion[:1].sample(np.zeros(120)), sample.motion, sample.motion[-1:].sample(np.zeros(120))]
    seen = curves(kg.concatenate(ready), "punch")
    (hit,) = hits(seen, "punch", "right")
    return seen, hit


def test_a_straight_punch_may_go_to_the_side_of_a_trunk_that_turns() -> None:
    seen, hit = punch()
    aside = changed(seen, lambda arm: {"ahead": np.minimum(arm.ahead, 0.05)})
    assert hits(aside, "punch", "right") == [hit]
    back = changed(seen, lambda arm: {"ahead": np.minimum(arm.ahead, -0.05)})
    assert hits(back, "punch", "right") == []


def test_a_straight_punch_may_sink_without_bending() -> None:
    seen, hit = punch()

    def sunk(arm: LimbCurves) -> dict[str, Array]:
        straight = arm.extension.copy()
        straight[hit:] = straight[hit]
        return {"extension": straight}

    assert hits(changed(seen, sunk), "punch", "right") == [hit]
    slow = changed(changed(seen, sunk), lambda arm: {"speed": 0.5 * arm.speed})
    assert hits(slow, "punch", "right") == []


def test_a_captured_low_kick_is_found_beside_the_high_ones(cmu: Path) -> None:
    """143_24 kicks at something by the knee (frame 179) before it kicks high."""
    found = finder.find(kg.load(cmu / "bvh" / "143_24.bvh"), "kick", "left")
    assert [strike.hit for strike in found.strikes] == pytest.approx([179, 296], abs=3)


def test_who_stands_with_hanging_arms_is_ready() -> None:
    seen, hit = punch()

    def hanging(arm: LimbCurves) -> dict[str, Array]:
        reach, straight = arm.reach.copy(), arm.extension.copy()
        straight[hit:] = straight[hit]
        reach[hit:] = np.maximum(reach[hit] - np.arange(len(reach) - hit) / RATE, 0.05)
        return {"extension": straight, "reach": reach}

    sunk = changed(seen, hanging)
    (found,) = phases(sunk, "punch", "right", {"left": [], "right": [hit]}, 0.2)
    assert found.fault == ""
    assert sunk.right.reach[found.last] < 0.5 * sunk.right.reach[hit]
    held = changed(seen, lambda arm: {name: np.r_[values[:hit], np.full(len(values) - hit, values[hit])] for name, values in
                                      (("extension", arm.extension), ("reach", arm.reach))})  # fmt: skip
    (stiff,) = phases(held, "punch", "right", {"left": [], "right": [hit]}, 0.2)
    assert "no ready pose lies within 1.5 s after it" in stiff.fault
