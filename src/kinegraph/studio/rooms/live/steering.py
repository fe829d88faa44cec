"""`SteeredPerson`: a person on a graph who is stepped by the clock, by the wish that was heard last, and all that was wished.

Values for a label or a facing take a second when they are first wished. Until they are known the person does what it knows: it goes where
it should at once, and as it should a little later.
"""

from __future__ import annotations

import math
import time
from array import array
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from weakref import WeakKeyDictionary

import numpy as np

from kinegraph.errors import GraphError, KinegraphError
from kinegraph.graph.model import MotionGraph
from kinegraph.motion.clip import Motion
from kinegraph.people.openings import openings
from kinegraph.people.policy import Policy
from kinegraph.people.rows import rows
from kinegraph.people.spaces import Spaces
from kinegraph.people.stances import before
from kinegraph.people.steered import People
from kinegraph.people.stick import Intent, Stick
from kinegraph.people.striking import LiveStrike
from kinegraph.people.ways import with_ways
from kinegraph.strikes.space import Space
from kinegraph.studio.rooms.live.wire import Shown, WishSaid, shown
from kinegraph.walks.choice import all_labels

LONGEST = 1800.0
"""Seconds of what is wished that are held: beyond, what was steered is not all there."""

# m/s: who is never faster than this is not steered, and who bears a label at less does it on the spot
_STEPS = 0.3
# what steering does by itself, so that nobody has to ask for it
_BY_ITSELF = ("stand", "start", "stop", "turn_left", "turn_right")

Kind = tuple[str, int | None, bool]
"""A label, which of a few ways to face, and whether it is done once: what values are worked out for."""


@dataclass(frozen=True)
class Able:
    """What people on a graph can do."""

    fastest: float
    """m/s."""
    labels: list[str]
    """What they can be doing all the while."""
    actions: list[str]
    """What they can do once."""
    strikes: list[str]
    """Which of these strike at something."""


def able(graph: MotionGraph, spaces: Iterable[str] = ()) -> Able:
    """What people on a graph can do; a `GraphError` where they get nowhere. spaces: the names of what they strike from."""
    grown = with_ways(graph)
    speed = rows(grown).speed[: sum(len(clip) for clip in graph.clips)]
    fastest = float(np.percentile(speed, 99))
    if fastest < _STEPS:
        raise GraphError(
            f"nobody gets anywhere in this graph: its clips go {fastest:.2f} m/s at most, so there is nothing to steer"
        )
    labels: list[str] = []
    actions: list[str] = []
    for label in all_labels(graph):
        borne = np.concatenate([clip.labelled(label) for clip in graph.clips])
        if label in _BY_ITSELF or not borne.any():
            continue
        goes = label in graph.labels and float(np.median(speed[borne])) >= _STEPS
        (labels if goes else actions).append(label)
    strikes = list(spaces)
    return Able(round(fastest, 2), labels, [name for name in actions if name not in strikes] + strikes, strikes)


def striking(graph: MotionGraph, file: Path) -> dict[str, Space]:
    """The spaces in a graph's own file that its people can strike from, ready for it."""
    spaces, grown, found = Spaces(file), with_ways(graph), {}
    for name in spaces.names:
        # what is of another body, or too far from what people do here, is nothing to them
        with suppress(KinegraphError):
            openings(grown, spaces[name])
            found[name] = spaces[name]
    return found


class Known:
    """For which wishes the values of a graph are worked out: the same for all people on it."""

    def __init__(self) -> None:
        self._kinds: WeakKeyDictionary[MotionGraph, set[Kind]] = WeakKeyDictionary()
        self._lock = Lock()

    def of(self, graph: MotionGraph) -> set[Kind]:
        """Those of a graph; may be added to."""
        with self._lock:
            return self._kinds.setdefault(graph, {("", None, False)})


def work_out(graph: MotionGraph, wish: WishSaid, kind: Kind) -> None:
    """Have the values ready for a kind of wish, by somebody who is not shown."""
    facing = None if kind[1] is None else [math.radians(wish.facing or 0.0)]
    label, action = ("", kind[0]) if kind[2] else (kind[0], "")
    People(graph).step(wish.velocity, facing, label, action)


