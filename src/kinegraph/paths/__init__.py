"""Curves on the floor: shapes, files, arc length; and motions bent onto them."""

from kinegraph.paths.path import Path
from kinegraph.paths.read import from_sketch, read, write

__all__ = ["Path", "from_sketch", "read", "write"]
