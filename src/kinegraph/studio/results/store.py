"""`ResultStore`: motions that were made, the last of them in memory, and those that the user keeps in the folder `results`.

A kept result is `NAME.npz`, a motion that every command of kinegraph reads, with the arrays of its plots beside it, and `NAME.json`, all
that is told of it.
"""

from __future__ import annotations

import hashlib
import json
import math
import os
from collections import OrderedDict
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from threading import Lock
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kinegraph.errors import FormatError
from kinegraph.formats import npz
from kinegraph.formats.atomic import replacing
from kinegraph.motion import Motion
from kinegraph.player import motion_pack
from kinegraph.studio.server.models import KeptResult
from kinegraph.studio.server.problems import Conflict, Missing
from kinegraph.studio.workspace.entries import FileEntry
from kinegraph.studio.workspace.files import write_json
from kinegraph.studio.workspace.names import safe
from kinegraph.studio.workspace.workspace import Workspace

FOLDER = "results"

# Results of each room that are held in memory, and bytes of them; its newest is held in any case. Each room for itself, since a hand that
# drags a path makes dozens a second, and must not take from another room what is still shown there.
_MOST, _BYTES = 64, 150_000_000
# positions and orientations are kept beside a motion's own arrays once they are asked for
_POSED = 3
# what the names of a result's own arrays begin with in its archive
_PREFIX = "result_"
_CONTACTS = f"{_PREFIX}contacts"
# kinds of numbers that a result's arrays hold
_KINDS = ("float32", "int32", "uint8")
# seconds above which a file that tells how long a result lasts is damaged
_LONGEST = 1e9
# facts without which nobody knows how a result was made
_NEEDED = {"room", "request", "title"}
# facts that may differ each time the same thing is made: also what it was made from, in which something else may have changed
_MEASURED = ("id", "cpu_s", "source_digest", "source_digests")


@dataclass(frozen=True, eq=False)
class Result:
    """A motion that was made.

    contacts: ``(F, 4)``, where they are known. facts: all that is told of it, but its id. arrays: for its plots.
    """

    motion: Motion
    contacts: NDArray[np.bool_] | None
    facts: Mapping[str, Any]
    arrays: Mapping[str, NDArray[Any]] = field(default_factory=dict)

    @property
    def size(self) -> int:
        """Bytes that it takes, once it has been posed."""
        own = (self.motion.root, self.motion.rotations, self.motion.translations)
        told = (self.contacts, *self.arrays.values())
        return _POSED * _nbytes(*own) + _nbytes(*told)

    def packed(self, id: str) -> bytes:
        """Its pack, which tells its id too."""
        facts = {"result": {"id": id, **self.facts}}
        return motion_pack(self.motion, contacts=self.contacts, facts=facts, arrays=self.arrays)


class ResultStore:
    """The results of a workspace. awaited: gives the ids of those that somebody will still ask for, and that are not given up."""

    def __init__(self, workspace: Workspace, awaited: Callable[[], Collection[str]] = frozenset):
        self._workspace = workspace
        self._awaited = awaited
        self._held: OrderedDict[str, Result] = OrderedDict()
        self._lock = Lock()

    def put(
        self,
        motion: Motion,
        contacts: NDArray[np.bool_] | None,
        facts: Mapping[str, Any],
        arrays: Mapping[str, NDArray[Any]],
    ) -> str:
        """Hold a result, and give its id: the same result has the same one whenever it is made."""
        result = Result(motion, contacts, dict(facts), dict(arrays))
        id = _id(result)
        awaited = self._awaited()
        with self._lock:
            self._held.pop(id, None)
            self._held[id] = result
            room = result.facts.get("room")
            same = [one for one in self._held if self._held[one].facts.get("room") == room]
            size = sum(self._held[one].size for one in same)
            left = len(same)
            for oldest in [one for one in same[:-1] if one not in awaited]:
                if left <= _MOST and size <= _BYTES:
                    break
                size -= self._held.pop(oldest).size
                left -= 1
        return id

    def get(self, id: str) -> Result:
        """The result of an id: one in memory, or one that was kept."""
        with self._lock:
            if id in self._held:
                self._held.move_to_end(id)
                return self._held[id]
        return _read(self._path(id))

    def keep(self, id: str, name: str) -> KeptResult:
        """Write a result into the folder of results, under a name that is free."""
        result = self.get(id)
        name = safe(name)
        with self._workspace.lock:
            path = self._workspace.inside(self._workspace.new(FOLDER, name, ".npz"))
            self._workspace.inside(_facts_of(path))
            _write(result, path)
        return KeptResult(**self._told(self._workspace.entry(path)))

    def rename(self, id: str, name: str) -> KeptResult:
        """Give a kept result another name."""
        old = self._path(id)
        with self._workspace.lock:
            new = self._workspace.new(FOLDER, name, ".npz", replace=True)
            if new != old:
                if os.path.lexists(new):
                    raise Conflict(f"there is a result called {new.stem} already: choose another name")
                _move(old, new)
        return KeptResult(**self._told(self._workspace.entry(new)))

    def remove(self, id: str) -> str:
        """Put a kept result into the trash, or let go of one in memory; the token gets a kept one back."""
        self._path(id)
        return self._workspace.discard("result", id, lambda path: filter(Path.exists, [_facts_of(path)]))

    def kept(self) -> list[dict[str, Any]]:
        """Every kept result: its entry, and what of it is told in a list."""
        return [self._told(entry) for entry in self._workspace.results()]

    def _told(self, entry: FileEntry) -> dict[str, Any]:
        return {**entry.told(), **_told(self._workspace.path(entry))}

    def _path(self, id: str) -> Path:
        try:
            return self._workspace.find("result", id)
        except Missing:
            raise Missing(
                "this result is no longer held: make it once more, and keep it to have it for longer"
            ) from None


