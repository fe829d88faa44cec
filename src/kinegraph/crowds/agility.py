"""Between avoidance, which moves discs, and bodies, compiled: where bodies are and go, and wishes that bodies can follow."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

from kinegraph.arrays import Array, Bools, Longs
from kinegraph.people.stepping import Cursors


class Agility(NamedTuple):
    """What bodies can do, and how wishes are made calm."""

    fps: float
    quicker: float = 2.0
    """m/s² by which a wish becomes faster or slower."""
    turn: float = 2.0
    """rad/s by which a wish turns."""
    starts: float = 0.6
    """m/s from which on who stands goes."""
    stops: float = 0.3
    """m/s below which who goes stands."""
    least: float = 0.6
    """m/s below which nobody is asked to walk: there are hardly steps so slow."""


@njit(cache=True, nogil=True)
def seen(
    cursors: Cursors, begin: Longs, steady: Array, speed: Array, way: Array, facing: Array, place: Array, velocity: Array, heading: Array
) -> None:
    """Fill where N people are ``(N, 2)``, how they go ``(N, 2)`` and where they face ``(N,)``, without the sway of their strides."""
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
        heading[person] = np.arctan2(face_x, face_z)


@njit(cache=True, nogil=True)
def calmed(wish: Array, stands: Bools, asked: Array, own: Agility) -> Array:
    """The sticks ``(N, 2)`` for the velocities that avoidance ``asked (N, 2)``; changes ``wish (N, 2)`` and who ``stands (N,)``."""
    stick = np.zeros((len(wish), 2))
    for person in range(len(wish)):
        x, z = wish[person]
        d_x, d_z = asked[person, 0] - x, asked[person, 1] - z
        most = own.quicker / own.fps
        length = np.hypot(d_x, d_z)
        if length > most:
            d_x, d_z = d_x * most / length, d_z * most / length
        wish[person, 0] += d_x
        wish[person, 1] += d_z
        speed = np.hypot(wish[person, 0], wish[person, 1])
        if stands[person] and speed > own.starts:
            stands[person] = False
        elif not stands[person] and speed < own.stops:
            stands[person] = True
        if not stands[person]:
            scale = max(speed, own.least) / max(speed, 1e-9)
            stick[person] = wish[person] * scale
    return stick
