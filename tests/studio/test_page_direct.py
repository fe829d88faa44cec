"""The direct room in a real browser: places are put on the floor, dragged in time, labels painted; the motion follows."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from kinegraph.player import unpack
from tests.studio import graphing
from tests.studio.page import PATIENCE, SIZES, Studio, browsing, missing, shown
from tests.studio.running import Running, running

SCENE = """
seconds = 8
[[label]]
name = "walk"
[[key]]
time = 1
at = [0, 0]
heading = 0
[[key]]
time = 6
at = [1, 5.5]
"""


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Path:
    reason = missing()
    if reason is not None:
        pytest.skip(reason)
    folder = tmp_path_factory.mktemp("direct") / "performer"
    folder.mkdir()
    graphing.put(folder, "walks")
    return folder


@pytest.fixture(scope="module")
def house(workspace: Path) -> Iterator[tuple[Any, Running]]:
    with browsing() as browser, running(workspace) as server:
        # what is compiled or loaded once is no part of what is tested
        graph = server.client.get("/api/state").json()["graphs"][0]["id"]
        scene = server.client.get(f"/api/graphs/{graph}/scene", timeout=PATIENCE / 1000).json()
        server.client.post(f"/api/graphs/{graph}/direct", json={"scene": scene}, timeout=PATIENCE / 1000)
        yield browser, server


@pytest.fixture
def studio(house: tuple[Any, Running], workspace: Path) -> Iterator[Studio]:
    with shown(*house, workspace, (1024, 700)) as studio:
        # pictures without a graphics card take the time of searches: sticks are quicker
        studio.page.keyboard.press("m")
        studio.go("Direct")
        studio.await_result()
        studio.seek(0.0)
        yield studio
        assert studio.complaints == []


def scene(studio: Studio) -> dict[str, Any]:
    """The scene of the result that is shown."""
    found = studio.result()
    assert found is not None
    return dict(found["request"]["scene"])


def missed_cm(studio: Studio, number: int) -> float:
    """By how much the page says that a place is missed."""
    return float(studio.page.locator(f'[data-key="{number}"][data-cm]').get_attribute("data-cm", timeout=PATIENCE))


def on_floor(studio: Studio, x: float, z: float) -> dict[str, float]:
    return dict(studio.page.evaluate("([x, z]) => kinegraph.stage.screen([x, 0, z])", [x, z]))


def drag(studio: Studio, *places: tuple[float, float]) -> None:
    """From one place of the window to others."""
    mouse = studio.page.mouse
    mouse.move(*places[0])
    mouse.down()
    for place in places[1:]:
        mouse.move(*place, steps=4)
    mouse.up()


def along(studio: Studio, track: str, first: float, last: float) -> None:
    """Drag on a track from one time to another."""
    box = studio.page.get_by_role("group", name=track, exact=True).bounding_box()
    seconds = studio.page.evaluate("() => kinegraph.playback.duration.value")
    y = box["y"] + box["height"] / 2
    drag(studio, *((box["x"] + time / seconds * box["width"], y) for time in (first, last)))


def settled(studio: Studio, before: dict[str, Any] | None) -> dict[str, Any]:
    """The result of the whole search, once it is there."""
    assert before is not None
    found = studio.await_result(before["id"])
    assert not found["request"].get("draft")
    return found


def test_a_place_is_put_on_the_floor_and_dragged_in_time_and_space(studio: Studio) -> None:
    page = studio.page
    before = studio.result()
    assert len(scene(studio)["key"]) == 3
    assert all(missed_cm(studio, number) < 2 for number in (1, 2, 3))
    at = on_floor(studio, 5.6, 3.0)
    page.mouse.click(at["x"], at["y"])
    made = settled(studio, before)
    placed = made["request"]["scene"]["key"]
    assert len(placed) == 4
    assert placed[3]["at"] == pytest.approx([5.6, 3.0], abs=0.05)
    assert placed[3]["time"] > 9
    assert missed_cm(studio, 4) < 2

    key = page.get_by_role("slider", name="Place 4", exact=True)
    box = key.bounding_box()
    middle = box["y"] + box["height"] / 2
    drag(studio, (box["x"] + 10, middle), (box["x"] + 35, middle))
    made = settled(studio, made)
    later = made["request"]["scene"]["key"][3]
    assert placed[3]["time"] + 0.3 < later["time"] < made["request"]["scene"]["seconds"] - 0.2
    assert later["at"] == placed[3]["at"]
    assert missed_cm(studio, 4) < 2


def test_an_edit_before_the_example_is_there_stays(house: tuple[Any, Running], workspace: Path) -> None:
    with shown(*house, workspace, (1024, 700)) as studio:
        page = studio.page
        page.keyboard.press("m")
        example = "**/api/graphs/*/scene"
        held: list[Any] = []
        page.route(example, lambda route: held.append(route))
        with page.expect_request(example, timeout=PATIENCE):
            studio.go("Direct")
        studio.rest()
        at = on_floor(studio, 1.0, 3.0)
        page.mouse.click(at["x"], at["y"])
        page.locator('[data-key="1"]').wait_for(timeout=PATIENCE)
        with page.expect_response(example, timeout=PATIENCE):
            held[0].continue_()
        page.unroute(example)
        studio.await_result()
        (key,) = scene(studio)["key"]
        assert key["at"] == pytest.approx([1.0, 3.0], abs=0.05)
        # the example is still to be had, and can be undone like any other step
        page.get_by_role("button", name="The scene's file").click()
        page.get_by_role("menuitem", name="The example again").click()
        page.locator('[data-key="3"]').wait_for(timeout=PATIENCE)
        studio.button("Undo").click()
        page.locator('[data-key="2"]').wait_for(state="detached", timeout=PATIENCE)
        assert page.locator('[data-key="1"]').count() == 1
        assert studio.complaints == []


def test_a_place_is_dragged_over_the_floor_and_moved_by_keys(studio: Studio) -> None:
    page = studio.page
    first = studio.result()
    x, z = scene(studio)["key"][1]["at"]
    here, there = on_floor(studio, x, z), on_floor(studio, x + 0.4, z)
    drag(studio, (here["x"], here["y"]), (there["x"], there["y"]))
    made = settled(studio, first)
    assert made["request"]["scene"]["key"][1]["at"] == pytest.approx([x + 0.4, z], abs=0.05)
    assert missed_cm(studio, 2) < 2
    page.get_by_role("slider", name="Place 2", exact=True).focus()
    page.keyboard.press("ArrowRight")
    made = settled(studio, made)
    assert made["request"]["scene"]["key"][1]["time"] == pytest.approx(5 + 1 / 30, abs=0.002)
    page.keyboard.press("Delete")
    assert len(settled(studio, made)["request"]["scene"]["key"]) == 2


def test_a_label_is_painted_undone_and_the_motion_exported(studio: Studio) -> None:
    page = studio.page
    first = studio.result()
    page.get_by_role("group", name="Label to paint").get_by_role("button", name="walk", exact=True).click()
    along(studio, "Labels", 9.2, 10.0)
    made = settled(studio, first)
    assert made["request"]["scene"]["label"] == [
        {"name": "walk", "from": 0, "to": 9},
        {"name": "walk", "from": 9.2, "to": 10},
    ]
    studio.button("Undo").click()
    made = settled(studio, made)
    assert made["request"]["scene"]["label"] == [{"name": "walk", "from": 0, "to": 9}]
    page.keyboard.press("Control+Shift+z")
    made = settled(studio, made)
    assert len(made["request"]["scene"]["label"]) == 2

    page.get_by_role("button", name="The scene's file").click()
    page.get_by_role("menuitem", name="Copy TOML").click()
    page.get_by_text("The scene was copied").wait_for(timeout=PATIENCE)
    text = page.evaluate("() => navigator.clipboard.readText()")
    assert text.count("[[label]]") == 2
    page.get_by_role("button", name="The scene's file").click()
    page.get_by_role("menuitem", name="Copy command").click()
    page.get_by_text("The command was copied").wait_for(timeout=PATIENCE)
    command = page.evaluate("() => navigator.clipboard.readText()")
    assert re.fullmatch(r"kinegraph direct walks\.mog 'scenes/scene \w+\.toml' -o scene\.glb", command)

    studio.button("Export…").click()
    page.get_by_role("radio", name="BVH").first.check()
    with page.expect_response(lambda got: got.url.endswith("/api/export"), timeout=PATIENCE) as told:
        studio.button(re.compile(r"^Export .*\.bvh$")).click()
    assert told.value.json()["export"]["file"].endswith(".bvh")


def motion(studio: Studio, result: dict[str, Any]) -> dict[str, Any]:
    """The arrays of a result."""
    arrays: dict[str, Any] = unpack(studio.server.client.get(f"/api/results/{result['id']}/motion").content)[1]
    return arrays


def differs_within(studio: Studio, one: dict[str, Any], other: dict[str, Any]) -> bool:
    """Whether two results are the same to the last bit outside the stretch of the second one, and not within it."""
    first, last = (round(30 * float(time)) for time in other["request"]["stretch"].split("-"))
    arrays = [motion(studio, result) for result in (one, other)]
    outside = np.r_[0 : first + 1, last : len(arrays[0]["root"])]
    here, there = (array["rotations"][outside] for array in arrays)
    # a quaternion and its negative are the same rotation
    turned = (here == there).all(axis=-1) | (here == -there).all(axis=-1)
    same = np.array_equal(*(array["root"][outside] for array in arrays)) and bool(turned.all())
    return same and not np.array_equal(*(array["root"] for array in arrays))


def test_a_stretch_is_made_anew_and_all_else_stays(studio: Studio) -> None:
    page = studio.page
    whole = studio.result()
    assert whole is not None
    along(studio, "Stretch", 2.5, 6.5)
    studio.button("Make this stretch anew").click()
    made = settled(studio, whole)
    stretch = made["request"]["stretch"]
    assert [float(time) for time in stretch.split("-")] == pytest.approx([2.5, 6.5], abs=0.1)
    assert made["request"] == {**whole["request"], "seed": 1, "stretch": stretch}
    assert differs_within(studio, whole, made)
    page.keyboard.press("r")
    again = settled(studio, made)
    assert again["request"] == {**made["request"], "seed": 2}
    assert differs_within(studio, whole, again)
    page.get_by_role("button", name="The scene's file").click()
    page.get_by_role("menuitem", name="Copy command").click()
    page.get_by_text("The command was copied").wait_for(timeout=PATIENCE)
    assert f"--seed 2 --stretch {stretch} " in page.evaluate("() => navigator.clipboard.readText()")

    # of another variation all else is kept as well
    page.keyboard.press("n")
    whole = settled(studio, again)
    assert whole["request"] == {"scene": again["request"]["scene"], "seed": 1}
    page.keyboard.press("r")
    made = settled(studio, whole)
    assert made["request"] == {**whole["request"], "seed": 2, "stretch": stretch, "of_seed": 1}
    assert differs_within(studio, whole, made)

    # what is too short is told beside it, and what is shown stays
    page.keyboard.press("Escape")
    assert page.get_by_role("slider", name="Stretch", exact=True).count() == 0
    along(studio, "Stretch", 8.0, 8.8)
    page.keyboard.press("r")
    page.get_by_text(re.compile("cannot be made anew: .* last 1.7 s or more")).wait_for(timeout=PATIENCE)
    assert page.get_by_role("slider", name="Stretch", exact=True).get_attribute("aria-invalid") == "true"
    assert studio.result() == made
    assert studio.complaints == []

    # it outlasts a reload, and a link leads somebody who has never been there to the same
    page.wait_for_url(re.compile(f"/direct\\?.*result={made['id']}"), timeout=PATIENCE)
    page.reload()
    page.wait_for_selector(f'[data-anew="{stretch}"]', timeout=PATIENCE)
    assert studio.await_result()["request"] == made["request"]
    page.evaluate("() => localStorage.clear()")
    guest = Studio(page.context.new_page(), studio.server, studio.folder)
    guest.page.goto(page.url)
    guest.page.wait_for_selector(f'[data-anew="{stretch}"]', timeout=PATIENCE)
    assert guest.await_result()["request"] == made["request"]
    guest.page.close()
    studio.button("As it was").click()
    assert settled(studio, made)["request"] == whole["request"]


def test_a_loop_is_asked_for_by_a_switch(studio: Studio) -> None:
    before = studio.result()
    studio.page.get_by_label("Scene file").set_input_files(
        {"name": "round.toml", "mimeType": "text/plain", "buffer": b'seconds = 10\n[[label]]\nname = "walk"\n'}
    )
    before = settled(studio, before)
    studio.page.get_by_text("Ends as it begins").click()
    made = settled(studio, before)
    assert made["request"]["scene"]["loop"] is True
    arrays = motion(studio, made)
    assert np.abs(arrays["root"][0] - arrays["root"][-1]).max() < 1e-4
    assert np.ptp(arrays["root"][:, [0, 2]], axis=0).max() > 1.0


def test_what_cannot_be_is_told_at_the_key(studio: Studio) -> None:
    page = studio.page
    before = studio.result()
    page.locator('[data-key="2"] button').click()
    time = page.get_by_role("spinbutton", name="Time")
    time.fill("soon")
    page.keyboard.press("Enter")
    page.get_by_text("“soon” is no number").wait_for(timeout=PATIENCE)
    time.fill("1.3333")
    page.keyboard.press("Enter")
    row = page.locator('[data-key="2"][data-wrong="true"]')
    row.wait_for(timeout=PATIENCE)
    assert page.get_by_role("slider", name="Place 2", exact=True).get_attribute("aria-invalid") == "true"
    assert page.locator(".direct-sign.bad").get_by_text("that needs").count() == 1
    assert time.input_value() == "1.3333"
    assert studio.complaints == []
    page.get_by_role("slider", name="Place 2", exact=True).focus()
    page.keyboard.press("Control+z")
    row.wait_for(state="detached", timeout=PATIENCE)
    page.wait_for_selector('.direct-foot[aria-busy="false"][data-draft="false"]', timeout=PATIENCE)
    after = studio.result()
    assert after is not None
    assert before is not None
    assert (after["id"], after["request"]) == (before["id"], before["request"])


def test_a_file_is_opened_and_saved_and_all_fits_at_every_width(studio: Studio) -> None:
    page = studio.page
    before = studio.result()
    page.get_by_label("Scene file").set_input_files(
        {"name": "stroll.toml", "mimeType": "text/plain", "buffer": SCENE.encode()}
    )
    made = settled(studio, before)
    assert made["title"] == "stroll of 8 s"
    assert missed_cm(studio, 2) < 2
    page.get_by_role("button", name="The scene's file").click()
    page.get_by_role("menuitem", name="Scenes of the workspace").click()
    page.get_by_role("dialog").get_by_role("button", name="Save").click()
    page.get_by_text("Saved as scenes/stroll.toml").wait_for(timeout=PATIENCE)
    assert "[[key]]" in (studio.folder / "scenes" / "stroll.toml").read_text("utf-8")
    for width, height in ((390, 844), (1024, 768), *SIZES):
        page.set_viewport_size({"width": width, "height": height})
        studio.settle()
        assert studio.overflows() == [], f"{width} × {height}"
