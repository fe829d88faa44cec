"""A motion in another tool's conventions, before it is written: the way back of what `raw.finish` does to a file that was read."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import count
from os import PathLike

import numpy as np

from kinegraph.arrays import Array
from kinegraph.errors import FormatError
from kinegraph.formats.raw import RawMotion
from kinegraph.formats.units import metres_per_unit
from kinegraph.mannequin.mesh import Mesh
from kinegraph.motion import Motion, kinematics, rotation

# Y up to Z up: a quarter turn about X, after which the body faces −Y, as it does in Blender's front view
_TO_Z_UP = rotation.from_axis_angle([1.0, 0.0, 0.0], 0.5 * np.pi)


def to_axes(up: str) -> Array:
    """The rotation ``(4,)`` from our axes, Y up, to those with ``up`` (``"y"`` or ``"z"``) as the vertical."""
    if up not in ("y", "z"):
        raise FormatError(f"unknown vertical axis {up!r}: expected y or z")
    return _TO_Z_UP if up == "z" else rotation.identity()


def prepared(motion: Motion, *, units: str | float = "m", up: str = "y", in_place: bool = False) -> RawMotion:
    """The motion with lengths in ``units`` and ``up`` as its vertical axis, skeleton and all: nothing is left to a tool's import settings.

    in_place: the root stays over its first place on the floor; heights and turns stay.
    """
    turn = to_axes(up)
    factor = metres_per_unit(units)
    root = motion.root
    if in_place:
        root = root.copy()
        root[:, [0, 2]] = root[0, [0, 2]]
    skeleton = motion.skeleton
    rotations, translations = motion.rotations, motion.translations
    if up == "z":
        # every joint's axes turn along with the world's, so that the rest pose keeps its own parallel to them
        rotations = rotation.multiply(rotation.multiply(turn, rotations), rotation.inverse(turn))
        translations = None if translations is None else rotation.rotate(turn, translations)
        skeleton = replace(
            skeleton,
            offsets=rotation.rotate(turn, skeleton.offsets),
            tip_offsets=rotation.rotate(turn, skeleton.tip_offsets),
        )
    return RawMotion(
        skeleton=skeleton.scaled(1.0 / factor),
        root=rotation.rotate(turn, root) / factor,
        rotations=rotations,
        fps=motion.fps,
        translations=None if translations is None else translations / factor,
        metres_per_unit=factor,
        notices=motion.notices,
    )


@dataclass(frozen=True, eq=False)
class Dressed:
    """What tools with bones and skins take: a motion in their conventions, and the pose that its skin was made in.

    skin: the surface, or None. bind: ``(J, 4)`` local rotations of that pose; places ``(J, 3)`` and turns ``(J, 4)``: of its joints in the
    world. The pose stands on the floor over the origin, since tools take the size of a character from it.
    """

    raw: RawMotion
    skin: Mesh | None
    bind: Array
    places: Array
    turns: Array


def character(
    motion: Motion, *, units: str | float = "m", up: str = "y", in_place: bool = False, mesh: bool = True
) -> Dressed:
    """The motion as `prepared` gives it, with a mannequin (``mesh``) in the same conventions, else bound in its rest pose."""
    raw = prepared(motion, units=units, up=up, in_place=in_place)
    turn, joints = to_axes(up), raw.skeleton
    skin, bind = None, rotation.identity(len(joints))
    if mesh:
        from kinegraph.mannequin.body import mannequin  # a table of numbers needs no body

        made = mannequin(motion.skeleton, motion)
        bind = rotation.multiply(rotation.multiply(turn, made.bind), rotation.inverse(turn))
        if len(made.faces):
            vertices = rotation.rotate(turn, made.vertices - motion.skeleton.offsets[0]) / metres_per_unit(units)
            skin = replace(made, bind=bind, vertices=vertices, normals=rotation.rotate(turn, made.normals))
    places, turns = kinematics.forward(joints, np.zeros(3), bind)
    points = np.concatenate([places, kinematics.tips(joints, places, turns)]) if skin is None else skin.vertices
    upward = rotation.rotate(turn, [0.0, 1.0, 0.0])
    lift = upward * -float((points @ upward).min())
    if skin is not None:
        skin = replace(skin, vertices=skin.vertices + lift)
    return Dressed(raw, skin, bind, places + lift, turns)


def same_timeline(motion: Motion, first: Motion | None, path: str | PathLike[str], *, whole: bool = True) -> Motion:
    """The first of people who move at the same time; one whose rate, or in a ``whole`` timeline whose frames, differ is refused."""
    if first is not None and (motion.fps != first.fps or (whole and len(motion) != len(first))):
        raise FormatError(
            f"people in one file share its timeline: {motion.name or 'one'} has {len(motion)} frames at {motion.fps:g}/s, "
            f"{first.name or 'the first'} {len(first)} at {first.fps:g}/s; cut or resample them first",
            path,
        )
    return first or motion


def unique(names: Iterable[str], joint: str = ".") -> list[str]:
    """The names in order, each once: a name that was there before gets ``joint`` and a number.

    >>> unique(["hand", "hand", "hand.2", "hand"])
    ['hand', 'hand.3', 'hand.2', 'hand.4']
    """
    given = list(names)
    # a name somebody gave is never taken by one that was made up
    taken = set(given)
    chosen: list[str] = []
    seen = set[str]()
    for name in given:
        if name in seen:
            name = next(other for number in count(2) if (other := f"{name}{joint}{number}") not in taken)
            taken.add(name)
        seen.add(name)
        chosen.append(name)
    return chosen


def identifier(name: str) -> str:
    """The name as tools with strict rules take it: letters, digits and underscores, no digit first.

    >>> identifier("mixamorig:Hips"), identifier("2nd toe"), identifier("")
    ('mixamorig_Hips', '_2nd_toe', '_')
    """
    plain = re.sub(r"[^A-Za-z0-9_]", "_", name)
    return plain if re.match(r"[A-Za-z_]", plain) else f"_{plain}"
