"""What was deleted, kept aside so that it can be had back."""

from __future__ import annotations

import json
import os
import re
import secrets
import shutil
import time
from collections.abc import Callable
from contextlib import suppress
from itertools import count
from pathlib import Path

from kinegraph.errors import FormatError
from kinegraph.studio.server.problems import Missing
from kinegraph.studio.workspace.files import inside, move

# seconds after which what was deleted is gone for good
_KEPT = 30 * 24 * 3600.0
# bytes of all that is kept; what was deleted first goes first
_ROOM = 5_000_000_000
_TOKEN = re.compile(r"[0-9a-f]{16}")
_LIST = "files.json"


class Trash:
    """Deleted files of a workspace, in a folder of their own; each deletion has a token."""

    def __init__(self, root: Path, folder: Path, room: int = _ROOM):
        self._root = root
        self._folder = folder
        self._room = room

    def put(self, *paths: Path) -> str:
        """Move files that belong together into the trash; the token gets them back."""
        token = secrets.token_hex(8)
        place = inside(self._root, self._folder) / token
        try:
            place.mkdir(parents=True)
            listed = [path.relative_to(self._root).as_posix() for path in paths]
            (place / _LIST).write_text(json.dumps(listed), encoding="utf-8")
            for number, path in enumerate(paths):
                move(path, place / f"{number}")
        except (OSError, FormatError) as error:
            self._take_back(place)
            why = error.what if isinstance(error, FormatError) else error.strerror or error
            raise FormatError(f"cannot be deleted: {why}", paths[0].name) from error
        self.tidy(but=token)
        return token

    def restore(self, token: str, taken: Callable[[Path], bool] = os.path.lexists) -> list[Path]:
        """Put back what a token stands for, under its old name or, where that is taken, one with a number.

        taken: whether a place is, by a file or by anything else that the name would be at odds with.
        """
        place = self._find(token)
        done: list[tuple[Path, Path]] = []
        try:
            files = [str(file) for file in json.loads((place / _LIST).read_text(encoding="utf-8"))]
            targets = _free([self._root / file for file in files], taken)
            for number, target in enumerate(targets):
                inside(self._root, target.parent).mkdir(parents=True, exist_ok=True)
                move(place / f"{number}", target)
                done.append((target, place / f"{number}"))
            shutil.rmtree(place, ignore_errors=True)
        except (OSError, ValueError, LookupError, FormatError) as error:
            with suppress(OSError, FormatError):
                for target, kept in done:  # all of it or nothing: it can be tried once more
                    move(target, kept)
            raise FormatError(f"it cannot be put back: {error}") from error
        return targets

    def tidy(self, but: str | None = None) -> None:
        """Remove what was deleted weeks ago, and the oldest of what is more than there is room for; ``but`` stays in any case."""
        oldest, taken = time.time() - _KEPT, 0
        try:
            places = [one for one in inside(self._root, self._folder).iterdir() if _TOKEN.fullmatch(one.name)]
            for place in sorted(places, key=lambda one: (one.name == but, one.stat().st_mtime), reverse=True):
                taken += sum(file.lstat().st_size for file in place.iterdir())
                if place.name != but and (place.stat().st_mtime < oldest or taken > self._room):
                    shutil.rmtree(place, ignore_errors=True)
        except (OSError, FormatError):
            return  # there is no trash, or it is not ours to tidy

    def _find(self, token: str) -> Path:
        if _TOKEN.fullmatch(token) and (self._folder / token / _LIST).is_file():
            return inside(self._root, self._folder / token)
        raise Missing("this is no longer in the trash")

    def _take_back(self, place: Path) -> None:
        """Undo a deletion that failed halfway."""
        try:
            files = json.loads((place / _LIST).read_text(encoding="utf-8"))
            for number, file in enumerate(files):
                if os.path.lexists(place / f"{number}"):
                    move(place / f"{number}", self._root / file)
            shutil.rmtree(place)
        except (OSError, ValueError, FormatError):
            return  # what cannot be undone is told by the error that led here


def _free(wanted: list[Path], taken: Callable[[Path], bool]) -> list[Path]:
    """The same places, with one number added to all names where one of them is taken."""
    targets, stem = wanted, wanted[0].stem
    for number in count(2):
        if not any(map(taken, targets)):
            break
        # files that belong together begin with the same name; a number that it ends with may be a take's own, and stays
        targets = [path.with_name(f"{stem} {number}{path.name.removeprefix(stem)}") for path in wanted]
    return targets
