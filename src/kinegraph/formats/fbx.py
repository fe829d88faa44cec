"""Autodesk FBX, read and written through Blender (see `blender`), since its makers publish no description of it.

Written are a skeleton whose bones point from joint to joint, one animation, and the mannequin. FBX knows its own units and axes: nothing
is guessed from it when it is read.
"""

from __future__ import annotations

from collections.abc import Sequence
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np

from kinegraph.arrays import Array
from kinegraph.errors import FormatError, KinegraphError
from kinegraph.formats import blender
from kinegraph.formats.atomic import replacing
from kinegraph.formats.options import ReadOptions
from kinegraph.formats.outgoing import Dressed, character, to_axes, unique
from kinegraph.formats.raw import RawMotion
from kinegraph.mannequin.mesh import Mesh
from kinegraph.motion import Motion, Skeleton, kinematics, rotation

# Seconds granted to Blender: for starting and for what grows with the file.
_START = 120.0
_A_FRAME = 0.1
_A_MEGABYTE = 20.0
# Blender drops bones of no length, and has no names longer than this many bytes.
_SHORTEST = 0.005
_LONGEST_NAME = 63
# Share of a bone's length by which it may change and still be one of constant length: rounding in the file.
_RIGID = 1e-4


def read(path: str | PathLike[str], options: ReadOptions) -> RawMotion:
    """The one moving skeleton of an FBX file, sampled at the file's rate, with its rest pose as ours."""
    path = Path(path)
    try:
        megabytes = path.stat().st_size / 1e6
        with path.open("rb"):
            pass
    except OSError as error:
        raise FormatError(f"cannot be read: {error.strerror}", path) from error
    found = blender.run("read", path, purpose="reading FBX", seconds=_START + _A_MEGABYTE * megabytes)
    try:
        return _motion(found)
    except (KinegraphError, ValueError) as error:
        raise FormatError(f"the bones in it make no motion: {error}", path) from error


def write(
    motion: Motion,
    path: str | PathLike[str],
    *,
    units: str | float = "cm",
    up: str = "y",
    in_place: bool = False,
    mesh: bool = True,
) -> None:
    """Write an FBX file: lengths in ``units``, which the file names, ``up`` as its vertical axis (``"y"`` or ``"z"``).

    Centimetres and Y up are what most tools write themselves, and no importer has to scale or turn any object. in_place: the root stays
    over its first place on the floor; mesh: with a mannequin. Bones' names are made unique and cut to 63 bytes.
    """
    blender.command("writing FBX")  # where it is missing, nothing is begun
    made = character(motion, units=units, up=up, in_place=in_place, mesh=mesh)
    arrays = _bones(made, up) | ({} if made.skin is None else _skin(made.skin))
    settings = {
        "clip": _names([motion.name])[0],
        "fps": motion.fps,
        "up": up,
        "metres_per_unit": made.raw.metres_per_unit,
    }
    seconds = _START + _A_FRAME * len(motion)
    with replacing(Path(path)) as temporary:
        settings["path"] = str(temporary)
        blender.run("write", path, purpose="writing FBX", seconds=seconds, settings=settings, arrays=arrays)
        if temporary.stat().st_size == 0:
            raise FormatError("Blender wrote nothing", path)


# -- out --------------------------------------------------------------------------------------------------------------


def _bones(made: Dressed, up: str) -> dict[str, Any]:
    """The skeleton as bones: for each joint a frame with Y along its bone, in the bind pose and in every frame."""
    raw, places, turns = made.raw, made.places, made.turns
    skeleton = raw.skeleton
    front, upward = rotation.rotate(to_axes(up), np.array([[0.0, 0.0, 1.0], [0.0, 1.0, 0.0]]))
    along = _directions(skeleton, places, turns, upward)
    lengths = np.linalg.norm(along, axis=-1)
    frames = _frames(along / lengths[:, None], front, upward)
    positions, orientations = raw.world()
    carried = rotation.multiply(rotation.inverse(turns), frames)
    return {
        "names": np.array(_names(skeleton.names), dtype=np.str_),
        "parents": skeleton.parents,
        "rest": _matrices(places, frames),
        "lengths": np.maximum(lengths, _SHORTEST / (raw.metres_per_unit or 1.0)),
        "pose": _matrices(positions, rotation.multiply(orientations, carried)),
    }


def _names(names: Sequence[str]) -> list[str]:
    """Names as Blender has them: once each, and no longer than it bears."""
    return unique(map(_cut, names), "_")


def _cut(name: str) -> str:
    inside = name.encode()
    # room is left for the number of one that is there already
    return name if len(inside) <= _LONGEST_NAME else inside[: _LONGEST_NAME - 4].decode(errors="ignore")


