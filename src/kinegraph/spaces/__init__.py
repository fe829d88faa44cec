"""Parametric motion: punch or kick a target, inside and beyond what was captured.

>>> from kinegraph import samples, spaces
>>> space = spaces.build([samples.make(name).motion for name in samples.names() if name.startswith("punch")], "punch").space
>>> made = space.reach((0.1, 1.4))
>>> made.reached, made.hit[:2].round(3).tolist()
(True, [0.1, 1.4])
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from kinegraph.spaces.builder import Built, build
    from kinegraph.spaces.finder import Found, find
    from kinegraph.spaces.space import Reach, Space
    from kinegraph.spaces.store import check, load, names, save

__all__ = [
    "Built",
    "Found",
    "Reach",
    "Space",
    "build",
    "check",
    "find",
    "load",
    "names",
    "save",
]

# imported on first use: to find strikes takes none of what it takes to blend them
_HOMES = {
    **dict.fromkeys(("Built", "build"), "builder"),
    **dict.fromkeys(("Found", "find"), "finder"),
    **dict.fromkeys(("Reach", "Space"), "space"),
    **dict.fromkeys(("check", "load", "names", "save"), "store"),
}


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
