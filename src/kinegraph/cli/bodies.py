"""The body that clips are moved to: the skeleton of an ASF or of any motion file."""

from __future__ import annotations

from pathlib import Path

from kinegraph.cli import console, reading
from kinegraph.formats import asf, units
from kinegraph.motion import Skeleton


def body(path: Path) -> Skeleton:
    """The skeleton of a file, in metres."""
    if path.suffix.lower() != ".asf":
        return reading.read(path).skeleton
    skeleton = asf.read(path)
    tree = skeleton.skeleton()
    factor, notices = units.choose("auto", tree.stature, skeleton.metres_per_unit)
    for sentence in notices:
        console.notice(sentence, str(path))
    return tree.scaled(factor)
