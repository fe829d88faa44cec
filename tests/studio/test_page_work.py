"""What is made in the studio is nobody else's, grows, and can be given away: in a real browser."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import kinegraph as kg
from kinegraph import samples
from tests.studio.page import PATIENCE, Studio, missing, opened

GRAPH = ("walk", "walk_left_medium", "walk_right_medium", "stand")


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A graph, its clips, and one that it does not have."""
    reason = missing()
    if reason is not None:
        pytest.skip(reason)
    folder = tmp_path_factory.mktemp("work")
    motions = {name: samples.make(name).motion for name in (*GRAPH, "walk_fast")}
    for name, motion in motions.items():
        kg.save(motion, folder / f"{name}.bvh")
    kg.graph.build([motions[name] for name in GRAPH], path=folder / "walks.mog")
    return folder


@pytest.fixture
def studio(workspace: Path) -> Iterator[Studio]:
    with opened(workspace, (1440, 900)) as studio:
        studio.page.set_default_timeout(PATIENCE)
        yield studio
        assert studio.complaints == []


def lay_shape(studio: Studio, index: int) -> dict[str, Any]:
    before = studio.result()
    studio.page.get_by_label("Shape").first.select_option(index=index)
    return studio.await_result(before["id"] if before else None)


def save_sketch(page: Any, name: str) -> None:
    page.get_by_role("button", name="Sketches").click()
    page.get_by_placeholder("Name of this path").fill(name)
    page.get_by_role("dialog").get_by_role("button", name="Save", exact=True).click()


def save_scene(page: Any, name: str) -> None:
    page.get_by_role("button", name="The scene's file").click()
    page.get_by_role("menuitem", name="Scenes of the workspace").click()
    page.get_by_placeholder("Name of this scene").fill(name)
    page.get_by_role("dialog").get_by_role("button", name="Save", exact=True).click()


@pytest.mark.parametrize(
    ("room", "save", "file", "kind"),
    [("Follow", save_sketch, "sketches/mine.json", "sketch"), ("Direct", save_scene, "scenes/mine.toml", "scene")],
    ids=["sketch", "scene"],
)
def test_what_another_tab_has_saved_is_replaced_only_after_a_question(
    studio: Studio, room: str, save: Any, file: str, kind: str
) -> None:
    page = studio.page
    other = page.context.new_page()
    other.set_default_timeout(PATIENCE)
    other.goto(studio.server.url)
    other.wait_for_selector("html[data-ready=true]")
    for number, tab in enumerate((page, other)):
        tab.get_by_role("navigation", name="Rooms").get_by_role("button", name=room).click()
        if room == "Follow":
            tab.get_by_label("Shape").first.select_option(index=1 + number)
        else:
            # the example is there before anything is changed
            tab.wait_for_selector('.direct-foot[aria-busy="false"][data-draft="false"]')
            tab.get_by_role("spinbutton", name="Lasts").fill(str(8 + number))
            tab.keyboard.press("Enter")
    written = studio.folder / file
    save(page, "mine")
    page.get_by_role("dialog").wait_for(state="hidden")
    first = written.read_text()
    # its own may be saved again as often as one likes
    save(page, "mine")
    page.get_by_role("dialog").wait_for(state="hidden")
    save(other, "mine")
    other.get_by_text(f"There is a {kind} called mine already.").wait_for()
    assert written.read_text() == first
    other.get_by_role("dialog").get_by_role("button", name="Replace it").click()
    other.get_by_role("dialog").wait_for(state="hidden")
    second = written.read_text()
    assert second != first
    save(page, "mine")
    page.get_by_text(f"The {kind} mine was changed elsewhere meanwhile.").wait_for()
    assert written.read_text() == second


def test_the_worst_transition_can_be_avoided_and_allowed_again(studio: Studio) -> None:
    page = studio.page
    studio.go("Follow")
    made = lay_shape(studio, 3)
    studio.button(re.compile("^worst")).click()
    worst = max(made["transitions"], key=lambda one: one["cost_cm"])
    seconds = page.evaluate("() => kinegraph.playback.time.value")
    assert worst["first"] <= seconds * 30 + 0.5 <= worst["first"] + worst["length"]
    studio.button("Search without the worst transition").click()
    other = studio.await_result(made["id"])
    assert other["request"]["avoid"] == [worst["at"]]
    assert worst["at"] not in [one["at"] for one in other["transitions"]]
    studio.button("Allow the one that is avoided").click()
    assert studio.await_result(other["id"])["id"] == made["id"]


def test_a_result_is_given_away_as_a_page_that_needs_nothing_else(studio: Studio, tmp_path: Path) -> None:
    page = studio.page
    studio.go("Follow")
    made = lay_shape(studio, 2)
    with page.expect_download() as saved:
        studio.button("Share").click()
    file = tmp_path / saved.value.suggested_filename
    saved.value.save_as(file)
    context = page.context.browser.new_context(viewport={"width": 1000, "height": 700}, offline=True)
    try:
        alone, complaints = context.new_page(), list[str]()
        alone.on("console", lambda told: complaints.append(told.text) if told.type in ("error", "warning") else None)
        alone.on("request", lambda asked: complaints.append(asked.url) if asked.url.startswith("http") else None)
        alone.goto(file.as_uri())
        alone.locator("canvas").wait_for()
        off = f"{made['quality']['deviation_cm']['mean']:.1f}"
        alone.get_by_text(off, exact=False).first.wait_for()
        assert complaints == []
    finally:
        context.close()


def test_a_clip_is_added_to_a_graph(studio: Studio) -> None:
    page = studio.page
    studio.go("Graph")
    studio.button("Add clips").click()
    page.get_by_role("list", name="Clips that are not in the graph").get_by_label("walk_fast").check()
    studio.button("Add 1 clip").click()
    page.wait_for_function("count => kinegraph.store.server.value.graphs[0].clips === count", arg=len(GRAPH) + 1)
    assert "walk_fast" in [clip.name for clip in kg.graph.load(studio.folder / "walks.mog").clips]
