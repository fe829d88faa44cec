"""Body roles: which joint is the left knee, whatever the file calls it.

A role is the *joint*, not the bone below it: ``left_hip`` is where the thigh begins, ``left_wrist`` where the hand begins.
Each naming table lists, for one convention, the names a role may have, best first. Names are compared after `simplify`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from types import MappingProxyType

from kinegraph.errors import RoleError

SIDES = ("left", "right")
CENTRAL_ROLES = ("hips", "spine", "chest", "neck", "head")
ARM_ROLES = ("collar", "shoulder", "elbow", "wrist")
LEG_ROLES = ("hip", "knee", "ankle", "toe")
ROLES: tuple[str, ...] = (
    *CENTRAL_ROLES,
    *(f"{side}_{part}" for side in SIDES for part in ARM_ROLES),
    *(f"{side}_{part}" for side in SIDES for part in LEG_ROLES),
)
# without these there are no legs to stand on: no facing, no height, no retargeting
ESSENTIAL = ("hips", *(f"{side}_{part}" for side in SIDES for part in ("hip", "knee", "ankle")))
LOWER_BODY: frozenset[str] = frozenset({"hips", *(f"{side}_{part}" for side in SIDES for part in LEG_ROLES)})
UPPER_BODY: frozenset[str] = frozenset(ROLES) - LOWER_BODY

# A skeleton of which fewer roles than this are known is not called a body at all.
_FEWEST = 5

# Prefixes may pile up (ValveBiped.Bip01_); Mixamo's loses its separator in some loaders.
_PREFIX = re.compile(r"^(?:mixamorig\d*[ _.:]*|(?:bip\d*|valvebiped|joint|[mf]_avg)[ _.:]+)+(?=[^\W\d])", re.IGNORECASE)


def simplify(name: str) -> str:
    """A joint's name without namespace, tool prefix, case and separators.

    >>> simplify("mixamorig:LeftUpLeg"), simplify("Bip01 L Thigh"), simplify("Shoulder_L")
    ('leftupleg', 'lthigh', 'shoulderl')
    """
    bare = _PREFIX.sub("", name.rsplit(":", 1)[-1].strip())
    return re.sub(r"[\s_.\-]+", "", bare).lower()


Table = Mapping[str, tuple[str, ...]]


def _sided(central: Table, limbs: Table, left: str, right: str) -> Table:
    """A table from its central names and one side's names, in which ``*`` stands for the side."""
    table = dict(central)
    for side, mark in zip(SIDES, (left, right), strict=True):
        table |= {f"{side}_{part}": tuple(n.replace("*", mark) for n in names) for part, names in limbs.items()}
    return MappingProxyType(table)


_FILM_LIMBS: Table = {
    "collar": ("*shoulder",),
    "shoulder": ("*arm",),
    "elbow": ("*forearm",),
    "wrist": ("*hand",),
    "hip": ("*upleg",),
    "knee": ("*leg",),
    "ankle": ("*foot",),
    "toe": ("*toebase",),
}
_FILM_CENTRE: Table = {
    "hips": ("hips",),
    "spine": ("spine",),
    "chest": ("spine3", "spine2", "spine1"),
    "neck": ("neck",),
    "head": ("head",),
}
_SMPL_CENTRE: Table = {
    "hips": ("pelvis",),
    "spine": ("spine1",),
    "chest": ("spine3",),
    "neck": ("neck",),
    "head": ("head",),
}
_SMPL_LIMBS: Table = {
    "collar": ("*collar",),
    "shoulder": ("*shoulder",),
    "elbow": ("*elbow",),
    "wrist": ("*wrist",),
    "hip": ("*hip",),
    "knee": ("*knee",),
    "ankle": ("*ankle",),
    "toe": ("*foot",),
}

