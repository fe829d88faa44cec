"""One transition between two motions, with what comes before and after it: what a graph would play there, without the graph."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from kinegraph.arrays import Bools
from kinegraph.blending.performance import Performance
from kinegraph.blending.playing import play
from kinegraph.blending.stretch import Blend
from kinegraph.errors import GraphError
from kinegraph.graph.model import Clip, ClipSource, EdgeKind, Edges, MotionGraph
from kinegraph.graph.walk import Walk
from kinegraph.motion.clip import Motion
from kinegraph.motion.floor import FloorTransform


def between(
    motions: Sequence[Motion],
    contacts: Sequence[Bools],
    sound: Sequence[Bools],
    frames: tuple[int, int],
    length: int,
    alignment: FloorTransform,
    blend: Blend | str,
    *,
    before: int = 0,
    after: int = 0,
) -> Performance:
    """The first of two motions, a blend of ``length`` frames that begins at ``frames`` of the one and the other, and the second.

    Of each motion its contacts ``(F, 4)`` and sound frames ``(F,)``. alignment: lays the second on the first, which stays where it is.
    before, after: frames of the first motion ahead of the blend and of the second behind it, as far as there are any.
    """
    clips = [
        Clip(motion, length, down, (), ClipSource("", f"{number}", motion.fps, len(motion)), whole)
        for number, (motion, down, whole) in enumerate(zip(motions, contacts, sound, strict=True))
    ]
    (first, second), (i, j) = clips, frames
    if not (i >= 0 and i + length <= len(first) and j >= 0 and j + length <= len(second)):
        raise GraphError(
            f"a blend of {length} frames from frame {i} of {len(first)} to frame {j} of {len(second)} is not to be had"
        )
    lead, rest = min(before, i), min(after, len(second) - j - length)
    # the first motion up to the blend, the blend, the second after it: nodes and edges of a graph of two clips
    nodes = [(0, i - lead)] * (lead > 0) + [(0, i), (1, j + length)] + [(1, j + length + rest)] * (rest > 0)
    lengths = [lead] * (lead > 0) + [length] + [rest] * (rest > 0)
    kinds = [EdgeKind.ORIGINAL] * (lead > 0) + [EdgeKind.TRANSITION] + [EdgeKind.ORIGINAL] * (rest > 0)
    is_blend = np.array(kinds) == EdgeKind.TRANSITION
    steps = np.arange(len(lengths), dtype=np.int32)
    edges = Edges(
        steps,
        steps + 1,
        np.array(kinds),
        np.array(lengths),
        np.zeros(len(lengths)),
        alignment.angle * is_blend,
        alignment.x * is_blend,
        alignment.z * is_blend,
    )
    clip, frame = np.array(nodes).T
    graph = MotionGraph(tuple(clips), clip, frame, edges, {})
    return play(Walk(graph, steps, FloorTransform(), sum(lengths)), blend)
