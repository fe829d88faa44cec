"""The public face: what `import kinegraph as kg` offers, and that it says so."""

from __future__ import annotations

import ast
import inspect
import pkgutil
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path
from types import ModuleType

import pytest

import kinegraph as kg

ROOT = Path(__file__).resolve().parents[1]
SOURCES = sorted((ROOT / "src" / "kinegraph").rglob("*.py"))
VERBS = [
    "load",
    "save",
    "build",
    "follow",
    "wander",
    "visit",
    "repath",
    "strike",
    "join",
    "clean",
    "evaluate",
    "render",
]


def packages() -> list[ModuleType]:
    """kinegraph itself and the packages that it names."""
    return [kg, *(getattr(kg, name) for name in dir(kg) if isinstance(getattr(kg, name), ModuleType))]


def functions() -> list[tuple[str, object]]:
    return [
        (f"{package.__name__}.{name}", getattr(package, name))
        for package in packages()
        for name in dir(package)
        if inspect.isfunction(getattr(package, name))
    ]


def test_every_verb_is_at_the_top() -> None:
    for verb in VERBS:
        assert callable(getattr(kg, verb)), verb
        assert verb in dir(kg)


def test_dir_tells_the_truth() -> None:
    for package in packages():
        listed = package.__all__
        assert sorted(listed) == sorted(dir(package))
        for name in listed:
            assert getattr(package, name) is not None


def test_every_package_is_named_at_the_top() -> None:
    inner = {"cli", "studio"}  # what people start, and do not import
    found = {one.name for one in pkgutil.iter_modules(kg.__path__) if one.ispkg} - inner
    assert found == {package.__name__.removeprefix("kinegraph.") for package in packages()[1:]}


def test_no_public_name_is_that_of_a_module() -> None:
    # whoever imports the module would find it in place of the function
    for package in packages():
        modules = {one.name for one in pkgutil.iter_modules(package.__path__)}
        shadowed = [
            name for name in dir(package) if name in modules and not isinstance(getattr(package, name), ModuleType)
        ]
        assert shadowed == [], package.__name__


def test_no_public_class_name_occurs_twice() -> None:
    names = Counter(
        node.name
        for file in SOURCES
        for node in ast.parse(file.read_text(encoding="utf-8")).body
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_")
    )
    assert [name for name, count in names.items() if count > 1] == []


@pytest.mark.parametrize(("name", "function"), functions(), ids=[name for name, _ in functions()])
def test_every_public_function_has_an_example(name: str, function: object) -> None:
    assert ">>>" in (inspect.getdoc(function) or ""), f"{name} shows no example: pytest runs those in docstrings"


def test_the_verbs_have_the_signature_of_their_task() -> None:
    parameters = inspect.signature(kg.follow).parameters
    assert list(parameters)[:2] == ["graph", "path"]
    assert parameters["label"].default is None
    assert "watch" in parameters
    with pytest.raises(TypeError, match="speeed"):
        kg.follow("graph.mog", "line:3", speeed=2)


@pytest.mark.parametrize(
    "file", [ROOT / "README.md", *sorted((ROOT / "examples").glob("*.py"))], ids=lambda file: file.name
)
def test_what_people_copy_imports_no_deeper_than_one_level(file: Path) -> None:
    deep = re.findall(r"(?:from|import) (kinegraph(?:\.\w+){2,})", file.read_text(encoding="utf-8"))
    assert deep == []


def test_to_import_it_loads_nothing_heavy() -> None:
    script = "import sys, kinegraph; print([n for n in ('numpy', 'scipy', 'numba', 'typer', 'pydantic') if n in sys.modules])"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
