"""Damaged BVH files: what was expected, and the very line and column; never anything but a `FormatError`."""

from __future__ import annotations

import time
import tracemalloc
from pathlib import Path

import pytest

from kinegraph import load
from kinegraph.errors import FormatError, KinegraphError
from tests.formats.texts import ONE_JOINT, put, refusal


def changed(old: str, new: str) -> str:
    assert ONE_JOINT.count(old) == 1, old
    return ONE_JOINT.replace(old, new)


FAULTS = {
    "other first word": (changed("HIERARCHY", "HIERACHY"), 1, 1, "expected HIERARCHY, found 'HIERACHY'"),
    "no root": (changed("ROOT Hips", "JOINT Hips"), 2, 1, "expected ROOT, found 'JOINT'"),
    "no brace": (changed("Hips\n{", "Hips\n"), 4, 3, "expected {, found 'OFFSET'"),
    "brace missing at the end": (
        changed("  }\n}\n", "  }\n"),
        10,
        1,
        "expected OFFSET or CHANNELS or JOINT or End or }, found 'MOTION'",
    ),
    "brace too many": (changed("  }\n}\n", "  }\n}\n}\n"), 11, 1, "expected MOTION, found '}'"),
    "empty hierarchy": ("HIERARCHY\nMOTION\nFrames: 1\nFrame Time: 1\n1\n", 2, 1, "expected ROOT, found 'MOTION'"),
    "no channel at all": (
        "HIERARCHY\nROOT a\n{\n}\nMOTION\nFrames: 1\nFrame Time: 1\n1\n",
        7,
        14,
        "no joint has any channel",
    ),
    "offset of two": (changed("OFFSET 0 0 0", "OFFSET 0 0"), 5, 3, "expected the z of the offset, found 'CHANNELS'"),
    "offset of a word": (
        changed("OFFSET 0 10 0", "OFFSET 0 ten 0"),
        8,
        14,
        "expected the y of the offset, found 'ten'",
    ),
    "offset not finite": (
        changed("OFFSET 0 10 0", "OFFSET 0 1e999 0"),
        8,
        14,
        "expected the y of the offset, found '1e999'",
    ),
    "channel count": (changed("CHANNELS 6", "CHANNELS six"), 5, 12, "expected the number of channels, found 'six'"),
    "fewer channels than told": (
        changed("CHANNELS 6", "CHANNELS 7"),
        6,
        3,
        "expected a channel such as Xrotation or Yposition, found 'End'",
    ),
    "more channels than told": (
        changed("CHANNELS 6", "CHANNELS 5"),
        5,
        64,
        "expected OFFSET or CHANNELS or JOINT or End or }, found 'Yrotation'",
    ),
    "very many channels": (changed("CHANNELS 6", "CHANNELS 999999999"), 6, 3, "expected a channel such as"),
    "too many digits": (changed("CHANNELS 6", "CHANNELS 9999999999"), 5, 12, "expected the number of channels"),
    "unknown channel": (
        changed("Zrotation", "Wrotation"),
        5,
        44,
        "expected a channel such as Xrotation or Yposition, found 'Wrotation'",
    ),
    "position twice": (changed("Zposition", "Yposition"), 5, 34, "joint 'Hips' lists 'Yposition' twice"),
    "axis twice in a row": (changed("Zrotation", "Xrotation"), 5, 54, "rotation channels that make no Euler order"),
    "a fourth rotation": (
        changed("CHANNELS 6", "CHANNELS 7").replace("Yrotation", "Yrotation Zrotation"),
        5,
        74,
        "rotation channels that make no Euler order",
    ),
    "channels twice": (
        changed("  End Site", "  CHANNELS 1 Xrotation\n  End Site"),
        6,
        3,
        "joint 'Hips' has CHANNELS twice",
    ),
    "joint in an end site": (changed("OFFSET 0 10 0", "JOINT x {"), 8, 5, "expected OFFSET or }, found 'JOINT'"),
    "second root": (changed("MOTION", "ROOT b"), 11, 1, "expected MOTION, found 'ROOT'"),
    "frames not whole": (
        changed("Frames: 2", "Frames: 2.5"),
        12,
        9,
        "expected the number of frames, a whole number, found '2.5'",
    ),
    "frames negative": (changed("Frames: 2", "Frames: -2"), 12, 9, "expected the number of frames"),
    "no frames": (changed("Frames: 2", "Frames: 0"), 12, 9, "the file says it has no frames"),
    "frames too many": (changed("Frames: 2", "Frames: 1"), 12, 9, "the header says Frames: 1, but 2 follow"),
    "frames too few": (changed("Frames: 2", "Frames: 3"), 16, 1, "the header says Frames: 3, but 2 follow"),
    "frames without measure": (
        changed("Frames: 2", "Frames: 999999999"),
        16,
        1,
        "the header says Frames: 999999999, but 2 follow",
    ),
    "frame time zero": (changed("0.04", "0.000"), 13, 13, "the frame time must be positive, found 0"),
    "frame time negative": (changed("0.04", "-0.04"), 13, 13, "the frame time must be positive, found -0.04"),
    "frame time nan": (changed("0.04", "nan"), 13, 13, "expected the frame time in seconds, found 'nan'"),
    "frame time almost zero": (changed("0.04", "1e-320"), 13, 13, "the frame time is too small"),
    "frame time with a comma": (changed("0.04", "0,04"), 13, 13, "expected the frame time in seconds, found '0,04'"),
    "number missing": (
        changed("4 5 6 70 80 90", "4 5 6 70 80"),
        15,
        12,
        "this frame has 5 numbers, but the channels need 6",
    ),
    "number missing, first frame": (changed("1 2 3 40 50 60", "1 2 3 40 50"), 14, 12, "this frame has 5 numbers"),
    "number too many": (
        changed("1 2 3 40 50 60", "1 2 3 40 50 60 7"),
        14,
        16,
        "this frame has more than the 6 numbers that the channels need",
    ),
    "number moved to the next line": (changed("50 60\n4", "50\n60 4"), 14, 12, "this frame has 5 numbers"),
    "nan": (changed("70 80", "nan 80"), 15, 7, "expected a finite number, found 'nan'"),
    "inf": (changed("70 80", "-inf 80"), 15, 7, "expected a finite number, found '-inf'"),
    "overflow": (changed("70 80", "1e400 80"), 15, 7, "expected a finite number, found '1e400'"),
    "hexadecimal": (changed("70 80", "0x1F 80"), 15, 7, "expected a finite number, found '0x1F'"),
    "underscore": (changed("70 80", "7_0 80"), 15, 7, "expected a finite number, found '7_0'"),
    "a word too many": (changed("70 80", "70 eighty 80"), 15, 10, "expected a finite number, found 'eighty'"),
    "zero byte": (
        changed("70 80", "70\0 80"),
        15,
        9,
        "this is not a text file, so not a BVH file: it holds a zero byte",
    ),
    "empty file": ("", 1, 1, "the file is empty: expected a BVH file"),
    "blank file": (" \n\t\r\n", 1, 1, "the file is empty"),
    "only a mark of the byte order": ("\ufeff", 1, 1, "the file is empty"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_told_with_its_place(tmp_path: Path, fault: str) -> None:
    text, line, column, message = FAULTS[fault]
    path = put(tmp_path / "x.bvh", text)
    error = refusal(path)
    assert message in error.what
    assert (error.line, error.column) == (line, column)
    assert str(error) == f"{path}:{line}:{column}: {error.what}"
    assert isinstance(error, KinegraphError)


def test_lengths_without_measure(tmp_path: Path) -> None:
    for old, new in (("OFFSET 0 10 0", "OFFSET 0 1e300 0"), ("4 5 6", "1e308 5 6"), ("1 2 3", "-1e308 2 3")):
        error = refusal(put(tmp_path / "x.bvh", changed(old, new)))
        assert "is no body's" in error.what
        assert error.path == tmp_path / "x.bvh"


@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"])
def test_places_are_the_same_whatever_ends_a_line(tmp_path: Path, line_end: str) -> None:
    error = refusal(put(tmp_path / "x.bvh", changed("70 80", "nan 80").replace("\n", line_end)))
    assert (error.line, error.column) == (15, 7)


@pytest.mark.parametrize("encoding", ["utf-8", "latin-1", "utf-16"])
def test_columns_are_characters(tmp_path: Path, encoding: str) -> None:
    text = changed("Hips\n{\n  OFFSET 0 0 0", "Hüfte {OFFSET 0 0 zéro").encode(encoding)
    error = refusal(put(tmp_path / "x.bvh", text))
    assert (error.line, error.column) == (2, 24)


def _error_of(path: Path) -> FormatError | None:
    try:
        load(path)
    except FormatError as error:
        return error
    return None


def test_a_file_cut_anywhere_is_read_or_refused(tmp_path: Path) -> None:
    whole = ONE_JOINT.encode()
    path = tmp_path / "x.bvh"
    read = []
    for length in range(len(whole)):
        error = _error_of(put(path, whole[:length]))
        if error is None:
            read.append(length)
        else:
            assert error.line is not None, length
            assert error.column is not None, length
    # only what is cut inside the last number, or behind it, still makes sense
    assert read == [len(whole) - 2, len(whole) - 1]


@pytest.mark.parametrize(
    "content", [bytes(range(256)), b"\x89PNG\r\n\x1a\n", b"PK\x03\x04" + b"\xff" * 100, b"\xff\xfe\x00", b"{" * 1000]
)
def test_garbage(tmp_path: Path, content: bytes) -> None:
    assert refusal(put(tmp_path / "x.bvh", content)).line is not None


def test_things_that_are_no_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "folder.bvh"
    folder.mkdir()
    assert "this is a folder" in str(refusal(folder))
    assert "this is a folder" in str(refusal(tmp_path))
    assert "no such file" in str(refusal(tmp_path / "absent.bvh"))
    assert "no such file" in str(refusal(tmp_path / "absent" / "absent.bvh"))
    assert "cannot be read" in str(refusal(tmp_path / "a\0b.bvh"))
    assert "unknown suffix '.xyz'" in str(refusal(put(tmp_path / "x.xyz", "x")))
    assert "unknown suffix ''" in str(refusal(put(tmp_path / "x", "x")))

    def denied(path: Path) -> bytes:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "read_bytes", denied)
    assert "cannot be read: Permission denied" in str(refusal(put(tmp_path / "x.bvh", ONE_JOINT)))


@pytest.mark.parametrize(
    ("head", "unit", "tail"),
    [
        (ONE_JOINT[:-15], b"1 ", b"\n"),
        (ONE_JOINT[:-15], b"1 2 3 4 5 6 ", b"\n"),
        (ONE_JOINT[:-15], b"7", b"\n"),
        (ONE_JOINT[:-15], b"x", b""),
        ("HIERARCHY\nROOT ", b"x", b"\n{\n}\n"),
        ("HIERARCHY\nROOT a\n{\nOFFSET ", b"1", b" 2 3\n"),
        ("", b"x", b""),
    ],
    ids=["numbers", "whole frames", "digits", "letters", "name", "offset", "no header"],
)
def test_a_huge_line_is_refused_soon_and_in_little_memory(tmp_path: Path, head: str, unit: bytes, tail: bytes) -> None:
    size = 20_000_000
    path = put(tmp_path / "x.bvh", head.encode() + unit * (size // len(unit)) + tail)
    begin = time.perf_counter()
    tracemalloc.start()
    try:
        error = refusal(path)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
        path.unlink()
    assert len(str(error)) < 500 + len(str(path))
    assert peak < 8 * size
    assert time.perf_counter() - begin < 10


def test_thousands_of_joints_without_channels_cost_no_memory(tmp_path: Path) -> None:
    count = 2000
    joints = "".join(f"JOINT j{k}\n{{\nOFFSET 0 1 0\n}}\n" for k in range(count))
    head = f"HIERARCHY\nROOT r\n{{\nOFFSET 0 0 0\nCHANNELS 1 Xrotation\n{joints}}}\nMOTION\nFrames: 50000\nFrame Time: 0.1\n"
    fault = refusal(put(tmp_path / "x.bvh", head + "1\n" * 50000))
    assert "most without channels" in str(fault)
