from __future__ import annotations

import numpy as np
import pytest

from kinegraph import samples
from kinegraph.errors import SpaceError
from kinegraph.motion.floor import FloorTransform
from kinegraph.strikes.placing import check_forward, overlay, placed

PUNCHES = [samples.make(name) for name in samples.names() if name.startswith("punch")]


def test_overlay_finds_the_move_that_was_made() -> None:
    points = np.random.default_rng(0).normal(size=(7, 3))
    move = FloorTransform(2.3, 0.4, -1.7)
    found = overlay(move.apply(points), points)
    assert np.allclose(found.apply(points), move.apply(points))


def test_overlay_is_the_least_squares_move() -> None:
    random = np.random.default_rng(1)
    still, moved = random.normal(size=(6, 3)), random.normal(size=(6, 3))
    best = overlay(still, moved)

    def off(move: FloorTransform) -> float:
        return float(np.sum((move.apply(moved) - still)[:, ::2] ** 2))

    for angle, x, z in random.normal(scale=0.05, size=(50, 3)):
        assert off(FloorTransform(best.angle + angle, best.x + x, best.z + z)) >= off(best)


def test_where_strikes_were_captured_does_not_matter() -> None:
    """Takes that stand and face anywhere give the same strikes in the space's frame."""
    hits = [sample.hit_frame or 0 for sample in PUNCHES]
    as_made = placed([sample.motion for sample in PUNCHES], hits, "punch", "right")
    random = np.random.default_rng(2)
    strewn = [sample.motion.place(FloorTransform(*random.uniform(-3, 3, 3))) for sample in PUNCHES]
    for plain, found in zip(as_made, placed(strewn, hits, "punch", "right"), strict=True):
        assert np.allclose(found.positions, plain.positions, atol=1e-9)


def test_targets_of_the_built_in_punches_come_out_as_they_were_asked_for() -> None:
    hits = [sample.hit_frame or 0 for sample in PUNCHES]
    for sample, motion, hit in zip(
        PUNCHES, placed([sample.motion for sample in PUNCHES], hits, "punch", "right"), hits, strict=True
    ):
        assert np.allclose(motion.position("right_wrist")[hit], sample.target, atol=0.005)


@pytest.mark.parametrize(("turn", "kept"), [(0.1, True), (0.8, False), (-0.8, False)])
def test_forward_is_the_facing_unless_the_strikes_go_elsewhere(turn: float, kept: bool) -> None:
    """A body that strikes far to its side: ahead is where it strikes, if not told otherwise."""
    sample = samples.make("punch_middle_centre")
    hit = sample.hit_frame or 0
    # the same strike from a ready pose that faces away by so much
    motion = sample.motion
    rotations = motion.rotations.copy()
    spine = motion.skeleton.joint("spine")
    turned = FloorTransform(turn).rotation
    from dataclasses import replace

    from kinegraph.motion import rotation

    rotations[hit:, spine] = rotation.multiply(turned, rotations[hit:, spine])
    twisted = replace(motion, rotations=rotations)
    auto = placed([twisted], [hit], "punch", "right", "auto")[0]
    facing = placed([twisted], [hit], "punch", "right", "facing")[0]
    strikes = placed([twisted], [hit], "punch", "right", "strikes")[0]
    assert np.allclose(auto.positions, (facing if kept else strikes).positions)
    x, _, z = strikes.position("right_wrist")[hit]
    assert abs(x) < 1e-9 < z
    assert abs(facing[:1].heading()[0]) < 1e-9


def test_an_unknown_forward_is_refused() -> None:
    with pytest.raises(SpaceError, match="auto, facing, strikes"):
        check_forward("back")
