"""Acclaim skeleton files (ASF): sections of keywords, in any order."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from math import degrees, radians
from os import PathLike
from pathlib import Path

import numpy as np

from kinegraph.errors import FormatError
from kinegraph.formats import numbers, text
from kinegraph.formats.acclaim import AcclaimSkeleton, Bone, Triple, unit_vector
from kinegraph.formats.atomic import replacing
from kinegraph.formats.text import SourceText, quoted
from kinegraph.formats.units import INCH

_TOKEN = re.compile(rb"[^\s()]+")
_DOF = ("tx", "ty", "tz", "rx", "ry", "rz", "l")

# No bone has as many children: a hostile line is not worth its memory.
_USUAL_SIZE = 1 << 20  # bytes
_MOST_WORDS = 10_000

_SIGNATURE = ":name kinegraph"

# the words of a line, each with its offset in the file
_Words = list[tuple[str, int]]


@dataclass
class _Description:
    """What the file says of one bone, or of the root; angles as written."""

    name: str = ""
    direction: Triple = (0.0, 0.0, 1.0)
    length: float = 0.0
    axis: Triple = (0.0, 0.0, 0.0)
    axis_order: str = "xyz"
    dof: tuple[str, ...] = ()
    limits: list[tuple[float, float]] = field(default_factory=list)
    position: Triple = (0.0, 0.0, 0.0)


class _Reader:
    """Reads an ASF file line by line."""

    def __init__(self, source: SourceText):
        self.source = source
        self.root = _Description("root", dof=_DOF[:6])
        self.bones: dict[str, _Description] = {}
        self.children: dict[str, _Words] = {}
        self.where: dict[str, int] = {}
        self.length_unit = 1.0
        self.degrees = True

    def _lines(self) -> Iterator[_Words]:
        for _, words in self.source.lines(_TOKEN, 0, _MOST_WORDS):
            if len(words) > _MOST_WORDS:
                raise self.source.error(f"expected a line of at most {_MOST_WORDS} words", words[-1][1])
            yield [(text.decoded(word), at) for word, at in words]

    def read(self) -> AcclaimSkeleton:
        section, seen = "", set[str]()
        block: _Description | None = None
        for words in self._lines():
            first, at = words[0]
            if first.startswith(":"):
                if block is not None:
                    raise self.source.error(f"expected end before {quoted(first)}: a begin has none", at)
                section = first[1:].lower()
                seen.add(section)
            elif section == "":
                raise self.source.error(f"expected a section such as :bonedata, found {quoted(first)}", at)
            elif section == "units":
                self._unit(words)
            elif section == "root":
                self._describe(self.root, words)
            elif section in ("bonedata", "hierarchy"):
                block = self._in_block(section, block, words)
        if block is not None:
            raise self.source.error("the file ends inside a begin: expected end", len(self.source.data))
        for needed in ("bonedata", "hierarchy"):
            if needed not in seen:
                raise self.source.error(
                    f"there is no :{needed} section, so this is no whole ASF file", len(self.source.data)
                )
        return self._tree()

    def _in_block(self, section: str, block: _Description | None, words: _Words) -> _Description | None:
        """A line of bonedata or hierarchy; returns the block that is open after it."""
        first, at = words[0]
        if first.lower() == "begin":
            if block is not None:
                raise self.source.error("begin inside begin: expected end", at)
            return _Description()
        if block is None:
            expected = "begin without which there is no end" if first.lower() == "end" else "begin"
            raise self.source.error(f"expected {expected}, found {quoted(first)}", at)
        if first.lower() == "end":
            if section == "bonedata":
                if not block.name:
                    raise self.source.error("this bone has no name", at)
                if block.name in self.bones or block.name == "root":
                    raise self.source.error(f"bone {quoted(block.name)} is described twice", at)
                self.bones[block.name] = block
            return None
        if section == "bonedata":
            self._describe(block, words)
        else:
            self.children.setdefault(first, []).extend(words[1:])
            self.where.setdefault(first, at)
        return block

    def _unit(self, words: _Words) -> None:
        key = words[0][0].lower()
        if key == "length":
            (self.length_unit,) = self._numbers(words, 1, "the unit of length")
            if self.length_unit <= 0:
                raise self.source.error("the unit of length must be positive", words[1][1])
        elif key == "angle" and len(words) > 1:
            self.degrees = not words[1][0].lower().startswith("rad")

    def _numbers(self, words: _Words, count: int, what: str) -> list[float]:
        values = []
        for word, at in words[1 : count + 1]:
            value = numbers.to_float(word.encode())
            if value is None:
                raise self.source.error(f"expected a number ({what}), found {quoted(word)}", at)
            values.append(value)
        if len(values) < count:
            raise self.source.error(f"expected {count} numbers ({what}), found {len(values)}", words[-1][1])
        return values

    def _triple(self, words: _Words, what: str) -> Triple:
        x, y, z = self._numbers(words, 3, what)
        return x, y, z

    def _describe(self, bone: _Description, words: _Words) -> None:
        """One property; those that motion does not need (id, bodymass, cofmass …) are passed over."""
        key, at = words[0][0].lower(), words[0][1]
        whose = f"bone {quoted(bone.name)}" if bone.name else "this bone"
        if key == "name":
            if len(words) < 2:
                raise self.source.error(f"expected the name of {whose}", at)
            bone.name = words[1][0]
        elif key == "direction":
            bone.direction = unit_vector(self._triple(words, f"direction of {whose}"))
        elif key == "length":
            (bone.length,) = self._numbers(words, 1, f"length of {whose}")
            if bone.length < 0:
                raise self.source.error(f"the length of {whose} is negative", words[1][1])
        elif key == "position":
            bone.position = self._triple(words, "position of the root")
        elif key == "orientation":
            bone.axis = self._triple(words, "orientation of the root")
        elif key == "axis":
            order = words[-1][0].lower()
            if sorted(order) != ["x", "y", "z"]:
                raise self.source.error(f"expected an axis order such as XYZ for {whose}", words[-1][1])
            bone.axis_order = order
            if len(words) > 2:
                bone.axis = self._triple(words, f"axis of {whose}")
        elif key in ("dof", "order"):
            given = [word.lower() for word, _ in words[1:]]
            for word, where in words[1:]:
                if word.lower() not in _DOF or given.count(word.lower()) > 1:
                    raise self.source.error(
                        f"expected each of {' '.join(_DOF)} once at most, found {quoted(word)}", where
                    )
            bone.dof = tuple(given)
        elif key == "limits" or _is_limit(key):
            # the pairs stand one on a line or all on one, in the order of the dof; the first follows the keyword
            given = [word for word, _ in words[1 if key == "limits" else 0 :]]
            if len(given) % 2 or not all(map(_is_limit, given)):
                raise self.source.error(f"expected pairs of limits of {whose}, the lower and the upper", at)
            bone.limits += zip(map(float, given[::2]), map(float, given[1::2]), strict=True)

    def _tree(self) -> AcclaimSkeleton:
        """Bones depth first from the root, with an explicit stack; each must be reached once."""
        if not self.children.get("root"):
            nowhere = len(self.source.data)
            raise self.source.error("the hierarchy is empty: nothing hangs on root", self.where.get("root", nowhere))
        bones = [self._bone(self.root, -1)]
        index = {"root": 0}
        stack = [(child, 0) for child in reversed(self.children["root"])]
        while stack:
            (name, at), parent = stack.pop()
            if name in index:
                raise self.source.error(
                    f"bone {quoted(name)} hangs in the hierarchy twice: a cycle, or two parents", at
                )
            if name not in self.bones:
                raise self.source.error(
                    f"the hierarchy names bone {quoted(name)}, which :bonedata does not describe", at
                )
            index[name] = len(bones)
            bones.append(self._bone(self.bones[name], parent))
            stack.extend((child, index[name]) for child in reversed(self.children.get(name, [])))
        for name in self.children:
            if name not in index:
                raise self.source.error(
                    f"bone {quoted(name)} does not hang on root: a cycle, or a gap", self.where[name]
                )
        lost = [name for name in self.bones if name not in index]
        return AcclaimSkeleton(
            bones=tuple(bones),
            position=self.root.position,
            metres_per_unit=INCH / self.length_unit,
            notices=(f"bones without a place in the hierarchy left out: {', '.join(lost[:8])}",) if lost else (),
        )

    def _bone(self, told: _Description, parent: int) -> Bone:
        unit = radians(1.0) if self.degrees else 1.0
        x, y, z = (angle * unit for angle in told.axis)
        scales = [unit if dof.startswith("r") else 1.0 for dof in told.dof]
        limits = tuple((low * scale, high * scale) for (low, high), scale in zip(told.limits, scales, strict=False))
        return Bone(told.name, parent, told.direction, told.length, (x, y, z), told.axis_order, told.dof, limits)


def _is_limit(word: str) -> bool:
    """Whether a word can be a limit: a number, or without bound."""
    return numbers.to_float(word.encode()) is not None or word.lower() in ("inf", "-inf", "+inf")


def read(path: str | PathLike[str]) -> AcclaimSkeleton:
    """An ASF file."""
    source = text.read_source(path, "an ASF skeleton")
    return _parsed(source) if len(source.data) <= _USUAL_SIZE else _Reader(source).read()


@lru_cache(maxsize=8)
def _parsed(source: SourceText) -> AcclaimSkeleton:
    # all clips of a subject share a skeleton: a folder of them parses it once
    return _Reader(source).read()


def beside(clip: Path) -> Path:
    """The ASF that belongs to an AMC: of the same name, of its subject (16.asf for 16_15.amc), or the folder's only one."""
    folder = clip.parent
    try:
        with os.scandir(folder) as entries:  # a folder may hold thousands of clips, and each asks
            names = sorted(entry.name for entry in entries if entry.name.lower().endswith(".asf"))
    except OSError:
        names = []
    found = {Path(name).stem.lower(): folder / name for name in names}
    stem = clip.stem.lower()
    for name in (stem, stem.rpartition("_")[0], stem.partition("_")[0]):
        if name in found:
            return found[name]
    if len(found) == 1:
        return next(iter(found.values()))
    there = f"{len(found)} other .asf files are there" if found else "no .asf file is there"
    raise FormatError(
        f"an AMC holds no skeleton, and its ASF was not found beside it ({there}): give it with skeleton=… (--skeleton X.asf)",
        clip,
    )


