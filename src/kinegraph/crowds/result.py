"""`Crowd`: what came of a scenario, as arrays over frames and people."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from kinegraph.arrays import Array, Bools, Ints, Singles
from kinegraph.crowds.builds import skeleton_of
from kinegraph.crowds.casting import Cast
from kinegraph.crowds.handing import colours_of, save_people
from kinegraph.graph.model import MotionGraph
from kinegraph.motion.clip import Motion
from kinegraph.motion.skeleton import Skeleton
from kinegraph.watch import Watcher

if TYPE_CHECKING:
    from kinegraph.characters import Character
    from kinegraph.crowds.report import Report


@dataclass(frozen=True, eq=False)
class Crowd:
    """N people in F frames, as they were shown.

    >>> import kinegraph as kg
    >>> names = ("stand", "start", "walk", "walk_left_medium", "walk_right_medium", "stop")
    >>> graph = kg.build([kg.samples.make(name).motion for name in names])
    >>> crowd = kg.crowd(graph, "hallway:4", seconds=3)
    >>> crowd.root.shape, crowd.motion(2)
    ((91, 4, 3), Motion('person_2', 91 frames at 30/s, 24 joints))
    """

    cast: Cast
    """Who they are, where from and where to."""
    graph: MotionGraph
    """What they live on, with more ways out than it was given."""
    root: Singles
    """``(F, N, 3)``: metres."""
    rotations: Singles
    """``(F, N, J, 4)``: w x y z, local to the parent."""
    place: Singles
    """``(F, N, 2)``: where they are on the floor, x and z, without the sway of their strides."""
    velocity: Singles
    """``(F, N, 2)``: m/s of that place."""
    heading: Singles
    """``(F, N)``: where they face, radians."""
    stick: Singles
    """``(F, N, 2)``: what they wished, m/s."""
    edges: Ints
    """``(F, N)``: the edge of the graph that each plays."""
    held: Bools
    """``(F, N, 4)``: which of left heel, left ball, right heel and right ball is held still."""
    present: Bools
    """``(F, N)``: who is there; who leaves is gone once they have arrived."""
    arrived: Array
    """``(N,)``: seconds at which each has arrived; NaN who has not."""
    notices: tuple[str, ...] = field(default=())

    def __len__(self) -> int:
        return len(self.root)

    def __repr__(self) -> str:
        there = int(np.isfinite(self.arrived).sum())
        return f"Crowd({self.cast.scenario.name!r}: {len(self.cast)} people, {len(self) - 1} frames, {there} arrived)"

    @property
    def fps(self) -> float:
        """Frames a second."""
        return self.graph.fps

    @property
    def seconds(self) -> float:
        """How long it lasts."""
        return (len(self) - 1) / self.fps

    @property
    def stature(self) -> Array:
        """``(N,)``: how tall each is, against the body of the graph."""
        return self.cast.stature

    @property
    def build(self) -> Array:
        """``(N, 3)``: how long legs, trunk and arms of each are, against the body of the graph."""
        return self.cast.build

    def skeleton(self, person: int) -> Skeleton:
        """The body of one of them."""
        return skeleton_of(self.graph.skeleton, self.build[person])

    def name(self, person: int) -> str:
        """What one of them is called: by their number, from 0 on."""
        return f"person_{person:0{len(str(len(self.cast) - 1))}d}"

    def motion(self, person: int) -> Motion:
        """One of them, as long as they are there."""
        last = int(np.flatnonzero(self.present[:, person])[-1]) + 1
        return Motion(
            self.skeleton(person),
            np.asarray(self.root[:last, person], np.float64),
            np.asarray(self.rotations[:last, person], np.float64),
            self.fps,
            name=self.name(person),
        )

    @cached_property
    def report(self) -> Report:
        """How it went: who arrived, who ran into whom, how it looks."""
        from kinegraph.crowds.report import reported

        return reported(self)

    @property
    def colours(self) -> list[tuple[float, float, float]]:
        """Linear red, green and blue of everybody's trunk, by their group."""
        return colours_of(self.cast.group.tolist(), self.cast.scenario.seed)

    def motions(self) -> Iterator[Motion]:
        """Everybody, one after another."""
        return (self.motion(person) for person in range(len(self.cast)))

    def save(
        self,
        path: str | PathLike[str],
        watch: Watcher = None,
        *,
        characters: Sequence[Character | str | PathLike[str]] = (),
    ) -> Path:
        """Write everybody: one GLB, USD or NPZ file, or a folder with a BVH each and ``tracks.csv``. It appears when it is whole.

        characters: rigged meshes that people are put on, in turn; then it is a GLB or glTF file.
        """
        count = len(self.cast)
        if characters:
            from kinegraph.characters.saving import of
            from kinegraph.characters.together import write_together

            write_together(self.motions(), [of(one) for one in characters], path, count=count, watch=watch)
            return Path(path)
        return save_people(
            self.motions(),
            path,
            starts=[0] * count,
            write_tracks=self.write_tracks,
            colours=self.colours,
            count=count,
            watch=watch,
        )

    def film(self, path: str | PathLike[str], *, follow: int | None = None, watch: Watcher = None) -> None:
        """Write a film of it; follow: the person whom the camera goes along with, else it shows everybody."""
        from kinegraph.rendering.group_films import film_together

        walls = [np.array([row[:2], row[2:]]) for row in self.cast.walls]
        film_together(list(self.motions()), path, follow=follow, colours=self.colours, walls=walls, watch=watch)

    def write_tracks(self, file: str | PathLike[str]) -> None:
        """Where everybody is on the floor, as CSV: id, t, x, z, heading in degrees, group."""
        groups = [group.name or str(number) for number, group in enumerate(self.cast.scenario.groups, 1)]
        with Path(file).open("w", newline="", encoding="utf-8") as out:
            rows = csv.writer(out, lineterminator="\n")
            rows.writerow(["id", "t", "x", "z", "heading", "group"])
            for person in range(len(self.cast)):
                group = groups[self.cast.group[person]]
                for frame in np.flatnonzero(self.present[:, person]):
                    x, z = self.place[frame, person]
                    turn = np.degrees(self.heading[frame, person]) % 360.0
                    rows.writerow([person, f"{frame / self.fps:.4f}", f"{x:.4f}", f"{z:.4f}", f"{turn:.1f}", group])
