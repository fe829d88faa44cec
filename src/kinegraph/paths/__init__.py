"""Curves over the floor: shapes, splines, files, arc length; and motions that are bent onto them.

>>> import kinegraph as kg
>>> made = kg.paths.repath(kg.samples.make("walk").motion, kg.paths.read_curve("circle:2"))
>>> made.slides.overall[1] < 1e-6
True
"""

from typing import TYPE_CHECKING

from kinegraph import lazy

if TYPE_CHECKING:
    from kinegraph.paths.bspline import Spline as Spline
    from kinegraph.paths.describing import describe_curve as describe_curve
    from kinegraph.paths.editing.course import Course as Course
    from kinegraph.paths.editing.course import course_of as course_of
    from kinegraph.paths.editing.editor import PathEditor as PathEditor
    from kinegraph.paths.editing.editor import repath as repath
    from kinegraph.paths.editing.repathed import Repathed as Repathed
    from kinegraph.paths.ground import GROUNDS as GROUNDS
    from kinegraph.paths.ground import register_ground as register_ground
    from kinegraph.paths.path import Path as Path
    from kinegraph.paths.reading import from_sketch as from_sketch
    from kinegraph.paths.reading import read as read
    from kinegraph.paths.reading import read_curve as read_curve
    from kinegraph.paths.reading import write as write
    from kinegraph.paths.shapes import SHAPES as SHAPES
    from kinegraph.paths.shapes import register_shape as register_shape

__getattr__, __dir__, __all__ = lazy.attach(__name__)
