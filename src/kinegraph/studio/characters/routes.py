"""Characters: taken, looked at, and shown with a motion on them."""

from __future__ import annotations

from typing import Any

from fastapi import Request
from fastapi.responses import Response
from pydantic import BaseModel

from kinegraph.studio.characters.cast import Characters
from kinegraph.studio.rooms.library import uploads
from kinegraph.studio.server.models import Id, Trashed
from kinegraph.studio.server.pack import PACKED, PackResponse
from kinegraph.studio.server.studio import Here, Studio, reading, routes
from kinegraph.studio.workspace.entries import FileEntry

router = routes("characters")

_GLB: dict[int | str, dict[str, Any]] = {
    200: {"content": {"model/gltf-binary": {"schema": {"type": "string", "format": "binary"}}}}
}


class CharacterDetail(BaseModel):
    """What a character was taken for. roles: role → name of the joint."""

    name: str
    joints: int
    height_m: float
    roles: dict[str, str]
    notices: list[str]


@router.post("/characters", openapi_extra=uploads.FORM)
async def upload(request: Request, studio: Here) -> FileEntry:
    """Take a rigged mesh (GLB, glTF in one file, VRM) into the folder of characters. It is looked at before it is taken."""
    return await uploads.received(request, studio, _taken)


@router.get("/characters/{id}")
@reading
def detail(id: Id, studio: Here) -> CharacterDetail:
    """A character, if motions can be put on it; otherwise why not."""
    hero = studio.heroes.hero(id)
    names = {role: hero.skeleton.names[joint] for role, joint in hero.roles.joints.items()}
    return CharacterDetail(
        name=hero.name, joints=len(hero.skeleton), height_m=hero.height, roles=names, notices=list(hero.notices)
    )


@router.get("/characters/{id}/file", response_class=Response, responses=_GLB)
@reading
def file(id: Id, studio: Here) -> Response:
    """A character's mesh, materials and textures, as one GLB."""
    return Response(studio.heroes.file(id), media_type="model/gltf-binary")


@router.delete("/characters/{id}")
@reading
def delete(id: Id, studio: Here) -> Trashed:
    """Put a character into the trash."""
    return studio.trashed(studio.workspace.discard("character", id), "characters")


@router.get("/clips/{clip}/on/{id}", **PACKED)
@reading
def clip_on(clip: Id, id: Id, studio: Here) -> PackResponse:
    """A clip on a character: poses of the nodes of its file."""
    return PackResponse(studio.heroes.on_clip(clip, id))


@router.get("/results/{result}/on/{id}", **PACKED)
@reading
def result_on(result: Id, id: Id, studio: Here) -> PackResponse:
    """A result on a character: poses of the nodes of its file."""
    return PackResponse(studio.heroes.on_result(result, id))


@router.get("/graphs/{graph}/on/{id}", **PACKED)
@reading
def graph_on(graph: Id, id: Id, studio: Here) -> PackResponse:
    """How a character follows somebody who is made of a graph's clips, as their poses come."""
    return PackResponse(studio.heroes.on_graph(graph, id))


def register(studio: Studio) -> None:
    """Hold the characters."""
    studio.heroes = Characters(studio)


def _taken(studio: Studio, files: list[uploads.Uploaded]) -> FileEntry:
    taken: FileEntry = studio.heroes.take(files)
    studio.events.changed("characters")
    return taken
