"""What can go wrong, as a small tree: catch `KinegraphError` and you catch all of it.

A message says what is wrong, where, and what to do about it.
"""

from __future__ import annotations

from os import PathLike
from pathlib import Path


class KinegraphError(Exception):
    """Anything kinegraph refuses to do, with a sentence a person can act on."""


class MotionError(KinegraphError):
    """Arrays that do not make a skeleton or a motion, or an operation this motion cannot take."""


class RoleError(MotionError):
    """A skeleton lacks a body role that the operation needs."""


class GraphError(KinegraphError):
    """Clips or parameters from which no motion graph can be built, or a graph that lacks what is asked of it."""


class Unsatisfied(GraphError):  # noqa: N818 - nothing was wrong with what was asked
    """What was asked for was understood, but this graph or this clip cannot give it."""


class SpaceError(KinegraphError):
    """Strikes from which no space can be built, or a target that makes no sense."""


class FewStrikesError(SpaceError):
    """Takes with fewer strikes than make a space; the message says which there are, and why others are left out."""


class ClipsError(GraphError, SpaceError):
    """Clips that cannot be told from one another: neither a graph nor a space can be built from them."""


class FormatError(KinegraphError):
    """A file that cannot be read or written as what it claims to be.

    ``line`` and ``column`` count from 1; either may be None where the fault has no single place.
    """

    def __init__(
        self, what: str, path: str | PathLike[str] | None = None, line: int | None = None, column: int | None = None
    ):
        self.what = what
        self.path = None if path is None else Path(path)
        self.line = line
        self.column = column
        place = ":".join(str(part) for part in (self.path, line, column) if part is not None)
        super().__init__(f"{place}: {what}" if place else what)


class FetchError(KinegraphError):
    """A download that could not be had."""


class FetchRequestError(FetchError):
    """A wish for a download that cannot be understood or that no source can fulfil: the wish is to be mended, not the network."""


class MissingExtraError(KinegraphError):
    """An optional dependency is not installed."""

    def __init__(self, purpose: str, extra: str):
        super().__init__(f"{purpose} needs an optional part of kinegraph: pip install 'kinegraph[{extra}]'")
