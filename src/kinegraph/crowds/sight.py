"""Where bodies are and how they go, without the sway of their strides: what avoidance sees of them."""

from __future__ import annotations

import numpy as np

from kinegraph.arrays import Array, Longs
from kinegraph.compiled import njit
from kinegraph.people.rows import rows
from kinegraph.people.steered import People
from kinegraph.people.stepping import Cursors


class Sight:
    """What is seen of N people; `look` brings it up to date."""

    def __init__(self, people: People, size: Array | None = None) -> None:
        """size: ``(N,)``, by how much each is larger than they are kept; places and velocities are those in the world."""
        self._people, self._rows = people, rows(people.graph)
        self._size = np.ones(people.count) if size is None else size
        self.place: Array = np.zeros((people.count, 2))
        """``(N, 2)``: x and z."""
        self.velocity: Array = np.zeros((people.count, 2))
        """``(N, 2)``: m/s."""
        self.heading: Array = np.zeros(people.count)
        """``(N,)``: where they face, radians."""
        self.look()

    def look(self) -> None:
        """See where everybody is now."""
        own = self._rows
        seen(
            self._people.cursors,
            own.tables.begin,
            own.steady,
            own.speed,
            own.way,
            own.facing,
            self._size,
            self.place,
            self.velocity,
            self.heading,
        )


@njit(cache=True, nogil=True)
def seen(
    cursors: Cursors,
    begin: Longs,
    steady: Array,
    speed: Array,
    way: Array,
    facing: Array,
    size: Array,
    place: Array,
    velocity: Array,
    heading: Array,
) -> None:
    """Fill place, velocity ``(N, 2)`` and heading ``(N,)`` of N people of ``size (N,)`` from those of the rows that they are between."""
    for person in range(len(place)):
        phase = cursors.phase[person]
        place[person], velocity[person] = 0.0, 0.0
        face_x = face_z = 0.0
        for k in range(2):
            weight = 1.0 - phase if k == 0 else phase
            row = begin[cursors.edge[person, k]] + cursors.step[person, k]
            angle, x, z = cursors.place[person, k]
            cosine, sine = np.cos(angle), np.sin(angle)
            place[person, 0] += weight * (cosine * steady[row, 0] + sine * steady[row, 1] + x)
            place[person, 1] += weight * (cosine * steady[row, 1] - sine * steady[row, 0] + z)
            own = speed[row] * cursors.pace[person] * weight
            velocity[person, 0] += own * np.sin(angle + way[row])
            velocity[person, 1] += own * np.cos(angle + way[row])
            face_x += weight * np.sin(angle + facing[row])
            face_z += weight * np.cos(angle + facing[row])
        place[person] *= size[person]
        velocity[person] *= size[person]
        heading[person] = np.arctan2(face_x, face_z)
