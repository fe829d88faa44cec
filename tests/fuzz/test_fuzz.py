"""A short stretch of the fuzzing that `fuzz_readers` does at length; the same inputs on every run."""

from __future__ import annotations

import pytest

from tests.fuzz import fuzz_readers


@pytest.mark.parametrize(("kind", "count"), [("bvh", 900), ("acclaim", 800), ("npz", 300)])
def test_damaged_files_are_read_or_refused(kind: str, count: int) -> None:
    report = fuzz_readers.run(kind, count, seed=2026)
    assert report.faults == []
    assert report.inputs == count
    # neither all sound nor all hopeless, or nothing is being tested
    assert report.refused > 0.2 * count
    assert report.loaded > (0 if kind == "npz" else 0.05 * count)


@pytest.mark.parametrize("kind", fuzz_readers.KINDS)
def test_a_seed_gives_the_same_inputs(kind: str) -> None:
    assert list(fuzz_readers.inputs(kind, 20, 1)) == list(fuzz_readers.inputs(kind, 20, 1))
    assert list(fuzz_readers.inputs(kind, 20, 1)) != list(fuzz_readers.inputs(kind, 20, 2))
