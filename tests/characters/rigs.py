"""Rigged meshes as other tools make them, made by code: any names, axes, units and poses, on the samples' body."""

from __future__ import annotations

import json
import struct
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kinegraph import samples
from kinegraph.arrays import Array
from kinegraph.mannequin.body import mannequin
from kinegraph.motion import Skeleton, kinematics, rotation
from kinegraph.motion.body import ROLES

Name = Callable[[str], str]


def table(central: str, arms: str, legs: str, left: str, right: str) -> dict[str, str]:
    """Role → name, from names in the order of the roles with ``*`` for the side."""
    found = dict(zip(("hips", "spine", "chest", "neck", "head"), central.split(), strict=True))
    parts = ("collar", "shoulder", "elbow", "wrist", "hip", "knee", "ankle", "toe")
    for side, mark in (("left", left), ("right", right)):
        found |= {
            f"{side}_{part}": name.replace("*", mark)
            for part, name in zip(parts, (arms + " " + legs).split(), strict=True)
        }
    return found


NAMES: dict[str, dict[str, str]] = {
    "Mixamo": table(
        "mixamorig:Hips mixamorig:Spine mixamorig:Spine2 mixamorig:Neck mixamorig:Head",
        "mixamorig:*Shoulder mixamorig:*Arm mixamorig:*ForeArm mixamorig:*Hand",
        "mixamorig:*UpLeg mixamorig:*Leg mixamorig:*Foot mixamorig:*ToeBase", "Left", "Right",
    ),
    "Unreal": table(
        "pelvis spine_01 spine_03 neck_01 head", "clavicle_* upperarm_* lowerarm_* hand_*", "thigh_* calf_* foot_* ball_*", "l", "r"
    ),
    "Rigify": table(
        "DEF-spine DEF-spine.001 DEF-spine.003 DEF-neck DEF-head", "DEF-shoulder.* DEF-upper_arm.* DEF-forearm.* DEF-hand.*",
        "DEF-thigh.* DEF-shin.* DEF-foot.* DEF-toe.*", "L", "R",
    ),
    "VRoid": table(
        "J_Bip_C_Hips J_Bip_C_Spine J_Bip_C_Chest J_Bip_C_Neck J_Bip_C_Head",
        "J_Bip_*_Shoulder J_Bip_*_UpperArm J_Bip_*_LowerArm J_Bip_*_Hand",
        "J_Bip_*_UpperLeg J_Bip_*_LowerLeg J_Bip_*_Foot J_Bip_*_ToeBase", "L", "R",
    ),
    "Biped": table(
        "Bip01_Pelvis Bip01_Spine Bip01_Spine1 Bip01_Neck Bip01_Head",
        "Bip01_*_Clavicle Bip01_*_UpperArm Bip01_*_Forearm Bip01_*_Hand", "Bip01_*_Thigh Bip01_*_Calf Bip01_*_Foot Bip01_*_Toe0", "L", "R",
    ),
    "plain": table(
        "torso_joint_1 torso_joint_2 torso_joint_3 neck_joint_1 neck_joint_2", "arm_joint_*_1 arm_joint_*_2 arm_joint_*_3 arm_joint_*_4",
        "leg_joint_*_1 leg_joint_*_2 leg_joint_*_3 leg_joint_*_5", "L", "R",
    ),
    "numbers": {role: f"bone_{number:03d}" for number, role in enumerate(ROLES)},
}  # fmt: skip

_VRM = {
    "hips": "hips", "spine": "spine", "chest": "chest", "neck": "neck", "head": "head",
    **{
        f"{side}_{role}": f"{side}{bone}"
        for side in ("left", "right")
        for role, bone in (
            ("collar", "Shoulder"), ("shoulder", "UpperArm"), ("elbow", "LowerArm"), ("wrist", "Hand"),
            ("hip", "UpperLeg"), ("knee", "LowerLeg"), ("ankle", "Foot"), ("toe", "Toes"),
        )
    },
}  # fmt: skip


