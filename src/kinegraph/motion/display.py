"""How notebooks show a motion. What draws it lies in a higher layer, and is named here by whoever puts the layers together."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from kinegraph.motion.clip import Motion

_shown: list[Callable[[Motion], str]] = []


def show_by(show: Callable[[Motion], str]) -> None:
    """Let ``show`` make the HTML of motions from now on."""
    _shown[:] = [show]


def html(motion: Motion) -> str | None:
    """The HTML of a motion; None where nobody makes it, and its plain text is shown."""
    return _shown[0](motion) if _shown else None
