"""How a file is to be read: what it does not say itself, or says wrongly."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path


@dataclass(frozen=True)
class ReadOptions:
    """The user's word on a file."""

    units: str | float = "auto"
    """Unit of length: ``"auto"``, a name such as ``"cm"``, or metres per unit."""
    up: str = "y"
    """The file's vertical axis, ``"y"`` or ``"z"``."""
    fps: float | None = None
    """Frames per second, over whatever the file says."""
    skeleton: Path | None = None
    """The ASF file of an AMC; the body model of an AMASS archive."""
    trim_tpose: bool = True
    """Drop a T-pose that was put before the capture."""
    roles: Mapping[str, str] = field(default_factory=dict)
    """Body role → joint name, where names alone do not tell."""
    skin: str | None = None
    """Of a glTF file with several characters: the name of the one that is meant."""
    animation: str | None = None
    """Of a glTF file with several clips: the name of the one that is meant."""
    stature: float | None = None
    """Of an AMASS archive: how tall the body is, in metres."""


PLAIN = ReadOptions()
"""Nothing is said: the file is taken at its word."""
