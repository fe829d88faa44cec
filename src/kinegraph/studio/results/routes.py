"""Results: shown again, kept, renamed, deleted."""

from __future__ import annotations

from kinegraph.studio.server.models import Id, KeptResult, Name, Trashed
from kinegraph.studio.server.pack import PACKED, PackResponse
from kinegraph.studio.server.studio import Here, reading, routes
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
