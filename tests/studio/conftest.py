from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi import FastAPI
from starlette.testclient import TestClient

from kinegraph import samples, save
from kinegraph.studio.server.app import create_app
from kinegraph.studio.workspace.workspace import Workspace


@pytest.fixture(scope="session")
def sample_files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("samples")
    for name in ("walk", "run", "stand"):
        save(samples.make(name).motion, folder / f"{name}.bvh")
    save(samples.make("walk").motion, folder / "01_01.amc")
    return folder


@pytest.fixture
def folder(tmp_path: Path, sample_files: Path) -> Path:
    """A workspace with a walk and a run, in a folder that has something beside it which is none of the studio's business."""
    (tmp_path / "secret.bvh").write_bytes((sample_files / "stand.bvh").read_bytes())
    root = tmp_path / "workspace"
    root.mkdir()
    for name in ("walk.bvh", "run.bvh"):
        shutil.copy(sample_files / name, root / name)
    return root


@pytest.fixture
def app(folder: Path) -> FastAPI:
    return create_app(Workspace(folder), hosts={"testserver"})


@pytest.fixture
def client(app: FastAPI) -> Iterator[TestClient]:
    with TestClient(app) as client:
        yield client
