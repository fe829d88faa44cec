"""Packages whose names are imported on first use, so that nobody waits for what they do not ask for.

A package's ``__init__`` lists its names once, as imports that only type checkers carry out::

    if TYPE_CHECKING:
        from kinegraph.graph.model import MotionGraph as MotionGraph

    __getattr__, __dir__, __all__ = lazy.attach(__name__)

At run time the same lines say where each name lives.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable
from importlib import import_module
from typing import Any


def attach(package: str) -> tuple[Callable[[str], Any], Callable[[], list[str]], list[str]]:
    """What a package needs to import its names on first use: its ``__getattr__``, ``__dir__`` and ``__all__``.

    >>> import kinegraph.graph
    >>> "build" in dir(kinegraph.graph), kinegraph.graph.build.__module__
    (True, 'kinegraph.graph.making.builder')
    """
    homes = _homes(package)
    public = sorted(homes)

    def get(name: str) -> Any:
        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        module, own = homes[name]
        # what a package imports from itself are its parts
        found = import_module(f"{package}.{own}") if module == package else getattr(import_module(module), own)
        setattr(sys.modules[package], name, found)
        return found

    return get, lambda: public, public


def _homes(package: str) -> dict[str, tuple[str, str]]:
    """Name → the module that holds it and what it is called there, from the imports under ``TYPE_CHECKING``."""
    spec = sys.modules[package].__spec__
    source = spec.loader.get_source(package) if spec and spec.loader else None  # type: ignore[attr-defined]
    homes: dict[str, tuple[str, str]] = {}
    for branch in ast.parse(source or "").body:
        if isinstance(branch, ast.If) and ast.unparse(branch.test) == "TYPE_CHECKING":
            for node in branch.body:
                if isinstance(node, ast.ImportFrom) and node.module:
                    homes |= {alias.asname or alias.name: (node.module, alias.name) for alias in node.names}
    return homes
