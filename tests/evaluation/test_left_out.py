from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import kinegraph as kg
from kinegraph import samples
from kinegraph.evaluation.strikes import left_out
from kinegraph.evaluation.strikes.left_out import BASELINE, BLEND, OWN, PARTIAL, WAYS, LeftOut
from kinegraph.motion import kinematics, rotation
from kinegraph.strikes.blend import Poses
from kinegraph.strikes.builder import build
from kinegraph.strikes.examples import Examples
from kinegraph.strikes.space import Space
from kinegraph.strikes.strike import Side


@pytest.fixture(scope="module")
def kicks() -> Space:
    return build([samples.make(name).motion for name in samples.names() if name.startswith("kick")], "kick")


@pytest.fixture(scope="module")
def found(kicks: Space) -> LeftOut:
    left = left_out.leave_one_out(kicks)
    assert left is not None
    return left


def as_it_is(examples: Examples, index: int) -> Poses:
    return Poses(examples.root[index], examples.rotations[index], examples.times[index])


def two_takes(space: Space) -> Space:
    """The same strikes as if every other came from another take."""
    renamed = tuple(replace(one, clip="ab"[number % 2]) for number, one in enumerate(space.examples.strikes))
    return Space("two takes", replace(space.examples, strikes=renamed))


def test_a_strike_is_not_away_from_itself(kicks: Space) -> None:
    assert left_out.error(kicks.examples, 2, as_it_is(kicks.examples, 2)) == pytest.approx((0.0, 0.0), abs=1e-5)


def test_errors_are_means_over_joints_and_moments(kicks: Space) -> None:
    examples = kicks.examples
    real = as_it_is(examples, 1)
    moved = replace(real, root=np.add(real.root, [0.03, 0.0, 0.04]))
    assert left_out.error(examples, 1, moved) == pytest.approx((0.0, 5.0), abs=1e-5)
    head = examples.skeleton.joint("head")
    nodding = real.rotations.copy()
    nodding[:, head] = rotation.multiply(nodding[:, head], rotation.exp([0.2, 0.0, 0.0]))
    angle, path = left_out.error(examples, 1, replace(real, rotations=nodding))
    assert angle == pytest.approx(np.degrees(0.2) / len(set(examples.skeleton.roles.values())))
    assert path == pytest.approx(0.0, abs=1e-9)


def test_the_strike_itself_is_not_shown(kicks: Space) -> None:
    seen: list[tuple[int, np.ndarray]] = []

    def spy(space: Space, goal: np.ndarray) -> Poses:
        seen.append((len(space.examples), goal))
        assert np.linalg.norm(space.examples.hits[:, :2] - goal, axis=1).min() > 1e-6
        return as_it_is(space.examples, 0)

    left = left_out.leave_one_out(kicks, ways={BLEND: spy, BASELINE: spy})
    assert left is not None
    assert left.which == tuple(range(len(kicks.examples)))
    assert {count for count, _ in seen} == {len(kicks.examples) - 1}
    assert left.lower() == (0.0, 0.0)


def test_every_way_but_the_nearest_strike_alone_hits(kicks: Space) -> None:
    index = 0
    lesser = Space("left", kicks.examples.without(index))
    goal = kicks.examples.hits[index, :2]
    missed = {}
    for name, way in WAYS.items():
        answer = way(lesser, goal)
        if answer is not None:
            hit = kicks.examples.hit
            place = answer.root[hit] + kinematics.from_root(
                kicks.examples.skeleton, kicks.examples.end, answer.rotations[hit]
            )
            missed[name] = float(np.linalg.norm(place[:2] - goal))
    assert missed.pop("nearest alone") > 0.05
    assert max(missed.values()) < 0.01


def test_blending_is_nearer_than_the_baseline(found: LeftOut) -> None:
    lower = found.lower()
    assert lower is not None
    assert min(lower) > 0.2
    assert found.lower(BASELINE) == (0.0, 0.0)


