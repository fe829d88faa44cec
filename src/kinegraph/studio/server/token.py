"""The studio's token: who shows it is let in. Others on this machine can reach its ports, but not read its files.

It is kept in the workspace, for its owner alone, so that a page that is open when the studio is started again is let in as before.
"""

from __future__ import annotations

import os
import re
import secrets
import stat
from contextlib import suppress
from pathlib import Path

from kinegraph.errors import FormatError
from kinegraph.studio.workspace.files import inside

_KEPT = re.compile(r"[A-Za-z0-9_-]{32,64}")
_LONGEST = 100  # bytes of the file


def new_token() -> str:
    """One that nobody can guess."""
    return secrets.token_urlsafe(24)


def kept_token(root: Path, folder: Path) -> str:
    """The token of a workspace: the one that is kept in its hidden folder, or a new one, which is kept where that can be done."""
    path = folder / "token"
    with suppress(OSError, FormatError):
        inside(root, folder).mkdir(exist_ok=True)
        return _kept(path) or _put(path, new_token())
    return new_token()


def _kept(path: Path) -> str | None:
    """What the file holds, if nobody but its owner could have written or read it."""
    try:
        descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0))
    except OSError:
        return None
    with os.fdopen(descriptor, "rb") as file:
        about = os.fstat(descriptor)
        if hasattr(os, "getuid") and (about.st_uid != os.getuid() or about.st_mode & 0o077):
            return None
        if not stat.S_ISREG(about.st_mode):
            return None
        text = file.read(_LONGEST).decode("latin-1").strip()
    return text if _KEPT.fullmatch(text) else None


def _put(path: Path, token: str) -> str:
    # what somebody else has put there goes first: opened, it would keep its owner and its readers
    path.unlink(missing_ok=True)
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0), 0o600)
    with os.fdopen(descriptor, "w", encoding="ascii") as file:
        file.write(token)
    return token
