"""A character: a rigged mesh of a file, whose joints have roles, so that any motion can be put on it."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from os import PathLike
from pathlib import Path
from typing import NamedTuple

import numpy as np

from kinegraph.arrays import Array
from kinegraph.characters import bones as joints_of
from kinegraph.characters import points as points_of
from kinegraph.characters import roles as roles_of
from kinegraph.characters import stance
from kinegraph.characters.bones import Bones
from kinegraph.characters.points import SkinPoints
from kinegraph.characters.roles import Roles
from kinegraph.errors import FormatError, RoleError
from kinegraph.formats.gltf import container, rig
from kinegraph.formats.gltf.accessors import Accessors
from kinegraph.formats.gltf.document import Document, Element
from kinegraph.formats.gltf.nodes import Nodes
from kinegraph.motion import Skeleton, body, rotation

SUFFIXES = (".glb", ".gltf", ".vrm")
"""What characters are read from."""

BELOW = 0.039
"""What a foot without any skin has below its ankle, in heights of the body."""

# Metres between which people are; beyond, a unit was probably mistaken.
_SMALLEST, _TALLEST = 0.3, 4.0
# Metres: nothing that walks, in whatever unit, and more than can be drawn or computed with.
_TOWERING = 1e6


@dataclass(frozen=True, eq=False)
class Character:
    """J joints of a file and the mesh that follows them, in its bind pose: on the floor over the origin, Y up, facing +Z, in metres."""

    path: Path
    document: Document
    bones: Bones
    """As the file has them, along the axes of the mesh."""
    points: SkinPoints
    """Every vertex."""
    roles: Roles
    skeleton: Skeleton
    """Rests in the bind pose; end nodes are its tips."""
    turns: Array
    """``(J, 4)``: how the joints' own axes lie in that pose."""
    notices: tuple[str, ...] = ()
    corners: Array = field(default_factory=lambda: np.zeros((0, 3)))
    """``(C, 3)``: of boxes about the mesh, where that is all that can be read of it."""

    def __repr__(self) -> str:
        return f"Character({self.name!r}: {len(self.skeleton)} joints, {len(self.roles.joints)} roles, {len(self.points):,} vertices)"

    @property
    def name(self) -> str:
        """The file's, without its suffix."""
        return self.path.stem

    @cached_property
    def places(self) -> Array:
        """Where ``(J, 3)`` the joints stand."""
        places: Array = self.skeleton.rest + self.skeleton.offsets[0]
        return places

    @cached_property
    def height(self) -> float:
        """Of the whole, in metres."""
        known = (self.points.places, self.corners, self.places)
        tall = next(places for places in known if len(places))
        return float(tall[:, 1].max() - min(tall[:, 1].min(), 0.0))


def load(path: str | PathLike[str], *, roles: Mapping[str, str] | None = None, skin: str | None = None) -> Character:
    """The character of a `.glb`, `.gltf` or `.vrm` file; it need not have any animation.

    roles: role → name of the node, where names and shape do not tell, or tell wrongly; these can also stand in a TOML file of the same
    name beside it (``hero.toml``), in lines such as ``left_ankle = "Foot_L"``. skin: the name of the one that is meant, where there are
    several bodies; it can stand there too.

    >>> import pathlib, tempfile
    >>> import kinegraph as kg
    >>> file = pathlib.Path(tempfile.mkdtemp(), "hero.glb")
    >>> kg.save(kg.samples.make("walk").motion, file)
    >>> load(file).roles.missing
    ()
    """
    path = Path(path)
    found = found_in(path, roles, skin)
    document = found[0].document
    nodes = Nodes(document)
    whole = [one for one in found if not one.roles.faults]
    if len(whole) > 1:
        raise rig.undecided(
            [one.body for one in whole], nodes, document, f"in a file {path.with_suffix('.toml').name} beside it"
        )
    if not whole:
        raise _refused(path, found)
    chosen, notices = whole[0], whole[0].notices
    # eyes and hats that have joints of their own on its head go with it
    others = [one.body for one in found if one is not chosen and not rig.hangs_on(one.body[0], chosen.body[0], nodes)]
    if others:
        left_out = [rig.skin_name(skins[0], nodes) for skins, _ in others]
        notices = (*notices, f"skins that are no body of a person stay as they are: {', '.join(left_out)}")
    return _stood(path, chosen, notices)


