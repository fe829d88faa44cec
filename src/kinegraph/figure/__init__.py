"""A body for a skeleton: a mesh that moves with its joints, so that a motion is seen as a person wherever it is taken."""

from kinegraph.figure.mannequin import mannequin
from kinegraph.figure.mesh import Mesh, Part
from kinegraph.figure.skinning import deformed

__all__ = ["Mesh", "Part", "deformed", "mannequin"]
