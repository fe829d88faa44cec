"""Which nodes of a glTF file are the body: those of its skin, or, where it has none, those that are animated."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

import numpy as np

from kinegraph.arrays import Array
from kinegraph.errors import FormatError
from kinegraph.formats.gltf.accessors import Accessors
from kinegraph.formats.gltf.document import Document, Element
from kinegraph.formats.gltf.nodes import Nodes, taken_apart
from kinegraph.formats.text import quoted
from kinegraph.motion import rotation

# More joints than any body has, fingers, face and skirts included: a file with more is damaged or no body's.
_MOST_JOINTS = 10_000
# Bodies of one file that are looked at to find the one that moves.
_MOST_BODIES = 100
# Skins that are told by name.
_LISTED = 10


@dataclass(frozen=True)
class Rig:
    """The joints of a body as nodes, parents before children.

    joints: node of each joint. parents: joint above each, −1 for the first. above: nodes over the first joint, the topmost first.
    bind: world rotation ``(4,)`` by node in the pose in which the skin was bound. skin: the first skin, if any.
    """

    joints: tuple[int, ...]
    parents: tuple[int, ...]
    above: tuple[int, ...]
    bind: dict[int, Array] = field(default_factory=dict)
    skin: Element | None = None
    notices: tuple[str, ...] = ()

    @property
    def all_nodes(self) -> frozenset[int]:
        """Every node whose motion moves a joint."""
        return frozenset(self.joints) | frozenset(self.above)


def of_skins(
    document: Document, nodes: Nodes, accessors: Accessors, animated: Collection[int], wanted: str | None = None
) -> Rig | None:
    """The body of the document's skins; None where there are none.

    Skins that share joints (clothes, hair, eyes) are one body. Of several bodies the one with a skin of the name that is ``wanted`` is
    taken, or else the one that is ``animated``; where that does not decide, the user has to.
    """
    skins = document.root.items("skins")
    if not skins:
        if wanted is not None:
            raise FormatError(f"there is no skin in it, and so none that is called {quoted(wanted)}", document.path)
        return None
    bodies = skinned(document, nodes)
    rigs = [rig for _, rig in bodies]
    moving = [index for index, rig in enumerate(rigs) if not rig.all_nodes.isdisjoint(animated)]
    chosen = moving or list(range(len(rigs)))
    # eyes and hats that have joints of their own on a body's head are none
    chosen = [one for one in chosen if not any(hangs_on(bodies[one][0], bodies[other][0], nodes) for other in chosen)]
    if wanted is not None:
        chosen = [
            index for index, (members, _) in enumerate(bodies) if wanted in (skin_name(skin, nodes) for skin in members)
        ]
        if not chosen:
            raise unknown_skin(bodies, nodes, wanted, document)
    if len(chosen) > 1:
        raise undecided([bodies[index] for index in chosen], nodes, document)
    (index,) = chosen
    members, rig = bodies[index][0], rigs[index]
    bind: dict[int, Array] = {}
    for skin in members:
        bind |= _bound(skin, accessors)
    left_out = [_skin_name(others[0], nodes) for place, (others, _) in enumerate(bodies) if place != index]
    notices = (
        (f"skins that are not animated are left out: {', '.join(left_out)}",) if left_out and wanted is None else ()
    )
    return Rig(rig.joints, rig.parents, rig.above, bind, members[0], notices)


def hangs_on(one: Sequence[Element], other: Sequence[Element], nodes: Nodes) -> bool:
    """Whether all joints of one body's skins hang on joints of another's."""
    joints = {joint for skin in other for joint in skin.integers("joints")}
    return not any(joints.isdisjoint(nodes.above(joint)) for skin in one for joint in skin.integers("joints"))


def skinned(document: Document, nodes: Nodes) -> list[tuple[list[Element], Rig]]:
    """Every body of the document's skins: the skins that share joints, and the joints of all of them."""
    bodies = _bodies(document.root.items("skins"), len(nodes))
    if len(bodies) > _MOST_BODIES:
        raise FormatError(f"there are {len(bodies)} skins: export only one", document.path)
    found: list[tuple[list[Element], list[int], Rig]] = []
    for members, joints in bodies:
        rig = _gathered(nodes, joints, document)
        # some tools give each mesh joints of its own, which hang between those of the others
        while among := next((one for one in found if not set(one[2].joints).isdisjoint(rig.joints)), None):
            found.remove(among)
            members, joints = [*among[0], *members], [*among[1], *joints]
            rig = _gathered(nodes, joints, document)
        found.append((sorted(members, key=lambda skin: -len(skin.integers("joints"))), joints, rig))
    return [(members, rig) for members, _, rig in found]


def undecided(
    bodies: Sequence[tuple[list[Element], Rig]], nodes: Nodes, document: Document, where: str = ""
) -> FormatError:
    """What to say where several bodies may be meant, and where it can be said which."""
    names = [_skin_name(members[0], nodes) for members, _ in bodies]
    what = (
        f"Say skin = {names[0]} {where or '(convert --skin)'}, or export only one"
        if len(set(names)) == len(names)
        else "Export only one"
    )
    return FormatError(
        f"there are {len(bodies)} skins, {', '.join(names[:_LISTED])}: which one is meant? {what}", document.path
    )


