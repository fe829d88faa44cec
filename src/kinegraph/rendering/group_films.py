"""Films of people who move at the same time: a camera that goes slowly round them, or along with one of them."""

from __future__ import annotations

from collections.abc import Sequence
from os import PathLike

import numpy as np

from kinegraph.arrays import Array
from kinegraph.errors import KinegraphError
from kinegraph.motion import Motion
from kinegraph.rendering.camera import Camera, axes_of, fitted
from kinegraph.rendering.films import glide, written
from kinegraph.rendering.scene import Figure, Picture, compose
from kinegraph.rendering.shapes import Cones, Mannequin
from kinegraph.watch import Watcher

# degrees above the floor of a camera that shows all, and of one that goes along with somebody; and how it turns, in degrees a second
_ABOVE, _BESIDE, _TURN = 32.0, 14.0, 2.0
# seconds over which the camera's place and size are averaged, and over which one that goes along averages where it is
_CALM, _GLIDE = 1.5, 0.6
# frames that are posed at a time: poses take memory
_AT_ONCE = 60
# how much of the picture's height somebody fills whom the camera follows
_FILLS = 0.3
# how near the eye somebody may come, as a part of its distance from what it looks at
_LENS = 0.9


def film_together(
    motions: Sequence[Motion],
    path: str | PathLike[str],
    *,
    fps: float = 30.0,
    width: int = 960,
    height: int = 540,
    follow: int | None = None,
    starts: Sequence[int] | None = None,
    colours: Sequence[tuple[float, float, float]] | None = None,
    walls: Sequence[Array] = (),
    watch: Watcher = None,
) -> None:
    """Write a film of people who move at the same time, as .gif or .mp4.

    motions: one a person, of one rate. starts: the frame at which each begins; by default all begin together. Nobody is seen before their
    first frame or after their last. follow: the number of the person whom the camera goes along with; by default it shows all of them and
    turns slowly round them. colours: linear red, green and blue of each person's trunk. walls: lines through floor points ``(M, 2)``.
    watch: told after each frame, as the stage "draw".

    >>> import kinegraph as kg
    >>> import pathlib, tempfile
    >>> file = pathlib.Path(tempfile.mkdtemp(), "two.gif")
    >>> walk = kg.samples.make("walk").motion
    >>> kg.rendering.film_together([walk[:30], walk[40:70]], file, fps=10, width=160, height=120)
    >>> file.read_bytes()[:6]
    b'GIF89a'
    """
    if not motions:
        raise KinegraphError("nobody to film: at least one motion is needed")
    if len({motion.fps for motion in motions}) > 1:
        raise KinegraphError("people in one film must move at one rate: resample them")
    begins = [0] * len(motions) if starts is None else list(starts)
    if len(begins) != len(motions) or min(begins) < 0:
        raise KinegraphError(f"{len(motions)} people need as many starts, from frame 0 on; got {len(begins)}")
    if follow is not None and not 0 <= follow < len(motions):
        raise KinegraphError(f"there is no person {follow} to follow: they are numbered from 0 to {len(motions) - 1}")

    def made(fps: float, width: int, height: int) -> _GroupShots:
        return _GroupShots(motions, begins, fps, width, height, follow, colours, walls)

    written(made, path, fps, width, height, watch)


