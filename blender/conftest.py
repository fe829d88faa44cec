"""The table at the end of the Blender test, and the folder of real clips."""

from __future__ import annotations

import pytest
from tests.conftest import cmu

__all__ = ["cmu"]

# there is no bpy where pytest runs
collect_ignore = ["compare.py"]

ROWS = pytest.StashKey[list[str]]()


def pytest_configure(config: pytest.Config) -> None:
    """An empty table."""
    config.stash[ROWS] = []


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Print what the tests measured."""
    rows = config.stash[ROWS]
    if not rows:
        return
    terminalreporter.section("what Blender found")
    heading = f"{'clip':12} {'file':5} {'joints, worst mm':>17} {'body, worst mm':>15} {'bones':>6} {'names':>6} {'fps':>6} {'frames':>7}"
    for row in [heading, *rows]:
        terminalreporter.write_line(row)
    terminalreporter.write_line(
        "joints: places of all joints in 20 frames; body: corners of the box around the surface"
    )
    terminalreporter.write_line(
        "fps in brackets: not set by Blender's importer (GLB: frames counted at this rate of the scene; USD: the stage's own word)"
    )
