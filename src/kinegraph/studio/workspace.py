"""`Workspace`: the folder that the studio shows, and the only one that it reads and writes.

What a request names by id is looked up in a scan of the folder: no text of a request ever becomes part of a path that is read. Links
that lead out of the folder are not followed.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import lru_cache
from itertools import count
from pathlib import Path
from threading import Lock
from typing import Any, Literal

from kinegraph.errors import FormatError
from kinegraph.formats.registry import load, suffixes
from kinegraph.graph.model import MotionGraph
from kinegraph.graph.store import load as load_graph
from kinegraph.motion import Motion
from kinegraph.spaces.space import Space
from kinegraph.spaces.store import load as load_space
from kinegraph.studio.cache import Cache, stamp
from kinegraph.studio.mogs import Content
from kinegraph.studio.mogs import content as content_of
from kinegraph.studio.names import safe
from kinegraph.studio.problems import Missing
from kinegraph.studio.trash import Trash

Kind = Literal["clip", "mog", "sketch", "result", "export"]

HIDDEN = ".kinegraph"
"""The folder of what the studio keeps for itself."""

# folders whose files are no clips, though their suffixes are a motion's
_OURS = frozenset(("results", "exports"))
# bytes of motions and of graphs that are held in memory
_MOTIONS = 400_000_000
_GRAPHS = 800_000_000
# positions and orientations are kept beside a motion's own arrays once they are asked for
_POSED = 3


@dataclass(frozen=True)
class Entry:
    """A file of the workspace. file: its path relative to the workspace, with slashes; modified: when, in UTC (ISO 8601)."""

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


class Workspace:
    """A folder with clips, graphs, spaces, sketches, results and exports. See `docs/studio.md` for what lies where."""

    def __init__(self, root: str | os.PathLike[str]):
        self.root = Path(root).resolve()
        if not self.root.is_dir():
            raise FormatError("there is no such folder", self.root)
        self.lock = Lock()
        self.trash = Trash(self.root, self.root / HIDDEN / "trash")
        self._motions = Cache[Motion](_MOTIONS, _motion_bytes)
        self._graphs = Cache[MotionGraph](_GRAPHS, _graph_bytes)
        self._spaces = Cache[Space](64, lambda space: 1)
        self._contents = Cache[Content](4096, lambda content: 1)

    # -- what there is ------------------------------------------------------------------------------------------------

    def clips(self) -> list[Entry]:
        """Every motion file of the folder and its direct subfolders."""
        known = suffixes()
        return self._listed(self._shown(), lambda name: name.lower().endswith(known))

    def mogs(self) -> list[Entry]:
        """Every `.mog` file, whatever it holds."""
        return self._listed(self._shown(), lambda name: name.lower().endswith(".mog"))

    def graphs(self) -> list[Entry]:
        """The `.mog` files that hold a graph, or nothing that can be read."""
        return [entry for entry in self.mogs() if self.content(entry).graph]

    def spaces(self) -> list[Entry]:
        """The `.mog` files that hold spaces of strikes."""
        return [entry for entry in self.mogs() if self.content(entry).spaces]

    def sketches(self) -> list[Entry]:
        """The paths that were drawn and kept."""
        return self._listed([self.root / "sketches"], lambda name: name.lower().endswith(".json"))

    def results(self) -> list[Entry]:
        """The results that were kept: each an `.npz`, with a `.json` beside it."""
        return self._listed([self.root / "results"], lambda name: name.lower().endswith(".npz"))

    def exports(self) -> list[Entry]:
        """What was written for other tools."""
        return self._listed([self.root / "exports"], lambda name: True)

    def content(self, entry: Entry) -> Content:
        """What a `.mog` file holds."""
        path = self.root / entry.file
        return self._contents.get((entry.file, entry.modified, entry.size), lambda: content_of(path))

    def find(self, kind: Kind, id: str) -> Path:
        """The file of an id; `Missing` where there is none."""
        listed: dict[Kind, Callable[[], list[Entry]]] = {
            "clip": self.clips, "mog": self.mogs, "sketch": self.sketches, "result": self.results, "export": self.exports,
        }  # fmt: skip
        for entry in listed[kind]():
            if entry.id == id:
                return self.root / entry.file
        raise Missing(f"there is no such {_WORDS[kind]} in the workspace; it may have been renamed or deleted")

    def entry(self, path: Path) -> Entry:
        """The entry of a file in the workspace."""
        return _entry(path.relative_to(self.root).as_posix(), path.stat())

    @property
    def writable(self) -> bool:
        """Whether anything can be written into the folder."""
        return os.access(self.root, os.W_OK | os.X_OK)

    # -- what it holds ------------------------------------------------------------------------------------------------

    def motion(self, clip_id: str) -> Motion:
        """The motion of a clip."""
        return self.read(self.find("clip", clip_id))

    def read(self, path: Path) -> Motion:
        """The motion of a file of the workspace, read once as long as the file stays as it is."""
        return self._motions.get(_stamp(path), lambda: load(path))

    def graph(self, mog_id: str) -> MotionGraph:
        """The motion graph of a `.mog` file."""
        path = self.find("mog", mog_id)
        return self._graphs.get(_stamp(path), lambda: load_graph(path))

    def space(self, mog_id: str, name: str | None = None) -> Space:
        """A space of a `.mog` file, or the only one."""
        path = self.find("mog", mog_id)
        return self._spaces.get((_stamp(path), name), lambda: load_space(path, name))

    # -- places for what is new ---------------------------------------------------------------------------------------

    def new(self, folder: str, name: str, suffix: str, *, replace: bool = False) -> Path:
        """A safe place for a new file, in a folder that is made if need be; " 2", " 3" … is added to a name that is taken.

        A clip's name is taken by any clip of the workspace, whatever its suffix and folder: a graph has one clip of a name. Whoever writes
        while others may do the same holds ``lock``. replace: the name is kept, and what is there will be replaced.
        """
        place = self.folder(folder)
        first = safe(name)
        if replace:
            return place / f"{first}{suffix}"
        taken = {entry.name.casefold() for entry in self.clips()} if folder == "clips" else set()
        for number in count(1):
            chosen = first if number == 1 else f"{first} {number}"
            path = place / f"{chosen}{suffix}"
            if chosen.casefold() not in taken and not os.path.lexists(path):
                return path
        raise AssertionError("numbers do not end")

    def folder(self, name: str) -> Path:
        """A folder directly in the workspace, made if need be; one that is a link to somewhere else is refused."""
        place = self.root / name
        try:
            place.mkdir(exist_ok=True)
        except OSError as error:
            raise FormatError(f"the folder {name} cannot be made: {error.strerror or error}") from error
        if not place.resolve().is_relative_to(self.root):
            raise FormatError(f"the folder {name} lies outside the workspace: nothing is written there")
        return place

    # -- scanning -----------------------------------------------------------------------------------------------------

    def _shown(self) -> Iterator[Path]:
        """The folder itself and its direct subfolders that may hold clips."""
        yield self.root
        for entry in _scan(self.root):
            if entry.name not in _OURS and not entry.name.startswith(".") and self._is(entry, os.DirEntry.is_dir):
                yield Path(entry.path)

    def _listed(self, folders: Iterable[Path], wanted: Callable[[str], bool]) -> list[Entry]:
        """Entries of the files of some folders, by name."""
        found = []
        for folder in folders:
            inside = "" if folder == self.root else f"{folder.relative_to(self.root).as_posix()}/"
            if not folder.resolve().is_relative_to(self.root):
                continue
            for entry in _scan(folder):
                if entry.name.startswith(".") or not wanted(entry.name) or not self._is(entry, os.DirEntry.is_file):
                    continue
                try:
                    found.append(_entry(f"{inside}{entry.name}", entry.stat()))
                except OSError:
                    continue  # gone since the folder was listed
        return sorted(found, key=lambda entry: (_natural(entry.name), entry.file))

    def _is(self, entry: os.DirEntry[str], what: Callable[[os.DirEntry[str]], bool]) -> bool:
        """Whether it is a file, or a folder, and within the workspace even where it is a link."""
        try:
            return what(entry) and (not entry.is_symlink() or Path(entry.path).resolve().is_relative_to(self.root))
        except OSError:
            return False


_WORDS: dict[Kind, str] = {
    "clip": "clip",
    "mog": "graph or space",
    "sketch": "sketch",
    "result": "result",
    "export": "export",
}


def _scan(folder: Path) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as entries:
            return list(entries)
    except OSError:
        return []


def _entry(file: str, status: os.stat_result) -> Entry:
    return _described(file, status.st_mtime_ns, status.st_size)


@lru_cache(20_000)
def _described(file: str, changed: int, size: int) -> Entry:
    """The entry of a file as it is; worked out once, since every list of a folder asks for all of them."""
    modified = datetime.fromtimestamp(changed / 1e9, UTC).isoformat(timespec="microseconds")
    name = file.rpartition("/")[2]
    stem, dot, _ = name.rpartition(".")
    return Entry(id_of(file), stem if dot else name, file, size, modified)


def _stamp(path: Path) -> tuple[str, int, int]:
    try:
        return stamp(path)
    except OSError as error:
        raise Missing(f"{path.name} cannot be read: {error.strerror or error}") from error


@lru_cache(20_000)
def _natural(name: str) -> list[tuple[int, int, str]]:
    """A key by which clip 10 comes after clip 9."""
    parts = re.split(r"(\d+)", name.casefold())
    return [(0, int(part), "") if part.isdecimal() else (1, 0, part) for part in parts if part]


def _motion_bytes(motion: Motion) -> int:
    extra = 0 if motion.translations is None else motion.translations.nbytes
    return _POSED * (motion.root.nbytes + motion.rotations.nbytes + extra)


def _graph_bytes(graph: MotionGraph) -> int:
    return sum(_motion_bytes(clip.motion) for clip in graph.clips) + 100 * len(graph.edges.cost)