def found_in(path: Path, roles: Mapping[str, str] | None = None, skin: str | None = None) -> list[FoundBody]:
    """Every body of a file, with the roles of its joints, as far as they were found; options as for `load`."""
    if path.suffix.lower() not in SUFFIXES:
        through = " (open the FBX in Blender and export it as glTF 2.0)" if path.suffix.lower() == ".fbx" else ""
        raise FormatError(f"a character is read from {', '.join(SUFFIXES)}{through}", path)
    told = beside(path)
    skin = skin or told.pop("skin", None)
    given = {**told, **(roles or {})}
    document = container.parse(path)
    nodes, accessors = Nodes(document), Accessors(document)
    return [_body(document, nodes, accessors, one, given) for one in _bodies(document, nodes, skin)]


def beside(path: Path) -> dict[str, str]:
    """The roles that a TOML file beside a character tells, and its skin; none where there is no such file."""
    file = path.with_suffix(".toml")
    if not file.is_file():
        return {}
    try:
        table = tomllib.loads(file.read_text(encoding="utf-8"))
    except (OSError, tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise FormatError(f"this is no TOML file of roles: {error}", file) from error
    if not all(isinstance(joint, str) for joint in table.values()):
        raise FormatError('expected lines such as left_ankle = "Foot_L"', file)
    return {str(role): str(joint) for role, joint in table.items()}


_Body = tuple[list[Element], rig.Rig]


class FoundBody(NamedTuple):
    """A body of a file. tips: for each joint, its end nodes."""

    body: _Body
    bones: Bones
    points: SkinPoints
    roles: Roles
    notices: tuple[str, ...]
    tips: list[list[Array]]
    document: Document
    corners: Array


def _bodies(document: Document, nodes: Nodes, wanted: str | None) -> list[_Body]:
    """The bodies that may be meant."""
    if not document.root.count("skins"):
        meshes = document.root.count("meshes")
        held = f"{len(nodes)} nodes and {meshes} mesh{'es' * (meshes != 1)}"
        parts = "its parts move by themselves" if meshes > 1 else "it has no armature, or was exported without"
        raise FormatError(
            f"there is no skin in it, only {held}: {parts}, and a character is a mesh that is bound to joints. In Blender, join the parts "
            "(Ctrl J), add an armature, select the mesh and then the armature, parent them With Automatic Weights (Ctrl P), export both",
            document.path,
        )
    bodies = rig.skinned(document, nodes)
    if wanted is None:
        return bodies
    chosen = [one for one in bodies if wanted in (rig.skin_name(skin, nodes) for skin in one[0])]
    if not chosen:
        raise rig.unknown_skin(bodies, nodes, wanted, document)
    return chosen[:1]


def _body(document: Document, nodes: Nodes, accessors: Accessors, one: _Body, given: Mapping[str, str]) -> FoundBody:
    skins, joints = one
    bones = joints_of.of_rig(nodes, joints, skins, accessors)
    points, notices = points_of.of_body(document, nodes, bones, skins, accessors)
    tips = _tips(nodes, bones)
    found = roles_of.find(bones, points, tips, document, given)
    corners = np.zeros((0, 3)) if len(points) else points_of.corners_of_body(document, nodes, bones, skins)
    return FoundBody(one, bones, points, found, (*bones.notices, *notices), tips, document, corners)


def _tips(nodes: Nodes, bones: Bones) -> list[list[Array]]:
    """For each joint, where the end nodes are that hang on it, along the axes of the mesh."""
    known = set(bones.nodes)
    return [
        [
            (bones.bound[joint] @ joints_of.matrix(nodes.placement(child)))[:3, 3]
            for child in nodes.children[node]
            if child not in known and "mesh" not in nodes.element(child).fields
        ]
        for joint, node in enumerate(bones.nodes)
    ]


def _refused(path: Path, found: Sequence[FoundBody]) -> RoleError:
    """What was found, what is missing, and how to name it by hand."""
    best = max(found, key=lambda one: len(one.roles.joints))
    bones, roles = best.bones, best.roles
    others = "the others" if roles.missing else "them otherwise"
    known = ", ".join(f"{role} = {bones.names[joint]}" for role, joint in roles.joints.items()) or "none"
    lacking = next((role for role in body.ESSENTIAL if role not in roles.joints), "left_ankle")
    shown = ", ".join(bones.names[:30]) + (f", … {len(bones) - 30} more" if len(bones) > 30 else "")
    return RoleError(
        f"{path}: {'; '.join(roles.faults)}. Roles found: {known}. Name {others} with --role {lacking}=NODE, or in a file "
        f"{path.with_suffix('.toml').name} beside it (joints: {shown})"
    )


def _stood(path: Path, found: FoundBody, notices: tuple[str, ...]) -> Character:
    bones, points, roles, tips, document = found.bones, found.points, found.roles, found.tips, found.document
    turn = stance.axes(bones, roles.joints)
    places = bones.places @ turn.T
    mesh, corners = points.places @ turn.T, found.corners @ turn.T
    middle = 0.5 * (places[roles.joints["left_hip"]] + places[roles.joints["right_hip"]])
    low = min(part[:, 1].min() for part in ((mesh,) if len(mesh) else (corners, places)) if len(part))
    ankles = min(places[roles.joints[f"{side}_ankle"], 1] for side in body.SIDES)
    if len(mesh) and ankles < low:  # it ends above its feet, as half of a body does
        low = ankles - BELOW * (mesh[:, 1].max() - ankles)
        notices = (*notices, "its feet have no skin: they stand as their joints tell")
    shift = np.array([middle[0], low, middle[2]])
    ends = [(joint, turn @ tip - shift) for joint, some in enumerate(tips) for tip in some]
    places = places - shift
    offsets = places.copy()
    offsets[1:] -= places[bones.parents[1:]]
    skeleton = Skeleton(
        names=bones.names,
        parents=bones.parents,
        offsets=offsets,
        tip_parents=np.array([joint for joint, _ in ends], np.intp),
        tip_offsets=np.array([tip - places[joint] for joint, tip in ends]).reshape(-1, 3),
        overrides=roles.joints,
    )
    turns = rotation.multiply(rotation.from_matrix(turn), bones.turns)
    skin = SkinPoints(mesh - shift, points.joints, points.weights)
    made = Character(path, document, bones, skin, roles, skeleton, turns, corners=corners - shift)
    tall = made.height
    # written so that a height that is no number is refused as well
    if not tall <= _TOWERING:
        raise FormatError(
            f"the mesh is {tall:.3g} m tall in its bind pose: its weights or bind matrices are damaged", path
        )
    if not _SMALLEST <= tall <= _TALLEST:
        notices = (*notices, f"the character is {tall:.3g} m tall: it walks as far as its own legs take it")
    held = _held_at_once(document, bones, skeleton, roles.joints)
    if held:
        notices = (*notices, f"it holds several things in one hand, all of which are shown: {', '.join(held)}")
    if not len(points) and not any("cannot be seen" in told for told in notices):
        notices = (*notices, "no vertex of the mesh follows a joint: soles are guessed from the joints")
    return replace(made, notices=tuple(dict.fromkeys(notices)))


def _held_at_once(document: Document, bones: Bones, skeleton: Skeleton, roles: Mapping[str, int]) -> list[str]:
    """Names of things that hang in a hand, where there are several: a game shows one of them at a time, a file cannot say which."""
    nodes = Nodes(document)
    for side in body.SIDES:
        wrist = roles.get(f"{side}_wrist", roles.get(f"{side}_elbow"))
        if wrist is None:
            continue
        hand = {bones.nodes[joint] for joint in (wrist, *skeleton.below(wrist))}
        found: dict[int, list[str]] = {}
        for node in range(len(nodes)):
            # parts of a robot's fingers hang on a joint each
            holder = next((one for one in reversed(nodes.above(node)) if one in hand), None)
            if holder is not None and {"mesh"} == {"mesh", "skin"} & nodes.element(node).fields.keys():
                found.setdefault(holder, []).append(nodes.element(node).text("name", f"node {node}"))
        several = [name for names in found.values() if len(names) > 1 for name in names]
        if several:
            return several
    return []
