"""A strip of poses: a motion at a glance."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Literal

import numpy as np

from kinegraph.arrays import Array
from kinegraph.errors import KinegraphError
from kinegraph.motion import Motion
from kinegraph.rendering.camera import fitted, view_axes
from kinegraph.rendering.extras import pillow
from kinegraph.rendering.palette import BACKGROUND, CAPTION, MARKED
from kinegraph.rendering.scene import Figure, Picture, compose
from kinegraph.rendering.shapes import Cones, Mannequin

if TYPE_CHECKING:
    from PIL.Image import Image

LAYOUTS = ("time", "world")

# Neighbours in a strip may overlap by this share of the widest pose before figures are drawn smaller.
_OVERLAP = 0.12
# The oldest pose of a "world" strip is this pale.
_PALEST = 0.62


def strip(
    motion: Motion,
    poses: int = 10,
    *,
    frames: Sequence[int] | None = None,
    width: int = 1600,
    height: int = 400,
    view: str = "auto",
    layout: Literal["time", "world"] = "time",
    marks: Mapping[int, str] | None = None,
) -> Image:
    """A picture of ``poses`` poses at even times, or of the given ``frames``, side by side.

    marks: frames that are among the poses in any case, each with a word for its caption, such as ``{34: "hit"}``.

    view: "auto", "side", "front", "three-quarter" or "top". layout: "time" gives each pose its own place in the row, with its
    frame and second beneath; "world" leaves poses where they are, older ones paler, with the path of the root on the floor.

    >>> import kinegraph as kg
    >>> kg.rendering.strip(kg.samples.make("walk").motion, poses=5, width=400, height=100).size    # an image of Pillow
    (400, 100)
    """
    named = {chosen_frames(motion, 1, [frame])[0]: word for frame, word in (marks or {}).items()}
    chosen = with_marks(chosen_frames(motion, poses, frames), named)
    if layout not in LAYOUTS:
        raise KinegraphError(f"unknown layout {layout!r}: expected one of {', '.join(LAYOUTS)}")
    if min(width, height) < 16:
        raise KinegraphError(f"a picture of {width} by {height} pixels is too small: 16 by 16 is the least")
    image = pillow("a strip of poses")
    mannequin = Mannequin(motion)
    axes = view_axes(motion, view, mannequin.stature)
    cones = [mannequin.pose(frame) for frame in chosen]
    draw = _world if layout == "world" else _row
    picture: Image = image.fromarray(draw(motion, mannequin, cones, chosen, axes, width, height))
    if layout == "time":
        _caption(picture, motion, chosen, named)
    return picture


def chosen_frames(motion: Motion, poses: int, frames: Sequence[int] | None) -> list[int]:
    """The frames to show: those given (negative ones count from the end), or else ``poses`` frames spread evenly from first to last."""
    if frames is None:
        if poses < 1:
            raise KinegraphError(f"a strip needs at least one pose, got {poses}")
        spread = np.linspace(0, len(motion) - 1, min(poses, len(motion)))
        return [int(frame) for frame in np.round(spread)]
    for frame in frames:
        if not -len(motion) <= frame < len(motion):
            raise KinegraphError(f"there is no frame {frame}: {motion.name or 'the motion'} has {len(motion)}")
    if len(frames) == 0:
        raise KinegraphError("a strip needs at least one frame")
    return [int(frame) % len(motion) for frame in frames]


def with_marks(frames: Sequence[int], marks: Iterable[int]) -> list[int]:
    """The frames with all marked ones among them: each in the place of the nearest one that is not marked, or in addition where all are.

    >>> with_marks([0, 10, 20, 30], [12])
    [0, 12, 20, 30]
    """
    out, wanted = list(frames), list(marks)
    for mark in wanted:
        if mark in out:
            continue
        free = [place for place, frame in enumerate(out) if frame not in wanted]
        if free:
            out[min(free, key=lambda place: abs(out[place] - mark))] = mark
        else:
            out.append(mark)
    return sorted(out) if list(frames) == sorted(frames) else out


def caption_height(height: int) -> int:
    """The height in pixels of the captions beneath a strip."""
    return int(np.clip(round(0.09 * height), 0, 44)) if height >= 120 else 0


def _slot(width: int, count: int) -> float:
    """Pixels from one pose of a row to the next, with room at both ends for what reaches out of its slot."""
    return 0.98 * width / (count + _OVERLAP)


def _row(
    motion: Motion, mannequin: Mannequin, cones: list[Cones], frames: list[int], axes: Array, width: int, height: int
) -> Picture:
    """Poses shifted along the row; parallel rays, so that the same pose looks the same in every place."""
    at_home = [_shifted(pose, -motion.root[frame] * [1, 0, 1]) for pose, frame in zip(cones, frames, strict=True)]
    spheres, radii = _spheres(at_home)
    slot = _slot(width, len(frames))
    edge = 0.05 * height
    room = (1 + _OVERLAP) * slot
    box = (0.5 * (width - room), edge, 0.5 * (width + room), height - caption_height(height) - edge)
    camera = fitted(axes, spheres, radii, box, perspective=False)
    places = (np.arange(len(frames)) - 0.5 * (len(frames) - 1)) * slot / camera.scale
    figures = [Figure(_shifted(pose, place * axes[0])) for pose, place in zip(at_home, places, strict=True)]
    stature = mannequin.stature
    middle = np.stack([places * axes[0, 0], places * axes[0, 2]], axis=-1)
    return compose(camera, width, height, figures, stature, middle=middle, reach=1.6 * stature)


def _world(
    motion: Motion, mannequin: Mannequin, cones: list[Cones], frames: list[int], axes: Array, width: int, height: int
) -> Picture:
    path = motion.root[:, [0, 2]]
    on_floor = np.stack([path[:, 0], np.zeros(len(path)), path[:, 1]], axis=-1)
    spheres, radii = _spheres(cones)
    spheres = np.concatenate([spheres, on_floor])
    radii = np.concatenate([radii, np.zeros(len(on_floor))])
    edge = 0.06 * height
    camera = fitted(axes, spheres, radii, (edge, edge, width - edge, height - edge))
    newest = max(len(frames) - 1, 1)
    ages = (newest - np.arange(len(frames))) / newest if len(frames) > 1 else np.zeros(1)
    figures = [Figure(pose, _PALEST * float(age)) for pose, age in zip(cones, ages, strict=True)]
    stature = mannequin.stature
    middle = path[np.linspace(0, len(path) - 1, min(len(path), 24)).round().astype(int)]
    line = path[np.linspace(0, len(path) - 1, min(len(path), 400)).round().astype(int)]
    return compose(camera, width, height, figures, stature, middle=middle, reach=2.2 * stature, path=line)


def _caption(picture: Image, motion: Motion, frames: list[int], marks: Mapping[int, str]) -> None:
    """Frame and second beneath each pose, as large as the slot allows and left out where it would not be read; marked ones stand out."""
    from PIL import ImageDraw, ImageFont

    room = caption_height(picture.height)
    slot = _slot(picture.width, len(frames))
    left = 0.5 * (picture.width - slot * len(frames))
    size = min(round(0.38 * room), round(slot / 5))
    if size < 8:
        return
    font = ImageFont.load_default(size)
    draw = ImageDraw.Draw(picture)
    paper = tuple(round(255 * float(part)) for part in BACKGROUND)
    for order, frame in enumerate(frames):
        place = (left + (order + 0.5) * slot, picture.height - 0.62 * room)
        second = f"{frame / motion.fps:.2f} s"
        text = f"{second} · frame {frame}" if size * 10 < slot else second
        if frame in marks:
            text = (
                f"{marks[frame]} · {text}"
                if size * 12 < slot
                else f"{marks[frame]} {second}"
                if size * 7 < slot
                else marks[frame]
            )
        # a rim of background keeps grid lines off the letters
        draw.text(
            place,
            text,
            fill=MARKED if frame in marks else CAPTION,
            font=font,
            anchor="mm",
            stroke_width=3,
            stroke_fill=paper,
        )


def _shifted(cones: Cones, by: Array) -> Cones:
    return replace(cones, ends=cones.ends + by)


def _spheres(poses: list[Cones]) -> tuple[Array, Array]:
    """All spheres of some poses: centres ``(N, 3)`` and radii ``(N,)``."""
    ends = np.concatenate([pose.ends.reshape(-1, 3) for pose in poses])
    return ends, np.concatenate([pose.radii.ravel() for pose in poses])
