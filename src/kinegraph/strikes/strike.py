"""Strikes: which frames of a take are one punch or one kick, and which joints do it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

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
