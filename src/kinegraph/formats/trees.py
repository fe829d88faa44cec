"""Nested texts, TOML and JSON: those nested without end, or with numbers of a million digits, are told as any other fault."""

from __future__ import annotations

import json
import re
import tomllib
from typing import Any

_LONGEST = 5_000_000  # characters
# a key of more parts takes the parser time by their square
_MOST_PARTS = 50
# strings and comments, of which it matters only that they are there; one without an end ends with its line, so that none is read twice
_QUOTED = re.compile(r'"(?:[^"\\\n]|\\.)*+"?|\'[^\'\n]*+\'?|#[^\n]*+')
_PART = r"[^\s.=\[\]{}#,]"
_DOTTED = re.compile(rf"(?<!{_PART})(?:{_PART}++[ \t]*+\.[ \t]*+){{{_MOST_PARTS}}}")


def toml(text: str) -> dict[str, Any]:
    """The table of a TOML text; a `tomllib.TOMLDecodeError` says why it has none.

    >>> toml("speed = [1.2, 1.5]")
    {'speed': [1.2, 1.5]}
    """
    if len(text) > _LONGEST:
        raise tomllib.TOMLDecodeError(f"it has {len(text):,} characters: at most {_LONGEST:,} are read")
    if _DOTTED.search(_QUOTED.sub("q", text)):
        raise tomllib.TOMLDecodeError(f"a name has more than {_MOST_PARTS} parts")
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        raise
    except RecursionError:
        raise tomllib.TOMLDecodeError("it is nested too deeply") from None
    except ValueError as error:  # a number of thousands of digits, a date that never was
        raise tomllib.TOMLDecodeError(str(error)) from None


def json_of(text: str) -> Any:
    """What a JSON text holds; a `json.JSONDecodeError` says why there is nothing.

    >>> json_of("[1, 2]")
    [1, 2]
    """
    try:
        return json.loads(text)
    except json.JSONDecodeError:
        raise
    except RecursionError:
        raise json.JSONDecodeError("it is nested too deeply", text, 0) from None
    except ValueError as error:  # a number of thousands of digits
        raise json.JSONDecodeError(str(error), text, 0) from None
