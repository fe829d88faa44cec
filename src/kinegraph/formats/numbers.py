"""Decimal numbers out of text, millions a second, without compiled code of our own.

Eight digits at a time: an unaligned 64-bit word holds eight characters, and three multiplications turn them into their value
(Lemire, "Number parsing at a gigabyte per second", 2021, section on SWAR digits). Here every step acts on an array of words, one for each
token. A token with at most eight digits before the point and sixteen after it, whose digits make an integer below 2⁵³, is
rounded correctly by one division, since both numbers are exact. Any other token goes through `float`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from os import cpu_count
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from kinegraph.arrays import Array, Bytes, Indices

_Result = TypeVar("_Result")

# Blanks on both sides of a text, so that a word read before its first or behind its last token stays inside the buffer.
_MARGIN = 32
_NEWLINE, _SPACE, _PLUS, _MINUS, _POINT, _E = 10, 32, 43, 45, 46, 101
# Large enough that threads seldom wait for the interpreter's lock, small enough for the caches.
CHUNK = 1 << 20
# Poses (joints × frames) a byte of a file may become: real files have less than one.
MOST_POSES = 16

_U = np.uint64
_ZEROS, _ABOVE_NINE, _HIGH_BITS = _U(0x3030303030303030), _U(0x7676767676767676), _U(0x8080808080808080)
# keep the last n of a word's eight characters: in little-endian order these are its high bytes
_KEEP_LAST = np.array([0] + [(2**64 - 1) ^ (2 ** (8 * (8 - n)) - 1) for n in range(1, 9)], dtype=np.uint64)
_TENS = 10 ** np.arange(19, dtype=np.int64)
_TENS_FLOAT = np.array([10.0**n for n in range(23)])
_EXACT = 1 << 53

NUMBER = re.compile(rb"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?")


def to_float(token: bytes) -> float | None:
    """The value of one decimal token; None where it is none or not finite (``nan``, ``inf``, ``1e999``).

    >>> to_float(b"-.5e1"), to_float(b"nan"), to_float(b"1_0")
    (-5.0, None, None)
    """
    if NUMBER.fullmatch(token) is None:
        return None
    value = float(token)
    return value if abs(value) != float("inf") else None


def padded(data: bytes) -> Bytes:
    """The bytes with a margin of blanks, as `tokens` and `parse` want them."""
    buffer = np.full(len(data) + 2 * _MARGIN, _SPACE, np.uint8)
    buffer[_MARGIN : _MARGIN + len(data)] = np.frombuffer(data, np.uint8)
    return buffer


def offset_in(position: int) -> int:
    """The offset in the unpadded data of a position in the padded buffer."""
    return position - _MARGIN


def words(buffer: Bytes) -> NDArray[np.uint64]:
    """Every run of eight bytes as one little-endian word: ``words(b)[i]`` holds bytes i … i + 7. A view, not a copy."""
    return np.lib.stride_tricks.as_strided(buffer[:8].view("<u8"), (len(buffer) - 7,), (1,), writeable=False)


@dataclass(frozen=True)
class Tokens:
    """Positions ``(N,)`` in a buffer: where each token starts, where its first decimal point is (its end, if it has none), and its end."""

    starts: Indices
    points: Indices
    ends: Indices

    def __len__(self) -> int:
        return len(self.starts)

    def __getitem__(self, which: Any) -> Tokens:
        return Tokens(self.starts[which], self.points[which], self.ends[which])

    def reshape(self, *shape: int) -> Tokens:
        """The same tokens as a table, or as a list again."""
        return Tokens(self.starts.reshape(shape), self.points.reshape(shape), self.ends.reshape(shape))


def tokens(buffer: Bytes) -> Tokens:
    """All tokens between blanks (every character up to the space counts as blank)."""
    blank = buffer <= _SPACE
    # one list of all places where something happens, in order: a token begins, has a point, or ends
    marks = blank[1:] != blank[:-1]
    marks |= buffer[1:] == _POINT
    events = np.flatnonzero(marks)
    events += 1
    last = np.flatnonzero(buffer[events] <= _SPACE)
    # what follows the end of a token is the start of the next, and what follows a start is a point or the end
    begin = np.empty_like(last)
    begin[:1] = 0
    begin[1:] = last[:-1] + 1
    starts = events[begin]
    begin += 1
    points = events[begin]
    early = buffer[starts] == _POINT
    if early.any():
        points[early] = starts[early]
    return Tokens(starts, points, events[last])


def parse(buffer: Bytes, found: Tokens) -> tuple[Array, int]:
    """Values ``(N,)`` of tokens, and the index of the first that is no finite number (or −1)."""
    mantissa, shift, negative, regular = _decimals(buffer, found)
    values = mantissa / _TENS_FLOAT[shift]
    # the quotient gets the sign, not the integer: there is a −0.0
    values *= np.where(negative, -1.0, 1.0)
    if regular.all():
        return values, -1
    odd = np.flatnonzero(~regular)
    values[odd], read = _scientific(buffer, found[odd])
    for index in odd[~read]:
        value = to_float(buffer[found.starts[index] : found.ends[index]].tobytes())
        if value is None:
            return values, int(index)
        values[index] = value
    return values, -1


def _decimals(buffer: Bytes, found: Tokens) -> tuple[NDArray[np.int64], Indices, NDArray[np.bool_], NDArray[np.bool_]]:
    """Tokens such as −12.5 as integer, count of decimals and whether negative, and which could be taken so, exactly."""
    first = buffer[found.starts]
    negative = first == _MINUS
    characters = found.ends - found.starts
    characters -= negative | (first == _PLUS)
    long = np.flatnonzero(characters > 8)
    if 2 * len(long) > len(found):
        mantissa, decimals, regular = _two_sides(buffer, found, characters)
    else:
        mantissa, decimals, regular = _one_word(buffer, found, characters)
        if len(long):
            mantissa[long], decimals[long], regular[long] = _two_sides(buffer, found[long], characters[long])
    return mantissa, decimals, negative, regular


def _one_word(
    buffer: Bytes, found: Tokens, characters: Indices
) -> tuple[NDArray[np.int64], Indices, NDArray[np.bool_]]:
    """`_decimals` for tokens of at most eight characters: one word holds all, the point is squeezed out."""
    decimals = found.ends - found.points
    pointed = decimals > 0
    digits = characters - pointed
    np.clip(digits, 0, 8, out=digits)
    decimals -= pointed
    np.minimum(decimals, 8, out=decimals)
    value = words(buffer)[found.ends - 8]
    # a token without a point keeps all eight characters where they are
    keep = _KEEP_LAST[np.where(pointed, decimals, 8)]
    upper = value & keep
    np.invert(keep, out=keep)
    value <<= _U(8)
    value &= keep
    value |= upper
    mantissa, bad = _eight_digits(value, digits)
    return mantissa, decimals, (bad == 0) & (digits > 0)


def _two_sides(
    buffer: Bytes, found: Tokens, characters: Indices
) -> tuple[NDArray[np.int64], Indices, NDArray[np.bool_]]:
    """`_decimals` for tokens of any length: what stands before the point and what stands behind it."""
    points, ends = found.points, found.ends
    part_digits = ends - points
    part_digits -= part_digits > 0
    whole_digits = characters - (ends - points)
    word = words(buffer)
    whole, whole_bad = _eight_digits(word[points - 8], np.clip(whole_digits, 0, 8))
    part, part_bad = _eight_digits(word[ends - 8], np.minimum(part_digits, 8))
    digits = whole_digits + part_digits
    regular = (whole_bad | part_bad) == 0
    regular &= (whole_digits >= 0) & (whole_digits <= 8) & (part_digits <= 16) & (digits > 0) & (digits <= 18)
    long = np.flatnonzero(regular & (part_digits > 8))
    if len(long):
        upper, upper_bad = _eight_digits(word[ends[long] - 16], part_digits[long] - 8)
        part[long] += upper * _TENS[8]
        regular[long] &= upper_bad == 0
    decimals = np.where(regular, part_digits, 0)
    whole *= _TENS[decimals]
    whole += part
    regular &= whole < _EXACT
    return whole, decimals, regular


def _scientific(buffer: Bytes, found: Tokens) -> tuple[Array, NDArray[np.bool_]]:
    """Values of tokens such as −1.5e−014, and which of them could be read so, exactly."""
    # an exponent of more than six digits and a sign is nobody's: the letter is among the last eight characters
    at = found.ends[:, None] + np.arange(-8, 0)
    marks = (buffer[at] | 32) == _E
    marks &= at >= found.starts[:, None]
    split = np.where(marks.any(axis=1), found.ends - 8 + np.argmax(marks, axis=1), found.ends)
    mantissa, shift, negative, regular = _decimals(buffer, Tokens(found.starts, np.minimum(found.points, split), split))
    behind = np.minimum(split + 1, found.ends)
    power, _, downwards, whole = _decimals(buffer, Tokens(behind, found.ends, found.ends))
    regular &= whole & marks.any(axis=1) & (power < 100)
    power = np.where(regular, np.where(downwards, -power, power), 0) - shift
    regular &= np.abs(power) < len(_TENS_FLOAT)
    scale = _TENS_FLOAT[np.where(regular, np.abs(power), 0)]
    # one rounding either way: the mantissa and powers of ten up to 10²² are exact
    values = np.where(power < 0, mantissa / scale, mantissa * scale)
    return values * np.where(negative, -1.0, 1.0), regular


def _eight_digits(value: NDArray[np.uint64], count: Indices) -> tuple[NDArray[np.int64], NDArray[np.uint64]]:
    """Value of the last ``count`` ≤ 8 digits in each word, and a word that is zero where all of them were digits.

    ``value`` is overwritten.
    """
    value ^= _ZEROS
    value &= _KEEP_LAST[count]
    bad = value + _ABOVE_NINE
    bad |= value
    bad &= _HIGH_BITS
    # pairs of digits, then pairs of pairs, then the two halves
    pairs = value >> _U(8)
    value *= _U(10)
    value += pairs
    upper = value >> _U(16)
    upper &= _U(0x000000FF000000FF)
    upper *= _U(0x0000271000000001)
    value &= _U(0x000000FF000000FF)
    value *= _U(0x000F424000000064)
    value += upper
    value >>= _U(32)
    return value.view(np.int64), bad


def line_chunks(data: bytes, begin: int, size: int = CHUNK) -> Iterator[tuple[int, int]]:
    """Spans of about ``size`` bytes of whole lines that cover ``data`` from ``begin`` on."""
    while begin < len(data):
        if len(data) - begin <= size:
            end = len(data)
        else:
            end = data.rfind(b"\n", begin, begin + size) + 1 or data.find(b"\n", begin + size) + 1 or len(data)
        yield begin, end
        begin = end


def may_hold_rows(buffer: Bytes, columns: int, lines: int = 1) -> bool:
    """Whether the tokens of a piece that is much larger than a chunk can make rows of ``columns``, ``lines`` lines each.

    Such tokens are counted before they are listed: a hostile line of a hundred million must not cost a hundred times its size.
    """
    if len(buffer) <= 2 * CHUNK:
        return True
    blank = buffer <= _SPACE
    rows, rest = divmod(int(np.count_nonzero(blank[1:] != blank[:-1])), 2 * columns)
    return rest == 0 and rows * lines <= int(np.count_nonzero(buffer == _NEWLINE)) + 1


def table_rows(buffer: Bytes, columns: int) -> tuple[Array, int] | None:
    """The rows ``(R, columns)`` of a text of one row a line, and the position of the first token that is no number, or −1.

    None where some line holds another count of tokens than ``columns`` (blank lines are passed over).
    """
    if not may_hold_rows(buffer, columns):
        return None
    found = tokens(buffer)
    if len(found) % columns:
        return None
    newlines = np.flatnonzero(buffer == _NEWLINE)
    first_line = np.searchsorted(newlines, found.starts[::columns])
    last_line = np.searchsorted(newlines, found.ends[columns - 1 :: columns])
    if np.any(first_line != last_line) or np.any(first_line[1:] == last_line[:-1]):
        return None
    values, bad = parse(buffer, found)
    return values.reshape(-1, columns), -1 if bad < 0 else int(found.starts[bad])


def on_all_cores(work: Callable[[tuple[int, int]], _Result], pieces: list[tuple[int, int]]) -> list[_Result]:
    """``work`` on every piece, in order; in threads where there are several (NumPy lets go of the interpreter's lock)."""
    if len(pieces) < 3:
        return [work(piece) for piece in pieces]
    from kinegraph.crew import Threads  # not for the many files that need none

    with Threads(min(cpu_count() or 1, 8)) as pool:
        return list(pool.map(work, pieces))
