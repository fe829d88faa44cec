"""One picture: figures on a floor, seen by a camera."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from kinegraph.arrays import Array
from kinegraph.rendering.camera import Camera
from kinegraph.rendering.ground import PaintedFloor, grid_spacing
from kinegraph.rendering.palette import BACKGROUND, PAINTS
from kinegraph.rendering.raster import Canvas, shade
from kinegraph.rendering.shapes import TORSO, Cones

Picture = NDArray[np.uint8]

# Each pixel is the mean of two by two.
_FINER = 2


@dataclass(frozen=True)
class Figure:
    """A posed body."""

    cones: Cones
    pale: float = 0.0
    """0 draws it in full colour; towards 1 it fades into the background."""
    torso: tuple[float, float, float] | None = None
    """The colour of its trunk, 0 to 1 as screens take it; None: as everybody's."""


def compose(
    camera: Camera,
    width: int,
    height: int,
    figures: Sequence[Figure],
    stature: float,
    *,
    middle: Array,
    reach: float,
    path: Array | None = None,
    walls: Sequence[Array] = (),
) -> Picture:
    """The picture ``(height, width, 3)`` of figures of ``stature`` metres.

    The grid is at full strength within ``reach`` metres of floor points ``middle (N, 2)`` and fades beyond. path: floor points
    ``(N, 2)`` to draw a line through. walls: lines through floor points that are drawn boldly.
    """
    ground = PaintedFloor(camera, width, height)
    ground.grid(grid_spacing(stature), middle, 0.35 * reach, reach)
    if path is not None and len(path) > 1:
        ground.path(path, thickness=max(1.6, 0.008 * stature * camera.scale), strength=0.55)
    for wall in walls:
        ground.path(wall, thickness=max(2.4, 0.05 * stature * camera.scale), strength=0.85)
    for figure in figures:
        ground.shadow(figure.cones.ends, figure.cones.radii, stature, strength=0.9 * (1 - 0.8 * figure.pale))
    picture = ground.picture
    _paint_figures(picture, camera, figures, stature)
    picture *= 255
    picture += 0.5
    return np.clip(picture, 0, 255, out=picture).astype(np.uint8)


def _paint_figures(picture: NDArray[np.float32], camera: Camera, figures: Sequence[Figure], stature: float) -> None:
    """Draw figures over a picture ``(height, width, 3)``, in place."""
    height, width = picture.shape[:2]
    fine = camera.enlarged(_FINER)
    projected = []
    for figure in figures:
        pixels, scale = fine.project(figure.cones.ends)
        projected.append((pixels, figure.cones.radii * scale))
    if not projected:
        return
    pixels = np.concatenate([p for p, _ in projected])
    radii = np.concatenate([r for _, r in projected])
    # only the part of the picture that holds figures is drawn finely
    edge = radii[..., None] + 2
    low = np.floor((pixels[..., :2] - edge).min(axis=(0, 1)) / _FINER).astype(int)
    high = np.ceil((pixels[..., :2] + edge).max(axis=(0, 1)) / _FINER).astype(int)
    left, top = np.clip(low, 0, [width, height])
    right, bottom = np.clip(high, 0, [width, height])
    if left >= right or top >= bottom:
        return
    canvas = Canvas.blank(_FINER * (right - left), _FINER * (bottom - top))
    corner = np.array([_FINER * left, _FINER * top, 0.0])
    colours = []
    for order, (figure, (places, sizes)) in enumerate(zip(figures, projected, strict=True)):
        # nothing is thinner than a pixel, so that small pictures keep their hands and feet
        canvas.draw(places - corner, np.maximum(sizes, 0.55 * _FINER), figure.cones.paints + order * len(PAINTS))
        paints = PAINTS.copy()
        if figure.torso is not None:
            paints[TORSO] = figure.torso
        colours.append(paints + (BACKGROUND - paints) * np.float32(figure.pale))
    torso = np.arange(len(PAINTS) * len(figures)) % len(PAINTS) == TORSO
    colour, cover = shade(canvas, np.concatenate(colours), torso, reach=0.03 * stature * fine.scale)
    part = picture[top:bottom, left:right]
    part *= 1 - cover[..., None]
    part += colour
