"""The server goes and comes back, in a real browser: what was asked is asked again by itself, quietly."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import kinegraph as kg
from kinegraph import samples
from tests.studio.page import PATIENCE, Studio, missing, opened
from tests.studio.running import running

CLIPS = ("walk", "walk_left_medium", "walk_right_medium", "stand")


@pytest.fixture
def studio(tmp_path: Path) -> Iterator[Studio]:
    """A studio with a graph."""
    reason = missing()
    if reason is not None:
        pytest.skip(reason)
    kg.graph.build([samples.make(name).motion for name in CLIPS], path=tmp_path / "walks.mog")
    with opened(tmp_path) as studio:
        studio.page.set_default_timeout(PATIENCE)
        yield studio


def test_a_result_of_a_server_that_is_gone_is_made_once_more_where_it_is_wanted(studio: Studio) -> None:
    page = studio.page
    studio.go("Follow")
    page.get_by_label("Shape").first.select_option(index=1)
    made = studio.await_result()
    studio.go("Export")
    page.get_by_role("radio", name="BVH").first.check()
    command = page.get_by_label("Command", exact=True).last
    command.filter(has_text=re.compile(r"follow .*\.bvh", re.DOTALL)).wait_for()
    said = command.inner_text()
    studio.server.kill()
    page.get_by_text("The server is away", exact=False).wait_for()
    with running(studio.folder, "--port", str(studio.server.port)) as server:
        page.get_by_text("The server is away", exact=False).wait_for(state="hidden")
        assert server.client.get(f"/api/results/{made['id']}/motion").status_code == 404
        studio.button(re.compile(r"^Export .*\.bvh$")).click()
        page.get_by_role("link", name="Download").first.wait_for()
        assert server.client.get(f"/api/results/{made['id']}/motion").status_code == 200
        assert command.inner_text() == said
        assert page.get_by_role("alert").all_inner_texts() == []


def test_a_crowd_that_was_cut_off_is_computed_once_more(studio: Studio) -> None:
    page = studio.page
    studio.go("Crowd")
    # so many that it is not done before it is cut off
    for name, value in (("People", "150"), ("Seconds at most", "60")):
        page.get_by_role("spinbutton", name=name).fill(value)
        page.keyboard.press("Enter")
    studio.button("Run", exact=True).click()
    page.get_by_role("progressbar", name="Computing").wait_for()
    studio.server.kill()
    page.get_by_text("The server is away", exact=False).wait_for()
    assert page.get_by_role("alert").all_inner_texts() == []
    with (
        page.expect_websocket(lambda socket: "/api/crowd" in socket.url, timeout=PATIENCE) as anew,
        running(studio.folder, "--port", str(studio.server.port)),
    ):
        # its people, after what they are made of
        anew.value.wait_for_event("framereceived", lambda data: isinstance(data, bytes), timeout=PATIENCE)
        page.get_by_role("progressbar", name="Computing").wait_for()
        assert page.get_by_role("alert").all_inner_texts() == []
