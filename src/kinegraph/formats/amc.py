"""Acclaim motion files (AMC): for every frame its number, then one line a bone with the values that the ASF lists for it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from os import PathLike
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from kinegraph.arrays import Array
from kinegraph.errors import FormatError
from kinegraph.formats import asf, numbers, text
from kinegraph.formats.acclaim import AcclaimSkeleton, from_skeleton
from kinegraph.formats.atomic import replacing
from kinegraph.formats.options import ReadOptions
from kinegraph.formats.raw import RawMotion
from kinegraph.formats.text import SourceText, quoted
from kinegraph.motion import Motion, Skeleton, euler, rotation

USUAL_RATE = 120.0

_TOKEN = re.compile(rb"\S+")
_FRAME_LINE = re.compile(rb"^[ \t]*\d+[ \t]*\r?$", re.MULTILINE)
# No bone has as many values.
_MOST_WORDS = 64
# A rotation that an ASF's degrees of freedom cannot hold, in degrees: less is rounding.
_LOCKED = 0.05
# Offsets that differ by less than this share of the skeleton's size are those of the same body.
_SAME_BONES = 1e-5
# The same as for rotations, for the root's place, in metres.
_HELD = 1e-4


@dataclass(frozen=True)
class _Layout:
    """Order of the bones in every frame: joint index and how many values each has."""

    joints: tuple[int, ...]
    counts: tuple[int, ...]
    names: tuple[bytes, ...]


# root (R, 3), rotations (R, J, 4), translations (R, J, 3) or an empty array
_Posed = tuple[Array, Array, Array]


@dataclass(frozen=True)
class _Pose:
    """How a row of values becomes a pose: worked out once, applied to many rows. A column of −1 stands for zero."""

    offsets: Array
    position: Array
    root: list[int]
    half: Array  # (values + 1,): what makes half an angle in radians of each value; 0 for lengths and the last column
    turns: list[tuple[str, list[int], NDArray[np.intp], Array]]  # Euler order, joints, columns (n, 3), frames (n, 3, 3)
    start: Array
    shifts: list[tuple[int, list[int], Array]]  # joint, columns, the bone's own axes

    @classmethod
    def of(cls, skeleton: AcclaimSkeleton, layout: _Layout, degrees: bool) -> _Pose:
        column: dict[tuple[int, str], int] = {}
        for joint in layout.joints:
            for dof in skeleton.bones[joint].dof:
                column[joint, dof] = len(column)

        def columns(joint: int, kind: str, axes: str) -> list[int]:
            return [column.get((joint, kind + axis), -1) for axis in axes]

        unit = 0.5 * (np.pi / 180.0 if degrees else 1.0)
        by_order: dict[str, list[int]] = {}
        for joint, bone in enumerate(skeleton.bones):
            by_order.setdefault(bone.axis_order, []).append(joint)
        turns = []
        for order, joints in by_order.items():
            # an order XYZ turns about X first: as intrinsic rotations that is Z, Y, X
            where = np.array([columns(joint, "r", order[::-1]) for joint in joints], np.intp)
            frames = np.array([rotation.IDENTITY if joint == 0 else skeleton.bones[joint].frame for joint in joints])
            turns.append((order[::-1], joints, where, rotation.to_matrix(frames)))
        return cls(
            offsets=skeleton.skeleton().offsets,
            position=np.array(skeleton.position),
            root=columns(0, "t", "xyz"),
            half=np.array([unit if dof.startswith("r") else 0.0 for _, dof in column] + [0.0]),
            turns=turns,
            start=skeleton.bones[0].frame,
            shifts=[
                (joint, columns(joint, "t", "xyz"), skeleton.bones[joint].frame)
                for joint in layout.joints
                if joint and max(columns(joint, "t", "xyz")) >= 0
            ],
        )

    def apply(self, table: Array) -> _Posed:
        """The poses of rows ``(R, values)``."""
        table = np.concatenate([table, np.zeros((len(table), 1))], axis=1)
        sine, cosine = euler.sine_and_cosine(table * self.half)
        rotations = np.empty((len(table), len(self.offsets), 4))
        for order, joints, columns, frames in self.turns:
            w, x, y, z = euler.components(sine[:, columns], cosine[:, columns], order)
            # all joints at once is the usual case, and a slice is much quicker to fill than a list of indices
            which = slice(None) if len(joints) == len(self.offsets) else joints
            rotations[:, which, 0] = w
            # C M C⁻¹ of the turn M in the bone's own axes C leaves w, and turns the vector part: a small matrix product
            for axis in range(3):
                row = frames[:, axis]
                rotations[:, which, 1 + axis] = row[:, 0] * x + row[:, 1] * y + row[:, 2] * z
        rotations[:, 0] = rotation.multiply(self.start, rotations[:, 0])
        translations = np.zeros((0, len(self.offsets), 3))
        if self.shifts:
            translations = np.tile(self.offsets, (len(table), 1, 1))
            for joint, columns_of_joint, frame in self.shifts:
                translations[:, joint] += rotation.rotate(frame, table[:, columns_of_joint])
        return self.position + table[:, self.root], rotations, translations


def read(path: str | PathLike[str], options: ReadOptions) -> RawMotion:
    """An AMC file with its ASF, in the skeleton's own unit."""
    path = Path(path)
    source = text.read_source(path, "an AMC motion")
    skeleton = asf.read(options.skeleton if options.skeleton is not None else asf.beside(path))
    begin, degrees, rate = _header(source)
    layout, _, _ = _frame_by_lines(source, begin, skeleton)
    _check_size(source, begin, skeleton, layout)
    pose = _Pose.of(skeleton, layout, degrees)
    pieces = _fast(source, begin, layout, pose)
    if pieces is None:
        pieces = [pose.apply(_by_lines(source, begin, skeleton, layout))]
    notices = list(skeleton.notices)
    if rate is None:
        rate = USUAL_RATE
        if options.fps is None:
            notices.append(f"an AMC holds no frame rate: {USUAL_RATE:g} frames/s assumed")
    missing = [bone.name for joint, bone in enumerate(skeleton.bones) if bone.dof and joint not in layout.joints]
    if missing:
        notices.append(f"bones of the skeleton without motion, left at rest: {', '.join(missing[:8])}")
    if any("l" in skeleton.bones[joint].dof for joint in layout.joints):
        notices.append("changes of bone length (dof l) are not read")
    return RawMotion(
        skeleton=skeleton.skeleton(),
        root=np.concatenate([root for root, _, _ in pieces]),
        rotations=np.concatenate([rotations for _, rotations, _ in pieces]),
        fps=rate,
        translations=np.concatenate([shifts for _, _, shifts in pieces]) if pose.shifts else None,
        metres_per_unit=skeleton.metres_per_unit,
        notices=tuple(notices),
    )


