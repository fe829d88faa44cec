"""The floor: a grid in metres that fades out, soft shadows, and paths drawn on it."""

from __future__ import annotations

import numpy as np

from kinegraph.arrays import Array, Singles
from kinegraph.rendering.camera import Camera
from kinegraph.rendering.palette import BACKGROUND, GRID, PATH, SHADOW

# Where the floor is lit from, as metres of shadow to the right of the picture and away from the eye per metre of height.
_SHADOW_SLANT = (0.22, 0.16)


def grid_spacing(stature: float) -> float:
    """Metres between grid lines: 1 for people, another power of ten for much smaller or larger bodies.

    >>> [grid_spacing(height) for height in (0.2, 1.7, 20.0)]
    [0.1, 1.0, 10.0]
    """
    return float(10.0 ** np.round(np.log10(stature / 1.7)))


class PaintedFloor:
    """The floor as one camera sees it. Paint it in this order: `grid`, `path`, `shadow`."""

    def __init__(self, camera: Camera, width: int, height: int):
        self.camera = camera
        self.picture: Singles = np.broadcast_to(BACKGROUND, (height, width, 3)).astype(np.float32)
        x, z, rows = camera.floor(width, height)
        self._x, self._z = x, z
        # rows are monotonic in depth, so the floor is one block of rows at the bottom
        self._top = int(np.argmax(rows)) if rows.any() else height

    def grid(self, spacing: float, middle: Array, inner: float, outer: float) -> None:
        """Grid lines every ``spacing`` metres: at full strength within ``inner`` metres of points ``middle (N, 2)``, gone at ``outer``."""
        x, z = self._x[self._top :], self._z[self._top :]
        if len(x) < 2:
            return
        line = np.maximum(_lines(x, spacing), _lines(z, spacing)).ravel()
        # lines are few: what follows is done for their pixels only
        lined = np.flatnonzero(line)
        fade = _smooth(
            (outer - _distance(x.ravel()[lined], z.ravel()[lined], middle)) / np.float32(max(outer - inner, 1e-9))
        )
        pixels = self.picture[self._top :].reshape(-1, 3)
        pixels[lined] += (GRID - pixels[lined]) * (line[lined] * fade * np.float32(0.75))[:, None]

    def path(self, points: Array, thickness: float, strength: float) -> None:
        """A line through floor points ``(N, 2)``, ``thickness`` pixels wide."""
        pixels, _ = self.camera.project(np.stack([points[:, 0], np.zeros(len(points)), points[:, 1]], axis=-1))
        height, width = self.picture.shape[:2]
        cover = np.zeros((height, width), np.float32)
        reach = 0.5 * thickness + 1.0
        for a, b in zip(pixels[:-1, :2], pixels[1:, :2], strict=True):
            low, high = np.minimum(a, b) - reach, np.maximum(a, b) + reach
            left, top = (max(int(v), 0) for v in low)
            right, bottom = min(int(high[0]) + 1, width), min(int(high[1]) + 1, height)
            if left >= right or top >= bottom:
                continue
            x = np.arange(left, right) + 0.5
            y = (np.arange(top, bottom) + 0.5)[:, None]
            along = b - a
            share = np.clip(((x - a[0]) * along[0] + (y - a[1]) * along[1]) / max(float(along @ along), 1e-12), 0, 1)
            away = np.hypot(x - a[0] - share * along[0], y - a[1] - share * along[1])
            part = cover[top:bottom, left:right]
            np.maximum(part, np.clip(0.5 * thickness + 0.5 - away, 0, 1), out=part)
        self._mix(slice(None), slice(None), PATH, cover * np.float32(strength))

    def shadow(self, ends: Array, radii: Array, stature: float, strength: float) -> None:
        """The soft shadow of cones, ends ``(N, 2, 3)`` and radii ``(N, 2)`` in metres: sharp near the floor, faint from high above it."""
        from kinegraph.rendering.cones import shade_floor

        right, _, back = self.camera.axes
        away = np.array([right[2], 0.0, -right[0]])
        away = away if away @ back <= 0 else -away
        height = np.maximum(ends[..., 1:2], 0.0)
        fallen = ends + height * (_SHADOW_SLANT[0] * right + _SHADOW_SLANT[1] * away)
        fallen[..., 1] = 0.0
        blur = 0.024 * stature + 0.20 * height[..., 0]
        weight = 1.0 / (1.0 + 2.4 * height[..., 0] / stature)
        outer = radii + blur
        pixels, scale = self.camera.project(fallen)
        # a disc on the floor is seen as an ellipse: as wide as it is, and flatter by the sine of the pitch
        wide, flat = outer * scale, outer * scale * max(abs(float(back[1])), 0.02)
        low = np.stack([(pixels[..., 0] - wide).min(axis=1), (pixels[..., 1] - 1.3 * flat - 1).min(axis=1)], axis=-1)
        high = np.stack([(pixels[..., 0] + wide).max(axis=1), (pixels[..., 1] + 1.3 * flat + 1).max(axis=1)], axis=-1)
        size = np.array(self.picture.shape[1::-1])
        low = np.clip(np.floor(low), [0, self._top], np.maximum(size, [0, self._top])).astype(int)
        high = np.clip(np.ceil(high) + 1, [0, self._top], np.maximum(size, [0, self._top])).astype(int)
        (left, top), (end, bottom) = low.min(axis=0), high.max(axis=0)
        if left >= end or top >= bottom:
            return
        light = np.ones((bottom - top, end - left), np.float32)
        corner = np.array([left, top])
        shade_floor(
            light,
            self._x[top:bottom, left:end],
            self._z[top:bottom, left:end],
            low - corner,
            high - corner,
            fallen,
            outer,
            blur,
            weight,
        )
        self._mix(slice(top, bottom), slice(left, end), SHADOW, (1 - light) * np.float32(strength))

    def _mix(self, rows: slice, columns: slice, colour: Singles, share: Singles) -> None:
        part = self.picture[rows, columns]
        part += (colour - part) * share[..., None]


