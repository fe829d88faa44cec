"""Strikes of people who are steered: each walks to where its target is in reach, strikes, and goes on as it is wished."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from kinegraph.arrays import Array, Singles
from kinegraph.errors import SpaceError
from kinegraph.graph.model import MotionGraph
from kinegraph.motion.floor import FloorTransform
from kinegraph.people.choice import Manner
from kinegraph.people.openings import DEAREST, Openings, openings
from kinegraph.people.policy import ANGLES, SPEEDS
from kinegraph.people.stances import Stance, Stances, stances
from kinegraph.people.tracks import StrikeTrack
from kinegraph.strikes import told
from kinegraph.strikes.space import Space

State = Literal["coming", "striking", "leaving", "done", "failed"]

# How far a stance may be for the transition to bring the body there, see `Stance.apart`: at once, where it is about to be too late, and
# if the body comes no nearer.
_AT_ONCE, _TOO_LATE, _NEAR = 0.12, 0.25, 0.5
# How much nearer per frame is nearer.
_NEARER = 0.002
# Seconds that a transition is longer for each metre that it has to bring the body.
_LONGER = 1.1
# m/s at which one walks up to a target: by how far it is away in this many seconds, not below the one nor above the other.
_SOON, _SLOWEST, _FASTEST = 0.8, 0.5, 1.3
# Who has turned away from a target by more radians than this, and is nearer than the first metres, makes room up to the second.
_AWAY, _CLOSE, _ROOM = 1.6, 1.2, 1.5
# Seconds after which it is given up, and more for each metre to walk.
_PATIENCE, _EACH_METRE = 8.0, 2.0


@dataclass(eq=False)
class LiveStrike:
    """A strike that somebody was asked for.

    It is ``coming`` while the body walks up, ``striking`` from the transition on, ``leaving`` after the hit, and then ``done``; or it has
    ``failed``, and `why` is a sentence.
    """

    space: Space
    target: Array
    """``(3,)``: in the world."""
    openings: Openings
    stances: Stances | None
    """Where to stand for it; None where nobody can."""
    state: State = "coming"
    why: str = ""
    hit: Array | None = None
    """``(3,)``: where the striking joint was at the hit."""
    hit_frame: int | None = None
    """Which of all frames that were shown that was; for a `Person`."""
    node: int = -1
    """Of the graph, at which it goes on afterwards."""
    track: StrikeTrack | None = None
    """What is shown."""
    at: int = -1
    """Which of its frames."""
    _before: float = np.inf
    _frames: int = 0
    _making_room: bool = False
    _patience: float = field(default=np.inf)

    @staticmethod
    def of(graph: MotionGraph, space: Space, target: Array) -> LiveStrike:
        """Asked for just now. It has failed already where the target is out of reach for the space; a space that does not suit the
        graph is refused.
        """
        ways = openings(graph, space)
        try:
            return LiveStrike(space, target, ways, stances(space, target))
        except SpaceError as error:
            return LiveStrike(space, target, ways, None, "failed", str(error))

    @property
    def miss(self) -> float | None:
        """Metres between hit and target."""
        return None if self.hit is None else float(np.linalg.norm(self.hit - self.target))

    @property
    def over(self) -> bool:
        """Whether it is done or has failed."""
        return self.state in ("done", "failed")

    def opening(
        self, place: FloorTransform, row: int, fps: float, *, stands: bool, late: bool
    ) -> tuple[Stance, int] | None:
        """From which stance to strike now, and in how many frames to get there; None if not now.

        place: where the clip lies of which frame ``row`` of the graph would come next. Who does not stand waits for as long as it comes
        nearer by itself; but not as long if it is ``late``, since the next opening is a while off.
        """
        cost, angle, x, z = self.openings.into[row]
        if not cost <= DEAREST:
            self._before = np.inf
            return None
        assert self.stances is not None  # or it would have failed
        stance = self.stances.nearest(place @ FloorTransform(float(angle), float(x), float(z)))
        nearer = stance.apart < self._before - _NEARER
        self._before = stance.apart
        most = _NEAR if stands or not nearer else _TOO_LATE if late else _AT_ONCE
        if stance.apart > most:
            return None
        return stance, self.openings.frames + round(_LONGER * stance.apart * fps)

    def wish(self, x: float, z: float, heading: float, fps: float) -> tuple[float, float] | None:
        """The velocity by which somebody who is at ``x`` and ``z`` and faces a ``heading`` gets to strike; None once it is given up."""
        assert self.stances is not None  # or it would have failed
        stance = self.stances.nearest(FloorTransform(heading - self.openings.heading, x, z))
        away = np.array([x - self.target[0], z - self.target[2]])
        distance = float(np.hypot(*away))
        if not np.isfinite(self._patience):
            self._patience = _PATIENCE + _EACH_METRE * distance
        self._frames += 1
        if self._frames > self._patience * fps:
            self.state = "failed"
            self.why = (
                f"{self.space.name!r} at {told.point(self.target)} was given up after {self._patience:.0f} s: nobody in this graph gets to "
                "where it could be struck from"
            )
            return None
        self._making_room = abs(stance.turn) > _AWAY and distance < (_ROOM if self._making_room else _CLOSE)
        if self._making_room:
            way = away / distance if distance > 0.1 else np.array([np.sin(heading), np.cos(heading)])
            return float(_FASTEST * way[0]), float(_FASTEST * way[1])
        step = np.array([stance.place.x - x, stance.place.z - z])
        far = float(np.hypot(*step))
        speed = min(max(far / _SOON, _SLOWEST), _FASTEST)
        if far < _AT_ONCE:
            # it stands right, but looks elsewhere: who goes towards the target turns to it
            step, far = -away, distance
        return float(speed * step[0] / far), float(speed * step[1] / far)

    def exit(self, direction: float, speed: float, values: Singles, place: FloorTransform, manner: Manner) -> int:
        """The node at which to go on after the strike, for a wish. values: as in `choice.best`. place: of the strike."""
        cost = manner.transition + manner.unlike * self.openings.out[:, 0]
        able = np.flatnonzero(np.isfinite(cost))
        k = int(np.clip(np.searchsorted(SPEEDS, speed, side="right") - 1, 0, len(SPEEDS) - 2))
        share = float(np.clip((speed - SPEEDS[k]) / (SPEEDS[k + 1] - SPEEDS[k]), 0.0, 1.0))
        there = (1.0 - share) * values[able, k] + share * values[able, k + 1]
        turned = (direction - place.angle - self.openings.out[able, 1]) / (2.0 * np.pi) * ANGLES
        low = np.floor(turned).astype(np.intp)
        part, each = turned - low, np.arange(len(able))
        later = (1.0 - part) * there[each, low % ANGLES] + part * there[each, (low + 1) % ANGLES]
        return int(able[np.argmin(cost[able] + later)])
