"""From cut strikes to `Examples`: aligned with each other in place, and then in time with the one whose target is most central."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from kinegraph.arrays import Array, Bools
from kinegraph.errors import MotionError, SpaceError
from kinegraph.feet.contacts import contacts
from kinegraph.motion import rotation
from kinegraph.motion.clip import Motion
from kinegraph.motion.skeleton import Skeleton
from kinegraph.similarity.clouds import cloud, cloud_matrix
from kinegraph.similarity.registration import register
from kinegraph.strikes.examples import Examples
from kinegraph.strikes.placing import Forward, placed
from kinegraph.strikes.strike import CapturedStrike, Side, end_role

# Two strikes of which one lasts, before or after the hit, more than so many times as long as the other are not the same
# action.
SLOPE = 3.0
# Metres that playing at twice the mean pace counts as. Stiffer than for motions that go the same way: with less, where
# strikes go leaks into their timing (each strike of a take is then predicted worse by the others); with more, kicks
# that linger are no longer followed.
_STIFFNESS = 0.1


@dataclass(frozen=True, eq=False)
class Cut:
    """A strike by itself."""

    strike: CapturedStrike
    motion: Motion
    """At the space's rate."""
    hit: int
    """The frame of the hit."""
    contacts: Bools
    """``(F, 4)``."""


def cuts(take: Motion, strikes: Sequence[CapturedStrike], fps: float) -> list[Cut]:
    """The strikes of one take at ``fps`` frames a second, each sampled so that its hit is exactly on a frame."""
    stands = contacts(take)
    out = []
    for strike in strikes:
        strike.cut(take)  # refuses frames that the take does not have
        before = int((strike.hit - strike.start) / take.fps * fps + 1e-6)
        after = int((strike.end - 1 - strike.hit) / take.fps * fps + 1e-6)
        if min(before, after) < 2:
            raise SpaceError(
                f"{strike.clip}: the strike that hits at frame {strike.hit} is over in {before + after} frames at {fps:g} frames/s: "
                "correct its frames, or choose a higher rate"
            )
        seconds = strike.hit / take.fps + np.arange(-before, after + 1) / fps
        frames = np.clip(np.rint(seconds * take.fps).astype(np.intp), 0, len(take) - 1)
        motion = take.sample(seconds, fps).renamed(f"{strike.clip}:{strike.hit}")
        out.append(Cut(strike, motion, before, stands[frames]))
    return out


def registered(cut: Sequence[Cut], kind: str, side: Side, forward: Forward = "auto") -> Examples:
    """The cut strikes, all of one skeleton and rate, as `Examples`."""
    motions = placed([one.motion for one in cut], [one.hit for one in cut], kind, side, forward)
    end = end_role(kind, side)
    hits = np.array([motion.position(end)[one.hit] for motion, one in zip(motions, cut, strict=True)])
    base = int(np.argmin(np.linalg.norm(hits - hits.mean(axis=0), axis=1)))
    skeleton, fps = motions[0].skeleton, motions[0].fps
    matrix = cloud_matrix(skeleton, _alike(skeleton))
    clouds = [cloud(motion, matrix, np.ones(len(motion), np.bool_)) for motion in motions]
    warps: list[Array] = []
    for one, points in zip(cut, clouds, strict=True):
        try:
            warps.append(
                register(
                    clouds[base],
                    points,
                    [(cut[base].hit, one.hit)],
                    slope=SLOPE,
                    rates=(fps, fps),
                    stiffness=_STIFFNESS,
                )
            )
        except MotionError as error:
            raise SpaceError(
                f"the strike of {one.strike.clip} that hits at frame {one.strike.hit} and that of {cut[base].strike.clip} at "
                f"{cut[base].strike.hit} differ too much in pace to be one action: before or after the hit one lasts more than "
                f"{SLOPE:g} times as long as the other; make a space of each take, or correct their frames"
            ) from error
    sampled = [motion.sample(warp / fps) for motion, warp in zip(motions, warps, strict=True)]
    rotations = np.stack([motion.rotations for motion in sampled])
    opposite = np.einsum("ntji,tji->ntj", rotations, rotations[base]) < 0
    return Examples(
        kind=kind,
        side=side,
        skeleton=skeleton,
        fps=fps,
        strikes=tuple(one.strike for one in cut),
        hit=cut[base].hit,
        root=np.stack([motion.root for motion in sampled]),
        rotations=rotation.unit(np.where(opposite[..., None], -rotations, rotations)),
        times=np.stack([(warp - one.hit) / fps for warp, one in zip(warps, cut, strict=True)]),
        contacts=np.stack([one.contacts[np.rint(warp).astype(np.intp)] for warp, one in zip(warps, cut, strict=True)]),
    )


def _alike(skeleton: Skeleton) -> Array:
    """``(J,)`` weights: all joints with a body role alike. By mass the striking hand would count next to nothing."""
    weights = np.zeros(len(skeleton))
    weights[list(set(skeleton.roles.values()))] = 1.0
    return np.asarray(weights / weights.sum())
