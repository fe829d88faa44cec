"""`njit`: numba's compiler, whose results are kept on disk by all that they are made of.

numba's own cache looks at the date of a function's own file. Where another one has changed, by `git pull` or an upgrade (a function that
it calls, a constant, the fields of a tuple), the old code would still run. Where what is kept names a class that is there no more, or is
cut off, each call would end in a traceback. Here the key holds the code of whatever is called and the values that are read, and what
cannot be used is compiled anew.
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any, TypeVar, cast

import numba
import numpy as np
from numba.core import types
from numba.core.caching import FunctionCache
from numba.core.dispatcher import Dispatcher

_F = TypeVar("_F", bound=Callable[..., Any])
_PACKAGE = __name__.partition(".")[0]


def njit(**options: Any) -> Callable[[_F], _F]:
    """As `numba.njit`."""

    def compiled(function: _F) -> _F:
        made: _F = numba.njit(**options)(function)
        if isinstance(made, Dispatcher):
            cast(Any, made)._cache = _Kept(made.py_func)
        return made

    return compiled


class _Kept(FunctionCache):
    """What is kept of one function."""

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        try:
            return super().load_overload(sig, target_context)
        except Exception:
            # whatever is wrong with it, it can be made again; what is left of it would be in the way of that
            try:
                self.flush()
            except OSError:
                self.disable()
            return None

    def save_overload(self, sig: Any, data: Any) -> None:
        # a disk that is full costs time in the next process, nothing else
        with suppress(OSError):
            super().save_overload(sig, data)

    def _index_key(self, sig: Any, codegen: Any) -> tuple[Any, ...]:
        return (*super()._index_key(sig, codegen), tuple(_fields(sig)), made_of(self._py_func))


def made_of(function: FunctionType) -> str:
    """Of all that a compiled function is made of, beside the types that it is called with: a digest."""
    digest = hashlib.sha256()
    for part in _parts(function, set()):
        digest.update(part.encode() + b"\0")
    return digest.hexdigest()


def _parts(function: FunctionType, seen: set[FunctionType]) -> Iterator[str]:
    """Its code and what that reads, with all that is called."""
    if function in seen:
        return
    seen.add(function)
    yield function.__qualname__
    names: set[str] = set()
    for code in _codes(function.__code__):
        yield f"{code.co_code.hex()} {_plain(code.co_consts)}"
        names.update(code.co_names)
    held = function.__globals__
    for name in sorted(names & held.keys()):
        value = held[name]
        yield name
        if isinstance(value, Dispatcher):
            yield from _parts(value.py_func, seen)
        elif isinstance(value, type):
            yield f"{value.__qualname__} {getattr(value, '_fields', '')}"
        elif isinstance(value, np.ndarray):
            yield f"{value.dtype} {value.shape} {hashlib.sha256(np.ascontiguousarray(value).data).hexdigest()}"
        elif not isinstance(value, ModuleType) and _ours(value):
            # it writes instructions by hand
            yield _sources(value.__module__)
        else:
            yield _plain(value)


def _codes(code: CodeType) -> Iterator[CodeType]:
    """It, and the loops in brackets within it, which have code of their own."""
    yield code
    for one in code.co_consts:
        if isinstance(one, CodeType):
            yield from _codes(one)


def _plain(value: Any) -> str:
    """A constant as text, the same in all processes."""
    if isinstance(value, tuple | frozenset):
        each = [_plain(one) for one in value]
        return f"({' '.join(each if isinstance(value, tuple) else sorted(each))})"
    return (
        repr(value)
        if isinstance(value, str | bytes | bool | int | float | complex | np.generic)
        else type(value).__name__
    )


def _ours(value: Any) -> bool:
    return str(getattr(value, "__module__", "")).partition(".")[0] == _PACKAGE


@cache
def _sources(module: str) -> str:
    """Of a module and its neighbours, since it may be made with their help: a digest."""
    digest = hashlib.sha256()
    for file in sorted(Path(str(sys.modules[module].__file__)).parent.glob("*.py")):
        digest.update(file.read_bytes())
    return digest.hexdigest()


def _fields(given: Any) -> Iterator[tuple[str, ...]]:
    """Names of the fields of all tuples among types, in the order of their values, which is what compiled code goes by."""
    tuples: tuple[Any, ...] = (tuple, types.BaseTuple)
    if not isinstance(given, tuples):
        return
    if hasattr(given, "fields"):
        yield given.fields
    for one in given:
        yield from _fields(one)
