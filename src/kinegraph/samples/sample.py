"""`Sample`: a clip and everything that is known about it because it was computed rather than captured."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from kinegraph.arrays import Array, Bools, frozen_array
from kinegraph.motion.clip import Motion
from kinegraph.motion.spans import spans


@dataclass(frozen=True, eq=False)
class Sample:
    """A built-in clip and its ground truth."""

    motion: Motion
    """The clip, at 60 frames/s."""
    label: str
    """What the performer does: stand, walk, run, sneak, jump, punch or kick."""
    contacts: Bools
    """``(F, 4)``: whether left heel, left ball, right heel and right ball bear weight."""
    speed: float = 0.0
    """Nominal speed of the steady part, in m/s."""
    turn_radius: float | None = None
    """Of the path, in metres, positive to the left; None if it is straight."""
    target: Array | None = None
    """``(3,)``, for strikes: where the striking joint is at the hit, in metres in the ready pose's frame.

    The striking joint is the ``right_wrist`` of a punch and the ``right_ankle`` of a kick. In that frame X is to the performer's left,
    Y is up from the floor and Z is forward; its origin is on the floor below the root.
    """
    hit_frame: int | None = None
    """For strikes: the frame of the hit."""
    flight: tuple[int, int] | None = None
    """For the jump: its first and last frame in the air."""

    def __post_init__(self) -> None:
        # clips are made once and shared: nobody may write into them
        object.__setattr__(self, "contacts", frozen_array(self.contacts, np.bool_))
        if self.target is not None:
            object.__setattr__(self, "target", frozen_array(self.target))

    @property
    def name(self) -> str:
        """The clip's name."""
        return self.motion.name

    def to_dict(self) -> dict[str, Any]:
        """What is known of it, as JSON can hold it; contacts as spans of frames ``[first, past the last]``."""
        points = ("left_heel", "left_ball", "right_heel", "right_ball")
        known: dict[str, Any] = {
            "label": self.label,
            "frames": len(self.motion),
            "fps": self.motion.fps,
            "seconds": round(self.motion.seconds, 6),
            "speed_mps": self.speed,
            "turn_radius_m": self.turn_radius,
            "contacts": {point: spans(self.contacts[:, column]) for column, point in enumerate(points)},
        }
        if self.target is not None:
            known |= {"target_m": np.round(self.target, 6).tolist(), "hit_frame": self.hit_frame}
        if self.flight is not None:
            known["flight"] = list(self.flight)
        return known
