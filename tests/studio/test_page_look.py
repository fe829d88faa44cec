"""Every room as it looks on screens of four sizes, light and dark; and the pictures of docs/studio.md.

They are written where KINEGRAPH_PICTURES says (`make pictures`), else nowhere.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import kinegraph as kg
from kinegraph import samples
from tests.studio.page import PATIENCE, SIZES, SMALL, Studio, missing, opened

WALKS = (
    "stand", "walk", "walk_slow", "walk_fast", "walk_left_gentle", "walk_left_medium", "walk_left_tight",
    "walk_right_gentle", "walk_right_medium", "walk_right_tight", "run", "sneak",
)  # fmt: skip


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The built-in clips, a graph of the walks among them, and a space of the punches."""
    reason = missing()
    if reason is not None:
        pytest.skip(reason)
    folder = tmp_path_factory.mktemp("studio") / "performer"
    folder.mkdir()
    motions = {name: samples.make(name).motion for name in samples.names()}
    for name, motion in motions.items():
        kg.save(motion, folder / f"{name}.bvh")
    kg.graph.build([motions[name] for name in WALKS], kg.graph.Parameters(mirror=True), path=folder / "walks.mog")
    punches = [motion for name, motion in motions.items() if name.startswith("punch")]
    kg.strikes.save(kg.strikes.build(punches, "punch"), folder / "punches.mog")
    return folder


@pytest.fixture(scope="module", params=["light", "dark"])
def studio(request: pytest.FixtureRequest, workspace: Path) -> Iterator[Studio]:
    with opened(workspace, dark=request.param == "dark") as studio:
        yield studio


def look(studio: Studio, name: str, moment: float) -> None:
    """Check what is shown at all sizes, and take its picture at a moment of the motion."""
    page = studio.page
    theme = page.evaluate("() => document.documentElement.dataset.theme")
    for dismiss in page.get_by_role("button", name="Dismiss").all():
        dismiss.click()
    for size in (*SMALL, *reversed(SIZES)):
        page.set_viewport_size({"width": size[0], "height": size[1]})
        studio.seek(moment)
        studio.settle()
        assert studio.overflows() == [], f"{name} at {size[0]} × {size[1]}"
        if size in SMALL and name == "follow" and theme == "light":
            page.get_by_role("button", name="See all that is shown").click()
            picture(studio, f"{name}-{size[0]}")
    picture(studio, f"{name}-{theme}")
    assert studio.complaints == []


def picture(studio: Studio, name: str) -> None:
    """For docs/studio.md, where pictures are wanted."""
    folder = os.environ.get("KINEGRAPH_PICTURES")
    if not folder:
        return
    studio.page.mouse.move(0, 0)  # on nothing that has a tooltip
    studio.page.wait_for_timeout(800)  # colours ease from one state to the next
    studio.settle()
    studio.page.screenshot(path=Path(folder) / f"{name}.png")


def await_motion(studio: Studio) -> None:
    studio.page.wait_for_function("() => kinegraph.playback.duration.value > 0.5", timeout=PATIENCE)


def library(studio: Studio) -> None:
    studio.go("Library")
    studio.page.get_by_role("option", name="walk_left_medium").click()
    await_motion(studio)


def matrix(studio: Studio) -> None:
    page = studio.page
    studio.go("Graph")
    page.get_by_role("radio", name="Matrix").check()
    page.get_by_label("Clip A").select_option(label="walk")
    page.get_by_label("Clip B").select_option(label="walk_left_tight")
    page.get_by_text("minimum 1 of", exact=False).first.wait_for(timeout=PATIENCE)
    with page.expect_response(lambda got: "/api/transition" in got.url, timeout=PATIENCE):
        studio.button("Play transition").click()


def graph(studio: Studio) -> None:
    page = studio.page
    studio.go("Graph")
    page.get_by_role("radio", name="Tracks").check()
    page.get_by_label("Tracks and transitions", exact=False).wait_for(timeout=PATIENCE)


def follow(studio: Studio) -> None:
    page = studio.page
    studio.go("Follow")
    before = studio.result()
    page.get_by_label("Shape").first.select_option(index=3)
    studio.await_result(before["id"] if before else None)


def repath(studio: Studio) -> None:
    page = studio.page
    studio.go("Repath")
    page.get_by_label("Clip").first.select_option(label="walk")
    made = "() => kinegraph.store.result.value?.facts.result?.room === 'repath'"
    page.wait_for_function(made, timeout=PATIENCE)
    page.get_by_label("Shape").first.select_option(label="Circle")
    page.get_by_role("radio", name="Waves").check()
    page.wait_for_function(f"{made} && kinegraph.playback.duration.value > 8", timeout=PATIENCE)


def strike(studio: Studio) -> None:
    page = studio.page
    studio.go("Strike")
    # it is played as soon as it is there
    made = "kinegraph.store.result.value?.facts.result?.room === 'strike'"
    page.wait_for_function(f"() => {made} && kinegraph.playback.playing.value", timeout=PATIENCE)


def export(studio: Studio) -> None:
    studio.go("Export")
    studio.page.get_by_role("radio", name="GLB").first.check()
    studio.page.get_by_label("Command", exact=True).last.wait_for(timeout=PATIENCE)
    # where this machine keeps its tests is nothing for a picture
    studio.page.evaluate(
        """() => {
            const { server } = kinegraph.store;
            const workspace = { ...server.value.workspace, folder: "/home/you/performer" };
            server.value = { ...server.value, workspace };
        }"""
    )


def live(studio: Studio) -> None:
    page = studio.page
    studio.go("Live")
    there = "() => kinegraph.stage.actors.includes('live') && kinegraph.stage.actor('live').isTold"
    page.wait_for_function(there, timeout=PATIENCE)
    page.keyboard.press("Backspace")
    page.keyboard.down("w")
    page.wait_for_function("() => kinegraph.stage.actor('live').joint(0)[2] > 2", timeout=PATIENCE)
    page.keyboard.down("a")
    page.wait_for_function("() => kinegraph.stage.actor('live').joint(0)[0] > 1.5", timeout=PATIENCE)
    page.keyboard.up("a")


def crowd(studio: Studio) -> None:
    page = studio.page
    studio.go("Crowd")
    page.get_by_label("Scenario", exact=True).select_option("bottleneck")
    for name, value in (("People", "40"), ("Seconds at most", "15")):
        page.get_by_role("spinbutton", name=name).fill(value)
        page.keyboard.press("Enter")
    studio.button("Run", exact=True).click()
    page.wait_for_selector('[data-people="40"]', timeout=PATIENCE)


def direct(studio: Studio) -> None:
    page = studio.page
    studio.go("Direct")
    page.wait_for_selector('.direct-foot[aria-busy="false"][data-draft="false"]', timeout=PATIENCE)
    page.get_by_role("slider", name="Place 2", exact=True).focus()


SCENES = [
    (library, 1.2), (matrix, 1.3), (follow, 6.0), (graph, 1.0), (repath, 4.0), (strike, 0.57), (export, 0.5), (live, 0.0),
    (crowd, 9.0), (direct, 6.2),
]  # fmt: skip


@pytest.mark.parametrize(("scene", "moment"), SCENES, ids=[scene.__name__ for scene, _ in SCENES])
def test_rooms_read_well(studio: Studio, scene: Callable[[Studio], None], moment: float) -> None:
    studio.page.set_viewport_size({"width": SIZES[0][0], "height": SIZES[0][1]})
    scene(studio)
    look(studio, scene.__name__, moment)
