"""`Characters`: rigged meshes of the workspace, read once, and motions put on them, as the page shows them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kinegraph.characters import Character, load, put
from kinegraph.characters.fitting import fit, fit_pack
from kinegraph.characters.showing import poses, shape
from kinegraph.errors import FormatError, KinegraphError
from kinegraph.feet.contacts import known_contacts
from kinegraph.motion import Motion
from kinegraph.studio.results.store import Result
from kinegraph.studio.rooms.library.uploads import Uploaded
from kinegraph.studio.server.cache import Cache
from kinegraph.studio.server.problems import Invalid
from kinegraph.studio.server.studio import Studio
from kinegraph.studio.workspace.entries import FileEntry
from kinegraph.studio.workspace.files import move
from kinegraph.studio.workspace.names import tidied

FOLDER = "characters"

# characters, and bytes of packs, that are held in memory
_HEROES, _PACKS = 8, 100_000_000


class Characters:
    """The characters of a studio's workspace."""

    def __init__(self, studio: Studio):
        self._studio = studio
        self._loaded = Cache[Character](_HEROES, lambda hero: 1)
        self._packs = Cache[bytes](_PACKS, len)

    def path(self, id: str) -> Path:
        """Where a character's file lies."""
        return self._studio.workspace.find("character", id)

    def hero(self, id: str) -> Character:
        """A character; what is wrong with it is told as `kinegraph character` tells it."""
        path = self.path(id)
        return self._loaded.get(self._stamp(path), lambda: load(path))

    def file(self, id: str) -> bytes:
        """Its file as one GLB."""
        return shape(self.hero(id))

    def on_clip(self, clip: str, id: str) -> bytes:
        """A clip's motion on a character, as a pack of poses."""
        path = self._studio.workspace.find("clip", clip)
        key = ("clip", *self._studio.workspace.stamp(path), *self._stamp(self.path(id)))
        return self._packs.get(key, lambda: self._of_clip(self._studio.workspace.read(path), id))

    def on_result(self, result: str, id: str) -> bytes:
        """A result's motion on a character, as a pack of poses."""
        held = self._studio.results.get(result)
        key = ("result", result, *self._stamp(self.path(id)))
        return self._packs.get(key, lambda: self._poses(held.motion, id, held.contacts, self.floor(held)))

    def on_graph(self, graph: str, id: str) -> bytes:
        """How a character follows somebody who is made of a graph's clips, pose by pose."""
        path = self._studio.workspace.find("mog", graph)
        key = ("graph", *self._studio.workspace.stamp(path), *self._stamp(self.path(id)))
        clips = self._studio.workspace.graph(graph).clips
        return self._packs.get(key, lambda: fit_pack(fit(clips[0].motion, self.hero(id))))

    def floor(self, result: Result) -> Any:
        """The ground that a result was made for; None where that is flat, or not known any more."""
        service = self._studio.services.get(str(result.facts.get("room")))
        task = None if service is None else service.again(self._studio, result.facts["request"])
        return None if task is None else task.floor()

    def take(self, files: list[Uploaded]) -> FileEntry:
        """Keep the one file that was sent, if a motion can be put on it."""
        workspace = self._studio.workspace
        if len(files) != 1:
            raise Invalid("drop one character at a time")
        sent = files[0]
        name = sent.name.replace("\\", "/").split("/")[-1].rpartition(".")[0]
        try:
            hero = load(sent.path)
        except KinegraphError as error:
            raise Invalid(_refused(error, sent, name)) from error
        with workspace.lock:
            path = workspace.new(FOLDER, tidied(name), sent.path.suffix)
            move(sent.path, path)
        # read already: whoever dropped it waits for the stage
        self._loaded.get(self._stamp(path), lambda: replace(hero, path=path))
        return workspace.entry(path)

    def _of_clip(self, motion: Motion, id: str) -> bytes:
        return self._poses(motion, id, known_contacts(motion), None)

    def _poses(self, motion: Motion, id: str, contacts: NDArray[np.bool_] | None, floor: Any) -> bytes:
        return poses(put(motion, self.hero(id), contacts, floor), motion)

    def _stamp(self, path: Path) -> tuple[Any, ...]:
        """What changes whenever a character does, or the roles beside it."""
        workspace, roles = self._studio.workspace, path.with_suffix(".toml")
        return (*workspace.stamp(path), *(workspace.stamp(roles) if roles.is_file() else ()))


def _refused(error: KinegraphError, sent: Uploaded, name: str) -> str:
    """What to say of a file that was sent and is no character: its place in the folder of what is sent is nobody's business."""
    said = (
        f"{sent.name}: {error.what}"
        if isinstance(error, FormatError)
        else str(error).replace(str(sent.path), sent.name)
    )
    beside, meant = sent.path.with_suffix(".toml").name, f"{name}.toml"
    if beside not in said:
        return said
    # only one file can be dropped
    return f"{said.replace(beside, meant)}. With such a file, put both into the folder of the workspace"
