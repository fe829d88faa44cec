"""Where the studio may write: within its folder, also where links lie on the way."""

from __future__ import annotations

from pathlib import Path

from kinegraph.errors import FormatError
from kinegraph.studio.workspace.printable import printable


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
