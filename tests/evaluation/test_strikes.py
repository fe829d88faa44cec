from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import kinegraph as kg
from kinegraph import samples
from kinegraph.evaluation.strikes import figures as strikes
from kinegraph.evaluation.strikes import finish as strikes_finish
from kinegraph.evaluation.strikes.figures import StrikeFigures, Times
from kinegraph.strikes.builder import build
from kinegraph.strikes.partial import partial
from kinegraph.strikes.solve import BEYOND, WITHIN, Solved
from kinegraph.strikes.space import Space

TARGETS = 6


def made(kind: str) -> Space:
    return build([samples.make(name).motion for name in samples.names() if name.startswith(kind)], kind)


@pytest.fixture(scope="module")
def kicks() -> Space:
    return made("kick")


@pytest.fixture(scope="module")
def punches() -> Space:
    return made("punch")


@pytest.fixture(scope="module")
def of_kicks(kicks: Space) -> StrikeFigures:
    return strikes.evaluate(kicks, TARGETS)


@pytest.fixture(scope="module")
def of_punches(punches: Space) -> StrikeFigures:
    return strikes.evaluate(punches, TARGETS)


# -- targets -----------------------------------------------------------------------------------------------------------


def test_targets_lie_where_they_should(kicks: Space) -> None:
    rng = np.random.default_rng(3)
    region = kicks.region
    inside, box, outside = (
        draw(kicks, 400, rng) for draw in (strikes.inside_region, strikes.in_box, strikes.outside_region)
    )
    assert inside.shape == box.shape == outside.shape == (400, 2)
    assert region.inside(inside).all()
    assert region.in_box(box).all()
    assert region.in_box(outside).all()
    assert not region.inside(outside).any()
    # even over the box: as much of it lies inside as the hull takes of its area
    x, y = region.corners.T
    hull = 0.5 * abs(np.sum(x * np.roll(y, -1) - y * np.roll(x, -1)))
    assert region.inside(strikes.in_box(kicks, 4000, rng)).mean() == pytest.approx(
        hull / np.prod(region.high - region.low), abs=0.03
    )


def test_targets_inside_are_even_over_the_region(kicks: Space) -> None:
    rng = np.random.default_rng(0)
    even = strikes.in_box(kicks, 8000, rng)
    even = even[kicks.region.inside(even)]
    drawn = strikes.inside_region(kicks, 8000, rng)
    assert drawn.mean(axis=0) == pytest.approx(even.mean(axis=0), abs=0.01)
    assert np.cov(drawn.T) == pytest.approx(np.cov(even.T), abs=0.003)


def test_a_region_that_fills_its_box_has_no_targets_outside(punches: Space) -> None:
    assert len(strikes.outside_region(punches, 50, np.random.default_rng(0))) == 0


def test_the_sheet_is_what_blends_reach_and_not_only_its_samples(kicks: Space) -> None:
    targets = strikes.on_sheet(kicks, 40, np.random.default_rng(0))
    assert targets.shape == (40, 3)
    apart = np.linalg.norm(targets[:, None] - kicks.samples.hits[None], axis=-1).min(axis=1)
    assert np.count_nonzero(apart > 1e-4) > 30
    assert apart.max() < 0.2


# -- figures -----------------------------------------------------------------------------------------------------------


def test_built_in_strikes_meet_their_bars(of_kicks: StrikeFigures, of_punches: StrikeFigures) -> None:
    for figures in (of_kicks, of_punches):
        for miss, bounds in ((figures.inside, WITHIN), (figures.box, BEYOND), (figures.sheet, BEYOND)):
            assert miss.bounds == bounds
            assert miss.count == TARGETS
            assert miss.mean <= 0.1
            assert miss.max <= 0.5
        assert figures.finished_inside.residual_cm.max <= 0.1
        assert figures.finished_inside.slide_mm.max <= 1.0
        assert figures.finished_inside.beyond_limits_deg <= 0.5
    assert of_kicks.corrected is not None
    assert of_kicks.paper is not None
    assert of_kicks.corrected.mean < of_kicks.paper.mean <= 6.42
    assert of_kicks.corrected.mean <= 2.5
    assert of_kicks.corrected.max <= 8.0


def test_nothing_is_put_together_where_the_region_fills_its_box(of_punches: StrikeFigures) -> None:
    assert of_punches.paper is None
    assert of_punches.corrected is None
    assert of_punches.finished_outside is None
    assert "fills the box" in strikes.text(of_punches)


def test_a_miss_is_told_across_and_in_height(kicks: Space, monkeypatch: pytest.MonkeyPatch) -> None:
    def off(self: Space, target: np.ndarray, bounds: tuple[float, float] = BEYOND) -> Solved:
        wrong = np.add([*target, 0.0], [0.03, -0.04, 0.0])
        return Solved(np.full(len(self.examples), 1 / len(self.examples)), wrong, 0.05)

    monkeypatch.setattr(Space, "solve", off)
    miss = strikes._solved(kicks, strikes.in_box(kicks, 5, np.random.default_rng(0)), BEYOND)
    assert (miss.horizontal, miss.vertical, miss.mean, miss.max) == pytest.approx((3.0, 4.0, 5.0, 5.0))


