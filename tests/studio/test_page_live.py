"""The live room in a real browser: somebody goes where a hand says, by keys, pointer, gamepad and finger, and what they did can be kept."""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import kinegraph as kg
from kinegraph import samples
from tests.studio.page import PATIENCE, SIZES, Studio, browsing, missing, shown
from tests.studio.running import Running, running

CLIPS = ("stand", "start", "walk", "walk_left_medium", "walk_right_medium", "run", "stop")

# where the person is on the stage, as it is shown
_PLACE = """() => {
    const at = kinegraph.stage.actor('live').joint(0);
    return [at[0], at[2]];
}"""
_READY = "() => kinegraph.stage.actors.includes('live') && kinegraph.stage.actor('live').isTold"
# what tests hold in their hands: every socket that is opened from now on, and a gamepad that is there once it is pushed
_HELD = """() => {
const Own = WebSocket;
window.sockets = [];
window.WebSocket = class extends Own {
    constructor(...words) {
        super(...words);
        sockets.push(this);
    }
};
const pad = { axes: [0, 0, 0, 0], buttons: Array.from({ length: 16 }, () => ({ pressed: false, value: 0 })), connected: true };
window.pad = null;
navigator.getGamepads = () => [window.pad && pad];
window.pushPad = (x, y, ...pressed) => {
    window.pad = pad;
    pad.axes[0] = x;
    pad.axes[1] = y;
    pad.buttons.forEach((button, index) => (button.pressed = pressed.includes(index)));
};
}"""


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Path:
    reason = missing()
    if reason is not None:
        pytest.skip(reason)
    folder = tmp_path_factory.mktemp("live") / "people"
    folder.mkdir()
    clips = [samples.make(name).motion for name in CLIPS]
    kg.graph.build(clips, kg.graph.Parameters(mirror=True), path=folder / "walks.mog")
    return folder


@pytest.fixture(scope="module")
def house(workspace: Path) -> Iterator[tuple[Any, Running]]:
    """A browser, and a studio that serves all of these tests: starting either takes longer than most of them."""
    with browsing() as browser, running(workspace) as server:
        yield browser, server


@pytest.fixture
def studio(house: tuple[Any, Running], workspace: Path) -> Iterator[Studio]:
    with shown(*house, workspace) as studio:
        studio.page.evaluate(_HELD)
        enter(studio)
        yield studio
        assert studio.complaints == []


def enter(studio: Studio) -> None:
    """Go to the room, and wait until somebody stands there."""
    studio.go("Live")
    studio.page.wait_for_function(_READY, timeout=PATIENCE)


def place(studio: Studio) -> tuple[float, float]:
    x, z = studio.page.evaluate(_PLACE)
    return float(x), float(z)


def gone(studio: Studio, towards: tuple[float, float], metres: float) -> None:
    """Wait until the person has gone so far in a direction from where it is, and see that it was in that direction."""
    before = place(studio)
    studio.page.wait_for_function(
        """([before, towards, metres]) => {
            const at = kinegraph.stage.actor('live').joint(0);
            return (at[0] - before[0]) * towards[0] + (at[2] - before[1]) * towards[1] > metres;
        }""",
        arg=[before, towards, metres],
        timeout=PATIENCE,
    )


def stands(studio: Studio) -> None:
    """Wait until it rests."""
    studio.page.wait_for_function(
        """() => {
            const shown = [...document.querySelectorAll('.facts > div')].find(one => one.textContent.startsWith('Speed'));
            return shown && parseFloat(shown.querySelector('dd').textContent) <= 0.2;
        }""",
        timeout=PATIENCE,
    )


def ahead(studio: Studio) -> tuple[float, float]:
    """The direction on the floor that is away from the camera."""
    angle = studio.page.evaluate("() => kinegraph.stage.camera.controls.getAzimuthalAngle()") + math.pi
    return math.sin(angle), math.cos(angle)


def test_keys_steer(studio: Studio) -> None:
    page = studio.page
    page.keyboard.down("w")
    gone(studio, (0, 1), 1.5)
    assert abs(place(studio)[0]) < 1.0
    page.keyboard.up("w")
    stands(studio)
    # to the right of the screen is to the right of who is seen from behind
    x, z = ahead(studio)
    page.keyboard.down("ArrowRight")
    gone(studio, (-z, x), 1.0)
    page.keyboard.up("ArrowRight")
    stands(studio)
    meter = page.locator("[data-response]")
    assert float(meter.get_attribute("data-response")) > 0


