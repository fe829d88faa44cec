"""Naming tables: what each convention calls the joints of a body.

For every role a table lists the names it may have, best first, in the form that `body.simplify` gives them; ``*`` stands for the side.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

SIDES = ("left", "right")
CENTRAL_ROLES = ("hips", "spine", "chest", "neck", "head")
ARM_ROLES = ("collar", "shoulder", "elbow", "wrist")
LEG_ROLES = ("hip", "knee", "ankle", "toe")

Table = Mapping[str, tuple[str, ...]]


def _table(marks: tuple[str, str], centre: str, arms: str, legs: str) -> Table:
    """A table from names in the order of the roles, blanks between roles and ``|`` between alternatives."""
    table = dict(zip(CENTRAL_ROLES, centre.split(), strict=True))
    limbs = dict(zip((*ARM_ROLES, *LEG_ROLES), (*arms.split(), *legs.split()), strict=True))
    for side, mark in zip(SIDES, marks, strict=True):
        table |= {f"{side}_{part}": names.replace("*", mark) for part, names in limbs.items()}
    return MappingProxyType({role: tuple(names.split("|")) for role, names in table.items() if names != "-"})


_LETTERS = ("l", "r")
_FILM_CENTRE = "hips spine spine3|spine2|spine1 neck head"
_FILM_ARMS = "*shoulder *arm *forearm *hand"

# Where two tables know equally many of a skeleton's joints, the earlier one is taken.
NAMING: Mapping[str, Table] = MappingProxyType(
    {
        "samples": _table(
            SIDES, "hips spine chest neck head", "*collar *shoulder *elbow *wrist", "*hip *knee *ankle *toe"
        ),
        "CMU Acclaim": _table(
            _LETTERS,
            "root lowerback thorax lowerneck head",
            "*clavicle *humerus *radius *wrist",
            "*femur *tibia *foot *toes",
        ),
        "CMU BVH": _table(SIDES, "hips lowerback spine1 neck head", _FILM_ARMS, "*upleg *leg *foot *toebase"),
        "MotionBuilder": _table(SIDES, _FILM_CENTRE, _FILM_ARMS, "*upleg *leg *foot *toebase"),
        "MotionBuilder short": _table(_LETTERS, _FILM_CENTRE, _FILM_ARMS, "*upleg *leg *foot *toebase"),
        "LAFAN1": _table(SIDES, _FILM_CENTRE, _FILM_ARMS, "*upleg *leg *foot *toe"),
        "Rokoko": _table(SIDES, "hips spine1 spine4|spine3|spine2 neck head", _FILM_ARMS, "*thigh *shin *foot *toe"),
        "Xsens": _table(
            SIDES,
            "hips chest chest4|chest3|chest2 neck head",
            "*collar *shoulder *elbow *wrist",
            "*hip *knee *ankle *toe",
        ),
        "Biped": _table(
            _LETTERS,
            "pelvis|hips spine spine3|spine2|spine1 neck head",
            "*clavicle *upperarm *forearm *hand",
            "*thigh *calf *foot *toe0",
        ),
        "Bandai-Namco": _table(
            _LETTERS,
            "hips spine chest neck head",
            "shoulder* upperarm* lowerarm* hand*",
            "upperleg* lowerleg* foot* toes*|toe*",
        ),
        "Biovision": _table(
            SIDES,
            "hips abdomen chest neck head",
            "*collar *uparm|*upperarm *lowarm|*lowerarm *hand",
            "*upleg *lowleg *foot *toe",
        ),
        "Poser": _table(
            _LETTERS,
            "hip|pelvis abdomen|abdomenlower chest|chestupper neck|necklower head",
            "*collar *shldr|*shldrbend|*shoulder *forearm|*forearmbend|*elbow *hand",
            "*thigh|*thighbend|*hip *shin|*knee *foot *toe|*toes",
        ),
        "Unreal": _table(
            _LETTERS,
            "pelvis spine01 spine05|spine03|spine02 neck01 head",
            "clavicle* upperarm* lowerarm* hand*",
            "thigh* calf* foot* ball*",
        ),
        "Unity": _table(
            SIDES,
            "hips spine upperchest|chest neck head",
            "*shoulder *upperarm *lowerarm *hand",
            "*upperleg *lowerleg *foot *toes",
        ),
        "SMPL": _table(
            SIDES, "pelvis spine1 spine3 neck head", "*collar *shoulder *elbow *wrist", "*hip *knee *ankle *foot"
        ),
        "SMPL short": _table(
            _LETTERS, "pelvis spine1 spine3 neck head", "*collar *shoulder *elbow *wrist", "*hip *knee *ankle *foot"
        ),
        "Azure Kinect": _table(
            SIDES,
            "pelvis spinenaval|spinenavel spinechest neck head",
            "clavicle* shoulder* elbow* wrist*",
            "hip* knee* ankle* foot*",
        ),
        "MakeHuman": _table(
            _LETTERS,
            "root spine05 spine01|spine02 neck01 head",
            "clavicle* upperarm01* lowerarm01* wrist*",
            "upperleg01* lowerleg01* foot* toe11*|toe21*",
        ),
        "MakeHuman MHX": _table(
            _LETTERS, "root spine1 spine3 neck head", "clavicle* uparm* loarm* hand*", "upleg* loleg* foot* toe*"
        ),
    }
)
