"""The same file gives the same motion however often, in however many threads; a failed write leaves nothing behind."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from kinegraph import Motion, Skeleton, load, save
from kinegraph.formats import asf, numbers
from tests.strategies import random_quaternions


@pytest.fixture(scope="module")
def clips(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """One motion as files of each format, the BVH long enough for several chunks."""
    folder = tmp_path_factory.mktemp("clips")
    random = np.random.default_rng(1)
    body = Skeleton(
        tuple(f"joint {index}" for index in range(25)),
        np.arange(25) - 1,
        random.normal(size=(25, 3)),
        [24],
        np.ones((1, 3)),
    )
    motion = Motion(body, random.normal(size=(6000, 3)), random_quaternions(random, 6000, 25), 60.0)
    for suffix in ("bvh", "amc", "npz"):
        save(motion, folder / f"x.{suffix}")
    assert (folder / "x.bvh").stat().st_size > 3 * numbers.CHUNK
    return {suffix: folder / f"x.{suffix}" for suffix in ("bvh", "amc", "npz")}


def bits(motion: Motion) -> tuple[bytes, ...]:
    return tuple(
        array.tobytes()
        for array in (motion.root, motion.rotations, motion.skeleton.offsets, motion.skeleton.tip_offsets)
    )


@pytest.mark.parametrize("suffix", ["bvh", "amc", "npz"])
def test_reading_twice_and_in_threads(clips: dict[str, Path], suffix: str) -> None:
    once = bits(load(clips[suffix]))
    with ThreadPoolExecutor(4) as pool:
        again = list(pool.map(lambda path: bits(load(path)), [clips[suffix]] * 4))
    assert all(other == once for other in again)


def one_by_one(work: Callable[[Any], Any], pieces: list[Any]) -> list[Any]:
    return [work(piece) for piece in pieces]


@pytest.mark.parametrize("suffix", ["bvh", "amc"])
def test_threads_change_no_bit(clips: dict[str, Path], suffix: str, monkeypatch: pytest.MonkeyPatch) -> None:
    threaded = bits(load(clips[suffix]))
    monkeypatch.setattr(numbers, "on_all_cores", one_by_one)
    assert bits(load(clips[suffix])) == threaded


@pytest.mark.parametrize("suffix", ["bvh", "amc"])
@pytest.mark.parametrize("size", [3001, 100_000, 1 << 30])
def test_where_the_file_is_cut_changes_no_bit(
    clips: dict[str, Path], suffix: str, size: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = bits(load(clips[suffix]))
    monkeypatch.setattr(numbers, "CHUNK", size)
    monkeypatch.setattr(numbers, "line_chunks", partial(numbers.line_chunks, size=size))
    assert bits(load(clips[suffix])) == whole


def test_a_fault_in_a_late_chunk_has_its_own_place_and_the_first_one_wins(
    clips: dict[str, Path], tmp_path: Path
) -> None:
    lines = clips["bvh"].read_bytes().split(b"\n")
    first = lines.index(b"MOTION") + 3
    for number in (5500, 3000):
        row = lines[first + number].split(b" ")
        lines[first + number] = b" ".join([*row[:7], b"oops", *row[8:]])
        (tmp_path / "x.bvh").write_bytes(b"\n".join(lines))
        with pytest.raises(Exception, match="found 'oops'") as caught:
            load(tmp_path / "x.bvh")
        error: Any = caught.value
        assert (error.line, error.column) == (first + number + 1, len(b" ".join(row[:7])) + 2)


@pytest.mark.parametrize("suffix", ["bvh", "amc", "npz"])
@pytest.mark.parametrize("standing", [False, True])
def test_a_write_that_fails_midway_leaves_things_as_they_were(
    clips: dict[str, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, suffix: str, standing: bool
) -> None:
    motion = load(clips[suffix])[:200]
    target = tmp_path / f"out.{suffix}"
    if standing:
        target.write_text("old")
    real = Path.open

    def full(path: Path, *arguments: Any, **options: Any) -> Any:
        """A file on a disk that is full after ten writes."""
        stream = real(path, *arguments, **options)
        left = 10
        write = stream.write

        def limited(data: Any) -> Any:
            nonlocal left
            left -= 1
            if left < 0:
                raise OSError(28, "No space left on device")
            return write(data)

        return _Stream(stream, limited)

    monkeypatch.setattr(Path, "open", full)
    with pytest.raises(Exception, match="No space left on device"):
        save(motion, target)
    monkeypatch.undo()
    assert [path.name for path in tmp_path.iterdir()] == ([target.name] if standing else [])
    if standing:
        assert target.read_text() == "old"


class _Stream:
    """A stream whose write is another."""

    def __init__(self, stream: Any, write: Callable[[Any], Any]):
        self._stream = stream
        self.write = write

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)

    def writelines(self, lines: Any) -> None:
        for line in lines:
            self.write(line)

    def __enter__(self) -> _Stream:
        return self

    def __exit__(self, *what: object) -> None:
        self._stream.close()


def test_no_motion_without_its_skeleton(
    clips: dict[str, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def failing(*arguments: object) -> None:
        raise OSError(28, "No space left on device")

    motion = load(clips["amc"])[:5]
    monkeypatch.setattr(asf, "write", failing)
    with pytest.raises(Exception, match="No space left"):
        save(motion, tmp_path / "out.amc")
    assert list(tmp_path.iterdir()) == []


def test_what_cannot_be_written_to_is_refused(clips: dict[str, Path], tmp_path: Path) -> None:
    motion = load(clips["npz"])[:5]
    for target in (tmp_path, tmp_path / "absent" / "x.bvh", tmp_path / "x.xyz"):
        with pytest.raises(Exception, match=r"folder|suffix") as caught:
            save(motion, target)
        assert type(caught.value).__name__ == "FormatError"
    assert list(tmp_path.iterdir()) == []
