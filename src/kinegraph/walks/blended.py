"""The frames of all blends of a graph, as a search reads them: compiled, since a large graph has millions of them."""

from __future__ import annotations

import numpy as np

from kinegraph.arrays import Array, Bools, Ints, Longs
from kinegraph.compiled import njit


@njit(cache=True, nogil=True)
def fill_blends(
    track: Array,
    going: Array,
    row: Longs,
    source: Ints,
    target: Ints,
    length: Ints,
    blended: Bools,
    begin: Longs,
    turn: Array,
) -> None:
    """Write the frames of every blend behind those of the clips.

    track ``(T + B, 3)``, begin ``(E,)``, row ``(N,)``, turn ``(E, 4)``: as in `Tables`. going ``(T + B, 7)``: where the body is without its
    sway, where it will be, where it faces (x and z each), and how many metres it gets until then. source, target, length, blended ``(E,)``:
    of the edges.
    """
    for edge in range(len(source)):
        if not blended[edge]:
            continue
        frames = length[edge]
        old, new, out = row[source[edge]], row[target[edge]] - frames, begin[edge]
        cosine, sine, x, z = turn[edge, 0], turn[edge, 1], turn[edge, 2], turn[edge, 3]
        for k in range(frames):
            weight = (k + 1) / (frames + 1)
            keep = 1 - weight
            a, b = track[new + k, 0], track[new + k, 1]
            px = keep * track[old + k, 0] + weight * (cosine * a + sine * b + x)
            pz = keep * track[old + k, 1] + weight * (cosine * b - sine * a + z)
            # the first frame of a blend goes about as far as the source's would have
            gone = track[old, 2]
            if k:
                dx, dz = px - track[out + k - 1, 0], pz - track[out + k - 1, 1]
                gone = np.sqrt(dx * dx + dz * dz)
            track[out + k, 0], track[out + k, 1], track[out + k, 2] = px, pz, gone
            for first in range(0, 6, 2):
                moves = 0.0 if first == 4 else 1.0
                a, b = going[new + k, first], going[new + k, first + 1]
                ax = cosine * a + sine * b + moves * x
                az = cosine * b - sine * a + moves * z
                # a blended frame is on its way to where its new clip will be
                if first != 2:
                    ax = keep * going[old + k, first] + weight * ax
                    az = keep * going[old + k, first + 1] + weight * az
                going[out + k, first], going[out + k, first + 1] = ax, az
            going[out + k, 6] = keep * going[old + k, 6] + weight * going[new + k, 6]


@njit(cache=True, nogil=True)
def steer_rows(going: Array, steered: float, slow: float, spin: float, pull: float, stands: float) -> Array:
    """What each frame needs to be steered ``(T + B, 8)``, as in `Tables`, from ``going`` as in `fill_blends`."""
    found = np.empty((len(going), 8))
    for n in range(len(going)):
        reach = going[n, 6]
        pace = max(reach / steered, slow)
        most = min(spin, pull / pace) / pace if reach > stands else 0.0
        size = max(np.sqrt(going[n, 4] * going[n, 4] + going[n, 5] * going[n, 5]), 1e-6)
        for k in range(4):
            found[n, k] = going[n, k]
        found[n, 4], found[n, 5] = reach, most
        found[n, 6], found[n, 7] = going[n, 4] / size, going[n, 5] / size
    return found
