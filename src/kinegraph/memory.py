"""How much memory this process holds, and sizes as people write them.

>>> size("2G"), told(size("512M"))
(2147483648.0, '512 MB')
"""

from __future__ import annotations

import ctypes
import math
import mmap
import sys
from contextlib import suppress
from pathlib import Path

from kinegraph.errors import GraphError

NONE_LEFT = "there is not enough memory for this: give less at a time, or close other programs"
"""What is told where a `MemoryError` ends some work."""
LEAST = 32_000_000
"""Bytes that there must be before long work is begun."""

_UNITS = {"": 1.0, "K": 2.0**10, "M": 2.0**20, "G": 2.0**30, "T": 2.0**40}


def size(said: str) -> float:
    """Bytes out of words such as 2G or 512M."""
    word = said.strip().upper().removesuffix("B").removesuffix("I")
    unit = word[-1:] if word[-1:] in _UNITS else ""
    try:
        value = float(word.removesuffix(unit)) * _UNITS[unit]
    except ValueError:
        value = math.nan
    if not 0 < value < math.inf:
        raise GraphError(f"expected a size such as 2G or 512M, got {said!r}")
    return value


def told(size: float) -> str:
    """A size for people."""
    return f"{size / 2**30:.2g} GB" if size >= 2**30 else f"{size / 2**20:.0f} MB"


def held() -> float:
    """Bytes that this process holds now; where the system does not tell, the most that it ever held, or 0."""
    return _status("VmRSS") or peak() or 0.0


def peak() -> float | None:
    """The most bytes that this process ever held; None where the system does not tell."""
    return _status("VmHWM") or _usage()


def need(size: int = LEAST) -> None:
    """A `MemoryError` where the system would not give so many bytes more.

    Asked before work is begun: libraries that compute are not always prepared to be refused in their midst, and some end the process.
    """
    try:
        mmap.mmap(-1, size).close()  # given back untouched
    except OSError as error:
        raise MemoryError(NONE_LEFT) from error


def give_back() -> None:
    """Return to the system what was freed: the C library keeps pieces of it at hand, which add up over the stages of a build."""
    if sys.platform != "linux":
        return
    with suppress(OSError, AttributeError):  # another C library
        ctypes.CDLL("libc.so.6").malloc_trim(0)


def _status(name: str) -> float | None:
    try:
        lines = Path("/proc/self/status").read_text().splitlines()
    except OSError:
        return None
    found = [line.split()[1] for line in lines if line.startswith(f"{name}:")]
    return 1024.0 * float(found[0]) if found else None


def _usage() -> float | None:
    try:
        import resource
    except ImportError:  # Windows
        return None
    return float(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss) * (1 if sys.platform == "darwin" else 1024)
