"""The one way in for clips, whatever they are given as: files, folders, motions in memory.

>>> from kinegraph import samples
>>> taken = clips([samples.make("walk").motion, samples.make("run").motion])
>>> [take.name for take in taken.takes]
['walk', 'run']
"""

from __future__ import annotations

import hashlib
import os
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from os import PathLike
from pathlib import Path
from typing import Any

from kinegraph import notes
from kinegraph.crew import Crew, Threads, in_order
from kinegraph.errors import ClipsError, FormatError, KinegraphError
from kinegraph.formats import asf
from kinegraph.formats.options import PLAIN, ReadOptions
from kinegraph.formats.outgoing import unique
from kinegraph.formats.registry import format_of, read_all, suffixes
from kinegraph.formats.terms import UNSAID, Terms, terms_of
from kinegraph.motion.clip import Motion
from kinegraph.watch import Watch, Watcher

# files from which on threads look through them
_MANY = 16


@dataclass(frozen=True, eq=False)
class Take:
    """A clip as it was taken in: its bones have one length, and its name tells it from the others."""

    motion: Motion
    file: str
    """The file it came from, without its folder; empty for a motion in memory."""
    sha256: str
    """Of what the file or the motion holds."""
    terms: Terms = UNSAID
    """What its folder says of licence and credit."""

    @property
    def name(self) -> str:
        """The clip's name."""
        return self.motion.name

    @classmethod
    def of(cls, motion: Motion, path: Path) -> Take:
        """The take of a file that somebody else has read, named as the file."""
        return cls(motion.rigid().renamed(path.stem), path.name, file_digest(path), terms_of(path))


Given = Motion | Take | str | PathLike[str]
"""What clips may be given as; a path is that of a file or of a folder."""


@dataclass(frozen=True, eq=False)
class Intake:
    """The clips that were taken in, each recording once, and what should be known of them."""

    takes: tuple[Take, ...]
    """In the order in which they were given; those of a folder by name."""
    repeated: tuple[str, ...]
    """A sentence for each recording that was given more than once."""
    remarks: tuple[str, ...]
    """What the readers of the files had to assume or mend."""
    broken: tuple[str, ...] = ()
    """Of each file that was left out, which it is and why it cannot be read."""

    @property
    def notices(self) -> tuple[str, ...]:
        """All that should be known."""
        return self.repeated + self.remarks + tuple(f"{sentence} (left out)" for sentence in self.broken)


@dataclass(frozen=True)
class ClipFile:
    """A file that holds a clip, and what the clip is called."""

    path: Path
    name: str


def clips(
    given: Given | Iterable[Given],
    reading: ReadOptions = PLAIN,
    watch: Watcher = None,
    *,
    strict: bool = True,
    become: Callable[[Take], Any] | None = None,
    keep: Callable[[Any], Any] | None = None,
    crew: Crew | None = None,
) -> Intake:
    """Take in clips: one or many of files, folders, motions in memory, and takes.

    A file's clip is named as the file; of a glTF file with several animations each is a clip, such as ``hero/run``. Folders are searched
    with all folders within them; a clip of a folder within is named with its path, such as ``sub/walk``. Hidden files and folders are
    passed over. Two recordings of one name are refused, a recording that is given again is passed over. watch: told of the stage "read".
    strict: refuse all where one file cannot be read; else such files are left out and named. become: what each take is turned into as
    soon as it is read, by whoever reads it. keep: what that is turned into here, so that it need not be held. crew: who reads.

    >>> from kinegraph import samples
    >>> walk = samples.make("walk").motion
    >>> clips([walk, walk]).notices
    ('walk is given twice: used once',)
    """
    watch = Watch.of(watch)
    kept, repeated = _distinct(_entries(_listed(_many(given))))
    todo = sum(not isinstance(one.source, Take) for one in kept)
    takes: list[Any] = []
    said: dict[str, list[str]] = {}
    broken: list[str] = []
    done = 0
    for one, found in zip(kept, in_order(crew, partial(_taken_in, reading, strict, become), kept), strict=True):
        if isinstance(found, str):
            broken.append(found)
        else:
            for take, name, sentences in found:
                for sentence in sentences:
                    said.setdefault(sentence, []).append(name)
                takes.append(keep(take) if keep else take)
        if not isinstance(one.source, Take):
            done += 1
            watch.tell("read", done, todo)
    if broken and not takes:
        raise FormatError(f"none of {len(broken)} files can be read; the first: {broken[0]}")
    remarks = (f"{_those(names, len(takes))}: {sentence}" for sentence, names in said.items())
    return Intake(tuple(takes), tuple(repeated), tuple(remarks), tuple(broken))


def _taken_in(
    reading: ReadOptions, strict: bool, become: Callable[[Take], Any] | None, one: _Entry
) -> list[tuple[Any, str, tuple[str, ...]]] | str:
    """The takes of what was given, each with its name and what is said of it; or why it cannot be had."""
    try:
        found: list[tuple[Any, str, tuple[str, ...]]] = []
        if isinstance(one.source, Take):
            found.append((one.source, one.name, ()))
        elif isinstance(one.source, Motion):
            found.append((Take(one.source.rigid(), "", one.sha256), one.name, ()))
        else:
            path = one.source.path
            for motion, name, sha in _clips_in(one, replace(reading, skeleton=_skeleton(path, reading.skeleton))):
                take = Take(motion.rigid().renamed(name), path.name, sha, terms_of(path))
                found.append((take, name, motion.notices))
        return [(become(take) if become else take, name, sentences) for take, name, sentences in found]
    except KinegraphError as error:
        if strict or not isinstance(one.source, ClipFile):
            raise
        return str(error) if str(one.source.path) in str(error) else f"{one.source.path}: {error}"


