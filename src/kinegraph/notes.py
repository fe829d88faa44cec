"""Notes that are made for each of many clips: how they are worded, and many of one kind told as one sentence.

Reports keep every note as it was made, so that scripts find each clip; people are told `folded` ones.

>>> copies = [SAME.say(name=name, other="walk") for name in ("stroll", "amble")]
>>> folded([*copies, "run is bent"])
['2 clips are the same recordings as others, each used once: stroll (as walk), amble (as walk)', 'run is bent']
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from string import Formatter

# names that are read with patience
_MOST = 6
# characters of the longest sentence that is looked at: a file of unknown origin may hold longer ones
_LONGEST = 2000


@dataclass(frozen=True)
class Kind:
    """Notes of one kind, as templates: of one clip, of many, and how each is named among these."""

    one: str
    many: str
    """``count``, ``names``, and what all have in common may stand in it."""
    each: str = "{name}"
    common: tuple[str, ...] = ()
    """Fields in which all that are told together agree."""

    def say(self, **fields: object) -> str:
        """The note of one clip."""
        return self.one.format(**fields)

    def fields(self, sentence: str) -> dict[str, str] | None:
        """What was filled in; None where it is no note of this kind."""
        found = self._pattern.fullmatch(sentence)
        return found and found.groupdict()

    def together(self, notes: list[dict[str, str]]) -> str:
        """One sentence for several notes, by their fields; see `fields`."""
        names = list(dict.fromkeys(self.each.format(**note) for note in notes))
        if len(names) == 1:
            return self.say(**notes[0])
        return self.many.format(count=len(names), names=listed(names), **{name: notes[0][name] for name in self.common})

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        parts = (
            re.escape(text) + (f"(?P<{field}>.+)" if field else "") for text, field, _, _ in Formatter().parse(self.one)
        )
        return re.compile("".join(parts), re.DOTALL)


TWICE = Kind("{name} is given twice: used once", "{count} clips are given twice, each used once: {names}")
SAME = Kind(
    "{name} is the same recording as {other}: used once",
    "{count} clips are the same recordings as others, each used once: {names}",
    "{name} (as {other})",
)
KNOWN = Kind(
    "{name} is in the graph already, as {other}: left as it is",
    "{count} clips are in the graph already, left as they are: {names}",
    "{name} (as {other})",
)
SHORT = Kind(
    "{name} is left out: {frames} frames at {fps}/s are not longer than its window of {window}",
    "{count} clips are left out, which at {fps}/s have no more frames than their windows: {names}",
    "{name} ({frames}, window {window})",
    ("fps",),
)
NOBODY = Kind(
    "{file}: no clip is called {name}, so its labels are not used",
    "{file}: {count} names are those of no clip, so their labels are not used: {names}",
    common=("file",),
)
RETARGETED = Kind(
    "{name} has another body than {first} and was retargeted onto it",
    "{count} takes have another body than {first} and were retargeted onto it: {names}",
    common=("first",),
)
KINDS = (TWICE, SAME, KNOWN, SHORT, NOBODY, RETARGETED)


def folded(notes: Iterable[str]) -> list[str]:
    """The notes, those of one kind as one sentence where the first of them stood."""
    groups: dict[tuple[object, ...], tuple[Kind | None, list[dict[str, str]]]] = {}
    for note in notes:
        for kind in KINDS if len(note) <= _LONGEST else ():
            fields = kind.fields(note)
            if fields is not None:
                key = (kind, *(fields[name] for name in kind.common))
                groups.setdefault(key, (kind, []))[1].append(fields)
                break
        else:
            groups.setdefault((note,), (None, []))
    return [kind.together(some) if kind else str(key[0]) for key, (kind, some) in groups.items()]


def listed(names: list[str] | tuple[str, ...], most: int = _MOST) -> str:
    """The names, or the first of many and how many more there are.

    >>> listed(["walk", "run", "jump"], 2)
    'walk, run and 1 more'
    """
    shown = ", ".join(names[:most])
    return f"{shown} and {len(names) - most} more" if len(names) > most else shown
