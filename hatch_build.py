"""The wheel's build hook: builds the studio's page into the package, so that whoever installs it needs no Node."""

from __future__ import annotations

import runpy
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class PageHook(BuildHookInterface):  # type: ignore[type-arg]
    """Builds `web/` before a wheel is made of the package; an editable install builds it with `make web`."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Called before the files of a wheel are gathered."""
        if version != "editable":
            runpy.run_path(str(Path(self.root) / "web" / "build.py"))["build"]()
