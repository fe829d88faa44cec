"""What the name of a joint says: its side, and which part of a body it may be.

Tables of whole conventions (`motion.naming`) know names that are used together. Characters are named more freely: here a name is taken
apart into words, and a few dozen words are known, whatever stands around them.

>>> said("DEF-upper_arm.L"), said("mixamorig:LeftUpLeg"), said("J_Bip_R_LowerLeg").part
(Said(side='left', part='shoulder', number=0), Said(side='left', part='hip', number=0), 'knee')
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

# Words, or words that follow each other, for each part; the first that is found counts. Sided parts need a side, others must have none.
_CENTRAL = {
    "hips": "hips pelvis hip cog",
    "chest": "upper-chest chest ribcage thorax sternum",
    "spine": "spine abdomen waist lower-back torso back",
    "neck": "neck",
    "head": "head",
}
_SIDED = {
    "shoulder": "upper-arm arm-upper up-arm humerus bicep shldr shldr-bend",
    "elbow": "fore-arm lower-arm arm-lower low-arm lo-arm elbow radius",
    "hip": "up-leg upper-leg leg-upper thigh femur",
    "knee": "lower-leg leg-lower low-leg lo-leg shin calf knee tibia",
    "toe": "toe-base toes toe ball",
    "ankle": "foot ankle",
    "wrist": "hand wrist palm",
    "collar": "clavicle clav collar scapula collarbone",
    # what means one thing or another is settled by what else there is
    "shoulder?": "shoulder",
    "arm?": "arm",
    "leg?": "leg",
    "hip?": "hip",
}
# Words of joints that are none of these, whatever else their name says.
_OTHERS = """
twist roll ik fk pole target ctrl control controller end nub tip effector helper adj finger thumb index middle ring pinky little
mid eye eyelid jaw hair breast bust skirt tail wing cloth ear weapon prop attach socket cape tongue teeth brow lip mouth armor
cheek pad pouch holster bag belt knot metacarpal carpal bend2 share nail muscle bulge corrective pivot aim tweak mch org slot
handslot
"""
_LEGS, _FRONT = frozenset(("leg", "legs", "foot", "paw", "hoof")), frozenset(("front", "fore"))
_HIND = frozenset(("back", "hind", "rear"))
_LEFT, _RIGHT = frozenset(("l", "left", "lft", "lf", "lt")), frozenset(("r", "right", "rgt", "rt"))
_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
# Names that a tool wrote in small letters without any separator.
_RUN = re.compile(r"^(left|right)(?=[a-z])|(?<=[a-z])(left|right)$")
_COMPOUND = re.compile(r"^(upper|lower|up|low|lo|fore)(arm|leg|chest|back)$|^(toe)(base)$|^(shldr)(bend)$")


class Said(NamedTuple):
    """What a name says: the side ("left", "right" or nothing), the part (a role's, or one with a question mark), and a number."""

    side: str
    part: str
    number: int


def words(name: str) -> list[str]:
    """The words of a name, in small letters; numbers stand for themselves.

    >>> words("Bip01 L UpperArm"), words("leftforearm")
    (['bip', '01', 'l', 'upper', 'arm'], ['left', 'fore', 'arm'])
    """
    found: list[str] = []
    for word in _WORD.findall(re.split(r"[:|]", name)[-1]):
        small = word.lower()
        parts = [part for part in _RUN.split(small) if part]
        for part in parts:
            compound = _COMPOUND.match(part)
            found += [one for one in compound.groups() if one] if compound else [part]
    return found


def side_of(name: str) -> str:
    """The side that a name tells, or nothing."""
    told = set(words(name))
    if bool(told & _LEFT) == bool(told & _RIGHT):
        return ""
    return "left" if told & _LEFT else "right"


def is_other(name: str) -> bool:
    """Whether a joint by its name is none of the body's own: a finger, a helper, an eye."""
    return not set(_OTHERS.split()).isdisjoint(words(name))


def of_animal(called: Iterable[str]) -> bool:
    """Whether joints are told to be of front legs, and others of hind ones."""
    legs = [told for told in (set(words(name)) for name in called) if told & _LEGS]
    return any(told & _FRONT for told in legs) and any(told & _HIND for told in legs)


def said(name: str) -> Said | None:
    """What a name says; None where it is no part of a body that has a role."""
    told = words(name)
    if is_other(name):
        return None
    side = side_of(name)
    number = next((int(word) for word in told if word.isdigit() and len(word) < 3), 0)
    table = _SIDED if side else _CENTRAL
    for part, options in table.items():
        for option in options.split():
            if _holds(told, option.split("-")):
                return Said(side, part, number)
    return None


def _holds(told: list[str], wanted: list[str]) -> bool:
    return any(told[place : place + len(wanted)] == wanted for place in range(len(told)))
