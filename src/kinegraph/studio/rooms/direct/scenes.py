"""Scenes that are kept, opened, told as TOML; and one to begin with."""

from __future__ import annotations

from typing import Annotated

from fastapi import Path
from pydantic import Field

from kinegraph.errors import FormatError
from kinegraph.scenes.reading import words as known_words
from kinegraph.scenes.writing import toml
from kinegraph.studio.rooms.direct import examples, files
from kinegraph.studio.server.models import Id, Trashed
from kinegraph.studio.server.studio import Here, reading, routes, working
from kinegraph.studio.workspace.entries import FileEntry
from kinegraph.tasks.models import RequestModel
from kinegraph.tasks.scene_model import SceneModel

router = routes("scenes")


class SceneFile(RequestModel):
    """A scene as a file holds it. file: the file's name, whose ending tells TOML from JSON."""

    text: Annotated[str, Field(max_length=files.LARGEST)]
    file: Annotated[str, Field(min_length=1, max_length=200)] = "scene.toml"


@router.get("/scenes")
@reading
def kept(studio: Here) -> list[FileEntry]:
    """The scenes of the workspace."""
    return files.listed(studio.workspace)


@router.get("/scenes/words")
@reading
def words(studio: Here) -> list[str]:
    """What a scene may say, by the names of its tables."""
    return list(known_words())


@router.post("/scenes/read")
@reading
def read(asked: SceneFile, studio: Here) -> SceneModel:
    """The scene that the text of a TOML or JSON file says."""
    return files.parsed(asked.text, asked.file)


@router.post("/scenes/write")
@reading
def write(asked: SceneModel, studio: Here) -> SceneFile:
    """A scene as the text of a TOML file."""
    return SceneFile(text=toml(asked.said()), file=f"{asked.name or 'scene'}.toml"[-200:])


@router.put("/scenes/{name}")
@reading
def put(name: Annotated[str, Path(min_length=1, max_length=200)], scene: SceneModel, studio: Here) -> FileEntry:
    """Keep a scene under a name; one of the same name is replaced."""
    return files.keep(studio.workspace, name, scene)


@router.get("/scenes/{id}")
@reading
def get(id: Id, studio: Here) -> SceneModel:
    """A scene of the workspace."""
    file = files.find(studio.workspace, id)
    try:
        if file.stat().st_size > files.LARGEST:
            raise FormatError("this is too large for a scene", file.name)
        text = file.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise FormatError(f"cannot be read: {error}", file.name) from None
    return files.parsed(text, file.name)


@router.delete("/scenes/{id}")
@reading
def delete(id: Id, studio: Here) -> Trashed:
    """Put a scene into the trash."""
    with studio.workspace.lock:
        token = studio.workspace.trash.put(files.find(studio.workspace, id))
    return studio.trashed(token)


@router.get("/graphs/{id}/scene")
@working
def example(id: Id, studio: Here) -> SceneModel:
    """A scene that this graph can do, to begin with."""
    return SceneModel.model_validate(examples.example(studio.workspace.graph(id)))