def _directions(skeleton: Skeleton, places: Array, turns: Array, upward: Array) -> Array:
    """Where each joint's bone points, ``(J, 3)`` to its far end: the child, or else the tip, most in line with the bone before.

    Children at the joint's own place say nothing: theirs count instead. A last joint without a tip goes on as its parent does.
    """
    span = float(np.ptp(places, axis=0).max()) or 1.0
    ends: list[list[Array]] = [[] for _ in range(len(skeleton))]
    tips = kinematics.tips(skeleton, places, turns)
    for joint in reversed(range(len(skeleton))):
        # children stand behind their parents, so that all of this joint's have been seen; a heel is no end of an ankle that has toes
        if not ends[joint]:
            hanging = [tips[tip] - places[joint] for tip in skeleton.tips_of[joint]]
            ends[joint] = [end for end in hanging if np.linalg.norm(end) > 1e-4 * span]
        parent = int(skeleton.parents[joint])
        if parent >= 0:
            bone = places[joint] - places[parent]
            ends[parent].extend([bone] if np.linalg.norm(bone) > 1e-4 * span else ends[joint])
    # The root stands upright: where its children lie at its own place, Blender imports it as a bone of a tenth of a millimetre, and the
    # rounding of a slanting one's far end would turn all that hangs on it.
    along = np.empty((len(skeleton), 3))
    along[0] = upward * max([0.05 * span, *(float(end @ upward) for end in ends[0])])
    for joint, parent in enumerate(skeleton.parents[1:].tolist(), start=1):
        before = along[parent] / np.linalg.norm(along[parent])
        if ends[joint]:
            far = np.array(ends[joint])
            along[joint] = far[np.argmax(far @ before / np.linalg.norm(far, axis=-1))]
        else:
            along[joint] = 0.5 * along[parent]
    return along


def _frames(along: Array, front: Array, upward: Array) -> Array:
    """Orientations ``(J, 4)`` with Y along unit vectors ``(J, 3)`` and Z towards the body's front, or up for bones that point there."""
    towards = np.where((np.abs(along @ front) > 0.8)[:, None], upward, front)
    z = towards - np.einsum("ji,ji->j", towards, along)[:, None] * along
    z /= np.linalg.norm(z, axis=-1, keepdims=True)
    return rotation.from_matrix(np.stack([np.cross(along, z), along, z], axis=-1))


def _matrices(places: Array, turns: Array) -> Array:
    """``(..., 4, 4)`` acting on columns."""
    matrices = np.zeros((*places.shape[:-1], 4, 4))
    matrices[..., :3, :3] = rotation.to_matrix(turns)
    matrices[..., :3, 3] = places
    matrices[..., 3, 3] = 1.0
    return matrices


def _skin(skin: Mesh) -> dict[str, Any]:
    return {
        "vertices": skin.vertices,
        "normals": skin.normals,
        "faces": skin.faces,
        "joints": skin.joints,
        "weights": skin.weights,
        "part_names": np.array([part.name for part in skin.parts], dtype=np.str_),
        "part_colours": np.array([part.colour for part in skin.parts]),
        "part_of": np.concatenate([np.full(part.last - part.first, n) for n, part in enumerate(skin.parts)]),
    }


# -- in ---------------------------------------------------------------------------------------------------------------


def _motion(found: dict[str, Any]) -> RawMotion:
    """A motion from bones' matrices in Blender's world: metres, Z up."""
    names, parents = tuple(found["names"].tolist()), found["parents"].astype(np.intp)
    back = rotation.inverse(to_axes("z"))
    rest, pose = found["rest"], found["pose"]
    notices = []
    if len(found["others"]):
        notices.append(f"the file holds further animations, which were not read: {', '.join(found['others'].tolist())}")
    if np.count_nonzero(parents < 0) > 1:
        # several roots hang on one that never moves
        names, parents = ("root", *names), np.concatenate([[-1], parents + 1])
        rest = np.concatenate([np.eye(4)[None], rest])
        pose = np.concatenate([np.broadcast_to(np.eye(4), (len(pose), 1, 4, 4)), pose], axis=1)
        notices.append("the skeleton has several roots: hung on one that stands at the origin")
    places = rotation.rotate(back, pose[..., :3, 3])
    turns = rotation.multiply(
        rotation.multiply(back, _turns(pose)), rotation.inverse(rotation.multiply(back, _turns(rest)))
    )
    # the rest pose's bones have our axes: a joint's turn is the one since then
    bones = rotation.rotate(rotation.inverse(turns[:, parents[1:]]), places[:, 1:] - places[:, parents[1:]])
    translations = np.concatenate([places[:, :1], bones], axis=1)
    offsets = np.concatenate([np.zeros((1, 3)), np.median(bones, axis=0)])
    skeleton = Skeleton(names, parents, offsets)
    slack = _RIGID * max(float(np.linalg.norm(offsets, axis=-1).max()), 1e-9)
    rigid = bool(np.all(np.abs(bones - offsets[1:]) <= slack))
    return RawMotion(
        skeleton=skeleton,
        root=places[:, 0],
        rotations=rotation.unroll(kinematics.local(skeleton, turns)),
        fps=float(found["fps"]),
        translations=None if rigid else translations,
        metres_per_unit=1.0,
        notices=tuple(notices),
    )


def _turns(matrices: Array) -> Array:
    """Orientations ``(..., 4)`` of matrices ``(..., 4, 4)`` whose axes may be scaled."""
    axes = matrices[..., :3, :3]
    return rotation.from_matrix(axes / np.maximum(np.linalg.norm(axes, axis=-2, keepdims=True), 1e-12))
