"""Uploads: a form's files, written to the disk as they come, and never more of them than is allowed."""

from __future__ import annotations

import secrets
import shutil
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from io import BufferedWriter
from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel, Field
from python_multipart.exceptions import FormParserError
from python_multipart.multipart import MultipartParser, parse_options_header
from starlette.requests import ClientDisconnect, Request

from kinegraph.errors import FormatError
from kinegraph.studio.server.problems import Invalid, TooLarge
from kinegraph.studio.server.studio import Studio
from kinegraph.studio.workspace.workspace import HIDDEN, Workspace

_T = TypeVar("_T")

MOST_FILES = 100
MOST_EACH = 200_000_000
MOST_IN_ALL = 500_000_000
FIELD = "files"

# headers of a part: more is no form of a browser
_MOST_HEADER = 16_000


class UploadForm(BaseModel):
    """A form with files."""

    files: list[bytes] = Field(min_length=1, max_length=MOST_FILES)


FORM = {
    "requestBody": {
        "required": True,
        "content": {"multipart/form-data": {"schema": UploadForm.model_json_schema()}},
    }
}
"""What the description tells of an upload."""


@dataclass
class Uploaded:
    """A file that was sent: what it was called, and where it lies, alone in a folder of its own."""

    name: str
    path: Path
    size: int = 0


@dataclass
class _Part:
    key: bytearray = field(default_factory=bytearray)
    value: bytearray = field(default_factory=bytearray)
    headers: dict[bytes, bytes] = field(default_factory=dict)
    told: int = 0


class Incoming:
    """Takes a form's bytes piece by piece; its files lie in a folder of their own, which `close` removes with whatever is left in it."""

    def __init__(self, folder: Path, content_type: str):
        kind, options = parse_options_header(content_type)
        boundary = options.get(b"boundary", b"")
        if kind != b"multipart/form-data" or not boundary:
            raise Invalid(f"files are sent as multipart/form-data, in the field {FIELD!r}")
        self.files: list[Uploaded] = []
        self._folder = folder / secrets.token_hex(8)
        self._total = 0
        self._ended = False
        self._part = _Part()
        self._open: BufferedWriter | None = None
        try:
            self._parser = MultipartParser(
                boundary,
                {
                    "on_part_begin": self._begin,
                    "on_header_field": self._header_field,
                    "on_header_value": self._header_value,
                    "on_header_end": self._header_end,
                    "on_headers_finished": self._start_file,
                    "on_part_data": self._data,
                    "on_part_end": self._end,
                    "on_end": self._finish,
                },
            )
        except FormParserError as error:
            raise Invalid(f"this is no form that can be read: {error}") from error

    def feed(self, data: bytes) -> None:
        """Take a piece of the body."""
        try:
            self._parser.write(data)
        except FormParserError as error:
            raise Invalid(f"this is no form that can be read: {error}") from error
        except OSError as error:
            raise FormatError(f"what was sent cannot be kept: {error.strerror or error}") from error

    def done(self) -> list[Uploaded]:
        """All files, once the whole form has come."""
        if not self._ended:
            raise Invalid("the form ends in its midst: send it again")
        if not self.files:
            raise Invalid(f"the form holds no files: send them in the field {FIELD!r}")
        return self.files

    def close(self) -> None:
        """Remove whatever was not taken elsewhere."""
        if self._open is not None:
            self._open.close()
        shutil.rmtree(self._folder, ignore_errors=True)
        with suppress(OSError):  # other uploads may be under way
            self._folder.parent.rmdir()

    # -- called by the parser -----------------------------------------------------------------------------------------

    def _begin(self) -> None:
        if len(self.files) >= MOST_FILES:
            raise TooLarge(f"at most {MOST_FILES} files are taken at once")
        self._part = _Part()

    def _header_field(self, data: bytes, start: int, end: int) -> None:
        self._count_header(end - start)
        self._part.key += data[start:end]

    def _header_value(self, data: bytes, start: int, end: int) -> None:
        self._count_header(end - start)
        self._part.value += data[start:end]

    def _count_header(self, count: int) -> None:
        self._part.told += count
        if self._part.told > _MOST_HEADER:
            raise Invalid("this is no form that can be read: a header is too long")

    def _header_end(self) -> None:
        self._part.headers[bytes(self._part.key).lower()] = bytes(self._part.value)
        self._part.key.clear()
        self._part.value.clear()

    def _start_file(self) -> None:
        _, options = parse_options_header(self._part.headers.get(b"content-disposition", b""))
        name = options.get(b"filename", b"").decode("utf-8", "replace")
        if options.get(b"name") != FIELD.encode() or not name:
            raise Invalid(f"the form takes files in the field {FIELD!r}, and nothing else")
        place = self._folder / f"{len(self.files)}"
        place.mkdir(parents=True)
        # what it was called is only told: the file has a name of ours, of which the suffix picks the reader
        suffix = "".join(mark for mark in Path(name).suffix.lower() if mark == "." or mark.isalnum())[:12]
        uploaded = Uploaded(name[:300], place / f"clip{suffix}")
        self.files.append(uploaded)
        self._open = uploaded.path.open("wb")

    def _data(self, data: bytes, start: int, end: int) -> None:
        assert self._open is not None
        one = self.files[-1]
        one.size += end - start
        self._total += end - start
        if one.size > MOST_EACH:
            raise TooLarge(f"{one.name[:80]} is too large: at most {MOST_EACH / 1e6:.0f} MB a file are taken")
        if self._total > MOST_IN_ALL:
            raise TooLarge(f"the files are too large: at most {MOST_IN_ALL / 1e6:.0f} MB are taken at once")
        self._open.write(data[start:end])

    def _end(self) -> None:
        if self._open is not None:
            self._open.close()
            self._open = None

    def _finish(self) -> None:
        self._ended = True


def folder(workspace: Workspace) -> Path:
    """Where files lie until they are taken."""
    return workspace.root / HIDDEN / "incoming"


async def received(request: Request, studio: Studio, take: Callable[[Studio, list[Uploaded]], _T]) -> _T:
    """What is made of the files of a form, once all have come; whatever is not taken is removed."""
    place = studio.workspace.inside(folder(studio.workspace))
    incoming = Incoming(place, request.headers.get("content-type", ""))
    try:
        async for piece in request.stream():
            await studio.reading.run(incoming.feed, piece)
        return await studio.reading.run(take, studio, incoming.done())
    except ClientDisconnect as error:
        raise Invalid("the upload was broken off") from error
    finally:
        await studio.reading.run(incoming.close)


def tidy(folder: Path) -> None:
    """Remove what uploads of an earlier run, which was killed, have left."""
    shutil.rmtree(folder, ignore_errors=True)
