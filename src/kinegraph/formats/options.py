"""How a file is to be read: what it does not say itself, or says wrongly."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path


@dataclass(frozen=True)
class ReadOptions:
    """The user's word on a file.

    units: ``"auto"``, a name such as ``"cm"``, or metres per unit. up: the file's vertical axis, ``"y"`` or ``"z"``. fps: the rate, over
    whatever the file says. skeleton: the ASF file of an AMC. trim_tpose: drop a T-pose that was put before the capture.
    roles: body role → joint name. skin, animation: names of those that are meant, where a glTF file holds several.
    """

    units: str | float = "auto"
    up: str = "y"
    fps: float | None = None
    skeleton: Path | None = None
    trim_tpose: bool = True
    roles: Mapping[str, str] = field(default_factory=dict)
    skin: str | None = None
    animation: str | None = None