def _check_size(source: SourceText, begin: int, skeleton: AcclaimSkeleton, layout: _Layout) -> None:
    """A few bytes a frame must not become poses of thousands of bones: memory stays in proportion to the file."""
    frames = (len(source.data) - begin) // (2 * (len(layout.names) + sum(layout.counts))) + 1
    if frames * len(skeleton.bones) > numbers.MOST_POSES * len(source.data) + numbers.CHUNK:
        raise source.error(f"so many frames of {len(skeleton.bones)} bones, most without motion, are not read", begin)


def _header(source: SourceText) -> tuple[int, bool, float | None]:
    """Where the first frame begins, whether angles are degrees, and the rate if some tool wrote one."""
    degrees, rate = True, None
    for begin, words in source.lines(_TOKEN, 0, _MOST_WORDS):
        first = words[0][0]
        lowered = first.lower()
        if lowered == b":radians":
            degrees = False
        elif lowered == b":degrees":
            degrees = True
        elif lowered == b":samples-per-second" and len(words) > 1:
            rate = numbers.to_float(words[1][0])
            if rate is None or rate <= 0:
                raise source.error(f"expected a positive rate, found {quoted(words[1][0])}", words[1][1])
        elif not first.startswith(b":"):
            return begin, degrees, rate
    raise source.error("the file ends here: expected the first frame's number", len(source.data))


