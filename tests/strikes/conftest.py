from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

import kinegraph as kg
from kinegraph import samples
from kinegraph.strikes.builder import build
from kinegraph.strikes.space import Space


@cache
def sample_space(kind: str) -> Space:
    """The space of all built-in punches or kicks."""
    takes = [samples.make(name).motion for name in samples.names() if name.startswith(kind)]
    return build(takes, kind)


@pytest.fixture(scope="session")
def punches() -> Space:
    return sample_space("punch")


@pytest.fixture(scope="session")
def kicks() -> Space:
    return sample_space("kick")


@pytest.fixture(scope="session")
def captured(cmu: Path) -> Callable[[str], Space]:
    """Spaces of captured takes, such as ``captured("punch 02_05")``, each made once."""

    @cache
    def make(what: str) -> Space:
        kind, *names = what.split()
        assert kind in ("punch", "kick")
        takes = [kg.load(cmu / "bvh" / f"{name}.bvh") for name in names]
        return build(takes, "punch" if kind == "punch" else "kick")

    return make
