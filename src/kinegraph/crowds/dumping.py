"""Bodies for anybody's tracks: each place is met at its time, as well as the clips of a graph can."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
from scipy.ndimage import gaussian_filter1d

from kinegraph.arrays import Array
from kinegraph.crowds.following import Followers
from kinegraph.crowds.handing import colours_of, save_people
from kinegraph.crowds.tracks import Trajectory, write_csv
from kinegraph.errors import KinegraphError
from kinegraph.graph.model import MotionGraph
from kinegraph.motion import Motion
from kinegraph.people.steered import People
from kinegraph.watch import Watch, Watcher

# seconds that people walk before their track begins: they begin standing, and must be under way by then
_BEFORE = 6.0
# seconds over which a track is smoothed to tell how it goes: heads sway, and cameras tremble
_SMOOTH = 0.35
# seconds ahead at which it is told: bodies take a while
_AHEAD = 0.2
# seconds of a track's ends that tell how it came and goes on
_ENDS = 0.8
# people who are taken along at a time, those with tracks about as long as each other together
_TOGETHER = 128
# m/s beyond the fastest clip's that is still taken for its speed
_FASTER = 1.15


HARDEST = 5.0
"""m/s² beyond which a track was read wrongly: a sprinter starts like that."""
FAR = 0.4
"""Metres from where they should be from which on it is told how many people were so far off."""


@dataclass(frozen=True, eq=False)
class Dumped:
    """People on tracks, in the order of the tracks."""

    tracks: tuple[Trajectory, ...]
    motions: tuple[Motion, ...]
    """One a person, from the first moment of their track to the last."""
    starts: tuple[int, ...]
    """The frame, of all that there is, at which each begins."""
    misses: tuple[Array, ...]
    """Of each person ``(F,)``: how far their hips are from their track, in metres, frame by frame."""
    notices: tuple[str, ...] = ()
    """Who goes faster than the clips do, or changes speed as nobody can."""

    @property
    def fps(self) -> float:
        """Frames a second."""
        return self.motions[0].fps

    @property
    def seconds(self) -> float:
        """How long it all lasts."""
        return max(begin + len(motion) for begin, motion in zip(self.starts, self.motions, strict=True)) / self.fps

    @property
    def mean_miss(self) -> float:
        """Metres, over all frames of all people."""
        return float(np.concatenate(self.misses).mean())

    @property
    def largest_miss(self) -> float:
        """Metres, of all frames of all people."""
        return float(max(miss.max() for miss in self.misses))

    @property
    def facts(self) -> dict[str, Any]:
        """Ready for JSON: how well places were met, of all and of each."""
        people = [
            {
                "id": track.name,
                "start_s": round(begin / self.fps, 3),
                "seconds": round(len(miss) / self.fps, 3),
                "mean_cm": round(100.0 * float(miss.mean()), 2),
                "max_cm": round(100.0 * float(miss.max()), 2),
                "fastest": round(track.fastest, 2),
            }
            for track, begin, miss in zip(self.tracks, self.starts, self.misses, strict=True)
        ]
        figures = {"mean_cm": round(100.0 * self.mean_miss, 2), "max_cm": round(100.0 * self.largest_miss, 2)}
        return {"seconds": round(self.seconds, 3), **figures, "people": people}

    @property
    def sentences(self) -> list[tuple[str, str]]:
        """The same for people."""
        worst = max(range(len(self.misses)), key=lambda person: float(self.misses[person].max()))
        at = int(self.misses[worst].argmax())
        far = sum(float(miss.max()) > FAR for miss in self.misses)
        return [
            ("seconds", f"{self.seconds:.1f}"),
            ("places met", f"within {100 * self.mean_miss:.1f} cm on average"),
            (
                "worst",
                f"{100 * self.largest_miss:.0f} cm: {self.tracks[worst].name}, {at / self.fps:.1f} s after they came",
            ),
            (f"ever {100 * FAR:.0f} cm off", f"{far} of {len(self.misses)} people"),
        ]

    @property
    def colours(self) -> list[tuple[float, float, float]]:
        """Linear red, green and blue of everybody's trunk."""
        return colours_of([0] * len(self.motions))

    def save(self, path: str | PathLike[str], watch: Watcher = None) -> Path:
        """Write everybody: one GLB, USD or NPZ file, or a folder with a BVH each and ``tracks.csv``. It appears when it is whole."""

        def write_tracks(file: Path) -> None:
            found = []
            for motion, begin in zip(self.motions, self.starts, strict=True):
                times = (begin + np.arange(len(motion))) / self.fps
                found.append(Trajectory(motion.name, times, motion.root[:, [0, 2]]))
            write_csv(found, file)

        return save_people(
            self.motions,
            path,
            starts=self.starts,
            write_tracks=write_tracks,
            colours=self.colours,
            count=len(self.motions),
            watch=watch,
        )

    def film(self, path: str | PathLike[str], *, follow: int | None = None, watch: Watcher = None) -> None:
        """Write a film of it; follow: the person whom the camera goes along with, else it shows everybody."""
        from kinegraph.rendering.group_films import film_together

        film_together(self.motions, path, follow=follow, starts=self.starts, colours=self.colours, watch=watch)


