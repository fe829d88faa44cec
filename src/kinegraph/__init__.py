"""kinegraph: motion capture made reusable.

>>> import kinegraph as kg
>>> from kinegraph import samples
>>> walk = samples.make("walk").motion          # or kg.load("16_15.amc")
>>> walk.positions.shape                        # metres, world, Y up
(257, 24, 3)
>>> kg.mirror(walk.resample(30)[10:80])
Motion('walk', 70 frames at 30/s, 24 joints)
"""

from importlib import import_module
from typing import Any

from kinegraph.errors import KinegraphError
from kinegraph.formats import load, save
from kinegraph.motion import FloorTransform, Motion, Skeleton, concatenate, display, mirror, retarget

__version__ = "0.1.0"

__all__ = [
    "FloorTransform",
    "KinegraphError",
    "Motion",
    "Skeleton",
    "__version__",
    "concatenate",
    "load",
    "mirror",
    "retarget",
    "save",
]

# imported on first use: `kg.samples`, `kg.graph`, …
_LATE = (
    "blending", "evaluate", "feet", "fetch", "graph", "paths", "player", "plots", "render", "samples", "similarity", "spaces",
    "walks",
)  # fmt: skip


# notebooks show a motion with the player, which is imported by the first of them
display.show_by(lambda motion: str(import_module(f"{__name__}.player").notebook(motion)))


def __getattr__(name: str) -> Any:
    if name in _LATE:
        return import_module(f"{__name__}.{name}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
