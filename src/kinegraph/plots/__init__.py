"""Pictures of distances, graphs, paths, walks and strikes, drawn with matplotlib to PNG, SVG or PDF files.

They need the extra ``kinegraph[plot]``.

>>> import kinegraph as kg
>>> import pathlib, tempfile
>>> file = pathlib.Path(tempfile.mkdtemp(), "eight.svg")
>>> kg.plots.path_picture(kg.paths.read("eight:2.5"), file)
>>> file.read_bytes()[:5]
b'<?xml'
"""

from typing import TYPE_CHECKING

from kinegraph import lazy

if TYPE_CHECKING:
    from kinegraph.plots.course import course_picture as course_picture
    from kinegraph.plots.course import path_picture as path_picture
    from kinegraph.plots.curve import curve_picture as curve_picture
    from kinegraph.plots.directed import directed_picture as directed_picture
    from kinegraph.plots.distance import distance_picture as distance_picture
    from kinegraph.plots.graph import graph_picture as graph_picture
    from kinegraph.plots.repath import repath_picture as repath_picture
    from kinegraph.plots.space import space_picture as space_picture
    from kinegraph.plots.walked import walked_picture as walked_picture

__getattr__, __dir__, __all__ = lazy.attach(__name__)
