"""How commands speak: reports on standard output, everything else on standard error."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, Progress, TaskID, TaskProgressColumn, TextColumn, TimeRemainingColumn

from kinegraph.notes import folded
from kinegraph.watch import Watch

out = Console(soft_wrap=True, highlight=False, emoji=False)
err = Console(stderr=True, soft_wrap=True, highlight=False, emoji=False)

# what stages are called on the screen, where not by their own names
_STAGES = {
    "read": "reading",
    "prepare": "preparing",
    "compare": "comparing",
    "choose": "choosing transitions",
    "save": "saving",
}
# those of which nobody knows beforehand how long they take
_OPEN = ("choose", "save")
_WHOLE = "in all"


def report(facts: Mapping[str, Any]) -> None:
    """One JSON object on standard output."""
    print(json.dumps(facts, ensure_ascii=False))


def complain(sentence: str) -> None:
    """An error, on standard error."""
    err.print(f"[bold red]error:[/] {escape(sentence)}")


def notice(sentence: str, about: str = "") -> None:
    """Something the user should know, on standard error."""
    where = f"{escape(about)}: " if about else ""
    err.print(f"[yellow]note:[/] {where}{escape(sentence)}")


def notices(sentences: Iterable[str]) -> None:
    """Several of them, those of one kind together."""
    for sentence in folded(sentences):
        notice(sentence)


def warn(sentence: str) -> None:
    """Where what was made is worse than it should be: a part of the report, on standard output."""
    out.print(f"[yellow]⚠[/] {escape(sentence)}")


def done(sentence: str) -> None:
    """What was made, on standard error, so that standard output stays free for reports."""
    err.print(f"[green]✓[/] {escape(sentence)}")


class Bars(Watch):
    """A bar for each stage of some work; one for all of them where it is given a title."""

    def __init__(self, bars: Progress, title: str | None):
        self._bars, self._title = bars, title
        self._tasks: dict[str, TaskID] = {}
        self._shares: dict[str, float] = {}
        self._done: dict[str, float] = {}
        if title is not None:
            self._task(title)

    def tell(self, stage: str, done: int, total: int | None) -> None:
        """Move the bar of a stage."""
        task = self._task(self._title or _STAGES.get(stage, stage))
        self._bars.update(task, completed=done, total=None if stage in _OPEN else total)
        if stage in self._shares:
            self._done[stage] = done / total if total else 0.0
            # what is told of a stage says that those before it are done
            for before in self._shares:
                if before == stage:
                    break
                self._done[before] = 1.0
            spent = sum(share * self._done.get(name, 0.0) for name, share in self._shares.items())
            self._bars.update(self._task(_WHOLE), completed=spent, total=sum(self._shares.values()))

    def expect(self, shares: Mapping[str, float]) -> None:
        """Have a bar for the whole, whose time left is that of all stages."""
        if self._title is None and not self._bars.disable:
            self._shares = dict(shares)
            self._task(_WHOLE)

    def _task(self, title: str) -> TaskID:
        if title not in self._tasks:
            # not before there is something to show: a thread draws them, and while there is none, processes begin sooner
            self._bars.start()
            self._tasks[title] = self._bars.add_task(escape(title), total=None)
        return self._tasks[title]


@contextmanager
def watch(title: str | None = None) -> Iterator[Bars]:
    """Bars on standard error that show how far some work is, and vanish when it is done; see `Bars`."""
    columns = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TimeRemainingColumn())
    # where nobody watches, a bar is only litter in a log
    bars = Progress(*columns, console=err, transient=True, disable=not err.is_terminal)
    try:
        yield Bars(bars, title)
    finally:
        bars.stop()


def rows(heading: str, sentences: Sequence[tuple[str, str]]) -> None:
    """Sentences with what each is about, under a heading, on standard output; what several are about is said once."""
    out.print(f"[bold]{escape(heading)}[/]")
    last = ""
    for what, sentence in sentences:
        out.print(f"  [dim]{'' if what == last else what:<13}[/] {escape(sentence)}")
        last = what


def table(headings: Sequence[str], cells: Sequence[Sequence[str]], words: Sequence[str] = ()) -> None:
    """Rows under their headings on standard output; columns of numbers to the right, those whose heading is in ``words`` to the left.

    Plain lines, never wrapped or cut, however narrow the terminal, so that other programs can read them too.
    """
    widths = [max(map(len, column)) for column in zip(headings, *cells, strict=True)]

    def line(row: Sequence[str]) -> str:
        placed = (
            cell.ljust(width) if heading in words else cell.rjust(width)
            for cell, width, heading in zip(row, widths, headings, strict=True)
        )
        return escape("  ".join(placed).rstrip())

    out.print(f"[dim]{line(headings)}[/]")
    for row in cells:
        out.print(line(row))
