"""The first minute in the studio, and a server that goes away: in a real browser."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.studio.page import PATIENCE, Studio, missing, opened
from tests.studio.running import running

MOST_CLICKS = 3


@pytest.fixture(scope="module")
def studio(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Studio]:
    """A studio on an empty folder, as a newcomer sees it."""
    reason = missing()
    if reason is not None:
        pytest.skip(reason)
    with opened(tmp_path_factory.mktemp("first"), (1280, 720)) as studio:
        studio.page.set_default_timeout(PATIENCE)
        yield studio


def stroke(studio: Studio) -> None:
    """A bent line over the middle of the floor, by the mouse."""
    page = studio.page
    studio.rest()
    box = page.get_by_role("region", name="Stage").bounding_box()
    x, y = box["x"] + 0.35 * box["width"], box["y"] + 0.75 * box["height"]
    page.mouse.move(x, y)
    page.mouse.down()
    for n in range(1, 21):
        page.mouse.move(x + 0.015 * n * box["width"], y - 0.0008 * n * (30 - n) * box["height"])
    page.mouse.up()


def walked(studio: Studio) -> tuple[dict[str, Any], int]:
    """From an empty folder to a line of one's own, by nothing but the one button that stands out, until the screen asks for a line.

    The result, and how many clicks it took.
    """
    page = studio.page
    clicks = 0
    asked = page.get_by_text("draw a line of your own on the floor", exact=False)
    for words in ("Add the 32 built-in clips", "Draw a path", "Build a graph of these 32 clips"):
        suggested = page.locator("button.primary:visible:not(.icon-button)").filter(has_text=words)
        suggested.wait_for()
        suggested.click()
        clicks += 1
    asked.wait_for()
    before = studio.await_result()
    stroke(studio)
    result = studio.await_result(before["id"])
    # who has drawn one is not asked again
    assert asked.count() == 0
    return result, clicks


def test_a_newcomer_walks_a_line_of_their_own_and_the_server_may_go_and_come(studio: Studio) -> None:
    page = studio.page
    drawn, clicks = walked(studio)
    assert clicks <= MOST_CLICKS
    assert "points" in drawn["request"]["path"]
    assert drawn["reached"]
    assert drawn["quality"]["deviation_cm"]["mean"] < 5
    assert studio.complaints == []
    # what is done, and in which clips, stands first under the stage
    assert page.locator(".lane-label").first.inner_text().startswith("Does")
    with page.expect_download() as saved:
        studio.button("Share").click()
    assert Path(saved.value.suggested_filename).suffix == ".html"
    studio.button("Keep this result").click()
    studio.button("Kept as", exact=False).wait_for()
    assert len(studio.state()["results"]) == 1

    studio.server.kill()
    away = page.get_by_text("The server is away", exact=False)
    away.wait_for()
    studio.button("Mirror left and right").click()
    with running(studio.folder, "--port", str(studio.server.port)) as server:
        # nothing is clicked, nothing reloaded: what was chosen meanwhile is asked of the server that comes
        result = studio.await_result(drawn["id"])
        away.wait_for(state="hidden")
        before, mirrored = (one["request"]["path"]["points"] for one in (drawn, result))
        assert len(before) == len(mirrored) > 2
        assert before != mirrored
        # it is held by the one that has come
        assert server.client.get(f"/api/results/{result['id']}/motion").status_code == 200
        assert page.get_by_role("alert").count() == 0
