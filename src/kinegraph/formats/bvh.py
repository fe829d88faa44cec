"""Biovision Hierarchy (BVH): the joints' tree and, below it, one line of numbers a frame.

No standard exists; this reads what tools really write. Channels may differ from joint to joint; position channels *replace* the joint's
offset; a name is all that follows its keyword on the line.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from os import PathLike
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from kinegraph.arrays import Array
from kinegraph.errors import FormatError
from kinegraph.formats import numbers, rates, text
from kinegraph.formats.atomic import replacing
from kinegraph.formats.bvh_header import Header
from kinegraph.formats.options import ReadOptions
from kinegraph.formats.raw import RawMotion
from kinegraph.formats.text import SourceText, quoted
from kinegraph.formats.units import metres_per_unit
from kinegraph.motion import Motion, Skeleton, euler

_TOKEN = re.compile(rb"\S+")
# Joints whose position channels move less than this (in the file's units, relative to the body) are rigid: printing noise.
_RIGID = 1e-5
# Position channels that sum up to less than this share of the offsets cannot be meant to replace them.
_ADDED = 0.1


@dataclass(frozen=True)
class _Layout:
    """Which column of the table is what. A column index equal to ``columns`` stands for a constant zero."""

    columns: int
    orders: tuple[tuple[str, NDArray[np.intp], NDArray[np.intp]], ...]  # order, joints, their columns (n, 3)
    joints: int

    @classmethod
    def of(cls, header: Header) -> _Layout:
        by_order: dict[str, tuple[list[int], list[list[int]]]] = {}
        for index, joint in enumerate(header.joints):
            order = "".join(axis for axis, _ in joint.rotations)
            where = [column for _, column in joint.rotations]
            for axis in "xyz":
                if len(order) < 3 and axis not in order:
                    order, where = order + axis, [*where, header.columns]
            joints, columns = by_order.setdefault(order, ([], []))
            joints.append(index)
            columns.append(where)
        orders = tuple((order, np.array(joints), np.array(columns)) for order, (joints, columns) in by_order.items())
        return cls(header.columns, orders, len(header.joints))

    def rotations(self, table: Array) -> Array:
        """Local rotations ``(R, J, 4)`` of a table ``(R, columns)``."""
        table = np.concatenate([table, np.zeros((len(table), 1))], axis=1)
        out = np.empty((len(table), self.joints, 4))
        for order, joints, columns in self.orders:
            quaternions = euler.to_quaternion(np.deg2rad(table[:, columns]), order)
            if len(joints) == self.joints:
                return quaternions
            out[:, joints] = quaternions
        return out


def read(path: str | PathLike[str], options: ReadOptions) -> RawMotion:
    """A BVH file in its own units and axes."""
    source = text.read_source(path, "a BVH file")
    header = Header(source).read()
    _check_size(source, header)
    layout = _Layout.of(header)
    # positions are few: keep only their columns
    kept = np.array(sorted(column for joint in header.joints for column in joint.positions.values()), np.intp)

    def work(span: tuple[int, int]) -> tuple[Array, Array]:
        table = _table(source, span, header.columns)
        return table[:, kept], layout.rotations(table)

    pieces = [
        piece
        for piece in numbers.on_all_cores(work, list(numbers.line_chunks(source.data, header.body)))
        if len(piece[0])
    ]
    found = sum(len(rotations) for _, rotations in pieces)
    if found != header.frames:
        raise source.error(
            f"the header says Frames: {header.frames}, but {found} follow: the file is truncated, or the number is wrong",
            len(source.data) if found < header.frames else header.frames_at,
        )
    positions = np.concatenate([piece[0] for piece in pieces])
    tracks, notices = _tracks(header, positions, {int(column): place for place, column in enumerate(kept)})
    skeleton, translations = _skeleton(header, tracks)
    return RawMotion(
        skeleton=skeleton,
        root=translations[:, 0] if translations.ndim == 3 else translations,
        rotations=np.concatenate([piece[1] for piece in pieces]),
        translations=translations if translations.ndim == 3 else None,
        fps=header.fps,
        notices=notices,
    )


def _check_size(source: SourceText, header: Header) -> None:
    """A few bytes a frame must not become poses of thousands of joints: memory stays in proportion to the file."""
    frames = min(header.frames, (len(source.data) - header.body) // (2 * header.columns) + 1)
    if frames * len(header.joints) > numbers.MOST_POSES * len(source.data) + numbers.CHUNK:
        raise source.error(
            f"{frames} frames of {len(header.joints)} joints, most without channels, are not read", header.body
        )


def _table(source: SourceText, span: tuple[int, int], columns: int) -> Array:
    """The frames ``(R, columns)`` in a stretch of lines, or the first fault in it."""
    begin, end = span
    rows = numbers.table_rows(numbers.padded(source.data[begin:end]), columns)
    if rows is None:
        raise _miscounted(source, begin, end, columns)
    table, bad = rows
    if bad >= 0:
        at = begin + numbers.offset_in(bad)
        token = _TOKEN.match(source.data, at)
        raise source.error(f"expected a finite number, found {quoted(token.group() if token else b'')}", at)
    return table


def _miscounted(source: SourceText, begin: int, end: int, columns: int) -> FormatError:
    """The first line with too few or too many numbers, found one token at a time so that a huge line costs no memory."""
    line_start = begin
    while line_start < end:
        line_end = source.data.find(b"\n", line_start, end)
        line_end = end if line_end < 0 else line_end
        count = 0
        for token in _TOKEN.finditer(source.data, line_start, line_end):
            count += 1
            if numbers.to_float(token.group()) is None:
                return source.error(f"expected a finite number, found {quoted(token.group())}", token.start())
            if count > columns:
                return source.error(
                    f"this frame has more than the {columns} numbers that the channels need", token.start()
                )
        if 0 < count < columns:
            return source.error(f"this frame has {count} numbers, but the channels need {columns}", line_end)
        line_start = line_end + 1
    return source.error(f"expected frames of {columns} numbers each", begin)


def _tracks(header: Header, positions: Array, place: dict[int, int]) -> tuple[dict[int, Array], tuple[str, ...]]:
    """For each joint with position channels its place ``(F, 3)`` relative to the parent; the root's always."""
    tracks: dict[int, Array] = {}
    for index, joint in enumerate(header.joints):
        if joint.positions or index == 0:
            tracks[index] = np.tile(np.array(joint.offset), (len(positions), 1))
            for axis, column in joint.positions.items():
                tracks[index][:, "xyz".index(axis)] = positions[:, place[column]]
    whole = [index for index in tracks if index and len(header.joints[index].positions) == 3]
    given = np.array([header.joints[index].offset for index in whole]).reshape(-1, 3)
    told = np.array([tracks[index].mean(axis=0) for index in whole]).reshape(-1, 3)
    if np.abs(told).sum() >= _ADDED * np.abs(given).sum():
        return tracks, ()
    # channels that would shrink the body to a point are meant to be added to the offsets
    for index in whole:
        tracks[index] += header.joints[index].offset
    return tracks, ("position channels of joints are almost zero: added to the offsets instead of replacing them",)


