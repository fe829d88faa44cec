"""The flat arrays of a graph as its file holds them: what they are called, and of what kind they are."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from kinegraph.graph.model import Clip, MotionGraph
from kinegraph.graph.rounding import packed_root, packed_rotations
from kinegraph.graph.store.stored import StoredMotion, sha_of
from kinegraph.motion.clip import Motion
from kinegraph.similarity.candidates import Candidates, Named, Names
from kinegraph.similarity.minima import Minima

FRAMES: Final[Mapping[str, tuple[str, int]]] = {
    "root": ("<f4", 3), "contacts": ("u1", 4), "sound": ("u1", 1), "heading": ("<f8", 1),
}  # fmt: skip
"""Of all clips' frames in a row: kind, and how many to a frame."""
DERIVED: Final = ("heading",)
"""What follows from the rest, and stands there lest every clip be read for it."""
NODE: Final[Mapping[str, str]] = {"clip": "<i4", "frame": "<i4"}
EDGE: Final[Mapping[str, str]] = {
    "source": "<i4", "target": "<i4", "kind": "u1", "length": "<i4", "cost": "<f8", "angle": "<f8", "x": "<f8", "z": "<f8",
}  # fmt: skip
PAIR: Final[Mapping[str, str]] = {"a": "<i4", "b": "<i4", "window": "<i4", "counts": "<i4"}
MINIMUM: Final[Mapping[str, str]] = {"first": "<i4", "second": "<i4", "cost": "<f8"}
KINDS: Final[Mapping[str, str]] = {
    **{name: kind for name, (kind, _) in FRAMES.items()},
    **{f"node_{name}": kind for name, kind in NODE.items()},
    **{f"edge_{name}": kind for name, kind in EDGE.items()},
    **{f"candidate_{name}": kind for name, kind in ({**PAIR, **MINIMUM}).items()},
}
"""Every array, and of what kind its numbers are."""


def arrays_of(graph: MotionGraph) -> Iterator[tuple[str, NDArray[Any]]]:
    """Every array of a graph by its name, as a file holds it."""
    yield from given_arrays(graph.clips, graph.record.candidates)
    yield from chosen_arrays(graph)


def given_arrays(clips: Sequence[Clip], candidates: Mapping[Names, Minima]) -> Iterator[tuple[str, NDArray[Any]]]:
    """Those that are known before transitions are chosen."""
    motions = [clip.motion for clip in clips]
    yield "root", np.concatenate([packed_root(motion.root) for motion in motions])
    yield "contacts", np.concatenate([clip.contacts for clip in clips]).view("u1")
    yield "sound", np.concatenate([clip.sound for clip in clips]).view("u1")
    known = motions[0].skeleton.has_roles("left_hip", "right_hip")
    yield "heading", _plain(np.concatenate([np.empty(0), *(motion.heading() for motion in motions if known)]), "<f8")
    found = Named.of(candidates).numbered(sorted(clip.name for clip in clips))
    for name, kind in ({**PAIR, **MINIMUM}).items():
        yield f"candidate_{name}", _plain(getattr(found, name), kind)


def chosen_arrays(graph: MotionGraph) -> Iterator[tuple[str, NDArray[Any]]]:
    """The others."""
    yield "node_clip", _plain(graph.node_clip, "<i4")
    yield "node_frame", _plain(graph.node_frame, "<i4")
    for name, kind in EDGE.items():
        yield f"edge_{name}", _plain(getattr(graph.edges, name), kind)


def candidates_of(arrays: Mapping[str, NDArray[Any]]) -> Candidates:
    """The candidates of their arrays, which must fit each other."""
    a, b, window, counts = (arrays[f"candidate_{name}"] for name in PAIR)
    first, second, cost = (arrays[f"candidate_{name}"] for name in MINIMUM)
    if not len(a) == len(b) == len(window) == len(counts) or (counts < 0).any():
        raise ValueError("the columns of the candidates do not fit each other")
    offsets = np.concatenate([[0], np.cumsum(counts, dtype=np.int64)])
    if not len(first) == len(second) == len(cost) == offsets[-1]:
        raise ValueError("candidates are as many as they are not said to be")
    return Candidates(a, b, window, offsets, first, second, cost)


def rotations_sha(motion: Motion) -> str:
    """SHA-256 of a clip's rotations as a file holds them."""
    return motion.sha256 if isinstance(motion, StoredMotion) else sha_of(packed_rotations(motion.rotations))


def raw_rotations(motion: Motion) -> bytes:
    """A clip's rotations as a file holds them."""
    return motion.raw() if isinstance(motion, StoredMotion) else packed_rotations(motion.rotations).tobytes()


def _plain(values: NDArray[Any], kind: str) -> NDArray[Any]:
    """In C order; a zero has no sign."""
    plain = np.ascontiguousarray(values, dtype=kind)
    return plain + 0.0 if kind == "<f8" else plain
