"""Files whose values nobody would write: each is refused with a sentence, or does no harm. `benchmarks/hostile.py` tries them all."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from tests.hostile import mogs, trials

# of the thousands, each so many-th
EACH, ABOUT = 120, 3600
# those that were tracebacks, hangs, or filled the memory
FOUND = (
    "clip.fps = 10000000.0 (all)",
    "clip.fps = 1e+150 (all)",
    "clip.window = 70000 (one)",
    "joint.x = 10000000.0 (all)",
    "joint.y = 0.0 (all)",
    "joint.y = 1e+150 (all)",
    "joint.z = 1.7e+308 (all)",
    "edge_source = b'' × 0",
    "node_clip = b'' × 0",
    "clip is made up",
    "label_span.label holds 1.5",
    "parameters.along = 1000000",
    "report is null",
    "report.attainable = {}",
    "report.groups.2.threshold = [1, 2, 3]",
    "report.labels = 1000000",
    "report.losses.0.clip = []",
    "space.fps holds 1000000000000",
    "space_joint.y = 1e-300 (all)",
    "space_joint.z = -1e+150 (one)",
    "space_strike is empty",
)


@cache
def cases() -> dict[str, mogs.Case]:
    return {case.name: case for case in mogs.cases()}


def test_the_generator_reaches_every_column() -> None:
    assert len(cases()) > 3000
    assert cases().keys() >= set(FOUND)
    for place in ("clip.rotations", "edge_angle", "space_strike.times", "candidate_cost"):
        assert any(name.startswith(f"{place} =") for name in cases())


def test_the_good_file_is_good(tmp_path: Path) -> None:
    path = tmp_path / "good.mog"
    path.write_bytes(mogs.good())
    assert dict(trials.answers(path)) == dict.fromkeys((*trials.LOOK, *trials.WALK, *trials.STRIKE), "done")


@pytest.mark.parametrize("which", [*FOUND, *range(0, ABOUT, EACH)])
def test_hostile_files_do_no_harm(which: str | int, tmp_path: Path) -> None:
    names = list(cases())
    name = which if isinstance(which, str) else names[which % len(names)]
    path = cases()[name].write(tmp_path)
    told = dict(trials.answers(path))
    assert [f"{what}: {answer}" for what, answer in told.items() if answer.startswith("fault")] == []
    if which in FOUND:
        assert any(answer.startswith("refused") for answer in told.values())
