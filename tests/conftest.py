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


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Tests in a browser begin early and in two places: workers share out the list in pieces, and one that is left alone with all of them
    would end long after the others, while four browsers at once are late for everything.
    """
    pages = [item for item in items if "/test_page" in item.nodeid]
    others = [item for item in items if "/test_page" not in item.nodeid]
    files = sorted({item.nodeid.split("::")[0] for item in pages})
    first = [item for item in pages if files.index(item.nodeid.split("::")[0]) % 2 == 0]
    second = [item for item in pages if item not in first]
    middle = len(items) // 2 - len(first)
    items[:] = [*first, *others[:middle], *second, *others[middle:]] if middle > 0 else items


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
