"""Sketches: paths that were drawn and kept, as the JSON that the command line reads."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated, Any

import numpy as np
from fastapi import APIRouter, Path, Request

from kinegraph.errors import FormatError
from kinegraph.paths.bspline import Spline
from kinegraph.paths.knots import uniform
from kinegraph.paths.path import Path as Curve
from kinegraph.paths.reading import read_curve, write
from kinegraph.studio import problems
from kinegraph.studio.models import FileEntry, Id, InWorkspace, Trashed
from kinegraph.studio.pathmodel import MOST_POINTS, PathModel
from kinegraph.studio.workspace import Entry, Workspace

router = APIRouter(prefix="/api", tags=["sketches"], responses=problems.DOCUMENTED)

# bytes: no sketch of ours is as large
_LARGEST = 4_000_000


@router.put("/sketches/{name}", response_model=FileEntry)
async def put(
    name: Annotated[str, Path(min_length=1, max_length=200)], path: PathModel, request: Request, workspace: InWorkspace
) -> dict[str, Any]:
    """Keep a path under a name; one of the same name is replaced."""
    entry: Entry = await request.app.state.reading.run(_kept, workspace, name, path)
    request.app.state.events.changed("sketches")
    return asdict(entry)


@router.get("/sketches/{id}", response_model=PathModel, response_model_exclude_none=True)
async def get(id: Id, request: Request, workspace: InWorkspace) -> PathModel:
    """A path that was kept."""
    found: PathModel = await request.app.state.reading.run(_read, workspace, id)
    return found


@router.delete("/sketches/{id}", response_model=Trashed)
async def delete(id: Id, request: Request, workspace: InWorkspace) -> dict[str, str]:
    """Put a sketch into the trash."""
    token: str = await request.app.state.reading.run(_deleted, workspace, id)
    request.app.state.events.changed("sketches")
    return {"trash": token}


def _kept(workspace: Workspace, name: str, path: PathModel) -> Entry:
    curve = path.curve()
    if isinstance(curve, Curve):
        curve = thinned(curve)
    with workspace.lock:
        file = workspace.new("sketches", name, ".json", replace=True)
        write(curve, file)
        return workspace.entry(file)


def _deleted(workspace: Workspace, id: str) -> str:
    with workspace.lock:
        return workspace.trash.put(workspace.find("sketch", id))


def _read(workspace: Workspace, id: str) -> PathModel:
    """A sketch as it was kept, or whatever else of the kind lies in the folder, brought to what the page takes."""
    file = workspace.find("sketch", id)
    if file.stat().st_size > _LARGEST:
        raise FormatError("this is too large for a sketch", file.name)
    try:
        return as_model(read_curve(file))
    except ValueError as error:  # points further away than the page goes
        raise FormatError(f"this is no path that the page can show: {error}", file.name) from error


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