def _frame_by_lines(
    source: SourceText, begin: int, skeleton: AcclaimSkeleton, layout: _Layout | None = None
) -> tuple[_Layout, list[float], int]:
    """One frame, read line by line with all checks: its layout, its values in the layout's order, and where the next begins."""
    index = {bone.name: joint for joint, bone in enumerate(skeleton.bones)}
    found: dict[int, tuple[bytes, int, list[float]]] = {}
    number = ""
    at = begin
    after = len(source.data)
    for start, words in source.lines(_TOKEN, begin, _MOST_WORDS):
        first, at = words[0]
        if first.isdigit():
            if number:
                after = start
                break
            if len(words) > 1:
                raise source.error(
                    f"expected the number of a frame alone, found {quoted(words[1][0])} behind it", words[1][1]
                )
            number = first[:20].decode()
            continue
        if not number:
            raise source.error(f"expected the number of a frame, found {quoted(first)}", at)
        joint = index.get(text.decoded(first))
        if joint is None:
            raise source.error(f"the skeleton has no bone {quoted(first)}: does this AMC belong to another ASF?", at)
        if joint in found:
            raise source.error(f"bone {quoted(first)} stands twice in frame {number}", at)
        dof = skeleton.bones[joint].dof
        values = []
        for word, offset in words[1:]:
            value = numbers.to_float(word)
            if value is None:
                raise source.error(f"expected a finite number, found {quoted(word)}", offset)
            values.append(value)
        if len(values) != len(dof):
            needs = f"{len(dof)} ({' '.join(dof)})" if dof else "none"
            raise source.error(
                f"bone {quoted(first)} has {len(values)} values, but the skeleton gives it {needs}: "
                "a damaged line, or an AMC of another ASF",
                words[min(len(dof) + 1, len(words) - 1)][1],
            )
        found[joint] = first, at, values
    if not found:
        raise source.error(f"expected the bones of frame {number}", after)
    if layout is None:
        names, _, tracks = zip(*found.values(), strict=True)
        layout = _Layout(tuple(found), tuple(map(len, tracks)), names)
    for joint, name in zip(layout.joints, layout.names, strict=True):
        if joint not in found:
            raise source.error(f"frame {number} lacks {quoted(name)}: the file is truncated or damaged", after)
    for joint, (name, at, _) in found.items():
        if joint not in layout.joints:
            raise source.error(f"frame {number} has {quoted(name)}, which the first has not", at)
    return layout, [value for joint in layout.joints for value in found[joint][2]], after


def _by_lines(source: SourceText, begin: int, skeleton: AcclaimSkeleton, layout: _Layout) -> Array:
    """All frames ``(F, values)`` line by line: for files whose frames differ in layout, and to find the fault in the others."""
    rows = []
    while begin < len(source.data):
        _, values, begin = _frame_by_lines(source, begin, skeleton, layout)
        rows.append(values)
    return np.array(rows, dtype=np.float64)


