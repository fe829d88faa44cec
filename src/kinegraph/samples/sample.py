"""`Sample`: a clip together with what is known about it because it was made, not captured."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kinegraph.arrays import Array, Bools, frozen_array
from kinegraph.motion.clip import Motion


@dataclass(frozen=True, eq=False)
class Sample:
    """A built-in clip and its ground truth.

    motion: the clip, at 60 frames/s. label: what the performer does (stand, walk, run, sneak, jump, punch, kick).
    contacts: ``(F, 4)``, whether left heel, left ball, right heel and right ball bear weight. speed: nominal speed of the steady
    part in m/s. turn_radius: of the path in metres, positive to the left, or None where it is straight.
    target and hit_frame, for strikes: where the striking joint (``right_wrist`` of a punch, ``right_ankle`` of a kick) is at the hit,
    ``(3,)`` metres in the ready pose's frame (X to the performer's left, Y up from the floor, Z forward, origin on the floor below the
    root), and when. flight, for the jump: its first and last frame in the air.
    """

    motion: Motion
    label: str
    contacts: Bools
    speed: float = 0.0
    turn_radius: float | None = None
    target: Array | None = None
    hit_frame: int | None = None
    flight: tuple[int, int] | None = None

    def __post_init__(self) -> None:
        # clips are made once and shared: nobody may write into them
        object.__setattr__(self, "contacts", frozen_array(self.contacts, np.bool_))
        if self.target is not None:
            object.__setattr__(self, "target", frozen_array(self.target))

    @property
    def name(self) -> str:
        """The clip's name."""
        return self.motion.name
