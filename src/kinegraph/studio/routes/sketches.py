"""Sketches: paths that were drawn and kept, as the JSON that the command line reads."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Annotated, Any

import numpy as np
from fastapi import APIRouter, Path, Request

from kinegraph.errors import FormatError
from kinegraph.paths.path import Path as Curve
from kinegraph.paths.read import read_curve, write
from kinegraph.studio import problems
from kinegraph.studio.models import FileEntry, Id, InWorkspace, Trashed
from kinegraph.studio.pathmodel import MOST_POINTS, PathModel
from kinegraph.studio.problems import Invalid
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
    token: str = await request.app.state.reading.run(lambda: workspace.trash.put(workspace.find("sketch", id)))
    request.app.state.events.changed("sketches")
    return {"trash": token}


def _kept(workspace: Workspace, name: str, path: PathModel) -> Entry:
    curve = path.curve()
    if isinstance(curve, Curve) and len(curve.points) > MOST_POINTS:
        curve = Curve(curve.at(np.linspace(0.0, curve.length, MOST_POINTS)))
    with workspace.lock:
        file = workspace.new("sketches", name, ".json", replace=True)
        write(curve, file)
        return workspace.entry(file)


def _read(workspace: Workspace, id: str) -> PathModel:
    """A sketch as it was kept, or whatever else of the kind lies in the folder, brought to what the page takes."""
    file = workspace.find("sketch", id)
    if file.stat().st_size > _LARGEST:
        raise FormatError("this is too large for a sketch", file.name)
    read_curve(file)
    found = json.loads(file.read_text(encoding="utf-8-sig"))
    if isinstance(found, list):
        found = {"points": found}
    try:
        return PathModel(**{key: found[key] for key in ("points", "degree", "controls") if key in found})
    except ValueError as error:
        raise Invalid(f"{file.name} holds a path that the page cannot show: {error}") from error
