"""Which joint of a character is what: as the user says, as the file says (VRM), by name, and by shape, in this order."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from kinegraph.arrays import Array, Indices
from kinegraph.characters import names, shape
from kinegraph.characters.bones import Bones
from kinegraph.characters.points import SkinPoints
from kinegraph.errors import RoleError
from kinegraph.formats.gltf.document import Document
from kinegraph.motion import body

# What people call the joints in another way.
_CALLED = {
    "foot": "ankle", "hand": "wrist", "upper_arm": "shoulder", "arm": "shoulder", "forearm": "elbow", "lower_arm": "elbow",
    "thigh": "hip", "upper_leg": "hip", "shin": "knee", "calf": "knee", "lower_leg": "knee", "clavicle": "collar", "ball": "toe",
    "toes": "toe",
}  # fmt: skip
_VRM_SIDED = {
    "Shoulder": "collar", "UpperArm": "shoulder", "LowerArm": "elbow", "Hand": "wrist", "UpperLeg": "hip", "LowerLeg": "knee",
    "Foot": "ankle", "Toes": "toe",
}  # fmt: skip
VRM = {
    **{f"{side}{part}": f"{side}_{role}" for side in body.SIDES for part, role in _VRM_SIDED.items()},
    "hips": "hips", "spine": "spine", "chest": "chest", "upperChest": "chest", "neck": "neck", "head": "head",
}  # fmt: skip
"""What VRM calls the joints that have a role; an upper chest counts more than a chest."""

_LIMBS = tuple(f"{side}_{part}" for side in body.SIDES for part in (*body.ARM_ROLES, *body.LEG_ROLES))
# A trunk that leans further than this from the vertical lies down; a limb that ends below this share of the height stands on the floor.
_UPRIGHT, _ON_FLOOR = 0.5, 0.2
_ANIMAL = "this seems to be a quadruped, and motions are those of people"
# How high, in heights of the body, feet are.
_FOOT = 0.06


@dataclass(frozen=True)
class Roles:
    """What was found. joints: role → joint. how: role → "by hand", "VRM", "names" or "shape"."""

    joints: Mapping[str, int] = field(default_factory=dict)
    how: Mapping[str, str] = field(default_factory=dict)
    faults: tuple[str, ...] = ()
    """What is wrong with them, a sentence each; a motion cannot be put on such a body."""

    @property
    def missing(self) -> tuple[str, ...]:
        """The roles that were not found."""
        return tuple(role for role in body.ROLES if role not in self.joints)


def role_named(word: str) -> str:
    """A role by its own name, or by one of those that people use.

    >>> role_named("left_foot"), role_named("pelvis")
    ('left_ankle', 'hips')
    """
    plain = word.strip().lower().replace("-", "_").replace(" ", "_")
    side, _, part = plain.partition("_")
    if side in body.SIDES:
        plain = f"{side}_{_CALLED.get(part, part)}"
    return body.check_role({"pelvis": "hips", "root": "hips"}.get(plain, plain))


def find(
    bones: Bones, points: SkinPoints, tips: Sequence[Sequence[Array]], document: Document, given: Mapping[str, str]
) -> Roles:
    """The roles of a body's joints. given: role → the name of its node, by the user."""
    tree = _tree(bones, points, tips)
    by_hand = {role_named(role): _joint(bones, node) for role, node in given.items()}
    sources = [
        ("VRM", vrm(document, bones)),
        ("names", _by_table(bones)),
        ("names", by_words(bones.names, tree)),
        ("shape", shape.find(tree)[0]),
    ]
    whole = [_completed({**found, **by_hand}, bones) for _, found in sources]
    good = [number for number, found in enumerate(whole) if _has_legs(found) and not _tree_faults(found, tree)]
    chosen = good[0] if good else max(range(len(whole)), key=lambda number: len(whole[number]))
    joints = dict(whole[chosen])
    how = dict.fromkeys(joints, sources[chosen][0])
    for number in range(chosen + 1, len(sources)):
        for role in _fitting(whole[number], joints, tree):
            joints[role], how[role] = whole[number][role], sources[number][0]
    how |= dict.fromkeys(by_hand, "by hand")
    joints = {role: joints[role] for role in body.ROLES if role in joints}
    return Roles(joints, {role: how[role] for role in joints}, tuple(_faults(joints, tree, bones)))


def _joint(bones: Bones, node: str) -> int:
    if node in bones.names:
        return bones.names.index(node)
    near = [name for name in bones.names if node.lower() in name.lower()]
    others = ", ".join(near[:5] or bones.names[:20])
    raise RoleError(f"no joint of the character is called {node!r}; there is {others}")


