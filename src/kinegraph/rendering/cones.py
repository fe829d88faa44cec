"""Rounded cones, pixel by pixel, compiled: where a ray meets one, and how dark its shadow is.

Cones are projected first, their ends as well as their radii, so that rays are parallel and everything is in pixels. Where a ray meets a
cone follows from a quadratic equation (after I. Quilez, "Rounded cone intersection", simplified for parallel rays).

This module is imported where it is used, so that nobody waits for the compiler's library who does not need it.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from kinegraph.arrays import Array, Longs, Singles
from kinegraph.compiled import njit


@njit(cache=True, nogil=True, error_model="numpy")
def meet(x: float, y: float, axis: Array, ra: float, rb: float) -> tuple[float, float]:
    """Depth at which a ray meets a rounded cone, NaN where it misses, and how far along the axis (0 to 1) that is.

    x, y: the ray relative to the first end. axis: ``(3,)``, from the first end to the second. z points to the eye. With ``share`` for
    the place along the axis, the normal is (place − share · axis) / (ra + share · (rb − ra)).
    """
    bx, by, bz = axis
    narrowing = ra - rb
    slope = bx * bx + by * by + bz * bz - narrowing * narrowing
    square = x * x + y * y
    cap_a = np.sqrt(ra * ra - square)
    cap_b = np.sqrt(rb * rb - (y - by) ** 2 - (x - bx) ** 2) + bz
    hidden = bx * bx + by * by <= narrowing * narrowing and bz * narrowing <= 0
    if hidden or slope <= 1e-3 * max(ra, rb) ** 2:
        # the larger sphere holds the smaller one or stands before it and before all of the side
        return (cap_a, 0.0) if ra >= rb else (cap_b, 1.0)
    # z satisfies  k2 z² − 2 k1 z + k0 = 0, all divided by `slope`; `lean` is the share of the axis at z = 0
    k2 = 1.0 - bz * bz / slope
    if abs(k2) < 1e-4:
        k2 = 1e-4
    lean = (bx * x + by * y - narrowing * ra) / slope
    k1 = bz * lean
    k0 = square - slope * lean * lean - ra * ra
    root = np.sqrt(k1 * k1 - k0 * k2)
    z = (k1 + root) / k2
    share = lean + bz / slope * z
    if 0.0 < share < 1.0:
        return z, share
    if k2 < 0.0:
        # looking at the point of the cone: one root lies on its mirror image beyond the point
        other = (k1 - root) / k2
        share = lean + bz / slope * other
        if 0.0 < share < 1.0:
            return other, share
    # the hull is convex and lies before both spheres wherever its side is seen
    if np.isnan(cap_a) or cap_b > cap_a:
        return cap_b, 1.0
    return cap_a, 0.0


@njit(cache=True, nogil=True, error_model="numpy")
def draw(
    depth: Singles,
    normal_x: Singles,
    normal_y: Singles,
    paint: NDArray[np.int16],
    ends: Array,
    radii: Array,
    paints: Longs,
) -> None:
    """Draw cones, ends ``(N, 2, 3)`` and radii ``(N, 2)`` in pixels, onto planes ``(height, width)`` where nothing nearer stands."""
    height, width = depth.shape
    for n in range(len(ends)):
        a, b, ra, rb = ends[n, 0], ends[n, 1], radii[n, 0], radii[n, 1]
        axis = b - a
        left = max(int(np.floor(min(a[0] - ra, b[0] - rb))), 0)
        right = min(int(np.ceil(max(a[0] + ra, b[0] + rb))) + 1, width)
        top = max(int(np.floor(min(a[1] - ra, b[1] - rb))), 0)
        bottom = min(int(np.ceil(max(a[1] + ra, b[1] + rb))) + 1, height)
        for row in range(top, bottom):
            y = row + 0.5 - a[1]
            for column in range(left, right):
                x = column + 0.5 - a[0]
                z, share = meet(x, y, axis, ra, rb)
                # a depth that is no number is never nearer
                if z + a[2] > depth[row, column]:
                    thickness = ra + (rb - ra) * share
                    depth[row, column] = z + a[2]
                    normal_x[row, column] = (x - axis[0] * share) / thickness
                    normal_y[row, column] = (y - axis[1] * share) / thickness
                    paint[row, column] = paints[n]


@njit(cache=True, nogil=True, error_model="numpy")
def shade_floor(
    light: Singles,
    x: Singles,
    z: Singles,
    low: Longs,
    high: Longs,
    fallen: Array,
    outer: Array,
    blur: Array,
    weight: Array,
) -> None:
    """Darken ``light`` where shadows fall: a pixel is as dark as the darkest of them makes it.

    x, z: the floor's places at each pixel, ``(height, width)`` as ``light``. low, high: ``(N, 2)``, the pixels that each cone's shadow
    may reach. fallen: its ends on the floor ``(N, 2, 3)``; outer, blur, weight: ``(N, 2)``, how far its shadow reaches at either end,
    how softly it ends, and how dark it is.
    """
    for n in range(len(fallen)):
        ax, az = fallen[n, 0, 0], fallen[n, 0, 2]
        dx, dz = fallen[n, 1, 0] - ax, fallen[n, 1, 2] - az
        square = max(dx * dx + dz * dz, 1e-12)
        for row in range(low[n, 1], high[n, 1]):
            for column in range(low[n, 0], high[n, 0]):
                px, pz = x[row, column] - ax, z[row, column] - az
                share = min(max((px * dx + pz * dz) / square, 0.0), 1.0)
                reach = outer[n, 0] + (outer[n, 1] - outer[n, 0]) * share
                away = (px - share * dx) ** 2 + (pz - share * dz) ** 2
                if away >= reach * reach:
                    continue
                soft = (reach - np.sqrt(away)) / (2.0 * (blur[n, 0] + (blur[n, 1] - blur[n, 0]) * share))
                soft = min(max(soft, 0.0), 1.0)
                dense = soft * soft * (3.0 - 2.0 * soft) * (weight[n, 0] + (weight[n, 1] - weight[n, 0]) * share)
                if 1.0 - dense < light[row, column]:
                    light[row, column] = 1.0 - dense