class SteeredPerson:
    """Somebody on a graph."""

    def __init__(self, graph: MotionGraph, known: set[Kind], spaces: Mapping[str, Space] | None = None):
        """known: for which wishes values are worked out. spaces: what to strike from, see `striking`."""
        self.graph = graph
        self._known = known
        self._spaces = dict(spaces or {})
        self._told: LiveStrike | None = None
        self._at: tuple[float, float] | None = None
        self._wish = WishSaid(type="wish", velocity=(0.0, 0.0))
        self._action = ""
        self._anew = False
        self._set_out()

    @property
    def people(self) -> People:
        """The person, as lots of one."""
        return self._people

    def wish(self, wish: WishSaid) -> list[Kind]:
        """Wish something from the next step on; what has to be worked out first for all of it. A `GraphError` tells of unknown labels."""
        borne = all_labels(self.graph)
        strikes = wish.action in self._spaces
        for label in (wish.label, "" if strikes else wish.action):
            if label and label not in borne:
                raise GraphError(f"no frame of this graph is labelled {label!r}; it has {', '.join(borne)}")
        self._wish = wish
        if wish.action:
            self._action = wish.action
            self._at = wish.at
        return [
            kind
            for kind in dict.fromkeys(_kinds(wish))
            if kind not in self._known and not (kind[2] and kind[0] in self._spaces)
        ]

    def cannot(self, kind: Kind) -> None:
        """What was wished cannot be worked out: an action is not waited for any more, and of the rest is done what is known."""
        if kind == (self._action, None, True):
            self._action = ""

    def again(self) -> None:
        """Set out anew at the next step."""
        self._anew = True

    def step(self) -> Shown:
        """The next frame."""
        if self._anew:
            self._anew = False
            self._set_out()
        wish, action, target = self._wish, "", None
        label, faces = self._ready(wish)
        if self._action in self._spaces:
            action, self._action = self._action, ""
            target = self._target(self._spaces[action])
        elif self._action and (self._action, None, True) in self._known:
            action, self._action = self._action, ""
        facing = math.radians(wish.facing) if faces and wish.facing is not None else None
        begun = time.thread_time()
        self._people.step(wish.velocity, None if facing is None else [facing], label, action, target)
        taken = 1e6 * (time.thread_time() - begun)
        self._log.add(wish.velocity, facing, label, action, target)
        self._frame += 1
        people = self._people
        held = people.contacts[0] & np.repeat(people.held[0], 2)
        acting = bool(people.acting[0] or self._action)
        return shown(self._frame, wish.number, people.root[0], people.rotations[0], held, acting, taken)

    def failed(self) -> str:
        """Why the last strike came to nothing, said once."""
        strike = self._people.strikes[0]
        if strike is None or strike.state != "failed" or strike is self._told:
            return ""
        self._told = strike
        return strike.why

    def _target(self, space: Space) -> tuple[float, float, float]:
        """At what a strike is aimed: what stands at the wished place, or straight ahead; as high as the space strikes on the whole."""
        people = self._people
        pose = Motion(self.graph.skeleton, people.root, people.rotations, self.graph.fps)
        x, y, z = before(space, float(people.root[0, 0]), float(people.root[0, 2]), float(pose.heading()[0]))
        return (x, y, z) if self._at is None else (self._at[0], y, self._at[1])

    def stick(self) -> Stick:
        """All that was wished since the person set out, as a stick that steers another one to the same."""
        return self._log.stick(self.graph.fps)

    @property
    def is_all(self) -> bool:
        """Whether that is all."""
        return self._log.frames == self._frame

    def _ready(self, wish: WishSaid) -> tuple[str, bool]:
        """The label, and whether to face as is wished, as far as they are known."""
        kind = _kinds(wish)[0]
        if kind in self._known:
            return kind[0], kind[1] is not None
        return (wish.label if (wish.label, None, False) in self._known else ""), False

    def _set_out(self) -> None:
        self._people = People(self.graph, spaces=self._spaces.values())
        self._log = Log(round(LONGEST * self.graph.fps))
        self._frame = 0


def _kinds(wish: WishSaid) -> list[Kind]:
    """What a wish needs: itself first."""
    found: list[Kind] = [(wish.label, None, False)]
    if wish.facing is not None:
        x, z = wish.velocity
        found.insert(0, (wish.label, Policy.facing(math.radians(wish.facing) - math.atan2(x, z)), False))
    if wish.action:
        found.append((wish.action, None, True))
    return found


class Log:
    """What was wished in every frame, up to so many."""

    def __init__(self, most: int):
        self._most = most
        self._numbers = array("d")
        self._words = array("H")
        self._targets: dict[int, tuple[float, float, float]] = {}
        self._names: dict[str, int] = {}

    @property
    def frames(self) -> int:
        """How many there are."""
        return len(self._words) // 2

    def add(
        self,
        velocity: tuple[float, float],
        facing: float | None,
        label: str,
        action: str,
        target: tuple[float, float, float] | None = None,
    ) -> None:
        """The wish of one more frame."""
        if self.frames == self._most:
            return
        if target is not None:
            self._targets[self.frames] = target
        self._numbers.extend((*velocity, math.nan if facing is None else facing))
        self._words.extend(self._names.setdefault(name, len(self._names)) for name in (label, action))

    def stick(self, fps: float) -> Stick:
        """The same as a stick, a row for each change."""
        return Stick(tuple(self._rows(fps)))

    def _rows(self, fps: float) -> Iterator[Intent]:
        frames, names = self.frames, list(self._names)
        last: Intent | None = None
        for frame in range(frames):
            x, z, facing = self._numbers[3 * frame : 3 * frame + 3]
            label, action = (names[word] for word in self._words[2 * frame : 2 * frame + 2])
            held = Intent(0.0, (x, z), None if math.isnan(facing) else facing, label)
            if last is None or action or held != last:
                yield held._replace(t=frame / fps, action=action, target=self._targets.get(frame))
            last = held
        yield Intent(frames / fps)
