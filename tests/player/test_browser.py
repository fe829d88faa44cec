"""The page in a real browser, from a file: it plays, shows the joints where they are, and asks nothing of anybody."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import kinegraph as kg
from kinegraph.motion import rotation
from kinegraph.player import page
from tests.browser.stage import chromium, launched
from tests.characters import rigs

pytest.importorskip("playwright.sync_api", reason="no Playwright: pip install playwright")
if chromium() is None:
    pytest.skip("no Chromium on this machine (make browser)", allow_module_level=True)
if not page.is_built():
    pytest.skip("the player is not built: make web", allow_module_level=True)

TIMES = (0.0, 0.5, 1.2345, 2.0, 4.0)


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        running = launched(playwright)
        yield running
        running.close()


@pytest.fixture
def open_page(browser: Any, tmp_path: Path) -> Iterator[Any]:
    """Opens the page of a motion from its file; fails where it said or asked for anything."""
    said: list[str] = []
    asked: list[str] = []
    contexts = []

    def opened(motion: kg.Motion, scheme: str = "light", **options: Any) -> Any:
        file = tmp_path / "motion.html"
        page.write(motion, file, **options)
        context = browser.new_context(viewport={"width": 1280, "height": 720}, color_scheme=scheme)
        contexts.append(context)
        shown = context.new_page()
        # the driver of software WebGL tells of its own slowness
        shown.on("console", lambda line: said.append(line.text) if "GL Driver Message" not in line.text else None)
        shown.on("pageerror", lambda error: said.append(str(error)))
        shown.on("request", lambda request: asked.append(request.url))
        shown.goto(file.as_uri())
        shown.wait_for_selector("html[data-ready=true]", timeout=30_000)
        assert asked == [file.as_uri()]
        return shown

    yield opened
    for context in contexts:
        context.close()
    assert said == []
    assert len(asked) == len(contexts)


def shown_joints(shown: Any, time: float) -> Any:
    """Where the figure on the stage has its joints at a time, in metres."""
    joints = """(time) => {
      const { stage, playback, motion } = window.kinegraph;
      playback.pause();
      playback.seek(time);
      const actor = stage.actor("motion");
      return motion.joints.map((_, joint) => [...actor.joint(joint)]);
    }"""
    return np.array(shown.evaluate(joints, time))


@pytest.mark.parametrize("figure", ["mannequin", "stick"])
def test_joints_are_where_they_are(open_page: Any, figure: str) -> None:
    walk = kg.samples.make("walk").motion
    shown = open_page(walk)
    shown.evaluate("(figure) => { window.kinegraph.settings.figure.value = figure }", figure)
    for time in TIMES:
        assert np.abs(shown_joints(shown, time) - walk.sample([time]).positions[0]).max() < 1e-3


def test_bones_that_change_length_do_so_here(open_page: Any) -> None:
    walk = kg.samples.make("walk").motion
    lengths = np.tile(walk.skeleton.offsets, (len(walk), 1, 1))
    lengths *= 1 + 0.1 * np.sin(np.arange(len(walk)) / 20)[:, None, None]
    stretched = kg.Motion(walk.skeleton, walk.root, walk.rotations, walk.fps, lengths, "stretched")
    shown = open_page(stretched)
    for time in TIMES:
        assert np.abs(shown_joints(shown, time) - stretched.sample([time]).positions[0]).max() < 1e-3


def test_a_skeleton_that_is_nobody_is_shown_too(open_page: Any) -> None:
    skeleton = kg.Skeleton(("a", "b", "c"), [-1, 0, 1], [[0, 1, 0], [0, 0.5, 0], [0.3, 0, 0]])
    turns = np.tile(rotation.identity(3), (30, 1, 1))
    turns[:, 1] = rotation.from_axis_angle([0.0, 0.0, 1.0], np.linspace(0, 1, 30))
    chain = kg.Motion(skeleton, np.tile([0.0, 1.0, 0.0], (30, 1)), turns, 30, name="chain")
    shown = open_page(chain)
    assert np.abs(shown_joints(shown, 0.5) - chain.sample([0.5]).positions[0]).max() < 1e-3


def test_it_plays_by_itself_and_at_the_wish_of_keys_and_buttons(open_page: Any) -> None:
    shown = open_page(kg.samples.make("walk").motion)
    frame = lambda: shown.evaluate("window.kinegraph.playback.frame.value")  # noqa: E731
    # as functions: a bare expression is evaluated anew at every look, which the page's policy forbids
    shown.wait_for_function("() => window.kinegraph.playback.time.value > 0.2")
    shown.get_by_role("button", name="Pause").click()
    assert not shown.evaluate("window.kinegraph.playback.playing.value")
    shown.keyboard.press("Home")
    assert frame() == 0
    for key, at in (("ArrowRight", 1), ("Shift+ArrowRight", 11), ("ArrowLeft", 10), ("End", 256), ("Home", 0)):
        shown.keyboard.press(key)
        assert frame() == at, key
    shown.get_by_role("slider", name="Frame").fill("100")
    assert frame() == 100
    assert shown.locator("output.now").text_content() == "0:01.6"
    shown.get_by_role("combobox", name="Speed").select_option("2")
    shown.locator("canvas").focus()
    shown.keyboard.press(".")
    assert shown.evaluate("window.kinegraph.playback.speed.value") == 3
    shown.keyboard.press("Space")
    shown.wait_for_function("() => window.kinegraph.playback.playing.value")
    for key, name in (("l", "Loop"), ("f", "Follow with the camera")):
        button = shown.get_by_role("button", name=name)
        before = button.get_attribute("aria-pressed")
        shown.keyboard.press(key)
        assert button.get_attribute("aria-pressed") != before
    shown.keyboard.press("?")
    assert shown.get_by_label("Keys", exact=True).last.is_visible()
    shown.keyboard.press("Escape")
    assert shown.locator("dl.keys").is_hidden()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_it_is_light_or_dark_as_the_system_or_the_viewer_likes(open_page: Any, scheme: str) -> None:
    shown = open_page(kg.samples.make("walk").motion, scheme)
    theme = shown.locator("html")
    assert theme.get_attribute("data-theme") == scheme
    shown.keyboard.press("d")
    assert theme.get_attribute("data-theme") != scheme


def test_the_camera_follows_the_walker(open_page: Any) -> None:
    shown = open_page(kg.samples.make("walk").motion)
    shown.evaluate("window.kinegraph.playback.pause()")
    places = """(time) => {
      const { stage, playback } = window.kinegraph;
      playback.seek(time);
      stage.renderNow();
      return stage.camera.view().target;
    }"""
    first, last = (np.array(shown.evaluate(places, time)) for time in (0.5, 3.5))
    walk = kg.samples.make("walk").motion
    gone = walk.sample([3.5]).root[0] - walk.sample([0.5]).root[0]
    assert np.abs((last - first - gone)[[0, 2]]).max() < 0.3


def test_a_character_that_is_taller_than_people_is_seen_whole(browser: Any, tmp_path: Path) -> None:
    made = rigs.make(tmp_path / "hero.glb")
    attributes = made.tree["meshes"][0]["primitives"][0]["attributes"]
    places = made.numbers(attributes["POSITION"], "<f4").copy()
    places[places[:, 1] > 1.6, 1] += 2.0
    attributes["POSITION"] = made.array(places, "VEC3", 5126)
    made.tree["accessors"][attributes["POSITION"]] |= {"min": places.min(0).tolist(), "max": places.max(0).tolist()}
    kg.characters.save(kg.samples.make("stand").motion, made.save(), tmp_path / "hero.html")
    shown = browser.new_page(viewport={"width": 640, "height": 480}, reduced_motion="reduce")
    try:
        shown.goto((tmp_path / "hero.html").as_uri())
        shown.wait_for_selector("html[data-ready=true]", timeout=30_000)
        high = shown.evaluate("""() => {
          const { camera } = window.kinegraph.stage.camera;
          camera.updateMatrixWorld();
          return [0, 3.6].map((y) => camera.position.clone().set(0, y, 0).project(camera).y);
        }""")
    finally:
        shown.close()
    assert -1.0 < high[0] < high[1] < 1.0


def test_it_fills_a_notebooks_frame(open_page: Any, browser: Any, tmp_path: Path) -> None:
    file = tmp_path / "notebook.html"
    file.write_text(f"<!doctype html><title>notebook</title>{kg.samples.make('walk').motion._repr_html_()}")
    context = browser.new_context(viewport={"width": 900, "height": 600})
    said: list[str] = []
    shown = context.new_page()
    shown.on("pageerror", lambda error: said.append(str(error)))
    shown.goto(file.as_uri())
    frame = shown.frames[1]
    frame.wait_for_selector("html[data-ready=true]", timeout=30_000)
    box = frame.locator("canvas").bounding_box()
    assert box["width"] > 800
    assert box["height"] > 400
    context.close()
    assert said == []
