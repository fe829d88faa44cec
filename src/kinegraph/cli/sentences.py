"""What each verb does, in the sentence that its own file says: read, not imported, since a list of verbs needs no more."""

from __future__ import annotations

import ast
from importlib.util import find_spec
from pathlib import Path

_PACKAGE = Path(__file__).parent


def of_verb(verb: str) -> str:
    """What a verb does: of a command, or of the first task whose command it is.

    >>> of_verb("info")
    "Show joints, frames, rate, duration, extent, body roles and the reader's notices."
    """
    for file in (_PACKAGE / f"{verb}.py", _PACKAGE / verb / "__init__.py"):
        if file.is_file():
            return _of_command(ast.parse(file.read_text(encoding="utf-8")), verb)
    kinds = find_spec("kinegraph.tasks.kinds")
    for folder in (kinds.submodule_search_locations or ()) if kinds else ():
        for file in sorted(Path(folder).glob("*.py")):
            for node in ast.parse(file.read_text(encoding="utf-8")).body:
                said = _constants(node) if isinstance(node, ast.ClassDef) else {}
                if said.get("command") == verb:
                    return said.get("summary", "")
    return ""


def _of_command(module: ast.Module, verb: str) -> str:
    """The first paragraph of the function of that name; of a group of commands, its help."""
    for node in ast.walk(module):
        if isinstance(node, ast.FunctionDef) and node.name == verb:
            return " ".join((ast.get_docstring(node) or "").partition("\n\n")[0].split())
        if isinstance(node, ast.keyword) and node.arg == "help" and isinstance(node.value, ast.Constant):
            return str(node.value.value)
    return ""


def _constants(node: ast.ClassDef) -> dict[str, str]:
    """The texts that a class gives names to."""
    return {
        target.id: str(part.value.value)
        for part in node.body
        if isinstance(part, ast.Assign) and isinstance(part.value, ast.Constant)
        for target in part.targets
        if isinstance(target, ast.Name)
    }
