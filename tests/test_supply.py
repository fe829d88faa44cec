"""What kinegraph stands on: exact versions for the tests, and the names of those whose work the page contains."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement

import kinegraph

ROOT = Path(__file__).resolve().parents[1]


def _pinned() -> dict[str, str]:
    lines = (Requirement(line) for line in (ROOT / "constraints.txt").read_text().splitlines() if line[0] != "#")
    return {line.name.lower(): next(iter(line.specifier)).version for line in lines}


def test_everything_that_development_needs_has_an_exact_version_that_suits() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    extras = project["optional-dependencies"]
    asked = [Requirement(text) for name in extras if name != "blender" for text in extras[name]]
    asked += [Requirement(text) for text in project["dependencies"]]
    pinned = _pinned()
    for one in asked:
        if one.name != "kinegraph":
            assert one.name.lower() in pinned, f"{one.name} has no exact version: make lock"
            assert pinned[one.name.lower()] in one.specifier, f"{one}, but {pinned[one.name.lower()]}: make lock"


def test_versions_are_told_without_an_address() -> None:
    assert "://" not in (ROOT / "constraints.txt").read_text()


@pytest.mark.parametrize("part", ["studio", "player"])
def test_the_page_names_those_whose_work_it_contains(part: str) -> None:
    notices = Path(kinegraph.__file__).parent / part / "static" / "third-party.md"
    if not notices.parent.is_dir():
        pytest.skip("the page is not built: make web")
    text = notices.read_text()
    for name, version in json.loads((ROOT / "web" / "package.json").read_text())["dependencies"].items():
        assert f"## {name} - {version}" in text