def test_a_gamepad_steers(studio: Studio) -> None:
    page = studio.page
    page.evaluate("() => pushPad(0, -0.7)")
    gone(studio, (0, 1), 1.5)
    page.evaluate("() => pushPad(0, 0)")
    stands(studio)
    x, z = ahead(studio)
    page.evaluate("() => pushPad(-0.7, 0)")
    gone(studio, (z, -x), 1.0)
    page.evaluate("() => pushPad(0, 0, 9)")
    page.get_by_text("Recording", exact=True).wait_for(timeout=PATIENCE)


def test_a_click_on_the_floor_is_gone_to(studio: Studio) -> None:
    page = studio.page
    # the camera goes along with the person, so that a place may have moved on the screen by the time it is clicked: then once more
    for _ in range(20):
        there = page.evaluate("() => kinegraph.stage.screen([1.5, 0, 2])")
        page.mouse.click(there["x"], there["y"])
        page.wait_for_timeout(3000)
        x, _, z = page.evaluate("() => Array.from(kinegraph.stage.actor('live').joint(0))")
        if math.hypot(x - 1.5, z - 2.0) < 0.5:
            break
    else:
        pytest.fail(f"sent to (1.5, 2), the person is at ({x:.2f}, {z:.2f}) after a minute")


def test_what_was_steered_is_recorded_kept_and_exported(studio: Studio) -> None:
    page = studio.page
    page.keyboard.press("r")
    page.get_by_role("button", name="Stop").wait_for(timeout=PATIENCE)
    page.keyboard.down("w")
    gone(studio, (0, 1), 1.0)
    page.keyboard.up("w")
    page.keyboard.press("r")
    studio.button("Keep this result").click(timeout=PATIENCE)
    page.wait_for_function("() => kinegraph.store.server.value.results.length === 1", timeout=PATIENCE)
    (kept,) = studio.state()["results"]
    assert kept["room"] == "live"
    motion = kg.load(studio.folder / kept["file"])
    assert motion.root[-1, 2] - motion.root[0, 2] > 0.8
    studio.button("Export…").click()
    page.get_by_label("Command", exact=True).last.wait_for(timeout=PATIENCE)


def test_a_lost_connection_comes_back(studio: Studio) -> None:
    page = studio.page
    page.evaluate("() => sockets.at(-1).close()")
    page.get_by_text("The connection was lost").wait_for(timeout=PATIENCE)
    page.get_by_text("Connected again", exact=False).wait_for(timeout=PATIENCE)
    page.keyboard.down("w")
    gone(studio, (0, 1), 1.0)
    page.keyboard.up("w")


def test_two_tabs_are_two_people(studio: Studio) -> None:
    with shown(studio.page.context.browser, studio.server, studio.folder) as other:
        enter(other)
        stood = place(studio)
        other.page.keyboard.down("w")
        gone(other, (0, 1), 1.0)
        other.page.keyboard.up("w")
        assert math.dist(place(studio), stood) < 0.3


def test_nothing_runs_over(studio: Studio) -> None:
    for width, height in ((390, 844), (1024, 768), *SIZES):
        studio.page.set_viewport_size({"width": width, "height": height})
        studio.settle()
        assert studio.overflows() == [], f"{width} × {height}"


def test_a_finger_steers(house: tuple[Any, Running], workspace: Path) -> None:
    with shown(*house, workspace, (390, 844)) as studio:
        page = studio.page
        # as on a phone, where the stick is shown
        page.add_style_tag(content=".live-touch { display: flex !important }")
        enter(studio)
        box = page.get_by_role("application", name="Stick").bounding_box()
        middle = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        page.mouse.move(*middle)
        page.mouse.down()
        page.mouse.move(middle[0], middle[1] - 0.35 * box["height"])
        gone(studio, (0, 1), 1.0)
        page.mouse.up()
        stands(studio)
        assert studio.complaints == []


def test_what_nobody_can_do_is_said_in_the_room(house: tuple[Any, Running], workspace: Path) -> None:
    kg.graph.build([samples.make("walk").motion], path=workspace / "restless.mog")
    with shown(*house, workspace) as studio:
        page = studio.page
        studio.go("Live")
        page.get_by_label("Graph", exact=True).select_option(label="restless", timeout=PATIENCE)
        page.get_by_text("Nobody stands in this graph").wait_for(timeout=PATIENCE)
        assert studio.complaints == []
    (workspace / "restless.mog").unlink()


def test_how_to_steer_is_said_until_somebody_has(studio: Studio) -> None:
    hint = studio.page.locator(".live-hint")
    hint.wait_for(timeout=PATIENCE)
    studio.page.keyboard.down("w")
    hint.wait_for(state="detached", timeout=PATIENCE)
    studio.page.keyboard.up("w")
