"""What the page shows first: everything in the workspace."""

from __future__ import annotations

import json
from dataclasses import asdict
from functools import partial
from typing import Any

from fastapi import APIRouter, FastAPI, Request
from fastapi.responses import Response
from pydantic import BaseModel

from kinegraph.blending.named import BLENDS, blends
from kinegraph.formats.registry import suffixes
from kinegraph.paths.ground import GROUNDS
from kinegraph.paths.named import Named
from kinegraph.paths.shapes import SHAPES
from kinegraph.strikes.kinds import KINDS, StrikeKind
from kinegraph.studio import problems
from kinegraph.studio.models import (
    BlendModel,
    ClipEntry,
    FileEntry,
    Formats,
    GraphFile,
    GroundModel,
    JobModel,
    Place,
    ShapeModel,
    SpaceFile,
    StrikeKindModel,
)
from kinegraph.studio.pool import Shared
from kinegraph.studio.routes.results import KeptResult
from kinegraph.studio.workspace import Workspace
from kinegraph.studio.writable import writable
from kinegraph.version import __version__

router = APIRouter(prefix="/api", tags=["state"], responses=problems.DOCUMENTED)


class State(BaseModel):
    """Everything in the workspace. open: the file that the studio was opened with."""

    version: str
    workspace: Place
    clips: list[ClipEntry]
    graphs: list[GraphFile]
    spaces: list[SpaceFile]
    sketches: list[FileEntry]
    results: list[KeptResult]
    exports: list[FileEntry]
    jobs: list[JobModel]
    shapes: list[ShapeModel]
    grounds: list[GroundModel]
    blends: list[str]
    blend_list: list[BlendModel]
    strike_kinds: list[StrikeKindModel]
    formats: Formats
    open: str | None


@router.get("/state", response_model=State)
async def state(request: Request) -> Response:
    """Everything in the workspace; the info of clips that have not been read yet is null, and comes as an event."""
    return Response(await request.app.state.gathered.get(), media_type="application/json")


def register(app: FastAPI) -> None:
    """Have the state gathered once for all pages that ask for it at the same time."""
    app.state.constant = _constant()
    app.state.gathered = Shared(app.state.reading, partial(_written, app))


def _written(app: FastAPI) -> bytes:
    return json.dumps(gathered(app), ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode(
        "utf-8", "replace"
    )


def gathered(app: FastAPI) -> dict[str, Any]:
    """The state, told from the folder and from what is known of its files."""
    workspace: Workspace = app.state.workspace
    return {
        "version": __version__,
        "workspace": {
            "name": workspace.root.name or str(workspace.root),
            "folder": str(workspace.root),
            "writable": workspace.writable,
        },
        "clips": app.state.infos.clips(),
        **mogs(workspace),
        "sketches": [entry.told() for entry in workspace.sketches()],
        "results": app.state.results.kept(),
        "exports": [entry.told() for entry in workspace.exports()],
        "jobs": [asdict(job) for job in app.state.jobs.list()],
        **app.state.constant,
        "open": app.state.open,
    }


def mogs(workspace: Workspace) -> dict[str, list[dict[str, Any]]]:
    """Graphs, and each space of every file."""
    graphs, spaces = [], []
    for entry in workspace.mogs():
        content = workspace.content(entry)
        if content.graph:
            graphs.append({**entry.told(), "clips": content.clips, "error": content.error})
        spaces += [
            {**entry.told(), "space": row.name, "kind": row.kind, "side": row.side, "strikes": row.strikes}
            for row in content.spaces
        ]
    return {"graphs": graphs, "spaces": spaces}


def _constant() -> dict[str, Any]:
    """What does not change while the server runs: what there was when it was started."""
    formats = {"read": list(suffixes()), "write": [one.model_dump() for one in writable()]}
    return {
        "shapes": [
            {"name": one.name, "text": one.example, "help": f"{one.usage}, in metres"} for one in SHAPES.values()
        ],
        "grounds": [_ground(one) for one in GROUNDS.values()],
        "blends": list(blends()),
        "blend_list": [{"name": name, "help": BLENDS[name].help} for name in blends()],
        "strike_kinds": [_strikes(one) for one in KINDS.values()],
        "formats": formats,
    }


def _ground(one: Named[Any]) -> dict[str, Any]:
    numbers = [{**asdict(dial), "optional": index >= one.needed} for index, dial in enumerate(one.dials)]
    return {"name": one.name, "text": one.example, "help": one.help, "numbers": numbers}


def _strikes(one: StrikeKind) -> dict[str, str]:
    limb = one.limb
    return {"name": one.name, "plural": one.plural, "tip": limb.tip, "joint": limb.end, "help": one.help}
