"""kinegraph: motion capture made reusable."""

from kinegraph.errors import KinegraphError
from kinegraph.formats import load, save
from kinegraph.motion import FloorTransform, Motion, Skeleton, concatenate, mirror, retarget

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
