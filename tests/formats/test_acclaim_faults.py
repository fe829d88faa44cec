"""Damaged ASF and AMC files: what was expected, in which of the two, and the very line and column."""

from __future__ import annotations

import time
import tracemalloc
from pathlib import Path

import pytest

from kinegraph import load
from kinegraph.errors import FormatError
from tests.formats.texts import TWO_BONES_AMC, TWO_BONES_ASF, put, put_acclaim, refusal


def asf(old: str, new: str) -> str:
    assert TWO_BONES_ASF.count(old) == 1, old
    return TWO_BONES_ASF.replace(old, new)


def amc(old: str, new: str) -> str:
    assert TWO_BONES_AMC.count(old) == 1, old
    return TWO_BONES_AMC.replace(old, new)


SKELETON_FAULTS = {
    "no section": ("version 1.10\n", 1, 1, "expected a section such as :bonedata, found 'version'"),
    "binary": ("\x7fELF\x01\x01", 1, 1, "expected a section such as :bonedata, found '\\x7fELF"),
    "empty": ("\n", 1, 1, "the file is empty: expected an ASF skeleton"),
    "no bones": (TWO_BONES_ASF.partition(":bonedata")[0], 12, 1, "there is no :bonedata section"),
    "no hierarchy": (TWO_BONES_ASF.partition(":hierarchy")[0], 32, 1, "there is no :hierarchy section"),
    "hierarchy empty": (
        TWO_BONES_ASF.partition(":hierarchy")[0] + ":hierarchy\nbegin\nend\n",
        35,
        1,
        "nothing hangs on root",
    ),
    "root without children": (asf("root upper\n    upper lower", "root"), 34, 5, "nothing hangs on root"),
    "cycle": (
        asf("root upper\n", "root upper\n    lower upper\n"),
        35,
        11,
        "bone 'upper' hangs in the hierarchy twice",
    ),
    "cycle through root": (asf("upper lower", "upper lower root"), 35, 17, "bone 'root' hangs in the hierarchy twice"),
    "own parent": (asf("root upper\n", "root lower\n    upper upper\n"), 35, 5, "bone 'upper' does not hang on root"),
    "bone not described": (
        asf("root upper", "root upper tail"),
        34,
        16,
        "the hierarchy names bone 'tail', which :bonedata does not describe",
    ),
    "described twice": (asf("name lower", "name upper"), 31, 3, "bone 'upper' is described twice"),
    "called root": (asf("name lower", "name root"), 31, 3, "bone 'root' is described twice"),
    "no name": (asf("    name lower\n", ""), 30, 3, "this bone has no name"),
    "name without a word": (asf("name lower", "name"), 26, 5, "expected the name of this bone"),
    "begin in begin": (asf("    id 2", "    begin"), 25, 5, "begin inside begin: expected end"),
    "end without begin": (asf("  begin\n    id 1", "    id 1"), 13, 5, "expected begin, found 'id'"),
    "section in begin": (asf("dof rz rx\n  end\n", "dof rz rx\n"), 31, 1, "expected end before ':hierarchy'"),
    "cut inside begin": (TWO_BONES_ASF[:-6], 36, 1, "the file ends inside a begin: expected end"),
    "direction of a word": (
        asf("direction 0 1 0", "direction 0 up 0"),
        16,
        17,
        "expected a number (direction of bone 'upper'), found 'up'",
    ),
    "direction of two": (
        asf("direction 0 1 0", "direction 0 1"),
        16,
        17,
        "expected 3 numbers (direction of bone 'upper'), found 2",
    ),
    "length negative": (asf("length 7.5", "length -7.5"), 17, 12, "the length of bone 'upper' is negative"),
    "length nan": (asf("length 7.5", "length nan"), 17, 12, "expected a number (length of bone 'upper'), found 'nan'"),
    "length missing": (asf("length 7.5", "length"), 17, 5, "expected 1 numbers (length of bone 'upper'), found 0"),
    "axis order": (asf("30 XYZ", "30 XYY"), 18, 19, "expected an axis order such as XYZ for bone 'upper'"),
    "axis number": (asf("10 20 30 XYZ", "10 20 x XYZ"), 18, 16, "expected a number (axis of bone 'upper'), found 'x'"),
    "dof unknown": (
        asf("dof rz rx", "dof rz rw"),
        30,
        12,
        "expected each of tx ty tz rx ry rz l once at most, found 'rw'",
    ),
    "dof twice": (asf("dof rz rx", "dof rz rz"), 30, 9, "once at most, found 'rz'"),
    "a single limit": (asf("(-160.0 20.0)", "(-160.0)"), 20, 5, "expected pairs of limits of bone 'upper'"),
    "a limit that is none": (asf("(-70.0 70.0)", "(-70.0 much)"), 21, 13, "expected pairs of limits of bone 'upper'"),
    "unit zero": (asf("length 0.45", "length 0"), 5, 10, "the unit of length must be positive"),
    "unit a word": (asf("length 0.45", "length cm"), 5, 10, "expected a number (the unit of length), found 'cm'"),
}


