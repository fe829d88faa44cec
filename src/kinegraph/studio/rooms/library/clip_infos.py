"""`ClipInfos`: what clips hold, learnt in the background and kept in a file, so that the list of clips never waits for reading them."""

from __future__ import annotations

import json
import logging
import queue
import time
from collections.abc import Callable, Iterable
from dataclasses import asdict
from pathlib import Path
from threading import Lock, Thread
from typing import Any

import numpy as np

from kinegraph.crew import begin
from kinegraph.errors import KinegraphError
from kinegraph.feet.contacts import contacts
from kinegraph.feet.floating import floating_notices
from kinegraph.formats.atomic import replacing
from kinegraph.formats.registry import load
from kinegraph.graph.making.annotate import annotate
from kinegraph.graph.model import LabelSpan
from kinegraph.motion import Motion
from kinegraph.player import body_id
from kinegraph.studio.server.problems import Missing, sentence_of
from kinegraph.studio.workspace.entries import FileEntry
from kinegraph.studio.workspace.files import printable
from kinegraph.studio.workspace.labels import LabelBook
from kinegraph.studio.workspace.workspace import HIDDEN, Workspace

Facts = dict[str, Any]
Key = tuple[str, str, int, str]

_log = logging.getLogger("kinegraph.studio")

# changes whenever the same file would give other facts, or be known by another key
_VERSION = 3
# frames per second at which labels are found: those of a graph
_LABEL_RATE = 30.0
# seconds that reading in the background waits before it begins
_COURTESY = 0.15
# seconds between two writes of the file
_PAUSE = 3.0
# of a clip that cannot be read, or has not been
_NOTHING: Facts = {
    "frames": 0, "fps": 0.0, "seconds": 0.0, "joints": 0, "height_m": None, "distance_m": None, "notices": [],
    "error": "it has not been read", "skeleton": "", "automatic": [],
}  # fmt: skip


class ClipInfos:
    """Facts of a workspace's clips. tell: called with an entry and its info once they are known."""

    def __init__(self, workspace: Workspace, labels: LabelBook, tell: Callable[[Facts], None] = lambda clip: None):
        self._workspace, self._labels, self._tell = workspace, labels, tell
        self._file = workspace.root / HIDDEN / "clips.json"
        self._known: dict[Key, Facts] = _read(self._file)
        self._named: dict[Key, tuple[object, list[str]]] = {}
        self._asked: set[Key] = set()
        self._queue: queue.SimpleQueue[tuple[Key, FileEntry] | None] = queue.SimpleQueue()
        self._lock = Lock()
        self._worker: Thread | None = None
        self._written = 0.0

    def clips(self, entries: Iterable[FileEntry] | None = None) -> list[Facts]:
        """Entries with their info; where that is not known, None, and it is looked up in the background."""
        listed = list(self._workspace.clips() if entries is None else entries)
        skeletons, version = self._skeletons(listed), self._labels.version
        return [self._clip(entry, self._key(entry, skeletons), version) for entry in listed]

    def clip(self, path: Path, motion: Motion | None = None) -> Facts:
        """The entry of one clip, with its info, read now if need be."""
        entry, key = self._found(path)
        if self._known.get(key, _NOTHING)["error"] is not None:
            self._learn(key, path, motion)
        if key not in self._known:
            raise Missing(f"{entry.name} is no longer there")
        return self._clip(entry, key, self._labels.version)

    def spans(self, path: Path) -> list[Facts]:
        """All labels of one clip with their frames, half-open, in the clip's own rate."""
        self.clip(path)
        entry, key = self._found(path)
        return [asdict(span) for span in self._label_spans(entry, self._known[key])]

    def close(self) -> None:
        """Learn nothing more, and keep what is known."""
        if self._worker is not None:
            self._queue.put(None)
            self._worker.join(2.0)

    # -- how it is found ----------------------------------------------------------------------------------------------

    def _clip(self, entry: FileEntry, key: Key, version: object) -> Facts:
        facts = self._known.get(key)
        if facts is None:
            self._ask(key, entry)
            return {**self._told(entry), "info": None}
        info = {name: value for name, value in facts.items() if name != "automatic"}
        return {**self._told(entry), "info": {**info, "labels": self._label_names(entry, key, facts, version)}}

    def _told(self, entry: FileEntry) -> Facts:
        path = self._workspace.path(entry)
        origins = self._workspace.origins
        return {**entry.told(), "origin": origins.of(path), "made_by": origins.made(path)}

    def _label_spans(self, entry: FileEntry, facts: Facts) -> tuple[LabelSpan, ...]:
        if facts["error"] is not None:
            return ()
        automatic = [LabelSpan(label, first, last, confidence=sure) for label, first, last, sure in facts["automatic"]]
        return self._labels.spans(entry.name, facts["frames"], facts["fps"], automatic)

    def _label_names(self, entry: FileEntry, key: Key, facts: Facts, version: object) -> list[str]:
        """The clip's labels, that of most frames first; version: of the labels file."""
        held = self._named.get(key)
        if held is None or held[0] != version:
            share: dict[str, int] = {}
            for span in self._label_spans(entry, facts):
                share[span.label] = share.get(span.label, 0) + span.last - span.first
            held = self._named[key] = version, sorted(share, key=lambda label: -share[label])
        return held[1]

    def _found(self, path: Path) -> tuple[FileEntry, Key]:
        entry = self._workspace.entry(path)
        return entry, self._key(entry, self._skeletons([entry]))

    def _skeletons(self, entries: list[FileEntry]) -> dict[Path, str]:
        """For each folder with AMC files its ASF files as they are now: with another skeleton, a clip is another."""
        folders = {self._workspace.path(entry).parent for entry in entries if entry.file.lower().endswith(".amc")}
        found = {}
        for folder in folders:
            stamps = []
            for path in sorted(folder.glob("*.[aA][sS][fF]")):
                try:
                    status = path.stat()
                except OSError:
                    continue  # a link to nowhere, or gone meanwhile
                stamps.append(f"{path.name}:{status.st_mtime_ns}:{status.st_size}")
            found[folder] = "|".join(stamps)
        return found

    def _key(self, entry: FileEntry, skeletons: dict[Path, str]) -> Key:
        partner = ""
        if skeletons and entry.file.lower().endswith(".amc"):
            partner = skeletons.get(self._workspace.path(entry).parent, "")
        return entry.id, entry.modified, entry.size, partner

    def _ask(self, key: Key, entry: FileEntry) -> None:
        with self._lock:
            if key in self._asked:
                return
            self._asked.add(key)
            if self._worker is None:
                worker = Thread(target=self._work, name="kinegraph-clips", daemon=True)
                try:
                    begin(worker)
                except MemoryError:  # the next who looks at the list asks again
                    self._asked.discard(key)
                    return
                self._worker = worker
        self._queue.put((key, entry))

    def _work(self) -> None:
        # the list that showed that something is to be read goes first, and the page's own files
        time.sleep(_COURTESY)
        while (asked := self._queue.get()) is not None:
            key, entry = asked
            if key not in self._known:
                self._learn(key, self._workspace.path(entry), None)
            with self._lock:
                self._asked.discard(key)
            if key in self._known:
                self._tell(self._clip(entry, key, self._labels.version))
            if self._queue.empty() or time.monotonic() - self._written > _PAUSE:
                self._keep()
        self._keep()

    def _learn(self, key: Key, path: Path, motion: Motion | None) -> None:
        try:
            facts = described(load(path) if motion is None else motion)
        except KinegraphError as error:
            facts = {**_NOTHING, "error": sentence_of(error, self._workspace.root)}
        except Exception as error:  # one strange file must not keep the others from being shown
            _log.exception("clip %s", path.name)
            facts = {**_NOTHING, "error": printable(f"it cannot be read: {type(error).__name__}: {error}")}
        if facts["error"] is not None and not path.is_file():
            return  # deleted while it was read: should it come back, it is read again
        with self._lock:
            self._known[key] = facts

    def _keep(self) -> None:
        """Write what is known of clips that are there, but what could not be read: that may have had passing reasons."""
        self._written = time.monotonic()
        there = {(entry.id, entry.modified, entry.size) for entry in self._workspace.clips()}
        with self._lock:
            kept = [[*key, facts] for key, facts in self._known.items() if key[:3] in there and facts["error"] is None]
        try:
            self._workspace.inside(self._file).parent.mkdir(exist_ok=True)
            with replacing(self._file) as temporary:
                temporary.write_text(json.dumps({"version": _VERSION, "clips": kept}), encoding="utf-8")
        except (OSError, KinegraphError) as error:
            _log.info("what is known of the clips cannot be kept: %s", error)