def _nbytes(*arrays: NDArray[Any] | None) -> int:
    return sum(array.nbytes for array in arrays if array is not None)


def _id(result: Result) -> str:
    """By what it holds, but for what was measured while it was made."""
    digest = hashlib.blake2s(digest_size=6)
    told = {name: value for name, value in result.facts.items() if name not in _MEASURED}
    if isinstance(told.get("quality"), Mapping):
        told["quality"] = {name: value for name, value in told["quality"].items() if not name.startswith("cpu")}
    digest.update(json.dumps(told, sort_keys=True).encode())
    digest.update(result.motion.root.tobytes())
    digest.update(result.motion.rotations.tobytes())
    return digest.hexdigest()


def _facts_of(path: Path) -> Path:
    return path.with_suffix(".json")


def _write(result: Result, path: Path) -> None:
    """Both files, each whole or not at all; the motion last, since a result is there when its motion is."""
    arrays = npz.arrays_of(result.motion)
    arrays |= {f"{_PREFIX}{name}": np.asarray(array) for name, array in result.arrays.items()}
    if result.contacts is not None:
        arrays[_CONTACTS] = result.contacts.astype(np.uint8)
    facts = {"result": dict(result.facts), "seconds": result.motion.seconds, "name": result.motion.name}
    beside = _facts_of(path)
    try:
        write_json(beside, facts)
        with replacing(path) as temporary, temporary.open("wb") as out:
            np.savez(out, **arrays)
    except BaseException:
        if not path.exists():
            beside.unlink(missing_ok=True)
        raise


def _read(path: Path) -> Result:
    """A kept result; one that has lost its facts, or came from elsewhere, is a motion of which little is told."""
    from kinegraph.formats.registry import load

    motion = load(path)
    with np.load(path, allow_pickle=False) as archive:
        found = {name.removeprefix(_PREFIX): archive[name] for name in archive.files if name.startswith(_PREFIX)}
    arrays = {name: values for name, values in found.items() if values.dtype.name in _KINDS}
    contacts = arrays.pop("contacts", None)
    told = _json(_facts_of(path))
    facts = told.get("result")
    if not isinstance(facts, dict) or not facts.keys() >= _NEEDED:
        facts = _unknown(path)
        arrays = {}
    if contacts is not None and contacts.shape != (len(motion), 4):
        contacts = None
    facts.pop("id", None)
    return Result(
        replace(motion, name=str(told.get("name") or motion.name)),
        None if contacts is None else contacts.astype(bool),
        facts,
        arrays,
    )


def _unknown(path: Path) -> dict[str, Any]:
    """The facts of a motion of which nobody knows how it was made."""
    return {
        "room": "walk",
        "title": path.stem,
        "request": {},
        "source": {},
        "quality": None,
        "notices": [f"{_facts_of(path).name} is missing or cannot be read: how this was made is not known"],
        "reached": True,
        "short": None,
        "path": None,
        "transitions": [],
        "clips": [],
        "labels": [],
        "plants": [],
        "cpu_s": 0.0,
    }


def _told(path: Path) -> dict[str, Any]:
    told = _json(_facts_of(path))
    facts = told.get("result")
    if not isinstance(facts, dict):
        facts = {}
    seconds, quality = told.get("seconds"), facts.get("quality")
    return {
        "title": str(facts.get("title", path.stem)),
        "room": str(facts.get("room", "walk")),
        "seconds": float(seconds) if isinstance(seconds, int | float) and abs(seconds) < _LONGEST else 0.0,
        "quality": quality if isinstance(quality, dict) else None,
    }


def _json(path: Path) -> dict[str, Any]:
    """What a file tells, in numbers that JSON has; those that it has not, which Python writes and reads all the same, are null."""
    try:
        read = json.loads(path.read_text(encoding="utf-8"), parse_constant=lambda name: None, parse_float=_finite)
    except (OSError, ValueError, RecursionError):
        return {}
    return read if isinstance(read, dict) else {}


def _finite(text: str) -> float | None:
    value = float(text)
    return value if math.isfinite(value) else None


def _move(old: Path, new: Path) -> None:
    try:
        if _facts_of(old).exists():
            _facts_of(old).replace(_facts_of(new))
        old.replace(new)
    except OSError as error:
        raise FormatError(f"cannot be renamed: {error.strerror or error}", old.name) from error