@pytest.mark.parametrize("fault", SKELETON_FAULTS)
def test_a_fault_in_the_skeleton(tmp_path: Path, fault: str) -> None:
    text, line, column, message = SKELETON_FAULTS[fault]
    clip = put_acclaim(tmp_path, text)
    error = refusal(clip)
    assert message in error.what
    assert (error.path, error.line, error.column) == (tmp_path / "clip.asf", line, column)


MOTION_FAULTS = {
    "empty": ("", 1, 1, "the file is empty: expected an AMC motion"),
    "header only": (":FULLY-SPECIFIED\n:DEGREES\n", 3, 1, "expected the first frame's number"),
    "no number of a frame": (amc("\n1\n", "\n"), 3, 1, "expected the number of a frame, found 'root'"),
    "number of a frame negative": (amc("\n1\n", "\n-1\n"), 3, 1, "expected the number of a frame, found '-1'"),
    "something behind the number": (
        amc("\n1\n", "\n1 x\n"),
        3,
        3,
        "expected the number of a frame alone, found 'x' behind it",
    ),
    "number of a later frame damaged": (amc("\n2\n", "\n2x\n"), 7, 1, "the skeleton has no bone '2x'"),
    "number of a later frame not whole": (amc("\n2\n", "\n2.5\n"), 7, 1, "the skeleton has no bone '2.5'"),
    "number of the third frame damaged": (
        TWO_BONES_AMC + TWO_BONES_AMC.partition("\n2\n")[2].join(["3x\n", ""]),
        11,
        1,
        "the skeleton has no bone '3x'",
    ),
    "number of the third frame not whole": (
        TWO_BONES_AMC + TWO_BONES_AMC.partition("\n2\n")[2].join(["3.0\n", ""]),
        11,
        1,
        "the skeleton has no bone '3.0'",
    ),
    "frame without bones": (":DEGREES\n1\n", 3, 1, "expected the bones of frame 1"),
    "frame without bones in the middle": (amc("\n2\n", "\n2\n3\n"), 8, 1, "expected the bones of frame 2"),
    "bone unknown": (
        amc("lower 5 -5", "tail 5 -5"),
        6,
        1,
        "the skeleton has no bone 'tail': does this AMC belong to another ASF?",
    ),
    "bone unknown later": (amc("lower 5.5 -5", "tail 5.5 -5"), 10, 1, "the skeleton has no bone 'tail'"),
    "bone in other case": (amc("lower 5.5 -5", "Lower 5.5 -5"), 10, 1, "the skeleton has no bone 'Lower'"),
    "bone twice": (amc("lower 5.5 -5", "upper 10.5 20 30"), 10, 1, "bone 'upper' stands twice in frame 2"),
    "bone missing later": (
        amc("upper 10.5 20 30\n", ""),
        10,
        1,
        "frame 2 lacks 'upper': the file is truncated or damaged",
    ),
    "bone missing first": (amc("upper 10 20 30\n", ""), 8, 1, "frame 2 has 'upper', which the first has not"),
    "value missing": (
        amc("upper 10 20 30", "upper 10 20"),
        5,
        10,
        "bone 'upper' has 2 values, but the skeleton gives it 3 (rx ry rz)",
    ),
    "value missing later": (amc("upper 10.5 20 30", "upper 10.5 20"), 9, 12, "bone 'upper' has 2 values"),
    "value too many": (amc("upper 10 20 30", "upper 10 20 30 40"), 5, 16, "bone 'upper' has 4 values"),
    "value too many later": (amc("lower 5.5 -5", "lower 5.5 -5 7"), 10, 14, "bone 'lower' has 3 values"),
    "nan": (amc("0.5 16.25 -1", "0.5 nan -1"), 8, 10, "expected a finite number, found 'nan'"),
    "infinite": (amc("0 16 0", "0 1e999 0"), 4, 8, "expected a finite number, found '1e999'"),
    "comma": (amc("upper 10.5", "upper 10,5"), 9, 7, "expected a finite number, found '10,5'"),
    "rate": (":SAMPLES-PER-SECOND 0\n" + TWO_BONES_AMC, 1, 21, "expected a positive rate, found '0'"),
    "rate a word": (":SAMPLES-PER-SECOND many\n" + TWO_BONES_AMC, 1, 21, "expected a positive rate, found 'many'"),
    "zero byte": (amc("upper 10.5", "upper\0"), 9, 6, "not an AMC motion: it holds a zero byte"),
}