def dump(
    graph: MotionGraph, tracks: Sequence[Trajectory], *, label: str = "", seed: int = 0, watch: Watcher = None
) -> Dumped:
    """Put people of a graph on tracks.

    label: what they should be doing all the while. seed: where in the graph each begins. watch: told as the stage "walk" how many frames
    of the longest tracks are done.

    >>> import kinegraph as kg
    >>> names = ("stand", "start", "walk", "walk_left_medium", "walk_right_medium", "stop")
    >>> graph = kg.graph.build([kg.samples.make(name).motion for name in names])
    >>> straight = Trajectory("anna", [0.0, 5.0], [(0.0, 0.0), (0.0, 6.5)])
    >>> made = dump(graph, [straight])
    >>> made.motions[0].name, bool(made.mean_miss < 0.1)
    ('anna', True)
    """
    if not tracks:
        raise KinegraphError("there is no track to put anybody on")
    watching, fps = Watch.of(watch), graph.fps
    origin = min(track.times[0] for track in tracks)
    lengths = [int(np.floor((track.times[-1] - track.times[0]) * fps + 1e-6)) + 1 for track in tracks]
    motions: list[Motion | None] = [None] * len(tracks)
    misses: list[Array] = [np.zeros(0)] * len(tracks)
    order = np.argsort(lengths, kind="stable")[::-1]
    lots = [order[first : first + _TOGETHER] for first in range(0, len(order), _TOGETHER)]
    before = round(_BEFORE * fps)
    total, done = sum(lengths[lot[0]] + before for lot in lots), 0
    for lot in lots:
        wanted = np.stack([_course(tracks[person], lengths[lot[0]], before, fps) for person in lot], axis=1)
        smooth = gaussian_filter1d(wanted, _SMOOTH * fps, axis=0, mode="nearest")
        velocity = np.gradient(smooth, axis=0) * fps
        heading = np.arctan2(velocity[before, :, 0], velocity[before, :, 1])
        followers = Followers(graph, smooth[0], heading, seed=seed + int(lot[0]))
        shown = _Shown([lengths[person] for person in lot], len(graph.skeleton))
        for frame in range(len(wanted)):
            followers.step(smooth[frame], velocity[min(frame + round(_AHEAD * fps), len(wanted) - 1)], label)
            shown.take(followers.people, frame - before)
            done += 1
            watching.tell("walk", done, total)
        for column, person in enumerate(lot.tolist()):
            motion = Motion(graph.skeleton, shown.roots[column], shown.turns[column], fps, name=tracks[person].name)
            motions[person] = motion
            off = motion.root[:, [0, 2]] - wanted[before : before + len(motion), column]
            misses[person] = np.hypot(off[:, 0], off[:, 1])
    starts = tuple(round((track.times[0] - origin) * fps) for track in tracks)
    made = tuple(motion for motion in motions if motion is not None)
    return Dumped(
        tuple(tracks), made, starts, tuple(misses), (*_beyond(graph, tracks), *_missed(graph, tracks, misses))
    )


