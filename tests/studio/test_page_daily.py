"""The studio in daily use, in a real browser: nobody is shut out, clips are kept in order, and every place has an address."""

from __future__ import annotations

import re
import shutil
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import kinegraph as kg
from kinegraph import samples
from tests.studio.page import PATIENCE, Studio, browsing, missing, shown
from tests.studio.running import Running, running

CLIPS = ("walk", "walk_left_medium", "run", "stand")
AXE = Path(__file__).parents[1] / "node" / "node_modules" / "axe-core" / "axe.min.js"
LONG = ("2026-session-4_subject-12_walk_careful_001", "2026-session-4_subject-12_walk_careful_002")


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A few clips in two folders, two of one name and two of long ones, a result of ours, a graph and a space."""
    reason = missing()
    if reason is not None:
        pytest.skip(reason)
    folder = tmp_path_factory.mktemp("daily") / "performer"
    (folder / "takes").mkdir(parents=True)
    motions = [samples.make(name).motion for name in CLIPS]
    for motion in motions:
        kg.save(motion, folder / f"{motion.name}.bvh")
    for name in LONG:
        shutil.copy(folder / "walk.bvh", folder / "takes" / f"{name}.bvh")
    shutil.copy(folder / "stand.bvh", folder / "takes" / "walk.bvh")
    shutil.copy(folder / "walk.bvh", folder / "takes" / "eight.bvh")
    (folder / "takes" / "eight.bvh.json").write_text(
        '{"kinegraph": "0.1.0", "command": "kinegraph follow a.mog eight:2"}'
    )
    kg.graph.build(motions[:2], kg.graph.Parameters(mirror=True), path=folder / "walks.mog")
    punches = [samples.make(name).motion for name in samples.names() if name.startswith("punch")]
    kg.strikes.save(kg.strikes.build(punches, "punch"), folder / "punches.mog")
    return folder


@pytest.fixture(scope="module")
def house(workspace: Path) -> Iterator[tuple[Any, Running]]:
    with running(workspace) as server, browsing() as browser:
        yield browser, server


@pytest.fixture
def studio(house: tuple[Any, Running], workspace: Path) -> Iterator[Studio]:
    with shown(*house, workspace, (1440, 900)) as studio:
        studio.page.set_default_timeout(PATIENCE)
        yield studio


# -- nobody is shut out -----------------------------------------------------------------------------------------------

# what does not depend on colours is judged once
_JUDGED = """async colours => {
    const rules = colours ? { runOnly: { type: 'rule', values: ['color-contrast'] } } : {};
    const { violations } = await axe.run(document, { resultTypes: ['violations'], preload: false, ...rules });
    return violations.flatMap(one => one.nodes.map(node => `${one.id}: ${node.html.slice(0, 200)} (${node.failureSummary})`));
}"""


def test_no_room_shuts_anybody_out_in_light_or_dark(studio: Studio) -> None:
    if not AXE.is_file():
        pytest.skip(f"no {AXE}: run npm ci in tests/node")
    page = studio.page
    # colours that ease from one theme to the other are neither
    page.emulate_media(reduced_motion="reduce")
    page.evaluate(AXE.read_text())
    rooms = page.get_by_role("navigation", name="Rooms").get_by_role("button")
    names = [rooms.nth(number).inner_text() for number in range(rooms.count())]
    assert {"Library", "Graph", "Follow", "Repath", "Strike", "Export", "Live", "Crowd", "Direct"} <= set(names)
    found = []
    for name in names:
        studio.go(name)
        if name == "Follow":
            page.get_by_label("Shape").first.select_option(index=1)
            studio.await_result()
        page.wait_for_function("() => !document.querySelector('[aria-busy=true], .busy')", timeout=PATIENCE)
        if name == "Repath":
            page.wait_for_function(
                "() => kinegraph.store.result.value?.facts.result.room === 'repath'", timeout=PATIENCE
            )
            assert page.get_by_role("alert").all_inner_texts() == []
        page.evaluate("() => kinegraph.playback.pause()")
        for theme in ("light", "dark"):
            page.evaluate("theme => { kinegraph.store.theme.value = theme; }", theme)
            studio.settle()
            found += [f"{name}, {theme}: {one}" for one in page.evaluate(_JUDGED, theme == "dark")]
    page.keyboard.press("?")
    found += [f"Shortcuts: {one}" for one in page.evaluate(_JUDGED, False)]
    assert found == []


def test_a_toolbar_is_one_stop_and_what_comes_before_can_be_skipped(studio: Studio) -> None:
    page = studio.page
    page.keyboard.press("3")
    page.get_by_role("toolbar", name="Tool").wait_for()
    # what the library has shown goes with it
    page.wait_for_function("() => kinegraph.playback.duration.value === 0", timeout=PATIENCE)
    stops: list[str] = []
    for _ in range(80):
        page.keyboard.press("Tab")
        stops.append(
            page.evaluate(
                """() => {
                    const one = document.activeElement;
                    return one.closest('[role=toolbar]')?.getAttribute('aria-label') ?? one.textContent;
                }"""
            )
        )
    assert stops[0] == "Skip to the stage"
    # nothing can be played yet
    for bar, times in (("How it looks", 1), ("Tool", 1), ("Camera", 1), ("Playing", 0)):
        assert stops[: stops.index("Skip to the stage", 1)].count(bar) == times, bar
    # the arrows go on within, and Tab comes back to where one was
    page.get_by_role("toolbar", name="Camera").get_by_role("button").first.focus()
    page.keyboard.press("ArrowRight")
    focused = "() => document.activeElement.getAttribute('aria-label')"
    assert page.evaluate(focused) == "See all that is shown"
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Tab")
    assert page.evaluate(focused) == "See all that is shown"
    page.get_by_role("link", name="Skip to the settings of Follow").focus()
    page.keyboard.press("Enter")
    assert page.evaluate("() => document.activeElement.id") == "panel"


# -- the library ------------------------------------------------------------------------------------------------------


def card(studio: Studio, name: str) -> Any:
    return studio.page.get_by_role("listbox", name="Clips").get_by_role("option", name=re.compile(f"^{name}"))


def own_labels(studio: Studio) -> dict[str, Any]:
    file = studio.folder / "labels.toml"
    return tomllib.loads(file.read_text()) if file.exists() else {}


def test_pictures_and_names_of_clips_keep_apart(studio: Studio) -> None:
    page = studio.page
    card(studio, "run").wait_for()
    overlaps = """() => [...document.querySelectorAll('.card')].filter(card => {
        const picture = card.querySelector('.thumb img').getBoundingClientRect();
        return picture.bottom > card.querySelector('.card-name').getBoundingClientRect().top + 0.5;
    }).length"""
    page.wait_for_function(
        "() => [...document.querySelectorAll('.thumb img')].some(one => one.complete && one.naturalWidth)"
    )
    assert page.evaluate(overlaps) == 0
    # two long names are cut in their middle: what tells them apart is seen whole
    seen = page.evaluate(
        """() => [...document.querySelectorAll('.card-name')].filter(one => one.textContent.length > 30).map(one => {
            const end = one.lastElementChild, right = of => of.getBoundingClientRect().right;
            return [end.textContent, end.scrollWidth <= end.clientWidth + 1 && right(end) <= right(one) + 1];
        })"""
    )
    assert len(seen) == 2
    assert all(whole for _, whole in seen)
    assert seen[0][0] != seen[1][0]


def test_many_clips_are_labelled_at_once_and_nothing_found_is_lost(studio: Studio) -> None:
    page = studio.page
    card(studio, "run").click()
    page.get_by_role("listbox", name="Clips").get_by_role("option", name=re.compile("^stand")).click(
        modifiers=["Control"]
    )
    page.get_by_role("heading", name="2 clips").wait_for()
    page.get_by_label("New label for all").fill("careful")
    page.get_by_role("button", name="Add", exact=True).click()
    page.get_by_text("2 clips: careful added.").wait_for(timeout=PATIENCE)
    for name in ("run", "stand"):
        held = next(one for one in studio.state()["clips"] if one["name"] == name)["info"]["labels"]
        assert {name, "careful"} <= set(held)
    # also after a reload it can be taken back
    page.reload()
    page.wait_for_selector("html[data-ready=true]", timeout=PATIENCE)
    page.keyboard.press("Control+z")
    page.get_by_text("Undone: 2 clips: careful added.").wait_for(timeout=PATIENCE)
    assert own_labels(studio) == {}
    page.keyboard.press("Control+Shift+z")
    page.wait_for_function("() => kinegraph.store.clips.value.some(one => one.info?.labels.includes('careful'))")
    page.keyboard.press("Control+z")
    page.wait_for_function("() => !kinegraph.store.clips.value.some(one => one.info?.labels.includes('careful'))")
    assert studio.complaints == []


def test_folders_and_twins_are_told_apart(studio: Studio) -> None:
    page = studio.page
    assert card(studio, "walk").count() == 3  # two of one name, and walk_left_medium
    page.get_by_label("Folder").select_option(label="takes (4)")
    assert card(studio, "walk").count() == 1
    assert "takes" in card(studio, "walk").inner_text()
    # a new graph takes one clip of a name, and no result of ours, unless told
    studio.go("Graph")
    page.get_by_role("radio", name="New graph").check()
    held = page.get_by_role("list", name="Clips of the new graph")
    ticks = [
        (row.inner_text().replace("\n", " "), row.get_by_role("checkbox").is_checked())
        for row in held.get_by_role("listitem").all()
    ]
    assert [ticked for text, ticked in ticks if text.startswith("walk ")] == [True, False]
    assert [(text, ticked) for text, ticked in ticks if "result of kinegraph's" in text] == [
        ("eight a result of kinegraph's", False)
    ]
    assert "same name as" in "".join(text for text, _ in ticks)


def test_time_and_play_stay_in_their_room(studio: Studio) -> None:
    page = studio.page
    card(studio, "run").click()
    page.wait_for_function(
        "() => kinegraph.playback.playing.value && kinegraph.playback.duration.value > 0.5", timeout=PATIENCE
    )
    studio.go("Crowd")
    page.wait_for_function("() => !kinegraph.playback.playing.value && kinegraph.playback.duration.value === 0")
    studio.go("Library")
    page.wait_for_function("() => kinegraph.playback.duration.value > 0.5", timeout=PATIENCE)
    assert page.evaluate("() => kinegraph.playback.playing.value") is False


# -- addresses --------------------------------------------------------------------------------------------------------


def await_address(studio: Studio, pattern: str) -> None:
    studio.page.wait_for_function(
        "text => new RegExp(text).test(location.pathname + location.search)", arg=pattern, timeout=PATIENCE
    )


def test_back_forward_and_reload_come_to_what_was_shown(studio: Studio) -> None:
    page = studio.page
    card(studio, "run").click()
    await_address(studio, r"^/library\?clip=run\.bvh")
    # what was clicked plays as soon as it is there
    page.wait_for_function("() => kinegraph.playback.playing.value", timeout=PATIENCE)
    studio.seek(0.5)
    await_address(studio, r"clip=run\.bvh&t=0\.5$")
    assert page.title() == "run – Library – kinegraph"
    card(studio, "2026").first.click()
    await_address(studio, rf"clip=takes/{LONG[0]}\.bvh")
    studio.go("Strike")
    await_address(studio, r"^/strike\?space=punches\.mog")
    page.go_back()
    page.go_back()
    await_address(studio, r"^/library\?clip=run\.bvh&t=0\.5$")
    page.wait_for_function("() => Math.abs(kinegraph.playback.time.value - 0.5) < 1e-6", timeout=PATIENCE)
    page.reload()
    page.wait_for_selector("html[data-ready=true]", timeout=PATIENCE)
    page.wait_for_function("() => Math.abs(kinegraph.playback.time.value - 0.5) < 1e-6", timeout=PATIENCE)
    assert page.evaluate("() => kinegraph.store.clip.value.name") == "run"
    page.go_forward()
    await_address(studio, rf"clip=takes/{LONG[0]}\.bvh")
    assert studio.complaints == []


def test_a_link_to_a_result_opens_it_for_somebody_else(studio: Studio, house: tuple[Any, Running]) -> None:
    page = studio.page
    studio.go("Follow")
    page.get_by_label("Shape").first.select_option(index=1)
    made = studio.await_result()
    await_address(studio, f"^/follow\\?graph=walks\\.mog&result={made['id']}")
    with shown(*house, studio.folder, (1280, 720)) as other:
        other.page.goto(page.url)
        other.page.wait_for_selector("html[data-ready=true]", timeout=PATIENCE)
        assert other.await_result()["request"]["path"] == made["request"]["path"]
        # a path that is drawn there is nobody else's: this tab has its own, with its steps, after a reload too
        other.page.get_by_label("Shape").first.select_option(index=2)
        other.await_result(made["id"])
    page.reload()
    page.wait_for_selector("html[data-ready=true]", timeout=PATIENCE)
    assert studio.await_result()["request"]["path"] == made["request"]["path"]
    undo = page.get_by_role("toolbar", name="Path").get_by_role("button", name="Undo")
    undo.click()
    page.get_by_text("Draw on the floor, or choose a shape.").wait_for()
    assert studio.complaints == []


def test_two_tabs_keep_each_their_own_path(studio: Studio) -> None:
    page = studio.page
    studio.go("Follow")
    page.get_by_label("Shape").first.select_option(index=1)
    made = studio.await_result()
    other = page.context.new_page()
    other.goto(f"{studio.server.url}follow")
    other.wait_for_selector("html[data-ready=true]", timeout=PATIENCE)
    other.get_by_label("Shape").first.select_option(index=2)
    # for tabs to come the newest counts; it is written once the hand rests
    other.wait_for_function(
        "before => localStorage.getItem('kinegraph.follow.course') !== before",
        arg=page.evaluate("() => localStorage.getItem('kinegraph.follow.course')"),
    )
    other.close()
    page.reload()
    page.wait_for_selector("html[data-ready=true]", timeout=PATIENCE)
    assert studio.await_result()["request"]["path"] == made["request"]["path"]


def test_an_address_of_nothing_is_a_page_that_says_so(studio: Studio) -> None:
    page = studio.page
    answer = page.goto(f"{studio.server.url}nothing/here")
    assert answer.status == 404
    page.get_by_role("heading", name="There is nothing at this address").wait_for()
    studio.button("To the library").click()
    card(studio, "run").wait_for()
    await_address(studio, "^/library")
    page.goto(f"{studio.server.url}library?clip=gone.bvh")
    page.get_by_text("There is no clip gone.bvh in this folder").wait_for()
    # programs are answered as ever
    missing = studio.server.client.get("/api/nothing", headers={"accept": "text/html"})
    assert (missing.status_code, missing.json()) == (404, {"error": "there is nothing here"})
    assert studio.server.client.get("/nothing").json() == {"error": "there is nothing here"}
