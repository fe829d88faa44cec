"""Offline: from clips to a pruned motion graph, kept in one `.mog` file.

>>> from kinegraph import graph, samples
>>> made = graph.build([samples.make(name).motion for name in ("walk", "walk_left_medium", "walk_right_medium")])
>>> made.report.kept > 0.9 * made.report.attainable
True
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from kinegraph.graph.builder import add, build, rechoose, remove
    from kinegraph.graph.model import Clip, Kind, MotionGraph
    from kinegraph.graph.parameters import Parameters
    from kinegraph.graph.store import check, digest, load, save

__all__ = [
    "Clip",
    "Kind",
    "MotionGraph",
    "Parameters",
    "add",
    "build",
    "check",
    "digest",
    "load",
    "rechoose",
    "remove",
    "save",
]

# imported on first use: to read a graph takes none of what it takes to build one
_HOMES = {
    **dict.fromkeys(("add", "build", "rechoose", "remove"), "builder"),
    **dict.fromkeys(("Clip", "Kind", "MotionGraph"), "model"),
    **dict.fromkeys(("check", "digest", "load", "save"), "store"),
    "Parameters": "parameters",
}


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