def _tree(bones: Bones, points: SkinPoints, tips: Sequence[Sequence[Array]]) -> shape.Tree:
    """The joints with Y up and the floor at 0."""
    turn = upright(bones.up)
    places, mesh = bones.places @ turn.T, points.places @ turn.T
    ends = [[turn @ tip for tip in some] for some in tips]
    low = (
        float(mesh[:, 1].min())
        if len(mesh)
        else float(min(places[:, 1].min(), *(tip[1] for some in ends for tip in some), np.inf))
    )
    floor = np.array([0.0, low, 0.0])
    weight = np.zeros(len(bones))
    for column in range(points.joints.shape[1]):
        np.add.at(weight, points.joints[:, column], points.weights[:, column])
    height = float(places[:, 1].max()) - low
    lowest = mesh[mesh[:, 1] < low + _FOOT * height] if len(mesh) else places[places[:, 1] < low + 2 * _FOOT * height]
    feet = 0.5 * (lowest.min(axis=0) + lowest.max(axis=0)) if len(lowest) else places.mean(axis=0)
    return shape.Tree(
        bones.parents,
        places - floor,
        weight,
        shape.moving(bones.parents, weight),
        [[tip - floor for tip in some] for some in ends],
        feet - floor,
    )


def upright(up: Array) -> Array:
    """A rotation ``(3, 3)`` that brings ``up (3,)``, or the axis that it is near, to Y."""
    from kinegraph.motion import rotation

    axis = np.zeros(3)
    largest = int(np.argmax(np.abs(up)))
    axis[largest] = np.sign(up[largest])
    return rotation.to_matrix(rotation.between(axis if abs(up[largest]) > 0.9 else up, [0.0, 1.0, 0.0]))


# -- by what the file or the names say --------------------------------------------------------------------------------


def vrm(document: Document, bones: Bones) -> dict[str, int]:
    """The roles that the humanoid of a VRM file tells, of version 0 or 1."""
    extensions = document.root.inner("extensions")
    index = {node: joint for joint, node in enumerate(bones.nodes)}
    found: dict[str, int] = {}
    for name in ("VRMC_vrm", "VRM"):
        model = extensions.inner(name) if extensions else None
        human = model.inner("humanoid") if model else None
        if human is None:
            continue
        told = human.fields.get("humanBones")
        if isinstance(told, dict):
            pairs = [(bone, entry.get("node")) for bone, entry in told.items() if isinstance(entry, dict)]
        else:
            pairs = [(str(one.fields.get("bone")), one.fields.get("node")) for one in human.items("humanBones")]
        # an upper chest after a chest
        for bone, node in sorted(pairs, key=lambda pair: pair[0] == "upperChest"):
            if bone in VRM and isinstance(node, int) and node in index:
                found[VRM[bone]] = index[node]
        break
    return found


def _by_table(bones: Bones) -> dict[str, int]:
    return dict(body.resolve(bones.names, None, bones.parents.tolist())[1])


def by_words(called: Sequence[str], tree: shape.Tree) -> dict[str, int]:
    """The roles that single words of the names tell."""
    told: dict[tuple[str, str], list[int]] = {}
    for joint, name in enumerate(called):
        said = names.said(name)
        if said is not None:
            told.setdefault((said.side, said.part), []).append(joint)
    found: dict[str, int] = {}
    for side in body.SIDES:
        limb = {part: _topmost(joints, tree) for (where, part), joints in told.items() if where == side}
        alone = {part: joint for part, joint in limb.items() if joint is not None}
        _settle(alone)
        found |= {
            f"{side}_{part}": joint for part, joint in alone.items() if part in (*body.ARM_ROLES, *body.LEG_ROLES)
        }
    spine = _trunk(sorted(told.get(("", "spine"), []), key=lambda joint: _depth(tree, joint)), found, tree)
    for part in ("hips", "chest", "neck", "head"):
        first = _topmost(told.get(("", part), []), tree)
        if first is not None:
            found[part] = first
    if spine:
        found["spine"] = spine[0]
        if "chest" not in found and len(spine) > 1:
            found["chest"] = spine[-1]
    return found


def _trunk(spine: list[int], limbs: Mapping[str, int], tree: shape.Tree) -> list[int]:
    """Of joints that are called spine, those between the legs and the arms: in some rigs hips, neck and head are called so too."""
    carrying = {}
    for part in ("hip", "shoulder"):
        paths = [set(_above(limbs[f"{side}_{part}"], tree.parents)) for side in body.SIDES if f"{side}_{part}" in limbs]
        carrying[part] = paths[0] & paths[1] if len(paths) == 2 else None
    legs, arms = carrying["hip"], carrying["shoulder"]
    return [joint for joint in spine if (legs is None or joint not in legs) and (arms is None or joint in arms)]


def _settle(limb: dict[str, int]) -> None:
    """Decide what "arm", "leg", "shoulder" and "hip" mean, by what else the limb has."""
    arm, leg, shoulder, hip = (limb.pop(f"{part}?", None) for part in ("arm", "leg", "shoulder", "hip"))
    if arm is not None:
        limb.setdefault("shoulder" if "shoulder" not in limb else "elbow", arm)
    if shoulder is not None:
        limb.setdefault("collar" if "shoulder" in limb else "shoulder", shoulder)
    if leg is not None:
        limb.setdefault("knee" if "hip" in limb or ("knee" not in limb and hip is not None) else "hip", leg)
    if hip is not None:
        limb.setdefault("hip", hip)


