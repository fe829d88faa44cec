"""The file in which found strikes are listed and can be corrected by hand: TOML, one table for each strike.

kind = "punch"
side = "right"

[[strike]]
clip = "02_05"
start = 85
hit = 172
end = 268
skip = true      # left out of the space; may be missing
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import Any, NoReturn, TypeVar

from kinegraph.errors import FormatError, SpaceError
from kinegraph.formats import trees
from kinegraph.formats.atomic import replacing
from kinegraph.strikes.kinds import KINDS, kind_of
from kinegraph.strikes.strike import CapturedStrike, Side, check_side, end_role

Word = TypeVar("Word")

_HEADER = re.compile(r"^\s*\[\[\s*[\"']?strike[\"']?\s*\]\]", re.MULTILINE)
_KEYS = ("clip", "start", "hit", "end", "skip")

_ABOUT = """\
# Strikes, as kinegraph found them: correct what is wrong, then build the space from this file.
#
# kind    what they are: {kinds}
# side    which limb strikes: "left" or "right" (the target is where the {joint} is at the hit)
#
# Each [[strike]] is one strike. Frames count from 0, as `kinegraph info` counts those of the clip: at the clip's own rate.
# clip    name of the take: its file's name without folder and suffix
# start   frame of the ready pose, before the body begins to move
# hit     frame at which the hand or foot is furthest out
# end     the frame past the last of the return to the ready pose; neighbours may share a ready pose
# skip    true leaves the strike out; to add one that was not found, write another [[strike]]
"""


@dataclass(frozen=True)
class StrikesFile:
    """What the file says: the strikes to use, and those to leave out."""

    kind: str
    side: Side
    strikes: tuple[CapturedStrike, ...]
    skipped: tuple[CapturedStrike, ...] = ()


def write(path: str | PathLike[str], content: StrikesFile, notices: Iterable[str] = ()) -> None:
    """Write the file, explained by comments; ``notices``, such as the finder's, become comments too."""
    lines = [
        _ABOUT.format(
            kinds=" or ".join(f'"{kind}"' for kind in KINDS),
            joint=end_role(content.kind, content.side).replace("_", " "),
        )
    ]
    # a comment ends with its line, and may not hold what cannot be seen
    said = ["".join(each if each.isprintable() else " " for each in notice) for notice in notices]
    if said:
        lines += ["# What the finder says:", *(f"#   {notice}" for notice in said), ""]
    lines += [f'kind = "{content.kind}"', f'side = "{content.side}"']
    everything = [(strike, False) for strike in content.strikes] + [(strike, True) for strike in content.skipped]
    for strike, skip in sorted(everything, key=lambda each: (each[0].clip, each[0].start)):
        # a JSON string without escapes of its own is a TOML string
        clip = json.dumps(strike.clip, ensure_ascii=False).replace("\x7f", "\\u007f")
        lines += ["", "[[strike]]", f"clip = {clip}", f"start = {strike.start}", f"hit = {strike.hit}"]
        lines += [f"end = {strike.end}", *(["skip = true"] if skip else [])]
    with replacing(path) as temporary:
        temporary.write_text("\n".join(lines) + "\n", encoding="utf-8", newline="\n")


def read(path: str | PathLike[str]) -> StrikesFile:
    """The strikes of such a file; a `FormatError` says what cannot be understood, and where."""
    path = Path(path)
    try:
        text = path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise FormatError(f"this is no TOML file: {error}", path) from error
    except (OSError, ValueError) as error:  # a zero byte in the name
        raise FormatError(f"cannot be read: {getattr(error, 'strerror', None) or error}", path) from error
    try:
        content = trees.toml(text)
    except tomllib.TOMLDecodeError as error:
        place = re.search(r"\(at line (\d+), column (\d+)\)", str(error))
        line, column = (int(place[1]), int(place[2])) if place else (None, None)
        what = str(error)[: place.start()].strip() if place else str(error)
        raise FormatError(f"this is no TOML file: {what}", path, line, column) from error
    return _Reader(path, text).file(content)


