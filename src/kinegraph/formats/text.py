"""Text files as bytes, with the place of every fault: `SourceText` knows how an offset reads as line and column."""

from __future__ import annotations

import codecs
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from kinegraph.errors import FormatError

# words of a line, each with its offset in the file
Words = list[tuple[bytes, int]]

_UTF16 = {codecs.BOM_UTF16_LE: "utf-16-le", codecs.BOM_UTF16_BE: "utf-16-be"}


@dataclass(frozen=True)
class SourceText:
    """A file's bytes (UTF-8 or any superset of ASCII, lines ended by LF or CRLF) and its path."""

    path: Path
    data: bytes

    def error(self, what: str, offset: int) -> FormatError:
        """A `FormatError` that points at ``offset`` in the data."""
        offset = min(max(offset, 0), len(self.data))
        start = self.data.rfind(b"\n", 0, offset) + 1
        # columns are characters, as editors count them
        column = len(self.data[start:offset].decode("utf-8", "replace")) + 1
        return FormatError(what, self.path, self.data.count(b"\n", 0, offset) + 1, column)

    def lines(self, word: re.Pattern[bytes], begin: int, most: int) -> Iterator[tuple[int, Words]]:
        """Start of each line from ``begin`` on that says something, and its words; what follows a # is a comment.

        No more than ``most`` words and one are listed: the rest of a hostile line is not worth its memory.
        """
        while begin < len(self.data):
            end = self.data.find(b"\n", begin)
            end = len(self.data) if end < 0 else end
            words: Words = []
            for found in word.finditer(self.data, begin, end):
                if found.group().startswith(b"#") or len(words) > most:
                    break
                words.append((found.group(), found.start()))
            if words:
                yield begin, words
            begin = end + 1


def read_source(path: str | os.PathLike[str], kind: str) -> SourceText:
    """Read a text file; ``kind`` names the expected format in messages."""
    path = Path(path)
    data = read_bytes(path, kind)
    if data.startswith(codecs.BOM_UTF8):
        data = data[len(codecs.BOM_UTF8) :]
    elif data[:2] in _UTF16:
        data = data[2:].decode(_UTF16[data[:2]], errors="replace").encode()
    if b"\0" in data:
        raise SourceText(path, data).error(
            f"this is not a text file, so not {kind}: it holds a zero byte", data.index(b"\0")
        )
    if b"\r" in data and b"\n" not in data:
        data = data.replace(b"\r", b"\n")
    if not data or data.isspace():
        raise FormatError(f"the file is empty: expected {kind}", path, 1, 1)
    return SourceText(path, data)


def read_bytes(path: Path, kind: str) -> bytes:
    """All bytes of a file, or a `FormatError` that says why not."""
    try:
        if path.is_dir():
            raise FormatError(f"this is a folder: expected a file with {kind}", path)
        return path.read_bytes()
    except FileNotFoundError:
        raise FormatError("no such file", path) from None
    except OSError as error:
        raise FormatError(f"cannot be read: {error.strerror or error}", path) from error
    except ValueError as error:  # a NUL in the name
        raise FormatError(f"cannot be read: {error}", repr(path)) from error


def decoded(name: bytes) -> str:
    """A name as text: UTF-8, or Latin-1 where it is not."""
    try:
        return name.decode()
    except UnicodeDecodeError:
        return name.decode("latin-1")


def quoted(text: bytes | str, most: int = 40) -> str:
    """A token as it may stand in a message: quoted, printable, and never longer than a line."""
    shown = text[: most * 4].decode("utf-8", "replace") if isinstance(text, bytes) else text
    return repr(shown if len(shown) <= most else shown[:most] + "…")
