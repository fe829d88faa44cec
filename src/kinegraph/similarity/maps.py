"""The distance map of two clips: brought to one skeleton and rate, and compared at every pair of moments, with all local minima.

This is what `kinegraph distance` draws and the studio shows. A build compares the same windows, but keeps only the minima.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from kinegraph.arrays import Array, Bools, frozen_array
from kinegraph.errors import GraphError
from kinegraph.motion.clip import Motion
from kinegraph.motion.floor import FloorTransform
from kinegraph.motion.leaps import sound_frames
from kinegraph.motion.retargeting import retarget
from kinegraph.similarity.clouds import Cloud, cloud, cloud_matrix, mass_weights
from kinegraph.similarity.minima import Minima
from kinegraph.similarity.windows import window_frames

WINDOW = 1 / 3
"""The default length of a window in seconds."""

# Distances of all pairs of windows are held at once: this many take some 2 GB.
MOST_PAIRS = 40_000_000
# pairs that are worked on at a time where only some are kept
_AT_ONCE = 2_000_000


@dataclass(frozen=True, eq=False)
class Alike:
    """Two clips, or one to be compared with itself, on one skeleton and at one rate."""

    motions: tuple[Motion, ...]
    sound: tuple[Bools, ...]
    """``(F,)`` for each clip: False where the capture lost a joint."""
    notices: tuple[str, ...] = ()
    """What was done to the clips, for people."""

    @property
    def first(self) -> Motion:
        """The clip of the rows."""
        return self.motions[0]

    @property
    def second(self) -> Motion:
        """The clip of the columns; the same as the first if there is only one."""
        return self.motions[-1]


@dataclass(frozen=True, eq=False)
class DistanceMap:
    """The distances between the windows of two clips, and all their local minima."""

    centimetres: Array
    """``(n_a, n_b)``, by where the windows begin; NaN where the capture lost a joint."""
    minima: Minima
    """Of all windows, whatever the step."""
    step: int = 1
    """``centimetres`` has only every ``step``-th window of each clip."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "centimetres", frozen_array(self.centimetres))

    @property
    def window(self) -> int:
        """Frames of a window."""
        return self.minima.window

    @property
    def blank(self) -> float:
        """The share of the map that is unknown, because the capture lost a joint there."""
        return float(np.isnan(self.centimetres).mean())


def alike(motions: Sequence[Motion], fps: float) -> Alike:
    """One or two clips at one rate, with the second on the skeleton of the first."""
    first, second = motions[0], motions[-1]
    sound = tuple(sound_frames(motion, fps) for motion in motions)
    notices = [f"{motion.name}: {sentence}" for motion in motions for sentence in motion.notices]
    if second.skeleton != first.skeleton:
        notices.append(f"{second.name} is moved to the skeleton of {first.name}")
        motions = [first, retarget(second.rigid(), first.skeleton)]
    return Alike(tuple(motion.rigid().resample(fps) for motion in motions), sound, tuple(notices))


def window_of(motions: Sequence[Motion], seconds: float | None = None, *, most: int | None = MOST_PAIRS) -> int:
    """How many frames a window has for clips of one rate: as many as ``seconds``, by default as many as a build would choose.

    most: refuse more pairs of windows than this, since all distances are in memory at once; None for no such limit.
    """
    if seconds is not None and not 0 < seconds < float("inf"):
        raise GraphError(f"a window is some seconds long, such as 0.333, got {seconds:g}")
    frames = min(window_frames(motion, seconds or WINDOW, adapt=seconds is None) for motion in motions)
    for motion in motions:
        if len(motion) < frames:
            raise GraphError(
                f"{motion.name} is shorter than the window: {len(motion)} frames at {motion.fps:g}/s, the window has {frames}; "
                "give a longer clip or a shorter window"
            )
    rows, columns = (len(motions[end]) - frames + 1 for end in (0, -1))
    if most is not None and rows * columns > most:
        raise GraphError(
            f"{rows:,} × {columns:,} windows are too many for a picture: give shorter clips or a lower rate "
            "(building a graph compares them all the same)"
        )
    return frames


