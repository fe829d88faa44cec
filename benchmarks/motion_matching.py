"""Plain motion matching, the baseline of `live.py`: every tenth of a second the frame of all clips is sought that is most like how the
body moves now and where it should be in 0.33, 0.67 and 1 s, and played from there.

After Clavet, "Motion matching and the road to next-gen animation" (2016), and Holden's open implementation: features are positions and
directions of the trajectory, positions and velocities of the feet, and the velocity of the hips, each group divided by its own spread;
the trajectory that is wished is that of a critically damped spring; the pose of the frame that was left fades by inertialisation. Clips,
the smoothed root and the foot lock are those of `kinegraph.people`. The search is exhaustive: there are few frames.

With ``bends``, people are turned and paced as `kinegraph.people` turns and paces its own: what is left between the two is the choice.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from kinegraph.graph.model import MotionGraph
from kinegraph.motion import rotation
from kinegraph.motion.clip import Motion, pose_together
from kinegraph.people.body import legs_of
from kinegraph.people.choice import wrapped
from kinegraph.people.held import Feet
from kinegraph.people.land import land_of
from kinegraph.people.lock import lock
from kinegraph.people.policy import policy
from kinegraph.people.stepping import Cursors, pose, shifted, steer
from kinegraph.people.ways import with_ways
from kinegraph.similarity.clouds import cloud, cloud_matrix, mass_weights
from kinegraph.similarity.exact import alignments

Array = NDArray[np.float64]

# seconds ahead at which trajectories are compared; between two searches; and in which a pose that was left is half gone
AHEAD, EVERY, FADE = (1 / 3, 2 / 3, 1.0), 0.1, 0.07
# seconds in which the wished trajectory has come half way to the wish: its velocity and its direction
QUICK, TURNS = 0.1, 0.13
# seconds: frames so near of the same clip are what would come anyway; and so near to a clip's end nobody is led to
ANYWAY, ENDS = 0.3, 0.35
# weights of the groups of features: trajectory's positions and directions, feet's positions and velocities, hips' velocity
# chosen among 104 settings, drawn at random and then about the best, by the very turns and speeds of `live.py`: in its favour
WEIGHTS = (3.0, 3.3, 1.4, 0.5, 1.7)
GROUPS = (6, 6, 6, 6, 3)


class Library(NamedTuple):
    """T frames of all clips."""

    features: NDArray[np.float32]
    """``(T, 27)``, weighed"""
    scale: NDArray[np.float32]
    """``(27,)``: what features were multiplied by"""
    clip: NDArray[np.int64]
    last: NDArray[np.int64]
    """``(T,)``: the last frame of its clip"""
    open: NDArray[np.bool_]
    """``(T,)``: whether somebody may be led there"""


def library(graph: MotionGraph, weights: tuple[float, ...] = WEIGHTS) -> Library:
    """The frames of a graph's clips, as motion matching sees them."""
    own = policy(graph).rows
    motions = [clip.motion for clip in graph.clips]
    pose_together(motions)
    parts, clip_of, last, start = [], [], [], 0
    for number, motion in enumerate(motions):
        count, fps = len(motion), motion.fps
        at = slice(start, start + count)
        steady, facing = own.steady[at], np.unwrap(own.facing[at])
        pace = np.gradient(steady, axis=0) if count > 1 else np.zeros_like(steady)
        columns = []
        for seconds in AHEAD:
            there = np.arange(count) + round(seconds * fps)
            inside = np.minimum(there, count - 1)
            beyond = (there - inside)[:, None] * pace[max(count - 4, 0) :].mean(axis=0)
            columns.append(_seen(steady[inside] + beyond - steady, own.facing[at]))
        for seconds in AHEAD:
            turned = facing[np.minimum(np.arange(count) + round(seconds * fps), count - 1)] - facing
            columns.append(np.stack([np.sin(turned), np.cos(turned)], axis=1))
        feet = [_foot(motion, side) for side in ("left", "right")]
        for place in feet:
            flat = _seen(place[:, [0, 2]] - steady, own.facing[at])
            columns.append(np.stack([flat[:, 0], place[:, 1], flat[:, 1]], axis=1))
        for place in (*feet, motion.root):
            speed = np.gradient(place, axis=0) * fps if count > 1 else np.zeros_like(place)
            flat = _seen(speed[:, [0, 2]], own.facing[at])
            columns.append(np.stack([flat[:, 0], speed[:, 1], flat[:, 1]], axis=1))
        parts.append(np.concatenate(columns, axis=1))
        clip_of.append(np.full(count, number))
        last.append(np.full(count, start + count - 1))
        start += count
    features = np.concatenate(parts)
    ends = np.cumsum(GROUPS)
    spread = np.concatenate(
        [
            np.full(size, features[:, end - size : end].std(axis=0).mean())
            for size, end in zip(GROUPS, ends, strict=True)
        ]
    )
    scale = np.repeat(np.array(weights), GROUPS) / np.maximum(spread, 1e-6)
    final = np.concatenate(last)
    free = final - np.arange(start) >= round(ENDS * graph.fps)
    # the velocity of a clip's first frame is not known
    free &= np.concatenate([np.arange(len(motion)) > 0 for motion in motions])
    free &= np.concatenate([clip.sound for clip in graph.clips])
    return Library(
        (features * scale).astype(np.float32), scale.astype(np.float32), np.concatenate(clip_of), final, free
    )


