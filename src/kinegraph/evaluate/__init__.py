"""Judging: how good a motion is (`quality`), and what a graph is able to do (`capability`)."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from kinegraph.evaluate.capability import Capability
    from kinegraph.evaluate.quality import Quality, evaluate

__all__ = ["Capability", "Quality", "evaluate"]

# imported on first use: to judge a motion takes none of what it takes to search a graph
_HOMES = {"Capability": "capability", "Quality": "quality", "evaluate": "quality"}


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
