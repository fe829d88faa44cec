"""Bodies out of files: the skeleton of an ASF, or of any motion file."""

from __future__ import annotations

from os import PathLike
from pathlib import Path

from kinegraph.formats import asf, units
from kinegraph.formats.registry import load
from kinegraph.motion.skeleton import Skeleton


def read_body(path: str | PathLike[str]) -> tuple[Skeleton, tuple[str, ...]]:
    """The skeleton of a file, in metres, and what had to be assumed."""
    path = Path(path)
    if path.suffix.lower() != ".asf":
        return load(path).skeleton, ()
    found = asf.read(path)
    tree = found.skeleton()
    factor, notices = units.choose("auto", tree.stature, found.metres_per_unit)
    return tree.scaled(factor), tuple(notices)
