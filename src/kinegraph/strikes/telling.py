"""What a space looks like, for drawing: its strikes, its ready pose, and a map of how far to trust it."""

from __future__ import annotations

from typing import Any

import numpy as np

from kinegraph.arrays import Array, Singles
from kinegraph.motion import Motion
from kinegraph.strikes import told
from kinegraph.strikes.space import Space
from kinegraph.strikes.strike import limb_name

# places of the map of reliability along its longer side
_CELLS = 72
# of which so many, side by side, share what is foreseen of a strike
_FORESEEN = 8
# what it shows beyond the box: of its size, and metres at least
_AROUND, _AROUND_LEAST = 0.45, 0.25


def described(space: Space) -> dict[str, Any]:
    """What a space holds and where it can strike; all in metres from below the ready pose: to the left, up, ahead."""
    examples = space.examples
    ahead = examples.hits[:, 2]
    rows = zip(told.strikes(space), examples.hits, strict=True)
    return {
        "name": space.name,
        "kind": examples.kind,
        "side": examples.side,
        "limb": limb_name(examples.kind, examples.side),
        "fps": examples.fps,
        "examples": [{**row, "hit": told.numbers(hit), "frame": row["hit"]} for row, hit in rows],
        "corners": [told.numbers(corner) for corner in space.region.corners],
        "low": told.numbers(space.region.low),
        "high": told.numbers(space.region.high),
        "ahead": told.numbers((ahead.min(), ahead.max())),
        "middle": told.numbers(told.middle(space)),
        "forward": told.forward_sentence(space),
        "ready": _ready(space),
    }


def trust_map(space: Space) -> tuple[dict[str, Any], Singles]:
    """A grid of how far targets across and up are to be trusted, from 0 to 1: rows from the lowest up, columns to the figure's left.

    What a strike would miss is foreseen at a coarser grid, and taken to change evenly in between.
    """
    low, high = space.region.low, space.region.high
    room = np.maximum(_AROUND * (high - low), _AROUND_LEAST)
    low, high = low - room, high + room
    low[1] = max(low[1], 0.0)
    step = float((high - low).max()) / (_CELLS - 1)
    columns, rows = (int(np.ceil(size / step - 1e-9)) + 1 for size in high - low)
    across, up = low[0] + step * np.arange(columns), low[1] + step * np.arange(rows)
    values = reliabilities(space, across, up).astype(np.float32)
    facts = {"x0": float(low[0]), "y0": float(low[1]), "step": step, "rows": rows, "columns": columns}
    return facts, values


def reliabilities(space: Space, across: Array, up: Array) -> Array:
    """How far to trust targets at every place ``across (X,)`` and ``up (Y,)``, both even: ``(Y, X)``.

    What the strikes there would lose by missing, or by being bent, is foreseen at every few places, and taken to change evenly in
    between.
    """
    from scipy.interpolate import RegularGridInterpolator

    trust = space.trust(2)
    free = np.array([[trust.reliability(np.array([x, y])) for x in across] for y in up])
    coarse = [np.linspace(line[0], line[-1], max(2, -(-len(line) // _FORESEEN) + 1)) for line in (up, across)]
    kept = [
        [space.foreseen((x, y)) / max(trust.reliability(np.array([x, y])), 1e-9) for x in coarse[1]] for y in coarse[0]
    ]
    share = RegularGridInterpolator(tuple(coarse), np.array(kept))(
        np.stack(np.meshgrid(up, across, indexing="ij"), axis=-1)
    )
    values: Array = free * share
    return values


def _ready(space: Space) -> dict[str, Any]:
    """The ready pose of the most central example, as places of joints: somebody to draw the target plane around."""
    examples = space.examples
    central = int(np.argmin(np.linalg.norm(examples.hits - examples.hits.mean(axis=0), axis=1)))
    pose = Motion(examples.skeleton, examples.root[central, :1], examples.rotations[central, :1], examples.fps)
    return {
        "joints": list(examples.skeleton.names),
        "parents": examples.skeleton.parents.tolist(),
        "positions": _places(pose.positions[0]),
        "tips": {"parents": examples.skeleton.tip_parents.tolist(), "positions": _places(pose.tips[0])},
    }


def _places(points: Array) -> list[list[float]]:
    rounded: list[list[float]] = (np.round(points, 4) + 0.0).tolist()
    return rounded