class _Shown:
    """The frames of people as they come; of each as many as their track has."""

    def __init__(self, lengths: list[int], joints: int) -> None:
        self.roots = [np.zeros((length, 3)) for length in lengths]
        self.turns = [np.zeros((length, joints, 4)) for length in lengths]

    def take(self, people: People, frame: int) -> None:
        """Everybody's next frame; before frame 0 they are on their way to the track."""
        for person, (root, turns) in enumerate(zip(self.roots, self.turns, strict=True)):
            if 0 <= frame < len(root):
                root[frame], turns[frame] = people.root[person], people.rotations[person]


def _course(track: Trajectory, length: int, before: int, fps: float) -> Array:
    """Where a track is ``(before + length, 2)`` frame by frame, with how it came and how it goes on."""
    own = int(np.floor((track.times[-1] - track.times[0]) * fps + 1e-6)) + 1
    places = track.at(track.times[0] + np.arange(own) / fps)
    some = min(own - 1, round(_ENDS * fps))
    came = (places[some] - places[0]) / max(some, 1)
    goes = (places[-1] - places[-1 - some]) / max(some, 1)
    ahead = places[0] - came * np.arange(before, 0, -1)[:, None]
    after = places[-1] + goes * np.arange(1, length - own + 1)[:, None]
    return np.concatenate([ahead, places, after])


def _beyond(graph: MotionGraph, tracks: Sequence[Trajectory]) -> tuple[str, ...]:
    """Who does what nobody can, in sentences."""
    fastest = _FASTER * fastest_of(graph)
    quick = [f"{track.name} ({track.fastest:.1f} m/s)" for track in tracks if track.fastest > fastest]
    hard = [f"{track.name} at {track.hardest[1]:.1f} s" for track in tracks if track.hardest[0] > HARDEST]
    notices = []
    if quick:
        notices.append(
            f"faster than anybody in the clips, who reach {fastest:.1f} m/s, so that they fall behind: {_some(quick)}"
        )
    if hard:
        notices.append(
            f"tracks that change their speed by more than {HARDEST:g} m/s² for a moment, as nobody does, so that they are missed there: "
            f"{_some(hard)}"
        )
    return tuple(notices)


def _missed(graph: MotionGraph, tracks: Sequence[Trajectory], misses: Sequence[Array]) -> tuple[str, ...]:
    """Who was far off at some time although they do what people do, in a sentence, the worst first."""
    fastest = _FASTER * fastest_of(graph)
    worst = [
        (float(miss.max()), track.name)
        for track, miss in zip(tracks, misses, strict=True)
        if track.fastest <= fastest and track.hardest[0] <= HARDEST
    ]
    far = [f"{name} ({100 * most:.0f} cm)" for most, name in sorted(worst, reverse=True) if most > FAR]
    if not far:
        return ()
    return (
        f"further than {100 * FAR:.0f} cm from their track at some time, as who creeps, stops or turns back at once: {_some(far)}",
    )


def _some(names: list[str]) -> str:
    return ", ".join(names[:4]) + (f" and {len(names) - 4} more" if len(names) > 4 else "")


def fastest_of(graph: MotionGraph) -> float:
    """m/s that the clips of a graph reach over half a second."""
    window = max(1, round(0.5 * graph.fps))
    best = 0.0
    for clip in graph.clips:
        path = clip.motion.root[:, [0, 2]]
        if len(path) > window:
            best = max(best, float(np.hypot(*(path[window:] - path[:-window]).T).max()) * graph.fps / window)
    return best
