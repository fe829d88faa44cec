"""Files of the studio: their names as text, where they may be written, and how they get there whole."""

from __future__ import annotations

import errno
import json
import re
import shutil
from contextlib import suppress
from pathlib import Path
from typing import Any

from kinegraph.errors import FormatError
from kinegraph.formats.atomic import replacing

_SURROGATES = re.compile("[\ud800-\udfff]")


def printable(text: str) -> str:
    r"""The text with a mark of replacement for each byte that is none, as it can be sent, shown and written.

    A name may hold bytes that are no UTF-8, which Python carries as lone surrogates and nobody else takes.

    >>> printable("caf\udce9.bvh") == "caf\N{REPLACEMENT CHARACTER}.bvh"
    True
    """
    return _SURROGATES.sub("\N{REPLACEMENT CHARACTER}", text)


def inside(root: Path, path: Path) -> Path:
    """The path, if whatever is written there stays under ``root``; a `FormatError` that names it where a link leads out.

    Files are replaced where their links lead to (`formats.atomic`), so that a folder from somebody else could have files
    overwritten that are none of the studio's business.
    """
    named = printable(path.relative_to(root).as_posix() if path.is_relative_to(root) else str(path))
    try:
        if path.resolve().is_relative_to(root.resolve()):
            return path
    except (OSError, RuntimeError, ValueError) as error:  # links in a circle, a zero byte
        raise FormatError(f"{named} cannot be written: {error}") from error
    raise FormatError(f"{named} is a link, or lies behind one, that leads out of the folder: nothing is written there")


def write_json(path: Path, value: Any) -> None:
    """Write a file of JSON, whole or not at all."""
    with replacing(path) as temporary:
        temporary.write_text(json.dumps(value, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


def move(source: Path, target: Path) -> None:
    """Move a file, or a link as it is: at once within a disk; from one disk to another by a copy, which appears whole."""
    try:
        source.replace(target)
    except OSError as error:
        if error.errno != errno.EXDEV:
            raise
        if source.is_symlink():
            target.symlink_to(source.readlink())
        else:
            with replacing(target) as temporary:
                shutil.copyfile(source, temporary)
                shutil.copystat(source, temporary)
        with suppress(OSError):  # there is one too many rather than none
            source.unlink()
