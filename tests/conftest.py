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

# what a file of tests takes, in seconds, before anything is known of it: those in a browser are late where they come last
_GUESSED = (
    ("/test_page", 60.0),
    ("tests/browser", 30.0),
    ("tests/player", 30.0),
    ("tests/hostile", 40.0),
    ("tests/studio", 10.0),
)
_TOOK = "kinegraph/seconds"

_BESIDE = Path(__file__).resolve().parents[2] / "shared" / "cmu"


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """The files that took longest come first, so that no worker is left alone with one of them at the end."""
    took = config.cache.get(_TOOK, {}) if config.cache else {}

    def seconds(item: pytest.Item) -> float:
        file = item.nodeid.split("::")[0]
        return float(took.get(file) or next((guess for part, guess in _GUESSED if part in file), 1.0))

    items.sort(key=seconds, reverse=True)


class _Clock:
    """Adds up what each file takes, and keeps it for the next time; only whole runs on several workers count."""

    def __init__(self) -> None:
        self.took: dict[str, float] = {}

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        file = report.nodeid.split("::")[0]
        self.took[file] = self.took.get(file, 0.0) + report.duration

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        if session.config.cache:
            session.config.cache.set(_TOOK, {file: round(seconds, 2) for file, seconds in self.took.items()})


def pytest_configure(config: pytest.Config) -> None:
    whole = not config.option.keyword and not config.option.lf and config.args == config.getini("testpaths")
    if config.getoption("dist", "no") != "no" and whole and not hasattr(config, "workerinput"):
        config.pluginmanager.register(_Clock())


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
