"""Ctrl-C, a failing disk and too little memory: one line, an exit code, and nothing half-written."""

from __future__ import annotations

import errno
import os
import signal
import subprocess
import sys
from importlib.metadata import entry_points
from pathlib import Path

import pytest

from kinegraph import samples, save
from kinegraph.cli import app
from tests.cli.inprocess import call

# presses Ctrl-C when a module is about to be imported
PRESSED = """
import os, signal, sys

# also where whoever runs the tests has switched Ctrl-C off
signal.signal(signal.SIGINT, signal.default_int_handler)

class Press:
    def find_spec(self, name, path=None, target=None):
        if name == {module!r}:
            os.kill(os.getpid(), signal.SIGINT)

sys.meta_path.insert(0, Press())
sys.argv = ["kinegraph", *{words!r}]
from kinegraph.cli import main
main()
"""


@pytest.fixture(scope="module")
def walk(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("clips") / "walk.bvh"
    save(samples.make("walk").motion, path)
    return path


@pytest.mark.skipif(sys.platform == "win32", reason="signals are sent")
@pytest.mark.parametrize(
    "module",
    [
        "typer",
        "rich.console",
        "kinegraph.cli.build",
        "numpy",
        "numpy.linalg",
        "numba",
        "kinegraph.graph.making.builder",
    ],
)
def test_ctrl_c_while_something_is_imported_is_one_line(module: str, walk: Path, tmp_path: Path) -> None:
    words = ["build", str(walk), "-o", str(tmp_path / "g.mog")]
    script = PRESSED.format(module=module, words=words)
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 130, done.stderr
    assert done.stderr.splitlines() == ["error: stopped; nothing half-written was left"]
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(sys.platform == "win32", reason="signals are sent")
@pytest.mark.parametrize(
    "module", ["signal", "kinegraph", "typing", "kinegraph.lazy", "kinegraph.cli", "kinegraph.cli.app"]
)
def test_ctrl_c_while_the_command_itself_is_imported_is_one_line(module: str) -> None:
    """From the first line of ours on, by the way that the installed command takes; `signal` is not even there yet."""
    script = (
        "import sys, _signal, posix\n"
        "_signal.signal(_signal.SIGINT, _signal.default_int_handler)\n"
        "class Press:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        f"        if name == {module!r}:\n"
        "            posix.kill(posix.getpid(), _signal.SIGINT)\n"
        "sys.argv = ['kinegraph', '--version']\n"
        "import kinegraph_command\n"
        "for name in [name for name in sys.modules if name.partition('.')[0] in ('signal', 'typing')]:\n"
        "    del sys.modules[name]  # as if nobody had imported them yet\n"
        "sys.meta_path.insert(0, Press())\n"
        "kinegraph_command.main()\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 130, done.stderr
    assert done.stderr == "error: stopped; nothing half-written was left\n"
    assert done.stdout == ""


def test_the_command_begins_with_the_lines_that_listen() -> None:
    """What is installed calls them, and they import nothing that takes a moment."""
    (command,) = entry_points(group="console_scripts", name="kinegraph")
    assert command.value == "kinegraph_command:main"
    script = "import sys; before = set(sys.modules); import kinegraph_command; print(set(sys.modules) - before)"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout.strip() == "{'kinegraph_command'}"


@pytest.mark.skipif(sys.platform == "win32", reason="signals are sent")
def test_ctrl_c_at_the_very_end_says_nothing(tmp_path: Path) -> None:
    """While Python waits for a thread to end, after the command is done."""
    script = (
        "import sys, threading, time, os, signal\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "sys.argv = ['kinegraph', '--version']\n"
        "def press():\n"
        "    threading.main_thread().join()\n"
        "    os.kill(os.getpid(), signal.SIGINT)\n"
        "    time.sleep(20)\n"
        "threading.Thread(target=press).start()\n"
        "from kinegraph.cli import main\n"
        "main()\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == -signal.SIGINT  # what a shell tells as 130
    assert done.stderr == ""


@pytest.mark.parametrize(
    ("fault", "said"),
    [
        (OSError(errno.EIO, "Input/output error", "clip.bvh"), "clip.bvh: the system refuses it: Input/output error"),
        (MemoryError(), "not enough memory"),
    ],
)
def test_faults_of_the_machine_are_told(fault: BaseException, said: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail() -> None:
        raise fault

    monkeypatch.setattr(app, "app", fail)
    done = call("info")
    assert done.code == 1
    assert said in done.err
    assert "Traceback" not in done.err


@pytest.mark.parametrize("failing", ["fsync", "replace", "scandir"])
def test_a_disk_that_always_fails_is_our_own_error(
    failing: str, walk: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*given: object, **named: object) -> None:
        raise OSError(errno.EIO, "Input/output error")

    monkeypatch.setattr(os, failing, fail)
    if failing == "replace":
        monkeypatch.setattr(Path, "replace", fail)
        monkeypatch.setattr(Path, "unlink", fail)
    done = call("convert", walk, tmp_path / "out.csv")
    assert done.code in (1, 2)
    assert "Input/output error" in done.err
    assert "Traceback" not in done.err
