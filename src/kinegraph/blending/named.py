"""Blends by name. A blend is a frozen dataclass whose fields are its options; `register`, written above it, makes it known."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from typing import Any, TypeVar

from kinegraph.blending.stretch import Blend
from kinegraph.catalogue import Catalogue
from kinegraph.errors import GraphError

T = TypeVar("T", bound=type[Any])


@dataclass(frozen=True)
class BlendKind:
    """What is known of a blend before one is made.

    >>> BLENDS["anticipation"].options["lower"]
    'How far the lower body is ahead; 1 is even.'
    """

    name: str
    help: str
    """What it is like, in a sentence."""
    make: Callable[..., Blend]
    """The class."""
    options: Mapping[str, str]
    """Option → what it does."""


BLENDS: Catalogue[BlendKind] = Catalogue("blend", home="kinegraph.blending.kinds")
"""Every blend, by name."""
USUAL = "anticipation"
"""The one that is used unless told."""


def register(help: str, *, place: int = 1000) -> Callable[[T], T]:
    """Make the blend that is defined below known by its ``name``. place: where it stands in lists, the smallest first.

    Whatever lists blends (commands, the studio) lists it too; `BLENDS.remove` takes it out again.

    >>> from kinegraph.blending.kinds.weighted import Linear
    >>> @register("The same under another name.")
    ... class Even(Linear):
    ...     name = "even"
    >>> blend("even").name, BLENDS["even"].help
    ('even', 'The same under another name.')
    >>> BLENDS.remove("even")
    """

    def add(kind: T) -> T:
        options = {field.name: str(field.metadata.get("help", "")) for field in fields(kind)}
        BLENDS.register(BlendKind(kind.name, help, kind, options), place=place)
        return kind

    return add


def blends() -> tuple[str, ...]:
    """The names of all blends, the usual one first.

    >>> blends()
    ('anticipation', 'linear', 'cubic', 'inertial')
    """
    return tuple(sorted(BLENDS, key=lambda name: name != USUAL))


def blend(name: str, **options: Any) -> Blend:
    """The blend of that name; options are the fields of its class.

    >>> blend("anticipation", upper=3.0, joints={"left_wrist": 4.0}).upper
    3.0
    >>> blend("cubic").smooth, blend("linear").smooth
    (True, False)
    """
    kind = BLENDS.get(name)
    if kind is None:
        raise GraphError(f"no blend is called {name!r}: expected one of {', '.join(BLENDS)}")
    for option in options:
        if option not in kind.options:
            takes = f"it takes {', '.join(kind.options)}" if kind.options else "it takes none"
            raise GraphError(f"the {name} blend has no option {option!r}: {takes}")
    return kind.make(**options)
