"""From cut strikes to `Examples`: aligned with each other in place, and then in time with the one whose target is most central."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from kinegraph.arrays import Array, Bools
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
# Frames before and after the hit, at least.
_BRIEFEST = 2


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


def cuts(
    take: Motion, strikes: Sequence[CapturedStrike], fps: float
) -> tuple[list[Cut], list[tuple[CapturedStrike, str]]]:
    """The strikes of one take at ``fps`` frames a second, each sampled so that its hit is exactly on a frame; and those that are too
    brief for that, with the reason.
    """
    stands = contacts(take)
    out, brief = [], []
    for strike in strikes:
        strike.cut(take)  # refuses frames that the take does not have
        before = int((strike.hit - strike.start) / take.fps * fps + 1e-6)
        after = int((strike.end - 1 - strike.hit) / take.fps * fps + 1e-6)
        if min(before, after) < _BRIEFEST:
            why = f"it is over in {before + after} frames at {fps:g} frames/s: correct its frames, or choose a higher rate"
            brief.append((strike, why))
            continue
        seconds = strike.hit / take.fps + np.arange(-before, after + 1) / fps
        frames = np.clip(np.rint(seconds * take.fps).astype(np.intp), 0, len(take) - 1)
        motion = take.sample(seconds, fps).renamed(f"{strike.clip}:{strike.hit}")
        out.append(Cut(strike, motion, before, stands[frames]))
    return out, brief


def paced(cut: Sequence[Cut]) -> tuple[list[Cut], list[tuple[CapturedStrike, str]]]:
    """The strikes that one of them can be laid on, as many as possible; and the others, each with the reason."""
    fits = _fitting(cut)
    # of strikes that equally many fit, one of the usual length
    lengths = np.log(_lengths(cut))
    unusual = np.abs(lengths - np.median(lengths, axis=0)).sum(axis=1)
    base = min(range(len(cut)), key=lambda index: (-int(fits[index].sum()), float(unusual[index])))
    kept = [one for one, fit in zip(cut, fits[base], strict=True) if fit]
    usual = np.median(_lengths(kept) / kept[0].motion.fps, axis=0)
    return kept, [(one.strike, _pace(one, usual)) for one, fit in zip(cut, fits[base], strict=True) if not fit]


def _pace(one: Cut, usual: Array) -> str:
    """In what a strike differs from others that last ``usual (2,)`` seconds before and after the hit."""
    own = _lengths([one])[0] / one.motion.fps
    worse = int(np.argmax(np.abs(np.log(own / usual))))
    where = ("before", "after")[worse]
    return (
        f"it differs too much in pace: {where} the hit it lasts {own[worse]:.2f} s, the others {usual[worse]:.2f} s; strikes of one action "
        f"last at most {SLOPE:g} times as long as one another"
    )


def _lengths(cut: Sequence[Cut]) -> Array:
    """Frames ``(N, 2)`` before and after each hit."""
    return np.array([(one.hit, len(one.motion) - 1 - one.hit) for one in cut], np.float64)


def _fitting(cut: Sequence[Cut]) -> Bools:
    """Which strikes can be laid on one another in time, ``(N, N)``."""
    lengths = _lengths(cut)
    ratio = lengths[:, None] / lengths[None]
    fits: Bools = np.all((ratio <= SLOPE) & (ratio >= 1.0 / SLOPE), axis=-1)
    return fits


def registered(cut: Sequence[Cut], kind: str, side: Side, forward: Forward = "auto") -> Examples:
    """The cut strikes, all of one skeleton and rate, as `Examples`. One of them must fit them all, see `paced`."""
    motions = placed([one.motion for one in cut], [one.hit for one in cut], kind, side, forward)
    end = end_role(kind, side)
    hits = np.array([motion.position(end)[one.hit] for motion, one in zip(motions, cut, strict=True)])
    central = np.linalg.norm(hits - hits.mean(axis=0), axis=1)
    base = int(np.argmin(np.where(_fitting(cut).all(axis=1), central, np.inf)))
    skeleton, fps = motions[0].skeleton, motions[0].fps
    matrix = cloud_matrix(skeleton, _alike(skeleton))
    clouds = [cloud(motion, matrix, np.ones(len(motion), np.bool_)) for motion in motions]
    warps = [
        register(clouds[base], points, [(cut[base].hit, one.hit)], slope=SLOPE, rates=(fps, fps), stiffness=_STIFFNESS)
        for one, points in zip(cut, clouds, strict=True)
    ]
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
