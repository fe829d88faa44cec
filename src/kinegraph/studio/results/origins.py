"""What results are made from: a graph, a clip or a space of strikes, and whether it is still what it was."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any
from weakref import WeakKeyDictionary

from kinegraph.formats.intake import digest as motion_digest
from kinegraph.graph.model import MotionGraph
from kinegraph.graph.store.digests import digest as graph_digest
from kinegraph.motion import Motion
from kinegraph.paths.heightfield import HeightField
from kinegraph.strikes.space import Space
from kinegraph.strikes.store.rows import packed
from kinegraph.studio.workspace.workspace import Workspace

Origin = MotionGraph | Motion | Space | HeightField

GROUNDS = "grounds"
"""The folder of height fields."""

_DIGESTS: WeakKeyDictionary[Origin, str] = WeakKeyDictionary()


def origin_of(workspace: Workspace, kind: str, id: str, request: Mapping[str, Any]) -> Origin:
    """What the file of a result's source holds now."""
    if kind == "clip":
        return workspace.motion(id)
    return workspace.graph(id) if kind == "graph" else workspace.space(id, request.get("space"))


def ground_of(workspace: Workspace, request: Mapping[str, Any]) -> HeightField | None:
    """The height field that a request has named by its file; None where it names none."""
    ground = request.get("ground")
    return workspace.ground(ground) if isinstance(ground, str) and ground.startswith(f"{GROUNDS}/") else None


def digest(origin: Origin) -> str:
    """What is another whenever the content is; worked out once for each that is held, since a hand that drags asks again and again."""
    known = _DIGESTS.get(origin)
    if known is None:
        if isinstance(origin, MotionGraph):
            known = graph_digest(origin)
        elif isinstance(origin, HeightField):
            laid = f"{origin.heights.shape} {origin.x0} {origin.z0} {origin.step}".encode()
            known = hashlib.blake2s(laid + origin.heights.tobytes(), digest_size=16).hexdigest()
        else:
            known = motion_digest(origin) if isinstance(origin, Motion) else packed(origin).digest()
        _DIGESTS[origin] = known
    return known
