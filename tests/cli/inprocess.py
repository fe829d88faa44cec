"""The command line without a process of its own: as the shell would call it, but many times a second."""

from __future__ import annotations

import io
import json
import sys
from contextlib import chdir, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest.mock import patch

from kinegraph.cli.app import main


@dataclass(frozen=True)
class Done:
    code: int
    out: str
    err: str

    @property
    def json(self) -> dict[str, Any]:
        """The one object on standard output; nothing may stand beside it."""
        assert self.code == 0, self.err
        facts = json.loads(self.out)
        assert isinstance(facts, dict)
        return facts


def call(*words: str | Path, folder: Path | None = None) -> Done:
    out, err = io.StringIO(), io.StringIO()
    code = 0
    argv = ["kinegraph", *map(str, words)]
    with patch.object(sys, "argv", argv), redirect_stdout(out), redirect_stderr(err), chdir(folder or Path.cwd()):
        try:
            main()
        except SystemExit as stop:
            code = int(stop.code or 0)
    return Done(code, out.getvalue(), err.getvalue())
