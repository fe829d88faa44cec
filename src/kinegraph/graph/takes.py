"""Takes: clips as they are given to the builder, from files or from memory, with what tells one from another."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from os import PathLike
from pathlib import Path

from kinegraph.errors import FormatError, GraphError
from kinegraph.formats import load
from kinegraph.motion.clip import Motion


@dataclass(frozen=True, eq=False)
class Take:
    """A motion, the file it came from (without its folder), and a SHA-256 of what it holds."""

    motion: Motion
    file: str
    sha256: str

    @property
    def name(self) -> str:
        """The clip's name."""
        return self.motion.name


def take(given: Motion | str | PathLike[str]) -> Take:
    """A take of a motion, or of the file that holds it."""
    if isinstance(given, Motion):
        if not given.name:
            raise GraphError("a clip of a graph needs a name: give it one with motion.renamed('…')")
        return Take(given.rigid(), "", digest(given))
    path = Path(given)
    motion = load(path).rigid()
    return Take(motion if motion.name else motion.renamed(path.stem), path.name, file_digest(path))


def digest(motion: Motion) -> str:
    """SHA-256 of a motion's numbers."""
    sha = hashlib.sha256()
    for values in (motion.root, motion.rotations, motion.skeleton.offsets):
        sha.update(values.tobytes())
    if motion.translations is not None:
        sha.update(motion.translations.tobytes())
    sha.update(repr((motion.fps, motion.skeleton.names)).encode())
    return sha.hexdigest()


def file_digest(path: Path) -> str:
    """SHA-256 of a file's bytes."""
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest()
    except OSError as error:
        raise FormatError(f"cannot be read: {error.strerror}", path) from error


def distinct(takes: Iterable[Take]) -> tuple[list[Take], tuple[str, ...]]:
    """Each recording once, ordered by name, and a notice for each that was given again; two recordings of one name are refused."""
    by_name: dict[str, Take] = {}
    by_content: dict[str, str] = {}
    notices = []
    for one in takes:
        known = by_content.get(one.sha256)
        if known is not None:
            again = "is given twice" if known == one.name else f"is the same recording as {known}"
            notices.append(f"{one.name} {again}: used once")
            continue
        if one.name in by_name:
            raise GraphError(
                f"two different clips are called {one.name!r} "
                f"({by_name[one.name].file or 'in memory'} and {one.file or 'in memory'}): rename one"
            )
        by_name[one.name] = one
        by_content[one.sha256] = one.name
    return [by_name[name] for name in sorted(by_name)], tuple(notices)
