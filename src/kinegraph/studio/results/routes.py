"""Results: shown again, kept, renamed, deleted."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Annotated, Any
from urllib.parse import quote

from fastapi import Query
from fastapi.responses import Response

from kinegraph.player import document
from kinegraph.studio.server.models import Id, KeptResult, Name, Trashed
from kinegraph.studio.server.pack import PACKED, PackResponse
from kinegraph.studio.server.problems import Invalid
from kinegraph.studio.server.studio import Here, reading, routes, working
from kinegraph.tasks.models import RequestModel

router = routes("results")


class NameAsked(RequestModel):
    """What a result is to be called."""

    name: Name


@router.get("/results/{id}/motion", **PACKED)
@reading
def motion(id: Id, studio: Here) -> PackResponse:
    """A result pack, as it was when it was made."""
    return PackResponse(studio.results.get(id).packed(id))


@router.get("/results/{id}/body", **PACKED)
@reading
def body(id: Id, studio: Here) -> PackResponse:
    """The body of a result's skeleton as a body pack."""
    return PackResponse(studio.body(studio.results.get(id).motion))


@router.get(
    "/results/{id}/page", response_class=Response, responses={200: {"content": {"application/octet-stream": {}}}}
)
@working
def page(id: Id, studio: Here, view: Annotated[str, Query(max_length=200)] = "") -> Response:
    """A result as one HTML file that plays it anywhere, with its path and figures. view: where the camera is and looks, six numbers."""
    result = studio.results.get(id)
    facts = result.facts
    beside: dict[str, Any] = {"says": _says(facts), "path": facts.get("path") or []}
    if view:
        beside["view"] = _view(view)
    title = str(facts.get("title") or result.motion.name or "Motion")
    text = document(result.motion, title=title, beside=beside)
    # it is saved and not shown: a page of the same origin could do all that the studio can
    named = f"attachment; filename*=utf-8''{quote(title, safe='')}.html"
    return Response(text, media_type="application/octet-stream", headers={"Content-Disposition": named})


def _view(text: str) -> dict[str, list[float]]:
    try:
        numbers = [float(one) for one in text.split(",")]
    except ValueError:
        numbers = []
    if len(numbers) != 6 or not all(math.isfinite(one) and abs(one) < 1e6 for one in numbers):
        raise Invalid("view: six numbers are wanted, x,y,z of the camera and x,y,z of what it looks at")
    return {"position": numbers[:3], "target": numbers[3:]}


def _says(facts: Mapping[str, Any]) -> list[str]:
    """The figures of a result, a line each."""
    quality = facts.get("quality")
    told = quality if isinstance(quality, dict) else {}
    lines = []
    for name, words, unit in (("deviation_cm", "Off the path", "cm"), ("slide_mm", "Feet slide", "mm")):
        spread = told.get(name)
        if isinstance(spread, dict) and all(isinstance(spread.get(one), int | float) for one in ("mean", "max")):
            lines.append(f"{words}: {spread['mean']:.1f} {unit} on average, {spread['max']:.1f} at most")
    if isinstance(told.get("transitions"), int):
        lines.append(f"{told['transitions']} transitions between clips")
    return lines


@router.post("/results/{id}/keep")
@reading
def keep(id: Id, named: NameAsked, studio: Here) -> KeptResult:
    """Write a result into the workspace, under a name."""
    kept = studio.results.keep(id, named.name)
    studio.events.changed("results")
    return kept


@router.patch("/results/{id}")
@reading
def rename(id: Id, named: NameAsked, studio: Here) -> KeptResult:
    """Give a kept result another name."""
    kept = studio.results.rename(id, named.name)
    studio.events.changed("results")
    return kept


@router.delete("/results/{id}")
@reading
def delete(id: Id, studio: Here) -> Trashed:
    """Put a kept result into the trash."""
    return studio.trashed(studio.results.remove(id), "results")