@pytest.mark.parametrize("fault", MOTION_FAULTS)
def test_a_fault_in_the_motion(tmp_path: Path, fault: str) -> None:
    text, line, column, message = MOTION_FAULTS[fault]
    clip = put_acclaim(tmp_path, motion=text)
    error = refusal(clip)
    assert message in error.what
    assert (error.path, error.line, error.column) == (clip, line, column)


def test_lengths_without_measure(tmp_path: Path) -> None:
    for skeleton, motion in (
        (asf("length 7.5", "length 1e300"), TWO_BONES_AMC),
        (TWO_BONES_ASF, amc("0.5 16.25", "1e300 16.25")),
        (asf("position 0 0 0", "position 0 1e308 0"), amc("0.5 16.25", "0.5 1e308")),
    ):
        assert "is no body's" in refusal(put_acclaim(tmp_path, skeleton, motion)).what
    load(put_acclaim(tmp_path, asf("direction 0.6 0.8 0", "direction 6e307 8e307 0")))


def test_no_skeleton(tmp_path: Path) -> None:
    clip = put(tmp_path / "clip.amc", TWO_BONES_AMC)
    error = refusal(clip)
    assert "no .asf file is there" in error.what
    assert "skeleton=" in error.what
    assert "no such file" in str(refusal(clip, skeleton=tmp_path / "absent.asf"))
    assert "this is a folder" in str(refusal(clip, skeleton=tmp_path))
    assert "an ASF is a skeleton: give its AMC" in str(refusal(put(tmp_path / "x.asf", TWO_BONES_ASF)))


@pytest.mark.parametrize("which", ["asf", "amc"])
def test_a_file_cut_anywhere_is_read_or_refused(tmp_path: Path, which: str) -> None:
    clip = put_acclaim(tmp_path)
    whole = clip.with_suffix(f".{which}").read_bytes()
    refused = 0
    for length in range(len(whole)):
        put(clip.with_suffix(f".{which}"), whole[:length])
        try:
            load(clip)
        except FormatError:
            refused += 1
    assert refused > 0.5 * len(whole)


@pytest.mark.parametrize(
    ("which", "head", "unit"),
    [
        ("amc", TWO_BONES_AMC, b"1 "),
        ("amc", TWO_BONES_AMC + "3\n", b"root 1 2 3 4 5 6 upper 1 2 3 lower 1 2 3 "),
        ("amc", TWO_BONES_AMC, b"x"),
        ("amc", ":", b"x "),
        ("asf", TWO_BONES_ASF, b"x "),
        ("asf", TWO_BONES_ASF.partition(":hierarchy")[0] + ":hierarchy\nbegin\nroot ", b"x "),
        ("asf", TWO_BONES_ASF, b"x"),
    ],
    ids=["numbers", "whole frames", "letters", "header", "words", "children", "word"],
)
def test_a_huge_line_costs_little(tmp_path: Path, which: str, head: str, unit: bytes) -> None:
    size = 20_000_000
    clip = put_acclaim(tmp_path)
    huge = put(clip.with_suffix(f".{which}"), head.encode() + unit * (size // len(unit)) + b"\n")
    begin = time.perf_counter()
    tracemalloc.start()
    try:
        error = refusal(clip)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
        huge.unlink()
    assert len(str(error)) < 500 + len(str(clip))
    assert peak < 8 * size
    assert time.perf_counter() - begin < 10
