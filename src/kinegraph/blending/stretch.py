"""What a blend is given and what it promises: two stretches of motion, and the one interface of all blends.

A transition of L frames is told with a frame on either side, L + 2 in all: the frame before it is still the outgoing motion's own and
the frame after it is already the incoming motion's. So a blend knows at which velocity it takes over and gives away.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from kinegraph.arrays import Array, Bools
from kinegraph.errors import GraphError
from kinegraph.motion import rotation
from kinegraph.motion.skeleton import Skeleton


@dataclass(frozen=True, eq=False)
class Stretch:
    """One of the two motions of a transition, as plain arrays; many transitions of one length may lie along leading axes.

    Both motions of a transition stand on the same floor: whoever asks for the blend has aligned them.
    """

    skeleton: Skeleton
    root: Array
    """``(..., L + 2, 3)``: metres."""
    rotations: Array
    """``(..., L + 2, J, 4)``: w x y z, local to the parent, continuous in time."""
    fps: float
    usual: Array | None = None
    """``(..., J, 4)``: how the motion holds its joints on the whole, beyond the transition; where nobody says, as in the stretch."""

    def __post_init__(self) -> None:
        *batch, frames, axes = self.root.shape if self.root.ndim >= 2 else (0, 0)
        if axes != 3 or frames < 3 or self.rotations.shape != (*batch, frames, len(self.skeleton), 4):
            raise GraphError(
                f"a stretch of {len(self.skeleton)} joints needs root (..., L + 2, 3) and rotations "
                f"(..., L + 2, {len(self.skeleton)}, 4) with L at least 1; got {self.root.shape} and {self.rotations.shape}"
            )

    def usual_of(self, some: Bools, frames: slice = slice(None)) -> Array:
        """``(B, J, 4)``: how ``some (...)`` of the transitions hold their joints on the whole; if nobody says, as in those ``frames``."""
        return rotation.mean(self.rotations[some][:, frames], axis=1) if self.usual is None else self.usual[some]

    @property
    def length(self) -> int:
        """L: the frames of the transition, without the one before and the one after."""
        return int(self.root.shape[-2]) - 2


class Blend(Protocol):
    """How a transition goes from one motion to another. A frozen value; another blend is another class with these members."""

    @property
    def name(self) -> str:
        """What `kinegraph.blending.blend` knows it by."""

    @property
    def smooth(self) -> bool:
        """Whether the velocity of every joint angle is promised to be continuous at both ends, whatever the motions are."""

    def weights(self, skeleton: Skeleton, length: int) -> Array:
        """α ``(L, J)``: how much of each joint is the incoming motion's at each frame; column 0 is the root's position too."""

    def mix(self, outgoing: Stretch, incoming: Stretch) -> tuple[Array, Array]:
        """Root ``(..., L, 3)`` and rotations ``(..., L, J, 4)`` of the transition."""


def elapsed(length: int) -> Array:
    """t ``(L,)``: the share of the transition that has passed at each of its frames.

    The frame before is 0 and the frame after is 1, so that the transition itself holds neither motion alone.

    >>> elapsed(3).tolist()
    [0.25, 0.5, 0.75]
    """
    return np.arange(1, length + 1) / (length + 1)


def check_pair(outgoing: Stretch, incoming: Stretch) -> None:
    """Refuse two stretches that are not of one length, one body and one rate."""
    if outgoing.root.shape != incoming.root.shape or outgoing.rotations.shape != incoming.rotations.shape:
        raise GraphError(
            f"stretches of {outgoing.rotations.shape} and {incoming.rotations.shape} cannot be mixed: both need the same frames "
            "and joints"
        )
    if outgoing.fps != incoming.fps:
        raise GraphError(f"stretches at {outgoing.fps:g} and {incoming.fps:g} frames/s cannot be mixed: resample one")
