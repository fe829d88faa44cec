"""Blend schemes by name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from types import MappingProxyType
from typing import Any

from kinegraph.blending.inertial import Inertial
from kinegraph.blending.stretch import Scheme, Stretch
from kinegraph.blending.weighted import Anticipation, Cubic, Linear
from kinegraph.errors import GraphError

__all__ = ["SCHEMES", "Anticipation", "Cubic", "Inertial", "Linear", "Scheme", "Stretch", "scheme"]

_Known = type[Linear] | type[Cubic] | type[Anticipation] | type[Inertial]

SCHEMES: Mapping[str, _Known] = MappingProxyType({kind.name: kind for kind in (Linear, Cubic, Anticipation, Inertial)})
"""Name → class of every scheme."""


def scheme(name: str, **options: Any) -> Scheme:
    """The blend scheme of that name; options are the fields of its class.

    >>> scheme("anticipation", upper=3.0, joints={"left_wrist": 4.0}).upper
    3.0
    >>> scheme("cubic").smooth, scheme("linear").smooth
    (True, False)
    """
    if name not in SCHEMES:
        raise GraphError(f"no blend is called {name!r}: expected one of {', '.join(SCHEMES)}")
    kind = SCHEMES[name]
    known = [field.name for field in fields(kind)]
    for option in options:
        if option not in known:
            takes = f"it takes {', '.join(known)}" if known else "it takes none"
            raise GraphError(f"the {name} blend has no option {option!r}: {takes}")
    made: Scheme = kind(**options)
    return made


def blends() -> tuple[str, ...]:
    """The names of all blends."""
    return tuple(SCHEMES)
