"""Sphinx: pages of the reference, made from the public names of kinegraph and of its packages.

One page a package, written into docs/api before anything is read. Each holds the package's docstring, a table of its
names and what their docstrings say.
"""

import importlib
import inspect
import re
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

from sphinx.application import Sphinx

import kinegraph

# modules that are no packages, but that whoever extends kinegraph needs
MODULES = ("catalogue", "errors", "watch", "wishes")


def packages() -> list[ModuleType]:
    """The packages that kinegraph makes public, by name."""
    public = (getattr(kinegraph, name) for name in sorted(dir(kinegraph)) if not name.startswith("_"))
    return [one for one in public if inspect.ismodule(one)]


def names(module: ModuleType) -> list[str]:
    """Public names of a module that are no modules themselves."""
    public = sorted(getattr(module, "__all__", ()), key=lambda name: (name[0].isupper(), name))
    return [name for name in public if not name.startswith("_") and not inspect.ismodule(getattr(module, name))]


def page(module: ModuleType, title: str) -> str:
    """The page of one package, as reStructuredText. What kinegraph itself offers too is described there, once."""
    path = module.__name__
    lines = [
        title,
        "=" * len(title),
        "",
        f".. automodule:: {path}",
        "   :no-members:",
        "",
        f".. currentmodule:: {path}",
    ]
    found = names(module)
    above = [] if module is kinegraph else [name for name in found if _above(name, getattr(module, name))]
    own = [name for name in found if name not in above]
    if above:
        lines += ["", "Also here: " + ", ".join(f":py:obj:`kinegraph.{name}`" for name in above) + "."]
    if own:
        lines += ["", ".. autosummary::", "   :nosignatures:", "", *(f"   {name}" for name in own)]
    for name in own:
        lines += ["", *_entry(path, name, getattr(module, name))]
    return "\n".join(lines) + "\n"


def _above(name: str, value: Any) -> bool:
    return getattr(kinegraph, name, None) is value


def _entry(path: str, name: str, value: Any) -> Iterator[str]:
    if inspect.isclass(value):
        yield f".. autoclass:: {path}.{name}"
        if not issubclass(value, BaseException):
            yield "   :members:"
    elif callable(value):
        yield f".. autofunction:: {path}.{name}"
    else:
        yield f".. autodata:: {path}.{name}"
        yield "   :no-value:"


def write_pages(app: Sphinx, _config: Any) -> None:
    """Write all pages, and take away those of packages that are gone."""
    folder = Path(app.srcdir) / "api"
    folder.mkdir(exist_ok=True)
    pages = {"kinegraph": page(kinegraph, "kinegraph")}
    for module in packages():
        pages[module.__name__.rpartition(".")[2]] = page(module, module.__name__)
    for name in MODULES:
        path = f"kinegraph.{name}"
        importlib.import_module(path)
        pages[name] = f"{path}\n{'=' * len(path)}\n\n.. automodule:: {path}\n   :members:\n"
    for old in folder.glob("*.rst"):
        if old.stem not in pages:
            old.unlink()
    for name, text in pages.items():
        target = folder / f"{name}.rst"
        # one that stays as it is need not be read again
        if not target.exists() or target.read_text(encoding="utf-8") != text:
            target.write_text(text, encoding="utf-8")


_CODE = re.compile(r"(``.+?``|`[^`]+`)", re.DOTALL)
_NAME = re.compile(r"`[A-Za-z_][\w.]*`")
_MARKUP = re.compile(r"([*|\\]|(?<=\w)_(?!\w))")
_TOUCHING = re.compile(r"^[^\s\w.,;:!?)\]}'\"/\\-]")


def plain_words(_app: Sphinx, _what: str, _name: str, _value: Any, _options: Any, lines: list[str]) -> None:
    """Docstrings mark code with backticks and nothing else: shield what reStructuredText would take for markup."""
    paragraphs = "\n".join(lines).split("\n\n")
    for index, paragraph in enumerate(paragraphs):
        if not paragraph.lstrip().startswith(">>>"):
            parts = _CODE.split(paragraph)
            parts[1::2] = [part if part[1] == "`" or _NAME.fullmatch(part) else f"`{part}`" for part in parts[1::2]]
            # an escaped space, which is not shown, ends code wherever text goes on at once: ``last``−1
            parts[::2] = [_TOUCHING.sub(r"\\ \g<0>", _MARKUP.sub(r"\\\1", part)) for part in parts[::2]]
            paragraphs[index] = "".join(parts)
    lines[:] = "\n\n".join(paragraphs).split("\n")


def setup(app: Sphinx) -> dict[str, bool]:
    """Called by Sphinx."""
    # imported by their own names, before autodoc looks for them
    importlib.import_module("kinegraph.cli.app")
    app.connect("config-inited", write_pages)
    app.connect("autodoc-process-docstring", plain_words)
    return {"parallel_read_safe": True}
