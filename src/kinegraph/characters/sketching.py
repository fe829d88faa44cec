"""A sketch of a rigged mesh: its joints and what they were taken for, also where that was not enough for a character."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from os import PathLike
from pathlib import Path

import numpy as np

from kinegraph.arrays import Array, Indices
from kinegraph.characters import character as characters
from kinegraph.characters.roles import Roles, upright


@dataclass(frozen=True, eq=False)
class Sketch:
    """Joints of a body in its bind pose: names, parents ``(J,)``, places ``(J, 3)`` with Y up; mesh ``(V, 3)``: the vertices."""

    name: str
    names: tuple[str, ...]
    parents: Indices
    places: Array
    mesh: Array
    roles: Roles


def sketch(path: str | PathLike[str], *, roles: Mapping[str, str] | None = None, skin: str | None = None) -> Sketch:
    """The joints of a file's body and their roles, whether they are enough for a character or not; options as for `load`.

    >>> import pathlib, tempfile
    >>> import kinegraph as kg
    >>> file = pathlib.Path(tempfile.mkdtemp(), "hero.glb")
    >>> kg.save(kg.samples.make("stand").motion, file)
    >>> sketch(file).roles.how["left_knee"]
    'names'
    """
    path = Path(path)
    best = max(characters.found_in(path, roles, skin), key=lambda one: (not one.roles.faults, len(one.roles.joints)))
    bones, points, found = best.bones, best.points, best.roles
    if not found.faults:
        hero = characters.load(path, roles=roles, skin=skin)
        return Sketch(path.stem, bones.names, bones.parents, hero.places, hero.points.places, found)
    turn = upright(bones.up)
    places, mesh = bones.places @ turn.T, points.places @ turn.T
    # joints, since skin may be anywhere in a file that is damaged
    floor = np.array([0.0, float(places[:, 1].min()), 0.0])
    return Sketch(path.stem, bones.names, bones.parents, places - floor, mesh - floor, found)