NAMING: Mapping[str, Table] = MappingProxyType(
    {
        "samples": _sided(
            {role: (role,) for role in CENTRAL_ROLES},
            {part: (f"*{part}",) for part in (*ARM_ROLES, *LEG_ROLES)},
            *SIDES,
        ),
        "CMU Acclaim": _sided(
            {
                "hips": ("root",),
                "spine": ("lowerback",),
                "chest": ("thorax",),
                "neck": ("lowerneck",),
                "head": ("head",),
            },
            {
                "collar": ("*clavicle",),
                "shoulder": ("*humerus",),
                "elbow": ("*radius",),
                "wrist": ("*wrist",),
                "hip": ("*femur",),
                "knee": ("*tibia",),
                "ankle": ("*foot",),
                "toe": ("*toes",),
            },
            "l",
            "r",
        ),
        "CMU BVH": _sided(
            {
                "hips": ("hips",),
                "spine": ("lowerback",),
                "chest": ("spine1",),
                "neck": ("neck",),
                "head": ("head",),
            },
            _FILM_LIMBS,
            *SIDES,
        ),
        "MotionBuilder": _sided(_FILM_CENTRE, _FILM_LIMBS, *SIDES),
        "LAFAN1": _sided(_FILM_CENTRE, {**_FILM_LIMBS, "toe": ("*toe",)}, *SIDES),
        "Biped": _sided(
            {
                "hips": ("pelvis", "hips"),
                "spine": ("spine",),
                "chest": ("spine3", "spine2", "spine1"),
                "neck": ("neck",),
                "head": ("head",),
            },
            {
                "collar": ("*clavicle",),
                "shoulder": ("*upperarm",),
                "elbow": ("*forearm",),
                "wrist": ("*hand",),
                "hip": ("*thigh",),
                "knee": ("*calf",),
                "ankle": ("*foot",),
                "toe": ("*toe0",),
            },
            "l",
            "r",
        ),
        "Bandai-Namco": _sided(
            {
                "hips": ("hips",),
                "spine": ("spine",),
                "chest": ("chest",),
                "neck": ("neck",),
                "head": ("head",),
            },
            {
                "collar": ("shoulder*",),
                "shoulder": ("upperarm*",),
                "elbow": ("lowerarm*",),
                "wrist": ("hand*",),
                "hip": ("upperleg*",),
                "knee": ("lowerleg*",),
                "ankle": ("foot*",),
                "toe": ("toes*", "toe*"),
            },
            "l",
            "r",
        ),
        "Unreal": _sided(
            {
                "hips": ("pelvis",),
                "spine": ("spine01",),
                "chest": ("spine05", "spine03", "spine02"),
                "neck": ("neck01",),
                "head": ("head",),
            },
            {
                "collar": ("clavicle*",),
                "shoulder": ("upperarm*",),
                "elbow": ("lowerarm*",),
                "wrist": ("hand*",),
                "hip": ("thigh*",),
                "knee": ("calf*",),
                "ankle": ("foot*",),
                "toe": ("ball*",),
            },
            "l",
            "r",
        ),
        "Unity": _sided(
            {
                "hips": ("hips",),
                "spine": ("spine",),
                "chest": ("upperchest", "chest"),
                "neck": ("neck",),
                "head": ("head",),
            },
            {
                "collar": ("*shoulder",),
                "shoulder": ("*upperarm",),
                "elbow": ("*lowerarm",),
                "wrist": ("*hand",),
                "hip": ("*upperleg",),
                "knee": ("*lowerleg",),
                "ankle": ("*foot",),
                "toe": ("*toes",),
            },
            *SIDES,
        ),
        "SMPL": _sided(_SMPL_CENTRE, _SMPL_LIMBS, *SIDES),
        "SMPL short": _sided(_SMPL_CENTRE, _SMPL_LIMBS, "l", "r"),
    }
)


def resolve(names: Sequence[str], overrides: Mapping[str, int] | None = None) -> tuple[str, Mapping[str, int]]:
    """The convention that names most roles, and role → joint index; ``overrides`` win over the table.

    Where a name repeats, the first joint that bears it is meant. The convention is ``""`` where no table fits.

    >>> resolve(["mixamorig:" + n for n in ("Hips", "Spine", "LeftUpLeg", "LeftLeg", "LeftFoot")])[0]
    'MotionBuilder'
    """
    first: dict[str, int] = {}
    for index, name in enumerate(names):
        first.setdefault(simplify(name), index)
    best_name, best = "", dict[str, int]()
    for convention, table in NAMING.items():
        found = {role: first[n] for role, options in table.items() for n in _first_known(options, first)}
        if len(found) > len(best) and len(found) >= _FEWEST:
            best_name, best = convention, found
    if best and "hips" not in best and "root" in first:
        best["hips"] = first["root"]  # an Acclaim skeleton's first joint is always called so, whatever else it names
    return best_name, MappingProxyType(best | dict(overrides or {}))


def _first_known(options: tuple[str, ...], known: Mapping[str, int]) -> tuple[str, ...]:
    return next(((name,) for name in options if name in known), ())


def check_role(role: str) -> str:
    """``role`` itself if it is one of `ROLES`, else a `RoleError` that lists them."""
    if role not in ROLES:
        raise RoleError(f"unknown body role {role!r}: expected one of {', '.join(ROLES)}")
    return role
