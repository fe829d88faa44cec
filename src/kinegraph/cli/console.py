"""How commands speak: reports on standard output, everything else on standard error."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

out = Console(soft_wrap=True, highlight=False, emoji=False)
err = Console(stderr=True, soft_wrap=True, highlight=False, emoji=False)


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


def done(sentence: str) -> None:
    """What was made, on standard error, so that standard output stays free for reports."""
    err.print(f"[green]✓[/] {escape(sentence)}")


@contextmanager
def progress(task: str) -> Iterator[Callable[[int, int | None], None]]:
    """A bar on standard error that vanishes when done; yields a callback ``(done, total)``."""
    columns = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TimeRemainingColumn())
    # where nobody watches, a bar is only litter in a log
    with Progress(*columns, console=err, transient=True, disable=not err.is_terminal) as bar:
        handle = bar.add_task(escape(task), total=None)
        yield lambda count, total: bar.update(handle, completed=count, total=total)
