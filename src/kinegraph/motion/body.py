"""Body roles: which joint is the left knee, whatever the file calls it.

A role is the *joint*, not the bone below it: ``left_hip`` is where the thigh begins, ``left_wrist`` where the hand begins.
Names are compared, after `simplify`, with the tables of `naming`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from types import MappingProxyType

from kinegraph.errors import RoleError
from kinegraph.motion.naming import ARM_ROLES, CENTRAL_ROLES, LEG_ROLES, NAMING, SIDES

__all__ = [
    "ARM_ROLES",
    "CENTRAL_ROLES",
    "ESSENTIAL",
    "LEG_ROLES",
    "LOWER_BODY",
    "NAMING",
    "ROLES",
    "SIDES",
    "UPPER_BODY",
    "check_role",
    "resolve",
    "simplify",
]

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
    own = name.rsplit(":", 1)[-1].strip()
    bare = _PREFIX.sub("", own)
    if own[:3].lower() == "bip":
        bare = re.sub(r"_\d+$", "", bare)  # the count that glTF tools put behind a name
    return re.sub(r"[\s_.\-]+", "", bare).lower()


def resolve(
    names: Sequence[str], overrides: Mapping[str, int] | None = None, parents: Sequence[int] | None = None
) -> tuple[str, Mapping[str, int]]:
    """The naming convention that recognises most roles, and role → joint index; ``overrides`` win over the table.

    If a name repeats, it means the first joint that has it. The convention is ``""`` if no table fits. With ``parents``
    (−1 for the root), hips, knees and elbows that a table does not know are found by their place in the tree.

    >>> resolve(["mixamorig:" + n for n in ("Hips", "Spine", "LeftUpLeg", "LeftLeg", "LeftFoot")])[0]
    'MotionBuilder'
    """
    above = None if parents is None else tuple(parents)
    return _resolved(tuple(names), tuple((overrides or {}).items()), above)


@lru_cache(maxsize=64)
def _resolved(
    names: tuple[str, ...], overrides: tuple[tuple[str, int], ...], parents: tuple[int, ...] | None
) -> tuple[str, Mapping[str, int]]:
    """As `resolve`; kept, since the clips of a folder mostly have the same joints."""
    first: dict[str, int] = {}
    for index, name in enumerate(names):
        first.setdefault(simplify(name), index)
    best_name, best = "", dict[str, int]()
    for convention, table in NAMING.items():
        found = {role: first[n] for role, options in table.items() for n in _first_known(options, first)}
        if len(found) > len(best) and len(found) >= _FEWEST:
            best_name, best = convention, found
    best |= dict(overrides)
    if best and parents is not None:
        best = _by_place(best, parents) | best
    return best_name, MappingProxyType(best)


def _by_place(roles: Mapping[str, int], parents: Sequence[int]) -> dict[str, int]:
    """Roles that follow from others: the hips hold both legs together, a knee lies between hip and ankle, an elbow likewise."""
    found: dict[str, int] = {}
    if "left_hip" in roles and "right_hip" in roles:
        above_right = _upwards(roles["right_hip"], parents)
        found["hips"] = next((j for j in _upwards(roles["left_hip"], parents)[1:] if j in above_right), 0)
    for side in SIDES:
        for top, middle, end in (("hip", "knee", "ankle"), ("shoulder", "elbow", "wrist")):
            if f"{side}_{top}" in roles and f"{side}_{end}" in roles:
                path = _upwards(roles[f"{side}_{end}"], parents)
                if roles[f"{side}_{top}"] in path[2:]:
                    between = path[1 : path.index(roles[f"{side}_{top}"])]
                    found[f"{side}_{middle}"] = between[len(between) // 2]
    return found


def _upwards(joint: int, parents: Sequence[int]) -> list[int]:
    path = [joint]
    while parents[path[-1]] >= 0:
        path.append(int(parents[path[-1]]))
    return path


def _first_known(options: tuple[str, ...], known: Mapping[str, int]) -> tuple[str, ...]:
    return next(((name,) for name in options if name in known), ())


def check_role(role: str) -> str:
    """``role`` itself if it is one of `ROLES`; otherwise a `RoleError` that lists them."""
    if role not in ROLES:
        raise RoleError(f"unknown body role {role!r}: expected one of {', '.join(ROLES)}")
    return role
