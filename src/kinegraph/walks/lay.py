"""From a request to what a search reads: the course along the path, and the prices."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from kinegraph.arrays import Array, Longs
from kinegraph.graph.model import MotionGraph
from kinegraph.motion import filters
from kinegraph.paths.editing.bends import eased
from kinegraph.paths.path import Path
from kinegraph.paths.smoothing import smoothed
from kinegraph.walks.choice import labelled
from kinegraph.walks.course import CourseArrays, Prices
from kinegraph.walks.detour import detour
from kinegraph.walks.parts import Part, parts, slowest
from kinegraph.walks.request import Box, Disc, Request
from kinegraph.walks.sections import AMBLE, borders
from kinegraph.walks.tables import (
    AHEAD_X,
    AHEAD_Z,
    FACING_X,
    FACING_Z,
    STEADY_X,
    STEADY_Z,
    STEERED,
    look_stride,
    tables,
)

# metres of a course's piece
_STEP = 0.02
# leg lengths over which corners are rounded for the search, where clips may be bent and where they may not
_ROUNDING, _UNBENT_ROUNDING = 0.3, 0.6
# what the square of a metre a second too slow or too fast costs, for a frame of 1/30 s; and that of a radian missed at
# the end
_HASTE, _STRICTNESS = 0.01, 3.0
# what the square of a radian a second costs by which clips are bent, and what it costs to face away from the path (1 for
# who goes sideways, 2 for who goes backwards), for a frame of 1/30 s
_BEND, _FACING = 0.05, 0.1
# seconds that it takes to come to rest and to get going again
_RESTING = 1.5
# what a square metre costs by which who has done something on the spot misses the end
_ARRIVAL = 30.0
# share of the least progress that counts for who lacks the label of his section
_CREEP = 0.1
# m/s from which a body goes anywhere; the share of a label's frames that must face ahead for it to be asked for; and how
# far the others must agree on where they face, from 0 to 1
_GOING, _AHEAD, _AGREED = 0.3, 0.2, 0.7
# metres before and after a tight place in which people slow down
_SLOWING = 0.5


def make_course(graph: MotionGraph, request: Request) -> CourseArrays:
    """The request's path, labels and obstacles as the search reads them."""
    path = request.path
    round_ones, square_ones = _kept_clear(request)
    way = _rounded(graph, request, detour(path, round_ones, square_ones))
    count = max(2, int(np.ceil(way.length / _STEP)))
    step = way.length / count
    points = way.at(np.arange(count + 1) * step)
    ahead = np.diff(points, axis=0, append=points[-1:])
    # the piece of no length, at the end, goes on as the one before
    ahead[-1] = ahead[-2]
    asked = parts(graph, request, way.length)
    least = slowest(graph, request)
    hard = request.label is not None and not request.pause
    labels = borders(graph, asked, request.zone, hard, least, _CREEP, step, count)
    return CourseArrays(
        line=np.column_stack([points, ahead / step, _tighter(ahead, step)])[labels.place],
        step=step,
        pieces=1.0 / step,
        length=(len(labels.place) - 3) * step - 1e-9,
        halt=labels.halt,
        section=labels.section,
        strays=labels.strays,
        toll=labels.toll,
        tolls=labels.tolls,
        part=labels.part,
        lasting=_lasting(graph, labels.halt, step, least),
        until=labels.until,
        needs=labels.needs,
        change=labels.change,
        facing=_facing(graph, request, labels.section, asked),
        discs=round_ones,
        boxes=square_ones,
        heading=0.0 if request.end_heading is None else float(request.end_heading),
        strictness=0.0 if request.end_heading is None else _STRICTNESS,
    )


def _lasting(graph: MotionGraph, halt: Array, step: float, least: float) -> Array:
    """The least frames ``(M,)`` from each piece of a course to its end. halt ``(M,)``: as in `CourseArrays`."""
    # in the long run nobody gains more than is walked, but for corners that are cut
    fastest = 1.05 * max(float(tables(graph).track[:, 2].max()), least / graph.fps)
    frames = step / np.where(halt < 0, fastest, least / graph.fps)
    frames[-3:] = 0.0
    return np.cumsum(frames[::-1])[::-1] - frames


def guide(graph: MotionGraph, request: Request) -> Path:
    """What a walk by a request is to be bent onto: its path, or where obstacles stand in it the way around them."""
    if not request.obstacles:
        return request.path
    return _rounded(graph, request, detour(request.path, *_kept_clear(request)))


def _rounded(graph: MotionGraph, request: Request, path: Path) -> Path:
    return walkable(path, (_ROUNDING if request.bend else _UNBENT_ROUNDING) * graph.skeleton.leg_length)