@dataclass
class Made:
    """A rig: its file, its skeleton, and which joint of it has which role."""

    path: Path
    tree: dict[str, Any]
    blob: bytes
    roles: dict[str, str] = field(default_factory=dict)

    def array(self, values: Array, kind: str, component: int) -> int:
        """One more accessor; its number."""
        data = np.ascontiguousarray(values).tobytes()
        self.blob += b"\0" * (-len(self.blob) % 4)
        self.tree["bufferViews"].append({"buffer": 0, "byteOffset": len(self.blob), "byteLength": len(data)})
        self.blob += data
        told = {"bufferView": len(self.tree["bufferViews"]) - 1, "componentType": component, "count": len(values)}
        self.tree["accessors"].append(told | {"type": kind})
        return len(self.tree["accessors"]) - 1

    def numbers(self, accessor: int, kind: str) -> NDArray[Any]:
        """The numbers of an accessor, ``(count, …)``, to be changed in a copy."""
        told = self.tree["accessors"][accessor]
        begin = self.tree["bufferViews"][told["bufferView"]]["byteOffset"]
        width = {"VEC3": 3, "VEC4": 4, "MAT4": 16, "SCALAR": 1}[told["type"]]
        return np.frombuffer(self.blob, kind, told["count"] * width, begin).reshape(told["count"], width)

    def node(self, name: str) -> int:
        """The number of a node."""
        return next(number for number, node in enumerate(self.tree["nodes"]) if node.get("name") == name)

    def add_joint(self, name: str, parent: str, place: Sequence[float]) -> int:
        """One more joint, without any skin, at a place in its parent's axes; its node."""
        skin, nodes = self.tree["skins"][0], self.tree["nodes"]
        above = self.node(parent)
        inverse = self.numbers(skin["inverseBindMatrices"], "<f4").reshape(-1, 4, 4).transpose(0, 2, 1)
        on = np.eye(4)
        on[:3, 3] = place
        own = np.linalg.inv(on) @ inverse[skin["joints"].index(above)]
        nodes.append({"name": name, "translation": list(place)})
        nodes[above].setdefault("children", []).append(len(nodes) - 1)
        skin["joints"].append(len(nodes) - 1)
        matrices = np.concatenate([inverse, own[None]]).transpose(0, 2, 1).reshape(-1, 16)
        skin["inverseBindMatrices"] = self.array(matrices.astype("<f4"), "MAT4", 5126)
        return len(nodes) - 1

    def save(self, path: Path | None = None) -> Path:
        """Write it as GLB, with whatever a test has changed."""
        self.tree["buffers"] = [{"byteLength": len(self.blob)}]
        text = json.dumps(self.tree).encode()
        text += b" " * (-len(text) % 4)
        data = self.blob + b"\0" * (-len(self.blob) % 4)
        chunks = struct.pack("<I4s", len(text), b"JSON") + text + struct.pack("<I4s", len(data), b"BIN\0") + data
        target = path or self.path
        target.write_bytes(struct.pack("<4sII", b"glTF", 2, 12 + len(chunks)) + chunks)
        return target


def make(
    path: Path,
    *,
    names: Mapping[str, str] | str = "Mixamo",
    up: str = "y",
    unit: float = 1.0,
    facing: float = 0.0,
    lowered: float = 0.0,
    twists: bool = False,
    root: bool = False,
    vrm: int | None = None,
    posed: bool = False,
    size: float = 1.0,
    legs: bool = True,
    arms: float = 1.0,
) -> Made:
    """A rig with the samples' body, in a file.

    up, unit: vertical axis of the mesh, and metres of its unit; an armature over the joints makes metres and Y up of them. facing: degrees
    that it is turned about the vertical. lowered: degrees that the arms hang below a T-pose. twists: with two twist bones on each forearm
    and one on each upper arm. root: with a joint on the floor above the hips. vrm: the version of a humanoid in the file's extensions.
    posed: the nodes lie there in another pose than the one that the mesh was bound in. size: how large the body is. legs: without, a bust.
    arms: how many times as long they are as usual.
    """
    called = NAMES[names] if isinstance(names, str) else dict(names)
    skeleton, vertices, faces, joints, weights = _body(lowered, size, arms)
    role_of = {joint: role for role, joint in skeleton.roles.items()}
    places = skeleton.rest + skeleton.offsets[0]
    places[:, 1] -= vertices[:, 1].min()
    vertices = vertices - [0.0, vertices[:, 1].min(), 0.0]
    labels = [called.get(role_of.get(joint, ""), f"extra_{joint}") for joint in range(len(skeleton))]
    parents = skeleton.parents.tolist()
    if twists:
        places, parents, labels, joints, weights = _twisted(
            skeleton, places, parents, labels, vertices, joints, weights
        )
    if root:
        places = np.concatenate([np.zeros((1, 3)), places])
        parents = [-1, *(parent + 1 for parent in parents)]
        labels, joints = ["root", *labels], joints + 1
    if not legs:
        kept = np.isin(
            np.arange(len(labels)), [number for number, name in enumerate(labels) if not _of_legs(name, called)]
        )
        places, labels, parents, joints, weights = _without(kept, places, labels, parents, joints, weights)
    turn = rotation.to_matrix(rotation.from_axis_angle([0.0, 1.0, 0.0], np.deg2rad(facing)))
    if up == "z":
        turn = rotation.to_matrix(rotation.from_axis_angle([1.0, 0.0, 0.0], 0.5 * np.pi)) @ turn
    rng = np.random.default_rng(7)
    axes = rotation.to_matrix(rotation.normalize(rng.normal(size=(len(labels), 4))))
    bound = np.tile(np.eye(4), (len(labels), 1, 1))
    bound[:, :3, :3] = turn @ axes
    bound[:, :3, 3] = places @ turn.T / unit
    armature = np.eye(4)
    armature[:3, :3] = unit * (turn if facing == 0 else _up_only(up)).T
    return _file(
        path, labels, parents, bound, armature, vertices @ turn.T / unit, faces, joints, weights, called, vrm, posed
    )


