"""Scenes in the workspace: TOML files, as the command takes them."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from kinegraph.errors import FormatError
from kinegraph.scenes.reading import said_in, scene_of
from kinegraph.scenes.writing import toml
from kinegraph.studio.server.problems import Missing
from kinegraph.studio.workspace.entries import FileEntry
from kinegraph.studio.workspace.workspace import Workspace
from kinegraph.tasks.scene_model import SceneModel

FOLDER = "scenes"

# bytes: no scene of ours is as large
LARGEST = 1_000_000


def listed(workspace: Workspace) -> list[FileEntry]:
    """The scenes that were kept, or put there."""
    folder = workspace.root / FOLDER
    if not folder.is_dir() or not folder.resolve().is_relative_to(workspace.root):
        return []
    files = [path for path in sorted(folder.iterdir()) if path.suffix.lower() in (".toml", ".json")]
    return [workspace.entry(one) for one in files if one.is_file() and one.resolve().is_relative_to(workspace.root)]


def find(workspace: Workspace, id: str) -> Path:
    """The file of a scene."""
    for entry in listed(workspace):
        if entry.id == id:
            return workspace.path(entry)
    raise Missing("there is no such scene in the workspace; it may have been renamed or deleted")


def parsed(text: str, file: str) -> SceneModel:
    """The scene that a file's text says, as the page takes it; an error tells what is wrong with it."""
    said = said_in(text, file)
    scene_of(said)
    try:
        return SceneModel.model_validate(said)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        raise FormatError(f"this is no scene that the page can show: {where}: {first['msg']}", file) from None


def keep(workspace: Workspace, name: str, scene: SceneModel) -> FileEntry:
    """Write a scene under a name; one of the same name is replaced."""
    with workspace.lock:
        file = workspace.new(FOLDER, name, ".toml", replace=True)
        file.write_text(toml(scene.said()), "utf-8")
    return workspace.entry(file)


def named(workspace: Workspace, said: Mapping[str, Any]) -> str:
    """The file of a scene for a command to name, relative to the workspace; it is written if it is not there."""
    text = toml(SceneModel.model_validate(said).said())
    digest = hashlib.blake2s(text.encode(), digest_size=4).hexdigest()
    with workspace.lock:
        file = workspace.new(FOLDER, f"scene {digest}", ".toml", replace=True)
        if not file.exists():
            file.write_text(text, "utf-8")
    return file.relative_to(workspace.root).as_posix()