class _GroupShots:
    """The frames of a film of many."""

    def __init__(
        self,
        motions: Sequence[Motion],
        begins: Sequence[int],
        fps: float,
        width: int,
        height: int,
        follow: int | None,
        colours: Sequence[tuple[float, float, float]] | None,
        walls: Sequence[Array],
    ) -> None:
        self.width, self.height = width, height
        self._motions, self._begins, self._walls = motions, begins, walls
        last = max(begin + len(motion) for begin, motion in zip(begins, motions, strict=True)) - 1
        # the frames that are nearest in time: people are many, and nobody sees a hundredth of a second
        times = np.arange(round(last / motions[0].fps * fps) + 1) / fps
        self._frames = np.minimum(np.rint(times * motions[0].fps).astype(int), last)
        # of everybody a body, made from the first frames, from which it is told where a face looks
        self._bodies = [Mannequin(motion[:_AT_ONCE]) for motion in motions]
        self._posed: list[tuple[int, Mannequin]] = [(-1, body) for body in self._bodies]
        self._colours = [] if colours is None else [_shown(colour) for colour in colours]
        self._stature = float(np.median([body.stature for body in self._bodies]))
        places = np.full((len(times), len(motions), 2), np.nan)
        for person, (begin, motion) in enumerate(zip(begins, motions, strict=True)):
            there = (self._frames >= begin) & (self._frames < begin + len(motion))
            places[there, person] = motion.root[self._frames[there] - begin][:, [0, 2]]
        self._cameras, self._reach = _cameras(places, times, self._stature, width, height, follow)

    def __len__(self) -> int:
        return len(self._frames)

    def __getitem__(self, frame: int) -> Picture:
        """The picture ``(height, width, 3)`` of one frame."""
        camera = self._cameras[frame]
        figures = []
        for person, (begin, motion) in enumerate(zip(self._begins, self._motions, strict=True)):
            own = int(self._frames[frame]) - begin
            if not 0 <= own < len(motion):
                continue
            # who stands behind the camera, or in front of its lens, is not in the picture
            if (motion.root[own] - camera.target) @ camera.axes[2] < _LENS * camera.distance:
                figures.append(Figure(self._pose(person, own), torso=self._colours[person] if self._colours else None))
        return compose(
            camera,
            self.width,
            self.height,
            figures,
            self._stature,
            middle=camera.target[None, [0, 2]],
            reach=self._reach,
            walls=self._walls,
        )

    def _pose(self, person: int, frame: int) -> Cones:
        """Somebody's body in one of their frames; some frames on from it are worked out together."""
        first = frame - frame % _AT_ONCE
        if self._posed[person][0] != first:
            some = self._motions[person][first : first + _AT_ONCE]
            self._posed[person] = first, self._bodies[person].of(some)
        return self._posed[person][1].pose(frame - first)


def _cameras(
    places: Array, times: Array, stature: float, width: int, height: int, follow: int | None
) -> tuple[list[Camera], float]:
    """A camera for each of the places ``(F, N, 2)``, NaN of who is not there, and how far the floor's grid is shown, in metres."""
    fps = 1.0 / max(times[1] - times[0], 1e-3) if len(times) > 1 else 1.0
    headings = np.radians(25.0 + _TURN * times)
    if follow is not None:
        track = glide(_kept(places[:, follow]), _GLIDE * fps)
        scale = _FILLS * height / stature
        distance = 3.2 * height / scale
        cameras = [
            Camera(
                axes_of(heading, np.radians(_BESIDE)),
                np.array([x, 0.55 * stature, z]),
                scale,
                (0.5 * width, 0.5 * height),
                distance,
            )
            for heading, (x, z) in zip(headings, track, strict=True)
        ]
        return cameras, 14.0 * stature
    # everybody at any of a second's frames is in the picture of that second
    edge = 0.06 * height
    box = (edge, edge, width - edge, height - edge)
    every = max(1, round(fps))
    keys = np.unique(np.append(np.arange(0, len(times), every), len(times) - 1))
    needed, kept = [], []
    for key in keys:
        near = places[max(0, key - every) : key + every + 1 : max(1, every // 3)].reshape(-1, 2)
        near = near[np.isfinite(near[:, 0])]
        if not len(near):
            continue
        kept.append(key)
        spheres = np.array([[x, y, z] for x, z in near for y in (0.3 * stature, 0.85 * stature)])
        fit = fitted(axes_of(headings[key], np.radians(_ABOVE)), spheres, np.full(len(spheres), 0.3 * stature), box)
        needed.append((*fit.target, fit.scale, fit.distance))
    found = np.stack([np.interp(np.arange(len(times)), kept, column) for column in np.array(needed).T], axis=-1)
    found = glide(found, _CALM * fps)
    cameras = [
        Camera(axes_of(heading, np.radians(_ABOVE)), row[:3], row[3], (0.5 * width, 0.5 * height), row[4])
        for heading, row in zip(headings, found, strict=True)
    ]
    return cameras, float((np.nanmax(places, axis=(0, 1)) - np.nanmin(places, axis=(0, 1))).max() + 6.0 * stature)


def _kept(places: Array) -> Array:
    """``places (F, 2)`` of somebody, with where they came and went for the frames in which they are not there."""
    there = np.flatnonzero(np.isfinite(places[:, 0]))
    return np.stack([np.interp(np.arange(len(places)), there, places[there, k]) for k in range(2)], axis=-1)


def _shown(colour: tuple[float, float, float]) -> tuple[float, float, float]:
    """A linear colour as screens take it."""
    red, green, blue = (
        12.92 * value if value <= 0.0031308 else 1.055 * value ** (1 / 2.4) - 0.055
        for value in np.clip(colour, 0.0, 1.0)
    )
    return red, green, blue