def test_ready_pose_and_hit_are_all_that_partial_blending_hits_by(kicks: Space) -> None:
    two = kicks.examples.ready_and_hit
    assert two.hits == pytest.approx(kicks.examples.hits)
    for target in strikes.outside_region(kicks, 3, np.random.default_rng(0)):
        whole, short = (
            partial(examples, kicks.region, target, lambda at: kicks.solve(at).weights)
            for examples in (kicks.examples, two)
        )
        assert short.hit == pytest.approx(whole.hit, abs=1e-9)


def test_the_same_seed_gives_the_same_figures(kicks: Space, of_kicks: StrikeFigures) -> None:
    again, other = (strikes.evaluate(kicks, TARGETS, seed) for seed in (0, 1))
    assert replace(again, times=of_kicks.times) == of_kicks
    assert other.paper != again.paper


# -- the finish --------------------------------------------------------------------------------------------------------


def test_what_the_finish_turns_is_seen_and_legs_are_told_apart(kicks: Space, monkeypatch: pytest.MonkeyPatch) -> None:
    reach = Space.reach
    examples = kicks.examples
    turns = {"chest": 7.0, "left_knee": 11.0}

    def turned(self: Space, target: np.ndarray):
        done = reach(self, target)
        rotations = done.motion.rotations.copy()
        for role, degrees in turns.items():
            joint = examples.skeleton.joint(role)
            turn = kg.motion.rotation.exp(np.radians([degrees, 0.0, 0.0]))
            rotations[3, joint] = kg.motion.rotation.multiply(rotations[3, joint], turn)
        return replace(done, motion=replace(done.motion, rotations=rotations))

    targets = strikes.inside_region(kicks, 2, np.random.default_rng(0))
    plain = strikes_finish.finished(kicks, targets)
    monkeypatch.setattr(Space, "reach", turned)
    seen = strikes_finish.finished(kicks, targets)
    # a right kick stands on the left leg
    assert seen.change_deg.max == pytest.approx(7.0, abs=plain.change_deg.max + 0.01)
    assert seen.legs_deg.max == pytest.approx(11.0, abs=plain.legs_deg.max + 0.01)
    assert seen.change_at_hit_deg == plain.change_at_hit_deg
    # one frame that differs from those beside it is a jump
    assert seen.jump.max > 2 * plain.jump.max
    assert seen.jump_unfinished == plain.jump_unfinished


def test_a_foot_that_slides_is_seen(kicks: Space, monkeypatch: pytest.MonkeyPatch) -> None:
    reach = Space.reach

    def drifting(self: Space, target: np.ndarray):
        done = reach(self, target)
        drift = np.linspace(0.0, 0.1, len(done.motion))[:, None] * [1.0, 0.0, 0.0]
        return replace(done, motion=replace(done.motion, root=done.motion.root + drift))

    monkeypatch.setattr(Space, "reach", drifting)
    seen = strikes_finish.finished(kicks, strikes.inside_region(kicks, 2, np.random.default_rng(0)))
    assert seen.slide_mm.max == pytest.approx(50.0, abs=5.0)
    assert seen.ball_mm.max == pytest.approx(50.0, abs=5.0)


def test_joints_beyond_what_examples_do_are_named(kicks: Space, monkeypatch: pytest.MonkeyPatch) -> None:
    reach = Space.reach

    def broken(self: Space, target: np.ndarray):
        done = reach(self, target)
        knee = self.examples.skeleton.joint("left_knee")
        rotations = done.motion.rotations.copy()
        rotations[:, knee] = kg.motion.rotation.exp([-1.0, 0.0, 0.0])
        return replace(done, motion=replace(done.motion, rotations=rotations))

    monkeypatch.setattr(Space, "reach", broken)
    seen = strikes_finish.finished(kicks, strikes.inside_region(kicks, 1, np.random.default_rng(0)))
    assert seen.beyond_limits_angle == "left_knee_flexion"
    assert seen.beyond_limits_deg > 20.0


# -- for people and for programs ---------------------------------------------------------------------------------------


def test_times_are_scaled_to_a_second() -> None:
    times = Times(weights_ms=1.0, blend_ms=2.0, finish_ms=6.0, seconds=2.0)
    assert (times.blended, times.finished) == (2.0, 5.0)
    assert (times.share_blended, times.share_finished) == (0.0015, 0.0045)


def test_tables_hold_the_bounds_and_the_figures_of_the_paper(
    of_kicks: StrikeFigures, of_punches: StrikeFigures
) -> None:
    told = strikes.text(of_kicks)
    for part in ("weights 0 … 1", "weights -0.2 … 1.2", "straight kick", "6.42", "side kick", "12.95", "left foot"):
        assert part in told
    assert "hook punch" not in told
    assert max(map(len, told.splitlines())) <= 140


def test_figures_can_be_written_as_json(of_kicks: StrikeFigures, of_punches: StrikeFigures) -> None:
    plain = json.loads(json.dumps(strikes.as_json(of_kicks)))
    assert plain["inside"]["bounds"] == [0.0, 1.0]
    assert plain["finished_outside"]["count"] == TARGETS
    assert plain["times"]["finished"] > plain["times"]["blended"] > 0
    assert strikes.as_json(of_punches)["paper"] is None


def test_captured_punches_meet_their_bars(cmu: Path) -> None:
    figures = strikes.evaluate(build([kg.load(cmu / "bvh" / "02_05.bvh")], "punch"), 10)
    for miss in (figures.inside, figures.box, figures.sheet):
        assert miss.mean <= 0.1
        assert miss.max <= 0.5
    assert figures.corrected is not None
    assert figures.corrected.mean <= 1.0
    assert figures.corrected.max <= 8.0
