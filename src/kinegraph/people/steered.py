"""People that are steered frame by frame: each has a wish, and all take the next step together."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike

from kinegraph.arrays import Array, Bools, Indices, Longs
from kinegraph.errors import GraphError
from kinegraph.feet.sole import has_legs
from kinegraph.graph.model import MotionGraph
from kinegraph.motion import rotation
from kinegraph.motion.clip import Motion
from kinegraph.paths.ground import Ground
from kinegraph.people.body import legs_of, soles_of
from kinegraph.people.held import Feet
from kinegraph.people.land import land_of, raised
from kinegraph.people.lock import lock
from kinegraph.people.policy import SPEEDS, Policy, policy
from kinegraph.people.repertoire import repertoire
from kinegraph.people.spaces import Given, Spaces
from kinegraph.people.stepping import Cursors, begin, go, pose, steer, turned
from kinegraph.people.strikers import Strikers
from kinegraph.people.striking import LiveStrike
from kinegraph.people.tracks import StrikeTrack
from kinegraph.people.ways import with_ways

# what the wishes of several people have in common: label, facing, whether it is an action, and the clips that they like
_Kind = tuple[str, int | None, bool, tuple[str, ...]]
# metres above its rest within which a foot that has come down stands
_SETTLED = 3e-4
# m/s within which a node is as calm as the calmest: people start there
_CALM = 0.05


class People:
    """N people on one graph. Every frame each has a wish, and `step` takes all of them on.

    >>> import kinegraph as kg
    >>> names = ("stand", "start", "walk", "walk_left_medium", "walk_right_medium", "stop")
    >>> people = People(kg.graph.build([kg.samples.make(name).motion for name in names]), 3)
    >>> for frame in range(150):
    ...     people.step([(0.0, 1.2), (0.5, 1.0), (0.0, 0.0)])
    >>> (people.root[:, 2] > 3).tolist()    # metres ahead after five seconds
    [True, True, False]
    """

    def __init__(
        self,
        graph: MotionGraph,
        count: int = 1,
        *,
        feet: bool = True,
        seed: int = 0,
        ground: Ground | None = None,
        spaces: Given | None = None,
        sizes: ArrayLike | None = None,
        prefer: Sequence[Sequence[str]] | None = None,
        label: str | None = None,
    ) -> None:
        """feet: whether they are held where they stand. seed: where in the graph each of several begins. ground: level unless told.

        spaces: what they strike from. sizes: ``(N,)``, how large each is against the clips: they live in units of their own, in which they
        are as large as the clips, and the ground is in metres. prefer: for each the clips that they like, by name or with ``*``.
        label: what they must be able to do; a large graph is not at hand as a whole (`kinegraph.people.repertoire`).
        """
        if count < 1:
            raise GraphError(f"there must be somebody to steer: one person at least, got {count}")
        graph = repertoire(graph, label)
        self.graph, self.count = with_ways(graph), count
        """The graph, with more ways out than it was given; and how many people there are."""
        self._policy: Policy = policy(self.graph)
        self.feet = feet
        """Whether feet are held."""
        self._legs = legs_of(graph) if feet and has_legs(graph.skeleton) else None
        self.cursors = Cursors.of(count)
        """Where each is in the graph."""
        self._feet = Feet.of(count)
        self._land = land_of(ground)
        self._sizes = np.ones(count) if sizes is None else np.array(sizes, np.float64).reshape(count)
        self._prefer = [()] * count if prefer is None else [self._policy.liked(names) for names in prefer]
        if len(self._prefer) != count:
            raise GraphError(f"{count} people prefer clips of their own each; got {len(self._prefer)} lists of names")
        self._actions = [""] * count
        self.spaces = Spaces(spaces)
        """What they strike from, by name."""
        soles = soles_of(graph) if self._legs is not None else None
        self._strikers = Strikers(self._policy, self.cursors, soles, self._foreseen)
        self.root: Array = np.zeros((count, 3))
        """``(N, 3)``: where they are, as they are shown."""
        self.rotations: Array = rotation.identity(count, len(graph.skeleton))
        """``(N, J, 4)``: their poses."""
        self.contacts: Bools = np.zeros((count, 4), np.bool_)
        """``(N, 4)``: which parts of their feet the clips have on the floor."""
        self._set_out(seed)

    @property
    def edges(self) -> Indices:
        """``(N,)``: the edge of the graph that each plays."""
        return self.cursors.edge[:, 0]

    @property
    def rows(self) -> Indices:
        """``(N,)``: the row (see `rows.Rows`) that each shows."""
        return self._policy.played.begin[self.cursors.edge[:, 0]] + self.cursors.step[:, 0]

    @property
    def places(self) -> Array:
        """``(N, 2)``: where each is on the floor, x and z, without the sway of their strides."""
        cursors, own = self.cursors, self._policy
        row = own.played.begin[cursors.edge] + cursors.step
        angle, x, z = np.moveaxis(cursors.place, -1, 0)
        steady = own.rows.steady[row]
        cosine, sine = np.cos(angle), np.sin(angle)
        laid = np.stack(
            [
                cosine * steady[..., 0] + sine * steady[..., 1] + x,
                cosine * steady[..., 1] - sine * steady[..., 0] + z,
            ],
            axis=-1,
        )
        phase = cursors.phase[:, None]
        mixed: Array = (1.0 - phase) * laid[:, 0] + phase * laid[:, 1]
        return mixed

    @property
    def calmest(self) -> float:
        """m/s of the slowest frame that there is: who is left alone goes on about so fast."""
        return float(self._policy.played.speed.min())

    @property
    def held(self) -> Bools:
        """``(N, 2)``: whether the left and the right foot are held still."""
        return self._feet.held > 0

    @property
    def stands(self) -> Bools:
        """``(N, 4)``: which of left heel, left ball, right heel and right ball is held still."""
        settled = np.abs(self._feet.rise) < _SETTLED
        by = np.stack([settled & (self._feet.held == 1), settled & (self._feet.held == 2)], axis=-1)
        stands: Bools = by.reshape(self.count, 4)
        return stands

    @property
    def let_go(self) -> Bools:
        """``(N, 2)``: whether the left and the right foot should be held and cannot be."""
        return self._feet.held < 0

    @property
    def drop(self) -> Array:
        """``(N,)``: how far each body has come down for its feet, in metres."""
        return self._feet.drop

    @property
    def acting(self) -> list[str]:
        """The action that each is asked for or is doing; nothing once it is done."""
        named = [name if state else "" for name, state in zip(self._actions, self.cursors.acting.tolist(), strict=True)]
        for person, strike in self._strikers.busy.items():
            named[person] = strike.space.name
        return named

    @property
    def strikes(self) -> list[LiveStrike | None]:
        """The strike that each was asked for last."""
        return [self._strikers.last.get(person) for person in range(self.count)]

    def track(self, person: int) -> tuple[StrikeTrack, int] | None:
        """What a person shows that does not come from the graph but from a strike, and which of its frames; None else."""
        return self._strikers.track(person)

    def step(
        self,
        velocity: ArrayLike,
        facing: ArrayLike | None = None,
        label: str | Sequence[str] = "",
        action: str | Sequence[str] = "",
        target: ArrayLike | None = None,
    ) -> None:
        """The next frame.

        velocity: ``(N, 2)``, wished, along x and z in m/s. facing: ``(N,)``, where to face, as a heading in radians; NaN, and by
        default, where one goes. label: what all, or each, should be doing all the while. action: what they should do once; it goes on
        until it is done, whatever is wished then. target: ``(N, 3)``, at what to strike, in metres in the world; the action then names
        a space. NaN for who strikes at nothing.
        """
        wished = self._wished(velocity)
        faces = np.full(self.count, np.nan) if facing is None else np.asarray(facing, np.float64).reshape(self.count)
        labels = self._names(label)
        self._ask(action, target)
        own, cursors, strikers = self._policy, self.cursors, self._strikers
        if strikers.busy or strikers.playing:
            wished, faces, labels = wished.copy(), faces.copy(), list(labels)
            strikers.take_on(wished, faces, labels)
        for (doing, off, acts, likes), who in self._alike(wished, faces, labels).items():
            asked, values = own.values(doing, off, action=acts, prefer=likes)
            steer(cursors, who, wished, own.played, own.rows.steady, own.manner)
            go(cursors, who, wished, own.played, own.rows.tables.turn, asked, values, SPEEDS, own.manner)
        self._show()

    def set_down(self, place: ArrayLike, heading: ArrayLike) -> None:
        """Move everybody, as they stand at first, to ``place (N, 2)``, x and z, where they face ``heading (N,)`` in radians."""
        there, turn = np.asarray(place, np.float64)[:, None, :], np.asarray(heading, np.float64)[:, None]
        own = self.cursors.place
        cosine, sine = np.cos(turn), np.sin(turn)
        x, z = own[..., 1].copy(), own[..., 2].copy()
        own[..., 0] += turn
        own[..., 1] = cosine * x + sine * z + there[..., 0]
        own[..., 2] = cosine * z - sine * x + there[..., 1]
        self._feet = Feet.of(self.count)
        self._show()

    def shift(self, by: ArrayLike) -> None:
        """Move everybody by ``(N, 2)`` metres along x and z; feet that stand stay, as far as their legs reach."""
        self.cursors.place[:, :, 1:] += np.asarray(by, np.float64)[:, None, :]

    def turn(self, by: ArrayLike) -> None:
        """Turn everybody by ``(N,)`` radians about where they are; feet that stand stay, and pivot or step where they must."""
        angles, begin = np.asarray(by, np.float64).reshape(self.count), self._policy.played.begin
        for person in np.flatnonzero(angles).tolist():
            row = begin[self.cursors.edge[person, 0]] + self.cursors.step[person, 0]
            turned(self.cursors, person, row, self._policy.rows.steady, angles[person])

    def _ask(self, action: str | Sequence[str], target: ArrayLike | None) -> None:
        """Begin what is to be done once."""
        if target is None:
            for person, name in enumerate(self._names(action, action=True)):
                self._act(person, name)
            return
        goals = np.asarray(target, np.float64)
        if goals.shape not in ((3,), (self.count, 3)) or np.isinf(goals).any():
            raise GraphError(
                f"{self.count} people strike at as many targets, ({self.count}, 3) in metres in the world; got {np.shape(target)}, or "
                "one that is not finite"
            )
        goals = np.broadcast_to(goals, (self.count, 3))
        strikes = [bool(np.isfinite(goal).all()) for goal in goals]
        given = [action] * self.count if isinstance(action, str) else action
        names = self._names(["" if at else name for name, at in zip(given, strikes, strict=True)], action=True)
        begun = {
            person: LiveStrike.of(self.graph, self.spaces[given[person]], goals[person])
            for person in np.flatnonzero(strikes).tolist()
        }
        for person, name in enumerate(names):
            if person in begun and self.cursors.acting[person] != 2:
                self._strikers.ask(person, begun[person])
                self.cursors.acting[person] = 0
            else:
                self._act(person, name)

    def _act(self, person: int, name: str) -> None:
        if name and self.cursors.acting[person] != 2 and self._strikers.dropped(person):
            self._actions[person], self.cursors.acting[person] = name, 1

    def _wished(self, velocity: ArrayLike) -> Array:
        wished = np.asarray(velocity, np.float64)
        if wished.shape != (self.count, 2) and wished.shape != (2,):
            raise GraphError(
                f"{self.count} people need as many wished velocities along x and z, ({self.count}, 2); got {wished.shape}"
            )
        if not np.isfinite(wished).all():
            raise GraphError("a wished velocity must be two numbers in m/s, got one that is not finite")
        return np.ascontiguousarray(np.broadcast_to(wished, (self.count, 2)))

    def _names(self, given: str | Sequence[str], *, action: bool = False) -> Sequence[str]:
        names = [given] * self.count if isinstance(given, str) else given
        if len(names) != self.count:
            raise GraphError(f"{self.count} people need one name, or as many; got {len(names)}")
        for name in set(names):
            self._policy.check(name, action=action)
        return names

    def _alike(self, wished: Array, faces: Array, labels: Sequence[str]) -> dict[_Kind, Longs]:
        """People by what their wishes have in common, so that each lot is taken on by one call."""
        playing = self._strikers.playing
        if not playing and (
            self.count == 1
            or not (any(labels) or any(self._prefer) or self.cursors.acting.any() or not np.isnan(faces).all())
        ):
            kind = self._kind(0, wished, faces, labels)
            return {kind: np.arange(self.count)}
        lots: dict[_Kind, list[int]] = {}
        for person in range(self.count):
            if person in playing:
                continue
            lots.setdefault(self._kind(person, wished, faces, labels), []).append(person)
        return {kind: np.array(who, np.int64) for kind, who in lots.items()}

    def _kind(self, person: int, wished: Array, faces: Array, labels: Sequence[str]) -> _Kind:
        if self.cursors.acting[person]:
            return self._actions[person], None, True, ()
        off = None
        if not np.isnan(faces[person]):
            x, z = wished[person]
            off = self._policy.facing(float(faces[person] - np.arctan2(x, z)))
        return labels[person], off, False, self._prefer[person]

    def _show(self) -> None:
        rows, cursors = self._policy.rows, self.cursors
        if not rows.is_mixed[cursors.edge].all():
            coming = np.unique(cursors.edge)
            rows.mix(coming[~rows.is_mixed[coming]])
        pose(
            cursors,
            rows.tables.begin,
            rows.root,
            rows.rotations,
            rows.contacts,
            self.root,
            self.rotations,
            self.contacts,
        )
        playing = self._strikers.playing
        if playing:
            self._strikers.show(self.root, self.rotations, self.contacts)
        if self._legs is not None:
            # strikes move knees faster than walks do
            for first, last in _runs(playing, self.count):
                legs = self._legs._replace(knee=max(self._legs.knee, playing.get(first, 0.0)))
                some = slice(first, last)
                feet = Feet._make(part[some] for part in self._feet)
                posed = self.contacts[some], self.root[some], self.rotations[some]
                lock(legs, feet, self._land, self._sizes[some], *posed, self.graph.fps)
        else:
            raised(self._land, self._sizes, self.root)
        if playing:
            self._strikers.seen(self.root, self.rotations)

    def _foreseen(self, person: int, knee: float, motion: Motion, contacts: Bools) -> Motion:
        """What will be seen of a motion that a person shows from now on, once its feet are held."""
        if self._legs is None:
            return motion
        legs = self._legs._replace(knee=max(self._legs.knee, knee))
        feet = Feet._make(part[person : person + 1].copy() for part in self._feet)
        root, rotations, size = motion.root.copy(), motion.rotations.copy(), self._sizes[person : person + 1]
        for frame in range(len(motion)):
            some = slice(frame, frame + 1)
            lock(legs, feet, self._land, size, contacts[some], root[some], rotations[some], motion.fps)
        return replace(motion, root=root, rotations=rotations)

    def _set_out(self, seed: int) -> None:
        """Stand everybody at the origin, facing +Z, at the calmest node, or several by chance at such nodes."""
        own = self._policy
        asked, values = own.values()
        speed = own.played.speed[own.rows.tables.row]
        calm = np.flatnonzero(speed <= speed.min() + _CALM)
        # who is at the top of a jump is calm too, but not for long
        unrest = values[calm, 0].mean(axis=1)
        calm = calm[unrest <= unrest.min() + _CALM]
        nodes = calm[:1] if self.count == 1 else np.random.default_rng(seed).choice(calm, self.count)
        begin(self.cursors, nodes, own.played, own.rows.steady, own.rows.tables.turn, asked, values, SPEEDS, own.manner)
        self._show()


def _runs(apart: Mapping[int, float], count: int) -> Iterator[tuple[int, int]]:
    """So many people in runs: each of those who are ``apart`` alone, and who is between them together."""
    first = 0
    for person in sorted(apart):
        if first < person:
            yield first, person
        yield person, person + 1
        first = person + 1
    if first < count:
        yield first, count
