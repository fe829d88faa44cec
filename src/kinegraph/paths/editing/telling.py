"""What path editing looks like, for drawing: a clip's own path as a spline to edit, and the ground about a way."""

from __future__ import annotations

from typing import Any

import numpy as np

from kinegraph.arrays import Array
from kinegraph.paths.bspline import Spline
from kinegraph.paths.describing import drawn
from kinegraph.paths.editing.course import course_of
from kinegraph.paths.editing.editor import PathEditor
from kinegraph.paths.editing.fit import fit_of
from kinegraph.paths.editing.own import apart_from, own_path
from kinegraph.paths.editing.repathed import Repathed
from kinegraph.paths.polynomial import highest_degree

HANDY = 8
"""Control points of a clip's own path unless more are asked for: as many as a hand can move."""

# the degrees of the paper's figures
_DEGREES = (2, 4, 13)
# heights of the ground that is shown along its longer side at most, and metres of it around the way
_CELLS, _AROUND = 64, 2.0
# places of the way that are looked at for the one that is nearest
_PLACES = 200


def own(editor: PathEditor, controls: int = HANDY) -> dict[str, Any]:
    """A clip's own path as a spline to be edited, and how near it and some polynomials come to the clip."""
    spline = own_path(editor.course, controls)
    assert isinstance(spline, Spline)  # controls were asked for
    motion = editor.motion
    fit = fit_of(motion, editor.course)
    degrees = [degree for degree in _DEGREES if degree <= highest_degree(len(motion))]
    fits = [fit_of(motion, course_of(motion, degree, seconds=editor.stride), degree) for degree in degrees]
    return {
        "degree": spline.degree,
        "controls": np.round(spline.controls, 6).tolist(),
        "length": round(spline.length, 4),
        "points": drawn(spline),
        "fit": {"rms_cm": round(fit.rms_cm, 3), "max_cm": round(fit.max_cm, 3)},
        "apart_cm": round(100 * apart_from(editor.course, spline), 3),
        "degrees": [
            {"degree": each.degree, "rms_cm": round(each.rms_cm, 3), "max_cm": round(each.max_cm, 3)} for each in fits
        ],
    }


def ground_grid(made: Repathed) -> tuple[dict[str, Any] | None, dict[str, Array]]:
    """The ground about the way as a grid, for drawing; none where it is flat."""
    if made.terrain is None:
        return None, {}
    low, high = made.frame.points.min(axis=0) - _AROUND, made.frame.points.max(axis=0) + _AROUND
    step = float((high - low).max()) / (_CELLS - 1)
    columns, rows = (int(np.ceil(size / step - 1e-9)) + 1 for size in high - low)
    x, z = np.meshgrid(low[0] + step * np.arange(columns), low[1] + step * np.arange(rows))
    points = np.stack([x, z], axis=-1).reshape(-1, 2)
    heights = made.terrain.under(points, _beside(made, points)).reshape(rows, columns)
    facts = {
        "x0": round(float(low[0]), 4),
        "z0": round(float(low[1]), 4),
        "step": step,
        "rows": rows,
        "columns": columns,
    }
    return facts, {"ground": heights.astype(np.float32)}


def _beside(made: Repathed, points: Array) -> Array:
    """Arc lengths ``(N,)`` at which the walker is near to ``points (N, 2)``: they say which of the turns of a spiral ramp is meant."""
    assert made.terrain is not None
    if made.terrain.ground is not None:
        return np.zeros(len(points))  # it is at every place what it is, whoever walks there
    every = max(1, len(made.s) // _PLACES)
    places = made.frame.points[::every]
    squared = np.sum(places**2, axis=1) - 2 * points @ places.T
    nearest: Array = made.s[::every][np.argmin(squared, axis=1)]
    return nearest
