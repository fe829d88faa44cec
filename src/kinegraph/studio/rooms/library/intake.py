"""Taking uploaded files into the workspace: each is read first, and what cannot be read leaves nothing behind."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Any

from kinegraph.errors import FormatError, KinegraphError
from kinegraph.formats import asf
from kinegraph.formats.asf_files import SUFFIX, is_free, keep_beside, subjects
from kinegraph.formats.registry import load
from kinegraph.studio.rooms.library.clip_infos import ClipInfos
from kinegraph.studio.rooms.library.uploads import Uploaded
from kinegraph.studio.workspace.files import move
from kinegraph.studio.workspace.names import tidied
from kinegraph.studio.workspace.workspace import Workspace

_log = logging.getLogger("kinegraph.studio")


def take(workspace: Workspace, infos: ClipInfos, files: list[Uploaded]) -> dict[str, Any]:
    """The clips that were taken, and for each file that was not, why."""
    skeletons: dict[str, Path] = {}
    refused: list[dict[str, str]] = []
    for one in files:
        if one.path.suffix == SUFFIX:
            with _told_of(one, refused):
                asf.read(one.path)
                skeletons[tidied(_stem(one.name))] = one.path
    clips: list[dict[str, Any]] = []
    for one in files:
        if one.path.suffix != SUFFIX:
            with _told_of(one, refused):
                clips.append(_taken(workspace, infos, one, skeletons))
    if skeletons and not any(one.path.suffix == ".amc" for one in files):
        refused += (
            {"file": one.name, "error": "an ASF is a skeleton without motion: send it together with its AMC files"}
            for one in files
            if one.path in skeletons.values()
        )
    return {"clips": clips, "refused": refused}


@contextmanager
def _told_of(one: Uploaded, refused: list[dict[str, str]]) -> Iterator[None]:
    """Put a file that cannot be taken among the refused, whatever the reason: those before it are taken, and those after it may be."""
    try:
        yield
    except KinegraphError as error:
        sentence = _told(error)
    except OSError as error:
        sentence = f"it cannot be kept: {error.strerror or type(error).__name__}"
    except Exception as error:  # a fault of a reader
        _log.exception("upload of %r", one.name)
        sentence = f"something went wrong inside kinegraph ({type(error).__name__}); the terminal shows more"
    else:
        return
    refused.append({"file": one.name, "error": sentence})


def _taken(workspace: Workspace, infos: ClipInfos, one: Uploaded, skeletons: dict[str, Path]) -> dict[str, Any]:
    suffix = one.path.suffix
    name = tidied(_stem(one.name))
    if suffix != ".amc":
        motion = load(one.path)
        with workspace.lock:
            path = workspace.new("clips", name, suffix)
            move(one.path, path)
    else:
        skeleton = _skeleton(workspace, name, skeletons)
        motion = load(one.path, skeleton=skeleton)
        with workspace.lock:
            path = _place(workspace, name, skeleton)
            made = keep_beside(skeleton, path, next((n for n, p in skeletons.items() if p == skeleton), None))
            try:
                move(one.path, path)
            except BaseException:
                for file in made:
                    file.unlink(missing_ok=True)
                raise
    called = one.name.replace("\\", "/").split("/")[-1]
    workspace.origins.note(path, "added here" if called == path.name else f"added here, as {called}")
    return infos.clip(path, motion.renamed(path.stem))


def _place(workspace: Workspace, name: str, skeleton: Path) -> Path:
    """A place for an AMC under whose name no other skeleton stands: that may be the one of other clips."""
    for number in count(1):
        path = workspace.new("clips", name if number == 1 else f"{name} {number}", ".amc")
        if is_free(path, skeleton):
            return path
    raise AssertionError("numbers do not end")


def _skeleton(workspace: Workspace, name: str, sent: dict[str, Path]) -> Path:
    """The ASF of an AMC: one that was sent with it, else one that lies among the clips and is named for it or its subject."""
    there = {path.stem.lower(): path for path in (workspace.root / "clips").glob("*.asf")}
    for known in ({stem.lower(): path for stem, path in sent.items()}, there):
        for subject in subjects(name):
            if subject in known:
                return known[subject]
    if len(sent) == 1:
        return next(iter(sent.values()))
    hint = " (those that were sent are named for other subjects)" if sent else ""
    raise FormatError(f"an AMC holds no skeleton: send its ASF together with it{hint}")


def _stem(name: str) -> str:
    """A file's name without its folder and suffix, as it was called on the other side."""
    last = name.replace("\\", "/").split("/")[-1]
    return last.rpartition(".")[0] or last


def _told(error: KinegraphError) -> str:
    """What a reader says, with the place in the file but without where it lay meanwhile."""
    if not isinstance(error, FormatError):
        return str(error)
    place = ":".join(str(part) for part in (error.line, error.column) if part is not None)
    return f"line {place}: {error.what}" if place else error.what
