"""A labels file as text: tables of clips are replaced, and comments elsewhere stay."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

from kinegraph.graph.labels import TimedLabel

_HEADER = re.compile(r"^[ \t]*\[[^\[].*\][ \t]*(#.*)?$")


def edited(text: str, tables: Mapping[str, Sequence[TimedLabel]]) -> str:
    """The text of a labels file with some clips' tables replaced, or taken out where nothing is said of them.

    Comments elsewhere stay, if that can be done.

    >>> print(edited("# mine\\n", {"16_15": [TimedLabel("walk")]}))
    # mine
    <BLANKLINE>
    ["16_15"]
    labels = ["walk"]
    <BLANKLINE>
    """
    wanted: dict[str, Any] = tomllib.loads(text)
    for name, labels in tables.items():
        wanted.pop(name, None)
        if labels:
            wanted[name] = _table(labels)
    edited = text
    for name, labels in tables.items():
        edited = _replaced(edited, name, _written(name, _table(labels)) if labels else "")
    try:
        if tomllib.loads(edited) == wanted:
            return edited
    except tomllib.TOMLDecodeError:
        pass
    return "\n".join(_written(name, table) for name, table in wanted.items())


def _replaced(text: str, name: str, table: str) -> str:
    """The text with the table of that name replaced, or with it at the end."""
    lines = text.splitlines(keepends=True)
    heads = [number for number, line in enumerate(lines) if _HEADER.match(line)]
    for number, following in pairwise([*heads, len(lines)]):
        try:
            if list(tomllib.loads(lines[number])) == [name]:
                return "".join((*lines[:number], table, *(["\n"] if table else []), *lines[following:]))
        except tomllib.TOMLDecodeError:
            continue
    if not table:
        return text
    gap = "" if not text else "\n" if text.endswith("\n") else "\n\n"
    return f"{text}{gap}{table}"


def _table(labels: Sequence[TimedLabel]) -> dict[str, Any]:
    """A clip's table, as TOML would give it."""
    table: dict[str, Any] = {}
    whole = [label.label for label in labels if label.start == 0 and label.end is None]
    spans = [label for label in labels if not (label.start == 0 and label.end is None)]
    if whole:
        table["labels"] = whole
    if spans:
        table["spans"] = [
            {"label": span.label, "from": span.start} | ({} if span.end is None else {"to": span.end}) for span in spans
        ]
    return table


def _written(name: str, table: dict[str, Any]) -> str:
    """A clip's table as text."""
    lines = [f"[{_quoted(name)}]"]
    if "labels" in table:
        lines.append(f"labels = [{', '.join(map(_quoted, table['labels']))}]")
    if "spans" in table:
        lines.append("spans = [")
        for span in table["spans"]:
            fields = (f"{key} = {_quoted(value) if key == 'label' else repr(value)}" for key, value in span.items())
            lines.append(f"  {{{', '.join(fields)}}},")
        lines.append("]")
    return "\n".join(lines) + "\n"


def _quoted(text: str) -> str:
    """A string of TOML: JSON's, but that it escapes one character more."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