def unknown_skin(
    bodies: Sequence[tuple[list[Element], Rig]], nodes: Nodes, wanted: str, document: Document
) -> FormatError:
    """What to say where no skin has the name that is wanted."""
    others = ", ".join(_skin_name(members[0], nodes) for members, _ in bodies[:_LISTED])
    return FormatError(f"no skin is called {quoted(wanted)}; there is {others}", document.path)


def of_nodes(document: Document, nodes: Nodes, animated: Collection[int]) -> Rig:
    """The animated nodes and those between them, for a file without a skin."""
    rig = _gathered(nodes, sorted(animated), document)
    notice = f"there is no skin: the {len(rig.joints)} animated nodes, and those between them, are taken as joints"
    return Rig(rig.joints, rig.parents, rig.above, notices=(notice,))


def _bodies(skins: Sequence[Element], nodes: int) -> list[tuple[list[Element], list[int]]]:
    """Skins that share joints together, each group with all its joints in the order of the file."""
    leader = list(range(len(skins)))
    owner: dict[int, int] = {}

    def leading(skin: int) -> int:
        while leader[skin] != skin:
            leader[skin] = leader[leader[skin]]
            skin = leader[skin]
        return skin

    for index, skin in enumerate(skins):
        joints = skin.integers("joints")
        if not joints:
            raise skin.error("it has no joints")
        if max(joints) >= nodes:
            raise skin.error(f"refers to nodes[{str(max(joints))[:20]}], but there are {nodes}")
        if len(set(joints)) < len(joints):
            raise skin.error("it lists a joint twice")
        for joint in joints:
            leader[leading(index)] = leading(owner.setdefault(joint, index))
    groups: dict[int, tuple[list[Element], dict[int, None]]] = {}
    for index, skin in enumerate(skins):
        members, together = groups.setdefault(leading(index), ([], {}))
        members.append(skin)
        together.update(dict.fromkeys(skin.integers("joints")))
    return [(members, list(together)) for members, together in groups.values()]


def skin_name(skin: Element, nodes: Nodes) -> str:
    """What a skin is called: where it has no name, as its first joint is."""
    return skin.text("name") or nodes.name(skin.integers("joints")[0])


def _skin_name(skin: Element, nodes: Nodes) -> str:
    return quoted(skin_name(skin, nodes))


def _bound(skin: Element, accessors: Accessors) -> dict[int, Array]:
    """World rotation ``(4,)`` of the skin's joints when it was bound, where the file says so and it makes sense."""
    joints = skin.integers("joints")
    if "inverseBindMatrices" not in skin.fields:
        return {}
    matrices = accessors.get(skin.integer("inverseBindMatrices"), "MAT4", skin.place("inverseBindMatrices"))
    if len(matrices) < len(joints):
        raise skin.error(f"{len(joints)} joints, but only {len(matrices)} inverse bind matrices")
    turns = [taken_apart(matrix.reshape(4, 4).T).rotation for matrix in matrices[: len(joints)]]
    return dict(zip(joints, rotation.inverse(np.array(turns)), strict=True))


def _gathered(nodes: Nodes, wanted: Sequence[int], document: Document) -> Rig:
    """The ``wanted`` nodes with those between them, below the lowest node that is above or among them all."""
    top, inside = _common(nodes, wanted, document)
    if len(inside) > _MOST_JOINTS:
        raise FormatError(f"{len(inside)} joints are more than any body has ({_MOST_JOINTS:,} are read)", document.path)
    # the file's order where it serves: it is the one that other tools show
    order = list(wanted)
    place = {node: index for index, node in enumerate(order)}
    if (
        order[0] != top
        or len(order) < len(inside)
        or any(place[nodes.parents[node]] > place[node] for node in order[1:])
    ):
        order, stack = [], [top]
        while stack:
            order.append(stack.pop())
            stack.extend(child for child in reversed(nodes.children[order[-1]]) if child in inside)
        place = {node: index for index, node in enumerate(order)}
    parents = (-1, *(place[nodes.parents[node]] for node in order[1:]))
    return Rig(tuple(order), parents, tuple(nodes.above(top)))


def _common(nodes: Nodes, wanted: Sequence[int], document: Document) -> tuple[int, set[int]]:
    """The lowest node above or among all ``wanted``, and all nodes on the ways from it to them."""
    parents, depths = nodes.parents, nodes.depths
    top = wanted[0]
    inside = {top}
    for node in wanted[1:]:
        # nobody is climbed over twice: what is inside already hangs below the top
        while node not in inside and depths[node] > depths[top]:
            inside.add(node)
            node = parents[node]
        if node in inside:
            continue
        while node != top:
            inside |= {node, top}
            if depths[top] > depths[node]:
                top = parents[top]
            elif depths[top] == depths[node]:
                top, node = parents[top], parents[node]
            if top < 0 or node < 0:
                raise FormatError(
                    f"{nodes.names([wanted[0]])} and {nodes.names([wanted[-1]])} hang on no common node, so they are no one body",
                    document.path,
                )
        inside.add(top)
    return top, inside
