"""`FileEntry`: a file of the workspace, as it is listed."""

from __future__ import annotations

import hashlib
import os
import re
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any

from kinegraph.studio.workspace.files import printable


@dataclass(frozen=True)
class FileEntry:
    """A file of the workspace. file: its path relative to the workspace, with slashes; modified: when, in UTC (ISO 8601).

    Name and file are text for people, of whatever bytes the folder's names are: `Workspace.path` is where the file lies.
    """

    id: str
    name: str
    file: str
    size: int
    modified: str

    def told(self) -> dict[str, Any]:
        """The same as JSON has it."""
        return dict(vars(self))


def id_of(file: str) -> str:
    """The id of a file, by its path relative to the workspace."""
    return hashlib.blake2s(file.encode("utf-8", "surrogateescape"), digest_size=6).hexdigest()


def entry_of(file: str, status: os.stat_result) -> FileEntry:
    """The entry of a file, by its path relative to the workspace."""
    return _described(file, status.st_mtime_ns, status.st_size)


def file_of(entry: FileEntry) -> str:
    """The path of an entry's file, relative to the workspace, also where that is no text."""
    return _UNPRINTABLE.get(entry.id, entry.file)


def in_order(entries: list[FileEntry]) -> list[FileEntry]:
    """By name; clip 10 comes after clip 9."""
    return sorted(entries, key=lambda entry: (_natural(entry.name), entry.file))


# paths, relative to a workspace, that are no text, by their ids: an entry tells them otherwise than they are
_UNPRINTABLE: dict[str, str] = {}


@lru_cache(20_000)
def _described(file: str, changed: int, size: int) -> FileEntry:
    """Worked out once, since every list of a folder asks for all of them."""
    modified = datetime.fromtimestamp(changed / 1e9, UTC).isoformat(timespec="microseconds")
    id, text = id_of(file), printable(file)
    if text != file:
        _UNPRINTABLE[id] = file
    name = text.rpartition("/")[2]
    stem, dot, _ = name.rpartition(".")
    return FileEntry(id, stem if dot else name, text, size, modified)


@lru_cache(20_000)
def _natural(name: str) -> list[tuple[int, int, str]]:
    parts = re.split(r"(\d+)", name.casefold())
    return [(0, int(part), "") if part.isdecimal() else (1, 0, part) for part in parts if part]
