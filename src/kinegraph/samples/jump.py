"""A jump: crouch, flight on a parabola under gravity, landing."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
from numpy.typing import ArrayLike

from kinegraph.arrays import Array
from kinegraph.samples.body import ANKLE_BEHIND, HIP_DROP, LEG, STANDING_HEIGHT
from kinegraph.samples.curves import FPS, GRAVITY, hermite, keyed
from kinegraph.samples.feet import Footfall, FootTrack, Swing, contacts, rolling_state, track
from kinegraph.samples.pose import Trunk, assemble, hanging_arm, leg_headroom, sideways, turn
from kinegraph.samples.sample import Sample

# Seconds: the crouch begins, is deepest, and the feet leave the floor.
_BEGIN, _LOW, _TAKEOFF = 0.25, 0.78, 1.06
# Metres: how far forward the feet land, how far the root rises after take-off, half the distance between the feet.
_AHEAD, _RISE, _WIDTH = 0.3, 0.3, 0.1
# How far the root is ahead of where it stood at take-off, and of where it will stand at landing.
_TAKEOFF_AHEAD, _LANDING_AHEAD = 0.09, -0.05
# Legs are still bent when the feet leave the floor and again when they meet it: nobody can stop a leg that snaps straight.
_TAKEOFF_STRETCH, _LANDING_STRETCH = 0.92, 0.93


@dataclass(frozen=True)
class _Flight:
    """Where the root takes off and lands, ``(3,)`` each, and its speed upwards and downwards at those moments."""

    leaves: Array
    lands: Array
    up: float
    down: float

    @property
    def landing(self) -> float:
        """The moment of landing in seconds."""
        return _TAKEOFF + (self.up + self.down) / GRAVITY

    @property
    def drift(self) -> float:
        """Speed forwards, the same throughout."""
        return float(self.lands[2] - self.leaves[2]) / (self.landing - _TAKEOFF)


def _flight() -> _Flight:
    before, after = _plants(0, 0.0)
    heights = []
    for plant, moment, z, stretch in (
        (before, before.lift, _TAKEOFF_AHEAD, _TAKEOFF_STRETCH),
        (after, after.touchdown, _AHEAD + _LANDING_AHEAD, _LANDING_STRETCH),
    ):
        ankle = plant.ankle(np.array([moment]))
        root = np.array([[0.0, 0.0, z]])
        heights.append(np.array([0.0, float(leg_headroom(ankle, root, turn(np.zeros(1)), 0, stretch)[0]), z]))
    leaves, lands = heights
    up = np.sqrt(2 * GRAVITY * _RISE)
    down = np.sqrt(2 * GRAVITY * (leaves[1] + _RISE - lands[1]))
    return _Flight(leaves, lands, float(up), float(down))


def make(name: str) -> Sample:
    """A standing jump, slightly forward."""
    flight = _flight()
    land = flight.landing
    low, stand = land + 0.24, land + 1.0
    frames = round((stand + 0.25) * FPS) + 1
    t = np.arange(frames) / FPS
    trunk = _trunk(t, flight, low, stand)
    feet = (_foot(trunk, flight, 0, t), _foot(trunk, flight, 1, t))
    # the arms are swung back, thrown up with the body, and come down with it
    times = (_BEGIN, _LOW - 0.1, _TAKEOFF + 0.06, 0.5 * (_TAKEOFF + land), land, low + 0.05, stand)
    forward = keyed(t, times, (0.05, -0.75, 2.0, 1.5, 1.0, -0.2, 0.05))
    out = keyed(t, times, (0.14, 0.2, 0.2, 0.45, 0.5, 0.3, 0.14))
    elbow = keyed(t, times, (0.22, 0.25, 0.5, 0.7, 0.6, 0.4, 0.22))
    arms = (hanging_arm(0, forward, out, elbow), hanging_arm(1, forward, out, elbow))
    across = sideways(np.zeros(frames))
    motion = assemble(name, trunk, feet, arms, (across, across))
    down = contacts(feet)
    aloft = np.flatnonzero(~down.any(axis=1))
    return Sample(motion, "jump", down, flight=(int(aloft[0]), int(aloft[-1])))


def _trunk(t: Array, flight: _Flight, low: float, stand: float) -> Trunk:
    land = flight.landing
    root = np.zeros((len(t), 3))
    root[:, 1] = _pieces(
        t,
        (_BEGIN, STANDING_HEIGHT, 0.0, 0.0),
        (_LOW, 0.715, 0.0, 9.0),
        (_TAKEOFF, flight.leaves[1], flight.up, -GRAVITY),
        (land, flight.lands[1], -flight.down, -GRAVITY),
        (low, 0.73, 0.0, 9.0),
        (stand, STANDING_HEIGHT, 0.0, 0.0),
    )
    root[:, 2] = _pieces(
        t,
        (_BEGIN, 0.0, 0.0, 0.0),
        (_LOW, -0.05, 0.0, 0.0),
        (_TAKEOFF, flight.leaves[2], flight.drift, 0.0),
        (land, flight.lands[2], flight.drift, 0.0),
        (low, _AHEAD - 0.02, 0.0, 0.0),
        (stand, _AHEAD, 0.0, 0.0),
    )
    times = (_BEGIN, _LOW, _TAKEOFF, 0.5 * (_TAKEOFF + land), land, low, stand)
    pitches = (
        (0.0, 0.55, 0.05, 0.1, 0.12, 0.5, 0.0),
        (0.02, 0.8, 0.0, 0.08, 0.25, 0.68, 0.02),
        (0.06, 0.3, -0.12, 0.1, 0.22, 0.2, 0.06),
    )
    pelvis, chest, head = (turn(np.zeros(len(t)), keyed(t, times, pitch)) for pitch in pitches)
    return Trunk(root, pelvis, chest, head)


def _plants(side: int, land: float) -> tuple[Footfall, Footfall]:
    sign = 1.0 if side == 0 else -1.0
    x, heading = sign * _WIDTH, sign * 0.1
    return (
        Footfall(-np.inf, _TAKEOFF, x, -ANKLE_BEHIND, heading, roll_out=0.17, pitch_out=0.7),
        Footfall(land, np.inf, x, _AHEAD - ANKLE_BEHIND, heading, roll_in=0.13, pitch_in=0.45),
    )


def _pieces(t: Array, *ends: tuple[float, float, float, float]) -> Array:
    """Curve ``(F,)`` through ends of given time, position, velocity and acceleration; held before the first and after the last."""
    out = np.full(len(t), ends[0][1])
    for start, end in pairwise(ends):
        here = t >= start[0]
        out[here] = hermite(t[here] - start[0], end[0] - start[0], start[1:], end[1:])
    out[t >= ends[-1][0]] = ends[-1][1]
    return out


def _foot(trunk: Trunk, flight: _Flight, side: int, t: Array) -> FootTrack:
    """On the floor as any foot; in the air the ankle moves as seen from the root: leg stretched, drawn up, stretched for the landing."""
    land = flight.landing
    before, after = _plants(side, land)
    foot = track((before, after), t, Swing(tuck=0.2, fall=3.0))
    left, came = rolling_state(before, before.lift), rolling_state(after, land)
    falling = np.array([0.0, -GRAVITY, 0.0])
    leaving = (left[1] - [0.0, flight.up, flight.drift], left[2] - falling)
    arriving = (came[1] - [0.0, -flight.down, flight.drift], came[2] - falling)
    x, straight = before.x, HIP_DROP + LEG
    keys: list[ArrayLike] = [
        left[0] - flight.leaves,
        [x, -0.975 * straight, -0.1],
        [x, -0.88 * straight, -0.04],
        [x, -0.965 * straight, 0.08],
        came[0] - flight.lands,
    ]
    times = [_TAKEOFF, _TAKEOFF + 0.09, 0.5 * (_TAKEOFF + land) + 0.02, land - 0.09, land]
    aloft = (t > before.lift) & (t < after.touchdown)
    ankle = foot.ankle.copy()
    ankle[aloft] = trunk.root[aloft] + keyed(t[aloft], times, np.array(keys), leaving, arriving)
    return replace(foot, ankle=ankle)
