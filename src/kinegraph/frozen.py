"""`Frozen`: values that travel between processes, and come back as they were, to the last bit, and as unchangeable."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from types import MappingProxyType
from typing import Any

import numpy as np


class Frozen:
    """A frozen dataclass that can be pickled and copied.

    Only its fields travel, not what was computed from them. They are put back as they were, without `__post_init__`: that has seen them
    already, and might change a last digit. What could not be written to before cannot be afterwards.

    >>> import pickle
    >>> import kinegraph as kg
    >>> walk = kg.samples.make("walk").motion
    >>> again = pickle.loads(pickle.dumps(walk))
    >>> bool((again.rotations == walk.rotations).all()), again.rotations.flags.writeable
    (True, False)
    """

    def __getstate__(self) -> dict[str, Any]:
        return {one.name: _each(getattr(self, one.name), _sealed) for one in fields(self)}  # type: ignore[arg-type]

    def __setstate__(self, state: dict[str, Any]) -> None:
        for name, value in state.items():
            object.__setattr__(self, name, _each(value, _opened))


class _Seal:
    """Something that nobody can write to, on its way: a pickle would forget that."""

    def __init__(self, content: Any):
        self.content = content


def _sealed(value: Any) -> Any:
    if isinstance(value, MappingProxyType):
        return _Seal(_each(dict(value), _sealed))
    if isinstance(value, np.ndarray) and not value.flags.writeable:
        return _Seal(value)
    return value


def _opened(value: Any) -> Any:
    if not isinstance(value, _Seal):
        return value
    content = value.content
    if isinstance(content, np.ndarray):
        content.setflags(write=False)
        return content
    return MappingProxyType(_each(content, _opened))


def _each(value: Any, change: Callable[[Any], Any]) -> Any:
    """``value`` with whatever it holds changed; a container in which nothing is changed stays the very same."""
    if type(value) is dict:
        parts: Any = {key: _each(one, change) for key, one in value.items()}
        return parts if any(parts[key] is not value[key] for key in parts) else value
    if type(value) in (tuple, list):
        parts = [_each(one, change) for one in value]
        if all(part is one for part, one in zip(parts, value, strict=True)):
            return value
        return tuple(parts) if type(value) is tuple else parts
    return change(value)
