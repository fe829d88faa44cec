"""What the commands that make or read a graph have in common: its file, and what is said of it."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.markup import escape

from kinegraph.cli import console
from kinegraph.errors import FormatError, GraphError

if TYPE_CHECKING:
    from kinegraph.graph.model import MotionGraph

Threads = Annotated[
    int | None,
    typer.Option("--threads", min=1, max=1024, help="Threads that compare; as many as processors by default."),
]
Labels = Annotated[
    Path | None,
    typer.Option("--labels", metavar="F.toml", help="Labels of clips and of spans in them, as a TOML file."),
]

# what a draft's name has after that of its output
DRAFT = ".part"


def check_output(path: Path) -> None:
    """Refuse, before any work is done, a place where no graph can be written."""
    if path.suffix.lower() != ".mog":
        raise FormatError("a motion graph is written to a file that ends in .mog", path)
    if path.is_dir():
        raise FormatError("this is a folder: give the name of a file to write", path)
    if not path.parent.is_dir():
        raise FormatError(f"there is no folder {path.parent}: make it first", path)


def centimetres(text: str, option: str, other: str = "") -> float:
    """A distance in metres, from the centimetres that a person wrote; ``other`` says what else the option takes."""
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not 0 < value < math.inf:
        raise GraphError(f"{option}: expected {other}a distance in cm, such as 4.5, got {text!r}")
    return value / 100


def threshold(text: str) -> float | str:
    """``"auto"``, or a distance in metres."""
    return text if text == "auto" else centimetres(text, "--threshold", "auto or ")


def known_names(graph: MotionGraph, names: Sequence[str], path: Path) -> None:
    """Refuse names that no clip of the graph has, and say which come near."""
    for name in names:
        if name not in graph.clip_index:
            near = get_close_matches(name, graph.clip_index, cutoff=0.5)
            meant = f"; near it are {', '.join(near)}" if near else ""
            raise GraphError(
                f"{path} has no clip {name!r}{meant} (kinegraph inspect {path} --clips lists all {len(graph.clips)})"
            )


@contextmanager
def resumable(output: Path) -> Iterator[None]:
    """Where the user stops a build, say that what it compared is kept."""
    try:
        yield
    except KeyboardInterrupt:
        draft = Path(f"{output.resolve()}{DRAFT}")
        if draft.exists():
            console.notice(f"what was compared so far is kept in {draft}: the same command goes on from there")
        raise


def tell(facts: Mapping[str, Any], rows: Sequence[tuple[str, str]], path: Path) -> None:
    """The figures of a graph on standard output, and its notices on standard error."""
    console.out.print(f"[bold]{escape(str(path))}[/]")
    last = ""
    for what, sentence in rows:
        console.out.print(f"  [dim]{'' if what == last else what:<13}[/] {escape(sentence)}")
        last = what
    for sentence in facts["notices"]:
        console.notice(sentence)
