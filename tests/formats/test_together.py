"""Saving people who move at the same time: a folder, an archive, and what is refused."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from kinegraph import Motion, load, samples
from kinegraph.errors import FormatError
from kinegraph.formats import npz, save_together


@pytest.fixture
def pair() -> list[Motion]:
    walk = samples.make("walk").motion
    tall = replace(walk[10:50], skeleton=walk.skeleton.scaled(1.1), root=1.1 * walk.root[10:50])
    return [walk[:40].renamed("a/b"), tall.renamed("a/b")]


def test_a_folder_has_a_file_each(pair: list[Motion], tmp_path: Path) -> None:
    save_together(pair, tmp_path / "out")
    files = sorted((tmp_path / "out").iterdir())
    assert [file.name for file in files] == ["a_b.bvh", "a_b_2.bvh"]
    for file, motion in zip(files, pair, strict=True):
        assert np.abs(load(file, units="cm").positions - motion.positions).max() < 1e-3
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


def test_an_archive_keeps_everybody(pair: list[Motion], tmp_path: Path) -> None:
    save_together(pair, tmp_path / "out.npz")
    for back, motion in zip(npz.read_together(tmp_path / "out.npz"), pair, strict=True):
        assert back.name == motion.name
        assert back.skeleton == motion.skeleton
        assert np.abs(back.positions - motion.positions).max() < 1e-5
    with pytest.raises(FormatError, match=r"holds 2 people, not one motion: .*read_together"):
        load(tmp_path / "out.npz")
    save_together(pair[:1], tmp_path / "one.npz")
    assert len(npz.read_together(tmp_path / "one.npz")) == 1


def test_what_cannot_be_is_refused_and_nothing_is_left(pair: list[Motion], tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=r"\.csv files do not hold several people: expected one of .*\.glb"):
        save_together(pair, tmp_path / "out.csv")
    for name in ("out", "out.npz", "out.glb"):
        with pytest.raises(FormatError, match="share its timeline"):
            save_together([pair[0], pair[1][:9]], tmp_path / name)
        with pytest.raises(FormatError, match="nobody to write"):
            save_together([], tmp_path / name)
    assert not list(tmp_path.iterdir())


def test_people_come_and_go_in_an_archive_and_a_folder(pair: list[Motion], tmp_path: Path) -> None:
    starting = [pair[0], pair[1][:25]]
    save_together(starting, tmp_path / "out.npz", starts=[0, 30])
    with np.load(tmp_path / "out.npz") as arrays:
        assert arrays["root"].shape == (2, 55, 3)
        assert np.isnan(arrays["root"][0, 40:]).all()
        assert np.isnan(arrays["root"][1, :30]).all()
    assert [len(motion) for motion in npz.read_together(tmp_path / "out.npz")] == [40, 25]
    save_together(starting, tmp_path / "out", starts=[0, 30])
    assert len(list((tmp_path / "out").iterdir())) == 2
