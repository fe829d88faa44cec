"""Sketches: paths that were drawn and kept, as the JSON that the command line reads; and shapes as points, to be drawn."""

from __future__ import annotations

from typing import Annotated

import numpy as np
from fastapi import Path, Query
from pydantic import BaseModel

from kinegraph.errors import FormatError, MotionError
from kinegraph.paths.bspline import Spline
from kinegraph.paths.describing import sampled
from kinegraph.paths.knots import uniform
from kinegraph.paths.path import Path as Curve
from kinegraph.paths.reading import read_curve, write
from kinegraph.paths.shapes import shape as shape_of
from kinegraph.studio.server.models import Id, Trashed
from kinegraph.studio.server.problems import Invalid
from kinegraph.studio.server.studio import Here, reading, routes
from kinegraph.studio.workspace.entries import FileEntry
from kinegraph.tasks.models import MOST_POINTS, PathModel

router = routes("sketches")

# bytes: no sketch of ours is as large
_LARGEST = 4_000_000


class Drawn(BaseModel):
    """A path as points [x, z], and its length in metres."""

    points: list[list[float]]
    length: float


@router.get("/paths")
@reading
def drawn(shape: Annotated[str, Query(min_length=1, max_length=100, examples=["eight:3"])], studio: Here) -> Drawn:
    """A shape such as ``eight:3``, sampled."""
    try:
        path = shape_of(shape)
    except MotionError as error:
        raise Invalid(str(error)) from error
    return Drawn(points=sampled(path), length=round(path.length, 6))


@router.put("/sketches/{name}")
@reading
def put(name: Annotated[str, Path(min_length=1, max_length=200)], path: PathModel, studio: Here) -> FileEntry:
    """Keep a path under a name; one of the same name is replaced."""
    try:
        curve = path.curve()
    except MotionError as error:
        raise Invalid(str(error)) from error
    with studio.workspace.lock:
        file = studio.workspace.new("sketches", name, ".json", replace=True)
        write(thinned(curve) if isinstance(curve, Curve) else curve, file)
        entry = studio.workspace.entry(file)
    studio.events.changed("sketches")
    return entry


@router.get("/sketches/{id}", response_model_exclude_none=True)
@reading
def get(id: Id, studio: Here) -> PathModel:
    """A sketch as it was kept, or whatever else of the kind lies in the folder, brought to what the page takes."""
    file = studio.workspace.find("sketch", id)
    if file.stat().st_size > _LARGEST:
        raise FormatError("this is too large for a sketch", file.name)
    try:
        return as_model(read_curve(file))
    except ValueError as error:  # points further away than the page goes
        raise FormatError(f"this is no path that the page can show: {error}", file.name) from error


@router.delete("/sketches/{id}")
@reading
def delete(id: Id, studio: Here) -> Trashed:
    """Put a sketch into the trash."""
    return studio.trashed(studio.workspace.discard("sketch", id), "sketches")


def as_model(curve: Curve | Spline) -> PathModel:
    """A curve as the page takes it; a spline with knots of its own, as the points along it."""
    if isinstance(curve, Spline):
        if np.array_equal(curve.knots, uniform(len(curve), curve.degree)):
            return PathModel.model_validate({"degree": curve.degree, "controls": curve.controls.tolist()})
        curve = curve.path()
    curve = thinned(curve)
    points = curve.points if curve.heights is None else np.insert(curve.points, 1, curve.heights, axis=1)
    return PathModel.model_validate({"points": points.tolist()})


def thinned(path: Curve) -> Curve:
    """A path of no more points than a request may have."""
    if len(path.points) <= MOST_POINTS:
        return path
    along = np.linspace(0.0, path.length, MOST_POINTS)
    return Curve(path.at(along), None if path.heights is None else path.height(along))
