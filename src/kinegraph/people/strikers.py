"""`Strikers`: those of several people who were asked for a strike, from being asked until they go on in the graph."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np

from kinegraph.arrays import Array, Bools
from kinegraph.feet.sole import Sole
from kinegraph.motion import kinematics
from kinegraph.motion.clip import Motion
from kinegraph.motion.floor import FloorTransform
from kinegraph.people.body import feet_speed, feet_usual
from kinegraph.people.choice import best
from kinegraph.people.policy import SPEEDS, Policy
from kinegraph.people.stepping import QUICKER, Cursors, onward, turned
from kinegraph.people.striking import LiveStrike
from kinegraph.people.tracks import Source, StrikeTrack, back, into
from kinegraph.strikes.finish import stance

# By how much a transition into a strike may be shorter than is good for how far it brings the body.
_SHORTEST = 0.85
# m/s below which somebody stands
_STANDS = 0.25

Foresees = Callable[[int, float, Motion, Bools], Motion]
"""What will be seen of a motion with contacts ``(F, 4)`` that a person shows, whose knees are so fast, once its feet are held."""


class Strikers:
    """Who strikes, or is about to."""

    def __init__(self, policy: Policy, cursors: Cursors, soles: tuple[Sole, Sole] | None, foreseen: Foresees) -> None:
        self._policy, self._cursors, self._soles, self._foreseen = policy, cursors, soles, foreseen
        self._graph = policy.rows.graph
        self._number = 0
        self.busy: dict[int, LiveStrike] = {}
        """Who is on the way to a strike or strikes."""
        self.last: dict[int, LiveStrike] = {}
        """The strike that somebody was asked for last."""
        self.playing: dict[int, float] = {}
        """Whose next frame does not come from the graph, and rad/s of the fastest knee in its strikes."""

    def ask(self, person: int, strike: LiveStrike) -> None:
        """Ask somebody for a strike, unless it is just striking."""
        if self.dropped(person):
            self.last[person] = strike
            if not strike.over:
                self.busy[person] = strike

    def dropped(self, person: int) -> bool:
        """Whether somebody has no strike to do, or has it no more since it had only been on the way to it."""
        strike = self.busy.get(person)
        if strike is not None and strike.state == "coming":
            strike.state, strike.why = "failed", "something else was asked for before it was done"
            del self.busy[person]
        return person not in self.busy

    def take_on(self, wished: Array, faces: Array, labels: list[str]) -> None:
        """Take everybody on by a frame, as far as it does not come from the graph; who walks up to its target wishes to from now on.

        wished: ``(N, 2)``. faces: ``(N,)``.
        """
        fps = self._graph.fps
        self.playing.clear()
        for person, strike in list(self.busy.items()):
            if strike.state == "coming":
                self._come(person, strike)
            if strike.state in ("striking", "leaving"):
                self.playing[person] = stance(strike.space.examples).knees
                assert strike.track is not None  # it is shown
                strike.at += 1
                if strike.at == len(strike.track):
                    self._leave(person, strike, wished[person], labels[person])
            if strike.state == "coming":
                towards = strike.wish(*self._where(person), fps)
                if towards is not None:
                    wished[person], faces[person], labels[person] = towards, np.nan, ""
            if strike.over:
                del self.busy[person]

    def track(self, person: int) -> tuple[StrikeTrack, int] | None:
        """What somebody shows that does not come from the graph, and which of its frames."""
        strike = self.busy.get(person)
        return None if strike is None or strike.track is None else (strike.track, strike.at)

    def show(self, root: Array, rotations: Array, contacts: Bools) -> None:
        """Put the frames of those who strike among all others' ``(N, …)``."""
        for person in self.playing:
            shown = self.track(person)
            if shown is not None:
                track, at = shown
                root[person], rotations[person] = track.motion.root[at], track.motion.rotations[at]
                contacts[person] = track.contacts[at]

    def seen(self, root: Array, rotations: Array) -> None:
        """Note where those hit who do just now, as they are shown."""
        for person, strike in self.busy.items():
            if strike.track is not None and strike.at == strike.track.hit:
                arm = kinematics.from_root(self._graph.skeleton, strike.space.examples.end, rotations[person])
                strike.hit = root[person] + arm

    def _come(self, person: int, strike: LiveStrike) -> None:
        """Begin to strike, if that is possible now."""
        rows, cursors = self._policy.rows, self._cursors
        edge, step = cursors.edge[person, 1], cursors.step[person, 1]
        # in the midst of a transition there are two clips; one that is about to begin need not be taken
        blends = bool(rows.tables.blended[edge])
        if blends and step > 0:
            return
        node = self._graph.edges.source[edge]
        row = int(rows.tables.row[node] + step)
        stands = not blends and float(rows.speed[row]) < _STANDS
        place = FloorTransform(*cursors.place[person, 1].tolist())
        found = strike.opening(place, row, self._graph.fps, stands=stands, late=blends)
        if found is None:
            return
        at, frames = found
        clip = self._graph.clips[self._graph.node_clip[node]]
        frame = int(self._graph.node_frame[node] + step)
        left = len(clip) - frame
        if left < _SHORTEST * frames:
            return  # the clip ends too soon to be brought that far
        self._number += 1
        name = f"{strike.space.name} at {', '.join(f'{value:.2f}' for value in strike.target)} ({self._number})"
        knee = stance(strike.space.examples).knees
        source = Source(clip, frame, self._places(person), self._now(person), float(cursors.phase[person]))
        foreseen = partial(self._foreseen, person, knee)

        def struck(frames: int) -> StrikeTrack:
            return into(self._graph, strike.space, source, at, frames, name, self._soles, foreseen)

        frames = min(frames, left)
        strike.track = struck(frames)
        if self._soles is not None:
            # a foot with a long way takes longer: nobody who comes to a stand swings it as in the fastest run
            hurry = feet_speed(strike.track.motion[: frames + 1], self._soles).max() / feet_usual(self._graph)
            if hurry > 1.0 and frames < left:
                strike.track = struck(min(int(np.ceil(hurry * frames)), left))
        strike.state, strike.at = "striking", -1

    def _leave(self, person: int, strike: LiveStrike, wished: Array, label: str) -> None:
        """Go on after what was shown: from the strike to a place in the graph that suits the wish, and from there in the graph."""
        assert strike.track is not None  # it was shown
        own, track = self._policy, strike.track
        direction, speed = float(np.arctan2(wished[0], wished[1])), float(np.hypot(*wished))
        asked, values = own.values(label)
        if strike.state == "striking":
            node = strike.exit(direction, speed, values, track.place, own.manner)
            strike.track = back(self._graph, track, node, self._soles, strike.openings.frames)
            strike.state, strike.at, strike.node = "leaving", 0, node
            return
        cursors, place = self._cursors, track.place
        cursors.edge[person] = best(
            own.played, strike.node, asked, values, SPEEDS, direction - place.angle, speed, own.manner
        )
        cursors.step[person] = 0
        cursors.place[person] = place.angle, place.x, place.z
        cursors.phase[person], cursors.pace[person], cursors.turn[person] = 0.0, 1.0, 0.0
        every = np.tile(wished, (person + 1, 1))
        onward(cursors, person, every, own.played, own.rows.tables.turn, asked, values, SPEEDS, own.manner)
        strike.state = "done"

    def _where(self, person: int) -> tuple[float, float, float]:
        """Where somebody on the graph is, and its heading."""
        rows, cursors = self._policy.rows, self._cursors
        row = rows.tables.begin[cursors.edge[person, 0]] + cursors.step[person, 0]
        place = FloorTransform(*cursors.place[person, 0].tolist())
        x, _, z = place.apply([rows.steady[row, 0], 0.0, rows.steady[row, 1]]).tolist()
        return x, z, float(rows.facing[row] + place.angle)

    def _now(self, person: int) -> Motion:
        """The frame of the graph that somebody shows, before its feet are held."""
        rows, cursors = self._policy.rows, self._cursors
        row = rows.tables.begin[cursors.edge[person, 0]] + cursors.step[person, 0]
        place = FloorTransform(*cursors.place[person, 0].tolist())
        shown = Motion(
            self._graph.skeleton,
            rows.root[row : row + 1].astype(np.float64),
            rows.rotations[row : row + 1].astype(np.float64),
            self._graph.fps,
            name="live",
        )
        return shown.place(place)

    def _places(self, person: int) -> list[FloorTransform]:
        """Where the clip that comes next lies for its next frame and for those after it, while the person stops being turned."""
        rows, cursors, fps = self._policy.rows, self._cursors, self._graph.fps
        one = Cursors._make(part[person : person + 1].copy() for part in cursors)
        row = int(rows.tables.begin[one.edge[0, 0]] + one.step[0, 0])
        following = int(rows.tables.begin[one.edge[0, 1]] + one.step[0, 1])
        turn, places = float(one.turn[0]), []
        while True:
            turn -= float(np.clip(turn, -QUICKER / fps, QUICKER / fps))
            turned(one, 0, row, rows.steady, turn / fps)
            places.append(FloorTransform(*one.place[0, 1].tolist()))
            if turn == 0.0:
                return places
            one.place[0, 0] = one.place[0, 1]
            row, following = following, following + 1
