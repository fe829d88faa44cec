"""Files that appear whole or not at all."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from os import PathLike
from pathlib import Path

from kinegraph.errors import FormatError

# What a new file may be read and written by, before the user's umask: temporary files begin as private ones.
_ORDINARY_MODE = 0o666


@contextmanager
def replacing(path: str | PathLike[str]) -> Iterator[Path]:
    """A temporary sibling of ``path`` to write; it takes the place of ``path`` when the block ends without an error.

    The temporary file exists and is empty at first, and has the same suffix, since many writers go by it. Where the block
    fails, it is removed and whatever stood at ``path`` is left as it was.
    """
    target = Path(path)
    try:
        if target.is_dir():
            raise FormatError("this is a folder: give the name of a file to write", target)
        if not target.parent.is_dir():
            raise FormatError(f"there is no folder {target.parent}: make it first", target)
        # through a symbolic link the file it points to is replaced, and the link stays
        target = target.resolve()
    except (OSError, RuntimeError, ValueError) as error:  # links in a circle, a zero byte in the name
        raise FormatError(f"no file can be written there: {error}", repr(target)) from error
    try:
        handle, name = tempfile.mkstemp(suffix=target.suffix, prefix=f".{target.stem[:40]}-", dir=target.parent)
    except OSError as error:
        raise FormatError(f"cannot write into the folder {target.parent}: {error.strerror}", target) from error
    os.close(handle)
    temporary = Path(name)
    try:
        yield temporary
        temporary.chmod(_mode_of(target))
        with temporary.open("rb+") as written:
            os.fsync(written.fileno())
        temporary.replace(target)
    except OSError as error:  # a full disk, a folder that went away
        raise FormatError(f"cannot be written: {error.strerror or error}", target) from error
    finally:
        temporary.unlink(missing_ok=True)


def _mode_of(target: Path) -> int:
    """Permissions of the file that is replaced, or those an ordinary new file would get."""
    if target.exists():
        return target.stat().st_mode & 0o777
    umask = os.umask(0)
    os.umask(umask)
    return _ORDINARY_MODE & ~umask


def made_folder(folder: Path) -> Path:
    """The folder, made if need be."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise FormatError(f"cannot be made a folder: {error.strerror}", folder) from error
    return folder