def _topmost(joints: Sequence[int], tree: shape.Tree) -> int | None:
    """The joint nearest to the root; None where several are as near, as the parts of a palm are."""
    if not joints:
        return None
    depths = [_depth(tree, joint) for joint in joints]
    first = [joint for joint, depth in zip(joints, depths, strict=True) if depth == min(depths)]
    return first[0] if len(first) == 1 else None


def _depth(tree: shape.Tree, joint: int) -> int:
    depth = 0
    while tree.parents[joint] >= 0:
        joint, depth = int(tree.parents[joint]), depth + 1
    return depth


def _completed(found: dict[str, int], bones: Bones) -> dict[str, int]:
    """With the hips where both legs come together: what is called so need not be."""
    if not {"left_hip", "right_hip"} <= found.keys():
        return found
    left, right = (_above(found[f"{side}_hip"], bones.parents) for side in body.SIDES)
    common = [joint for joint in left[1:] if joint in right[1:]]
    if common and found.get("hips") not in common:
        found["hips"] = common[0]
    return found


def _above(joint: int, parents: Indices) -> list[int]:
    path = [joint]
    while parents[path[-1]] >= 0:
        path.append(int(parents[path[-1]]))
    return path


def _has_legs(found: Mapping[str, int]) -> bool:
    return all(role in found for role in body.ESSENTIAL)


def _fitting(more: Mapping[str, int], joints: Mapping[str, int], tree: shape.Tree) -> Iterable[str]:
    """The roles that are missing and that fit to those which are known: a limb hangs together, and each joint has one role."""
    used = set(joints.values())
    for role in body.ROLES:
        if role in joints or role not in more or more[role] in used:
            continue
        side, _, part = role.rpartition("_")
        order = (
            body.ARM_ROLES
            if part in body.ARM_ROLES
            else body.LEG_ROLES
            if part in body.LEG_ROLES
            else body.CENTRAL_ROLES
        )
        before = [joints.get(f"{side}_{one}" if side else one) for one in order[: order.index(part)]]
        after = [joints.get(f"{side}_{one}" if side else one) for one in order[order.index(part) + 1 :]]
        path = _above(more[role], tree.parents)
        if all(one is None or one in path for one in before) and all(
            one is None or more[role] in _above(one, tree.parents) for one in after
        ):
            used.add(more[role])
            yield role


# -- what is wrong ----------------------------------------------------------------------------------------------------


def _tree_faults(found: Mapping[str, int], tree: shape.Tree) -> list[str]:
    """What cannot be of the legs that were found."""
    faults = []
    high = tree.places[:, 1]
    for side in body.SIDES:
        hip, knee, ankle = (found[f"{side}_{part}"] for part in ("hip", "knee", "ankle"))
        if len({hip, knee, ankle, found["hips"]}) < 4:
            faults.append(f"the {side} leg has one joint for two roles")
        elif hip not in _above(knee, tree.parents):
            faults.append(f"the {side} knee does not hang below the {side} hip")
        elif not high[hip] > high[knee] > high[ankle]:
            faults.append(
                f"the {side} leg does not go down from hip to knee to ankle where the mesh was bound (it must stand there)"
            )
    return faults


def _faults(found: Mapping[str, int], tree: shape.Tree, bones: Bones) -> Iterable[str]:
    twice = {joint for joint in found.values() if list(found.values()).count(joint) > 1}
    for joint in sorted(twice):
        roles = [role for role, one in found.items() if one == joint]
        yield f"{bones.names[joint]!r} is taken for {' and '.join(roles)}"
    if not _has_legs(found):
        lacking = [role for role in body.ESSENTIAL if role not in found]
        instead = shape.find(tree)[1] or (_ANIMAL if names.of_animal(bones.names) else "")
        bare = [found[f"{side}_knee"] for side in body.SIDES if f"{side}_ankle" in lacking and f"{side}_knee" in found]
        if bare and not any(tree.children(joint) for joint in bare):
            yield (
                f"no joint hangs below {' and '.join(bones.names[joint] for joint in bare)}: a leg needs one at its ankle, which the foot "
                "follows (in Blender, in Edit Mode: extrude the end of the shin by E, then weight the foot to it)"
            )
        yield f"no joint is known to be the {', '.join(lacking)}" + (f" ({instead})" if instead else "")
        return
    if lies_down(found, tree):
        yield f"its trunk lies along the floor and four limbs reach it: {_ANIMAL}"
        return
    yield from _tree_faults(found, tree)


def lies_down(found: Mapping[str, int], tree: shape.Tree) -> bool:
    """Whether a body stands on four limbs."""
    top = next((found[role] for role in ("neck", "head", "chest") if role in found), None)
    if top is None:
        return False
    trunk = tree.places[top] - tree.places[found["hips"]]
    arms = [found[role] for side in body.SIDES for role in (f"{side}_wrist", f"{side}_elbow") if role in found]
    standing = [min(float(tree.places[one, 1]) for one in tree.below(arm)) < _ON_FLOOR * tree.height for arm in arms]
    return bool(trunk[1] < _UPRIGHT * np.linalg.norm(trunk) and standing and all(standing))
