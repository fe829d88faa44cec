"""The workspace's labels: what people say of clips, in `labels.toml`, which `kinegraph build --labels` reads as well."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterable, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

from kinegraph.errors import FormatError
from kinegraph.formats.atomic import replacing
from kinegraph.graph import labels as rules
from kinegraph.graph.labels import Labels, TimedLabel
from kinegraph.graph.model import LabelSpan
from kinegraph.studio.server.cache import stamp
from kinegraph.studio.workspace.files import inside

FILE = "labels.toml"

_HEADER = re.compile(r"^[ \t]*\[[^\[].*\][ \t]*(#.*)?$")


class LabelBook:
    """The labels file of a workspace, which need not be there."""

    def __init__(self, root: Path):
        self._root = root
        self._path = root / FILE
        self._read: tuple[object, Labels | None, str | None] = (None, None, None)

    @property
    def version(self) -> object:
        """Something that is another whenever the file has changed."""
        try:
            return stamp(self._path)
        except OSError:
            return None

    def read(self) -> Labels | None:
        """What the file says; None where there is none, a `FormatError` where it cannot be understood."""
        labels, error = self._known()
        if error is not None:
            raise FormatError(error, FILE)
        return labels

    @property
    def error(self) -> str | None:
        """What is wrong with the file."""
        return self._known()[1]

    def spans(self, name: str, frames: int, fps: float, automatic: Iterable[LabelSpan]) -> tuple[LabelSpan, ...]:
        """All labels of a clip, by the rule of `kinegraph.graph.labels`; a file that does not fit the clip is left out."""
        found = list(automatic)
        try:
            return rules.spans_for(name, frames, fps, labels_file=self._known()[0], automatic=found)
        except FormatError:
            return rules.spans_for(name, frames, fps, automatic=found)

    def own(self, name: str) -> tuple[TimedLabel, ...]:
        """What the file says in the clip's own table."""
        labels = self.read()
        return labels.tables.get(name, ()) if labels else ()

    def check(self) -> None:
        """Raise what `put` and `rename` would, so that nothing else need be done before: what cannot be understood is not overwritten."""
        self.read()
        inside(self._root, self._path)

    def put(self, name: str, labels: Sequence[TimedLabel]) -> None:
        """Let a clip's own table say this, and nothing else; all other tables stay."""
        self.check()
        self._write(_edited(self._text(), {name: labels}))

    def rename(self, old: str, new: str, labels: Sequence[TimedLabel] | None = None) -> None:
        """Let a clip's own table follow its new name, or say this under it."""
        self.check()
        said = self.own(old) if labels is None else labels
        if said or self.own(old):
            self._write(_edited(self._text(), {old: (), new: said}))

    def _known(self) -> tuple[Labels | None, str | None]:
        version = self.version
        if self._read[0] != version:
            labels, error = None, None
            try:
                labels = rules.read(self._path) if version is not None else None
            except FormatError as fault:
                error = fault.what
            self._read = version, labels, error
        return self._read[1], self._read[2]

    def _text(self) -> str:
        try:
            return self._path.read_text(encoding="utf-8-sig")
        except FileNotFoundError:
            return ""
        except OSError as error:
            raise FormatError(f"cannot be read: {error.strerror or error}", FILE) from error

    def _write(self, text: str) -> None:
        with replacing(self._path) as temporary:
            temporary.write_text(text, encoding="utf-8", newline="\n")


def _edited(text: str, tables: dict[str, Sequence[TimedLabel]]) -> str:
    """The file's text with some tables replaced, or taken out where nothing is said; comments elsewhere stay, if that can be done."""
    wanted: dict[str, Any] = tomllib.loads(text)
    for name, labels in tables.items():
        wanted.pop(name, None)
        if labels:
            wanted[name] = _table(labels)
    edited = text
    for name, labels in tables.items():
        edited = _replaced(edited, name, _written(name, _table(labels)) if labels else "")
    try:
        if tomllib.loads(edited) == wanted:
            return edited
    except tomllib.TOMLDecodeError:
        pass
    return "\n".join(_written(name, table) for name, table in wanted.items())


def _replaced(text: str, name: str, table: str) -> str:
    """The text with the table of that name replaced, or with it at the end."""
    lines = text.splitlines(keepends=True)
    heads = [number for number, line in enumerate(lines) if _HEADER.match(line)]
    for number, following in pairwise([*heads, len(lines)]):
        try:
            if list(tomllib.loads(lines[number])) == [name]:
                return "".join((*lines[:number], table, *(["\n"] if table else []), *lines[following:]))
        except tomllib.TOMLDecodeError:
            continue
    if not table:
        return text
    gap = "" if not text else "\n" if text.endswith("\n") else "\n\n"
    return f"{text}{gap}{table}"


def _table(labels: Sequence[TimedLabel]) -> dict[str, Any]:
    """A clip's table, as TOML would give it."""
    table: dict[str, Any] = {}
    whole = [label.label for label in labels if label.start == 0 and label.end is None]
    spans = [label for label in labels if not (label.start == 0 and label.end is None)]
    if whole:
        table["labels"] = whole
    if spans:
        table["spans"] = [
            {"label": span.label, "from": span.start} | ({} if span.end is None else {"to": span.end}) for span in spans
        ]
    return table


def _written(name: str, table: dict[str, Any]) -> str:
    """A clip's table as text."""
    lines = [f"[{_quoted(name)}]"]
    if "labels" in table:
        lines.append(f"labels = [{', '.join(map(_quoted, table['labels']))}]")
    if "spans" in table:
        lines.append("spans = [")
        for span in table["spans"]:
            fields = (f"{key} = {_quoted(value) if key == 'label' else repr(value)}" for key, value in span.items())
            lines.append(f"  {{{', '.join(fields)}}},")
        lines.append("]")
    return "\n".join(lines) + "\n"


def _quoted(text: str) -> str:
    """A string of TOML: JSON's, but that it escapes one character more."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
