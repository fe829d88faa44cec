"""Labels that people give to clips of the library: to one or to many, so that what was found stays beside them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from kinegraph.graph.labels import TimedLabel, lies_over
from kinegraph.graph.model import LabelSpan
from kinegraph.motion.spans import spans
from kinegraph.studio.rooms.library.clip_infos import ClipInfos
from kinegraph.studio.workspace.labels import LabelBook
from kinegraph.studio.workspace.workspace import Workspace


@dataclass(frozen=True)
class Changed:
    """A clip, by its id, with the labels that people gave it before a change and after it."""

    clip: str
    before: tuple[TimedLabel, ...]
    after: tuple[TimedLabel, ...]


def with_found(known: Sequence[LabelSpan], wanted: Sequence[TimedLabel], frames: int, fps: float) -> list[TimedLabel]:
    """``wanted``, and beside it what was found or named on frames of which people say something for the first time.

    A label of a file drops what was found on its frames (`kinegraph.graph.labels`), which nobody expects who adds one.

    >>> found = [LabelSpan("walk", 0, 90)]
    >>> [(one.label, one.start, one.end) for one in with_found(found, [TimedLabel("careful", 1.0, 2.0)], 90, 30.0)]
    [('careful', 1.0, 2.0), ('walk', 1.0, 2.0)]
    """
    said = np.zeros(frames, np.bool_)
    for label in wanted:
        if not lies_over(label.label):
            said |= _held(label, frames, fps)
    for span in known:
        if span.origin == "file" and not lies_over(span.label):
            said[span.first : span.last] = False
    kept = list(wanted)
    for name in dict.fromkeys(span.label for span in known if span.origin != "file" and not lies_over(span.label)):
        held = np.zeros(frames, np.bool_)
        for span in known:
            if span.label == name and span.origin != "file":
                held[span.first : span.last] = True
        held &= said
        if not held.any():
            continue
        for label in [one for one in kept if one.label == name]:
            held |= _held(label, frames, fps)
        kept = [one for one in kept if one.label != name]
        kept += [
            TimedLabel(name, round(first / fps, 6), None if last == frames else round(last / fps, 6))
            for first, last in spans(held)
        ]
    return kept


def change(
    workspace: Workspace,
    infos: ClipInfos,
    book: LabelBook,
    clips: Sequence[str],
    add: Sequence[str],
    remove: Sequence[str],
) -> list[Changed]:
    """Give labels to whole clips, and take others back that people gave; those that have changed by it.

    Clips that cannot be read are left alone.
    """
    with workspace.lock:
        book.check()
        changed: dict[str, Changed] = {}
        for id in dict.fromkeys(clips):
            path = workspace.find("clip", id)
            name, info = workspace.entry(path).name, infos.clip(path)["info"]
            if info["error"] is not None or name in changed:
                continue
            said = book.own(name)
            wanted = [one for one in said if one.label not in (*add, *remove)]
            wanted += [TimedLabel(label) for label in add]
            known = [LabelSpan(**span) for span in infos.spans(path)]
            after = tuple(with_found(known, wanted, info["frames"], info["fps"]))
            if set(after) != set(said):
                changed[name] = Changed(id, said, after)
        book.put_all({name: one.after for name, one in changed.items()})
    return list(changed.values())


def put(workspace: Workspace, book: LabelBook, tables: Mapping[str, Sequence[TimedLabel]]) -> None:
    """Let clips, by their ids, have these labels of people's and no others."""
    with workspace.lock:
        book.put_all({workspace.entry(workspace.find("clip", id)).name: labels for id, labels in tables.items()})


def _held(label: TimedLabel, frames: int, fps: float) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    held = np.zeros(frames, np.bool_)
    first = min(round(label.start * fps), max(frames - 1, 0))
    held[first : frames if label.end is None else max(round(label.end * fps), first + 1)] = True
    return held
