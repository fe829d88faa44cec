"""Numbers out of text: bit for bit what Python's own float gives, and nothing that is no number."""

from __future__ import annotations

import struct

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kinegraph.formats import numbers

FORMATS = (
    "%.4f",
    "%.6f",
    "%.9f",
    "%.1f",
    "%.0f",
    "%#.0f",
    "%g",
    "%r",
    "%e",
    "%.3E",
    "%.12g",
    "%.17g",
    "%+.5f",
    "%.25f",
    "%.40e",
    "%014.6f",
)
DIGITS = st.text("0123456789", max_size=25)


@st.composite
def spelled(draw: st.DrawFn) -> str:
    """A decimal number in any spelling that a file may hold."""
    whole, part = draw(DIGITS), draw(DIGITS)
    point = draw(st.sampled_from(["", "."])) if not part else "."
    exponent = draw(
        st.one_of(
            st.just(""),
            st.builds("{}{}{}".format, st.sampled_from("eE"), st.sampled_from(["", "+", "-"]), st.integers(0, 330)),
        )
    )
    return draw(st.sampled_from(["", "-", "+"])) + (whole + point + part if whole or part else "0") + exponent


def printed() -> st.SearchStrategy[str]:
    values = st.one_of(st.floats(-1e6, 1e6), st.floats(-360, 360), st.floats(allow_nan=False, allow_infinity=False))
    return st.builds(lambda value, form: form % value, values, st.sampled_from(FORMATS))


def tokens_of_any_kind() -> st.SearchStrategy[str]:
    return st.one_of(spelled(), printed(), st.integers(-(10**20), 10**20).map(str))


def parse(texts: list[str]) -> tuple[np.ndarray, int]:
    buffer = numbers.padded(" ".join(texts).encode())
    found = numbers.tokens(buffer)
    assert len(found) == len(texts)
    return numbers.parse(buffer, found)


def bits(values: list[float]) -> list[bytes]:
    return [struct.pack("<d", value) for value in values]


@settings(max_examples=400)
@given(st.lists(tokens_of_any_kind(), min_size=1, max_size=40))
def test_every_number_is_the_one_that_python_reads(texts: list[str]) -> None:
    finite = [text for text in texts if abs(float(text)) != float("inf")]
    values, bad = parse(finite or ["0"])
    assert bad == -1
    assert bits(values.tolist()) == bits([float(text) for text in finite or ["0"]])
    assert bits([numbers.to_float(text.encode()) or 0.0 for text in finite if float(text)]) == bits(
        [float(t) for t in finite if float(t)]
    )


@pytest.mark.parametrize("form", ["%.4f", "%.6f", "%.9f", "%g", "%r", "%e", "%d"])
def test_a_whole_table_of_one_format(form: str) -> None:
    random = np.random.default_rng(3)
    texts = [
        form % value
        for value in np.concatenate([random.normal(size=4000) * 200, random.normal(size=1000) * 1e-5]).tolist()
    ]
    values, bad = parse(texts)
    assert bad == -1
    assert bits(values.tolist()) == bits([float(text) for text in texts])


_HARD = (
    "-0 -0.0 +0 0e5 -0e-5 -.0 0000000000000000 -00000000000000000000.00000000000000000000 9007199254740992 9007199254740993 "
    "9007199254740993.0 0.9007199254740993 99999999 999999999 99999999.99999999 12345678.12345678 123456789.1 .123456789012345678 "
    "1e22 1e23 9007199254740991e22 9007199254740993e-22 8.5e-22 1e-22 1e-23 5e-324 2.4e-324 2.5e-324 1.7976931348623157e308 "
    "4.4501477170144023e-308 2.2250738585072014e-308 1e+05 1E5 1e000000000000000000000000000000000005 1e-0005 +1. -1. +.5 "
    "1234567.8 12345678 1234567. .1234567 .12345678 -1234567.8 8.41 0.1 1.0000000000000002 123456789012345678 0.3e1 10000000000000000"
)
HARD = _HARD.split()


def test_hard_cases() -> None:
    values, bad = parse(HARD)
    assert bad == -1
    assert bits(values.tolist()) == bits([float(text) for text in HARD])


_MALFORMED = (
    "nan NaN inf -inf +Infinity 1e400 -1e400 . + - +. -. e e5 .e5 1e 1e+ 1e- 1e5.0 1e5e5 1.2.3 1..2 --1 +-1 -+1 1- 1+ 1-2 0x10 1_000 "
    "1,5 1;2 12a a12 1f 1d0 1e1_0 ١٢ ½ １ 1\u00a02 { } # 1/2 12345678a a12345678 1234567a.5 0.1234567:  123456789.12345678x "
    "0.1x34567812345678 1.:234567812345678 "
    "12:34 1234567/ /1234567 0.123456789012345678901234567890z 1e99999999999999999999 -e-5 +e"
)
MALFORMED = _MALFORMED.split(" ")


@pytest.mark.parametrize("token", [token for token in MALFORMED if token])
def test_what_is_no_number_is_refused_wherever_it_stands(token: str) -> None:
    assert numbers.to_float(token.encode()) is None
    for before, behind in ((0, 0), (3, 0), (0, 3), (2, 40)):
        assert parse(["1.5"] * before + [token] + ["-2"] * behind)[1] == before


@settings(max_examples=400)
@given(st.text(st.characters(codec="ascii", min_codepoint=33, max_codepoint=126), min_size=1, max_size=24))
def test_any_token_is_read_as_to_float_reads_it(token: str) -> None:
    values, bad = parse([token])
    expected = numbers.to_float(token.encode())
    assert (bad == 0) == (expected is None)
    if expected is not None:
        assert bits(values.tolist()) == bits([expected])


@given(st.text("0123456789.-+eE", min_size=1, max_size=14))
@settings(max_examples=600)
def test_tokens_of_the_letters_of_numbers(token: str) -> None:
    try:
        expected = float(token)
    except ValueError:
        expected = float("inf")
    values, bad = parse(["7", token, "8.5"])
    if abs(expected) == float("inf"):
        assert bad == 1
    else:
        assert bad == -1
        assert bits(values.tolist()) == bits([7.0, expected, 8.5])


def test_a_table_of_rows() -> None:
    rows = numbers.table_rows(numbers.padded(b"\n1 2 3\r\n\n  4 5.5 6  \n"), 3)
    assert rows is not None
    np.testing.assert_array_equal(rows[0], [[1, 2, 3], [4, 5.5, 6]])
    for text in (b"1 2 3 4 5 6", b"1 2\n3 4 5 6", b"1 2 3\n4 5", b"1 2 3 4\n5 6", b"1 2\n3\n4 5 6", b"1 2 3\n4\n5 6"):
        assert numbers.table_rows(numbers.padded(text), 3) is None
    bad = numbers.table_rows(numbers.padded(b"1 2 3\n4 x 6"), 3)
    assert bad is not None
    assert numbers.offset_in(bad[1]) == 8


@given(st.lists(st.integers(0, 30), max_size=30), st.integers(1, 50), st.booleans())
def test_chunks_are_whole_lines_and_cover_all(lengths: list[int], size: int, final: bool) -> None:
    data = b"\n".join(b"x" * length for length in lengths) + (b"\n" if final else b"")
    spans = list(numbers.line_chunks(data, 0, size))
    assert b"".join(data[begin:end] for begin, end in spans) == data
    assert all(data[end - 1 : end] == b"\n" for _, end in spans[:-1])
    assert all(end - begin <= size or b"\n" not in data[begin : end - 1] for begin, end in spans)
