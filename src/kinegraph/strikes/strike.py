"""Strikes: which frames of a take are one punch or one kick, and which joints do it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, get_args

import numpy as np

from kinegraph.errors import SpaceError
from kinegraph.motion import Motion
from kinegraph.strikes.kinds import KINDS

Side = Literal["left", "right"]

SIDES: tuple[Side, ...] = get_args(Side)


@dataclass(frozen=True)
class CapturedStrike:
    """One strike of a take, from the ready pose to the hit and back. Frames are those of the clip as it was read, at its own rate."""

    clip: str
    """The name of the take."""
    start: int
    """The frame of the ready pose."""
    hit: int
    """The frame at which the striking end is furthest out."""
    end: int
    """The frame after the last one of the return."""

    def __post_init__(self) -> None:
        if not all(isinstance(frame, int | np.integer) for frame in (self.start, self.hit, self.end)):
            raise SpaceError(
                f"{self.clip}: frames of a strike are whole numbers, got {self.start}, {self.hit}, {self.end}"
            )
        if not 0 <= self.start < self.hit < self.end - 1:
            raise SpaceError(
                f"{self.clip}: a strike from frame {self.start} to {self.end} cannot hit at {self.hit}: start must be 0 or more, the "
                "hit after it, and at least one frame of the return must follow before the end"
            )

    def cut(self, motion: Motion) -> Motion:
        """The strike cut out of its take, named after take and hit frame: 02_05:170."""
        if self.end > len(motion):
            raise SpaceError(
                f"{self.clip}: the strike that hits at frame {self.hit} ends at {self.end}, but the take has {len(motion)} frames"
            )
        return motion[self.start : self.end].renamed(f"{self.clip}:{self.hit}")


@dataclass(frozen=True)
class Unused:
    """A strike that is not in the space, and why.

    >>> print(Unused("02_05", "punch", "right", 172, 1.433, "it is too slow"))
    02_05: the punch of the right hand at frame 172 (1.43 s) is left out: it is too slow
    """

    clip: str
    """The name of the take."""
    kind: str
    side: Side
    hit: int
    """The frame of the hit."""
    seconds: float
    """The same in seconds from the take's first frame."""
    why: str
    strike: CapturedStrike | None = None
    """All its frames, where it is whole and could be corrected by hand."""

    def __str__(self) -> str:
        limb = limb_name(self.kind, self.side)
        return f"{self.clip}: the {self.kind} of the {limb} at {self.when} is left out: {self.why}"

    @property
    def when(self) -> str:
        """Its hit for people, by frame and second."""
        return at_frame(self.hit, self.seconds)

    def to_dict(self) -> dict[str, Any]:
        """As JSON holds it."""
        told = {"clip": self.clip, "hit": self.hit, "seconds": round(self.seconds, 3)}
        return {**told, "limb": limb_name(self.kind, self.side), "why": self.why}


def at_frame(frame: int, seconds: float) -> str:
    """A moment of a take for people.

    >>> at_frame(172, 1.4333)
    'frame 172 (1.43 s)'
    """
    return f"frame {frame} ({seconds:.2f} s)"


def check_side(side: str) -> Side:
    """``side`` itself if it is one of `SIDES`, otherwise a `SpaceError`."""
    for known in SIDES:
        if side == known:
            return known
    raise SpaceError(f"unknown side {side!r}: expected {' or '.join(SIDES)}")


def other(side: Side) -> Side:
    """The other side."""
    return "left" if side == "right" else "right"


def end_role(kind: str, side: Side) -> str:
    """The joint whose place at the hit is the strike's target.

    >>> end_role("punch", "right"), end_role("kick", "left")
    ('right_wrist', 'left_ankle')
    """
    return f"{side}_{KINDS[kind].limb.end}"


def top_role(kind: str, side: Side) -> str:
    """The joint at which the striking limb begins.

    >>> top_role("punch", "right"), top_role("kick", "left")
    ('right_shoulder', 'left_hip')
    """
    return f"{side}_{KINDS[kind].limb.top}"


def standing_side(kind: str, side: Side) -> Side:
    """The side of the foot that stays in place: a kick stands on the other foot, and a punch leans on the front foot, also the other one.

    >>> standing_side("kick", "right")
    'left'
    """
    return other(side)


def standing_sides(kind: str, side: Side) -> tuple[Side, ...]:
    """The sides of the legs that stand throughout.

    >>> standing_sides("punch", "right"), standing_sides("kick", "right")
    (('left', 'right'), ('left',))
    """
    return (other(side),) if KINDS[kind].lifts else SIDES


def limb_name(kind: str, side: Side) -> str:
    """What strikes, in words for people.

    >>> limb_name("punch", "right"), limb_name("kick", "left")
    ('right hand', 'left foot')
    """
    return f"{side} {KINDS[kind].limb.tip}"
