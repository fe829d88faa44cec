"""Paths on the page: Follow and Repath are told alike what to walk, on height fields too; what mends a walk; strikes between two walks."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import kinegraph as kg
from kinegraph import samples
from tests.studio.page import PATIENCE, SMALL, Studio, browsing, missing, shown
from tests.studio.running import Running, running

CLIPS = ("stand", "walk", "walk_left_medium", "walk_right_medium", "run")


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Walks, a graph of them, and a space of punches."""
    reason = missing()
    if reason is not None:
        pytest.skip(reason)
    folder = tmp_path_factory.mktemp("paths") / "performer"
    folder.mkdir()
    motions = [samples.make(name).motion for name in CLIPS]
    for motion in motions:
        kg.save(motion, folder / f"{motion.name}.bvh")
    kg.graph.build(motions, kg.graph.Parameters(mirror=True), path=folder / "walks.mog")
    punches = [samples.make(name).motion for name in samples.names() if name.startswith("punch")]
    kg.strikes.save(kg.strikes.build(punches, "punch"), folder / "punches.mog")
    return folder


@pytest.fixture(scope="module")
def house(workspace: Path) -> Iterator[tuple[Any, Running]]:
    with running(workspace) as server, browsing() as browser:
        yield browser, server


@pytest.fixture
def studio(house: tuple[Any, Running], workspace: Path) -> Iterator[Studio]:
    with shown(*house, workspace, (1280, 720)) as studio:
        studio.page.set_default_timeout(PATIENCE)
        yield studio


def made(studio: Studio, room: str, also: str = "true") -> dict[str, Any]:
    """The result of a room, once there is one of which something is true."""
    studio.page.wait_for_function(
        f"() => {{ const one = kinegraph.store.result.value?.facts.result; return one?.room === '{room}' && ({also}); }}"
    )
    found = studio.result()
    assert found is not None
    return found


def stroke(studio: Studio, turn: float) -> None:
    """A line over the middle of the floor, by the mouse."""
    page = studio.page
    studio.rest()
    box = page.get_by_role("region", name="Stage").bounding_box()
    x, y = box["x"] + 0.35 * box["width"], box["y"] + 0.8 * box["height"]
    page.mouse.move(x, y)
    page.mouse.down()
    for n in range(1, 21):
        page.mouse.move(x + turn * n * box["width"], y - 0.0008 * n * (30 - n) * box["height"])
    page.mouse.up()


def test_follow_and_repath_are_spoken_to_alike(studio: Studio) -> None:
    page = studio.page
    told = []
    for room in ("Follow", "Repath"):
        studio.go(room)
        page.get_by_label("Shape").first.select_option(label="Circle")
        made(studio, room.lower(), "one.request.path.shape?.startsWith('circle') ?? one.path.length > 20")
        tools = page.get_by_role("toolbar", name="Tool").get_by_role("button")
        acts = page.get_by_role("toolbar", name="Path").get_by_role("button")
        legend = page.get_by_role("group", name="Shown on the stage").get_by_role("button")
        words = [
            {one.get_attribute("aria-label") or one.inner_text() for one in group.all()}
            for group in (tools, acts, legend)
        ]
        options = page.get_by_label("Shape").first.locator("option").all_inner_texts()
        told.append([*words, set(options)])
        # what is shown can be switched off
        prints = legend.filter(has_text="Footprints")
        prints.click()
        assert prints.get_attribute("aria-pressed") == "false"
        prints.click()
    follow, repath = told
    assert {"Draw", "Points", "Look round"} <= follow[0] & repath[0]
    assert {"Undo", "Redo", "Mirror left and right", "Walk it the other way"} <= follow[1] & repath[1]
    assert {"Drawn path", "Walked path", "Footprints", "Person"} <= follow[2] & repath[2]
    assert follow[3] < repath[3]  # which has the clip's own path beside them
    assert studio.complaints == []


# what lies over the stage, and over what is to be seen: who stands at a place, from feet to eyes
_COVERED = """places => {
    const words = document.querySelectorAll('.path-tools > *, .path-says, .path-legend');
    const over = [...words].map((one) => [one.className || one.ariaLabel, one.getBoundingClientRect()]);
    const found = [];
    for (const [x, z] of places) for (const y of [0, 0.5, 1, 1.6]) {
        const at = kinegraph.stage.screen([x, y, z]);
        for (const [name, box] of over)
            if (at.x > box.left && at.x < box.right && at.y > box.top && at.y < box.bottom) found.push(`${name} over ${y} m`);
    }
    return { found, words: over.length };
}"""


@pytest.mark.parametrize("size", [*SMALL, (1440, 900)])
def test_no_words_lie_over_whom_they_speak_of(
    house: tuple[Any, Running], workspace: Path, size: tuple[int, int]
) -> None:
    with shown(*house, workspace, size) as studio:
        page = studio.page
        legend = page.get_by_role("group", name="Shown on the stage")
        # on a phone there is no hint
        words = 3 if size[0] < 760 else 4

        studio.go("Repath")
        page.get_by_label("Clip").first.select_option(label="walk")
        made(studio, "repath")
        legend.wait_for(timeout=PATIENCE)
        for moment in (0.0, 2.0, 4.0):
            studio.seek(moment)
            studio.rest()
            told = page.evaluate(
                _COVERED, page.evaluate("() => [[0, 2].map(i => kinegraph.stage.actor('repath.new').joint(0)[i])]")
            )
            assert told == {"found": [], "words": words}, f"after {moment} s"

        studio.go("Direct")
        places = made(studio, "direct")["request"]["scene"]["key"]
        legend.wait_for(timeout=PATIENCE)
        studio.rest()
        told = page.evaluate(_COVERED, [key["at"] for key in places])
        assert told == {"found": [], "words": words}


