"""How notebooks show a motion. What draws it belongs to a higher layer, which registers itself here with `show_by`."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from kinegraph.motion.clip import Motion

_shown: list[Callable[[Motion], str]] = []


def show_by(show: Callable[[Motion], str]) -> None:
    """From now on ``show`` makes the HTML of motions."""
    _shown[:] = [show]


def html(motion: Motion) -> str | None:
    """The HTML of a motion; None if nothing makes HTML, so that the notebook shows plain text."""
    return _shown[0](motion) if _shown else None
