"""What the commands that make or read a graph have in common: what is said of it, and builds that can be gone on with."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from kinegraph.cli import console, writing
from kinegraph.errors import GraphError
from kinegraph.watch import Watch

if TYPE_CHECKING:
    from kinegraph.graph.model import MotionGraph

File = Annotated[Path, typer.Argument(metavar="G.mog", help="The graph.")]
Threads = Annotated[
    int | None,
    typer.Option("--threads", min=1, max=1024, help="Threads that compare; as many as processors by default."),
]
Labels = Annotated[
    Path | None,
    typer.Option(
        "--labels",
        metavar="F.toml",
        help="Labels of clips and of spans in them, as a TOML file; docs/labels.md has the format.",
    ),
]
Clips = Annotated[
    list[Path],
    typer.Argument(
        metavar="CLIP…",
        help="Motion files (.bvh, .amc, .glb, .npz …), or folders: all motion files in them and in folders therein.",
    ),
]
Elsewhere = Annotated[
    Path | None, typer.Option("-o", "--output", metavar="OUT.mog", help="Write here and leave G.mog as it is.")
]

# what a draft's name has after that of its output
DRAFT = ".part"


def check_output(path: Path) -> None:
    """Refuse, before any work is done, a place where no graph can be written."""
    writing.check_place(path, ".mog", "a motion graph")


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
def building(output: Path) -> Iterator[Watch]:
    """Bars for a build; where the user stops it, that what it compared is kept."""
    try:
        with console.watch() as watch:
            yield watch
    except KeyboardInterrupt:
        draft = Path(f"{output.resolve()}{DRAFT}")
        if draft.exists():
            console.notice(f"what was compared so far is kept in {draft}: the same command goes on from there")
        raise


def tell(
    graph: MotionGraph, path: Path, notices: Sequence[str], as_json: bool, more: Mapping[str, Any], done: str
) -> None:
    """What is known of a graph that was made, and what was done. more: what only scripts are told."""
    from kinegraph.graph.store.files import steps
    from kinegraph.graph.summary.figures import summary
    from kinegraph.graph.summary.text import short_rows

    facts = summary(graph, steps(path))
    facts["notices"] = [*notices, *facts["notices"]]
    if as_json:
        console.report({"graph": str(path), **more, **facts})
        return
    tell_figures(facts, short_rows(facts), path)
    console.done(f"{path}: {done}")


def tell_figures(facts: Mapping[str, Any], rows: Sequence[tuple[str, str]], path: Path) -> None:
    """The figures of a graph on standard output, with what to beware of, and its notices on standard error."""
    console.rows(str(path), rows)
    for sentence in facts["warnings"]:
        console.warn(sentence)
    console.notices(facts["notices"])
