"""Damage done to files, at random but by a seed: bytes, tokens, numbers, lines, and whole files made up from the grammar."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence

_TOKEN = re.compile(rb"\S+")
_NUMBER = re.compile(rb"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?")

NASTY_NUMBERS = (
    b"0 -0 1 -1 +1 .5 5. 1e5 -1.5E-3 1e-320 4.9e-324 1e300 -1e308 1e309 nan NaN inf -inf 0x10 1_0 1,5 -- - + . e e5 1e 1e+ 99999999 "
    b"999999999 2147483648 18446744073709551616 0.1234567890123456789 123456789012345678901234567890 1.2.3 1e-400 00000000000000001 "
    b"1e-0000000000000000001 \xd9\xa1 0.00833333 3.4028235e38 1e154 -1e155 1e-160 1e22 179.9999999 -180 360 1e9"
).split()
NASTY_BYTES = (
    b"\0",
    b"\r",
    b"\n",
    b"\r\n",
    b"\t",
    b"\x0b",
    b"\x0c",
    b"\x1a",
    b"\x1c",
    b"\x85",
    b"\xa0",
    b"\xff",
    b"{",
    b"}",
    b"#",
    b":",
    b"(",
    b" ",
)
WORDS = (
    b"HIERARCHY ROOT JOINT OFFSET CHANNELS End Site MOTION Frames: Frame Time: { } Xrotation Yrotation Zrotation Xposition Yposition "
    b"Zposition :units :root :bonedata :hierarchy :version :name begin end name direction length axis dof order position orientation "
    b"limits XYZ ZYX rx ry rz tx ty tz l root angle rad deg :RADIANS :DEGREES :SAMPLES-PER-SECOND id"
).split()


def damaged(data: bytes, others: Sequence[bytes], draw: random.Random) -> bytes:
    """``data`` after one to four random changes; ``others`` lend pieces."""
    for _ in range(draw.choice((1, 1, 1, 2, 2, 4))):
        data = draw.choice(_CHANGES)(data, others, draw)
    return data


def _span(data: bytes, draw: random.Random, longest: int = 64) -> tuple[int, int]:
    begin = draw.randrange(len(data) + 1)
    return begin, min(len(data), begin + draw.randint(1, longest))


def _flip(data: bytes, others: Sequence[bytes], draw: random.Random) -> bytes:
    out = bytearray(data)
    for _ in range(draw.choice((1, 1, 2, 8))):
        if out:
            out[draw.randrange(len(out))] ^= 1 << draw.randrange(8)
    return bytes(out)


def _delete(data: bytes, others: Sequence[bytes], draw: random.Random) -> bytes:
    begin, end = _span(data, draw)
    return data[:begin] + data[end:]


def _duplicate(data: bytes, others: Sequence[bytes], draw: random.Random) -> bytes:
    begin, end = _span(data, draw, 200)
    return data[:end] + data[begin:end] * draw.choice((1, 1, 3, 20)) + data[end:]


def _insert(data: bytes, others: Sequence[bytes], draw: random.Random) -> bytes:
    at = draw.randrange(len(data) + 1)
    return data[:at] + draw.choice(NASTY_BYTES) * draw.choice((1, 1, 2, 50)) + data[at:]


def _truncate(data: bytes, others: Sequence[bytes], draw: random.Random) -> bytes:
    return data[: draw.randrange(len(data) + 1)]


def _splice(data: bytes, others: Sequence[bytes], draw: random.Random) -> bytes:
    other = draw.choice(others)
    return data[: draw.randrange(len(data) + 1)] + other[draw.randrange(len(other) + 1) :]


def _replace(pattern: re.Pattern[bytes], data: bytes, new: bytes, draw: random.Random) -> bytes:
    found = list(pattern.finditer(data))
    if not found:
        return data
    one = draw.choice(found)
    return data[: one.start()] + new + data[one.end() :]


def _number(data: bytes, others: Sequence[bytes], draw: random.Random) -> bytes:
    return _replace(_NUMBER, data, draw.choice(NASTY_NUMBERS), draw)


def _word(data: bytes, others: Sequence[bytes], draw: random.Random) -> bytes:
    return _replace(_TOKEN, data, draw.choice(WORDS), draw)


def _swap_tokens(data: bytes, others: Sequence[bytes], draw: random.Random) -> bytes:
    found = list(_TOKEN.finditer(data))
    if len(found) < 2:
        return data
    first, second = sorted(draw.sample(found, 2), key=lambda token: token.start())
    between = data[first.end() : second.start()]
    return data[: first.start()] + second.group() + between + first.group() + data[second.end() :]


def _lines(data: bytes, others: Sequence[bytes], draw: random.Random) -> bytes:
    lines = data.split(b"\n")
    at = draw.randrange(len(lines))
    what = draw.randrange(4)
    if what == 0:
        del lines[at]
    elif what == 1:
        lines.insert(draw.randrange(len(lines)), lines[at])
    elif what == 2:
        other = draw.randrange(len(lines))
        lines[at], lines[other] = lines[other], lines[at]
    else:
        lines[at] = lines[at] + b" " + draw.choice(lines)
    return b"\n".join(lines)


def _recode(data: bytes, others: Sequence[bytes], draw: random.Random) -> bytes:
    what = draw.randrange(5)
    if what == 0:
        return data.replace(b"\n", b"\r\n")
    if what == 1:
        return data.replace(b"\n", b"\r")
    if what == 2:
        return b"\xef\xbb\xbf" + data
    if what == 3:
        return data.decode("latin-1").encode("utf-16")
    return data.swapcase()


_CHANGES = (
    _flip,
    _delete,
    _duplicate,
    _insert,
    _truncate,
    _splice,
    _number,
    _number,
    _number,
    _word,
    _swap_tokens,
    _lines,
    _recode,
)


def _value(draw: random.Random) -> str:
    if draw.random() < 0.03:
        return draw.choice(NASTY_NUMBERS).decode("latin-1")
    return draw.choice(("%.4f", "%.6f", "%g", "%r", "%d", "%.3e")) % draw.uniform(-180, 180)


def _name(draw: random.Random) -> str:
    known = (
        "Hips",
        "LeftUpLeg",
        "LeftLeg",
        "LeftFoot",
        "RightUpLeg",
        "RightLeg",
        "RightFoot",
        "Head",
        "root",
        "joint_Root",
    )
    odd = ("", "a b", "x:y", "a.b", "é", "1", "#", "{", "End", "JOINT", "a\tb", "}", "x" * 300)
    return draw.choice(known if draw.random() < 0.7 else odd)


def made_up_bvh(draw: random.Random) -> bytes:
    """A file from the grammar of BVH, sound for the most part."""
    axes = "XYZ"
    lines, columns, depth = ["HIERARCHY"], 0, 0
    for index in range(draw.randint(1, 12)):
        lines += [
            f"{'JOINT' if index else 'ROOT'} {_name(draw)}",
            "{",
            f"OFFSET {' '.join(_value(draw) for _ in axes)}",
        ]
        kinds = ["rotation"] if index and draw.random() < 0.8 else ["position", "rotation"]
        channels = [
            f"{axis}{kind}"
            for kind in kinds
            for axis in draw.sample(axes, 3 if draw.random() < 0.9 else draw.randint(0, 3))
        ]
        lines.append(f"CHANNELS {len(channels)} {' '.join(channels)}")
        columns += len(channels)
        depth += 1
        if draw.random() < 0.3:
            lines.append(f"End Site\n{{\nOFFSET {' '.join(_value(draw) for _ in axes)}\n}}")
        while depth > 1 and draw.random() < 0.4:
            lines.append("}")
            depth -= 1
    lines += ["}"] * depth
    frames = draw.randint(1, 6)
    told = frames if draw.random() < 0.95 else draw.choice((0, frames + 1, 999999999))
    time = draw.choice(("0.0083333", ".033333", "0.04", "1", "1e-2", _value(draw)))
    lines += ["MOTION", f"Frames: {told}", f"Frame Time: {time}"]
    lines += [" ".join(_value(draw) for _ in range(columns)) for _ in range(frames)]
    return "\n".join(lines).encode("utf-8", "replace")


def made_up_acclaim(draw: random.Random) -> tuple[bytes, bytes]:
    """An ASF and an AMC from the grammar, sound for the most part."""
    bones = {
        f"b{index}": draw.sample(("rx", "ry", "rz", "tx", "l"), draw.randint(0, 5))
        for index in range(draw.randint(1, 8))
    }
    names = list(bones)
    lines = [":units", f"length {_value(draw).lstrip('-')}", draw.choice(("angle deg", "angle rad")), ":root"]
    lines += [
        "order TX TY TZ RX RY RZ",
        "axis XYZ",
        f"position {' '.join(_value(draw) for _ in range(3))}",
        ":bonedata",
    ]
    for name, dof in bones.items():
        lines += ["begin", f"name {name}", f"direction {' '.join(_value(draw) for _ in range(3))}"]
        lines += [f"length {_value(draw).lstrip('-')}", f"axis {' '.join(_value(draw) for _ in range(3))} XZY"]
        lines += [f"dof {' '.join(dof)}" if dof else "", "end"]
    lines += [":hierarchy", "begin", f"root {names[0]}"]
    lines += [
        f"{draw.choice(names[:index] if draw.random() < 0.97 else names)} {name}"
        for index, name in enumerate(names)
        if index
    ]
    lines.append("end")
    frames = [":FULLY-SPECIFIED", draw.choice((":DEGREES", ":RADIANS"))]
    for number in range(1, draw.randint(2, 6)):
        frames += [str(number), f"root {' '.join(_value(draw) for _ in range(6))}"]
        order = names if draw.random() < 0.8 else draw.sample(names, len(names))
        frames += [f"{name} {' '.join(_value(draw) for _ in bones[name])}" for name in order if bones[name]]
    return "\n".join(lines).encode("latin-1", "replace"), "\n".join(frames).encode("latin-1", "replace")
