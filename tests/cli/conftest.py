from __future__ import annotations

import shutil
from pathlib import Path

import pytest

import kinegraph as kg
from kinegraph import samples
from tests.cli.inprocess import call

NAMES = ("stand", "walk", "walk_left_tight")


@pytest.fixture(scope="session")
def clips(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of three clips, with something beside them that is none."""
    folder = tmp_path_factory.mktemp("clips")
    for name in NAMES:
        kg.save(samples.make(name).motion, folder / f"{name}.bvh")
    (folder / "notes.txt").write_text("not a clip")
    return folder


@pytest.fixture(scope="session")
def built(clips: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("graph") / "built.mog"
    done = call("build", clips, "-o", path)
    assert done.code == 0, done.err
    return path


@pytest.fixture
def mog(built: Path, tmp_path: Path) -> Path:
    """A copy of the graph of `clips` to change."""
    path = tmp_path / "g.mog"
    shutil.copy(built, path)
    return path
