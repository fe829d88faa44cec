"""NPZ archives that are none, or hold no motion."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

import numpy as np
import pytest

from kinegraph import Motion, Skeleton, save
from tests.formats.texts import put, refusal


def small() -> Motion:
    body = Skeleton(("a", "b"), [-1, 0], np.ones((2, 3)), [1], np.ones((1, 3)))
    return Motion(body, np.zeros((3, 3)), np.tile([1.0, 0, 0, 0], (3, 2, 1)), 30.0)


@pytest.fixture
def arrays(tmp_path: Path) -> dict[str, np.ndarray]:
    save(small(), tmp_path / "whole.npz")
    with np.load(tmp_path / "whole.npz") as archive:
        return dict(archive)


def packed(**arrays: np.ndarray) -> bytes:
    out = io.BytesIO()
    np.savez(out, **arrays)
    return out.getvalue()


@pytest.mark.parametrize("name", ["names", "parents", "offsets", "root", "rotations", "fps"])
def test_an_array_that_is_missing_is_named(tmp_path: Path, arrays: dict[str, np.ndarray], name: str) -> None:
    del arrays[name]
    error = refusal(put(tmp_path / "x.npz", packed(**arrays)))
    assert f"holds no {name}" in error.what
    assert error.path == tmp_path / "x.npz"


CHANGES = {
    "names": [np.array([1, 2]), np.array("ab"), np.array(["a"]), np.full(2, 0x7FFFFFFF, np.uint32).view("<U1")],
    "parents": [np.array([0, 0]), np.array([-1, 1]), np.array([-1, 9]), np.array(-1), np.array([-1.0, np.nan])],
    "offsets": [np.ones((2, 2)), np.full((2, 3), np.inf), np.full((2, 3), 1e300), np.ones((2, 3), complex)],
    "tip_parents": [np.array([2]), np.array([0, 1])],
    "tip_offsets": [np.ones(4), np.ones((2, 3))],
    "root": [np.ones((4, 3)), np.zeros((0, 3)), np.array(["x"]), np.full((3, 3), np.nan), np.full((3, 3), -1e200)],
    "rotations": [np.ones((3, 2, 4)), np.zeros((3, 2, 4)), np.ones((3, 2, 3)), np.full((3, 2, 4), 1e300)],
    "fps": [np.array(0.0), np.array(-1.0), np.array(np.nan), np.array([30.0, 30.0]), np.array("30")],
    "translations": [np.zeros((3, 3)), np.full((3, 2, 3), np.nan)],
    "overrides": [
        np.array("[1]"),
        np.array("{"),
        np.array('{"hips": 7}'),
        np.array('{"tail": 0}'),
        np.array('{"hips": null}'),
    ],
}


@pytest.mark.parametrize(
    ("name", "number"), [(name, number) for name, values in CHANGES.items() for number in range(len(values))]
)
def test_arrays_that_make_no_motion(tmp_path: Path, arrays: dict[str, np.ndarray], name: str, number: int) -> None:
    error = refusal(put(tmp_path / "x.npz", packed(**{**arrays, name: CHANGES[name][number]})))
    assert error.path == tmp_path / "x.npz"


def test_objects_are_never_unpickled(tmp_path: Path, arrays: dict[str, np.ndarray]) -> None:
    error = refusal(put(tmp_path / "x.npz", packed(**{**arrays, "names": np.array([{"a": 1}, None], dtype=object)})))
    assert "no readable NPZ archive" in error.what


def test_an_archive_cut_anywhere_is_refused(tmp_path: Path) -> None:
    save(small(), tmp_path / "whole.npz")
    whole = (tmp_path / "whole.npz").read_bytes()
    for length in [*range(0, len(whole), 7), len(whole) - 1]:
        refusal(put(tmp_path / "x.npz", whole[:length]))


def test_other_files_by_that_name(tmp_path: Path) -> None:
    single = io.BytesIO()
    np.save(single, np.ones(3))
    assert "a single array" in refusal(put(tmp_path / "x.npz", single.getvalue())).what
    refusal(put(tmp_path / "x.npz", b""))
    refusal(put(tmp_path / "x.npz", bytes(range(256))))
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as out:
        out.writestr("readme.txt", "hello")
    assert "not a motion of kinegraph" in refusal(put(tmp_path / "x.npz", archive.getvalue())).what
    assert "this is a folder" in refusal(_folder(tmp_path / "folder.npz")).what


def _folder(path: Path) -> Path:
    path.mkdir()
    return path


def test_an_archive_that_would_fill_the_memory_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "bomb.npz"
    np.savez_compressed(path, root=np.zeros(4_000_000))
    assert "would grow from 0.0 to 32 MB" in str(refusal(path))