def refuse_foreign(path: Path) -> None:
    """Raise where an ASF stands that kinegraph has not written: other clips may rest on it."""
    if path.exists() and _SIGNATURE.encode() not in text.read_bytes(path, "an ASF skeleton"):
        raise FormatError(
            "this ASF is another tool's, and would be overwritten: choose another name for the AMC, or write it for this very "
            "ASF with skeleton=… (--target-skeleton)",
            path,
        )


def write(skeleton: AcclaimSkeleton, path: str | PathLike[str]) -> None:
    """Write an ASF file, angles in degrees."""
    bones = skeleton.bones
    root = bones[0]
    lines = [
        ":version 1.10",
        _SIGNATURE,
        ":units",
        "  mass 1.0",
        f"  length {INCH / skeleton.metres_per_unit:.9g}",
        "  angle deg",
        ":root",
        f"  order {' '.join(root.dof).upper()}",
        f"  axis {root.axis_order.upper()}",
        f"  position {_triple(skeleton.position)}",
        f"  orientation {_triple(np.rad2deg(root.axis))}",
        ":bonedata",
    ]
    for index, bone in enumerate(bones[1:], start=1):
        lines += [
            "  begin",
            f"    id {index}",
            f"    name {bone.name}",
            f"    direction {_triple(bone.direction)}",
            f"    length {bone.length:.9g}",
            f"    axis {_triple(np.rad2deg(bone.axis))} {bone.axis_order.upper()}",
            *([f"    dof {' '.join(bone.dof)}"] if bone.dof else []),
            *_limit_lines(bone),
            "  end",
        ]
    lines += [":hierarchy", "  begin"]
    for index, bone in enumerate(bones):
        names = [child.name for child in bones[1:] if child.parent == index]
        if names:
            lines.append(f"    {bone.name} {' '.join(names)}")
    lines.append("  end")
    with replacing(Path(path)) as temporary:
        temporary.write_text("\n".join(lines) + "\n", encoding="utf-8", newline="\n")


def _limit_lines(bone: Bone) -> Iterator[str]:
    for k, (dof, (low, high)) in enumerate(zip(bone.dof, bone.limits, strict=False)):
        unit = degrees(1.0) if dof.startswith("r") else 1.0
        yield f"    {'limits' if k == 0 else '      '} ({low * unit:.9g} {high * unit:.9g})"


def _triple(values: object) -> str:
    return " ".join(f"{value:.12g}" for value in np.asarray(values, dtype=np.float64).tolist())
