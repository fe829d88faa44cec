"""How large what a file holds may be. Beyond these no body moves, and searches, which measure in metres and frames, would never end."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from kinegraph.arrays import Array
from kinegraph.graph.model import MotionGraph
from kinegraph.motion.skeleton import Skeleton

SLOWEST, FASTEST = 0.5, 1000.0
"""Frames per second of a graph or a space."""
LONGEST_BONE = 1000.0
"""Metres; a body in centimetres that were taken for metres is still within."""
FURTHEST = 100_000.0
"""Metres from the origin: beyond them, single precision is coarser than a hand."""
FARTHEST_TRAVEL = 10_000.0
"""Metres between two places of a clip."""
MOST_JOINTS = 10_000
_DEAREST = 10_000.0  # metres
_MOST_TURN = 1000.0  # radians


def body_faults(skeleton: Skeleton, fps: float) -> Iterator[str]:
    """What no body has."""
    if not SLOWEST <= fps <= FASTEST:
        yield f"it has {fps:g} frames/s: from {SLOWEST:g} to {FASTEST:g} are known"
    if len(skeleton) > MOST_JOINTS:
        yield f"its body has {len(skeleton):,} joints"
    for offsets in (skeleton.offsets, skeleton.tip_offsets):
        # written so that a value that is no number is at fault as well
        if offsets.size and not np.abs(offsets).max() <= LONGEST_BONE:
            yield f"a bone of its body is {np.abs(offsets).max():.3g} m long"


def place_faults(root: Array, name: str) -> Iterator[str]:
    """Where nobody goes: ``root (…, 3)``."""
    if not np.abs(root).max() <= FURTHEST:
        yield f"{name} is {np.abs(root).max():.3g} m away"
    elif np.ptp(root.reshape(-1, 3), axis=0).max() > FARTHEST_TRAVEL:
        yield f"{name} goes {np.ptp(root.reshape(-1, 3), axis=0).max():.3g} m"


def bound_faults(graph: MotionGraph) -> Iterator[str]:
    """What in a graph is too large, or missing."""
    yield from body_faults(graph.skeleton, graph.fps)
    for clip in graph.clips:
        if clip.window > len(clip):
            yield f"clip {clip.name!r} has {len(clip)} frames, but a window of {clip.window}"
        yield from place_faults(clip.motion.root, f"clip {clip.name!r}")
    edges = graph.edges
    if not len(edges):
        yield "the graph has no edges"
    else:
        if edges.cost.max() > _DEAREST:
            yield f"a transition costs {edges.cost.max():.3g} m"
        if np.abs(edges.angle).max() > _MOST_TURN:
            yield f"a transition turns by {np.abs(edges.angle).max():.3g} radians"
        if max(np.abs(edges.x).max(), np.abs(edges.z).max()) > 2 * FURTHEST:
            yield "a transition leads out of the world"
        stuck = np.flatnonzero(np.bincount(edges.source, minlength=len(graph)) == 0)
        if len(stuck):
            yield f"no edge leaves node {stuck[0]}"
