"""Scenes into files: TOML out of what `kinegraph.scenes.scene_of` takes."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any


def toml(said: Mapping[str, Any]) -> str:
    """A scene that a dictionary says, as a TOML file has it.

    >>> print(toml({"seconds": 8, "key": [{"time": 6.5, "at": [2, 4.0], "heading": 90}], "without": {"clips": ["jump"]}}))
    seconds = 8
    <BLANKLINE>
    [[key]]
    time = 6.5
    at = [2, 4]
    heading = 90
    <BLANKLINE>
    [without]
    clips = ["jump"]
    <BLANKLINE>
    """
    lines = [f"{name} = {_value(value)}" for name, value in said.items() if not _is_table(value)]
    for name, value in said.items():
        if isinstance(value, Mapping):
            lines += ["", f"[{name}]", *_lines(value)]
        elif _is_table(value):
            for one in value:
                lines += ["", f"[[{name}]]", *_lines(one)]
    return "\n".join(lines) + "\n"


def _is_table(value: Any) -> bool:
    return isinstance(value, Mapping) or (
        isinstance(value, list | tuple) and any(isinstance(one, Mapping) for one in value)
    )


def _lines(table: Mapping[str, Any]) -> list[str]:
    return [f"{name} = {_value(value)}" for name, value in table.items()]


def _value(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int | float):
        return repr(int(value)) if float(value).is_integer() and abs(value) < 1e15 else repr(float(value))
    if isinstance(value, str):
        # TOML's escapes are JSON's, but it takes no bare delete
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{name} = {_value(one)}" for name, one in value.items()) + " }"
    return f"[{', '.join(map(_value, value))}]"
