"""GLB files with one thing changed: read or refused with a sentence. `benchmarks/hostile.py glb` tries them all."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from tests.hostile import glbs

# of the thousands, each so many-th
EACH, ABOUT = 150, 3600
# those that were tracebacks
FOUND = (
    "animations.0 = null",
    "animations.0 = []",
    "animations.0 = 0.5",
    "bufferViews[0] holds 1e-40",
    "bufferViews[26] holds 1e+38",
)


@cache
def cases() -> dict[str, glbs.Case]:
    return {case.name: case for case in glbs.cases()}


def test_the_generator_reaches_everything() -> None:
    assert len(cases()) > 3000
    assert cases().keys() >= set(FOUND)
    for place in ("accessors", "animations", "bufferViews", "meshes", "nodes", "skins", "scenes", "asset", "word 8"):
        assert any(name.startswith(place) for name in cases())


def test_the_good_file_is_good(tmp_path: Path) -> None:
    path = tmp_path / "good.glb"
    path.write_bytes(glbs.good())
    assert dict(glbs.answers(path)) == {"read": "done", "character": "done"}


@pytest.mark.parametrize("which", [*FOUND, *range(0, ABOUT, EACH)])
def test_hostile_files_do_no_harm(which: str | int, tmp_path: Path) -> None:
    path = tmp_path / "hostile.glb"
    names = list(cases())
    cases()[which if isinstance(which, str) else names[which % len(names)]].write(path)
    assert [f"{what}: {answer}" for what, answer in glbs.answers(path) if answer.startswith("fault")] == []
