"""Sphinx: links to files of the repository lead to pages that show them, instead of to downloads."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from docutils import nodes
from pygments.util import ClassNotFound
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.util.osutil import relative_uri

ROOT = Path(__file__).parent.parent.parent
_LANGUAGES = {".py": "python", ".toml": "toml", ".ts": "typescript", ".tsx": "typescript", ".json": "json"}


def show_files(app: Sphinx, tree: nodes.document, docname: str) -> None:
    """Replace downloads of text files by links to their pages."""
    if app.builder.format != "html":
        return
    for node in list(tree.findall(addnodes.download_reference)):
        file = (Path(app.srcdir) / node["reftarget"].lstrip("/")).resolve()
        if not file.is_file():
            file = (Path(app.srcdir) / docname).parent.joinpath(node["reftarget"]).resolve()
        if file.suffix not in _LANGUAGES or not file.is_relative_to(ROOT):
            continue
        page = _page(file)
        shown(app)[page] = file
        link = nodes.reference("", "", *node.children, internal=True)
        link["refuri"] = relative_uri(app.builder.get_target_uri(docname), app.builder.get_target_uri(page))
        node.replace_self(link)


def shown(app: Sphinx) -> dict[str, Path]:
    """Page → file, of all files that some page links to."""
    env: Any = app.env
    if not hasattr(env, "kinegraph_sources"):
        env.kinegraph_sources = {}
    found: dict[str, Path] = env.kinegraph_sources
    return found


def _page(file: Path) -> str:
    return "source/" + file.relative_to(ROOT).as_posix()


def pages(app: Sphinx) -> Iterator[tuple[str, dict[str, Any], str]]:
    """One page a file."""
    for page, file in sorted(shown(app).items()):
        text = file.read_text(encoding="utf-8")
        try:
            code = app.builder.highlighter.highlight_block(text, _LANGUAGES[file.suffix], linenos=False)
        except ClassNotFound:
            continue
        name = page.removeprefix("source/")
        yield page, {"title": name, "body": f"<h1>{name}</h1>\n{code}"}, "page.html"


def setup(app: Sphinx) -> dict[str, bool]:
    """Called by Sphinx."""
    app.connect("doctree-resolved", show_files)
    app.connect("html-collect-pages", pages)
    return {"parallel_read_safe": True, "parallel_write_safe": False}