def _skeleton(header: Header, tracks: dict[int, Array]) -> tuple[Skeleton, Array]:
    """The skeleton, and root positions ``(F, 3)`` or, where bones change length, all translations ``(F, J, 3)``."""
    offsets = np.array([joint.offset for joint in header.joints])
    root = tracks[0]
    moving: dict[int, Array] = {}
    span = float(np.abs(offsets).max(initial=0.0))
    for index, track in tracks.items():
        if index and np.ptp(track, axis=0).max() <= _RIGID * max(span, 1e-12):
            offsets[index] = track[0]
        elif index:
            moving[index] = track
    skeleton = Skeleton(
        names=tuple(joint.name for joint in header.joints),
        parents=np.array([joint.parent for joint in header.joints]),
        offsets=np.concatenate([np.zeros((1, 3)), offsets[1:]]),
        tip_parents=np.array([index for index, joint in enumerate(header.joints) for _ in joint.tips], np.intp),
        tip_offsets=np.array([tip for joint in header.joints for tip in joint.tips]).reshape(-1, 3),
    )
    if not moving:
        return skeleton, root
    translations = np.tile(offsets, (len(root), 1, 1))
    translations[:, 0] = root
    for index, track in moving.items():
        translations[:, index] = track
    return skeleton, translations


def write(motion: Motion, path: str | PathLike[str], *, units: str | float = "cm", order: str = "zxy") -> None:
    """Write a BVH file: lengths in ``units``, rotation channels in ``order``, frame time with full precision.

    Joints keep their names and are listed depth first. Bones that change length get position channels of their own.
    """
    factor = 1.0 / metres_per_unit(units)
    listed = motion.skeleton.depth_first
    angles = np.rad2deg(euler.unroll(euler.from_quaternion(motion.rotations[:, listed], order)))
    parts = [motion.root * factor, angles[:, 0]]
    if motion.translations is None:
        parts.append(angles[:, 1:])
    else:
        parts.append(np.stack([motion.translations[:, listed[1:]] * factor, angles[:, 1:]], axis=2))
    table = np.concatenate([part.reshape(len(motion), -1) for part in parts], axis=1)
    # six decimals of a degree and of a centimetre are far below what any sensor resolves
    row = " ".join(["%.6f"] * table.shape[1]) + "\n"
    with replacing(Path(path)) as temporary, temporary.open("w", encoding="utf-8", newline="\n") as out:
        out.write("HIERARCHY\n")
        out.writelines(_hierarchy_lines(motion.skeleton, factor, order, motion.translations is not None))
        out.write(f"MOTION\nFrames: {len(motion)}\nFrame Time: {rates.frame_time(motion.fps)}\n")
        for values in table.tolist():
            out.write(row % tuple(values))


def _hierarchy_lines(skeleton: Skeleton, factor: float, order: str, stretching: bool) -> Iterator[str]:
    rotations = " ".join(f"{axis.upper()}rotation" for axis in order)
    positions = "Xposition Yposition Zposition"
    # depth first with an explicit stack; an entry is a joint to open, or the depth of a brace to close
    stack: list[tuple[int, int, bool]] = [(0, 0, False)]
    while stack:
        joint, depth, closing = stack.pop()
        indent = "\t" * depth
        if closing:
            yield f"{indent}}}\n"
            continue
        six = joint == 0 or stretching
        yield f"{indent}{'JOINT' if joint else 'ROOT'} {_line(skeleton.names[joint])}\n{indent}{{\n"
        yield f"{indent}\tOFFSET {_offset_text(skeleton.offsets[joint] * factor)}\n"
        yield f"{indent}\tCHANNELS {6 if six else 3} {positions + ' ' if six else ''}{rotations}\n"
        for tip in skeleton.tips_of[joint]:
            offset = _offset_text(skeleton.tip_offsets[tip] * factor)
            yield f"{indent}\tEnd Site\n{indent}\t{{\n{indent}\t\tOFFSET {offset}\n{indent}\t}}\n"
        stack.append((joint, depth, True))
        stack.extend((child, depth + 1, False) for child in reversed(skeleton.children[joint]))


def _line(name: str) -> str:
    """A name that the reader will read back: no line break, no brace, no blanks at its ends."""
    return re.sub(r"[\s{}]+", " ", name).strip()


def _offset_text(offset: Array) -> str:
    return " ".join(f"{value:.8g}" for value in (offset + 0.0).tolist())
