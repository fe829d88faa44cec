"""A stick that was recorded: what was wished, and when. Replayed, it gives the same motion to the last byte.

A file is CSV with a header, or JSON with a list of rows. ``t`` is in seconds, ``x`` and ``z`` are the wished velocity in m/s; ``facing``
(degrees, 0 is +Z, 90 is +X), ``label`` and ``action`` may stand beside them; with ``tx``, ``ty`` and ``tz``, a target in metres in the
world, the action is the name of a space to strike from. A row holds until the next one; the last says when it ends.
"""

from __future__ import annotations

import csv
import io
import json
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import Any, NamedTuple

from kinegraph.errors import FormatError

_NEEDED, _TARGET = ("t", "x", "z"), ("tx", "ty", "tz")
_ALLOWED = (*_NEEDED, "facing", "label", "action", *_TARGET)
# m/s: nobody runs faster, so what is above was meant as something else
_FASTEST = 15.0
# seconds of a stick: nobody steers for longer, and a slip of the pen asks for more frames than there is memory for
_LONGEST = 3600.0


class Intent(NamedTuple):
    """What is wished from a moment on."""

    t: float
    """Seconds."""
    velocity: tuple[float, float] = (0.0, 0.0)
    """m/s along x and z."""
    facing: float | None = None
    """Where to face, as a heading in radians; None: where one goes."""
    label: str = ""
    """What to be doing all the while."""
    action: str = ""
    """What to do once; with a target, the space to strike from."""
    target: tuple[float, float, float] | None = None
    """At what to strike, in metres in the world."""


@dataclass(frozen=True)
class Stick:
    """Wishes in order of time.

    >>> stick = Stick.of([(0.0, (0.0, 1.3)), (2.0, (1.3, 0.0)), (4.0,)])
    >>> stick.seconds, [wish.velocity for wish in stick.played(1.0)]
    (4.0, [(0.0, 1.3), (0.0, 1.3), (1.3, 0.0), (1.3, 0.0)])
    """

    intents: tuple[Intent, ...]

    @staticmethod
    def of(intents: Iterable[Intent | Sequence[Any]]) -> Stick:
        """A stick of intents, or of what they are made of."""
        return Stick(tuple(one if isinstance(one, Intent) else Intent(*one) for one in intents))

    @property
    def seconds(self) -> float:
        """How long it lasts."""
        return self.intents[-1].t

    def played(self, fps: float) -> Iterator[Intent]:
        """The wish of every frame. An action is wished only in the first frame of its row."""
        number, begun = -1, False
        for frame in range(round(self.seconds * fps)):
            while number + 1 < len(self.intents) and self.intents[number + 1].t <= frame / fps + 1e-9:
                number, begun = number + 1, True
            wish = self.intents[max(number, 0)]
            yield wish if begun else wish._replace(action="", target=None)
            begun = False


def read(file: str | PathLike[str]) -> Stick:
    """The stick in a file; what is wrong with it is a `FormatError` that says where."""
    path = Path(file)
    try:
        text = path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise FormatError(f"cannot be read: {error.strerror or error}", path) from error
    except UnicodeDecodeError as error:
        raise FormatError("is not text: a stick is CSV with a header, or JSON", path) from error
    rows = _from_json(text, path) if text.lstrip()[:1] in ("{", "[") else _from_csv(text, path)
    intents: list[Intent] = []
    for line, row in rows:
        intents.append(_intent(row, path, line, intents[-1].t if intents else None))
    if len(intents) < 2:
        raise FormatError("a stick has at least two rows: what is wished at 0, and when it ends", path)
    return Stick(tuple(intents))


def _from_csv(text: str, path: Path) -> Iterator[tuple[int, Mapping[str, Any]]]:
    lines = csv.reader(io.StringIO(text))
    header = [name.strip() for name in next(lines, [])]
    _check(header, path)
    for row in lines:
        if not any(cell.strip() for cell in row):
            continue
        if len(row) != len(header):
            raise FormatError(f"has {len(row)} cells where the header has {len(header)}", path, lines.line_num)
        yield lines.line_num, dict(zip(header, (cell.strip() for cell in row), strict=True))


def _from_json(text: str, path: Path) -> Iterator[tuple[int, Mapping[str, Any]]]:
    try:
        rows = json.loads(text)
    except ValueError as error:
        raise FormatError(f"is not JSON: {error}", path) from error
    rows = rows.get("stick") if isinstance(rows, dict) else rows
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        raise FormatError('expected a list of rows such as {"t": 0, "x": 0, "z": 1.3}', path)
    for number, row in enumerate(rows, 1):
        _check(row, path, f"row {number}: ")
        yield number, row


def _check(names: Iterable[str], path: Path, where: str = "") -> None:
    given = list(names)
    for name in _NEEDED:
        if name not in given:
            raise FormatError(f"{where}a stick needs {', '.join(_NEEDED)}; {name} is missing", path)
    for name in given:
        if name not in _ALLOWED:
            raise FormatError(f"{where}{name!r} is none of {', '.join(_ALLOWED)}", path)


def _intent(row: Mapping[str, Any], path: Path, line: int, before: float | None) -> Intent:
    def number(name: str) -> float:
        try:
            value = float(row[name])
        except (TypeError, ValueError):
            value = math.nan
        if not math.isfinite(value):
            raise FormatError(f"{name}: expected a number, got {row[name]!r}", path, line)
        return value

    def word(name: str) -> str:
        value = row.get(name)
        return "" if value is None else str(value)

    t, x, z = number("t"), number("x"), number("z")
    if before is None and t != 0.0:
        raise FormatError(f"t: the first row is at 0 s, got {t:g}", path, line)
    if before is not None and t <= before:
        raise FormatError(f"t: {t:g} s comes after {before:g} s; times must rise", path, line)
    if t > _LONGEST:
        raise FormatError(f"t: {t:g} s is longer than anybody steers ({_LONGEST:g} s)", path, line)
    if math.hypot(x, z) > _FASTEST:
        raise FormatError(f"x, z: {math.hypot(x, z):.1f} m/s is faster than people run ({_FASTEST:g} m/s)", path, line)
    facing = None if row.get("facing") in (None, "") else math.radians(number("facing"))
    given = [name for name in _TARGET if row.get(name) not in (None, "")]
    if given and (len(given) < len(_TARGET) or not word("action")):
        raise FormatError(
            f"a strike needs {', '.join(_TARGET)}, all three, and the name of a space as its action", path, line
        )
    target = (number("tx"), number("ty"), number("tz")) if given else None
    return Intent(t, (x, z), facing, word("label"), word("action"), target)
