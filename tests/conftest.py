from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# the same examples on every run, and nothing left on disk
settings.register_profile(
    "kinegraph",
    max_examples=60,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)
settings.load_profile("kinegraph")

_BESIDE = Path(__file__).resolve().parents[2] / "shared" / "cmu"


@pytest.fixture(scope="session")
def cmu() -> Path:
    """Folder of real clips (acclaim/SS/*.amc with SS.asf, bvh/*.bvh, labeled/*.amc); tests that need it are skipped without."""
    given = os.environ.get("KINEGRAPH_CMU")
    folder = Path(given) if given else _BESIDE
    if not (folder / "acclaim").is_dir():
        pytest.skip(
            f"no CMU clips in {folder}: get some with `kinegraph fetch cmu 16 02`, lay them out as acclaim/16/16_15.amc and "
            "bvh/16_15.bvh, and set KINEGRAPH_CMU to that folder"
        )
    return folder