@dataclass(frozen=True)
class _Reader:
    """Turns the contents of the TOML file into strikes; errors give the line if it can be found."""

    path: Path
    text: str

    def file(self, content: Mapping[str, Any]) -> StrikesFile:
        self.check_keys(content, ("kind", "side", "strike"), "the file", None)
        kind = self.word(content, "kind", kind_of).name
        side = self.word(content, "side", check_side)
        tables = content.get("strike", [])
        if not isinstance(tables, list) or not all(isinstance(table, dict) for table in tables):
            self.fail("every strike needs a table of its own, with the header [[strike]]", "strike", None)
        used: list[CapturedStrike] = []
        skipped: list[CapturedStrike] = []
        seen: dict[tuple[str, int], int] = {}
        for index, table in enumerate(tables):
            strike, skip = self.strike(table, index)
            if skip:
                skipped.append(strike)
                continue
            before = seen.setdefault((strike.clip, strike.hit), index)
            if before != index:
                self.fail(
                    f"the {self.called(before)} is the same: {strike.clip} hits at frame {strike.hit}", "hit", index
                )
            used.append(strike)
        if not used:
            self.fail(
                "no strike to use: " + ("all of them are skipped" if skipped else "there is no [[strike]]"), None, None
            )
        return StrikesFile(kind, side, tuple(used), tuple(skipped))

    def strike(self, table: Mapping[str, Any], index: int) -> tuple[CapturedStrike, bool]:
        self.check_keys(table, _KEYS, self.called(index), index)
        missing = [key for key in _KEYS[:-1] if key not in table]
        if missing:
            self.fail(f"the {self.called(index)} lacks {' and '.join(missing)}", None, index)
        clip, skip = table["clip"], table.get("skip", False)
        if not isinstance(clip, str) or not clip:
            self.fail(f"clip must be the name of a take, in quotes, got {clip!r}", "clip", index)
        if not isinstance(skip, bool):
            self.fail(f"skip must be true or false, got {skip!r}", "skip", index)
        for key in ("start", "hit", "end"):
            # True is an int to Python, but no frame
            if not isinstance(table[key], int) or isinstance(table[key], bool):
                self.fail(f"{key} must be a frame, a whole number, got {table[key]!r}", key, index)
        try:
            return CapturedStrike(clip, table["start"], table["hit"], table["end"]), skip
        except SpaceError as error:
            self.fail(str(error), "hit", index)

    def word(self, content: Mapping[str, Any], key: str, check: Callable[[str], Word]) -> Word:
        if key not in content:
            self.fail(
                f'{key} is missing: write {key} = "{next(iter(KINDS)) if key == "kind" else "right"}" before the strikes',
                None,
                None,
            )
        try:
            return check(content[key])
        except SpaceError as error:
            self.fail(str(error), key, None)

    def check_keys(self, table: Mapping[str, Any], known: tuple[str, ...], where: str, index: int | None) -> None:
        for key in table:
            if key not in known:
                self.fail(f"unknown key {key!r} in {where}; expected {', '.join(known)}", key, index)

    def called(self, index: int) -> str:
        """What a strike is called in messages: people count from 1."""
        line = self.line(None, index)
        return f"strike no. {index + 1}" + (f" (line {line})" if line else "")

    def fail(self, what: str, key: str | None, index: int | None) -> NoReturn:
        raise FormatError(what, self.path, self.line(key, index))

    def line(self, key: str | None, index: int | None) -> int | None:
        """The line, from 1, of ``key`` in the table of a strike, or above all tables; the line of the table itself if it is not found.

        TOML's reader does not report lines, so they are searched for. If a file writes its strikes in another way, there is none.
        """
        headers = [found.start() for found in _HEADER.finditer(self.text)]
        begin, end = 0, headers[0] if headers else len(self.text)
        if index is not None:
            if index >= len(headers):
                return None
            begin, end = headers[index], [*headers, len(self.text)][index + 1]
        found = None
        if key is not None:
            word = re.compile(rf"^[ \t]*[\"']?{re.escape(key)}[\"']?[ \t]*[=.]", re.MULTILINE)
            found = word.search(self.text, begin, end)
        if found is None and index is None:
            return None
        at = begin if found is None else found.start()
        # a header is matched with the blank lines before it
        at += len(self.text[at:]) - len(self.text[at:].lstrip())
        return self.text.count("\n", 0, at) + 1
