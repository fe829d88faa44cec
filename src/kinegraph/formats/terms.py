"""Under which terms clips may be used, and whom to name: what the folder that they lie in says of it.

A ``source.toml`` beside the clips, or in a folder above, says it in so many words::

    licence = "CC BY 4.0"
    credit = "CMU Graphics Lab Motion Capture Database, mocap.cs.cmu.edu"

Where there is none, the first line of a ``LICENSE`` (``LICENCE``, ``COPYING``) in the same folder, or in the one above, is the licence;
but that of a program is not that of clips which lie in a folder within it.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from kinegraph.errors import FormatError

# folders above the clip's own in which a source.toml is looked for, and a licence: higher up it is that of something else
_ABOVE, _LICENCE_ABOVE = 3, 1
_LICENCES = ("license", "licence", "copying")
# what a program's folder holds
_PROGRAMS = ("pyproject.toml", "setup.py", "package.json", "Cargo.toml", "CMakeLists.txt")
_LONGEST = 300  # characters
_LARGEST = 1_000_000  # bytes


@dataclass(frozen=True)
class Terms:
    """What a folder says of its clips; empty where it says nothing."""

    licence: str = ""
    credit: str = ""


UNSAID = Terms()
"""Those of a clip of which nobody has said anything."""


def terms_of(clip: Path) -> Terms:
    """The terms of a clip's file."""
    return _terms(clip.absolute().parent)


@lru_cache(maxsize=4096)
def _terms(folder: Path) -> Terms:
    places = [folder, *folder.parents]
    for place in places[: _ABOVE + 1]:
        said = place / "source.toml"
        if said.is_file():
            return _read(said)
    for place in places[: _LICENCE_ABOVE + 1]:
        if place != folder and any((place / name).exists() for name in _PROGRAMS):
            continue
        for file in sorted(_entries(place)):
            if file.stem.lower() in _LICENCES and file.suffix.lower() in ("", ".txt", ".md") and file.is_file():
                return Terms(licence=_first_line(file))
    return Terms()


def _entries(folder: Path) -> list[Path]:
    try:
        return list(folder.iterdir())
    except OSError:
        return []


def _read(file: Path) -> Terms:
    try:
        if file.stat().st_size > _LARGEST:
            raise FormatError("this is too large to say where clips come from", file)
        said = tomllib.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise FormatError(f"cannot be read as TOML: {error}", file) from error
    words = {name: said.get(name, "") for name in ("licence", "license", "credit", "source")}
    for name, value in words.items():
        if not isinstance(value, str):
            raise FormatError(f'{name} must be a text, such as {name} = "CC0 1.0"', file)
    return Terms(_short(words["licence"] or words["license"]), _short(words["credit"] or words["source"]))


def _first_line(file: Path) -> str:
    try:
        with file.open(encoding="utf-8", errors="replace") as lines:
            text = lines.read(10_000)
    except OSError:
        return ""
    return _short(next((line.strip("#* \t") for line in text.splitlines() if line.strip("#* \t")), ""))


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _LONGEST else line[: _LONGEST - 1] + "…"
