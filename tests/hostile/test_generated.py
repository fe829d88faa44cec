"""BVH, NPZ, SVG, TOML and JSON files with one thing changed, through commands and routes. `benchmarks/hostile.py texts` tries them all."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import pytest

from tests.hostile import texts

# of the thousands, each so many-th
EACH = 160


@cache
def cases() -> list[texts.Case]:
    return list(texts.cases())


@pytest.fixture(scope="module")
def trials(tmp_path_factory: pytest.TempPathFactory) -> Iterator[texts.Trials]:
    held = texts.Trials(tmp_path_factory.mktemp("hostile"))
    yield held
    held.close()


def test_the_generator_reaches_everything() -> None:
    for file, least in (
        ("clip.bvh", 500),
        ("clip.npz", 150),
        ("path.svg", 500),
        ("crowd.toml", 500),
        ("scene.toml", 500),
    ):
        assert sum(case.file == file for case in cases()) > least
    assert {case.file for case in cases()} == set(texts.FILES)
    assert len({case.name for case in cases()}) == len(cases())


@pytest.mark.filterwarnings("ignore")
def test_good_files_are_good(trials: texts.Trials) -> None:
    for file in texts.FILES:
        path = trials.folder / file
        path.write_bytes(texts.good(file))
        assert {what: answer for what, answer in trials.answers(path) if answer != "done"} == {}, file


@pytest.mark.filterwarnings("ignore")
def test_hostile_files_do_no_harm(trials: texts.Trials) -> None:
    found = []
    for case in cases()[::EACH]:
        told = trials.answers(case.write(trials.folder))
        found += [f"{case.name}: {what}: {answer}" for what, answer in told if answer.startswith("fault")]
    assert found == []
