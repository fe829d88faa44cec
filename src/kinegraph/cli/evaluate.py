"""`kinegraph evaluate`: the quality of any motion file in figures."""

from __future__ import annotations

from pathlib import Path as FilePath
from typing import TYPE_CHECKING, Annotated

import typer

from kinegraph.cli import console
from kinegraph.cli.reading import AsJson, File, reads
from kinegraph.cli.reading import read as read_motion
from kinegraph.errors import KinegraphError
from kinegraph.formats.options import ReadOptions

if TYPE_CHECKING:
    from kinegraph.graph.model import MotionGraph
    from kinegraph.motion import Motion


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
    against: Annotated[
        list[FilePath] | None,
        typer.Option(
            "--source",
            metavar="CLIP|G.mog",
            help="What it was made from, to compare with: a graph, or clips and folders of them; may be given more than once.",
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Say how good a motion is: how far its feet slide and sink, how fast its knees are, and how well it keeps to a path.

    Feet are looked at anew: what is said of them needs nothing but the file.

    \b
    kinegraph evaluate walk.bvh
    kinegraph evaluate eight.bvh --path eight:3 --json
    kinegraph evaluate eight.bvh --source graph.mog
    """
    from kinegraph.evaluation.quality.figures import evaluate as judge
    from kinegraph.evaluation.quality.text import rows
    from kinegraph.evaluation.quality.warnings import warnings
    from kinegraph.paths.reading import read

    drawn = None if path is None else read(path)
    motion = read_motion(source, reading)
    quality = judge(motion, path=drawn, source=_source(against or [], reading))
    worse = warnings(quality)
    notices = list(motion.notices)
    if quality.slide_mm is None:
        notices.append(
            "nothing can be said of the feet: the joints' names do not tell hips, knees and ankles (--roles)"
        )
    if as_json:
        console.report(
            {
                "source": str(source),
                "path": path,
                "against": [str(one) for one in against or []],
                **quality.to_dict(),
                "warnings": list(worse),
                "notices": notices,
            }
        )
        return
    console.rows(str(source), rows(quality))
    for sentence in worse:
        console.warn(sentence)
    for sentence in notices:
        console.notice(sentence, str(source))


def _source(given: list[FilePath], reading: ReadOptions) -> MotionGraph | list[Motion] | None:
    """What to compare with: the graph of a file, or clips."""
    if not given:
        return None
    if len(given) == 1 and given[0].suffix.lower() == ".mog":
        from kinegraph.graph.store.files import load

        return load(given[0])
    if any(one.suffix.lower() == ".mog" for one in given):
        raise KinegraphError("--source: give one graph, or clips, not both")
    from kinegraph.formats.intake import clips

    return [take.motion for take in clips(given, reading).takes]
