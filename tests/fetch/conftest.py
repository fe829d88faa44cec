from __future__ import annotations

import hashlib
from collections.abc import Iterator

import pytest

from kinegraph.fetch import download
from kinegraph.fetch.cmu import cmu_files
from tests.fetch.file_server import Server


def contents(file: str) -> bytes:
    """A little text for each file, long enough to be cut in the middle."""
    return b"".join(b"# line %d of %s\n" % (line, file.encode()) for line in range(40))


@pytest.fixture(autouse=True)
def _no_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(download, "WAITS", (0.0, 0.0))
    monkeypatch.delenv("KINEGRAPH_CMU_URL", raising=False)
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")


@pytest.fixture
def files() -> dict[str, bytes]:
    return {file: contents(file) for file in cmu_files(["43", "16_11-20"])}


@pytest.fixture
def hashes(files: dict[str, bytes]) -> dict[str, str]:
    return {file: hashlib.sha256(body).hexdigest() for file, body in files.items()}


@pytest.fixture
def server(files: dict[str, bytes]) -> Iterator[Server]:
    with Server({f"/{file}": body for file, body in files.items()}) as running:
        yield running
