"""Whether what a file holds is of the kind that it should be: a file may say anything of itself, and hold anything else."""

from __future__ import annotations

import math
import types
from collections.abc import Iterable, Iterator
from dataclasses import fields, is_dataclass
from functools import cache
from typing import Any, Union, get_args, get_origin, get_type_hints

LONGEST = 1000
"""Characters that a name or a label may have."""

Row = tuple[Any, ...]


def of_kinds(rows: Iterable[Row], *kinds: type | tuple[type, ...]) -> Iterator[Row]:
    """The rows, each value of which must be of its column's kind, and each name of a length that can be shown.

    >>> list(of_kinds([("hips", None)], str, (int, types.NoneType)))
    [('hips', None)]
    """
    for row in rows:
        for value, kind in zip(row, kinds, strict=True):
            if not isinstance(value, kind):
                raise ValueError(f"{_shown(value)} stands where it cannot")
            if isinstance(value, str):
                need_name(value)
        yield row


def need_name(text: str) -> None:
    """Refuse a text that nobody can show."""
    if len(text) > LONGEST:
        raise ValueError(f"a name has {len(text):,} characters")


def of_hint(value: Any, hint: Any, name: str) -> None:
    """Refuse a value out of JSON that is not what a dataclass's field says: ``float``, ``tuple[int, ...]``, another dataclass …

    >>> of_hint([1, 2.5], tuple[float, ...], "costs")
    >>> of_hint(None, int, "frames")
    Traceback (most recent call last):
    ValueError: frames is None
    """
    origin, inside = get_origin(hint), get_args(hint)
    if origin in (Union, types.UnionType):
        fits = any(_fits(value, one, name) for one in inside)
    elif is_dataclass(hint):
        fits = isinstance(value, dict)
        if fits:
            hints = _hints(hint)  # type: ignore[arg-type]
            for field in fields(hint):
                if field.name in value:
                    of_hint(value[field.name], hints[field.name], f"{name}.{field.name}")
    elif origin is tuple:
        fits = isinstance(value, list) and (inside[-1] is Ellipsis or len(value) == len(inside))
        if fits:
            for number, one in enumerate(value):
                of_hint(one, inside[0] if inside[-1] is Ellipsis else inside[number], f"{name}[{number}]")
    elif origin is dict:
        fits = isinstance(value, dict)
        if fits:
            for key, one in value.items():
                of_hint(one, inside[1], f"{name}.{key[:LONGEST]}")
    elif hint is bool:
        fits = isinstance(value, bool)
    elif hint is int:
        # numbers that were figured out may be written as 3.0
        fits = (
            isinstance(value, int | float)
            and not isinstance(value, bool)
            and math.isfinite(value)
            and value == int(value)
        )
        fits = fits and abs(value) < 2**53
    elif hint is float:
        fits = isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < 2**1000
    else:
        fits = isinstance(value, hint)
    if not fits:
        raise ValueError(f"{name} is {_shown(value)}")


@cache
def _hints(kind: type) -> dict[str, Any]:
    """The kinds of a dataclass's fields; a report has thousands of the same."""
    return get_type_hints(kind)


def _fits(value: Any, hint: Any, name: str) -> bool:
    try:
        of_hint(value, hint, name)
    except ValueError:
        return False
    return True


def _shown(value: Any) -> str:
    if isinstance(value, int) and abs(value) >= 2**63:
        return "a number without end"
    shown = repr(value)
    return shown if len(shown) <= 40 else f"{shown[:39]}…"
