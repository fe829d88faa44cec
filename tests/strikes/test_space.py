"""What a sceptic would ask of a space: does it hit, from where, and is it still the same person."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from kinegraph import samples
from kinegraph.arrays import Array
from kinegraph.errors import SpaceError
from kinegraph.feet.slide import slides
from kinegraph.motion import rotation
from kinegraph.motion.angles import beyond_limits
from kinegraph.strikes.inverse import LARGEST
from kinegraph.strikes.solve import BEYOND, WITHIN
from kinegraph.strikes.space import Space
from kinegraph.strikes.telling import reliabilities

Captured = Callable[[str], Space]
SETS = ("punch 02_05", "punch 144_20 144_21", "kick 144_05 144_06")


def targets(space: Space, count: int, *, inside: bool | None = None) -> Array:
    """Random targets in the box; inside: only those in the region, or only those outside of it."""
    low, high = space.region.low, space.region.high
    drawn = low + np.random.default_rng(1).random((40 * count, 2)) * (high - low)
    if inside is not None:
        drawn = drawn[space.region.inside(drawn) == inside]
    return drawn[:count]


@pytest.fixture(params=["punches", "kicks"])
def space(request: pytest.FixtureRequest) -> Space:
    found = request.getfixturevalue(request.param)
    assert isinstance(found, Space)
    return found


def test_inside_the_region_plain_blends_hit(space: Space) -> None:
    misses = [space.solve(target, WITHIN).miss for target in targets(space, 60, inside=True)]
    assert np.mean(misses) < 1e-3
    assert max(misses) < 5e-3


@pytest.mark.parametrize("what", SETS)
def test_captured_strikes_hit_inside_and_in_the_box(captured: Captured, what: str) -> None:
    space = captured(what)
    inside = [space.solve(target, WITHIN) for target in targets(space, 60, inside=True)]
    box = [space.solve(target, BEYOND) for target in targets(space, 60)]
    for found, (low, high) in ((inside, WITHIN), (box, BEYOND)):
        assert np.mean([one.miss for one in found]) < 1e-3
        assert max(one.miss for one in found) < 5e-3
        weights = np.array([one.weights for one in found])
        assert weights.min() >= low - 1e-9
        assert weights.max() <= high + 1e-9
        assert np.abs(weights.sum(axis=1) - 1).max() < 1e-9


@pytest.mark.parametrize("what", SETS)
def test_targets_on_the_reach_sheet_are_hit_in_three_dimensions(captured: Captured, what: str) -> None:
    space = captured(what)
    chosen = np.random.default_rng(2).choice(len(space.samples.weights), 60, replace=False)
    hits = space.pose.at(space.samples.weights[chosen])
    assert max(space.solve(hit).miss for hit in hits) < 5e-3


def test_what_is_said_to_be_hit_is_where_the_joint_is(space: Space) -> None:
    """The answer is checked against the motion's own forward kinematics, frame and all."""
    for target in targets(space, 10):
        for finished in (False, True):
            made = space.reach(target, finished=finished)
            joint = made.motion.position("right_wrist" if space.examples.kind == "punch" else "right_ankle")
            assert np.allclose(joint[made.hit_frame], made.hit, atol=1e-9)
            assert np.linalg.norm(made.hit[:2] - target) < 1e-3
            # at the hit the limb is as far out as it gets, as in a real strike
            away = np.linalg.norm(joint - made.motion.root, axis=-1)
            assert abs(int(np.argmax(away)) - made.hit_frame) <= 4


def test_an_example_is_given_back_at_its_own_target() -> None:
    """Targets mean what the built-in clips say they do: the ready pose's frame, to the centimetre."""
    from tests.strikes.conftest import sample_space

    for name in ("punch_high_left", "punch_low_right", "kick_middle_left"):
        sample = samples.make(name)
        assert sample.target is not None
        space = sample_space("punch" if name.startswith("punch") else "kick")
        made = space.reach(sample.target)
        assert made.reached
        assert made.hit_frame == pytest.approx(sample.hit_frame, abs=2)
        index = [strike.clip for strike in space.examples.strikes].index(name)
        assert np.allclose(space.examples.hits[index], sample.target, atol=0.01)


