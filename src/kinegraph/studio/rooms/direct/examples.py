"""A scene to begin with: one that a graph's own clips can do, tried out before it is given."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np

from kinegraph.errors import KinegraphError
from kinegraph.graph.model import MotionGraph
from kinegraph.scenes.reading import as_scene
from kinegraph.tasks.kinds.direct import Direct
from kinegraph.walks.choice import all_labels, labelled
from kinegraph.walks.parts import STAND, frames_bearing
from kinegraph.walks.tables import tables

# what people come to see first
_FIRST = ("walk", "jog", "run")
# seconds of the keys, and of the whole scene
_TIMES, _SECONDS = (1.0, 5.0, 9.0), 12.0
# m/s below which nobody gets anywhere
_GOING = 0.3


def example(graph: MotionGraph) -> dict[str, Any]:
    """The first scene of some that the graph does: a bend with a wait at its end, a bend, straight ahead, or just so many seconds."""
    for said in _offers(graph):
        task = Direct(said, draft=True, clean=False)
        try:
            made = task.run(graph)
        except KinegraphError:
            continue
        if made.reached and not replace(task, scene=as_scene(said)).lacking(made):
            return said
    return {"seconds": _SECONDS}


def _offers(graph: MotionGraph) -> Iterator[dict[str, Any]]:
    """Scenes, the liveliest first."""
    label, speed = _label(graph)
    if speed < _GOING:
        yield {"seconds": _SECONDS, "label": [_span(label, 0, _SECONDS)]} if label else {"seconds": _SECONDS}
        return
    stands = bool(frames_bearing(graph, STAND).any())
    for turn in (0.5, 0.25, 0.0):
        keys = _keys(0.92 * speed, turn)
        if stands and label and label != STAND:
            still = [{"from": 10.0, "to": _SECONDS}]
            yield {"seconds": _SECONDS, "label": [_span(label, 0, 9.0)], "key": keys, "wait": still}
        yield {"seconds": _SECONDS, **({"label": [_span(label, 0, _SECONDS)]} if label else {}), "key": keys}


def _keys(speed: float, turn: float) -> list[dict[str, Any]]:
    """Places along a way that turns by so many radians from one to the next, at a speed."""
    x = z = heading = 0.0
    found: list[dict[str, Any]] = [{"time": _TIMES[0], "at": [0.0, 0.0], "heading": 0.0}]
    for before, time in pairwise(_TIMES):
        heading += turn
        way = speed * (time - before)
        x, z = x + way * math.sin(heading), z + way * math.cos(heading)
        found.append({"time": time, "at": [round(x, 2), round(z, 2)]})
    return found


def _span(label: str, first: float, last: float) -> dict[str, Any]:
    return {"name": label, "from": float(first), "to": float(last)}


def _label(graph: MotionGraph) -> tuple[str, float]:
    """The label to begin with, "" for none, and how many metres a second who bears it goes."""
    steps = tables(graph).track[:, 2] * graph.fps
    known = all_labels(graph)
    for label in [*(one for one in _FIRST if one in known), *known]:
        bears = labelled(graph, label)
        speed = float(np.median(steps[: len(bears)][bears])) if bears.any() else 0.0
        if speed >= _GOING:
            return label, speed
    frames = len(labelled(graph, known[0])) if known else len(steps)
    return "", float(np.median(steps[:frames]))
