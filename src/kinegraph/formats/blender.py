"""Blender as a servant: `blender_script` runs in a process of its own, with arrays handed over in files.

A process of its own, since Blender as a module wants certain versions of Python and NumPy, and ends the whole interpreter where it crashes.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from importlib.util import find_spec
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np

from kinegraph.errors import FormatError, MissingExtraError

# names a Python that has the module bpy
PYTHON_VARIABLE = "KINEGRAPH_BLENDER_PYTHON"
# What the script begins a line with that is meant for people.
_WORD = "kinegraph: "
_SHOWN = 300


def command(purpose: str) -> list[str]:
    """How Blender's Python is started with a script; `MissingExtraError` says how to get it.

    The Python that `KINEGRAPH_BLENDER_PYTHON` names, else this one if it has ``bpy``, else the program ``blender``.
    """
    named = os.environ.get(PYTHON_VARIABLE)
    if named:
        found = shutil.which(named)
        if found is None:
            raise FormatError(f"{PYTHON_VARIABLE} names {named}, which is no program that can be run")
        return [found]
    if find_spec("bpy") is not None:
        return [sys.executable]
    program = shutil.which("blender")
    if program is not None:
        return [program, "--background", "--factory-startup", "--python-exit-code", "1", "--python"]
    raise MissingExtraError(
        f"{purpose} goes through Blender, and there is no program blender on the PATH and no Python with bpy named in "
        f"{PYTHON_VARIABLE}: it",
        "blender",
    )


def run(
    task: str,
    path: str | PathLike[str],
    *,
    purpose: str,
    seconds: float,
    settings: Mapping[str, Any] | None = None,
    arrays: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """Let Blender do a task of `blender_script` with the file ``path``, and give back the arrays it left.

    settings: plain values, of which ``path`` may name another file than the one that messages speak of; arrays: by name. purpose: what is
    being done, for messages. seconds: after which it is stopped. Whatever Blender says goes into the `FormatError` where it fails, in
    short; temporary files are gone afterwards.
    """
    start = command(purpose)
    with tempfile.TemporaryDirectory(prefix="kinegraph-") as name:
        folder = Path(name)
        # a copy apart from its neighbours, whose names (csv, numbers) would hide modules of the standard library
        script = Path(shutil.copy(Path(__file__).with_name("blender_script.py"), folder / "blender_script.py"))
        job = folder / "job.json"
        given, left = folder / "given.npz", folder / "left.npz"
        told = {"task": task, "path": str(Path(path).resolve()), "given": str(given), "left": str(left)}
        job.write_text(json.dumps(told | dict(settings or {})), encoding="utf-8")
        np.savez(given, **dict(arrays or {}))
        # Blender's own temporary files go with ours; NumPy and the rest of this interpreter's path are not for another one
        environment = {key: value for key, value in os.environ.items() if key not in ("PYTHONPATH", "PYTHONHOME")}
        environment |= {"TMPDIR": name, "TEMP": name, "TMP": name}
        try:
            done = subprocess.run(
                [*start, str(script), "--", str(job)],
                stdin=subprocess.DEVNULL,
                capture_output=True,
                timeout=seconds,
                env=environment,
                check=False,
            )
        except subprocess.TimeoutExpired as error:
            raise FormatError(f"{purpose}: Blender was not done after {seconds:.0f} s and was stopped", path) from error
        except OSError as error:
            raise FormatError(f"{purpose}: {start[0]} could not be started: {error.strerror or error}", path) from error
        if done.returncode != 0 or not left.exists():
            raise FormatError(f"{purpose}: {_said(done)}", path)
        with np.load(left, allow_pickle=False) as archive:
            return {key: archive[key] for key in archive.files}


def _said(done: subprocess.CompletedProcess[bytes]) -> str:
    """What went wrong, in a line: the script's own word, else the last that Blender said."""
    lines = [line.strip() for line in done.stderr.decode(errors="replace").splitlines() if line.strip()]
    for line in reversed(lines):
        if line.startswith(_WORD):
            return line.removeprefix(_WORD)[:_SHOWN]
    last = f", saying: {lines[-1][:_SHOWN]}" if lines else ""
    if "No module named 'bpy'" in last:
        return f"the Python used has no bpy: install it there (pip install bpy), or unset {PYTHON_VARIABLE}"
    return f"Blender stopped with code {done.returncode}{last}"
