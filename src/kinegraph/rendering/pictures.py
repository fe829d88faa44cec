"""`PICTURES`: what a motion can be drawn as. Each is a `Format`, like those of motion files, but only for writing."""

from __future__ import annotations

from kinegraph.catalogue import Catalogue
from kinegraph.formats.format import FORMATS, Format, check_suffixes

PICTURES: Catalogue[Format] = Catalogue("picture", home="kinegraph.rendering.kinds")
"""Every kind of picture, film and page, by name."""


def register(format: Format, *, place: int = 1000) -> Format:
    """Add a kind of picture to those that `render` and the studio know. Its codec's ``write`` draws a motion into a file.

    place: its place in lists, smallest first. `PICTURES.remove` removes it.

    >>> from types import SimpleNamespace
    >>> register(Format("TXT", (".txt",), "Nobody.", "For nobody.", SimpleNamespace(write=print), reads=False)).name
    'TXT'
    >>> PICTURES.remove("TXT")
    """
    check_suffixes(format, {**FORMATS, **PICTURES})
    return PICTURES.register(format, place=place)