def distance_map(
    motions: Sequence[Motion],
    window: int,
    *,
    sound: Sequence[Bools | None] | None = None,
    along: int = 0,
    step: int = 1,
) -> DistanceMap:
    """The distance map of two clips of one skeleton and rate, or of one clip with itself.

    window: in frames. sound: for each clip ``(F,)``, where no joint was lost. along: points on each bone between its joints.
    step: keep only the distances of every ``step``-th window; the minima are always those of all windows.

    >>> import kinegraph as kg
    >>> walk = kg.samples.make("walk").motion.resample(30)
    >>> alike = kg.similarity.distance_map([walk], window=10)
    >>> alike.centimetres.shape, alike.minima.second[:3].tolist()    # frame 0 repeats at every stride of 32 frames
    ((120, 120), [32, 64, 96])
    """
    from kinegraph.similarity.compare import compare
    from kinegraph.similarity.matrix import distance_matrix

    first, second = clouds(motions, sound=sound, along=along)
    if step == 1:
        metres = distance_matrix(first, second, window)
        furthest = float(metres.max())
    else:
        metres, furthest = _thinned(first, second, window, step)
    minima = compare(first, second, window, limit=1.01 * furthest + 0.01)
    metres[_broken(first, window)[::step]] = np.nan
    metres[:, _broken(second, window)[::step]] = np.nan
    return DistanceMap(100 * metres, minima, step)


def _thinned(first: Cloud, second: Cloud, window: int, step: int) -> tuple[Array, float]:
    """Distances in metres of every ``step``th window of either clip, and the furthest of all windows; some rows at a time."""
    from kinegraph.similarity.matrix import distance_matrix

    rows, columns = (len(cloud) - window + 1 for cloud in (first, second))
    some = step * max(1, _AT_ONCE // columns // step)
    kept, furthest = [], 0.0
    for begin in range(0, rows, some):
        frames = slice(begin, min(begin + some, rows) + window - 1)
        part = distance_matrix(Cloud(first.points[frames], first.base, first.sound[frames]), second, window)
        furthest = max(furthest, float(part.max()))
        kept.append(part[::step, ::step])
    return np.concatenate(kept), furthest


def clouds(
    motions: Sequence[Motion], *, sound: Sequence[Bools | None] | None = None, along: int = 0
) -> tuple[Cloud, Cloud]:
    """The clouds of two clips of one skeleton; the same cloud twice if there is only one clip."""
    body = motions[0].skeleton
    points = cloud_matrix(body, mass_weights(body), along)
    made = [cloud(motion, points, mask) for motion, mask in zip(motions, sound or [None] * len(motions), strict=True)]
    return made[0], made[-1]


def laid_on(motions: Sequence[Motion], i: int, j: int, window: int) -> tuple[float, FloorTransform]:
    """The distance in metres between the windows that begin at frame ``i`` of the first clip and frame ``j`` of the second, and
    the transform that lays the second window on the first.
    """
    from kinegraph.similarity.exact import alignments

    for motion, frame in ((motions[0], i), (motions[-1], j)):
        last = len(motion) - window
        if not 0 <= frame <= last:
            raise GraphError(
                f"no window of {motion.name} begins at frame {frame}: with {window} frames to a window, the first begins at 0 and the "
                f"last at {last}"
            )
    pair = [
        motion[frame : frame + window] for motion, frame in ((motions[0], i), (motions[-1], j))
    ]  # no more than the two windows is posed
    whole = np.ones(window, bool)
    zero, one = np.zeros(1, np.int64), np.ones(1, np.int64)
    found = alignments(clouds(pair, sound=[whole, whole]), zero, zero, one, zero, np.full(1, window))
    distance, angle, x, z = (float(values[0]) for values in found)
    return distance, FloorTransform(angle, x, z)


def _broken(cloud: Cloud, window: int) -> Bools:
    """``(n,)``: windows that hold a frame in which the capture lost a joint."""
    return np.asarray(np.lib.stride_tricks.sliding_window_view(~cloud.sound, window).any(axis=1))