def _up_only(up: str) -> Array:
    return rotation.to_matrix(rotation.from_axis_angle([1.0, 0.0, 0.0], 0.5 * np.pi)) if up == "z" else np.eye(3)


def _body(lowered: float, size: float, arms: float) -> tuple[Skeleton, Array, Array, Array, Array]:
    """The samples' body and its mannequin in a T-pose, or with arms that are lowered."""
    skeleton = samples.make("walk").motion.skeleton.scaled(size)
    if arms != 1.0:
        longer = skeleton.offsets.copy()
        for side in ("left", "right"):
            longer[list(skeleton.below(skeleton.joint(f"{side}_shoulder")))] *= arms
        skeleton = replace(skeleton, offsets=longer)
    mesh = mannequin(skeleton)
    places, turns = kinematics.forward(skeleton, skeleton.offsets[0], mesh.bind)
    for sign, side in ((-1.0, "left"), (1.0, "right")):
        bend = rotation.from_axis_angle([0.0, 0.0, sign], np.deg2rad(lowered))
        shoulder = skeleton.joint(f"{side}_shoulder")
        for joint in (shoulder, *skeleton.below(shoulder)):
            turns[joint] = rotation.multiply(bend, turns[joint])
    at, _ = kinematics.forward(skeleton, skeleton.offsets[0], kinematics.local(skeleton, turns))
    moved = np.zeros_like(mesh.vertices)
    back = rotation.inverse(kinematics.forward(skeleton, skeleton.offsets[0], mesh.bind)[1])
    for column in range(4):
        held = mesh.joints[:, column]
        own = rotation.rotate(back[held], mesh.vertices - places[held])
        moved += mesh.weights[:, column, None] * (rotation.rotate(turns[held], own) + at[held])
    offsets = at.copy()
    offsets[1:] -= at[skeleton.parents[1:]]
    posed = Skeleton(skeleton.names, skeleton.parents, offsets, overrides=dict(skeleton.roles))
    return posed, moved, mesh.faces, mesh.joints, mesh.weights


def _twisted(
    skeleton: Skeleton,
    places: Array,
    parents: list[int],
    labels: list[str],
    vertices: Array,
    joints: Array,
    weights: Array,
) -> tuple[Array, list[int], list[str], Array, Array]:
    """With twist bones along forearms (at a third and two thirds) and upper arms (at the top), to which the skin nearest them is bound."""
    joints, places = joints.copy(), list(places)
    for side in ("left", "right"):
        for top, end, shares in (("elbow", "wrist", (1 / 3, 2 / 3)), ("shoulder", "elbow", (0.0,))):
            start, stop = skeleton.joint(f"{side}_{top}"), skeleton.joint(f"{side}_{end}")
            axis = places[stop] - places[start]
            for share in shares:
                places.append(places[start] + share * axis)
                parents.append(start)
                labels.append(f"{labels[start]}_twist_{round(10 * share):02d}")
                along = (vertices - places[start]) @ axis / float(axis @ axis)
                near = (joints[:, 0] == start) & (np.abs(along - share) < 1 / 6)
                joints[near, 0] = len(places) - 1
    return np.array(places), parents, labels, joints, weights


def _of_legs(name: str, called: Mapping[str, str]) -> bool:
    return name in {called[f"{side}_{part}"] for side in ("left", "right") for part in ("hip", "knee", "ankle", "toe")}


