"""The nodes of a glTF file: who hangs on whom, and where each stands when nothing moves it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from kinegraph.arrays import Array
from kinegraph.formats.gltf.document import Document, Element
from kinegraph.formats.text import quoted
from kinegraph.motion import rotation

# Columns of a matrix shorter than this have no direction.
_FLAT = 1e-12


@dataclass(frozen=True)
class Placement:
    """Where a node stands on its parent: translation ``(3,)``, rotation ``(4,)`` w x y z, scale ``(3,)``."""

    translation: Array
    rotation: Array
    scale: Array


class Nodes:
    """The forest of nodes. parents: −1 for those at the top; depths: 0 for them."""

    def __init__(self, document: Document):
        self._root = document.root
        count = self._root.count("nodes")
        self.parents = [-1] * count
        self.children: list[list[int]] = []
        for node in self._root.items("nodes"):
            below = node.integers("children")
            self.children.append(below)
            for child in below:
                self._root.item("nodes", child, node.where)
                if self.parents[child] >= 0:
                    raise node.error(
                        f"nodes[{child}] hangs on it and on nodes[{self.parents[child]}] too, and a node hangs on one only: "
                        "the file is damaged, export it again"
                    )
                self.parents[child] = len(self.children) - 1
        self.depths = [-1] * count
        reached = [index for index, parent in enumerate(self.parents) if parent < 0]
        for index in reached:  # grows as it goes
            parent = self.parents[index]
            self.depths[index] = self.depths[parent] + 1 if parent >= 0 else 0
            reached.extend(self.children[index])
        if len(reached) < count:
            raise self.element(self.depths.index(-1)).error("it hangs on itself: the nodes go round in a circle")

    def __len__(self) -> int:
        return len(self.parents)

    def element(self, index: int, asked_by: str = "") -> Element:
        """The node's object in the JSON."""
        return self._root.item("nodes", index, asked_by)

    def name(self, index: int) -> str:
        """What the node is called; its index where it has no name."""
        return self.element(index).text("name", f"node {index}")

    def names(self, indices: Sequence[int], most: int = 5) -> str:
        """The names of some nodes, for a message."""
        shown = ", ".join(quoted(self.name(index)) for index in indices[:most])
        return f"{shown} and {len(indices) - most} more" if len(indices) > most else shown

    def above(self, index: int) -> list[int]:
        """The nodes above a node, the topmost first."""
        path = []
        while (index := self.parents[index]) >= 0:
            path.append(index)
        return path[::-1]

    def placement(self, index: int) -> Placement:
        """Where the node stands on its parent when nothing moves it."""
        node = self.element(index)
        matrix = node.reals("matrix", 16)
        if matrix is not None:
            return taken_apart(matrix.reshape(4, 4).T)
        translation, turn, scale = node.reals("translation", 3), node.reals("rotation", 4), node.reals("scale", 3)
        return Placement(
            np.zeros(3) if translation is None else translation,
            rotation.IDENTITY if turn is None else rotation.normalize(np.roll(turn, 1)),
            np.ones(3) if scale is None else scale,
        )


def taken_apart(matrix: Array) -> Placement:
    """A placement from a matrix ``(4, 4)`` that acts on column vectors; whatever shear it holds is lost."""
    axes = matrix[:3, :3]
    scale = np.linalg.norm(axes, axis=0)
    if np.linalg.det(axes) < 0:
        scale = scale * [-1.0, 1.0, 1.0]
    sound = np.abs(scale) > _FLAT
    turn = rotation.from_matrix(axes / np.where(sound, scale, 1.0)) if sound.all() else rotation.IDENTITY
    return Placement(matrix[:3, 3], turn, scale)