@pytest.mark.parametrize(("size", "worded"), [((390, 844), 0), ((1024, 768), 1), ((1440, 900), 2)])
def test_tools_have_words_where_there_is_room(
    house: tuple[Any, Running], workspace: Path, size: tuple[int, int], worded: int
) -> None:
    """worded: of how many of the two toolbars of Follow the words are shown."""
    with shown(*house, workspace, size) as studio:
        studio.go("Follow")
        bars = studio.page.locator(".path-tools [role=toolbar]")
        bars.first.wait_for(timeout=PATIENCE)
        for number, bar in enumerate(bars.all()):
            for one in bar.get_by_role("button").all():
                word = one.locator(".icon-word")
                assert word.is_visible() == (number < worded)
                # who speaks to the page says what is read
                assert word.text_content().lower() in one.get_attribute("aria-label").lower()
        camera = studio.page.locator(".stage-tools").bounding_box()
        for bar in bars.all():
            box = bar.bounding_box()
            assert box["x"] + box["width"] < camera["x"], "it runs into the camera's buttons"
        assert studio.overflows() == []


def test_a_clip_goes_along_a_line_that_is_drawn_and_over_a_height_field(studio: Studio, tmp_path: Path) -> None:
    page = studio.page
    studio.go("Repath")
    page.get_by_label("Clip").first.select_option(label="walk")
    before = made(studio, "repath", "one.title.startsWith('walk ')")
    page.keyboard.press("d")
    stroke(studio, 0.015)
    drawn = made(studio, "repath", f"one.id !== '{before['id']}'")
    assert drawn["quality"]["reached"] > 0.9
    # a point that is dragged lies on the line, and goes where the hand goes; the others stay
    page.keyboard.press("p")
    points = page.get_by_role("listbox", name="Control points", exact=False)
    points.get_by_role("option").nth(2).click()
    left = page.get_by_role("spinbutton", name="Left")
    ahead = page.get_by_role("spinbutton", name="Ahead")
    left.fill("1.25")
    left.press("Enter")
    ahead.fill("2.5")
    ahead.press("Enter")
    bent = made(
        studio,
        "repath",
        f"one.id !== '{drawn['id']}' && one.path.some(at => Math.hypot(at[0] - 1.25, at[1] - 2.5) < 0.05)",
    )
    assert bent["request"]["path"]["degree"] == 3
    for _ in range(2):
        page.keyboard.press("Control+z")

    np.savez(tmp_path / "mound.npz", heights=np.full((40, 40), 0.3), x0=-10.0, z0=-10.0, step=0.5)
    page.get_by_role("radio", name="File").check()
    with page.expect_file_chooser() as choosing:
        studio.button("Add a height field…").click()
    choosing.value.set_files(tmp_path / "mound.npz")
    uphill = made(studio, "repath", "one.request.ground === 'grounds/mound.npz'")
    assert uphill["reached"]
    assert (studio.folder / "grounds" / "mound.npz").is_file()
    # what is deleted can be had back
    studio.button("Delete the height field mound").click()
    made(studio, "repath", "!one.request.ground")
    studio.button("Undo", exact=True).last.click()
    made(studio, "repath", "one.request.ground === 'grounds/mound.npz'")
    page.get_by_role("radio", name="Flat").check()
    made(studio, "repath", "!one.request.ground")
    assert studio.complaints == []


def test_only_what_mends_a_walk_is_offered(studio: Studio) -> None:
    page = studio.page
    studio.go("Follow")
    page.get_by_label("Shape").first.select_option(label="Line")
    studio.await_result()
    page.get_by_label("Start with").select_option(label="walk")
    studio.button("More wishes").click()
    seconds = page.get_by_label("Seconds at most")
    seconds.fill("2")
    seconds.press("Enter")
    ways = page.locator(".path-ways")
    ways.get_by_role("button", name="As long as it takes").wait_for()
    page.get_by_text("Trying what would help").wait_for(state="hidden")
    # a beginning is set as well, and a label: neither is at fault
    assert ways.get_by_role("button").all_inner_texts() == ["As long as it takes"]
    ways.get_by_role("button").click()
    page.get_by_role("alert").wait_for(state="hidden")
    result = studio.await_result()
    assert result["reached"]
    assert "limit" not in result["request"]
    assert result["request"]["start"] == "walk"


def test_a_strike_stands_between_two_walks(studio: Studio) -> None:
    page = studio.page
    studio.go("Strike")
    alone = made(studio, "strike")
    studio.button("Between two walks").click()
    page.get_by_text("Walk up to it, and on").click()
    joined = made(studio, "join", "kinegraph.playback.duration.value > 6")
    assert joined["request"]["label"] == "walk"
    assert joined["strike"]["miss_cm"] < 1
    # it hits where the target is shown, in the space's own frame
    frame = joined["strike"]["hit_frame"]
    studio.seek(frame / page.evaluate("() => kinegraph.playback.fps.value"))
    studio.settle()
    hit = page.evaluate(
        """() => {
            const actor = kinegraph.stage.actor('strike.figure');
            return [...actor.joint(actor.motion.roles.right_wrist)];
        }"""
    )
    assert np.linalg.norm(np.subtract(hit, alone["strike"]["hit"])) < 0.15
    seed = page.get_by_role("spinbutton", name="Variation")
    seed.fill("1.5")
    seed.press("Enter")
    page.get_by_text("A whole number from 0 on, please.").wait_for()
    studio.button("Other walks").click()
    made(studio, "join", "one.request.seed === 1")
    page.get_by_text("Walk up to it, and on").click()
    made(studio, "strike")
    assert studio.complaints == []
