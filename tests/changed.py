"""The tests of what has changed: `make quick` runs them.

    python tests/changed.py [REVISION]      # since the last commit, or since that revision

Of a changed module these are the examples in its docstrings, the tests of its name, and the tests that import it, or where there are none
those of its package; of a changed test, the test. What takes a browser or minutes is left to `make test`, unless it was changed itself.
"""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SOURCE = ROOT / "src"
SLOW = (
    "test_page",
    "test_browser",
    "test_three",
    "test_fuzz",
    "test_demo",
    "test_restart",
    "test_examples",
    "test_docs",
)
# what pytest says where no test was found
_NO_TESTS = 5
# tests of one module at most: what half of the suite imports is for the whole suite to judge
_MOST = 12


def changed(since: str = "HEAD") -> list[Path]:
    """Files of the checkout that differ from a revision, also those that git does not know yet."""
    differ = _git("diff", "--name-only", since)
    fresh = _git("ls-files", "--others", "--exclude-standard")
    return [ROOT / name for name in (*differ, *fresh) if (ROOT / name).is_file()]


def selected(files: Iterable[Path]) -> list[Path]:
    """What pytest is to run for changed files."""
    chosen: dict[Path, None] = {}
    tests = [path for path in sorted((ROOT / "tests").rglob("test_*.py")) if not path.name.startswith(SLOW)]
    imports = {path: imported(path) for path in tests}
    for file in files:
        if file.suffix != ".py":
            continue
        if file.is_relative_to(ROOT / "tests"):
            own = [file] if file.name.startswith("test_") else _beside(file, tests)
        elif file.is_relative_to(SOURCE):
            module = _module(file)
            named = [
                path for path in tests if path.stem == f"test_{file.stem}" and path.parent.name in module.split(".")
            ]
            users = [path for path in tests if module in imports[path]]
            near = [path for path in tests if path.parent.name in module.split(".")[1:]]
            own = [file, *(dict.fromkeys([*named, *users[:_MOST]]) or near[:_MOST])]
        else:
            own = []
        chosen |= dict.fromkeys(own)
    return list(chosen)


def imported(file: Path) -> set[str]:
    """The modules of kinegraph that a file imports itself."""
    found = set()
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    return {name for name in found if name.startswith("kinegraph.")}


def _beside(helper: Path, tests: Iterable[Path]) -> list[Path]:
    """The tests in the folder of a helper of theirs."""
    return [path for path in tests if path.parent == helper.parent][:_MOST]


def _module(file: Path) -> str:
    parts = file.relative_to(SOURCE).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def _git(*words: str) -> list[str]:
    return subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, check=True).stdout.split("\n")


def main() -> None:
    files = selected(changed(*sys.argv[1:2]))
    if not files:
        print("nothing has changed that has tests of its own")
        return
    names = [str(path.relative_to(ROOT)) for path in files]
    print(f"{len(names)} files: {' '.join(names[:6])}{' …' if len(names) > 6 else ''}")
    workers = ["-n", "2", "--dist", "worksteal"] if len(names) > 4 else []
    code = subprocess.run([sys.executable, "-m", "pytest", *workers, *names], cwd=ROOT, check=False).returncode
    sys.exit(0 if code == _NO_TESTS else code)


if __name__ == "__main__":
    main()
