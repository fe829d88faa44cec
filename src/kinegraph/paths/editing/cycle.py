"""Cycling: a short clip made as long as a path by repeating its best loop.

The loop is where the clip most nearly repeats itself, by the distance of its frames, and where it does what it is about: a clip of a run
that begins with a stance is repeated by the run. At the seam the end of one round is blended into the
beginning of the next: the poses, what the body does relative to the frame that moves with it (the residuals), and how fast that frame
moves and turns. So the seam neither shifts nor turns the body.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from kinegraph.arrays import Array, Indices
from kinegraph.errors import MotionError
from kinegraph.feet.plants import as_contacts, footing
from kinegraph.motion import rotation
from kinegraph.motion.clip import Motion
from kinegraph.paths.editing.take import Footage
from kinegraph.paths.moving import MovingFrame, carried
from kinegraph.similarity.clouds import cloud, cloud_matrix, mass_weights
from kinegraph.similarity.matrix import distance_matrix

# Seconds: a seam is blended over so long, where the clip has the room.
WINDOW = 1 / 3
# Seconds of the shortest seam that can be blended, and of the shortest round: quicker than anybody's stride.
_SHORTEST_SEAM, _SHORTEST_ROUND = 0.1, 0.4
# Metres that a round must get ahead: a body that shifts its weight does not walk.
_LEAST_WALKED = 0.2
# Frames per second at which repetitions are sought; the best is then found among all frames.
_RATE = 30.0
# Frames per second without which a seam is not to be blended, and frames among which repetitions are sought at most.
_SLOWEST, _MOST = 10.0, 1800
# Of loops that are as good as the best, or by this share worse, but by no fewer and no more metres than these, the longest: it repeats
# itself the least.
_AS_GOOD, _HARDLY, _NO_MORE = 0.4, 0.003, 0.01
# The share of the clip's main speed from which on it does what it is about, and by how many metres of distance a round that stands must be
# better than one that goes at such a speed throughout.
TRAVELS, _IDLE = 0.5, 0.15
# Metres between the two ends of a seam from which on the seam is seen. Captured walks repeat themselves to 2 cm, runs to 5 cm.
SEEN = 0.06


@dataclass(frozen=True)
class Loop:
    """Frames ``first`` … ``last``−1 of a clip, to be repeated."""

    first: int
    last: int
    window: int
    """How many frames around the seam are blended."""
    distance: float
    """How far apart the two ends of the seam are, in metres: root mean square over the body."""

    def __len__(self) -> int:
        return self.last - self.first


def best_loop(motion: Motion, walked: Array | None, window: float = WINDOW) -> Loop:
    """The loop of a motion that repeats best.

    walked: metres so far ``(F,)``, along which a round has to move, at best no slower than the clip mostly does (see `main_speed`); None
    for a motion that stays in its place.
    """
    if motion.fps < _SLOWEST:
        raise MotionError(f"a clip of {motion.fps:g} frames/s cannot be repeated: resample it to {_SLOWEST:g} or more")
    # what is compared grows with the square of the frames
    step = max(1, round(motion.fps / _RATE), -(-len(motion) // _MOST))
    rate = motion.fps / step
    longest = len(motion) / motion.fps - _SHORTEST_ROUND
    seam = min(window, 0.5 * longest)
    if seam < _SHORTEST_SEAM - 1e-9:
        raise MotionError(
            f"{motion.name or 'this clip'} lasts {motion.seconds:.2f} s: too short to be repeated, which takes a round of at least "
            f"{_SHORTEST_ROUND:g} s and {_SHORTEST_SEAM:g} s to both sides"
        )
    thin = motion[::step]
    matrix = cloud_matrix(motion.skeleton, mass_weights(motion.skeleton))
    points = cloud(thin, matrix, np.ones(len(thin), np.bool_))
    frames = max(2, round(seam * rate))
    distances = distance_matrix(points, points, frames)
    starts = np.arange(len(distances))
    apart = starts[None] - starts[:, None]
    allowed = apart >= _SHORTEST_ROUND * rate
    if walked is not None:
        ahead = walked[::step][: len(starts)]
        allowed &= ahead[None] - ahead[:, None] >= _LEAST_WALKED
    if not allowed.any():
        raise MotionError(
            f"{motion.name or 'this clip'} has no part that can be repeated: it must walk {_LEAST_WALKED:g} m within one; give a longer "
            "piece of walking"
        )
    costs = distances
    if walked is not None:
        # so far, at the middle of each window
        idle = np.cumsum(_idle(walked, motion.fps)[::step])[frames // 2 :][: len(starts)]
        costs = distances + _IDLE * (idle[None] - idle[:, None]) / np.maximum(apart, 1)
    least = float(costs[allowed].min())
    good = allowed & (costs <= least + min(max(_AS_GOOD * least, _HARDLY), _NO_MORE))
    # of the longest good loops, the best
    longest_apart = int(apart[good].max())
    near = good & (apart >= longest_apart - round(0.1 * rate))
    at = np.flatnonzero(near)[costs[near].argmin()]
    first, last = divmod(int(at), len(starts))
    return _refined(motion, matrix, first * step, last * step, max(2, 2 * round(0.5 * seam * motion.fps)), step)


def main_speed(walked: Array, fps: float) -> float:
    """Metres a second at which a motion mostly goes, counted by metres and not by frames: it walks half of its way faster than that.

    However long it stands before it runs, this is the speed of the run.
    """
    speed = np.sort(np.maximum(np.gradient(walked) * fps, 0.0))
    covered = np.cumsum(speed)
    return float(speed[np.searchsorted(covered, 0.5 * covered[-1])])


def _idle(walked: Array, fps: float) -> Array:
    """How much slower a motion goes than it mostly does ``(F,)``: 1 where it stands, 0 where it does what it is about."""
    idle: Array = np.clip(1.0 - np.gradient(walked) * fps / (TRAVELS * main_speed(walked, fps)), 0.0, 1.0)
    return idle


def _refined(motion: Motion, matrix: Array, first: int, last: int, window: int, reach: int) -> Loop:
    """The best loop at the full rate, near one whose windows begin at ``first`` and ``last``."""

    def near(frame: int) -> tuple[int, Motion]:
        begin = min(max(frame - reach, 0), len(motion) - window)
        return begin, motion[begin : min(frame + reach + window, len(motion))]

    (a, early), (b, late) = near(first), near(last)
    here, there = (cloud(part, matrix, np.ones(len(part), np.bool_)) for part in (early, late))
    distances = distance_matrix(here, there, window)
    rounds = b - a + np.arange(distances.shape[1])[None] - np.arange(len(distances))[:, None]
    distances = np.where(rounds >= _SHORTEST_ROUND * motion.fps - 1e-9, distances, np.inf)
    row, column = divmod(int(distances.argmin()), distances.shape[1])
    half = window // 2
    return Loop(a + row + half, b + column + half, window, float(distances[row, column]))


def cycled(take: Footage, loop: Loop, frames: int) -> Footage:
    """The take made ``frames`` frames long: up to the end of its loop, and then round it as often as needed.

    Its course continues as the same steps would have continued it.
    """
    if frames <= loop.last:
        return take.upto(frames)
    main, other, share = _sources(loop, frames)
    zero = np.zeros(len(take))
    level = carried(take.motion, take.frame, np.zeros((len(take), 2)), zero)
    motion = _mixed(level, main, other, share)

    def rate(values: Array) -> Array:
        """How much ``values (F,)`` rise from each frame to the next, in the frames of the whole."""
        steps = np.append(np.diff(values), 0.0)
        steps[-1] = steps[-2]
        mixed: Array = (1.0 - share) * steps[main] + share * steps[other]
        return mixed

    walked = np.concatenate([[0.0], np.cumsum(rate(take.frame.walked))[:-1]])
    heading = take.frame.heading[0] + np.concatenate([[0.0], np.cumsum(rate(take.frame.heading))[:-1]])
    middle = 0.5 * (heading[1:] + heading[:-1])
    steps = np.diff(walked)[:, None] * np.stack([np.sin(middle), np.cos(middle)], axis=-1)
    points = take.frame.points[0] + np.concatenate([np.zeros((1, 2)), np.cumsum(steps, axis=0)])
    frame = MovingFrame(points, heading, walked)
    still = MovingFrame(np.zeros((frames, 2)), np.zeros(frames), walked)
    whole = carried(motion, still, points, heading)
    if take.feet is None:
        return Footage(whole, frame, None)
    down = as_contacts(take.feet.plants, len(take))[np.where(share < 0.5, main, other)]
    return Footage(whole, frame, footing(whole, down, take.feet.soles))


def _sources(loop: Loop, frames: int) -> tuple[Indices, Indices, Array]:
    """For each of ``frames`` frames the frame of the clip that it is, another that is mixed in, and by which share ``(frames,)``."""
    half = loop.window // 2
    now = np.arange(frames)
    past = np.maximum(now - loop.last, -1)
    main = np.where(past < 0, now, loop.first + past % len(loop))
    other, share = main.copy(), np.zeros(frames)
    for seam in range(loop.last, frames + half, len(loop)):
        about = np.arange(max(seam - half, 0), min(seam + half, frames))
        t = (about - seam + half + 0.5) / loop.window
        main[about] = loop.last + about - seam
        other[about] = loop.first + about - seam
        share[about] = t**3 * (10.0 - 15.0 * t + 6.0 * t**2)
    return main, other, share


def _mixed(motion: Motion, main: Indices, other: Indices, share: Array) -> Motion:
    """Frames ``main (N,)`` of a motion with ``share (N,)`` of its frames ``other (N,)``."""
    part = share[:, None]
    translations = motion.translations
    if translations is not None:
        translations = translations[main] * (1 - part[..., None]) + translations[other] * part[..., None]
    rotations = rotation.slerp(motion.rotations[main], motion.rotations[other], part)
    return replace(
        motion,
        root=motion.root[main] * (1 - part) + motion.root[other] * part,
        rotations=rotation.unroll(rotations),
        translations=translations,
    )
