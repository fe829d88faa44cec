"""File names as text: a name may hold bytes that are no UTF-8, which Python carries as lone surrogates and nobody else takes."""

from __future__ import annotations

import re

_SURROGATES = re.compile("[\ud800-\udfff]")


def printable(text: str) -> str:
    r"""The text with a mark of replacement for each byte that is none, as it can be sent, shown and written.

    >>> printable("caf\udce9.bvh") == "caf\N{REPLACEMENT CHARACTER}.bvh"
    True
    """
    return _SURROGATES.sub("\N{REPLACEMENT CHARACTER}", text)
