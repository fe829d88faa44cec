"""Names for new files: what a request may call something, before it becomes part of a path."""

from __future__ import annotations

import unicodedata

from kinegraph.studio.server.problems import Invalid

LONGEST = 80
"""Characters of a name."""

# a file's name, with number and suffix, has at most 255 bytes on common file systems
_MOST_BYTES = 200
_MARKS = frozenset(" ._-")
# Windows opens devices by these names, whatever the suffix
_RESERVED = frozenset(("con", "prn", "aux", "nul", *(f"com{n}" for n in range(10)), *(f"lpt{n}" for n in range(10))))


def safe(text: str) -> str:
    """The name as it is kept, or an `Invalid` that says what is wrong with it.

    >>> safe("  walk 2.b ")
    'walk 2.b'
    """
    name = unicodedata.normalize("NFC", text).strip()
    if not name:
        raise Invalid("a name is needed")
    if len(name) > LONGEST or len(name.encode("utf-8", "replace")) > _MOST_BYTES:
        raise Invalid(f"the name is too long: at most {LONGEST} characters")
    strange = next((mark for mark in name if not (mark.isalnum() or mark in _MARKS)), None)
    if strange is not None:
        raise Invalid(f"a name has letters, digits, spaces, points, hyphens and underscores, not {strange!r}")
    if name.startswith(".") or name.endswith("."):
        raise Invalid("a name does not begin or end with a point")
    if name.split(".")[0].strip().lower() in _RESERVED:
        raise Invalid(f"{name!r} is a name that some systems keep for themselves: choose another")
    return name


def tidied(text: str) -> str:
    """A safe name near to what a file was called: whatever is not allowed becomes an underscore.

    >>> tidied("../../etc/pass wd*.bvh"), tidied("…")
    ('pass wd_.bvh', 'clip')
    """
    last = unicodedata.normalize("NFC", text.replace("\\", "/")).split("/")[-1]
    name = "".join(mark if mark.isalnum() or mark in _MARKS else "_" for mark in last)[:LONGEST].strip(" ._")
    while len(name.encode("utf-8", "replace")) > _MOST_BYTES:
        name = name[:-1]
    try:
        return safe(name)
    except Invalid:
        return "clip"
