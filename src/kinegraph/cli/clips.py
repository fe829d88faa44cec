"""The clips of a graph as people name them on the command line: files and folders."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from kinegraph.cli import reading
from kinegraph.errors import FormatError, GraphError
from kinegraph.formats import asf, suffixes
from kinegraph.formats.registry import format_of
from kinegraph.watch import Watch, Watcher

if TYPE_CHECKING:
    from kinegraph.graph.takes import Take


def clip_files(given: Iterable[Path]) -> list[Path]:
    """The files themselves, and of a folder the motion files in it, by name; folders in a folder are not looked into."""
    files: list[Path] = []
    for path in given:
        if not path.is_dir():
            files.append(path)
            continue
        try:
            inside = sorted(
                entry
                for entry in path.iterdir()
                if entry.suffix.lower() in suffixes() and not entry.name.startswith(".")
            )
        except OSError as error:
            raise FormatError(f"the folder cannot be read: {error.strerror}", path) from error
        if not inside:
            raise FormatError(
                f"no clips in this folder: expected files that end in {', '.join(suffixes())} (folders in it are not looked into)",
                path,
            )
        files += inside
    # a shell's * takes the skeletons along: they are read with their clips
    homes = {path.parent for path in files if path.suffix.lower() == ".amc"}
    return [path for path in files if not (path.suffix.lower() == ".asf" and path.parent in homes)]


def takes(
    given: Sequence[Path],
    *,
    skeleton: Path | None = None,
    units: str = "auto",
    up: str = "y",
    rate: float | None = None,
    keep_tpose: bool = False,
    roles: Path | None = None,
    watch: Watcher = None,
) -> tuple[list[Take], list[str]]:
    """The clips of files and folders, each recording once, named as their files, with what the user should know of them.

    skeleton: the ASF of those AMC that have none beside them.
    """
    from kinegraph.graph.takes import Take

    watch = Watch.of(watch)
    files, notices = _distinct(clip_files(given))
    read = []
    said: dict[str, list[str]] = {}
    for number, (path, sha256) in enumerate(files.items()):
        motion = reading.read(
            path, skeleton=_skeleton(path, skeleton), units=units, up=up, rate=rate, keep_tpose=keep_tpose, roles=roles
        )
        for sentence in motion.notices:
            said.setdefault(sentence, []).append(path.stem)
        read.append(Take(motion.rigid().renamed(path.stem), path.name, sha256))
        watch.tell("read", number + 1, len(files))
    return read, [*notices, *(f"{_those(names, len(read))}: {sentence}" for sentence, names in said.items())]


def _distinct(files: Sequence[Path]) -> tuple[dict[Path, str], list[str]]:
    """File → SHA-256, each content once, and a notice for each that comes again; two contents of one name are refused.

    Asked before any of them is read: reading many clips takes a while, and the error names both folders.
    """
    from kinegraph.graph.takes import file_digest

    known: dict[str, Path] = {}
    named: dict[str, Path] = {}
    notices = []
    for path in files:
        if not path.exists():
            raise FormatError("no such file", path)
        format_of(path)
        sha256 = file_digest(path)
        if sha256 in known:
            same = "is given twice" if path.stem == known[sha256].stem else f"is the same recording as {known[sha256]}"
            notices.append(f"{path} {same}: used once")
        elif path.stem in named:
            raise GraphError(
                f"two different clips are called {path.stem!r}, {named[path.stem]} and {path}: rename one or leave one out"
            )
        else:
            known[sha256] = named[path.stem] = path
    return {path: sha256 for sha256, path in known.items()}, notices


def _skeleton(clip: Path, given: Path | None) -> Path | None:
    """The ASF given by the user, unless the clip has its own."""
    if given is None or clip.suffix.lower() != ".amc":
        return None
    try:
        return asf.beside(clip)
    except FormatError:
        return given


def _those(names: Sequence[str], count: int) -> str:
    """Clips of which the same is to be said."""
    if len(names) == 1:
        return names[0]
    if len(names) == count:
        return "both clips" if count == 2 else f"all {count} clips"
    return f"{len(names)} clips ({names[0]} …)"
