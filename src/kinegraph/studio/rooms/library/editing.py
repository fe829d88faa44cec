"""Changes to clips: their names, their labels, what is cut out of them, and their deletion."""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from kinegraph.errors import FormatError, KinegraphError
from kinegraph.formats import asf
from kinegraph.formats.asf_files import SUFFIX, is_free, keep_beside, own_skeleton, settle
from kinegraph.formats.registry import save, suffixes
from kinegraph.graph.labels import TimedLabel
from kinegraph.graph.model import LabelSpan
from kinegraph.studio.rooms.library.clip_infos import ClipInfos
from kinegraph.studio.rooms.library.labelling import with_found
from kinegraph.studio.server.problems import Conflict, Invalid
from kinegraph.studio.workspace.labels import LabelBook
from kinegraph.studio.workspace.names import safe, tidied
from kinegraph.studio.workspace.workspace import Workspace


def change(
    workspace: Workspace,
    infos: ClipInfos,
    book: LabelBook,
    id: str,
    name: str | None,
    labels: Sequence[TimedLabel] | None,
    keep_found: bool = False,
) -> Path:
    """Give a clip another name, other labels, or both, or else neither; the file as it is then.

    keep_found: what was found on the labels' frames stays beside them.
    """
    with workspace.lock:
        path = workspace.find("clip", id)
        if labels is not None:
            info = infos.clip(path)["info"]
            _check(labels, info["seconds"])
            if keep_found:
                known = [LabelSpan(**span) for span in infos.spans(path)]
                labels = with_found(known, labels, info["frames"], info["fps"])
        if name is not None and safe(name) != path.stem:
            return _renamed(workspace, book, path, safe(name), labels)
        if labels is not None:
            book.put(workspace.entry(path).name, labels)
    return path


def trim(workspace: Workspace, book: LabelBook, id: str, first: int, last: int, name: str | None) -> Path:
    """Frames ``first`` to ``last`` of a clip, half-open, as a clip of its own, with the labels that people gave to them."""
    source = workspace.find("clip", id)
    motion = workspace.read(source)
    if not 0 <= first < last <= len(motion):
        raise Invalid(f"frames {first} to {last} are not within the clip, which has {len(motion)} frames")
    begin, end = first / motion.fps, last / motion.fps
    with workspace.lock:
        said = workspace.entry(source).name
        carried = [kept for label in book.own(said) if (kept := _within(label, begin, end)) is not None]
        if carried:
            book.check()
        # the source may have been called anything before it came here
        path = workspace.new("clips", name or tidied(f"{said[:60]} {first}-{last}"), ".npz")
        save(motion[first:last].renamed(path.stem), path)
        try:
            if carried:
                book.put(path.stem, carried)
        except BaseException:
            path.unlink(missing_ok=True)
            raise
        workspace.origins.note(path, f"frames {first} to {last - 1} of {said}")
    return path


def kind_of(workspace: Workspace, path: Path) -> str:
    """What a file of the workspace is, as events name it."""
    folder = path.relative_to(workspace.root).parts[0]
    if folder in ("results", "exports", "sketches", "spaces", "characters", "grounds"):
        return folder
    return "clips" if path.suffix.lower() in suffixes() else "graphs"


def _renamed(workspace: Workspace, book: LabelBook, path: Path, name: str, labels: Sequence[TimedLabel] | None) -> Path:
    """Move a clip, with its skeleton and its labels; whatever speaks against it is looked for first, and what fails is undone."""
    entry, target = workspace.entry(path), path.with_name(f"{name}{path.suffix}")
    taken = any(other.name.casefold() == name.casefold() and other.id != entry.id for other in workspace.clips())
    if taken or _is_another(target, path):
        raise Conflict(f"there is a clip called {name!r} already: choose another name")
    if labels is not None or book.own(entry.name):
        book.check()
    skeleton = asf.beside(path) if path.suffix.lower() == ".amc" else None
    if skeleton is not None and not is_free(target, skeleton):
        raise Conflict(f"there is a skeleton called {name + SUFFIX!r} already, which is another: choose another name")
    own = [one for one in own_skeleton(path) if not _is_another(target.with_suffix(SUFFIX), one)]
    moves = [(path, target), *((one, target.with_suffix(SUFFIX)) for one in own)]
    made: list[Path] = []
    try:
        if own:
            made += settle(target.with_suffix(SUFFIX), path)
        for old, new in moves:
            old.rename(new)
        if skeleton is not None and not own:
            made += keep_beside(skeleton, target)
        book.rename(entry.name, name, labels)
    except (OSError, KinegraphError) as error:
        _undo(moves, made)
        if isinstance(error, KinegraphError):
            raise
        raise FormatError(f"cannot be renamed: {error.strerror or error}", path.name) from error
    workspace.origins.moved(path, target)
    return target


def _is_another(target: Path, path: Path) -> bool:
    """Whether something is there that is not the file itself, as it is where only the case of letters changes."""
    return os.path.lexists(target) and not (target.exists() and target.samefile(path))


def _undo(moves: list[tuple[Path, Path]], made: list[Path]) -> None:
    """Have files back where they were before a renaming that failed."""
    with suppress(OSError):
        for old, new in moves:
            if not os.path.lexists(old):
                new.rename(old)
        for file in made:
            file.unlink(missing_ok=True)


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
