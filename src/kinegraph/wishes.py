"""Wishes: what can be asked of a task, each said once, beside the field that holds it.

A task is a frozen dataclass whose fields are made by `wish`. From them follow the options of its command, the server's
request, the recipes that the studio shows and the page's types (`kinegraph.tasks`): nobody types them again.

>>> from dataclasses import dataclass
>>> @dataclass(frozen=True)
... class Walk:
...     seconds: float = wish("How long it lasts.", unit="s", above=0)
...     label: str | None = wish("Keep to this label.", default=None)
>>> wishes(Walk)["seconds"].unit, wishes(Walk)["label"].default
('s', None)
"""

from __future__ import annotations

import dataclasses
import math
import types
import typing
from collections.abc import Callable, Mapping, Sequence
from dataclasses import MISSING, dataclass, field
from functools import lru_cache
from types import MappingProxyType
from typing import Any

from kinegraph.errors import KinegraphError

REQUIRED: Any = object()
"""The default of what must be said."""

_FORMS = {float: "number", int: "whole", bool: "flag", str: "text"}


@dataclass(frozen=True)
class Wish:
    """What is known of one field of a task."""

    help: str
    """One sentence for people, with a full stop."""
    unit: str = ""
    """What a number counts: m, s, cm, m/s, °."""
    least: float | None = None
    """The smallest number that makes sense."""
    above: float | None = None
    """A number that is just too small."""
    most: float | None = None
    """The largest number that makes sense."""
    served: tuple[float | None, float | None] = (None, None)
    """Narrower bounds, least and most, for a server that answers while somebody waits."""
    choices: Callable[[], Sequence[str]] | Sequence[str] = ()
    """The words to choose from, or what lists them when it is asked."""
    form: str = ""
    """How it is written on command lines, in requests and in Python (`kinegraph.tasks.forms`); by default its type's."""
    metavar: str = ""
    """What stands for the value in a command's help."""
    option: str = ""
    """What it is called on the command line, where that is not the field's name."""
    key: str = ""
    """What it is called in requests, where that is not the field's name."""
    usual: str = ""
    """What is done where nothing is said, where the default does not tell."""
    name: str = ""
    """The field's name; filled in by `wishes`."""
    default: Any = REQUIRED
    """The field's default; filled in by `wishes`."""

    @property
    def required(self) -> bool:
        """Whether it must be said."""
        return self.default is REQUIRED

    @property
    def words(self) -> tuple[str, ...]:
        """The words to choose from, as they are now."""
        return tuple(self.choices() if callable(self.choices) else self.choices)


def wish(
    help: str,
    *,
    default: Any = REQUIRED,
    factory: Callable[[], Any] | None = None,
    by_name: bool = False,
    **known: Any,
) -> Any:
    """A field of a task.

    help: one sentence for people. default, factory: as for any field of a dataclass. by_name: it cannot be given by position. known: of
    `Wish`, what else is known of it.
    """
    about: dict[str, Any] = {"metadata": {"wish": Wish(help, **known)}}
    if by_name:
        about["kw_only"] = True
    if factory is not None:
        about["default_factory"] = factory
    elif default is not REQUIRED:
        about["default"] = default
    return field(**about)


def wishes(task: Any) -> Mapping[str, Wish]:
    """The wishes of a task, or of its class, by the names of their fields."""
    return _of_class(task if isinstance(task, type) else type(task))


@lru_cache(maxsize=64)
def _of_class(cls: type) -> Mapping[str, Wish]:
    hints = typing.get_type_hints(cls)
    found = {}
    # what can only be said by name is told last
    for one in sorted(dataclasses.fields(cls), key=lambda one: bool(one.kw_only)):
        known = one.metadata.get("wish")
        if known is not None:
            default = REQUIRED if one.default is MISSING else one.default
            if one.default_factory is not MISSING:
                default = one.default_factory()
            form = known.form or ("choice" if known.choices else _form(hints[one.name]))
            found[one.name] = dataclasses.replace(known, name=one.name, default=default, form=form)
    return MappingProxyType(found)


def check(task: Any, error: type[KinegraphError] = KinegraphError) -> None:
    """Refuse numbers that are out of bounds and words that are not among the choices.

    >>> from dataclasses import dataclass
    >>> @dataclass(frozen=True)
    ... class Walk:
    ...     gap: float = wish("Seconds between transitions.", default=0.2, unit="s", least=0.0)
    >>> check(Walk(-1))
    Traceback (most recent call last):
    kinegraph.errors.KinegraphError: gap must be a number of at least 0, got -1
    """
    for name, known in wishes(task).items():
        value = getattr(task, name)
        if value is None:
            continue
        if known.choices and isinstance(value, str) and value not in known.words:
            raise error(_unknown(known, value))
        if isinstance(value, int | float) and not isinstance(value, bool):
            _check_number(known, value, error)


def _unknown(known: Wish, value: str) -> str:
    name = known.name.replace("_", " ")
    if callable(known.choices):
        return f"no {name} is called {value!r}: expected one of {', '.join(known.words)}"
    return f"unknown {name} {value!r}: expected {' or '.join(known.words)}"


def _check_number(known: Wish, value: float, error: type[KinegraphError]) -> None:
    name = known.name.replace("_", " ")
    if known.form == "whole" and int(value) != value:
        raise error(f"{name} must be a whole number, got {value:g}")
    if known.above is not None and not known.above < value < math.inf:
        raise error(f"{name} must be a number above {known.above:g}, got {value:g}")
    if known.least is not None and not known.least <= value < math.inf:
        raise error(f"{name} must be a number of at least {known.least:g}, got {value:g}")
    if known.most is not None and not value <= known.most:
        raise error(f"{name} must be a number of at most {known.most:g}, got {value:g}")
    if not math.isfinite(value):
        raise error(f"{name} must be a number, got {value}")


def _form(hint: Any) -> str:
    """The form of a type such as ``float | None``; a text where nothing is known of it."""
    options = typing.get_args(hint) if isinstance(hint, types.UnionType) else (hint,)
    return next((_FORMS[one] for one in options if one in _FORMS), "text")