def _foot(motion: Motion, side: str) -> Array:
    return motion.position(f"{side}_toe" if motion.skeleton.has_roles(f"{side}_toe") else f"{side}_ankle")


def _seen(flat: Array, facing: Array) -> Array:
    """``(F, 2)`` on the floor as a body sees it that faces so ``(F,)``."""
    cosine, sine = np.cos(facing), np.sin(facing)
    return np.stack([cosine * flat[:, 0] - sine * flat[:, 1], cosine * flat[:, 1] + sine * flat[:, 0]], axis=1)


@njit(cache=True, nogil=True, fastmath=True)
def sought(query: NDArray[np.float32], features: NDArray[np.float32], free: NDArray[np.bool_]) -> int:
    """The frame whose features ``(T, D)`` are nearest to ``query (D,)``, of those that are ``free (T,)``."""
    least, found = np.float32(np.inf), 0
    for row in range(len(features)):
        if not free[row]:
            continue
        apart = np.float32(0.0)
        for k in range(12):
            off = features[row, k] - query[k]
            apart += off * off
        if apart >= least:
            continue
        for k in range(12, len(query)):
            off = features[row, k] - query[k]
            apart += off * off
        if apart < least:
            least, found = apart, row
    return found


@njit(cache=True, nogil=True)
def wished(
    query: NDArray[np.float32],
    scale: NDArray[np.float32],
    ahead: Array,
    speed: float,
    way: float,
    wish: float,
    angle: float,
    quick: float,
    turns: float,
) -> None:
    """Write the trajectory of somebody at a ``speed`` along ``way`` who wishes to go at ``wish`` along ``angle``, seen from the body."""
    damping, turning = 2.0 * 0.6931472 / quick, 2.0 * 0.6931472 / turns
    for k in range(len(ahead)):
        t = ahead[k]
        fade = np.exp(-damping * t)
        for axis in range(2):
            now = speed * (np.sin(way) if axis == 0 else np.cos(way))
            goal = wish * (np.sin(angle) if axis == 0 else np.cos(angle))
            off = now - goal
            # the integral of off (1 + y t) exp(-y t)
            query[2 * k + axis] = goal * t + off * (2.0 - fade * (2.0 + damping * t)) / damping
        turned = 0.0 if wish < 0.2 else angle * (1.0 - (1.0 + turning * t) * np.exp(-turning * t))
        query[6 + 2 * k] = np.sin(turned)
        query[7 + 2 * k] = np.cos(turned)
    for k in range(12):
        query[k] *= scale[k]