@pytest.mark.parametrize("what", SETS)
def test_a_finished_strike_stands_still_and_hits(captured: Captured, what: str) -> None:
    space = captured(what)
    for target in targets(space, 12):
        plain, made = space.reach(target, finished=False), space.reach(target)
        assert made.miss < 1e-3
        assert made.finish is not None
        assert slides(made.motion, made.finish.plants, made.finish.soles).overall[1] < 1e-3
        assert made.finish.plants, "some foot stands in every strike"
        assert np.degrees(made.finish.turned) < 15
        own = beyond_limits(plain.motion)
        for name, excess in beyond_limits(made.motion).items():
            if "arm" in name or "elbow" in name or "trunk" in name or "shoulder" in name:
                assert excess <= own.get(name, 0.0) + np.radians(1.0)
        assert made.finish.balanced


def test_a_strike_of_another_rate_is_the_same_strike(space: Space) -> None:
    target = space.region.corners.mean(axis=0)
    made = {fps: space.reach(target, fps=fps) for fps in (30.0, 60.0, 120.0)}
    for fps, one in made.items():
        assert one.motion.fps == fps
        assert one.motion.seconds == pytest.approx(made[60.0].motion.seconds, abs=2 / fps)
        assert one.miss < 1e-3
        assert one.hit_frame / fps == pytest.approx(made[60.0].hit_frame / 60, abs=1 / fps)


def test_nothing_jumps(space: Space) -> None:
    """No frame to frame turn beyond what the examples themselves have, and half as much again."""
    examples = space.examples
    own = (
        rotation.angle_between(examples.rotations[:, 1:], examples.rotations[:, :-1])
        / np.diff(examples.times)[..., None]
    )
    usual = np.quantile(own, 0.99)
    peak = own.max()
    for target in targets(space, 8):
        made = space.reach(target).motion
        turns = rotation.angle_between(made.rotations[1:], made.rotations[:-1]) * made.fps
        assert np.quantile(turns, 0.99) < 1.5 * usual
        assert turns.max() < 1.5 * peak


def test_reliability_falls_with_distance(space: Space) -> None:
    centre = space.region.corners.mean(axis=0)
    values = [space.plane.reliability(centre + np.array([far, 0.0])) for far in (0.0, 0.6, 1.2, 3.0)]
    assert values[0] > 0.7
    assert all(a >= b for a, b in itertools.pairwise(values))
    assert values[-1] < 0.2
    assert all(space.plane.reliability(hit[:2]) > 0.8 for hit in space.examples.hits)


@pytest.mark.parametrize("target", [(10.0, 1.0), (0.0, 9.0), (0.0, 1.0, -4.0), (0.1, 1.1, 6.0)])
def test_what_cannot_be_reached_is_approached_and_said(space: Space, target: tuple[float, ...]) -> None:
    made = space.reach(target)
    assert not made.reached
    assert made.miss == pytest.approx(np.linalg.norm(made.hit[: len(target)] - np.array(target)))
    # no absurd pose: the hit is not far from what blends hit, the body is whole, and what bends does so within human limits
    nearest = np.linalg.norm((space.samples.hits - made.hit)[:, : len(target)], axis=1).min()
    assert nearest < 0.45
    assert np.isfinite(made.motion.positions).all()
    assert made.finish is not None
    assert made.finish.turned <= LARGEST + 1e-9
    plain = beyond_limits(space.reach(target, finished=False).motion)
    assert all(
        by <= plain.get(name, 0.0) + np.radians(2.5)
        for name, by in beyond_limits(made.motion).items()
        if "elbow" in name or "trunk" in name or "shoulder" in name
    )
    closest = np.linalg.norm(space.examples.hits[:, : len(target)] - np.array(target), axis=1).min()
    assert made.miss < closest + 0.05


@pytest.mark.parametrize(
    ("target", "says"),
    [
        ((np.nan, 1.0), "finite"),
        ((1.0,), "two numbers"),
        ((1, 2, 3, 4), "two numbers"),
        ("here", "two or three numbers"),
    ],
)
def test_targets_that_make_no_sense_are_refused(punches: Space, target: object, says: str) -> None:
    with pytest.raises(SpaceError, match=says):
        punches.reach(target)  # type: ignore[arg-type]


def test_wrong_options_are_refused(punches: Space) -> None:
    with pytest.raises(SpaceError, match="bounds"):
        punches.solve((0.0, 1.3), (0.2, 0.8))
    with pytest.raises(SpaceError, match="method"):
        punches.reach((0.0, 1.3), method="guess")  # type: ignore[arg-type]
    with pytest.raises(SpaceError, match="frames per second"):
        punches.reach((0.0, 1.3), fps=-1.0)


