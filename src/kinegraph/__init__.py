"""kinegraph: motion capture made reusable.

>>> import kinegraph as kg
>>> walk = kg.samples.make("walk").motion       # or kg.load("16_15.amc")
>>> walk.positions.shape                        # metres, world, Y up
(257, 24, 3)
>>> kg.mirror(walk.resample(30)[10:80])
Motion('walk', 70 frames at 30/s, 24 joints)
>>> kg.repath(walk, "circle:2", cycle=True)     # new motion: the walk, bent round a circle
Made(repath 'walk on circle:2': 10.1 s, 39 plants, 3 transitions)
"""

from importlib import import_module
from typing import TYPE_CHECKING

from kinegraph import lazy
from kinegraph.motion import display
from kinegraph.version import __version__ as __version__

if TYPE_CHECKING:
    from kinegraph import blending as blending
    from kinegraph import characters as characters
    from kinegraph import crowds as crowds
    from kinegraph import evaluation as evaluation
    from kinegraph import experiments as experiments
    from kinegraph import feet as feet
    from kinegraph import fetch as fetch
    from kinegraph import formats as formats
    from kinegraph import graph as graph
    from kinegraph import mannequin as mannequin
    from kinegraph import motion as motion
    from kinegraph import paths as paths
    from kinegraph import people as people
    from kinegraph import player as player
    from kinegraph import plots as plots
    from kinegraph import rendering as rendering
    from kinegraph import samples as samples
    from kinegraph import scenes as scenes
    from kinegraph import similarity as similarity
    from kinegraph import strikes as strikes
    from kinegraph import tasks as tasks
    from kinegraph import walks as walks
    from kinegraph.crowds.simulation import crowd as crowd
    from kinegraph.errors import KinegraphError as KinegraphError
    from kinegraph.evaluation.quality.figures import evaluate as evaluate
    from kinegraph.formats.registry import load as load
    from kinegraph.formats.registry import save as save
    from kinegraph.motion.clip import Motion as Motion
    from kinegraph.motion.clip import concatenate as concatenate
    from kinegraph.motion.describing import describe as describe
    from kinegraph.motion.floor import FloorTransform as FloorTransform
    from kinegraph.motion.mirroring import mirror as mirror
    from kinegraph.motion.retargeting import retarget as retarget
    from kinegraph.motion.skeleton import Skeleton as Skeleton
    from kinegraph.paths.path import Path as Path
    from kinegraph.people.person import live as live
    from kinegraph.rendering.drawing import render as render
    from kinegraph.tasks.batch import direct_many as direct_many
    from kinegraph.tasks.made import Made as Made
    from kinegraph.tasks.verbs import build as build
    from kinegraph.tasks.verbs import clean as clean
    from kinegraph.tasks.verbs import compare as compare
    from kinegraph.tasks.verbs import convert as convert
    from kinegraph.tasks.verbs import direct as direct
    from kinegraph.tasks.verbs import follow as follow
    from kinegraph.tasks.verbs import join as join
    from kinegraph.tasks.verbs import learn as learn
    from kinegraph.tasks.verbs import repath as repath
    from kinegraph.tasks.verbs import steer as steer
    from kinegraph.tasks.verbs import strike as strike
    from kinegraph.tasks.verbs import visit as visit
    from kinegraph.tasks.verbs import wander as wander


__getattr__, __dir__, __all__ = lazy.attach(__name__)

# notebooks show a motion with the player, which is imported by the first of them
display.show_by(lambda motion: str(import_module(f"{__name__}.player").notebook(motion)))
