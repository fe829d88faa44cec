"""What a person has played, row by row, as a walk: through the graph, and through the strikes between."""

from __future__ import annotations

import numpy as np

from kinegraph.graph.model import EdgeKind, MotionGraph
from kinegraph.graph.walk import Walk
from kinegraph.motion.floor import FloorTransform
from kinegraph.people.stepping import Cursors
from kinegraph.people.tracks import StrikeTrack
from kinegraph.strikes.joining.splice import laid, way_of, with_clips
from kinegraph.strikes.joining.ways import Way

# what stands for a row of a strike among those of the graph's edges
_STRIKE = -1, -1


class LiveRecord:
    """Every row that the first of some people has shown, and the one that comes next."""

    def __init__(self, graph: MotionGraph, cursors: Cursors) -> None:
        self._graph, self._cursors = graph, cursors
        self._start = FloorTransform(*cursors.place[0, 0].tolist())
        # edges of the graph and steps in them
        self._rows = [self._row(0), self._row(1)]
        self._turns = [0.0, 0.0]
        self._moments = [float(cursors.phase[0])]
        self._tracks: list[tuple[int, StrikeTrack]] = []
        self._base = -1

    def _row(self, which: int) -> tuple[int, int]:
        return int(self._cursors.edge[0, which]), int(self._cursors.step[0, which])

    @property
    def _striking(self) -> bool:
        return self._base >= 0

    def stepped(self, before: float) -> None:
        """One more frame of the graph is shown, at whose step the phase was as it had been ``before``."""
        cursors = self._cursors
        if self._striking:
            self._base = -1
            self._rows += [self._row(0), self._row(1)]
            self._turns += [0.0, 0.0]
        else:
            passed = round(before + float(cursors.pace[0]) - float(cursors.phase[0]))
            self._turns[-2] += float(cursors.turn[0]) / self._graph.fps
            for back in range(passed, 0, -1):
                # what was next is shown now; of several only the last is still known, and what comes after it
                self._rows.append(self._row(0 if back == 2 else 1))
                self._turns.append(0.0)
        self._moments.append(len(self._rows) - 2 + float(cursors.phase[0]))

    def struck(self, track: StrikeTrack, at: int) -> None:
        """Frame ``at`` of a strike's track is shown."""
        if not self._tracks or self._tracks[-1][1] is not track:
            if not self._striking:
                # what was to come next does not
                self._rows.pop()
                self._turns.pop()
            self._base = len(self._rows) - 1
            self._tracks.append((len(self._rows), track))
            self._rows += [_STRIKE] * track.rows
            self._turns += [0.0] * track.rows
        self._moments.append(self._base + float(track.moments[at]))

    def walk(self) -> Walk:
        """The walk; where there were strikes, through the graph with these as more clips."""
        graph, frames = self._graph, len(self._rows)
        turns, moments = np.array(self._turns), np.array(self._moments)
        if not self._tracks:
            edges = [edge for edge, step in self._rows if step == 0]
            return Walk(graph, np.array(edges), self._start, frames, turns, moments_seen=moments)
        taken: list[tuple[int, Way]] = [(begin, track.way) for begin, track in self._tracks]
        kind = graph.edges.kind
        taken += [
            (begin, way_of(graph, edge))
            for begin, (edge, step) in enumerate(self._rows)
            if step == 0 and kind[edge] != EdgeKind.ORIGINAL
        ]
        taken.sort(key=lambda one: one[0])
        ways = [way for _, way in taken]
        node = graph.edges.source[self._rows[0][0]]
        start = graph.clips[graph.node_clip[node]].name, int(graph.node_frame[node])
        clips = {track.clip.name: track.clip for _, track in self._tracks}
        # a strike that was not left yet has to end somewhere
        ends = [(track.clip.name, track.last) for _, track in self._tracks if track.hit >= 0]
        made = with_clips(graph, list(clips.values()), [track.way for _, track in self._tracks], [start, *ends])
        begin, way = taken[-1]
        walk = laid(made, start, ways, [], frames - begin - way.length)
        return Walk(made, walk.edges, self._start, frames, turns, moments_seen=moments)
