"""Curves over the floor: shapes, splines, files, arc length; and motions bent onto them.

>>> import kinegraph as kg
>>> made = kg.paths.repath(kg.samples.make("walk").motion, kg.paths.read_curve("circle:2"))
>>> made.slides.overall[1] < 1e-6
True
"""

from kinegraph.paths.bspline import Spline
from kinegraph.paths.editing.course import Course, course_of
from kinegraph.paths.editing.editor import PathEditor, repath
from kinegraph.paths.editing.repathed import Repathed
from kinegraph.paths.path import Path
from kinegraph.paths.read import from_sketch, read, read_curve, write

__all__ = [
    "Course", "Path", "PathEditor", "Repathed", "Spline", "course_of", "from_sketch", "read", "read_curve", "repath",
    "write",
]  # fmt: skip
