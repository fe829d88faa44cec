"""Rounded cones to pixels: where each ray meets the nearest cone, and how that place is lit.

Cones are projected first, their ends as well as their radii, so that rays are parallel and everything is in pixels. There is one
ray through each pixel's centre. Where it meets a cone follows from a quadratic equation whose coefficients are sums of a row and a
column (after I. Quilez, "Rounded cone intersection", simplified for parallel rays).
"""

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
        # rays that miss a cone have no depth: their root is of a negative number, and NaN is never nearer
        with np.errstate(invalid="ignore"):
            for (a, b), (ra, rb), paint in zip(ends.astype(np.float32), radii.astype(np.float32), paints, strict=True):
                self._draw_one(a, b, ra, rb, int(paint))

    def _draw_one(self, a: Singles, b: Singles, ra: np.float32, rb: np.float32, paint: int) -> None:
        height, width = self.depth.shape
        left = max(int(np.floor(min(a[0] - ra, b[0] - rb))), 0)
        right = min(int(np.ceil(max(a[0] + ra, b[0] + rb))) + 1, width)
        top = max(int(np.floor(min(a[1] - ra, b[1] - rb))), 0)
        bottom = min(int(np.ceil(max(a[1] + ra, b[1] + rb))) + 1, height)
        if left >= right or top >= bottom:
            return
        x = np.arange(left, right, dtype=np.float32)[None, :] + np.float32(0.5) - a[0]
        y = np.arange(top, bottom, dtype=np.float32)[:, None] + np.float32(0.5) - a[1]
        z, share = meet(x, y, b - a, ra, rb)
        place = (slice(top, bottom), slice(left, right))
        depth = self.depth[place]
        z += a[2]
        nearer = z > depth
        thickness = ra + (rb - ra) * share
        np.copyto(depth, z, where=nearer)
        np.copyto(self.normal_x[place], (x - (b[0] - a[0]) * share) / thickness, where=nearer)
        np.copyto(self.normal_y[place], (y - (b[1] - a[1]) * share) / thickness, where=nearer)
        np.copyto(self.paint[place], np.int16(paint), where=nearer)


def meet(x: Singles, y: Singles, axis: Singles, ra: np.float32, rb: np.float32) -> tuple[Singles, Singles]:
    """Depth ``(H, W)`` at which parallel rays meet a rounded cone, NaN where they miss, and how far along the axis (0 to 1) that is.

    x, y: ``(1, W)`` and ``(H, 1)``, the rays relative to the first end. axis: ``(3,)``, from the first end to the second. z points to
    the eye. With ``share`` for the place along the axis, the normal is (place − share · axis) / (ra + share · (rb − ra)).
    """
    bx, by, bz = axis
    narrowing = ra - rb
    slope = bx * bx + by * by + bz * bz - narrowing * narrowing
    square = x * x + y * y
    cap_a = np.sqrt(ra * ra - square)
    cap_b = np.sqrt((rb * rb - (y - by) ** 2) - (x - bx) ** 2) + bz
    hidden = bx * bx + by * by <= narrowing * narrowing and bz * narrowing <= 0
    if hidden or slope <= 1e-3 * max(ra, rb) ** 2:
        # the larger sphere holds the smaller one or stands before it and before all of the side
        return (cap_a, np.zeros_like(cap_a)) if ra >= rb else (cap_b, np.ones_like(cap_b))
    # z satisfies  k2 z² − 2 k1 z + k0 = 0, all divided by `slope`; `lean` is the share of the axis at z = 0
    k2 = 1 - bz * bz / slope
    if abs(k2) < 1e-4:
        k2 = np.float32(1e-4)
    lean = (bx / slope) * x + (by / slope) * y - narrowing * ra / slope
    k1 = bz * lean
    k0 = square - slope * lean * lean - ra * ra
    root = np.sqrt(k1 * k1 - k0 * k2)
    z = (k1 + root) / k2
    share = lean + (bz / slope) * z
    on_side = (share > 0) & (share < 1)
    if k2 < 0:
        # looking at the point of the cone: one root lies on its mirror image beyond the point
        other = (k1 - root) / k2
        other_share = lean + (bz / slope) * other
        better = (other_share > 0) & (other_share < 1) & ~on_side
        z, share, on_side = np.where(better, other, z), np.where(better, other_share, share), on_side | better
    # the hull is convex and lies before both spheres wherever its side is seen
    caps = np.fmax(cap_a, cap_b)
    return np.where(on_side, z, caps), np.where(on_side, share, caps == cap_b)


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
    for _ in range(2):
        padded = np.pad(plane, ((radius + 1, radius), (0, 0)))
        total = np.cumsum(padded, axis=0, dtype=np.float32)
        plane = np.ascontiguousarray((total[2 * radius + 1 :] - total[: -2 * radius - 1]).T)
    return plane


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
