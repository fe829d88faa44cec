"""`kinegraph evaluate`: the quality of any motion file in figures."""

from __future__ import annotations

from typing import Annotated

import typer

from kinegraph.cli import console
from kinegraph.cli.reading import AsJson, File, reads
from kinegraph.cli.reading import read as read_motion
from kinegraph.formats.options import ReadOptions


@reads
def evaluate(
    source: File,
    reading: ReadOptions,
    path: Annotated[
        str | None,
        typer.Option(
            "--path",
            metavar="PATH",
            help="What it was to follow, as for `kinegraph follow`; it begins where that does.",
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Say how good a motion is: how far its feet slide and sink, how fast its knees are, and how well it keeps to a path.

    \b
    kinegraph evaluate walk.bvh
    kinegraph evaluate eight.bvh --path eight:3 --json
    """
    from kinegraph.evaluation.quality.figures import evaluate as judge
    from kinegraph.evaluation.quality.text import rows
    from kinegraph.paths.reading import read

    drawn = None if path is None else read(path)
    motion = read_motion(source, reading)
    quality = judge(motion, path=drawn)
    notices = list(motion.notices)
    if quality.slide_mm is None:
        notices.append(
            "nothing can be said of the feet: the joints' names do not tell hips, knees and ankles (--roles)"
        )
    if as_json:
        console.report({"source": str(source), "path": path, **quality.to_dict(), "notices": notices})
        return
    console.rows(str(source), rows(quality))
    for sentence in notices:
        console.notice(sentence, str(source))