class Offsets(NamedTuple):
    """How far the poses that are shown are from those that are played, and how fast that changes."""

    turn: Array
    """``(N, J, 3)``"""
    spin: Array
    root: Array
    """``(N, 3)``"""
    drift: Array

    @staticmethod
    def of(count: int, joints: int) -> Offsets:
        turn, spin = np.zeros((2, count, joints, 3))
        root, drift = np.zeros((2, count, 3))
        return Offsets(turn, spin, root, drift)


@njit(cache=True, nogil=True)
def _log(a: Array, b: Array, out: Array) -> None:
    """The rotation vector of ``a`` after the inverse of ``b``."""
    w = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3]
    x = -a[0] * b[1] + a[1] * b[0] - a[2] * b[3] + a[3] * b[2]
    y = -a[0] * b[2] + a[1] * b[3] + a[2] * b[0] - a[3] * b[1]
    z = -a[0] * b[3] - a[1] * b[2] + a[2] * b[1] + a[3] * b[0]
    if w < 0.0:
        w, x, y, z = -w, -x, -y, -z
    sine = np.sqrt(x * x + y * y + z * z)
    much = 2.0 if sine < 1e-9 else 2.0 * np.arctan2(sine, w) / sine
    out[0], out[1], out[2] = much * x, much * y, much * z


@njit(cache=True, nogil=True)
def left(
    person: int,
    offsets: Offsets,
    root: Array,
    rotations: Array,
    before_root: Array,
    before: Array,
    new_root: Array,
    new: Array,
    new_before_root: Array,
    new_before: Array,
    fps: float,
) -> None:
    """What is shown goes on from where and how it was: (root, rotations) and those before, though (new, …) is played instead."""
    earlier = np.empty(3)
    for joint in range(len(new)):
        now = offsets.turn[person, joint]
        _log(rotations[joint], new[joint], now)
        _log(before[joint], new_before[joint], earlier)
        for k in range(3):
            offsets.spin[person, joint, k] = (now[k] - earlier[k]) * fps
    for k in range(3):
        offsets.root[person, k] = root[k] - new_root[k]
        offsets.drift[person, k] = (root[k] - new_root[k] - before_root[k] + new_before_root[k]) * fps


@njit(cache=True, nogil=True)
def faded(offsets: Offsets, root: Array, rotations: Array, fade: float, fps: float) -> None:
    """Let offsets fade by a frame, and add them to poses ``root (N, 3)``, ``rotations (N, J, 4)``."""
    damping = 2.0 * 0.6931472 / fade
    keep = np.exp(-damping / fps)
    people, joints = rotations.shape[:2]
    for person in range(people):
        for k in range(3):
            pull = offsets.drift[person, k] + damping * offsets.root[person, k]
            offsets.root[person, k] = keep * (offsets.root[person, k] + pull / fps)
            offsets.drift[person, k] = keep * (offsets.drift[person, k] - damping * pull / fps)
            root[person, k] += offsets.root[person, k]
        for joint in range(joints):
            turn, spin = offsets.turn[person, joint], offsets.spin[person, joint]
            size = 0.0
            for k in range(3):
                pull = spin[k] + damping * turn[k]
                turn[k] = keep * (turn[k] + pull / fps)
                spin[k] = keep * (spin[k] - damping * pull / fps)
                size += turn[k] * turn[k]
            size = np.sqrt(size)
            if size < 1e-9:
                continue
            sine = np.sin(0.5 * size) / size
            a, b, c, d = np.cos(0.5 * size), sine * turn[0], sine * turn[1], sine * turn[2]
            w, x, y, z = rotations[person, joint]
            rotations[person, joint, 0] = a * w - b * x - c * y - d * z
            rotations[person, joint, 1] = a * x + b * w + c * z - d * y
            rotations[person, joint, 2] = a * y - b * z + c * w + d * x
            rotations[person, joint, 3] = a * z + b * y - c * x + d * w


