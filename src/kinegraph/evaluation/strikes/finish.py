"""What finishing a strike does: what it still misses, and what that costs in the joints, in smoothness, and at the feet."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from kinegraph.arrays import Array, Bools
from kinegraph.evaluation.usual import usual_of, velocity_jumps
from kinegraph.feet.slide import Slides, slides
from kinegraph.motion import rotation
from kinegraph.motion.angles import beyond_limits
from kinegraph.motion.clip import Motion
from kinegraph.strikes.blend import Poses, poses, timed
from kinegraph.strikes.examples import Examples
from kinegraph.strikes.space import Reach, Space
from kinegraph.strikes.strike import SIDES, Side, standing_side, standing_sides


@dataclass(frozen=True)
class TargetSpread:
    """Mean and maximum over the targets."""

    mean: float
    max: float


@dataclass(frozen=True)
class FinishFigures:
    """Finished strikes at several targets."""

    count: int
    """Of targets."""
    residual_cm: TargetSpread
    """What is still missed."""
    change_deg: TargetSpread
    """The largest turn of a joint over all frames, without the legs that stand: both legs of a punch, one leg of a kick."""
    change_at_hit_deg: TargetSpread
    """The same at the hit."""
    legs_deg: TargetSpread
    """The same for the legs that stand, which are turned to keep the foot in place."""
    beyond_limits_deg: float
    """By how much more than in any example a joint exceeds human limits; 0 if none does."""
    beyond_limits_angle: str
    """Which angle does."""
    jump: TargetSpread
    """The largest change of a joint's velocity from frame to frame, divided by the 99th percentile in the examples."""
    jump_unfinished: TargetSpread
    """The same without the finish."""
    jump_examples: float
    """The same in the examples themselves."""
    slide_mm: TargetSpread
    """How far the standing foot slides while it is held."""
    slide_anew_mm: TargetSpread
    """The same, with soles taken from the finished motion itself."""
    stands: float
    """The share of frames in which it is held."""
    ball_mm: TargetSpread
    """How far its ball moves over the whole strike, held or not."""
    ball_examples_mm: float
    """The furthest that it moves in an example."""


def finished(space: Space, targets: Array) -> FinishFigures:
    """Strikes at ``targets (K, 2)``, with the finish and without."""
    examples = space.examples
    own = example_motions(examples)
    allowed = _worst(beyond_limits(motion) for motion in own)
    usual = usual_of(own).velocity_jump or np.inf
    legs = _standing_legs(examples)
    side = standing_side(examples.kind, examples.side)
    columns = [2 * SIDES.index(side), 2 * SIDES.index(side) + 1]
    rows, found = [], []
    for target in targets:
        done = space.reach(target)
        raw = timed(examples, poses(examples, done.weights), done.weights).motion
        turned = np.degrees(rotation.angle_between(raw.rotations, done.motion.rotations))
        assert done.finish is not None  # it was asked for
        held = slides(done.motion, done.finish.plants, done.finish.soles)
        anew = slides(done.motion, done.contacts)
        rows.append(
            (
                100 * done.miss,
                turned[:, ~legs].max(),
                turned[done.hit_frame, ~legs].max(),
                turned[:, legs].max(),
                velocity_jumps(done.motion).max() / usual,
                velocity_jumps(raw).max() / usual,
                1000 * _furthest(held, side),
                1000 * _furthest(anew, side),
                done.contacts[:, columns].any(axis=1).mean(),
                1000 * _strayed(done.motion, side),
            )
        )
        found.append(_over(done, allowed))
    residual, change, at_hit, leg, jump, unfinished, slide, anew_slide, standing, ball = np.array(rows).T
    beyond, angle = max(found)
    return FinishFigures(
        count=len(targets),
        residual_cm=_spread(residual),
        change_deg=_spread(change),
        change_at_hit_deg=_spread(at_hit),
        legs_deg=_spread(leg),
        beyond_limits_deg=float(np.degrees(beyond)),
        beyond_limits_angle=angle,
        jump=_spread(jump),
        jump_unfinished=_spread(unfinished),
        jump_examples=max(float(velocity_jumps(motion).max()) for motion in own) / usual,
        slide_mm=_spread(slide),
        slide_anew_mm=_spread(anew_slide),
        stands=float(standing.mean()),
        ball_mm=_spread(ball),
        ball_examples_mm=1000 * max(_strayed(motion, side) for motion in own),
    )


def example_motions(examples: Examples) -> list[Motion]:
    """The examples themselves, at even times."""
    return [
        timed(
            examples,
            Poses(examples.root[index], examples.rotations[index], examples.times[index]),
            np.eye(len(examples))[index],
        ).motion
        for index in range(len(examples))
    ]


def _furthest(slid: Slides, side: Side) -> float:
    """Metres by which a foot strays at most while it stands."""
    return max(
        (float(far) for plant, far in zip(slid.plants, slid.furthest, strict=True) if plant.side == side), default=0.0
    )


def _strayed(motion: Motion, side: Side) -> float:
    """Metres by which the ball of a foot is away from the mean of its places, at most."""
    ball = motion.position(f"{side}_toe")
    return float(np.linalg.norm(ball - ball.mean(axis=0), axis=1).max())


def _standing_legs(examples: Examples) -> Bools:
    """``(J,)``: the joints of the legs that stand."""
    legs = np.zeros(len(examples.skeleton), np.bool_)
    for side in standing_sides(examples.kind, examples.side):
        hip = examples.skeleton.joint(f"{side}_hip")
        legs[[hip, *examples.skeleton.below(hip)]] = True
    return legs


def _worst(all_beyond: Iterable[dict[str, float]]) -> dict[str, float]:
    worst: dict[str, float] = {}
    for beyond in all_beyond:
        for name, by in beyond.items():
            worst[name] = max(worst.get(name, 0.0), by)
    return worst


def _over(done: Reach, allowed: dict[str, float]) -> tuple[float, str]:
    """Radians by which an angle leaves human limits further than it does in any example, at worst, and its name."""
    over = [(by - allowed.get(name, 0.0), name) for name, by in beyond_limits(done.motion).items()]
    return max([(0.0, ""), *over])


def _spread(values: Array) -> TargetSpread:
    return TargetSpread(float(values.mean()), float(values.max()))
