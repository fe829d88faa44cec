"""Files that appear whole or not at all."""

from __future__ import annotations

import os
import re
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from os import PathLike
from pathlib import Path

from kinegraph.errors import FormatError

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

# What a new file may be read and written by, before the user's umask: temporary files begin as private ones.
_ORDINARY_MODE = 0o666
# Seconds after which a temporary file that nobody holds is nobody's: before, it may be about to be held.
_YOUNG = 2.0


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
    prefix = f".{target.stem[:40]}-"
    try:
        _sweep(target.parent, prefix, target.suffix)
        handle, name = tempfile.mkstemp(suffix=target.suffix, prefix=prefix, dir=target.parent)
    except OSError as error:
        raise FormatError(f"cannot write into the folder {target.parent}: {error.strerror}", target) from error
    held = _hold(handle)
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
        if held is not None:
            os.close(held)
        with suppress(OSError):  # of a disk that fails for good, what led here is told
            temporary.unlink(missing_ok=True)


def _hold(handle: int) -> int | None:
    """Mark a temporary file as somebody's for as long as its handle is open, whatever ends the process; None where it was closed."""
    if fcntl is None:
        os.close(handle)
        return None
    with suppress(OSError):  # some file systems have no locks: there nothing is swept
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    return handle


def _sweep(folder: Path, prefix: str, suffix: str) -> None:
    """Remove what writers of the same file have left that were killed."""
    if fcntl is None:
        return
    left = re.compile(rf"{re.escape(prefix)}[a-z0-9_]{{8}}{re.escape(suffix)}")
    oldest = time.time() - _YOUNG
    with os.scandir(folder) as entries:
        found = [entry.path for entry in entries if left.fullmatch(entry.name)]
    for path in found:
        with suppress(OSError):  # somebody else's, or held, or gone already
            handle = os.open(path, os.O_RDWR | os.O_NOFOLLOW | os.O_NONBLOCK)
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
                if os.fstat(handle).st_mtime < oldest:
                    Path(path).unlink()
            finally:
                os.close(handle)


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