def _fast(source: SourceText, begin: int, layout: _Layout, pose: _Pose) -> list[_Posed] | None:
    """All frames, many at once, where every one has the same bones in the same order; None if one has not."""
    tokens = [1, *(1 + count for count in layout.counts)]
    stride = sum(tokens)
    name_columns = np.cumsum(tokens)[:-1]
    value_columns = np.setdiff1d(np.arange(1, stride), name_columns)
    lengths = np.array([len(name) for name in layout.names])
    # a name is compared eight letters at a time: its first eight, then those that end with it, with the one eight before, …
    heads = np.array([int.from_bytes(name[:8], "little") for name in layout.names], np.uint64)
    masks = np.array([2 ** (8 * min(len(name), 8)) - 1 for name in layout.names], np.uint64)
    tails = []
    for back in range(8, int(lengths.max()), 8):
        long = np.flatnonzero(lengths > back)
        words = [layout.names[k][len(layout.names[k]) - back :][:8] for k in long]
        tails.append((back, long, np.array([int.from_bytes(letters, "little") for letters in words], np.uint64)))

    def work(span: tuple[int, int]) -> _Posed | None:
        buffer = numbers.padded(source.data[span[0] : span[1]])
        if not numbers.may_hold_rows(buffer, stride, len(tokens)):
            return None
        found = numbers.tokens(buffer)
        if len(found) % stride:
            return None
        rows = found.reshape(-1, stride)
        names, word = rows[:, name_columns], numbers.words(buffer)
        if np.any(names.ends - names.starts != lengths) or np.any((word[names.starts] & masks) != heads):
            return None
        if any(np.any(word[names.ends[:, long] - back] != letters) for back, long, letters in tails):
            return None
        # each frame must begin with a whole number, or what looks like a frame is none
        frames = rows[:, 0]
        if numbers.parse(buffer, frames)[1] >= 0 or np.any(frames.points < frames.ends):
            return None
        values, bad = numbers.parse(buffer, rows[:, value_columns].reshape(-1))
        return None if bad >= 0 else pose.apply(values.reshape(len(rows), -1))

    pieces = numbers.on_all_cores(work, list(_frame_chunks(source.data, begin)))
    found = [piece for piece in pieces if piece is not None]
    return found if len(found) == len(pieces) else None


def _frame_chunks(data: bytes, begin: int) -> Iterator[tuple[int, int]]:
    """Spans of about the size of a chunk that begin with a frame's number."""
    while begin < len(data):
        found = _FRAME_LINE.search(data, begin + numbers.CHUNK)
        end = found.start() if found else len(data)
        yield begin, end
        begin = end


def write(motion: Motion, path: str | PathLike[str], *, skeleton: str | PathLike[str] | None = None) -> None:
    """Write an AMC file, in degrees.

    With ``skeleton`` (an ASF file) the motion must fit its bones and their degrees of freedom; without, an ASF of the same name with all
    rotations free is written beside it; one that some other tool wrote there is not overwritten.
    """
    path = Path(path)
    if motion.translations is not None:
        raise FormatError(
            "an AMC cannot hold bones that change length: use motion.rigid() first, or another format", path
        )
    if skeleton is not None:
        acclaim = asf.read(skeleton)
        names = [bone.name for bone in acclaim.bones]
        if names != list(motion.skeleton.names):
            raise FormatError(
                f"the motion's joints are not the bones of {Path(skeleton).name}: write without a skeleton", path
            )
        acclaim = replace(acclaim, metres_per_unit=_metres_per_unit(motion.skeleton, acclaim, path))
        bone_of = np.arange(len(names))
    else:
        asf.refuse_foreign(path.with_suffix(".asf"))
        acclaim, bone_of = from_skeleton(motion.skeleton)
        if len(acclaim.bones) == 1:
            raise FormatError("an ASF cannot hold a single joint without a bone: use another format", path)
    tracks = _bone_values(motion, acclaim, bone_of, path)
    row = "".join(f"{name.replace('%', '%%')} {' '.join(['%.6f'] * values.shape[1])}\n" for name, values in tracks)
    table = np.concatenate([values for _, values in tracks], axis=1)
    with replacing(path) as temporary:
        with temporary.open("w", encoding="utf-8", newline="\n") as out:
            # the rate is not part of the format; readers that do not know the keyword pass over what stands before :DEGREES
            out.write(f":FULLY-SPECIFIED\n:SAMPLES-PER-SECOND {motion.fps!r}\n:DEGREES\n")
            for number, values in enumerate(table.tolist(), start=1):
                out.write(f"{number}\n{row % tuple(values)}")
        if skeleton is None:
            asf.write(acclaim, path.with_suffix(".asf"))