def _without(
    kept: Array, places: Array, labels: list[str], parents: list[int], joints: Array, weights: Array
) -> tuple[Array, list[str], list[int], Array, Array]:
    number = np.cumsum(kept) - 1
    chosen = np.flatnonzero(kept)
    return (
        places[chosen],
        [labels[joint] for joint in chosen],
        [-1 if parents[joint] < 0 else int(number[parents[joint]]) for joint in chosen],
        np.where(kept[joints], number[joints], 0),
        weights,
    )


def _file(
    path: Path, labels: list[str], parents: list[int], bound: Array, armature: Array, vertices: Array, faces: Array, joints: Array,
    weights: Array, called: Mapping[str, str], vrm: int | None, posed: bool,
) -> Made:  # fmt: skip
    made = Made(path, {}, b"", dict(called))
    views: list[dict[str, Any]] = []
    accessors: list[dict[str, Any]] = []

    def add(values: Array, kind: str, component: int, target: int | None = None, **more: Any) -> int:
        data = np.ascontiguousarray(values).tobytes()
        made.blob += b"\0" * (-len(made.blob) % 4)
        view = {"buffer": 0, "byteOffset": len(made.blob), "byteLength": len(data)}
        views.append(view | ({} if target is None else {"target": target}))
        made.blob += data
        accessors.append(
            {"bufferView": len(views) - 1, "componentType": component, "count": len(values), "type": kind} | more
        )
        return len(accessors) - 1

    places = vertices.astype("<f4")
    held = np.where(weights > 0, joints, 0)
    share = weights.astype("<f4")
    share[np.arange(len(share)), share.argmax(axis=1)] += 1.0 - share.sum(axis=1)
    bounds = {"min": places.min(axis=0).tolist(), "max": places.max(axis=0).tolist()}
    attributes = {
        "POSITION": add(places, "VEC3", 5126, 34962, **bounds),
        "JOINTS_0": add(held.astype("<u2"), "VEC4", 5123, 34962),
        "WEIGHTS_0": add(share, "VEC4", 5126, 34962),
    }
    indices = add(faces.astype("<u4").ravel(), "SCALAR", 5125, 34963)
    inverse = add(np.linalg.inv(bound).transpose(0, 2, 1).reshape(-1, 16).astype("<f4"), "MAT4", 5126)
    # a picture is kept as it is: its bytes need not be one
    picture = b"\x89PNG\r\n\x1a\n" + bytes(range(64))
    nodes: list[dict[str, Any]] = []
    for number, (label, parent) in enumerate(zip(labels, parents, strict=True)):
        local = bound[number] if parent < 0 else np.linalg.inv(bound[parent]) @ bound[number]
        turn = rotation.from_matrix(local[:3, :3])
        if posed and parent >= 0:
            turn = rotation.multiply(turn, rotation.from_axis_angle([1.0, 0.0, 0.0], 0.4))
        node = {"name": label, "translation": local[:3, 3].tolist(), "rotation": np.roll(turn, -1).tolist()}
        below = [child for child, above in enumerate(parents) if above == number]
        nodes.append(node | ({"children": below} if below else {}))
    count = len(nodes)
    nodes.append({"name": "Hero", "mesh": 0, "skin": 0})
    nodes.append({"name": "Armature", "matrix": armature.T.ravel().tolist(), "children": [0]})
    made.tree = {
        "asset": {"version": "2.0", "generator": "rigs.py"},
        "scene": 0,
        "scenes": [{"nodes": [count + 1, count]}],
        "nodes": nodes,
        "skins": [{"name": "Hero", "joints": list(range(count)), "inverseBindMatrices": inverse}],
        "meshes": [{"name": "Hero", "primitives": [{"attributes": attributes, "indices": indices, "material": 0}]}],
        "materials": [
            {"name": "skin", "pbrMetallicRoughness": {"baseColorFactor": [0.8, 0.5, 0.4, 1.0], "metallicFactor": 0.0}}
        ],
        "bufferViews": views,
        "accessors": accessors,
    }
    made.blob += b"\0" * (-len(made.blob) % 4) + picture
    if vrm is not None:
        bones = {_VRM[role]: labels.index(name) for role, name in called.items() if role in _VRM and name in labels}
        told: Any = {bone: {"node": node} for bone, node in bones.items()}
        if vrm == 0:
            told = [{"bone": bone, "node": node} for bone, node in bones.items()]
        name = "VRM" if vrm == 0 else "VRMC_vrm"
        made.tree["extensions"] = {name: {"humanoid": {"humanBones": told}}}
        made.tree["extensionsUsed"] = [name]
    made.save()
    return made
