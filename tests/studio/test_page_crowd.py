"""The crowd room in a real browser: a wall with a door is drawn, and everybody goes through it."""

from __future__ import annotations

import csv
import io
from collections import defaultdict
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from tests.characters import rigs
from tests.studio import graphing
from tests.studio.page import PATIENCE, SIZES, SMALL, Studio, browsing, missing, shown
from tests.studio.running import Running, running

# whether somebody is shown as the character, standing on the floor
_HEROES = """any => {
    let top = kinegraph.stage.actor('crowd').group, seen = 0;
    while (top.parent) top = top.parent;
    const at = kinegraph.stage.camera.camera.position.clone();
    top.traverseVisible(object => {
        let above = object;
        while (above && above.name !== 'mesh crowd.heroes') above = above.parent;
        if (!object.isSkinnedMesh || !above) return;
        object.updateWorldMatrix(true, true);
        let low = Infinity;
        for (let vertex = 0; vertex < object.geometry.attributes.position.count; vertex++) {
            object.getVertexPosition(vertex, at);
            low = Math.min(low, object.localToWorld(at).y);
        }
        if (Math.abs(low) < 0.05) seen++;
    });
    return any === seen > 0;
}"""


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Path:
    reason = missing()
    if reason is not None:
        pytest.skip(reason)
    folder = tmp_path_factory.mktemp("crowd") / "people"
    folder.mkdir()
    graphing.put(folder, "walks")
    (folder / "characters").mkdir()
    rigs.make(folder / "characters" / "hero.glb", size=0.7).save()
    return folder


@pytest.fixture(scope="module")
def house(workspace: Path) -> Iterator[tuple[Any, Running]]:
    with browsing() as browser, running(workspace) as server:
        yield browser, server


@pytest.fixture
def studio(house: tuple[Any, Running], workspace: Path) -> Iterator[Studio]:
    with shown(*house, workspace) as studio:
        studio.go("Crowd")
        studio.button("Run", exact=True).wait_for(timeout=PATIENCE)
        yield studio
        assert studio.complaints == []


def drag(studio: Studio, tool: str, *places: tuple[float, float]) -> None:
    """Take a tool, and drag it over the floor from one place to another."""
    page = studio.page
    page.get_by_role("toolbar", name="Tool").get_by_role("button", name=tool).click()
    on_screen = [page.evaluate("([x, z]) => kinegraph.stage.screen([x, 0, z])", place) for place in places]
    page.mouse.move(on_screen[0]["x"], on_screen[0]["y"])
    page.mouse.down()
    for at in on_screen[1:]:
        page.mouse.move(at["x"], at["y"], steps=3)
    page.mouse.up()


def numbered(studio: Studio, name: str, value: int) -> None:
    studio.page.get_by_role("spinbutton", name=name).fill(str(value))
    studio.page.keyboard.press("Enter")


def test_everybody_goes_through_a_door_that_was_drawn(studio: Studio) -> None:
    page = studio.page
    page.get_by_label("Scenario", exact=True).select_option("drawn")
    assert page.get_by_role("button", name="Run", exact=True).is_disabled()
    # across all of the floor that is near: around it is farther than through the door
    drag(studio, "Wall", (-5, 0), (5, 0))
    drag(studio, "Door", (1, 0))
    drag(studio, "Start of a group", (-2, -4), (2, -1.5))
    drag(studio, "Goal of a group", (-1.5, 2), (1.5, 4))
    drag(studio, "Wall", (4, 3), (5, 4))
    page.keyboard.press("Control+z")
    numbered(studio, "People of group 1", 5)
    numbered(studio, "Seconds at most", 40)
    studio.button("Run", exact=True).click()
    # it can be looked at while it is computed
    page.wait_for_function("() => kinegraph.playback.duration.value > 0", timeout=PATIENCE)
    studio.seek(0.5)
    page.wait_for_selector('[data-arrived="5"][data-people="5"]', timeout=PATIENCE)

    page.get_by_label("Format").select_option(".csv")
    studio.button("Export everybody").click()
    link = page.locator("a.crowd-file")
    link.wait_for(timeout=PATIENCE)
    text = studio.server.client.get(link.get_attribute("href")).text
    tracks: dict[str, list[tuple[float, float]]] = defaultdict(list)
    for row in csv.DictReader(io.StringIO(text)):
        tracks[row["id"]].append((float(row["x"]), float(row["z"])))
    assert len(tracks) == 5
    for track in tracks.values():
        assert track[0][1] < 0 < track[-1][1]
        across = [(a, b) for a, b in pairwise(track) if a[1] < 0 <= b[1]]
        assert len(across) == 1
        # the door is cut where it was clicked, and 1.2 m wide
        assert all(0.4 <= x <= 1.6 for x, _ in across[0])


