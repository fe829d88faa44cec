"""Runs: crowds that are computed by a thread while they are looked at, and held for as long as they may be written."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event, Lock

import numpy as np

from kinegraph.crowds.builds import LEGS, parts_of, skins_of
from kinegraph.crowds.report import reported
from kinegraph.crowds.result import Crowd
from kinegraph.crowds.scenario import CrowdError
from kinegraph.crowds.simulation import Simulation
from kinegraph.graph.model import MotionGraph
from kinegraph.motion import Motion
from kinegraph.player import motion_pack, pack
from kinegraph.studio.rooms.crowd.models import (
    ARRIVED,
    PRESENT,
    WAITS,
    CrowdFacts,
    CrowdReport,
    RunSaid,
)
from kinegraph.studio.rooms.crowd.scenarios import scenario, scene
from kinegraph.studio.rooms.crowd.writing import formats
from kinegraph.studio.server.problems import Conflict, Missing
from kinegraph.studio.workspace.workspace import Workspace

MOST = 2
"""Crowds that are computed at once."""
HELD = 2
"""Crowds that are held, those that are computed among them."""
MOST_PEOPLE = 4000
"""Of one crowd: a page has them in one texture."""
MOST_BYTES = 400_000_000
"""Of the poses of one crowd, here."""
SENT_BYTES = 100_000_000
"""Of the poses of one crowd as they are sent: of more, each second frame is, or each third."""

# bytes of one person and frame beside the rotations: here, and as they are sent
_OWN, _SENT = 49, 14
# of a message: so large that few are needed, so small that a page has time for a hand between two
_CHUNK = 1_500_000
_LONGEST_CHUNK = 30
# m/s below which somebody waits, and of a step of what is sent
_STANDS = 0.3
_SPEED = 0.02
_FULL = 32767
# frames of poses that are sent at least each second
_FEWEST = 7.5


class Run:
    """One crowd."""

    def __init__(self, workspace: Workspace, graph_id: str, graph: MotionGraph, asked: RunSaid):
        """Takes as long as the graph takes to be made ready."""
        self.id = secrets.token_hex(6)
        self.graph_id, self.asked = graph_id, asked
        played = scenario(workspace, asked.scenario, asked.seed)
        joints, frames = len(graph.skeleton), round(asked.seconds * graph.fps) + 1
        self.every = thinning(played.count, frames, joints, graph.fps)
        self._scene = scene(played)
        self._simulation = Simulation(graph, played, seconds=asked.seconds)
        self._stopped = Event()
        self.ready = 0
        """The last frame that is there, whole."""
        self.over = False
        self._set_out = np.full(played.count, np.inf)
        self._chunk = int(np.clip(_CHUNK // (played.count * (_SENT + 8 * joints)), 1, _LONGEST_CHUNK))

    @property
    def crowd(self) -> Crowd:
        """All that is there."""
        return self._simulation.crowd

    @property
    def seconds(self) -> float:
        """How long it was computed for: as long as was asked, unless it was stopped before."""
        return self.ready / self._simulation.fps if self._stopped.is_set() else self.asked.seconds

    def compute(self) -> None:
        """All frames, until it is stopped."""
        try:
            for frame in self._simulation.run():
                self.ready = frame
                if self._stopped.is_set():
                    break
        finally:
            self.over = True

    def stop(self) -> None:
        """Compute no further."""
        if not self.over:
            self._stopped.set()

    @property
    def there(self) -> int:
        """Frames that can be sent."""
        return self.ready // self.every + 1

    def introduction(self) -> bytes:
        """The skeleton, in the pose in which the first person sets out, and who there is."""
        crowd = self.crowd
        motion = Motion(
            crowd.graph.skeleton,
            np.asarray(crowd.root[:1, 0], np.float64) / float(crowd.build[0, LEGS]),
            np.asarray(crowd.rotations[:1, 0], np.float64),
            crowd.fps,
            name="crowd",
        )
        facts = CrowdFacts(
            run=self.id,
            people=len(crowd.cast),
            frames=self._simulation.frames // self.every + 1,
            every=self.every,
            group=crowd.cast.group.tolist(),
            build=crowd.build.tolist(),
            bones=parts_of(crowd.graph.skeleton).tolist(),
            skin=skins_of(crowd.graph.skeleton).tolist(),
            scene=self._scene,
            formats=formats(),
            notices=list(crowd.notices),
        )
        return motion_pack(motion, facts={"crowd": facts.model_dump()})

    def chunk(self, first: int) -> tuple[bytes, int]:
        """Frames from ``first`` on, as they are sent, and how many: as many as there are, and as one message takes."""
        last = min(self.there, first + self._chunk)
        rows = slice(first * self.every, (last - 1) * self.every + 1, self.every)
        crowd = self.crowd
        present, speed = crowd.present[rows], np.hypot(*np.moveaxis(crowd.velocity[rows], -1, 0))
        times = np.arange(rows.start, rows.stop, self.every)[:, None] / crowd.fps
        arrived = times >= np.where(np.isfinite(crowd.arrived), crowd.arrived, np.inf)
        goes = speed > _STANDS
        self._set_out = np.minimum(self._set_out, np.where(goes, times, np.inf).min(axis=0))
        # who has yet to set out does not wait
        waits = ~goes & ~arrived & (times > self._set_out)
        flags = PRESENT * present + WAITS * (waits & present) + ARRIVED * arrived
        data = pack(
            {"kind": "people", "first": first, "frames": last - first},
            {
                "root": crowd.root[rows].astype(np.float32),
                "rotations": np.rint(crowd.rotations[rows] * _FULL).astype(np.int16),
                "speed": np.clip(np.rint(speed / _SPEED), 0, 255).astype(np.uint8),
                "flags": flags.astype(np.uint8),
            },
            {"rotations": 1.0 / _FULL, "speed": _SPEED},
        )
        return data, last - first

    def report(self) -> CrowdReport:
        """How it went, so far."""
        crowd = self.crowd
        made = reported(crowd)
        times = crowd.arrived[np.isfinite(crowd.arrived)]
        return CrowdReport(
            people=len(crowd.cast),
            arrived=len(times),
            seconds=round(crowd.seconds, 2),
            arrival_s=round(float(times.mean()), 2) if len(times) else None,
            deepest_cm=round(100 * made.deepest, 1),
            above_2cm=round(made.deeper(0.02), 6),
            near_misses=made.near_misses,
            waited_s=round(float(made.waited.mean()), 2),
            waited_most_s=round(float(made.waited.max()), 2),
            density=round(float(np.nanmax(made.density)), 2),
            notices=list(made.notices),
        )


def thinning(people: int, frames: int, joints: int, fps: float) -> int:
    """Each how-manieth frame is sent; a `CrowdError` where there are too many for a page, however few are.

    >>> thinning(50, 1801, 24, 30.0), thinning(500, 1801, 24, 30.0)
    (1, 2)
    """
    if people > MOST_PEOPLE:
        raise CrowdError(
            f"{people:,} people are more than the {MOST_PEOPLE:,} that a page shows: take fewer, or the command kinegraph crowd"
        )
    held, sent = people * frames * (_OWN + 16 * joints), people * frames * (_SENT + 8 * joints)
    every = max(1, -(-sent // SENT_BYTES))
    if held > MOST_BYTES or every > fps / _FEWEST:
        raise CrowdError(
            f"{people:,} people for {(frames - 1) / fps:g} s are {held / 1e6:,.0f} MB of poses, and the studio "
            f"holds {MOST_BYTES / 1e6:.0f} MB: take fewer people or fewer seconds, or the command kinegraph crowd"
        )
    return every


class Runs:
    """All runs that are under way, and the last that were."""

    def __init__(self) -> None:
        self._held: dict[str, Run] = {}
        self._lock = Lock()
        self._under_way = 0

    @contextmanager
    def turn(self) -> Iterator[None]:
        """One more that is computed, for as long as the block lasts."""
        with self._lock:
            if self._under_way >= MOST:
                raise Conflict(f"{MOST} crowds are computed here already: stop one, or wait for it")
            self._under_way += 1
        try:
            yield
        finally:
            with self._lock:
                self._under_way -= 1

    def hold(self, run: Run) -> None:
        """Hold a run; the oldest gives way."""
        with self._lock:
            self._held[run.id] = run
            for id in list(self._held)[: max(0, len(self._held) - HELD)]:
                del self._held[id]

    def get(self, id: str) -> Run | None:
        """The run of an id, as long as it is held."""
        with self._lock:
            return self._held.get(id)

    def needed(self, id: str) -> Run:
        """The same; `Missing` where it is gone."""
        run = self.get(id)
        if run is None:
            raise Missing("this run is no longer held: run it again")
        return run

    def close(self) -> None:
        """Stop all."""
        with self._lock:
            for run in self._held.values():
                run.stop()