def _lines(values: Singles, spacing: float) -> Singles:
    """Coverage ``(h, w)`` of lines at the multiples of ``spacing``, about 1.2 pixels wide, none where they would crowd."""
    count = values * np.float32(1 / spacing)
    # lines passed from a pixel to the next: the same all along a row, but not along a column
    step = np.empty_like(count)
    np.abs(np.subtract(count[1:], count[:-1], out=step[:-1]), out=step[:-1])
    step[-1] = step[-2]
    step += np.abs(count[:, -1:] - count[:, :1]) / np.float32(max(count.shape[1] - 1, 1)) + np.float32(1e-9)
    count -= np.round(count)
    np.abs(count, out=count)
    cover = np.zeros_like(count)
    near = np.flatnonzero(count < np.float32(1.1) * step)
    step = step.ravel()[near]
    pixels: Singles = np.divide(count.ravel()[near], step, dtype=np.float32)
    cover.ravel()[near] = _unit(np.float32(1.1) - pixels) * _unit(np.float32(2) - np.float32(8) * step)
    return cover


def _distance(x: Singles, z: Singles, points: Array) -> Singles:
    """Distance from floor places x and z, of any shape, to the nearest of points ``(N, 2)``."""
    nearest = np.full(x.shape, np.inf, np.float32)
    for px, pz in points.astype(np.float32):
        np.minimum(nearest, (x - px) ** 2 + (z - pz) ** 2, out=nearest)
    return np.sqrt(nearest)


def _unit(share: Singles) -> Singles:
    """Held between 0 and 1."""
    return np.minimum(np.maximum(share, np.float32(0)), np.float32(1))


def _smooth(share: Singles) -> Singles:
    """From 0 to 1 with soft ends."""
    share = _unit(share)
    return share * share * (np.float32(3) - np.float32(2) * share)