def test_those_who_are_near_are_the_character(studio: Studio) -> None:
    page = studio.page
    numbered(studio, "People", 7)
    studio.button("Run", exact=True).click()
    page.wait_for_function("() => kinegraph.playback.duration.value > 0", timeout=PATIENCE)
    studio.seek(0.5)
    studio.button("Character: none").click()
    page.get_by_role("menuitemcheckbox", name="hero").click()
    page.wait_for_function(_HEROES, arg=True, timeout=PATIENCE)
    studio.button("Character: hero").click()
    page.get_by_role("menuitemcheckbox", name="Mannequin").click()
    page.wait_for_function(_HEROES, arg=False, timeout=PATIENCE)


def test_a_kept_scenario_is_changed_by_hand(studio: Studio) -> None:
    page = studio.page
    box = {"x": 0, "z": -3, "width": 4, "depth": 2}
    drawn = {"groups": [{"count": 3, "start": box, "goal": {**box, "z": 4}}], "walls": [[[-3, 0], [3, 0]]]}
    kept = studio.server.client.post("/api/crowd/scenarios", json={"name": "wall", "scenario": drawn}).json()
    page.reload()
    page.get_by_label("Scenario", exact=True).select_option(f"kept:{kept['id']}")
    studio.button("Change it by hand").click()
    page.get_by_text("Wall 1").wait_for(timeout=PATIENCE)
    assert page.get_by_label("Scenario", exact=True).input_value() == "drawn"
    drag(studio, "Door", (1, 0))
    page.get_by_text("Wall 2").wait_for(timeout=PATIENCE)
    assert page.get_by_label("People of group 1").input_value() == "3"


def test_people_are_large_enough_on_a_phone(house: tuple[Any, Running], workspace: Path) -> None:
    with shown(*house, workspace, SMALL[0]) as studio:
        page = studio.page
        studio.go("Crowd")
        page.get_by_label("Scenario", exact=True).select_option("hallway")
        numbered(studio, "People", 6)
        numbered(studio, "Seconds at most", 4)
        studio.button("Run", exact=True).click()
        page.wait_for_selector('[data-people="6"]', state="attached", timeout=PATIENCE)
        studio.rest()
        # somebody in the middle, while the settings are open: 17 pixels would be hard to see
        tall = page.evaluate(
            "() => [0, 1.75].map((y) => kinegraph.stage.screen([0, y, 0]).y).reduce((foot, head) => foot - head)"
        )
        assert tall > 25
        ends = [page.evaluate("z => kinegraph.stage.screen([0, 0, z])", z) for z in (-5, 5)]
        stage = page.get_by_role("region", name="Stage").bounding_box()
        assert all(stage["y"] < end["y"] < stage["y"] + stage["height"] for end in ends)
        # the plot takes the place of the crowd, unless settings are put away
        waiting = page.get_by_text("Waiting", exact=True).locator("visible=true")
        assert waiting.count() == 1  # the colour of that name
        studio.button("Hide settings").click()
        page.wait_for_function("() => kinegraph.playback.duration.value > 0")
        waiting.first.wait_for(timeout=PATIENCE)
        assert studio.complaints == []


def test_a_run_is_scrubbed_followed_coloured_and_stopped(studio: Studio) -> None:
    page = studio.page
    page.get_by_label("Scenario", exact=True).select_option("hallway")
    numbered(studio, "People", 6)
    numbered(studio, "Seconds at most", 4)
    studio.button("Run", exact=True).click()
    page.wait_for_selector('[data-people="6"]', timeout=PATIENCE)
    studio.seek(1.0)
    for colour in ("Speed", "Waiting", "Group"):
        page.get_by_role("radio", name=colour).check(force=True)
    page.get_by_role("switch", name="Density on the floor").check(force=True)
    # somebody in the middle of those who start there
    studio.rest()
    box = page.locator("canvas").first.bounding_box()
    person = studio.button("Let them go")
    for share in range(10, 90, 2):
        page.mouse.click(box["x"] + share / 100 * box["width"], box["y"] + 0.5 * box["height"])
        if person.count():
            break
    person.wait_for(timeout=PATIENCE)
    assert page.evaluate("() => kinegraph.stage.camera.followed") == "crowd"
    page.keyboard.press("Escape")
    person.wait_for(state="detached", timeout=PATIENCE)
    for width, height in ((390, 844), (1024, 768), *SIZES):
        page.set_viewport_size({"width": width, "height": height})
        studio.settle()
        assert studio.overflows() == [], f"{width} × {height}"
    page.set_viewport_size({"width": 1280, "height": 720})

    # one sentence where it cannot be
    numbered(studio, "People", 4000)
    numbered(studio, "Seconds at most", 600)
    studio.button("Run", exact=True).click()
    page.get_by_text("take fewer people or fewer seconds").wait_for(timeout=PATIENCE)
    # and what takes long is stopped
    numbered(studio, "People", 60)
    numbered(studio, "Seconds at most", 300)
    studio.button("Run", exact=True).click()
    page.wait_for_function("() => kinegraph.playback.duration.value > 0.5", timeout=PATIENCE)
    studio.button("Stop", exact=True).click()
    page.wait_for_selector('[data-people="60"]', timeout=PATIENCE)
    assert page.evaluate("() => kinegraph.playback.duration.value") < 300
