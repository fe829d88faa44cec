"""Changes to clips: their names, their labels, what is cut out of them, and their deletion."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from kinegraph.errors import FormatError
from kinegraph.formats import asf
from kinegraph.formats.registry import save, suffixes
from kinegraph.graph.labels import TimedLabel
from kinegraph.studio.clip_infos import ClipInfos
from kinegraph.studio.intake import keep_beside
from kinegraph.studio.labels import LabelBook
from kinegraph.studio.names import safe
from kinegraph.studio.problems import Conflict, Invalid
from kinegraph.studio.workspace import Workspace


def change(
    workspace: Workspace,
    infos: ClipInfos,
    book: LabelBook,
    id: str,
    name: str | None,
    labels: Sequence[TimedLabel] | None,
) -> Path:
    """Give a clip another name, other labels, or both; the file as it is then."""
    with workspace.lock:
        path = workspace.find("clip", id)
        if labels is not None:
            _check(labels, infos.clip(path)["info"]["seconds"])
            book.put(path.stem, labels)
        if name is not None and safe(name) != path.stem:
            path = _renamed(workspace, book, path, safe(name))
    return path


def trim(
    workspace: Workspace, infos: ClipInfos, book: LabelBook, id: str, first: int, last: int, name: str | None
) -> Path:
    """Frames ``first`` to ``last`` of a clip, half-open, as a clip of its own, with the labels that people gave to them."""
    source = workspace.find("clip", id)
    motion = workspace.read(source)
    if not 0 <= first < last <= len(motion):
        raise Invalid(f"frames {first} to {last} are not within the clip, which has {len(motion)} frames")
    begin, end = first / motion.fps, last / motion.fps
    with workspace.lock:
        path = workspace.new("clips", name or f"{source.stem[:60]} {first}-{last}", ".npz")
        save(motion[first:last].renamed(path.stem), path)
        carried = [_within(label, begin, end) for label in book.own(source.stem)]
        if any(carried):
            book.put(path.stem, [label for label in carried if label is not None])
    return path


def delete(workspace: Workspace, id: str) -> str:
    """Put a clip into the trash, and with it an ASF of its name that no other clip rests on; the token that gets them back."""
    with workspace.lock:
        path = workspace.find("clip", id)
        return workspace.trash.put(path, *_own_skeleton(path))


def kind_of(workspace: Workspace, path: Path) -> str:
    """What a file of the workspace is, as events name it."""
    folder = path.relative_to(workspace.root).parts[0]
    if folder in ("results", "exports", "sketches", "spaces"):
        return folder
    return "clips" if path.suffix.lower() in suffixes() else "graphs"


def _renamed(workspace: Workspace, book: LabelBook, path: Path, name: str) -> Path:
    target = path.with_name(f"{name}{path.suffix}")
    taken = any(
        entry.name.casefold() == name.casefold() and entry.file != path.relative_to(workspace.root).as_posix()
        for entry in workspace.clips()
    )
    if taken or (os.path.lexists(target) and not target.samefile(path)):
        raise Conflict(f"there is a clip called {name!r} already: choose another name")
    skeleton = asf.beside(path) if path.suffix.lower() == ".amc" else None
    own = _own_skeleton(path)
    try:
        path.rename(target)
        for one in own:
            one.rename(one.with_name(f"{name}{one.suffix}"))
        if skeleton is not None and not own:
            keep_beside(skeleton, target)
    except OSError as error:
        raise FormatError(f"cannot be renamed: {error.strerror or error}", path.name) from error
    book.rename(path.stem, name)
    return target


def _own_skeleton(path: Path) -> list[Path]:
    """The ASF of an AMC's own name, where it serves no other clip of the folder."""
    if path.suffix.lower() != ".amc":
        return []
    own = path.with_suffix(".asf")
    if not own.is_file():
        return []
    for other in path.parent.glob("*.[aA][mM][cC]"):
        try:
            if other != path and asf.beside(other) == own:
                return []
        except FormatError:
            continue
    return [own]


def _check(labels: Sequence[TimedLabel], seconds: float) -> None:
    for label in labels:
        if label.start >= seconds:
            raise Invalid(f"labels: {label.label} begins at {label.start:g} s, but the clip lasts {seconds:.2f} s")


def _within(label: TimedLabel, begin: float, end: float) -> TimedLabel | None:
    """A label as it lies on a piece of its clip; None where it does not."""
    start = max(label.start, begin) - begin
    stop = None if label.end is None or label.end >= end else label.end - begin
    if label.start >= end or (stop is not None and stop <= start):
        return None
    return TimedLabel(label.label, round(start, 6), None if stop is None else round(stop, 6))
