"""A body for a skeleton: a mesh that moves with its joints, so that every viewer shows a motion as a person.

>>> import kinegraph as kg
>>> kg.mannequin.mannequin(kg.samples.skeleton()).vertices.shape
(2844, 3)
"""

from typing import TYPE_CHECKING

from kinegraph import lazy

if TYPE_CHECKING:
    from kinegraph.mannequin.body import mannequin as mannequin
    from kinegraph.mannequin.mesh import Mesh as Mesh
    from kinegraph.mannequin.mesh import MeshPart as MeshPart
    from kinegraph.mannequin.skinning import deformed as deformed

__getattr__, __dir__, __all__ = lazy.attach(__name__)
