"""Commands load what they need and no more: who asks what a clip holds does not wait for a compiler."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.inprocess import call

HEAVY = ("numba", "scipy", "matplotlib", "PIL", "fastapi", "starlette", "uvicorn")


def loaded(*words: str | Path) -> list[str]:
    """Which of the heavy packages a command has loaded when it is done, in a process of its own."""
    script = (
        f"import sys; sys.argv = {['kinegraph', *map(str, words)]!r}\n"
        "from kinegraph.cli import main\n"
        "try:\n    main()\nexcept SystemExit as stop:\n    assert not stop.code, stop.code\n"
        f"print([name for name in {HEAVY!r} if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 0, done.stderr
    return list(eval(done.stdout.splitlines()[-1]))


def test_info_loads_nothing_heavy(clips: Path) -> None:
    assert loaded("info", clips / "walk.bvh") == []


@pytest.mark.parametrize("more", [("--json",), ("--transitions", "walk")])
def test_inspect_loads_nothing_heavy(built: Path, more: tuple[str, ...]) -> None:
    assert loaded("inspect", built, *more) == []


def test_help_names_the_verbs_of_the_graph() -> None:
    listed = call("--help").out
    for verb in ("distance", "build", "add", "remove", "inspect"):
        assert f" {verb} " in listed
        assert call(verb, "--help").code == 0
