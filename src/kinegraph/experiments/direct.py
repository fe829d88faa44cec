"""The distance of windows as Kovar's and Dirican's formulas say it (Dirican 2014, eq. 4.1 to 4.4), in plain vectorised NumPy.

It is what kinegraph's own comparison is measured against, in speed and in correctness: float64, every cloud formed, aligned and compared
as written.
"""

from __future__ import annotations

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from kinegraph.arrays import Array


def direct(a: Array, b: Array, window_weights: Array, joint_weights: Array) -> Array:
    """Distance ``(n_a, n_b)`` of every window of A and every window of B after the best alignment along the floor, in metres.

    a ``(F_a, J, 3)``, b ``(F_b, J, 3)``: places of the joints. window_weights ``(L,)``, joint_weights ``(J,)``: a point of the cloud weighs
    the product of its frame's and its joint's. Entry (i, t) compares frames i … i+L−1 of A with t … t+L−1 of B: the root of the weighted
    mean of the squared distances, ``sqrt(D / W)`` with D of eq. 4.1 and W the sum of all weights. The paper's arctan is an atan2 here.
    """
    weights = np.outer(window_weights, joint_weights).ravel()
    clouds_a, clouds_b = (windows(places, len(window_weights)) for places in (a, b))
    whole = weights.sum()
    xb, yb, zb = clouds_b
    mean_xb, mean_zb = xb @ weights / whole, zb @ weights / whole
    distances = np.empty((clouds_a.shape[1], clouds_b.shape[1]))
    for i, (xa, ya, za) in enumerate(clouds_a.swapaxes(0, 1)):
        mean_xa, mean_za = xa @ weights / whole, za @ weights / whole
        crossed = zb @ (weights * xa) - xb @ (weights * za) - whole * (mean_xa * mean_zb - mean_xb * mean_za)
        along = xb @ (weights * xa) + zb @ (weights * za) - whole * (mean_xa * mean_xb + mean_za * mean_zb)
        angle = np.arctan2(crossed, along)
        cosine, sine = np.cos(angle), np.sin(angle)
        x0 = mean_xa - mean_xb * cosine - mean_zb * sine
        z0 = mean_za + mean_xb * sine - mean_zb * cosine
        off_x = xa - (xb * cosine[:, None] + zb * sine[:, None] + x0[:, None])
        off_z = za - (zb * cosine[:, None] - xb * sine[:, None] + z0[:, None])
        off_y = ya - yb
        distances[i] = np.sqrt((off_x**2 + off_y**2 + off_z**2) @ weights / whole)
    return distances


def windows(positions: Array, length: int) -> Array:
    """The clouds ``(3, n, L·J)`` of all windows of places ``(F, J, 3)``: coordinate, window, point."""
    views = sliding_window_view(positions, length, axis=0)
    clouds: Array = np.ascontiguousarray(views.transpose(2, 0, 3, 1)).reshape(3, len(views), -1)
    return clouds
