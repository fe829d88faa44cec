"""Examples in docstrings that need the player's script are skipped where it is not built."""

from __future__ import annotations

import pytest

from kinegraph.player import page

_NEED_PLAYER = {f"{page.__name__}.{function.__name__}" for function in (page.document, page.write, page.notebook)}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark them, once they are known."""
    if not page.is_built():
        for item in items:
            if item.name in _NEED_PLAYER:
                item.add_marker(pytest.mark.skip(reason="the player is not built: make web"))