@njit(cache=True, nogil=True)
def aligned(place: Array, steady: Array, facing: Array, old: int, new: int, out: Array) -> None:
    """Lay the clip of row ``new`` so that the body is where row ``old`` has it, and faces as there. out: ``(2, 3)``."""
    cosine, sine = np.cos(place[0]), np.sin(place[0])
    x = cosine * steady[old, 0] + sine * steady[old, 1] + place[1]
    z = cosine * steady[old, 1] - sine * steady[old, 0] + place[2]
    angle = place[0] + facing[old] - facing[new]
    cosine, sine = np.cos(angle), np.sin(angle)
    out[:, 0] = angle
    out[:, 1] = x - cosine * steady[new, 0] - sine * steady[new, 1]
    out[:, 2] = z - cosine * steady[new, 1] + sine * steady[new, 0]


class Matched:
    """N people who are led by motion matching; with what `live.py` asks of `kinegraph.people.People`."""

    def __init__(
        self,
        graph: MotionGraph,
        count: int = 1,
        *,
        seed: int = 0,
        bends: bool = False,
        weights: tuple[float, ...] = WEIGHTS,
        quick: float = QUICK,
        turns: float = TURNS,
        fade: float = FADE,
    ) -> None:
        self.graph, self.count = with_ways(graph), count
        own = policy(self.graph)
        self._rows, self.library = own.rows, library(self.graph, weights)
        self.quick, self.turns, self.fade = quick, turns, fade
        frames = len(self.library.clip)
        # every frame is an edge of its own
        self._begin = np.arange(frames)
        self._played = own.played._replace(begin=self._begin)
        self._manner = own.manner if bends else own.manner._replace(spin=0.0, slowest=1.0, fastest=1.0)
        self._legs, self._feet, self._land = legs_of(graph), Feet.of(count), land_of(None)
        self.cursors = Cursors.of(count)
        self._offsets = Offsets.of(count, len(graph.skeleton))
        self._wish = np.zeros((count, 2))
        self._since = np.random.default_rng(seed).integers(0, 3, count)
        self.root, self.rotations = np.zeros((count, 3)), rotation.identity(count, len(graph.skeleton))
        self.contacts = np.zeros((count, 4), np.bool_)
        self._shown = [(self.root.copy(), self.rotations.copy()) for _ in range(2)]
        self.switched = np.zeros(count, np.bool_)
        self.pairs = np.zeros((count, 2), np.int64)
        speed = own.played.speed[:frames]
        calm = np.flatnonzero(self.library.open & (speed <= speed[self.library.open].min() + 0.05))
        row = calm[:1] if count == 1 else np.random.default_rng(seed).choice(calm, count)
        self.cursors.edge[:, 0], self.cursors.edge[:, 1] = row, row + 1
        for person in range(count):
            self._put(person, int(row[person]), int(row[person]), upright=True)
        self._pose()
        self._shown = [(self.root.copy(), self.rotations.copy()) for _ in range(2)]
        self._hold()

    def _put(self, person: int, old: int, new: int, upright: bool = False) -> None:
        own, cursors = self._rows, self.cursors
        if upright:
            cursors.place[person, :, 0] = -own.facing[new]
            cosine, sine = np.cos(-own.facing[new]), np.sin(-own.facing[new])
            x, z = own.steady[new]
            cursors.place[person, :, 1:] = -(cosine * x + sine * z), -(cosine * z - sine * x)
            return
        aligned(cursors.place[person, 0].copy(), own.steady, own.facing, old, new, cursors.place[person])

    @property
    def held(self) -> NDArray[np.bool_]:
        return self._feet.held > 0

    @property
    def rows(self) -> NDArray[np.int64]:
        return self.cursors.edge[:, 0]

    def _pose(self) -> None:
        own = self._rows
        pose(
            self.cursors,
            self._begin,
            own.root,
            own.rotations,
            own.contacts,
            self.root,
            self.rotations,
            self.contacts,
        )

    def _hold(self) -> None:
        lock(self._legs, self._feet, self._land, self.contacts, self.root, self.rotations, self.graph.fps)

    def step(self, velocity: Array) -> None:
        """The next frame."""
        wish = np.ascontiguousarray(np.broadcast_to(np.asarray(velocity, np.float64), (self.count, 2)))
        fps, everybody = self.graph.fps, np.arange(self.count)
        changed = np.abs(wish - self._wish).max(axis=1) > 1e-6
        self._wish = wish.copy()
        self._since += 1
        ended = self.cursors.edge[:, 1] >= self.library.last[self.cursors.edge[:, 0]]
        self.switched[:] = False
        for person in np.flatnonzero(changed | (self._since >= round(EVERY * fps)) | ended).tolist():
            self._search(person, wish[person], bool(ended[person]))
        steer(self.cursors, everybody, wish, self._played, self._rows.steady, self._manner)
        _onward(self.cursors, self.library.last)
        self._pose()
        faded(self._offsets, self.root, self.rotations, self.fade, fps)
        self._shown = [self._shown[1], (self.root.copy(), self.rotations.copy())]
        self._hold()

    def _search(self, person: int, wish: Array, ended: bool) -> None:
        own, cursors, lib = self._rows, self.cursors, self.library
        self._since[person] = 0
        row = int(cursors.edge[person, 0])
        query = lib.features[row].copy()
        angle = wrapped(float(np.arctan2(wish[0], wish[1])) - cursors.place[person, 0, 0] - own.facing[row])
        wished(
            query,
            lib.scale,
            np.array(AHEAD),
            own.speed[row] * cursors.pace[person],
            own.way[row] - own.facing[row],
            float(np.hypot(*wish)),
            angle,
            self.quick,
            self.turns,
        )
        new = sought(query, lib.features, lib.open)
        near = lib.clip[new] == lib.clip[row] and abs(new - row) < ANYWAY * self.graph.fps
        if near and not ended:
            return
        self._switch(person, row, new)

    def _switch(self, person: int, old: int, new: int) -> None:
        own, cursors = self._rows, self.cursors
        self._put(person, old, new)
        cursors.edge[person] = new, new + 1
        cursors.phase[person] = 0.0
        self.switched[person] = True
        self.pairs[person] = old, new
        # where the clip that is played from now on would have had the body at the last two frames
        ghost = Cursors.of(2)
        ghost.edge[:] = np.array([[new, new], [new - 1, new - 1]])
        ghost.place[:] = cursors.place[person, 0]
        root, rotations, down = np.zeros((2, 3)), np.zeros((2, len(self.graph.skeleton), 4)), np.zeros((2, 4), np.bool_)
        pose(ghost, self._begin, own.root, own.rotations, own.contacts, root, rotations, down)
        left(
            person,
            self._offsets,
            self._shown[1][0][person],
            self._shown[1][1][person],
            self._shown[0][0][person],
            self._shown[0][1][person],
            root[0],
            rotations[0],
            root[1],
            rotations[1],
            self.graph.fps,
        )

    def distances(self, pairs: NDArray[np.int64]) -> Array:
        """How far apart ``(P,)`` the motions are between which people were led, in metres, as the graph measures its transitions."""
        starts = np.concatenate([[0], np.cumsum([len(clip) for clip in self.graph.clips])])
        matrix = cloud_matrix(self.graph.skeleton, mass_weights(self.graph.skeleton))
        clouds = [cloud(clip.motion, matrix, clip.sound) for clip in self.graph.clips]
        window = np.array([clip.window for clip in self.graph.clips])
        clip, last = self.library.clip, self.library.last
        a, b = pairs.T
        length = np.minimum(window[clip[a]], window[clip[b]])
        # a clip that ends is compared by what is left of it
        length = np.maximum(np.minimum(length, np.minimum(last[a] - a, last[b] - b) + 1), 1)
        cost = alignments(clouds, clip[a], a - starts[clip[a]], clip[b], b - starts[clip[b]], length)[0]
        return np.asarray(cost)


@njit(cache=True, nogil=True)
def _onward(cursors: Cursors, last: NDArray[np.int64]) -> None:
    """Take everybody on by one frame of their clips."""
    for person in range(len(cursors.phase)):
        cursors.phase[person] += cursors.pace[person]
        while cursors.phase[person] > 1.0 - 1e-9:
            cursors.phase[person] = max(cursors.phase[person] - 1.0, 0.0)
            shifted(cursors, person)
            row = cursors.edge[person, 0]
            cursors.edge[person, 1] = min(row + 1, last[row])
