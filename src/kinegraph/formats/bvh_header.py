"""The header of a BVH file: the joints' tree, their channels, and how many frames follow at what rate."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

import numpy as np

from kinegraph.errors import FormatError
from kinegraph.formats import numbers, rates, text
from kinegraph.formats.raw import MOST_JOINTS
from kinegraph.formats.text import SourceText, quoted

_TOKEN = re.compile(rb"\S+")
_STICKING = re.compile(rb"[{}]|[^{}:]++(?=[{}])|[^{}:]++:")
_LINE_END = re.compile(rb"[^\r\n{]*")
_CHANNELS = {f"{axis}{kind}": (kind, axis) for axis in "xyz" for kind in ("position", "rotation")}


@dataclass
class Joint:
    """One joint as the header describes it; columns are those of the motion table."""

    name: str
    parent: int
    offset: tuple[float, float, float] = (0.0, 0.0, 0.0)
    positions: dict[str, int] = field(default_factory=dict)
    rotations: list[tuple[str, int]] = field(default_factory=list)
    tips: list[tuple[float, float, float]] = field(default_factory=list)


class Header:
    """Reads the header token by token; after `read`, ``joints``, ``columns``, ``frames``, ``fps`` and ``body`` stand."""

    def __init__(self, source: SourceText):
        self.source = source
        self.at = 0
        self.start = 0
        self.joints: list[Joint] = []
        self.columns = 0

    def _next(self, expected: str) -> bytes:
        found = _TOKEN.search(self.source.data, self.at)
        if found is None:
            raise self.source.error(f"the file ends here: expected {expected}", len(self.source.data))
        self.start, self.at = found.span()
        token = found.group()
        # a brace may stick to the word before it or behind it, and a number to the colon of Frames: or Time:
        cut = _STICKING.match(token)
        if cut is not None:
            token = cut.group()
            self.at = self.start + len(token)
        return token

    def _fault(self, expected: str, token: bytes) -> FormatError:
        return self.source.error(f"expected {expected}, found {quoted(token)}", self.start)

    def _keyword(self, *words: str) -> str:
        expected = " or ".join(words)
        token = self._next(expected)
        word = token.decode("ascii", "replace").upper()
        if word not in (option.upper() for option in words):
            raise self._fault(expected, token)
        return word

    def _number(self, expected: str) -> float:
        token = self._next(expected)
        value = numbers.to_float(token)
        if value is None:
            raise self._fault(expected, token)
        return value

    def _count(self, expected: str) -> int:
        token = self._next(expected)
        if not re.fullmatch(rb"\+?\d{1,9}", token):
            raise self._fault(expected, token)
        return int(token)

    def _name(self) -> str:
        """The rest of the line (up to a brace), which may hold spaces and may be empty."""
        found = _LINE_END.match(self.source.data, self.at)
        assert found is not None
        self.at = found.end()
        return text.decoded(found.group().strip())

    def _offset(self) -> tuple[float, float, float]:
        x, y, z = (self._number(f"the {axis} of the offset") for axis in "xyz")
        return x, y, z

    def _channels(self, joint: Joint) -> None:
        count = self._count("the number of channels")
        for _ in range(count):
            token = self._next("a channel such as Xrotation")
            channel = _CHANNELS.get(token.decode("ascii", "replace").lower())
            if channel is None:
                raise self._fault("a channel such as Xrotation or Yposition", token)
            kind, axis = channel
            if kind == "position":
                if axis in joint.positions:
                    raise self.source.error(f"joint {quoted(joint.name)} lists {quoted(token)} twice", self.start)
                joint.positions[axis] = self.columns
            else:
                if len(joint.rotations) == 3 or (joint.rotations and joint.rotations[-1][0] == axis):
                    raise self.source.error(
                        f"joint {quoted(joint.name)} has rotation channels that make no Euler order", self.start
                    )
                joint.rotations.append((axis, self.columns))
            self.columns += 1

    def read(self) -> Header:
        """Read all of it; a fault is a `FormatError` at its place."""
        self._keyword("HIERARCHY")
        self._keyword("ROOT")
        self._hierarchy()
        self._keyword("MOTION")
        self._keyword("Frames:")
        self.frames = self._count("the number of frames, a whole number")
        self.frames_at = self.start
        if self.frames == 0:
            raise self.source.error("the file says it has no frames", self.start)
        self._keyword("Frame")
        self._keyword("Time:")
        frame_time = self._number("the frame time in seconds")
        if frame_time <= 0:
            raise self.source.error(f"the frame time must be positive, found {frame_time:g}", self.start)
        self.fps = rates.snap(frame_time, self.source.data[self.start : self.at].decode())
        if not np.isfinite(self.fps):
            raise self.source.error("the frame time is too small", self.start)
        self.body = self.at
        if self.columns == 0:
            raise self.source.error("no joint has any channel, so nothing can move", self.body)
        return self

    def _hierarchy(self) -> None:
        """The joints' tree, with an explicit stack: nesting is not limited by the interpreter's."""
        open_joints: list[int] = []

        def begin() -> None:
            if len(self.joints) >= MOST_JOINTS:
                raise self.source.error(f"more than {MOST_JOINTS:,} joints are not read", self.start)
            parent = open_joints[-1] if open_joints else -1
            self.joints.append(Joint(self._name(), parent))
            open_joints.append(len(self.joints) - 1)
            self._keyword("{")

        begin()
        while open_joints:
            joint = self.joints[open_joints[-1]]
            word = self._keyword("OFFSET", "CHANNELS", "JOINT", "End", "}")
            if word == "OFFSET":
                joint.offset = self._offset()
            elif word == "CHANNELS":
                if joint.positions or joint.rotations:
                    raise self.source.error(f"joint {quoted(joint.name)} has CHANNELS twice", self.start)
                self._channels(joint)
            elif word == "JOINT":
                begin()
            elif word == "END":
                self._name()  # "Site", or whatever a tool calls it
                self._keyword("{")
                tip = (0.0, 0.0, 0.0)
                while self._keyword("OFFSET", "}") == "OFFSET":
                    tip = self._offset()
                joint.tips.append(tip)
            else:
                open_joints.pop()
