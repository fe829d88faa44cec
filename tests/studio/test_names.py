from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kinegraph.studio.server.problems import Invalid
from kinegraph.studio.workspace.names import safe, tidied


@pytest.mark.parametrize("name", ["walk", "Walk 2", "a.b-c_d", "Größe", "歩く", "x" * 80])
def test_ordinary_names_stay(name: str) -> None:
    assert safe(f" {name} ") == name


@pytest.mark.parametrize(
    "name",
    ["", " ", ".", "..", "../x", "a/b", "a\\b", ".hidden", "ends.", "nul\0", "a\nb", "CON", "con.txt", "lpt1", "x" * 81, "語" * 70,
     "a:b", "a*b", "\ud800", "~", "%2e%2e"],
)  # fmt: skip
def test_names_that_are_paths_or_devices_are_refused(name: str) -> None:
    with pytest.raises(Invalid):
        safe(name)


@given(st.text(max_size=200))
def test_what_a_file_was_called_always_becomes_a_safe_name(text: str) -> None:
    name = tidied(text)
    assert safe(name) == name
    assert "/" not in name
    assert len(name.encode()) <= 200
