"""The JSON of a glTF file, read with suspicion: every value is checked where it is taken, and every fault says where it stands."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from kinegraph.arrays import Array
from kinegraph.errors import FormatError
from kinegraph.formats.text import quoted

# The largest number that a single-precision value, which all of glTF's are, can hold.
_LARGEST = 3.4028235e38


@dataclass(frozen=True)
class Element:
    """One object of the JSON. where: its place as a JavaScript programmer writes it, such as ``nodes[3].extras``; empty for the whole."""

    path: Path
    where: str
    fields: Mapping[str, Any]

    def error(self, what: str) -> FormatError:
        """A fault of this object."""
        return FormatError(f"{self.where}: {what}" if self.where else what, self.path)

    def place(self, key: str) -> str:
        """Where a field of this object stands."""
        return f"{self.where}.{key}" if self.where else key

    def fault(self, key: str, expected: str) -> FormatError:
        """A fault of one field."""
        if key not in self.fields:
            return self.error(f"expected {expected} as {quoted(key)}, which is missing")
        # a value of any size: only its beginning is made into text
        found = self.fields[key]
        shown = f"{type(found).__name__} of {len(found)}" if isinstance(found, list | dict) else quoted(str(found))
        return FormatError(f"{self.place(key)}: expected {expected}, found {shown}", self.path)

    def integer(self, key: str, default: int | None = None, least: int = 0) -> int:
        """A whole number of at least ``least``; ``default`` where it is missing, if it may be."""
        value = self.fields.get(key, default)
        if isinstance(value, float) and value.is_integer():
            value = int(value)
        if not isinstance(value, int) or isinstance(value, bool) or value < least:
            raise self.fault(key, f"a whole number of at least {least}")
        return value

    def integers(self, key: str) -> list[int]:
        """A list of whole numbers of at least 0, empty where it is missing."""
        values = self.fields.get(key, [])
        if not isinstance(values, list) or not all(
            isinstance(value, int) and not isinstance(value, bool) and value >= 0 for value in values
        ):
            raise self.fault(key, "a list of indices")
        return values

    def reals(self, key: str, count: int) -> Array | None:
        """``(count,)`` finite numbers; None where the field is missing."""
        values = self.fields.get(key)
        if values is None:
            return None
        if not isinstance(values, list) or len(values) != count or not all(map(_is_real, values)):
            raise self.fault(key, f"{count} numbers")
        return np.array(values, np.float64)

    def text(self, key: str, default: str = "") -> str:
        """A string; ``default`` where it is missing."""
        value = self.fields.get(key, default)
        if not isinstance(value, str):
            raise self.fault(key, "a text")
        return value

    def inner(self, key: str) -> Element | None:
        """An object inside; None where it is missing."""
        value = self.fields.get(key)
        if value is None:
            return None
        if not isinstance(value, dict):
            raise self.fault(key, "an object")
        return Element(self.path, self.place(key), value)

    def needed(self, key: str) -> Element:
        """An object inside that has to be there."""
        found = self.inner(key)
        if found is None:
            raise self.fault(key, "an object")
        return found

    def count(self, key: str) -> int:
        """How many objects a list inside holds; 0 where it is missing."""
        values = self.fields.get(key, [])
        if not isinstance(values, list):
            raise self.fault(key, "a list")
        return len(values)

    def item(self, key: str, index: int, asked_by: str = "") -> Element:
        """One object of a list inside; ``asked_by`` is the place that refers to it."""
        count = self.count(key)
        if not 0 <= index < count:
            raise FormatError(
                f"{asked_by or self.where}: refers to {self.place(key)}[{str(index)[:20]}], but there are {count}",
                self.path,
            )
        value = self.fields[key][index]
        where = f"{self.place(key)}[{index}]"
        if not isinstance(value, dict):
            raise FormatError(f"{where}: expected an object, found {type(value).__name__}", self.path)
        return Element(self.path, where, value)

    def items(self, key: str) -> list[Element]:
        """All objects of a list inside."""
        return [self.item(key, index) for index in range(self.count(key))]


@dataclass(frozen=True)
class Document:
    """A glTF file: its JSON, the bytes of its buffers, and the size in bytes of all of it, which bounds what is made of it."""

    root: Element
    buffers: tuple[memoryview, ...]
    size: int

    @property
    def path(self) -> Path:
        """The file."""
        return self.root.path

    @property
    def generator(self) -> str:
        """The tool that wrote the file, as it calls itself."""
        asset = self.root.inner("asset")
        return asset.text("generator") if asset else ""


def _is_real(value: object) -> bool:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    try:
        return math.fabs(value) <= _LARGEST
    except OverflowError:  # a whole number beyond all floating-point ones
        return False
