"""Ways from a graph into the strikes of a scene and out of them: transitions like all others, from wherever somebody stands or goes
nearly as one does before a strike.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from kinegraph.arrays import Array, Longs
from kinegraph.errors import Unsatisfied
from kinegraph.graph.model import MotionGraph
from kinegraph.motion.floor import FloorTransform
from kinegraph.people.openings import BLEND, DEAREST
from kinegraph.similarity.clouds import cloud, cloud_matrix, mass_weights
from kinegraph.similarity.exact import alignments
from kinegraph.strikes.joining.clip import StrikeClip
from kinegraph.strikes.joining.ways import Way

# seconds for which the ready pose may be held before a strike or after it, to be in time
_HOLDS = (0.0, 0.25)
# of a clip, how many ways there are at choice points, how many frames become choice points for it, and seconds from one to the next
_PER_CLIP, _FRESH, _APART = 6, 2, 0.15


def entries(
    graph: MotionGraph, enter: Sequence[tuple[int, StrikeClip]], leave: Sequence[tuple[int, StrikeClip]]
) -> list[Way]:
    """All ways into strikes and out of strikes, each with its number in the scene."""
    frames = round(BLEND * graph.fps)
    matrix = cloud_matrix(graph.skeleton, mass_weights(graph.skeleton))
    strikes = {strike.clip.name: strike for _, strike in (*enter, *leave)}
    clouds = [
        cloud(clip.motion, matrix, clip.sound) for clip in (*graph.clips, *(one.clip for one in strikes.values()))
    ]
    place = {name: len(graph.clips) + number for number, name in enumerate(strikes)}
    lengths = np.array([len(clip) for clip in graph.clips])
    number, first = _windows(graph, frames, before=False)
    last_number, last_first = _windows(graph, frames, before=True)
    found: list[Way] = []
    for (which, strike), coming in [*((one, True) for one in enter), *((one, False) for one in leave)]:
        at, own, begin = place[strike.clip.name], number if coming else last_number, first if coming else last_first
        ways: list[Way] = []
        nearest = np.inf
        for moment in _moments(strike, frames, graph.fps, coming):
            other = np.full(len(own), at), np.full(len(own), moment)
            a, b = ((own, begin), other) if coming else (other, (own, begin))
            cost, angle, x, z = alignments(clouds, a[0], a[1], b[0], b[1], np.full(len(own), frames))
            nearest = min(nearest, float(cost.min(initial=np.inf)))
            for n in _chosen(graph, own, begin if coming else begin + frames, cost, lengths).tolist():
                clip, frame = graph.clips[own[n]].name, int(begin[n])
                lies = FloorTransform(float(angle[n]), float(x[n]), float(z[n]))
                one, two = (clip, frame), (strike.clip.name, moment + frames)
                if not coming:
                    one, two = (strike.clip.name, moment), (clip, frame + frames)
                ways.append(Way(*one, *two, frames, float(cost[n]), True, lies))
        if not ways:
            why = f"the nearest is {100 * nearest:.0f} cm away" if np.isfinite(nearest) else "all clips are too short"
            raise Unsatisfied(
                f"strike {which + 1} can not be {'entered' if coming else 'left'}: nobody in the clips of this graph stands as one does "
                f"for it, {why}, and {100 * DEAREST:.0f} cm are the most; add clips in which the body takes up its ready pose"
            )
        found += ways
    return found


def _moments(strike: StrikeClip, frames: int, fps: float, coming: bool) -> list[int]:
    """Frames of the strike at which transitions into it or out of it begin."""
    holds = [round(one * fps) for one in _HOLDS]
    if coming:
        # it arrives in the ready pose, while that is held, or while it is wound up
        arrivals = {strike.held - hold for hold in holds} | {strike.latest}
        return sorted(one - frames for one in arrivals if one >= frames)
    rest = len(strike.clip) - strike.held
    begins = {max(strike.earliest, rest - frames) + hold for hold in holds} | {strike.earliest}
    return sorted(one for one in begins if one + frames <= len(strike.clip))


def _windows(graph: MotionGraph, frames: int, before: bool) -> tuple[Longs, Longs]:
    """Clip and first frame ``(n,)`` of all windows that no joint was lost in; ``before``: such as end where somebody can go on."""
    numbers, firsts = [], []
    for number, clip in enumerate(graph.clips):
        nodes = graph.node_frame[graph.node_clip == number]
        if len(clip) < frames or not len(nodes):
            continue
        first = np.flatnonzero(np.lib.stride_tricks.sliding_window_view(clip.sound, frames).all(axis=1))
        # before the first choice point of a clip nobody arrives, and after the last nobody goes on
        inside = (first + frames <= nodes[-1]) if before else (first >= nodes[0]) & (first <= nodes[-1])
        first = first[inside]
        numbers.append(np.full(len(first), number))
        firsts.append(first)
    if not numbers:
        return np.zeros(0, np.int64), np.zeros(0, np.int64)
    return np.concatenate(numbers).astype(np.int64), np.concatenate(firsts).astype(np.int64)


def _chosen(graph: MotionGraph, own: Longs, at: Longs, cost: Array, lengths: Longs) -> Longs:
    """Which windows become transitions: of every clip some of the cheapest, at choice points if there are."""
    starts = np.cumsum(lengths) - lengths
    nodes = np.zeros(int(lengths.sum()) + 1, bool)
    nodes[starts[graph.node_clip] + graph.node_frame] = True
    cheap = cost <= DEAREST
    known = cheap & nodes[np.minimum(starts[own] + at, len(nodes) - 1)] & (at < lengths[own])
    chosen = np.zeros(len(own), bool)
    for clip in np.unique(own[cheap]).tolist():
        for able, most in ((known, _PER_CLIP), (cheap, _FRESH)):
            rows = np.flatnonzero((own == clip) & able)
            for _ in range(most):
                if not len(rows):
                    break
                best = rows[np.argmin(cost[rows])]
                chosen[best] = True
                rows = rows[np.abs(at[rows] - at[best]) > _APART * graph.fps]
    return np.flatnonzero(chosen).astype(np.int64)
