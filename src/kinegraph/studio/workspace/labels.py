"""The workspace's labels: what people say of clips, in `labels.toml`, which `kinegraph build --labels` reads as well."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from kinegraph.errors import FormatError
from kinegraph.formats.atomic import replacing
from kinegraph.graph import labels as rules
from kinegraph.graph.label_text import edited
from kinegraph.graph.labels import Labels, TimedLabel
from kinegraph.graph.model import LabelSpan
from kinegraph.studio.server.cache import stamp
from kinegraph.studio.workspace.files import inside

FILE = "labels.toml"


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
        self.put_all({name: labels})

    def put_all(self, tables: Mapping[str, Sequence[TimedLabel]]) -> None:
        """The same for several clips, at once."""
        self.check()
        if tables:
            self._write(edited(self._text(), tables))

    def rename(self, old: str, new: str, labels: Sequence[TimedLabel] | None = None) -> None:
        """Let a clip's own table follow its new name, or say this under it."""
        self.check()
        said = self.own(old) if labels is None else labels
        if said or self.own(old):
            self._write(edited(self._text(), {old: (), new: said}))

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
