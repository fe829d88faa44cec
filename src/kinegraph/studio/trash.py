"""What was deleted, kept aside so that it can be had back."""

from __future__ import annotations

import json
import os
import re
import secrets
import shutil
import time
from itertools import count
from pathlib import Path

from kinegraph.errors import FormatError
from kinegraph.studio.problems import Missing

# seconds after which what was deleted is gone for good
_KEPT = 30 * 24 * 3600.0
_TOKEN = re.compile(r"[0-9a-f]{16}")
_LIST = "files.json"


class Trash:
    """Deleted files of a workspace, in a folder of their own; each deletion has a token."""

    def __init__(self, root: Path, folder: Path):
        self._root = root
        self._folder = folder

    def put(self, *paths: Path) -> str:
        """Move files that belong together into the trash; the token gets them back."""
        token = secrets.token_hex(8)
        place = self._folder / token
        try:
            place.mkdir(parents=True)
            listed = [path.relative_to(self._root).as_posix() for path in paths]
            (place / _LIST).write_text(json.dumps(listed), encoding="utf-8")
            for number, path in enumerate(paths):
                path.replace(place / f"{number}")
        except OSError as error:
            self._take_back(place)
            raise FormatError(f"cannot be deleted: {error.strerror or error}", paths[0].name) from error
        return token

    def restore(self, token: str) -> list[Path]:
        """Put back what a token stands for, under its old name or, where that is taken, one with a number."""
        place = self._find(token)
        try:
            files = [str(file) for file in json.loads((place / _LIST).read_text(encoding="utf-8"))]
            targets = self._free([self._root / file for file in files])
            for number, target in enumerate(targets):
                target.parent.mkdir(parents=True, exist_ok=True)
                (place / f"{number}").replace(target)
            shutil.rmtree(place)
        except (OSError, ValueError) as error:
            raise FormatError(f"it cannot be put back: {error}") from error
        return targets

    def tidy(self) -> None:
        """Remove what was deleted weeks ago."""
        oldest = time.time() - _KEPT
        try:
            for place in list(self._folder.iterdir()):
                if _TOKEN.fullmatch(place.name) and place.stat().st_mtime < oldest:
                    shutil.rmtree(place, ignore_errors=True)
        except OSError:
            return  # there is no trash, or it is not ours to tidy

    def _find(self, token: str) -> Path:
        if _TOKEN.fullmatch(token) and (self._folder / token / _LIST).is_file():
            return self._folder / token
        raise Missing("this is no longer in the trash")

    def _free(self, targets: list[Path]) -> list[Path]:
        """The same places, with one number added to all names where one of them is taken."""
        for number in count(2):
            if not any(os.path.lexists(target) for target in targets):
                break
            targets = [target.with_name(_numbered(target.name, number)) for target in targets]
        return targets

    def _take_back(self, place: Path) -> None:
        """Undo a deletion that failed halfway."""
        try:
            files = json.loads((place / _LIST).read_text(encoding="utf-8"))
            for number, file in enumerate(files):
                if (place / f"{number}").exists():
                    (place / f"{number}").replace(self._root / file)
            shutil.rmtree(place)
        except (OSError, ValueError):
            return  # what cannot be undone is told by the error that led here


def _numbered(name: str, number: int) -> str:
    """``walk.bvh`` as ``walk 2.bvh``; ``walk 2.bvh`` as ``walk 3.bvh``."""
    stem, dot, suffix = name.partition(".")
    return re.sub(r" \d+$", "", stem) + f" {number}{dot}{suffix}"
