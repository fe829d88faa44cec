"""Tables as plain lines: never wrapped or cut, however narrow the terminal, so that other programs can read them too."""

from __future__ import annotations

from collections.abc import Sequence

from rich.markup import escape

from kinegraph.cli import console


def print_table(headings: Sequence[str], rows: Sequence[Sequence[str]], words: Sequence[str] = ()) -> None:
    """Rows under their headings on standard output; columns of numbers to the right, those whose heading is in ``words`` to the left."""
    widths = [max(map(len, column)) for column in zip(headings, *rows, strict=True)]

    def line(cells: Sequence[str]) -> str:
        placed = (
            cell.ljust(width) if heading in words else cell.rjust(width)
            for cell, width, heading in zip(cells, widths, headings, strict=True)
        )
        return escape("  ".join(placed).rstrip())

    console.out.print(f"[dim]{line(headings)}[/]")
    for row in rows:
        console.out.print(line(row))