def _metres_per_unit(skeleton: Skeleton, acclaim: AcclaimSkeleton, path: Path) -> float:
    """The unit that makes the ASF's bones those of the motion: its reader, or the user, may have doubted the file's own.

    All subjects of a database share their bones' names: where no unit makes the bones the same, the body is another.
    """
    ours, theirs = skeleton.offsets, acclaim.skeleton().offsets
    length = float(np.linalg.norm(theirs))
    factor = float(np.linalg.norm(ours)) / length if length else 0.0
    if not (factor > 0 and np.allclose(ours, theirs * factor, atol=_SAME_BONES * length * factor)):
        raise FormatError(
            "the bones of this ASF have other lengths than the motion's: retarget the motion to it first", path
        )
    return factor


def _bone_values(
    motion: Motion, skeleton: AcclaimSkeleton, bone_of: NDArray[np.intp], path: Path
) -> list[tuple[str, Array]]:
    """For each bone that moves its name and its values ``(F, dof)`` in the order of its dof."""
    tracks = []
    joint_of = {int(bone): joint for joint, bone in enumerate(bone_of)}
    for index, bone in enumerate(skeleton.bones):
        if not bone.dof:
            if index in joint_of:
                _check_locked(motion.rotations[:, joint_of[index]], bone.name, path)
            continue
        turned = motion.rotations[:, joint_of[index]]
        back = rotation.inverse(bone.frame)
        turned = (
            rotation.multiply(back, turned)
            if index == 0
            else rotation.multiply(rotation.multiply(back, turned), bone.frame)
        )
        locked = [axis for axis in "xyz" if f"r{axis}" not in bone.dof]
        angles = _angles(turned, bone.axis_order, locked)
        worst = float(np.abs(angles[:, ["xyz".index(axis) for axis in locked]]).max(initial=0.0))
        if worst > _LOCKED:
            raise FormatError(
                f"bone {bone.name!r} turns {worst:.1f}° about an axis that this ASF locks: write without a skeleton to free all axes",
                path,
            )
        place = (motion.root / skeleton.metres_per_unit) - np.array(skeleton.position)
        held = [k for k, axis in enumerate("xyz") if f"t{axis}" not in bone.dof]
        if index == 0 and float(np.abs(place[:, held]).max(initial=0.0)) * skeleton.metres_per_unit > _HELD:
            raise FormatError("the root moves along an axis that this ASF locks: write without a skeleton", path)
        columns = {"tx": place[:, 0], "ty": place[:, 1], "tz": place[:, 2]} if index == 0 else {}
        columns |= {f"r{axis}": angles[:, k] for k, axis in enumerate("xyz")}
        tracks.append((bone.name, np.stack([columns.get(dof, np.zeros(len(motion))) for dof in bone.dof], axis=-1)))
    return tracks


def _angles(turned: Array, order: str, locked: list[str]) -> Array:
    """Degrees ``(F, 3)`` about X, Y, Z; of the two Euler solutions the one that leaves the locked axes at rest."""
    sequence = order[::-1]
    one = euler.from_quaternion(turned, sequence)
    other = np.stack([one[:, 0] + np.pi, np.pi - one[:, 1], one[:, 2] + np.pi], axis=-1)
    other = (other + np.pi) % (2 * np.pi) - np.pi
    still = [sequence.index(axis) for axis in locked]
    if still:
        better = np.abs(other[:, still]).max(axis=1) < np.abs(one[:, still]).max(axis=1)
        one = np.where(better[:, None], other, one)
    degrees = np.rad2deg(euler.unroll(one))
    return degrees[:, [sequence.index(axis) for axis in "xyz"]]


def _check_locked(turned: Array, name: str, path: Path) -> None:
    worst = float(np.rad2deg(rotation.angle_between(turned, rotation.IDENTITY)).max())
    if worst > _LOCKED:
        raise FormatError(f"bone {name!r} turns {worst:.1f}°, but this ASF fixes it: write without a skeleton", path)