def test_too_few_strikes_or_strikes_on_a_line_are_no_space(punches: Space) -> None:
    with pytest.raises(SpaceError, match="1 strike is no space"):
        Space("one", punches.examples.only([0]))
    row = [index for index, strike in enumerate(punches.examples.strikes) if "_middle_" in strike.clip]
    with pytest.raises(SpaceError, match="one line"):
        Space("row", punches.examples.only(row))


@pytest.mark.parametrize("ahead", [(0.0, 1.0), (1.0, 0.0), (-1.0, 0.0)])
def test_the_finish_reaches_as_far_as_the_body_does(space: Space, ahead: tuple[float, float]) -> None:
    """Thirty centimetres beyond every example: the blend falls short, joints bend for the rest, and the report says by how much."""
    way = np.array(ahead)
    outermost = space.examples.hits[np.argmax(space.examples.hits[:, :2] @ way), :2]
    made = space.reach(outermost + 0.3 * way)
    assert made.miss < 1e-3
    assert made.finish is not None
    assert np.radians(2) < made.finish.turned < np.radians(20)


def test_reliability_knows_the_miss_and_what_was_bent(space: Space) -> None:
    up = np.array([0.0, 1.0])
    outermost = space.examples.hits[np.argmax(space.examples.hits[:, 1]), :2]
    for far in (0.6, 1.0, 2.0):
        made = space.reach(outermost + far * up)
        assert made.miss > 0.05
        assert made.reliability < 0.1 * space.plane.reliability(made.target)
    near = space.reach(outermost + 0.3 * up)
    assert near.reached
    assert near.finish is not None
    assert near.reliability == pytest.approx(space.plane.reliability(near.target, near.miss, near.finish.bent))
    assert near.reliability < space.plane.reliability(near.target)


def test_a_map_foresees_what_strikes_would_miss(space: Space) -> None:
    """What is told of a place before anything is made there is close to what a strike there turns out to be worth."""
    low, high = space.region.low, space.region.high
    x, y = (np.linspace(low[axis] - 0.7, high[axis] + 0.7, 65) for axis in (0, 1))
    told = reliabilities(space, x, y)[::9, ::9]
    made = np.array([[space.reach((across, up)).reliability for across in x[::9]] for up in y[::9]])
    assert np.abs(told - made).mean() < 0.02
    assert np.corrcoef(told.ravel(), made.ravel())[0, 1] > 0.98
    # where nothing is reached, nothing is promised, though the strikes next to it would be trusted
    missed = made < 0.02
    assert missed.any()
    assert told[missed].mean() < 0.05


def test_few_strikes_in_several_styles_are_not_blended(punches: Space) -> None:
    """Two styles, of which each keeps to its own targets: between them lies nobody's strike, and left-out strikes say so."""
    examples = punches.examples
    crouched = examples.rotations.copy()
    chest = examples.skeleton.joint("chest")
    odd = np.arange(len(examples)) % 2 == 1
    lean = rotation.exp(np.array([0.9, 0.0, 0.0]))
    crouched[odd, :, chest] = rotation.multiply(crouched[odd, :, chest], lean)
    pairs = np.concatenate([examples.root, examples.root])
    styles = np.concatenate([crouched, crouched])
    # each is thrown twice, a little apart, so that its neighbour is of its own style
    pairs[len(examples) :, :, 0] += 0.01
    both = replace(
        examples,
        strikes=(*examples.strikes, *(replace(one, clip=f"{one.clip} again") for one in examples.strikes)),
        root=pairs,
        rotations=styles,
        times=np.concatenate([examples.times, examples.times]),
        contacts=np.concatenate([examples.contacts, examples.contacts]),
    )
    space = Space("styles", both)
    assert space.choice.way == "nearest"
    assert space.choice.nearest_deg < space.choice.blend_deg
    for target in targets(space, 12, inside=True):
        made = space.reach(target)
        assert made.way == "nearest"
        assert made.miss < 1e-3
        assert np.count_nonzero(made.weights) == 1
        assert space.reach(target, method="blend").way == "blend"
    # unfinished, nothing would bring the nearest strike onto its target
    assert space.reach(target, finished=False).way == "blend"


@pytest.mark.parametrize("what", SETS)
def test_many_strikes_of_one_style_are_blended(captured: Captured, what: str) -> None:
    assert captured(what).choice.way == "blend"
