"""Scenes: what happens where and when, and the motion that does it."""

from typing import TYPE_CHECKING

from kinegraph import lazy

if TYPE_CHECKING:
    from kinegraph.scenes.plan import ScenePlan as ScenePlan
    from kinegraph.scenes.plan import make_plan as make_plan
    from kinegraph.scenes.reading import read as read
    from kinegraph.scenes.reading import scene_of as scene_of
    from kinegraph.scenes.scene import Along as Along
    from kinegraph.scenes.scene import Key as Key
    from kinegraph.scenes.scene import Label as Label
    from kinegraph.scenes.scene import Pin as Pin
    from kinegraph.scenes.scene import PoseAt as PoseAt
    from kinegraph.scenes.scene import Scene as Scene
    from kinegraph.scenes.scene import StrikeAt as StrikeAt
    from kinegraph.scenes.scene import Wait as Wait
    from kinegraph.scenes.solver import SolvedScene as SolvedScene
    from kinegraph.scenes.solver import solve as solve
    from kinegraph.scenes.solver import solve_on as solve_on
    from kinegraph.scenes.trying import plan_and_solve as plan_and_solve
    from kinegraph.scenes.writing import toml as toml

__getattr__, __dir__, __all__ = lazy.attach(__name__)