def test_partial_blending_is_asked_only_outside_the_region(found: LeftOut) -> None:
    applies = np.isfinite(found.errors[PARTIAL]).all(axis=1)
    assert (applies == found.outside).all()
    assert 0 < applies.sum() < len(found)
    whole, outside = found.mean(BASELINE), found.mean(BASELINE, found.outside)
    assert whole is not None
    assert outside is not None
    assert whole.count == len(found)
    assert outside.count == applies.sum()


def test_partial_blending_knows_no_distance(kicks: Space) -> None:
    left = left_out.leave_one_out(kicks, 3, {BLEND: left_out.blended, PARTIAL: left_out.by_parts})
    assert left is not None
    assert left.mean(PARTIAL) is None
    assert left.lower(PARTIAL, BLEND) is None
    assert left.mean(BLEND) is not None


def test_one_take_is_asked_for_the_other(kicks: Space) -> None:
    shown: dict[int, set[str]] = {}
    examples = two_takes(kicks).examples

    def spy(space: Space, goal: np.ndarray) -> Poses:
        (asked,) = np.flatnonzero(np.all(examples.hits[:, :2] == goal, axis=1))
        shown[int(asked)] = {strike.clip for strike in space.examples.strikes}
        return as_it_is(space.examples, 0)

    left = left_out.across_takes(Space("two takes", examples), ways={BLEND: spy})
    assert left is not None
    assert sorted(left.which) == list(range(len(examples)))
    for asked, clips in shown.items():
        assert clips == {"a", "b"} - {examples.strikes[asked].clip}


def test_single_strikes_and_a_single_take_cannot_be_asked_across_takes(kicks: Space) -> None:
    assert left_out.across_takes(kicks) is None
    same = tuple(replace(one, clip="a") for one in kicks.examples.strikes)
    assert left_out.across_takes(Space("one take", replace(kicks.examples, strikes=same))) is None


def test_three_strikes_are_too_few_to_leave_one_out(kicks: Space) -> None:
    assert left_out.leave_one_out(Space("three", kicks.examples.only([0, 2, 6]))) is None


def test_tables_and_json_hold_every_way(found: LeftOut) -> None:
    told = "\n".join(left_out.text(found))
    plain = json.loads(json.dumps(left_out.as_json(found)))
    assert set(plain["ways"]) == set(WAYS)
    for way in WAYS:
        assert way in told
    assert plain["ways"][BASELINE]["lower_than_baseline"] == {"angle": 0.0, "path": 0.0}
    assert plain["ways"][PARTIAL]["strikes"] == plain["outside"] < plain["strikes"]


def test_captured_punches_come_nearer_than_the_baseline(cmu: Path) -> None:
    space = build([kg.load(cmu / "bvh" / "02_05.bvh")], "punch")
    left = left_out.leave_one_out(space, ways={BLEND: WAYS[BLEND], BASELINE: WAYS[BASELINE]})
    assert left is not None
    lower = left.lower()
    assert lower is not None
    assert lower[0] >= 0.15
    assert lower[1] >= 0.10


def test_a_space_chooses_its_way_without_the_strike_that_is_left_out(kicks: Space) -> None:
    """What a space answers is one of the two ways, by what its other strikes say: none is worse than the worse of them."""
    left = left_out.leave_one_out(kicks, ways={way: WAYS[way] for way in (OWN, BLEND, BASELINE)})
    assert left is not None
    for index, own, blend, nearest in zip(
        left.which, left.errors[OWN], left.errors[BLEND], left.errors[BASELINE], strict=True
    ):
        chosen = Space("rest", kicks.examples.without(index)).choice.way
        assert np.allclose(own, blend if chosen == "blend" else nearest)


@pytest.mark.parametrize("side", ["left", "right"])
def test_few_captured_punches_are_not_made_worse_than_by_the_nearest(cmu: Path, side: Side) -> None:
    """Four punches a hand: blends alone are further off than the nearest punch bent onto the target, what the space answers hardly."""
    space = build([kg.load(cmu / "bvh" / "143_23.bvh")], "punch", side)
    assert space.choice.way == "nearest"
    left = left_out.leave_one_out(space, ways={way: WAYS[way] for way in (OWN, BASELINE)})
    assert left is not None
    lower = left.lower(OWN)
    assert lower is not None
    assert min(lower) > -0.06
