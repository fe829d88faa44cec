"""Repath in the studio: a clip laid on another path again and again while a hand drags it."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kinegraph.arrays import Array
from kinegraph.evaluation.repathing import ground_notices, off_path, repath_facts, repath_short
from kinegraph.feet.sole import has_legs
from kinegraph.motion import Motion
from kinegraph.paths.bspline import Spline
from kinegraph.paths.editing.course import course_of
from kinegraph.paths.editing.editor import End, Keep, PathEditor, Start
from kinegraph.paths.editing.fit import fit_of
from kinegraph.paths.editing.own import apart_from, own_path
from kinegraph.paths.editing.repathed import Repathed
from kinegraph.paths.ground import ground as read_ground
from kinegraph.paths.moving import track_of
from kinegraph.paths.path import Path
from kinegraph.paths.polynomial import highest_degree
from kinegraph.studio.cache import Cache
from kinegraph.studio.footprints import plants_told, slide_mm
from kinegraph.studio.made import Made

HANDY = 8
"""Control points of a clip's own path unless more are asked for: as many as a hand can move."""

# the degrees of the paper's figures
_DEGREES = (2, 4, 13)
# points of a curve as it is drawn, and metres between them at least
_MOST_POINTS, _FINEST = 2000, 0.02
# heights of the ground that is shown along its longer side at most, and metres of it around the way
_CELLS, _AROUND = 64, 2.0
# places of the way that are looked at for the one that is nearest
_PLACES = 200
# editors that are held, each with its clip
_EDITORS = 12

_NO_LEGS = "the feet are left as they are: the joints' names do not tell which are the hips, knees and ankles"


@dataclass(frozen=True)
class Wishes:
    """How a clip is to be laid; see `PathEditor.lay`. ground: as `kinegraph repath --ground` takes it, without files."""

    degree: int | None = None
    keep: Keep = "speed"
    end: End = "stop"
    start: Start = "path"
    cycle: bool = False
    seconds: float | None = None
    ground: str | None = None
    natural: bool = False
    feet: bool = True
    stretch: float = 0.02


class Editors:
    """Clips made ready to be laid on paths, the last few of them."""

    def __init__(self) -> None:
        self._held = Cache[PathEditor](_EDITORS, lambda editor: 1)

    def of(self, motion: Motion, degree: int | None = None) -> PathEditor:
        """The editor of a motion; the same motion has the same one, as long as it is held."""
        # the motion is held by its editor, so that its id is nobody else's
        return self._held.get((id(motion), degree), lambda: PathEditor(motion, degree=degree))


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


def lay(editor: PathEditor, curve: Path | Spline, wishes: Wishes) -> Made:
    """The clip of an editor on ``curve``, with all that is told of it."""
    asked = asdict(wishes)
    del asked["degree"]
    feet = wishes.feet and has_legs(editor.motion.skeleton)
    asked |= {"ground": None if wishes.ground is None else read_ground(wishes.ground), "feet": feet}
    begun = time.thread_time()
    made = editor.lay(curve, **asked)
    cpu = time.thread_time() - begun
    # as it would be with no slowing down, for its seams and its speed
    plain = editor.lay(curve, **asked | {"natural": False, "feet": False}) if wishes.natural else made
    off = off_path(made, curve)
    quality = repath_facts(made, plain, curve, cpu, off=off)
    notices = [*made.motion.notices, *ground_notices(asked["ground"], made)]
    if wishes.feet and not feet:
        notices.append(_NO_LEGS)
    ground, heights = _ground(made)
    facts = {
        "quality": quality,
        "notices": list(dict.fromkeys(notices)),
        "reached": True,
        "short": repath_short(quality) or None,
        "path": drawn(curve if wishes.start == "path" else made.curve),
        "own_path": drawn(editor.course.curve),
        "transitions": _seams(made, editor.motion.name),
        "clips": [editor.motion.name],
        "labels": [],
        "plants": plants_told(made.motion, () if made.feet is None else made.feet.plants),
        "ground": ground,
        "cpu_s": round(cpu, 6),
    }
    arrays = {
        "track": track_of(made.motion).astype(np.float32),
        "deviation_cm": _filled(off, len(made.motion)),
        "slide_mm": slide_mm(made.slides),
        "altitude": np.zeros(len(made.motion), np.float32)
        if made.terrain is None
        else made.terrain.along(made.s).astype(np.float32),
        **heights,
    }
    return Made(made.motion, made.contacts, facts, arrays)


def drawn(curve: Any) -> list[list[float]]:
    """A curve of floor points as it is drawn: [x, z], or [x, y, z] where it rises, close to one another."""
    count = int(np.clip(np.ceil(curve.length / _FINEST), 2, _MOST_POINTS - 1))
    s = np.linspace(0.0, curve.length, count + 1)
    points, heights = curve.at(s), curve.height(s)
    if np.any(heights):
        points = np.insert(points, 1, heights, axis=1)
    rounded: list[list[float]] = (np.round(points, 4) + 0.0).tolist()
    return rounded


def _filled(off: Array, frames: int) -> NDArray[np.float32]:
    """Metres off the path as centimetres ``(F,)``; 0 past its end, where nothing was asked for."""
    filled = np.zeros(frames, np.float32)
    filled[: len(off)] = 100 * off
    return filled


def _seams(made: Repathed, name: str) -> list[dict[str, Any]]:
    """Where a clip that is repeated begins its rounds anew; a motion slowed down in bends has them elsewhere and does not tell."""
    loop = made.loop
    if loop is None:
        return []
    half, cost = loop.window // 2, round(100 * loop.distance, 3)
    return [
        {"first": seam - half, "length": loop.window, "cost_cm": cost, "from": name, "to": name}
        for seam in range(loop.last, len(made.motion), len(loop))
    ]


def _ground(made: Repathed) -> tuple[dict[str, Any] | None, Mapping[str, NDArray[Any]]]:
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
