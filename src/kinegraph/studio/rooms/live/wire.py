"""What goes over a live person's socket.

The page sends JSON: what is wished, which poses it has seen, and what is to be done with all that was steered. It is sent JSON with a
``type``, once a motion pack that tells of the person and its skeleton, and then poses: `HEAD`, the root (3 float32), and the rotations
(J × 4 int16, of which 32767 is 1).
"""

from __future__ import annotations

import json
import struct
from dataclasses import dataclass
from typing import Annotated, Any, Literal

import numpy as np
from pydantic import Field, TypeAdapter, ValidationError

from kinegraph.arrays import Array, Bools
from kinegraph.studio.server.problems import Invalid, told
from kinegraph.tasks.models import RequestModel

HEAD = struct.Struct("<IIIff")
"""Frame since the person set out; number of the wish that it was stepped by; flags; microseconds of the processor that
the step took; seconds in which to go there from what is shown."""
ACTING = 16
"""The flag of a person who does what was to be done once; 1, 2, 4, 8: left heel, left ball, right heel, right ball are held."""

# m/s along an axis: nobody runs faster
_FASTEST = 15.0
# metres from where somebody set out: nobody is steered further
_FURTHEST = 1e5
# bytes of a message: the longest labels there are
_LONGEST = 4000
_FULL = 32767

Speed = Annotated[float, Field(ge=-_FASTEST, le=_FASTEST, allow_inf_nan=False)]
Place = Annotated[float, Field(ge=-_FURTHEST, le=_FURTHEST, allow_inf_nan=False)]
Word = Annotated[str, Field(max_length=200)]


class WishSaid(RequestModel):
    """What is wished from now on. velocity: along x and z, m/s. facing: degrees, 0 is +Z, 90 is +X. number: told with poses.

    at: where on the floor what is struck at stands, x and z in metres; else straight ahead.
    """

    type: Literal["wish"]
    number: Annotated[int, Field(ge=0, lt=2**32)] = 0
    velocity: tuple[Speed, Speed]
    facing: Annotated[float, Field(ge=-3600, le=3600, allow_inf_nan=False)] | None = None
    label: Word = ""
    action: Word = ""
    at: tuple[Place, Place] | None = None


class SeenSaid(RequestModel):
    """The pose of that frame has come: who says it too late is not sent all that was missed, but what is new."""

    type: Literal["seen"]
    frame: Annotated[int, Field(ge=0, lt=2**32)]


class AgainSaid(RequestModel):
    """Set out anew; what was steered is forgotten."""

    type: Literal["again"]


class TakeSaid(RequestModel):
    """Make a result of all that was steered since the person set out."""

    type: Literal["take"]


Said = WishSaid | SeenSaid | AgainSaid | TakeSaid

_SAID: TypeAdapter[Said] = TypeAdapter(Annotated[Said, Field(discriminator="type")])


def heard(text: str) -> Said:
    """What the page says; `Invalid` tells what makes no sense in it."""
    if len(text) > _LONGEST:
        raise Invalid(f"a message of {len(text):,} characters: no wish is as long")
    try:
        return _SAID.validate_json(text)
    except ValidationError as error:
        raise Invalid(f"this is no wish: {told(error.errors())}") from error


def said(type: str, **facts: Any) -> str:
    """A message to the page; escaped, so that no name can be one that a socket does not take."""
    return json.dumps({"type": type, **facts}, separators=(",", ":"))


@dataclass(frozen=True)
class Shown:
    """A pose as it is to be sent. wish: the number of the one that it was stepped by. cost: microseconds."""

    frame: int
    wish: int
    flags: int
    cost: float
    data: bytes

    def sent(self, over: float) -> bytes:
        """As bytes. over: seconds in which to go there."""
        return HEAD.pack(self.frame, self.wish, self.flags, self.cost, over) + self.data


def shown(frame: int, wish: int, root: Array, rotations: Array, held: Bools, acting: bool, cost: float) -> Shown:
    """A pose. held: ``(4,)``, which parts of the feet are held."""
    flags = int(np.packbits(held, bitorder="little")[0]) | (ACTING if acting else 0)
    turned = np.rint(rotations * _FULL).astype("<i2")
    return Shown(frame, wish, flags, cost, root.astype("<f4").tobytes() + turned.tobytes())
