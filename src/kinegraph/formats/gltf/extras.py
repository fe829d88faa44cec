"""What kinegraph says beside the standard, in the `extras` that glTF leaves to each tool; and how it reads that back."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np
from numpy.typing import ArrayLike

from kinegraph.arrays import Array, Indices
from kinegraph.errors import FormatError
from kinegraph.formats.gltf.document import Document, Element
from kinegraph.motion import Motion, Skeleton
from kinegraph.motion.spans import spans

_TOOL = "kinegraph"
CONTACTS = ("left_heel", "left_ball", "right_heel", "right_ball")


class LabelledFrames(Protocol):
    """Frames ``first`` … ``last``−1 bear ``label``."""

    @property
    def label(self) -> str:
        """What is done."""

    @property
    def first(self) -> int:
        """The first frame."""

    @property
    def last(self) -> int:
        """The frame past the last."""


def generator() -> str:
    """The tool and its version, as a file names its maker."""
    from kinegraph.version import __version__  # here, since the package imports its parts first

    return f"{_TOOL} {__version__}"


def of_animation(motion: Motion, contacts: ArrayLike | None, labels: Iterable[LabelledFrames] | None) -> dict[str, Any]:
    """The rate, the provenance and, where given, contacts ``(F, 4)`` as spans of frames and labels."""
    said: dict[str, Any] = {"fps": motion.fps, "frames": len(motion)}
    if contacts is not None:
        held = np.asarray(contacts, dtype=np.bool_)
        if held.shape != (len(motion), len(CONTACTS)):
            raise FormatError(f"contacts must be {(len(motion), len(CONTACTS))} for this motion, got {held.shape}")
        said["contacts"] = {
            name: [list(span) for span in spans(held[:, column])] for column, name in enumerate(CONTACTS)
        }
    if labels is not None:
        said["labels"] = [{"label": span.label, "first": int(span.first), "last": int(span.last)} for span in labels]
    said["provenance"] = {"name": motion.name, "notices": list(motion.notices), "made_by": generator()}
    return said


def of_skin(skeleton: Skeleton) -> dict[str, Any]:
    """What a skin cannot hold of a skeleton: the ends of last bones, and roles that the user gave."""
    said: dict[str, Any] = {}
    if len(skeleton.tip_parents):
        said["tips"] = [
            {"joint": joint, "offset": offset}
            for joint, offset in zip(skeleton.tip_parents.tolist(), skeleton.tip_offsets.tolist(), strict=True)
        ]
    if skeleton.overrides:
        said["roles"] = dict(skeleton.overrides)
    return said


def is_ours(document: Document) -> bool:
    """Whether kinegraph wrote the file, so that nothing in it need be guessed."""
    return document.generator.split(" ")[0] == _TOOL


def rate(animation: Element, keys: Sequence[Array]) -> float | None:
    """The rate that the animation's extras tell, if the key times bear it out."""
    said = animation.inner("extras")
    if said is None or "fps" not in said.fields:
        return None
    found = said.fields["fps"]
    if not isinstance(found, int | float) or not 1e-6 <= found <= 1e6:
        raise said.fault("fps", "a rate")
    places = np.concatenate(list(keys)) * found
    # of long clips single precision leaves some thousandths of a frame
    return float(found) if np.abs(places - np.round(places)).max() < 0.1 else None


@dataclass(frozen=True)
class SkinExtras:
    """The part of a skeleton that the skin's extras hold, as in `Skeleton`."""

    tip_parents: Indices = field(default_factory=lambda: np.zeros(0, np.intp))
    tip_offsets: Array = field(default_factory=lambda: np.zeros((0, 3)))
    overrides: dict[str, int] = field(default_factory=dict)


def ends(skin: Element, joints: int) -> SkinExtras:
    """Tips and roles from a skin's extras; nothing where there are none."""
    said = skin.inner("extras")
    if said is None:
        return SkinExtras()
    parents, offsets = list[int](), list[Array]()
    for tip in said.items("tips"):
        joint, offset = tip.integer("joint"), tip.reals("offset", 3)
        if joint >= joints or offset is None:
            raise tip.error(f"expected one of the {joints} joints and an offset of 3 numbers")
        parents.append(joint)
        offsets.append(offset)
    roles = said.inner("roles")
    given = {} if roles is None else {role: roles.integer(role) for role in roles.fields}
    return SkinExtras(np.array(parents, np.intp), np.array(offsets).reshape(-1, 3), given)
