"""`Experiment`: a table or figure of a published document that can be repeated, and what came of repeating it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Literal

from kinegraph.catalogue import Catalogue
from kinegraph.experiments.clips import Clips
from kinegraph.watch import Watch

DOCUMENTS: Mapping[str, str] = MappingProxyType(
    {
        "Dirican": "Data-driven synthesis of realistic human motion using motion graphs (thesis, Bilkent, 2014)",
        "Manchester": "Animation of 3D avatars (dissertation, Manchester, 2019)",
        "Chen": "Parameterized motion interpolation and extrapolation using partial blending (thesis, Chiao Tung, 2007)",
        "Path editing": "a dissertation that builds a tool for Gleicher's motion path editing (I3D 2001)",
        "Muthukumar": "Data-driven synthesis based on motion graphs (slides on Kovar, Gleicher and Pighin 2002)",
    }
)
"""What is repeated, by the names that the pages use."""

Verdict = Literal["exact", "alike", "differs"]


@dataclass(frozen=True)
class Picture:
    """A plot as the document has it."""

    name: str
    """Part of its file's name."""
    caption: str
    save: Callable[[Path], object]
    """Draws it to a file."""


@dataclass(frozen=True)
class Outcome:
    """What an experiment gave here."""

    ours: Mapping[str, str | Sequence[str]]
    """For each published figure ours, or one for each of the columns; figures that were not published may stand beside them."""
    verdict: Verdict
    """exact: the figures are the published ones. alike: they are not, but what is claimed holds. differs: it does not hold."""
    differs: str = ""
    """Where ours is different, and why."""
    columns: Sequence[str] = ("ours",)
    pictures: Sequence[Picture] = field(default=(), repr=False)


@dataclass(frozen=True)
class Experiment:
    """A table or figure that can be repeated.

    >>> EXPERIMENTS["dirican-sample-rate"].published["nodes at 120 Hz"]
    '628'
    """

    name: str
    """What it is asked for by."""
    title: str
    document: str
    """A name of `DOCUMENTS`."""
    where: str
    """The table, figure or section of the document."""
    published: Mapping[str, str]
    """What the document says, figure by figure or claim by claim."""
    run: Callable[[Clips, Watch], Outcome] = field(repr=False)
    """Repeats it."""


EXPERIMENTS: Catalogue[Experiment] = Catalogue("experiment", home="kinegraph.experiments.documents")
"""All experiments by name, in the order of the documents."""

Repeat = Callable[[Clips, Watch], Outcome]


def experiment(
    name: str, title: str, document: str, where: str, published: Mapping[str, str], *, place: int
) -> Callable[[Repeat], Repeat]:
    """Register the function below it as the experiment of that name. place: where it stands in lists."""

    def registered(run: Repeat) -> Repeat:
        EXPERIMENTS.register(Experiment(name, title, document, where, published, run), place=place)
        return run

    return registered
