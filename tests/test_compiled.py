"""Compiled code is kept between processes, and never used for anything but what it was made of."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
HELPER = """
from typing import NamedTuple
from kinegraph.compiled import njit

FACTOR = 2.0

class Pair(NamedTuple):
    first: float
    second: float

@njit(cache=True)
def times(x):
    return sum([x * 1.0 for _ in range(2)])
"""
CALLER = """
import helper
from helper import FACTOR, times
from kinegraph.compiled import njit

@njit(cache=True)
def asked(pair):
    return FACTOR * times(pair.first)

if __name__ == "__main__":
    given = [one for one in vars(helper).values() if isinstance(one, type) and hasattr(one, "_fields")][0]
    print(asked(given(3.0, 5.0)), sum(asked.stats.cache_hits.values()))
"""


def told(folder: Path) -> tuple[float, int]:
    """What a new process finds, and how often it has found it compiled."""
    done = subprocess.run(
        [sys.executable, "-c", "import runpy; runpy.run_module('caller', run_name='__main__')"],
        cwd=folder,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr[-1000:]
    found, hits = done.stdout.split()
    return float(found), int(hits)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "helper.py").write_text(HELPER)
    # a module by name, as those of kinegraph: what is run by its path is another one each time
    (tmp_path / "caller.py").write_text(CALLER)
    assert told(tmp_path) == (12.0, 0)
    return tmp_path


def test_what_has_not_changed_is_compiled_once(folder: Path) -> None:
    assert told(folder) == (12.0, 1)


@pytest.mark.parametrize(
    ("before", "after", "found"),
    [
        ("x * 1.0", "x * 10.0", 120.0),
        ("range(2)", "range(3)", 18.0),
        ("FACTOR = 2.0", "FACTOR = 3.0", 18.0),
        ("first: float\n    second: float", "second: float\n    first: float", 20.0),
        # what is kept names a class that is there no more
        ("class Pair", "class Couple", 12.0),
    ],
    ids=["callee", "inner loop", "constant", "order of fields", "name of a class"],
)
def test_what_has_changed_in_another_file_is_compiled_anew(folder: Path, before: str, after: str, found: float) -> None:
    helper = folder / "helper.py"
    helper.write_text(helper.read_text().replace(before, after))
    assert told(folder) == (found, 0)
    assert told(folder) == (found, 1)


@pytest.mark.parametrize("kind", ["nbi", "nbc"])
def test_what_is_cut_off_is_compiled_anew(folder: Path, kind: str) -> None:
    for file in folder.rglob(f"caller.asked*.{kind}"):
        file.write_bytes(file.read_bytes()[:40])
    assert told(folder) == (12.0, 0)
    assert told(folder) == (12.0, 1)


def test_all_that_is_compiled_is_kept_so() -> None:
    asked = [
        file for file in (ROOT / "src").rglob("*.py") if re.search(r"(?:from|import) numba.*njit", file.read_text())
    ]
    assert asked == []
