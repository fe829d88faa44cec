"""What the page shows first: everything in the workspace."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from functools import partial
from typing import Any

from fastapi.responses import Response
from pydantic import BaseModel

from kinegraph.blending.named import BLENDS, blends
from kinegraph.formats.registry import suffixes
from kinegraph.paths.ground import GROUNDS
from kinegraph.paths.named import Dial, Spelled
from kinegraph.paths.shapes import SHAPES
from kinegraph.strikes.kinds import KINDS, StrikeKind
from kinegraph.studio.server.jobs import Job
from kinegraph.studio.server.models import ClipEntry, GraphFile, KeptResult, SpaceFile, Writable
from kinegraph.studio.server.pool import Shared
from kinegraph.studio.server.studio import Here, Studio, routes
from kinegraph.studio.workspace.entries import FileEntry
from kinegraph.studio.workspace.workspace import Workspace
from kinegraph.version import __version__

router = routes("state")


class Place(BaseModel):
    """The workspace."""

    name: str
    folder: str
    writable: bool


class ShapeModel(BaseModel):
    """A path by name: an example of it, and how it is written."""

    name: str
    text: str
    help: str


@dataclass(frozen=True)
class DialModel(Dial):
    """How a number is set by hand. optional: it is as usual where it is not said."""

    optional: bool


class GroundModel(ShapeModel):
    """A ground by name: an example of it, what it is, and its numbers; where the first is 0, it is flat."""

    numbers: list[DialModel]


class BlendModel(BaseModel):
    """A way to blend a transition."""

    name: str
    help: str


class StrikeKindModel(BlendModel):
    """A kind of strike. plural: what several are called. tip: what strikes, such as a hand. joint: the one that hits, without its side."""

    plural: str
    tip: str
    joint: str


class Formats(BaseModel):
    """What can be read and written."""

    read: list[str]
    write: list[Writable]


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
    characters: list[FileEntry]
    height_fields: list[FileEntry]
    jobs: list[Job]
    shapes: list[ShapeModel]
    grounds: list[GroundModel]
    blends: list[str]
    blend_list: list[BlendModel]
    strike_kinds: list[StrikeKindModel]
    formats: Formats
    open: str | None


@router.get("/state", response_model=State)
async def state(studio: Here) -> Response:
    """Everything in the workspace; the info of clips that have not been read yet is null, and comes as an event."""
    return Response(await studio.gathered.get(), media_type="application/json")


def register(studio: Studio) -> None:
    """Have the state gathered once for all pages that ask for it at the same time."""
    studio.gathered = Shared(studio.telling, partial(_written, studio, _constant(studio)))


def _written(studio: Studio, constant: dict[str, Any]) -> bytes:
    told = json.dumps(_gathered(studio) | constant, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return told.encode("utf-8", "replace")


def _constant(studio: Studio) -> dict[str, Any]:
    """What does not change while the server runs: what there was when it was started."""
    shapes = [{"name": one.name, "text": one.example, "help": f"{one.usage}, in metres"} for one in SHAPES.values()]
    return {
        "shapes": shapes,
        "grounds": [_ground(one) for one in GROUNDS.values()],
        "blends": list(blends()),
        "blend_list": [{"name": name, "help": BLENDS[name].help} for name in blends()],
        "strike_kinds": [_strikes(one) for one in KINDS.values()],
        "formats": {"read": list(suffixes()), "write": studio.writable},
        "open": studio.open,
    }


def _ground(one: Spelled[Any]) -> dict[str, Any]:
    numbers = [{**asdict(dial), "optional": index >= one.needed} for index, dial in enumerate(one.dials)]
    return {"name": one.name, "text": one.example, "help": one.help, "numbers": numbers}


def _strikes(one: StrikeKind) -> dict[str, str]:
    limb = one.limb
    return {"name": one.name, "plural": one.plural, "tip": limb.tip, "joint": limb.end, "help": one.help}


def _gathered(studio: Studio) -> dict[str, Any]:
    """The state, told from the folder and from what is known of its files."""
    workspace = studio.workspace
    root = workspace.root
    return {
        "version": __version__,
        "workspace": {"name": root.name or str(root), "folder": str(root), "writable": workspace.writable},
        "clips": studio.infos.clips(),
        **_mogs(workspace),
        "sketches": [entry.told() for entry in workspace.sketches()],
        "results": studio.results.kept(),
        "exports": [entry.told() for entry in workspace.exports()],
        "characters": [entry.told() for entry in workspace.characters()],
        "height_fields": [entry.told() for entry in workspace.grounds()],
        "jobs": [asdict(job) for job in studio.jobs.list()],
    }


def _mogs(workspace: Workspace) -> dict[str, list[dict[str, Any]]]:
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
