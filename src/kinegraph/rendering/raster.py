"""Cones to a picture: what each pixel shows, and how that place is lit. There is one ray through each pixel's centre."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from kinegraph.arrays import Array, Singles
from kinegraph.rendering.palette import AMBIENT, LIGHT, SHINE, SKY

_FAR = np.float32(-np.inf)


@dataclass(frozen=True)
class Canvas:
    """What each pixel shows: depth towards the eye, surface normal (x right, y down) and paint; all ``(height, width)``."""

    depth: Singles
    normal_x: Singles
    normal_y: Singles
    paint: NDArray[np.int16]

    @classmethod
    def blank(cls, width: int, height: int) -> Canvas:
        """An empty canvas."""
        shape = (height, width)
        return cls(
            np.full(shape, _FAR), np.zeros(shape, np.float32), np.zeros(shape, np.float32), np.full(shape, -1, np.int16)
        )

    def draw(self, ends: Array, radii: Array, paints: Array) -> None:
        """Draw cones: ends ``(N, 2, 3)`` and radii ``(N, 2)`` in pixels, paints ``(N,)`` as indices into a table of colours."""
        from kinegraph.rendering.cones import draw

        planes = self.depth, self.normal_x, self.normal_y, self.paint
        draw(*planes, np.ascontiguousarray(ends), np.ascontiguousarray(radii), np.asarray(paints, np.int64))


def shade(canvas: Canvas, colours: Singles, smoothed: NDArray[np.bool_], reach: float) -> tuple[Singles, Singles]:
    """Colours ``(h, w, 3)``, already multiplied by coverage, and coverage ``(h, w)``, at half the canvas's size: 2 × 2 pixels become one.

    colours: ``(paints, 3)``, 0 to 1. smoothed: ``(paints,)``, the paints whose cones should look like one form. reach: how far, in
    canvas pixels, a near limb darkens what is behind it.
    """
    _smooth_normals(canvas, smoothed, round(0.38 * reach))
    height, width = canvas.paint.shape
    # a figure fills a third of its box or less: only what is seen is lit
    seen = np.flatnonzero(canvas.paint.ravel() >= 0)
    nx, ny = canvas.normal_x.ravel()[seen], canvas.normal_y.ravel()[seen]
    nz = np.sqrt(np.maximum(1 - nx * nx - ny * ny, 0))
    facing = nx * np.float32(LIGHT[0]) + ny * np.float32(LIGHT[1]) + nz * np.float32(LIGHT[2])
    # light that wraps round the form, as from a large window, and a sky that is brighter than the floor
    soft = np.maximum(0.30 + 0.70 * facing, 0)
    light = np.float32(AMBIENT) - np.float32(SKY) * ny + np.float32(1 - AMBIENT) * soft
    # a thin darker rim holds the form against a light background and against its own kind
    rim = 1 - nz
    light *= 1 - np.float32(0.30) * (rim * rim * rim)
    # held above 0.1: powers of less would become denormal numbers, which are slow, and nothing to see
    shine = np.maximum(facing, np.float32(0.1))
    for _ in range(4):
        shine *= shine
    shine *= np.float32(SHINE)
    paint = canvas.paint.ravel()[seen]
    row, column = np.divmod(seen, width)
    cell = (row >> 1) * (width // 2) + (column >> 1)
    size = (height // 2) * (width // 2)
    cover = np.bincount(cell, minlength=size)
    bright = 1 - _recess(canvas.depth, reach).ravel()
    planes = [np.bincount(cell, colours[paint, i] * light + shine, size) * bright for i in range(3)]
    colour = 0.25 * np.stack(planes, axis=-1).reshape(height // 2, width // 2, 3)
    return colour.astype(np.float32), (0.25 * cover.reshape(height // 2, width // 2)).astype(np.float32)


def _smooth_normals(canvas: Canvas, smoothed: NDArray[np.bool_], radius: int) -> None:
    """Blur the normals of some paints among themselves, in place, so that cones side by side look like one skin."""
    if radius < 1:
        return
    mask = np.append(smoothed, False)[canvas.paint]
    rows, columns = np.flatnonzero(mask.any(axis=1)), np.flatnonzero(mask.any(axis=0))
    if len(rows) == 0:
        return
    place = (slice(rows[0], rows[-1] + 1), slice(columns[0], columns[-1] + 1))
    mask = mask[place]
    weight = np.maximum(_box(mask.astype(np.float32), radius), np.float32(1e-6))
    for normal in (canvas.normal_x[place], canvas.normal_y[place]):
        np.copyto(normal, _box(np.where(mask, normal, np.float32(0)), radius) / weight, where=mask)


def _box(plane: Singles, radius: int) -> Singles:
    """Sums over squares of 2 · radius + 1 pixels, the plane's outside counted as 0."""
    from scipy.ndimage import uniform_filter

    side = 2 * radius + 1
    sums: Singles = uniform_filter(plane, side, mode="constant") * np.float32(side * side)
    return sums


def _recess(depth: Singles, reach: float) -> Singles:
    """How much ``(h, w)`` at half size a place lies behind its neighbours, 0 … 1: cheap ambient occlusion."""
    half = np.maximum(depth[::2, ::2], np.float32(-1e9)) / np.float32(reach)
    height, width = half.shape
    total = np.zeros((height, width), np.float32)
    count = 0
    for share in (0.45, 1.0):
        for turn in np.arange(6) * (np.pi / 3) + (np.pi / 6 if share == 1.0 else 0.0):
            dx, dy = round(float(np.cos(turn) * reach * share / 2)), round(float(np.sin(turn) * reach * share / 2))
            if abs(dx) >= width or abs(dy) >= height:
                continue
            here = (slice(max(-dy, 0), height - max(dy, 0)), slice(max(-dx, 0), width - max(dx, 0)))
            there = (slice(max(dy, 0), height - max(-dy, 0)), slice(max(dx, 0), width - max(-dx, 0)))
            # beyond a few reaches it is another thing far in front, which does not touch this one
            step = half[there] - half[here]
            total[here] += np.minimum(np.maximum(step - np.float32(0.25), 0), 1) * np.clip(3 - 0.35 * step, 0, 1)
            count += 1
    # few directions leave a pattern: a small blur takes it away
    radius = max(1, round(0.08 * reach))
    mean = _box(total, radius) * np.float32(1.6 / max(count, 1) / (2 * radius + 1) ** 2)
    dark: Singles = np.minimum(mean, np.float32(1)) * np.float32(0.5)
    return dark
