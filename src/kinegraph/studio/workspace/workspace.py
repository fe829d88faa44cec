"""`Workspace`: the folder that the studio shows, and the only one that it reads and writes.

What a request names by id is looked up in a scan of the folder: no text of a request ever becomes part of a path that is read. Links
that lead out of the folder are not followed.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Hashable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from itertools import count
from pathlib import Path
from threading import Lock
from typing import Any, Literal, TypeVar

from kinegraph.characters.character import SUFFIXES
from kinegraph.errors import FormatError
from kinegraph.formats import asf
from kinegraph.formats.registry import load, suffixes
from kinegraph.graph.model import MotionGraph
from kinegraph.graph.store.files import load as load_graph
from kinegraph.motion import Motion
from kinegraph.paths.heightfield import SUFFIXES as FIELDS
from kinegraph.paths.heightfield import HeightField
from kinegraph.strikes.space import Space
from kinegraph.strikes.store.files import load as load_space
from kinegraph.studio.server.cache import Cache, stamp
from kinegraph.studio.server.problems import Missing
from kinegraph.studio.workspace.entries import FileEntry, entry_of, file_of, in_order
from kinegraph.studio.workspace.files import inside, printable
from kinegraph.studio.workspace.mogs import Content
from kinegraph.studio.workspace.mogs import content as content_of
from kinegraph.studio.workspace.names import safe
from kinegraph.studio.workspace.origins import Origins
from kinegraph.studio.workspace.skins import has_skin
from kinegraph.studio.workspace.trash import Trash

_T = TypeVar("_T")

Kind = Literal["clip", "mog", "sketch", "result", "export", "character", "ground"]

HIDDEN = ".kinegraph"
"""The folder of what the studio keeps for itself."""

# folders whose files are no clips, though their suffixes are a motion's
_OURS = frozenset(("results", "exports", "characters", "grounds"))
# bytes of motions, of graphs and of height fields that are held in memory
_MOTIONS = 400_000_000
_GRAPHS = 800_000_000
_FIELDS = 100_000_000
# positions and orientations are kept beside a motion's own arrays once they are asked for
_POSED = 3


class Workspace:
    """A folder with clips, graphs, spaces, sketches, results and exports. See `docs/studio.md` for what lies where."""

    def __init__(self, root: str | os.PathLike[str]):
        self.root = Path(root).resolve()
        if not self.root.is_dir():
            raise FormatError("there is no such folder", self.root)
        self.inside(self.root / HIDDEN)
        self.lock = Lock()
        self._promised: set[Path] = set()
        self.trash = Trash(self.root, self.root / HIDDEN / "trash")
        self.origins = Origins(self.root, self.root / HIDDEN / "origins.json")
        self._motions = Cache[Motion](_MOTIONS, _motion_bytes, file=_of_file)
        self._graphs = Cache[MotionGraph](_GRAPHS, _graph_bytes, file=_of_file)
        self._spaces = Cache[Space](64, lambda space: 1)
        self._contents = Cache[Content](4096, lambda content: 1)
        self._skins = Cache[bool](4096, lambda skinned: 1)
        self._fields = Cache[HeightField](_FIELDS, lambda field: field.heights.nbytes)

    # -- what there is ------------------------------------------------------------------------------------------------

    def clips(self) -> list[FileEntry]:
        """Every motion file of the folder and its direct subfolders."""
        known = suffixes()
        return self._listed(self._shown(), lambda name: name.lower().endswith(known))

    def mogs(self) -> list[FileEntry]:
        """Every `.mog` file, whatever it holds."""
        return self._listed(self._shown(), lambda name: name.lower().endswith(".mog"))

    def sketches(self) -> list[FileEntry]:
        """The paths that were drawn and kept."""
        return self._listed([self.root / "sketches"], lambda name: name.lower().endswith(".json"))

    def results(self) -> list[FileEntry]:
        """The results that were kept: each an `.npz`, with a `.json` beside it."""
        return self._listed([self.root / "results"], lambda name: name.lower().endswith(".npz"))

    def exports(self) -> list[FileEntry]:
        """What was written for other tools."""
        return self._listed([self.root / "exports"], lambda name: True)

    def characters(self) -> list[FileEntry]:
        """Rigged meshes: all of the folder `characters`, and what else has a skin of its own that kinegraph has not made."""
        ours = self.root / "characters"
        found = self._listed([ours, *self._shown()], lambda name: name.lower().endswith(SUFFIXES))
        return [one for one in found if self.path(one).parent == ours or self._has_skin(one)]

    def grounds(self) -> list[FileEntry]:
        """Height fields."""
        return self._listed([self.root / "grounds"], lambda name: name.lower().endswith(FIELDS))

    def _has_skin(self, entry: FileEntry) -> bool:
        path = self.path(entry)
        return self._skins.get((entry.id, entry.modified, entry.size), lambda: has_skin(path))

    def content(self, entry: FileEntry) -> Content:
        """What a `.mog` file holds."""
        path = self.path(entry)
        return self._contents.get((entry.id, entry.modified, entry.size), lambda: content_of(path))

    def find(self, kind: Kind, id: str) -> Path:
        """The file of an id; `Missing` where there is none."""
        listed, word = _KINDS[kind]
        for entry in listed(self):
            if entry.id == id:
                return self.path(entry)
        raise Missing(f"there is no such {word} in the workspace; it may have been renamed or deleted")

    def entry(self, path: Path) -> FileEntry:
        """The entry of a file in the workspace."""
        return entry_of(path.relative_to(self.root).as_posix(), path.stat())

    def path(self, entry: FileEntry) -> Path:
        """Where the file of an entry lies."""
        return self.root / file_of(entry)

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
        return self._motions.get(self.stamp(path), lambda: _loaded(path))

    def stamp(self, path: Path) -> tuple[Hashable, ...]:
        """What changes whenever a file does, or for an AMC the ASF that it rests on."""
        own = _stamp(path)
        if path.suffix.lower() != ".amc":
            return own
        try:
            return (*own, *stamp(asf.beside(path)))
        except (FormatError, OSError):
            return own  # it has none, and cannot be read

    def graph(self, mog_id: str) -> MotionGraph:
        """The motion graph of a `.mog` file."""
        path = self.find("mog", mog_id)
        return self._graphs.get(_stamp(path), lambda: _read_as_text(path, lambda: load_graph(path)))

    def space(self, mog_id: str, name: str | None = None) -> Space:
        """A space of a `.mog` file, or the only one."""
        path = self.find("mog", mog_id)
        return self._spaces.get((_stamp(path), name), lambda: _read_as_text(path, lambda: load_space(path, name)))

    def ground(self, file: str) -> HeightField:
        """A height field, by its file as it is listed; nothing else is opened."""
        path = next((self.path(entry) for entry in self.grounds() if entry.file == file), None)
        if path is None:
            raise Missing(f"there is no height field {file} in the workspace; it may have been renamed or deleted")
        return self._fields.get(_stamp(path), lambda: replace(HeightField.from_file(path), name=file))

    # -- places for what is new ---------------------------------------------------------------------------------------

    def new(self, folder: str, name: str, suffix: str, *, replace: bool = False) -> Path:
        """A safe place for a new file, in a folder that is made if need be; " 2", " 3" … is added to a name that is taken.

        A clip's name is taken by any clip of the workspace, whatever its suffix and folder: a graph has one clip of a name. Whoever writes
        while others may do the same holds ``lock``. replace: the name is kept, and what is there will be replaced.
        """
        place = self.folder(folder)
        first = safe(name)
        if replace:
            return self.inside(place / f"{first}{suffix}")
        taken = self._clip_names() if folder == "clips" else set()
        for number in count(1):
            chosen = first if number == 1 else f"{first} {number}"
            path = place / f"{chosen}{suffix}"
            if chosen.casefold() not in taken and not self._is_taken(path):
                return path
        raise AssertionError("numbers do not end")

    @contextmanager
    def promised(self, choose: Callable[[], Path]) -> Iterator[Path]:
        """A place for what takes long to make, found by ``choose`` under ``lock``: to all others it is taken until the block ends."""
        with self.lock:
            path = self.inside(choose())
            self._promised.add(path)
        try:
            yield path
        finally:
            with self.lock:
                self._promised.discard(path)

    def restore(self, token: str) -> list[Path]:
        """Have back what was deleted, under its old name or, where that is taken by now, one with a number."""
        with self.lock:
            names = self._clip_names()

            def taken(path: Path) -> bool:
                return self._is_taken(path) or (self._may_be_clip(path) and printable(path.stem).casefold() in names)

            return self.trash.restore(token, taken)

    def discard(self, kind: Kind, id: str, beside: Callable[[Path], Iterable[Path]] = lambda path: ()) -> str:
        """Put a file into the trash, with those that go along with it; the token gets them back."""
        with self.lock:
            path = self.find(kind, id)
            token = self.trash.put(path, *beside(path))
        for held in (self._motions, self._graphs):
            held.forget(path)
        return token

    def inside(self, path: Path) -> Path:
        """The path, if what is written there stays in the workspace; a `FormatError` where a link leads out of it."""
        return inside(self.root, path)

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

    def _is_taken(self, path: Path) -> bool:
        return path in self._promised or os.path.lexists(path)

    def _clip_names(self) -> set[str]:
        return {entry.name.casefold() for entry in self.clips()}

    def _may_be_clip(self, path: Path) -> bool:
        """Whether a file of that path would be listed as a clip."""
        folders = path.relative_to(self.root).parts[:-1]
        return path.suffix.lower() in suffixes() and not (folders and folders[0] in _OURS)

    # -- scanning -----------------------------------------------------------------------------------------------------

    def _shown(self) -> Iterator[Path]:
        """The folder itself and its direct subfolders that may hold clips."""
        yield self.root
        for entry in _scan(self.root):
            if entry.name not in _OURS and not entry.name.startswith(".") and self._is(entry, os.DirEntry.is_dir):
                yield Path(entry.path)

    def _listed(self, folders: Iterable[Path], wanted: Callable[[str], bool]) -> list[FileEntry]:
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
                    found.append(entry_of(f"{inside}{entry.name}", entry.stat()))
                except OSError:
                    continue  # gone since the folder was listed
        return in_order(found)

    def _is(self, entry: os.DirEntry[str], what: Callable[[os.DirEntry[str]], bool]) -> bool:
        """Whether it is a file, or a folder, and within the workspace even where it is a link."""
        try:
            return what(entry) and (not entry.is_symlink() or Path(entry.path).resolve().is_relative_to(self.root))
        except OSError:
            return False


# what lists the files of a kind, and what people call one of them
_KINDS: dict[Kind, tuple[Callable[[Workspace], list[FileEntry]], str]] = {
    "clip": (Workspace.clips, "clip"),
    "mog": (Workspace.mogs, "graph or space"),
    "sketch": (Workspace.sketches, "sketch"),
    "result": (Workspace.results, "result"),
    "export": (Workspace.exports, "export"),
    "character": (Workspace.characters, "character"),
    "ground": (Workspace.grounds, "height field"),
}


def _scan(folder: Path) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as entries:
            return list(entries)
    except OSError:
        return []


def _read_as_text(path: Path, read: Callable[[], _T]) -> _T:
    """What is read of a file; what is wrong with it is told with a name that can be sent."""
    try:
        return read()
    except FormatError as error:
        if error.path is None or printable(str(path)) == str(path):
            raise
        raise FormatError(error.what, printable(str(error.path)), error.line, error.column) from error


def _loaded(path: Path) -> Motion:
    motion = _read_as_text(path, lambda: load(path))
    return motion if motion.name == printable(motion.name) else motion.renamed(printable(motion.name))


def _stamp(path: Path) -> tuple[str, int, int]:
    try:
        return stamp(path)
    except OSError as error:
        raise Missing(f"{printable(path.name)} cannot be read: {error.strerror or error}") from error


def _of_file(key: tuple[Any, ...]) -> str:
    """The path in a stamp."""
    return str(key[0])


def _motion_bytes(motion: Motion) -> int:
    extra = 0 if motion.translations is None else motion.translations.nbytes
    return _POSED * (motion.root.nbytes + motion.rotations.nbytes + extra)


def _graph_bytes(graph: MotionGraph) -> int:
    return sum(_motion_bytes(clip.motion) for clip in graph.clips) + 100 * len(graph.edges.cost)