def described(motion: Motion) -> Facts:
    """The facts of a motion that the list of clips shows, and the labels that are found in how the body moves."""
    steps = np.diff(motion.root[:, [0, 2]], axis=0)
    return {
        "frames": len(motion),
        "fps": motion.fps,
        "seconds": round(motion.seconds, 6),
        "joints": len(motion.skeleton),
        "height_m": round(motion.skeleton.stature, 4) or None,
        "distance_m": round(float(np.linalg.norm(steps, axis=-1).sum()), 3),
        "notices": [printable(notice) for notice in (*motion.notices, *floating_notices(motion))],
        "error": None,
        "skeleton": body_id(motion.skeleton),
        "automatic": found_labels(motion),
    }


def found_labels(motion: Motion) -> list[list[Any]]:
    """Label, first and last frame (half-open) and confidence of what a body does, found as a graph finds it.

    There are none where its legs are not known.
    """
    rate = min(_LABEL_RATE, motion.fps)
    try:
        coarse = motion.rigid().resample(rate)
        spans = annotate(coarse, contacts(coarse))
    except KinegraphError:
        return []
    factor, frames = motion.fps / rate, len(motion)
    found = []
    for span in spans:
        first, last = (min(round(end * factor), frames) for end in (span.first, span.last))
        if last > first:
            found.append([span.label, first, frames if span.last == len(coarse) else last, span.confidence])
    return found


def _read(file: Path) -> dict[Key, Facts]:
    """What an earlier run knew; nothing where the file is damaged or of another version."""
    try:
        held = json.loads(file.read_text(encoding="utf-8"))
        if held["version"] != _VERSION:
            return {}
        known = {
            (str(id), str(modified), int(size), str(partner)): facts
            for id, modified, size, partner, facts in held["clips"]
        }
        return {key: facts for key, facts in known.items() if _NOTHING.keys() <= facts.keys()}
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return {}
