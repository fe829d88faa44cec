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
from kinegraph.rendering.shapes import Mannequin
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
    colours: Sequence[tuple[float, float, float]] | None = None,
    walls: Sequence[Array] = (),
    watch: Watcher = None,
) -> None:
    """Write a film of people who move at the same time, as .gif or .mp4.

    motions: one a person, of the same length and rate. follow: the number of the person whom the camera goes along with; by default it
    shows all of them and turns slowly round them. colours: linear red, green and blue of each person's trunk. walls: lines through floor
    points ``(M, 2)``. watch: told after each frame, as the stage "draw".

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
    if len({(len(motion), motion.fps) for motion in motions}) > 1:
        raise KinegraphError(
            "people in one film must have as many frames as each other, at one rate: cut or resample them"
        )
    if follow is not None and not 0 <= follow < len(motions):
        raise KinegraphError(f"there is no person {follow} to follow: they are numbered from 0 to {len(motions) - 1}")

    def made(fps: float, width: int, height: int) -> _GroupShots:
        return _GroupShots(motions, fps, width, height, follow, colours, walls)

    written(made, path, fps, width, height, watch)


class _GroupShots:
    """The frames of a film of many."""

    def __init__(
        self,
        motions: Sequence[Motion],
        fps: float,
        width: int,
        height: int,
        follow: int | None,
        colours: Sequence[tuple[float, float, float]] | None,
        walls: Sequence[Array],
    ) -> None:
        self.width, self.height = width, height
        self._motions, self._walls = motions, walls
        seconds = (len(motions[0]) - 1) / motions[0].fps
        # the frames that are nearest in time: people are many, and nobody sees a hundredth of a second
        times = np.arange(round(seconds * fps) + 1) / fps
        self._frames = np.minimum(np.rint(times * motions[0].fps).astype(int), len(motions[0]) - 1)
        # of everybody a body, made from the first frames, from which it is told where a face looks
        self._bodies = [Mannequin(motion[:_AT_ONCE]) for motion in motions]
        self._colours = [] if colours is None else [_shown(colour) for colour in colours]
        self._stature = float(np.median([body.stature for body in self._bodies]))
        self._posed: tuple[int, list[Mannequin]] = (-1, [])
        places = np.stack([motion.root[self._frames][:, [0, 2]] for motion in motions], axis=1)
        self._cameras, self._reach = _cameras(places, times, self._stature, width, height, follow)

    def __len__(self) -> int:
        return len(self._frames)

    def __getitem__(self, frame: int) -> Picture:
        """The picture ``(height, width, 3)`` of one frame."""
        camera, at = self._cameras[frame], int(self._frames[frame])
        figures = []
        for number, body in enumerate(self._bodies_at(at)):
            # who stands behind the camera, or in front of its lens, is not in the picture
            if (body.motion.root[at % _AT_ONCE] - camera.target) @ camera.axes[2] < _LENS * camera.distance:
                figures.append(Figure(body.pose(at % _AT_ONCE), torso=self._colours[number] if self._colours else None))
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

    def _bodies_at(self, frame: int) -> list[Mannequin]:
        """The bodies in the stretch of frames that a frame lies in."""
        first = frame - frame % _AT_ONCE
        if self._posed[0] != first:
            stretch = slice(first, first + _AT_ONCE)
            self._posed = (
                first,
                [body.of(motion[stretch]) for body, motion in zip(self._bodies, self._motions, strict=True)],
            )
        return self._posed[1]


def _cameras(
    places: Array, times: Array, stature: float, width: int, height: int, follow: int | None
) -> tuple[list[Camera], float]:
    """A camera for each of the places ``(F, N, 2)``, and how far the floor's grid is shown, in metres."""
    fps = 1.0 / max(times[1] - times[0], 1e-3) if len(times) > 1 else 1.0
    headings = np.radians(25.0 + _TURN * times)
    if follow is not None:
        track = glide(places[:, follow], _GLIDE * fps)
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
    needed = []
    for key in keys:
        near = places[max(0, key - every) : key + every + 1 : max(1, every // 3)].reshape(-1, 2)
        spheres = np.array([[x, y, z] for x, z in near for y in (0.3 * stature, 0.85 * stature)])
        fit = fitted(axes_of(headings[key], np.radians(_ABOVE)), spheres, np.full(len(spheres), 0.3 * stature), box)
        needed.append((*fit.target, fit.scale, fit.distance))
    found = np.stack([np.interp(np.arange(len(times)), keys, column) for column in np.array(needed).T], axis=-1)
    found = glide(found, _CALM * fps)
    cameras = [
        Camera(axes_of(heading, np.radians(_ABOVE)), row[:3], row[3], (0.5 * width, 0.5 * height), row[4])
        for heading, row in zip(headings, found, strict=True)
    ]
    return cameras, float(np.ptp(places, axis=(0, 1)).max() + 6.0 * stature)


def _shown(colour: tuple[float, float, float]) -> tuple[float, float, float]:
    """A linear colour as screens take it."""
    red, green, blue = (
        12.92 * value if value <= 0.0031308 else 1.055 * value ** (1 / 2.4) - 0.055
        for value in np.clip(colour, 0.0, 1.0)
    )
    return red, green, blue
