"""What a figure is made from: lines to loft along, and shells with their weights, gathered part by part."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from kinegraph.arrays import Array
from kinegraph.mannequin.loft import Shell, vertex_normals
from kinegraph.mannequin.mesh import Mesh, MeshPart
from kinegraph.mannequin.skinning import along_chain, strongest
from kinegraph.mannequin.stance import Standing
from kinegraph.motion import rotation


@dataclass(frozen=True)
class Line:
    """Straight pieces through points, which go on straight beyond both ends. Places on it are metres from the first point."""

    points: Array
    """``(K, 3)``: no two neighbours are equal."""

    @cached_property
    def starts(self) -> Array:
        """Where each point lies ``(K,)`` along the line."""
        return np.concatenate([[0.0], np.cumsum(rotation.length(np.diff(self.points, axis=0)))])

    @cached_property
    def _directions(self) -> Array:
        pieces = np.diff(self.points, axis=0)
        directions: Array = pieces / rotation.length(pieces)[:, None]
        return directions

    def at(self, measures: Array) -> Array:
        """Points ``(N, 3)`` at ``measures (N,)``."""
        piece = np.clip(np.searchsorted(self.starts, measures, side="right") - 1, 0, len(self._directions) - 1)
        points: Array = self.points[piece] + (measures - self.starts[piece])[:, None] * self._directions[piece]
        return points

    def tangents(self, measures: Array, reach: float) -> Array:
        """Unit directions ``(N, 3)`` of the line; its corners are rounded over ``reach`` metres."""
        chord = self.at(measures + reach) - self.at(measures - reach)
        size = rotation.length(chord)[:, None]
        piece = np.clip(np.searchsorted(self.starts, measures, side="right") - 1, 0, len(self._directions) - 1)
        # where a line turns right back, the chord has no length
        return np.where(size > 0.1 * reach, chord / np.maximum(size, 1e-12), self._directions[piece])

    def measure(self, points: Array) -> Array:
        """The places ``(N,)`` along the line that are nearest to ``points (N, 3)``."""
        away = points[:, None] - self.points[:-1]
        lengths = np.diff(self.starts)
        low, high = np.zeros(len(lengths)), lengths.copy()
        low[0], high[-1] = -np.inf, np.inf
        along = np.clip(np.einsum("nki,ki->nk", away, self._directions), low, high)
        gap = rotation.length(away - along[..., None] * self._directions)
        best = np.argmin(gap, axis=1)
        measures: Array = self.starts[best] + along[np.arange(len(points)), best]
        return measures

    def places(self, numbers: Array) -> Array:
        """Metres ``(N,)`` along the line of places counted in points: 0 is the first, 1.5 is half-way from the second to the third."""
        last = len(self.points) - 1
        piece = np.clip(numbers.astype(np.intp), 0, last - 1)
        return self.starts[piece] + (numbers - piece) * np.diff(self.starts)[piece]


@dataclass
class Sculpture:
    """A figure in the making: its shells so far."""

    stance: Standing
    size: float
    """The person's height in metres; all measures are shares of it."""
    _shells: dict[str, list[tuple[Shell, Array]]] = field(default_factory=dict)

    def add(self, part: str, shell: Shell, weights: Array) -> None:
        """Add a closed shell to a part; weights: ``(V, J)``, of all joints."""
        self._shells.setdefault(part, []).append((shell, weights))

    def rigid(self, shell: Shell, joint: int) -> Array:
        """Weights ``(V, J)`` of a shell that follows one joint."""
        return self.weights(joints=[joint], shares=np.ones((len(shell.vertices), 1)))

    def weights(self, joints: Sequence[int], shares: Array) -> Array:
        """Weights ``(V, J)`` of all joints from shares ``(V, K)`` of a few."""
        weights = np.zeros((len(shares), len(self.stance.skeleton)))
        for column, joint in enumerate(joints):
            weights[:, joint] += shares[:, column]
        return weights

    def chained(
        self, shell: Shell, line: Line, joints: Sequence[int], reach: Mapping[int, float], usual: float
    ) -> Array:
        """Weights ``(V, J)`` of a shell along a line of joints; each joint takes over where it stands.

        reach: over how many metres it does so, for joints that have their own.
        """
        starts = np.maximum.accumulate(line.measure(self.stance.positions[list(joints)]))
        reaches = [reach.get(joint, usual) for joint in joints]
        return self.weights(joints, along_chain(shell.along, starts, reaches))

    def points_below(self, joint: int) -> list[Array]:
        """Positions ``(3,)`` of the joints and tips below a joint."""
        stance, skeleton = self.stance, self.stance.skeleton
        below = skeleton.below(joint)
        held = [
            stance.tips[tip] for tip, parent in enumerate(skeleton.tip_parents) if parent == joint or parent in below
        ]
        return [*(stance.positions[j] for j in below), *held]

    def mesh(self, colours: Mapping[str, tuple[float, float, float]]) -> Mesh:
        """All parts in the order of ``colours`` as one mesh."""
        vertices, faces, weights, parts = [], [], [], []
        vertex_count = face_count = 0
        for part, colour in colours.items():
            first = face_count
            for shell, shares in self._shells.get(part, []):
                vertices.append(shell.vertices)
                weights.append(shares)
                faces.append(shell.faces + vertex_count)
                vertex_count += len(shell.vertices)
                face_count += len(shell.faces)
            if face_count > first:
                parts.append(MeshPart(part, colour, first, face_count))
        all_vertices, all_faces = np.concatenate(vertices), np.concatenate(faces)
        joints, strengths = strongest(np.concatenate(weights))
        return Mesh(
            bind=self.stance.rotations,
            vertices=all_vertices,
            normals=vertex_normals(all_vertices, all_faces),
            faces=all_faces,
            joints=joints,
            weights=strengths,
            parts=tuple(parts),
        )
