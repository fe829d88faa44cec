"""A jump: crouch, flight on the parabola that gravity prescribes, landing."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np

from kinegraph.motion.rotation import Array
from kinegraph.samples.curves import FPS, hermite, keyed
from kinegraph.samples.feet import FootTrack, Plant, Swing, rolling_state, track
from kinegraph.samples.pose import Trunk, assemble, hanging_arm, headroom, turn
from kinegraph.samples.sample import Sample
from kinegraph.samples.skeleton import ANKLE_HEIGHT, HIP_DROP, LEG

GRAVITY = 9.81
_STANDING = ANKLE_HEIGHT + 0.994 * LEG + HIP_DROP
_AHEAD = 0.3
"""How far forward the feet land, in metres."""
_RISE = 0.3
"""How far the root rises after take-off, in metres."""
_BEGIN, _LOW, _TAKEOFF = 0.25, 0.78, 1.06
_WIDTH, _BEHIND = 0.1, 0.03


def make(name: str) -> Sample:
    """A standing jump, slightly forward."""
    takeoff, landing = _leg_at(_TAKEOFF, 0.92), _leg_at(0.0, 0.93)
    # up from the take-off height, down to the landing height
    down = np.sqrt(2 * (takeoff + _RISE - landing) / GRAVITY)
    speed = np.sqrt(2 * GRAVITY * _RISE)
    land = _TAKEOFF + speed / GRAVITY + float(down)
    low, stand = land + 0.24, land + 1.0
    frames = round((stand + 0.25) * FPS) + 1
    t = np.arange(frames) / FPS

    root = np.zeros((frames, 3))
    root[:, 1] = _pieces(
        t,
        (_BEGIN, _STANDING, 0.0, 0.0),
        (_LOW, 0.70, 0.0, 9.0),
        (_TAKEOFF, takeoff, speed, -GRAVITY),
        (land, landing, -GRAVITY * float(down), -GRAVITY),
        (low, 0.72, 0.0, 9.0),
        (stand, _STANDING, 0.0, 0.0),
    )
    drift = (_AHEAD - 0.14) / (land - _TAKEOFF)
    root[:, 2] = _pieces(
        t,
        (_BEGIN, 0.0, 0.0, 0.0),
        (_LOW, -0.05, 0.0, 0.0),
        (_TAKEOFF, 0.09, drift, 0.0),
        (land, _AHEAD - 0.05, drift, 0.0),
        (low, _AHEAD - 0.02, 0.0, 0.0),
        (stand, _AHEAD, 0.0, 0.0),
    )
    times = (_BEGIN, _LOW, _TAKEOFF, 0.5 * (_TAKEOFF + land), land, low, stand)
    pelvis = turn(np.zeros(frames), keyed(t, times, (0.0, 0.55, 0.05, 0.1, 0.12, 0.5, 0.0)))
    chest = turn(np.zeros(frames), keyed(t, times, (0.02, 0.8, 0.0, 0.08, 0.25, 0.68, 0.02)))
    head = turn(np.zeros(frames), keyed(t, times, (0.06, 0.3, -0.12, 0.1, 0.22, 0.2, 0.06)))
    trunk = Trunk(root, pelvis, chest, head)

    feet = [_foot(trunk, side, t, land) for side in (0, 1)]
    arms = []
    late = (_BEGIN, _LOW - 0.1, _TAKEOFF + 0.06, 0.5 * (_TAKEOFF + land), land, low + 0.05, stand)
    for side in (0, 1):
        forward = keyed(t, late, (0.05, -0.75, 2.0, 1.5, 1.0, -0.2, 0.05))
        out = keyed(t, late, (0.14, 0.2, 0.2, 0.45, 0.5, 0.3, 0.14))
        elbow = keyed(t, late, (0.22, 0.25, 0.5, 0.7, 0.6, 0.4, 0.22))
        arms.append(hanging_arm(side, forward, out, elbow, 0.25, 0.45))
    across = np.tile([1.0, 0.0, 0.0], (frames, 1))
    motion = assemble(name, trunk, (feet[0], feet[1]), (arms[0], arms[1]), (across, across))
    contacts = np.stack([down for foot in feet for down in (foot.heel_down, foot.ball_down)], axis=-1)
    aloft = np.flatnonzero(~contacts.any(axis=1))
    return Sample(motion, "jump", contacts, 0.0, flight=(int(aloft[0]), int(aloft[-1])))


def _plants(side: int, land: float) -> tuple[Plant, Plant]:
    x = _WIDTH if side == 0 else -_WIDTH
    heading = 0.1 if side == 0 else -0.1
    return (
        Plant(-np.inf, _TAKEOFF, x, -_BEHIND, heading, roll_out=0.17, pitch_out=0.7),
        Plant(land, np.inf, x, _AHEAD - _BEHIND, heading, roll_in=0.13, pitch_in=0.45),
    )


def _leg_at(moment: float, stretch: float) -> float:
    """Height of the root with the legs at ``stretch`` of their length, at take-off or (moment 0) at landing."""
    t = np.array([moment])
    plant = _plants(0, 0.0)[0 if moment else 1]
    foot = FootTrack(plant.ankle(t), turn(t), t, t, t > 0, t > 0)
    root = np.array([[0.0, 0.0, 0.09 if moment else _AHEAD - 0.05]])
    return float(headroom(foot, root, turn(np.zeros(1)), 0, stretch)[0])


def _pieces(t: Array, *ends: tuple[float, float, float, float]) -> Array:
    """Curve ``(F,)`` through ends of given time, position, velocity and acceleration; held before the first and after the last."""
    out = np.full(len(t), ends[0][1])
    for start, end in pairwise(ends):
        here = t >= start[0]
        out[here] = hermite(np.minimum(t[here], end[0]) - start[0], end[0] - start[0], start[1:], end[1:])
    return out


def _foot(trunk: Trunk, side: int, t: Array, land: float) -> FootTrack:
    """On the floor as any foot; in the air the ankle moves as seen from the root: leg stretched, drawn up, stretched for the landing."""
    plants = _plants(side, land)
    foot = track(plants, t, Swing(tuck=0.2, fall=3.0))
    aloft = (t > plants[0].lift) & (t < plants[1].touchdown)
    left, came = rolling_state(plants[0], plants[0].lift), rolling_state(plants[1], land)
    root = trunk.root
    up = np.array([0.0, GRAVITY, 0.0])
    drift = np.gradient(root[:, 2], 1 / FPS)[int(0.5 * (_TAKEOFF + land) * FPS)]
    fell = GRAVITY * (land - _TAKEOFF) - np.sqrt(2 * GRAVITY * _RISE)
    leaving = (left[1] - [0.0, np.sqrt(2 * GRAVITY * _RISE), drift], left[2] + up)
    arriving = (came[1] - [0.0, -fell, drift], came[2] + up)
    takeoff = np.array([0.0, _leg_at(_TAKEOFF, 0.92), 0.09])
    landing = np.array([0.0, _leg_at(0.0, 0.93), _AHEAD - 0.05])
    x = left[0][0]
    hang = HIP_DROP + LEG
    keys = [
        left[0] - takeoff,
        [x, -0.975 * hang, -0.1],
        [x, -0.88 * hang, -0.04],
        [x, -0.965 * hang, 0.08],
        came[0] - landing,
    ]
    times = [_TAKEOFF, _TAKEOFF + 0.09, 0.5 * (_TAKEOFF + land) + 0.02, land - 0.09, land]
    ankle = foot.ankle.copy()
    ankle[aloft] = root[aloft] + keyed(t[aloft], times, keys, leaving, arriving)
    return replace(foot, ankle=ankle)
