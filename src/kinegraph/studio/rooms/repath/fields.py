"""Height fields of the workspace: grounds that were measured, taken as files and asked for by these."""

from __future__ import annotations

from typing import Any

from fastapi import Request

from kinegraph.errors import FormatError, MotionError
from kinegraph.paths.heightfield import SUFFIXES, HeightField
from kinegraph.studio.results.origins import GROUNDS as FOLDER
from kinegraph.studio.rooms.library import uploads
from kinegraph.studio.server.models import Id, Trashed
from kinegraph.studio.server.problems import Invalid
from kinegraph.studio.server.studio import Here, Studio, reading, routes
from kinegraph.studio.workspace.entries import FileEntry
from kinegraph.studio.workspace.files import move
from kinegraph.studio.workspace.names import tidied

router = routes("grounds")


@router.post("/grounds", openapi_extra=uploads.FORM)
async def upload(request: Request, studio: Here) -> FileEntry:
    """Take a height field (NPZ, NPY, CSV) into the folder of grounds. It is read before it is taken."""
    return await uploads.received(request, studio, _taken)


@router.delete("/grounds/{id}")
@reading
def delete(id: Id, studio: Here) -> Trashed:
    """Put a height field into the trash."""
    return studio.trashed(studio.workspace.discard("ground", id), "grounds")


def found(studio: Studio, ground: Any) -> Any:
    """A ground as a request names it: the height field where it is called by its file, all others as they are."""
    is_file = isinstance(ground, str) and ground.startswith(f"{FOLDER}/")
    return studio.workspace.ground(ground) if is_file else ground


def _taken(studio: Studio, files: list[uploads.Uploaded]) -> FileEntry:
    if len(files) != 1:
        raise Invalid("add one height field at a time")
    sent, workspace = files[0], studio.workspace
    try:
        HeightField.from_file(sent.path)
    except FormatError as error:  # its place in the folder of what is sent is nobody's business
        raise Invalid(f"{sent.name}: {error.what}") from error
    except MotionError as error:
        raise Invalid(f"{sent.name}: {error}") from error
    suffix = sent.path.suffix.lower()
    assert suffix in SUFFIXES  # it has been read
    with workspace.lock:
        path = workspace.new(FOLDER, tidied(sent.name.rpartition(".")[0]), suffix)
        move(sent.path, path)
    studio.events.changed("grounds")
    return workspace.entry(path)
