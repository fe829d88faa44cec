"""Crowds: many people on one graph, each of whom goes their way and walks into nobody.

>>> import kinegraph as kg
>>> names = ("stand", "start", "walk", "walk_left_medium", "walk_right_medium", "stop")
>>> graph = kg.build([kg.samples.make(name).motion for name in names])
>>> crowd = kg.crowd(graph, "hallway:6", seconds=2)
>>> crowd.root.shape, crowd.motion(0)
((61, 6, 3), Motion('person_0', 61 frames at 30/s, 24 joints))
"""

from typing import TYPE_CHECKING

from kinegraph import lazy

if TYPE_CHECKING:
    from kinegraph.crowds.dumping import Dumped as Dumped
    from kinegraph.crowds.dumping import dump as dump
    from kinegraph.crowds.following import Followers as Followers
    from kinegraph.crowds.reading import scenario_of as scenario_of
    from kinegraph.crowds.report import Report as Report
    from kinegraph.crowds.result import Crowd as Crowd
    from kinegraph.crowds.scenario import CrowdError as CrowdError
    from kinegraph.crowds.scenario import Party as Party
    from kinegraph.crowds.scenario import Roam as Roam
    from kinegraph.crowds.scenario import Route as Route
    from kinegraph.crowds.scenario import Scenario as Scenario
    from kinegraph.crowds.scenario import Spots as Spots
    from kinegraph.crowds.shapes import Polygon as Polygon
    from kinegraph.crowds.shapes import Rectangle as Rectangle
    from kinegraph.crowds.shapes import Round as Round
    from kinegraph.crowds.shapes import Wall as Wall
    from kinegraph.crowds.simulation import Simulation as Simulation
    from kinegraph.crowds.simulation import crowd as crowd
    from kinegraph.crowds.tracks import Trajectories as Trajectories
    from kinegraph.crowds.tracks import Trajectory as Trajectory
    from kinegraph.crowds.tracks import read_tracks as read_tracks

__getattr__, __dir__, __all__ = lazy.attach(__name__)
