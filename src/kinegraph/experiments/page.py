"""The page of experiments: every published figure with ours beside it, and pictures as the documents have them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from kinegraph.experiments.experiment import DOCUMENTS
from kinegraph.formats.atomic import replacing
from kinegraph.rendering.extras import pillow

if TYPE_CHECKING:
    from kinegraph.experiments.running import Repeated

NAME = "experiments.md"
IMAGES = "images/experiments"
_COLOURS = 256
_VERDICTS = {
    "exact": "the published figures",
    "alike": "what is claimed holds",
    "differs": "what is claimed does not hold",
}

_INTRODUCTION = """# The published experiments

Every table and figure of the five documents that can be repeated, with ours beside theirs. One command makes this page and its pictures:

    kinegraph experiments --clips FOLDER -o docs

`kinegraph experiments --list` names the experiments, and `kinegraph experiments NAME` runs one. FOLDER holds clips of the CMU database:
`acclaim/16/16_15.amc` with its `16.asf`, `bvh/02_05.bvh`, and in `labeled/` the clips that the Manchester dissertation trimmed. Where a
document does not say which clips or which path it took, ours are named, and figures that hang on them are not to be compared. Times are
those of a shared machine with two cores. What of the documents is not repeated, and why, is in
[methods](methods.md#what-is-not-done).
"""
_CREDIT = """
---

The data used in this project was obtained from mocap.cs.cmu.edu. The database was created with funding from NSF EIA-0196217.
"""


def write(done: Sequence[Repeated], file: Path) -> None:
    """Write the page of what was run."""
    text = "\n".join([_INTRODUCTION, *_overview(done), *_chapters(done)]) + _CREDIT
    with replacing(file) as temporary:
        temporary.write_text(text, encoding="utf-8", newline="\n")


def _overview(done: Sequence[Repeated]) -> Iterator[str]:
    yield "| experiment | published | seconds | result |"
    yield "|---|---|---|---|"
    for one in done:
        about = one.experiment
        result = "a clip is absent" if one.outcome is None else _VERDICTS[one.outcome.verdict]
        yield f"| [{about.name}](#{anchor(about.title)}) | {about.document}, {about.where} | {one.seconds:.1f} | {result} |"
    yield f"\nAll of it took {sum(one.seconds for one in done):.0f} s.\n"


def _chapters(done: Sequence[Repeated]) -> Iterator[str]:
    for document, says in DOCUMENTS.items():
        of_it = [one for one in done if one.experiment.document == document]
        if not of_it:
            continue
        yield f"## {document}\n\n{says[0].upper()}{says[1:]}.\n"
        for one in of_it:
            yield from _section(one)


def _section(one: Repeated) -> Iterator[str]:
    about = one.experiment
    yield f"### {about.title}\n"
    used = f" Clips: {', '.join(one.clips)}." if one.clips else " No clips are needed."
    yield f"{about.document}, {about.where}; `{about.name}`.{used}\n"
    columns = ["ours"] if one.outcome is None else list(one.outcome.columns)
    yield f"| what | published | {' | '.join(columns)} |"
    yield "|---" * (2 + len(columns)) + "|"
    for row in one.rows:
        yield f"| {' | '.join(cell.replace('|', '∣') for cell in row)} |"
    yield ""
    if one.outcome is None:
        yield f"Not repeated here: the clip `{Path(one.absent).name}` is not in the folder.\n"
        return
    if one.outcome.differs:
        yield f"{one.outcome.differs}\n"
    for file, caption in one.pictures:
        yield f"![{caption}]({file})\n\n*{caption}*\n"


def anchor(heading: str) -> str:
    """What a heading is called in links.

    >>> anchor("Sample rate: time, candidates")
    'sample-rate-time-candidates'
    """
    kept = "".join(letter for letter in heading.lower() if letter.isalnum() or letter in "-_ ")
    return kept.strip().replace(" ", "-")


def shrink(file: Path) -> None:
    """Keep a picture in few colours: a page of many should load at once."""
    image = pillow("the page of experiments")
    with image.open(file) as picture:
        # not by how many pixels have a colour: a thin line among greys would lose its own
        small = picture.convert("RGB").quantize(_COLOURS, method=image.Quantize.FASTOCTREE)
    small.save(file, optimize=True)