def _clips_in(one: _Entry, reading: ReadOptions) -> list[tuple[Motion, str, str]]:
    """Every clip of a file, what it is called, and its digest: as the file is, where it is the only one."""
    assert isinstance(one.source, ClipFile)
    motions = read_all(one.source.path, reading)
    if len(motions) == 1:
        return [(motions[0], one.name, one.sha256)]
    names = unique([motion.name for motion in motions], "_")
    return [
        (motion, f"{one.name}/{name}", hashlib.sha256(f"{one.sha256} {name}".encode()).hexdigest())
        for motion, name in zip(motions, names, strict=True)
    ]


def clip_files(given: str | PathLike[str] | Iterable[str | PathLike[str]]) -> list[ClipFile]:
    """The clips' files among files and folders, as `clips` finds and names them; none of them is read."""
    return [one for one in _listed(_many(given)) if isinstance(one, ClipFile)]


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


# -- what is given ----------------------------------------------------------------------------------------------------


def _many(given: Given | Iterable[Given]) -> Iterable[Given]:
    return [given] if isinstance(given, Motion | Take | str | PathLike) else given


def _listed(given: Iterable[Given]) -> list[Motion | Take | ClipFile]:
    """Folders replaced by the clips in them, and no skeletons of clips."""
    listed: list[Motion | Take | ClipFile] = []
    for one in given:
        if isinstance(one, Motion | Take):
            listed.append(one)
        elif Path(one).is_dir():
            listed += _inside(Path(one))
        else:
            listed.append(ClipFile(Path(one), Path(one).stem))
    # a shell's * takes the skeletons along: they are read with their clips
    homes = {one.path.parent for one in listed if isinstance(one, ClipFile) and one.path.suffix.lower() == ".amc"}
    return [
        one
        for one in listed
        if not (isinstance(one, ClipFile) and one.path.suffix.lower() == ".asf" and one.path.parent in homes)
    ]


def _inside(folder: Path) -> list[ClipFile]:
    """The clips of a folder and of all folders within it, by name."""
    found: list[Path] = []
    waiting, seen = deque([folder]), set()
    while waiting:
        here = waiting.popleft()
        real = here.resolve()
        if real in seen:  # links may lead to a folder twice, or in a circle
            continue
        seen.add(real)
        try:
            entries = sorted(here.iterdir(), key=lambda entry: (entry.is_symlink(), entry.name))
        except OSError as error:
            raise FormatError(f"the folder cannot be read: {error.strerror}", here) from error
        for entry in entries:
            if entry.name.startswith("."):
                continue
            if entry.is_dir():
                waiting.append(entry)
            elif entry.suffix.lower() in suffixes():
                found.append(entry)
    if not found:
        raise FormatError(
            f"no clips in this folder, nor in any within it: expected files that end in {', '.join(suffixes())}", folder
        )
    return [ClipFile(path, path.relative_to(folder).with_suffix("").as_posix()) for path in sorted(found)]


# -- one from another -------------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class _Entry:
    """Something that was given, before it is read."""

    name: str
    sha256: str
    source: Motion | Take | ClipFile

    @property
    def known_as(self) -> str:
        """What notices call it."""
        return str(self.source.path) if isinstance(self.source, ClipFile) else self.name

    @property
    def place(self) -> str:
        """Where it comes from."""
        if isinstance(self.source, ClipFile):
            return str(self.source.path)
        return (self.source.file if isinstance(self.source, Take) else "") or "one in memory"


def _entries(given: Sequence[Motion | Take | ClipFile]) -> list[_Entry]:
    """All that was given; files are looked through by as many threads as there are processors."""
    if len(given) < _MANY:
        return [_entry(one) for one in given]
    with Threads(os.cpu_count() or 1) as pool:
        return list(pool.map(_entry, given))


def _entry(given: Motion | Take | ClipFile) -> _Entry:
    if isinstance(given, Take):
        return _Entry(given.name, given.sha256, given)
    if isinstance(given, Motion):
        if not given.name:
            raise ClipsError("a clip needs a name: give it one with motion.renamed('…')")
        return _Entry(given.name, digest(given), given)
    if not given.path.exists():
        raise FormatError("no such file", given.path)
    format_of(given.path)
    return _Entry(given.name, file_digest(given.path), given)


def _distinct(entries: Sequence[_Entry]) -> tuple[list[_Entry], list[str]]:
    """Each recording once, and a sentence for each that comes again; two recordings of one name are refused.

    Asked before any file is read: reading many clips takes a while.
    """
    known: dict[str, _Entry] = {}
    named: dict[str, _Entry] = {}
    repeated = []
    for one in entries:
        before = known.get(one.sha256)
        if before is not None:
            kind = notes.TWICE if one.name == before.name else notes.SAME
            repeated.append(kind.say(name=one.known_as, other=before.known_as))
        elif one.name in named:
            raise ClipsError(
                f"two different clips are called {one.name!r}, {named[one.name].place} and {one.place}: rename one or leave one out"
            )
        else:
            known[one.sha256] = named[one.name] = one
    return list(known.values()), repeated


def _skeleton(clip: Path, given: Path | None) -> Path | None:
    """The ASF that was given, unless the clip has its own; for an AMASS archive, the body model."""
    if given is not None and clip.suffix.lower() == ".npz" and given.suffix.lower() == ".npz":
        return given
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