def _kept_clear(request: Request) -> tuple[Array, Array]:
    """Discs ``(D, 3)`` and boxes ``(B, 4)`` from which a root must stay out."""
    c = request.clearance
    discs = [(t.x, t.z, t.radius + c) for t in request.obstacles if isinstance(t, Disc)]
    boxes = [(t.x - c, t.z - c, t.x + t.width + c, t.z + t.depth + c) for t in request.obstacles if isinstance(t, Box)]
    return np.array(discs, float).reshape(-1, 3), np.array(boxes, float).reshape(-1, 4)


def make_prices(graph: MotionGraph, request: Request) -> Prices:
    """The request's prices for frames of the graph's rate."""
    fps = graph.fps
    least = slowest(graph, request)
    speed = request.speed
    if speed is None and request.limit is not None:
        speed = request.path.length / max(request.limit - sum(one.seconds + _RESTING for one in request.pause), 0.1)
    return Prices(
        frame=30.0 / fps,
        blend=float(request.price),
        least=least / fps,
        creep=_CREEP * least / fps,
        amble=AMBLE / fps,
        looked=(_CREEP if request.sections or request.pause else 1.0) * least / fps,
        gap=round(request.gap * fps),
        stride=look_stride(fps),
        arc=request.measure == "arc",
        speed=0.0 if speed is None else speed / fps,
        haste=0.0 if speed is None else _HASTE * 30.0 * fps,
        arrival=_ARRIVAL if request.sections or request.pause else 0.0,
        bend=_BEND * 30.0 * fps,
        bending=request.bend,
    )


def walkable(path: Path, reach: float) -> Path:
    """The path with its corners rounded over about ``reach`` metres, as a body can walk them; bends that are wider than
    that stay.

    Twice a Gaussian less a wider one: what is straight or bends evenly is left where it is, to the fourth power of
    reach over radius. A path shorter than a piece of the course has no bend that anybody could walk, and is left as it is.
    """
    if path.length < _STEP:
        return path
    count = max(2, int(np.ceil(path.length / _STEP)))
    even = path.at(np.linspace(0.0, path.length, count + 1))
    sigma = reach / (path.length / count)
    narrow, wide = (smoothed(even, factor * sigma) for factor in (1.0, np.sqrt(2.0)))
    return Path(2.0 * narrow - wide)


def _tighter(ahead: Array, step: float) -> Array:
    """How much tighter ``(M,)`` than at full speed a body may be bent on each piece: who slows down in a bend can turn more.
    ahead: ``(M, 2)``, the pieces.
    """
    heading = np.unwrap(np.arctan2(ahead[:, 0], ahead[:, 1]))
    reach = max(1, round(_SLOWING / step))
    curvature = filters.smoothed(np.gradient(heading) / step, reach / 2, reach)
    pace = eased(filters.highest(np.abs(curvature), reach))
    tighter: Array = 1.0 / pace
    return tighter


def _facing(graph: MotionGraph, request: Request, section: Longs, asked: Sequence[Part]) -> Array:
    """Where a body is to face on each piece ``(M, 3)``; see `CourseArrays`. section ``(M,)``: of the parts ``asked``, −1 for none."""
    price = _FACING * 30.0 / graph.fps
    facing = np.tile([0.0, 1.0, price if request.facing == "along" else 0.0], (len(section), 1))
    if request.facing == "along":
        for number, part in enumerate(asked):
            if part.label is not None:
                facing[section == number] = [*_way_faced(graph, part.label), price]
    facing[(facing[:, :2] == 0.0).all(axis=1), 2] = 0.0
    return facing


@lru_cache(maxsize=32)
def _way_faced(graph: MotionGraph, label: str) -> tuple[float, float]:
    """Sine and cosine of the angle from where bodies go to where they face while they bear a label: ahead, if any of
    them do so for a good while; else as they face on average; nothing where they do not agree.
    """
    held, fps = tables(graph), graph.fps
    borne = labelled(graph, label)
    steer = held.steer[: len(borne)]
    steps = steer[:, AHEAD_X : AHEAD_Z + 1] - steer[:, STEADY_X : STEADY_Z + 1]
    going = borne & (np.linalg.norm(steps, axis=1) > _GOING * STEERED)
    if going.sum() < fps:
        return 0.0, 1.0
    way, faced = (np.arctan2(*part[going].T) for part in (steps, steer[:, FACING_X : FACING_Z + 1]))
    apart = np.exp(1j * (faced - way))
    if (apart.real > np.cos(np.pi / 4)).mean() > _AHEAD:
        return 0.0, 1.0
    mean = complex(apart.mean())
    return (mean.imag / abs(mean), mean.real / abs(mean)) if abs(mean) > _AGREED else (0.0, 0.0)
