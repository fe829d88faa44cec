"""The product as people meet it: in a real browser, from a file of theirs to a walk along their line and out again."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

import kinegraph as kg
from kinegraph import samples
from kinegraph.player import unpack
from tests.studio.page import PATIENCE, Studio, missing, opened

TURNING = ("walk", "walk_left_gentle", "walk_left_medium", "walk_right_gentle", "walk_right_medium", "stand")


@pytest.fixture(autouse=True)
def _browser() -> None:
    reason = missing()
    if reason is not None:
        pytest.skip(reason)


@pytest.fixture
def studio(tmp_path: Path) -> Iterator[Studio]:
    with opened(tmp_path) as studio:
        yield studio


def real_clip(cmu: Path) -> Path:
    path = cmu / "bvh" / "16_15.bvh"
    if not path.exists():
        pytest.skip(f"no {path}")
    return path


def test_from_a_file_to_a_walk_and_out_again(studio: Studio, cmu: Path) -> None:
    page = studio.page
    _upload_and_play(studio, real_clip(cmu))
    _build_of_samples(studio)
    _see_the_matrix(studio)

    studio.go("Follow")
    studio.button("Draw").first.click()
    before = studio.result()
    _draw_eight(studio)
    drawn = studio.await_result(before["id"] if before else None)
    _shown_as_the_server_says(studio, drawn)
    assert drawn["request"]["blend"] == "anticipation"
    # no draft, but what the whole search found
    assert "width" not in drawn["request"]
    assert drawn["quality"]["deviation_cm"]["mean"] < 20

    studio.button("Expert settings").click()
    page.get_by_label("Blend").last.select_option("linear")
    linear = studio.await_result(drawn["id"])
    assert linear["request"]["blend"] == "linear"
    _shown_as_the_server_says(studio, linear)

    studio.go("Export")
    _export_and_read_back(studio, linear, "BVH", ".bvh")
    _export_and_read_back(studio, linear, "GLB", ".glb")
    assert studio.complaints == []


# where the joints of the one who is shown are on the stage
_PLACES = """() => {
    const actors = kinegraph.stage.actors.map(id => kinegraph.stage.actor(id)).filter(actor => actor.visible);
    return actors[0].motion.joints.map((_, joint) => Array.from(actors[0].joint(joint)));
}"""


def _upload_and_play(studio: Studio, file: Path) -> None:
    """A real BVH is taken in and plays: its joints stand where ours do."""
    page = studio.page
    with page.expect_file_chooser() as chooser:
        studio.button("Choose files").click()
    chooser.value.set_files(str(file))
    page.get_by_role("option", name=file.stem).click()
    page.wait_for_function("() => kinegraph.playback.duration.value > 1", timeout=PATIENCE)
    motion = kg.load(file)
    assert page.evaluate("() => kinegraph.playback.duration.value") == pytest.approx(motion.seconds, abs=1e-6)
    page.get_by_role("button", name="Play", exact=True).or_(
        page.get_by_role("button", name="Pause", exact=True)
    ).wait_for()
    if not page.evaluate("() => kinegraph.playback.playing.value"):
        page.get_by_role("button", name="Play", exact=True).click()
    begun = page.evaluate("() => kinegraph.playback.time.value")
    page.wait_for_function("begun => kinegraph.playback.time.value !== begun", arg=begun)
    for second in (0.0, 1.0, 2.5):
        studio.seek(second)
        studio.settle()
        shown = np.array(page.evaluate(_PLACES))
        frame = round(second * motion.fps)
        assert np.linalg.norm(shown - motion.positions[frame], axis=-1).max() < 1e-3


def _build_of_samples(studio: Studio) -> None:
    """The built-in clips are asked for where there is no graph yet, and become one."""
    page = studio.page
    studio.go("Follow")
    studio.button("Start with the samples").click()
    page.wait_for_function("() => kinegraph.store.server.value.graphs.length > 0", timeout=PATIENCE)
    (graph,) = studio.state()["graphs"]
    assert graph["clips"] == 2 * len(samples.names())


def _see_the_matrix(studio: Studio) -> None:
    """Two clips compared: as many minima as the server tells, the cheapest at hand, and its transition plays."""
    page = studio.page
    studio.go("Graph")
    page.get_by_role("radio", name="Matrix").or_(page.get_by_role("button", name="Matrix")).first.click()
    page.get_by_label("Clip A").select_option(label="walk")
    page.get_by_label("Clip B").select_option(label="walk_left_medium")
    page.get_by_label("Heat-map of the two clips").wait_for(timeout=PATIENCE)
    ids = {clip["name"]: clip["id"] for clip in studio.state()["clips"]}
    said = studio.server.client.get("/api/matrix", params={"a": ids["walk"], "b": ids["walk_left_medium"]})
    assert said.status_code == 200
    page.get_by_text("minimum 1 of", exact=False).first.wait_for(timeout=PATIENCE)
    with page.expect_response(lambda got: "/api/transition" in got.url, timeout=PATIENCE) as answer:
        studio.button("Play transition").click()
    assert answer.value.ok


def _draw_eight(studio: Studio) -> None:
    """Draw a figure of eight on the floor with the mouse, seen from above."""
    page = studio.page
    page.keyboard.press("t")
    studio.settle()
    box = page.get_by_role("region", name="Stage").bounding_box()
    middle = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    size = 0.3 * box["height"]
    for n in range(41):
        turn = 2 * math.pi * n / 40
        x, y = middle[0] + size * math.sin(turn), middle[1] - size * math.sin(turn) * math.cos(turn)
        page.mouse.move(x, y)
        if n == 0:
            page.mouse.down()
    page.mouse.up()


def _shown_as_the_server_says(studio: Studio, result: dict) -> None:
    """The figures on the page are the server's, to the last digit; what it shows for reading is rounded."""
    page = studio.page
    told = studio.server.client.get(f"/api/results/{result['id']}/motion")
    assert told.status_code == 200
    facts, arrays, _ = unpack(told.content)
    quality = facts["result"]["quality"]["deviation_cm"]
    mean = page.locator("[data-figure=deviation] [data-mean]")
    assert float(mean.get_attribute("data-mean")) == quality["mean"]
    assert mean.inner_text() == f"{quality['mean']:.1f}"
    assert float(page.locator("[data-figure=deviation] [data-max]").get_attribute("data-max")) == quality["max"]
    assert float(np.mean(arrays["deviation_cm"])) == pytest.approx(quality["mean"], abs=1e-3)


def _export_and_read_back(studio: Studio, result: dict, card: str, suffix: str) -> None:
    page = studio.page
    page.get_by_role("radio", name=card).first.click()
    before = {entry["id"] for entry in studio.state()["exports"]}
    with page.expect_response(lambda got: got.url.endswith("/api/export"), timeout=PATIENCE) as answer:
        studio.button(re.compile(rf"^Export .*\{suffix}$")).click()
    assert answer.value.ok
    made = [
        entry for entry in studio.state()["exports"] if entry["id"] not in before and entry["file"].endswith(suffix)
    ]
    assert len(made) == 1
    motion = kg.load(studio.folder / made[0]["file"])
    assert len(motion) == result["quality"]["frames"]
    assert motion.seconds == pytest.approx(result["quality"]["seconds"], abs=1e-3)


def test_the_main_task_by_keyboard_alone(tmp_path: Path) -> None:
    """A graph is there; with no mouse a path is chosen, followed, played and kept."""
    clips = [samples.make(name).motion for name in TURNING]
    kg.graph.build(clips, kg.graph.Parameters(mirror=True), path=tmp_path / "walks.mog")
    with opened(tmp_path) as studio:
        page = studio.page
        page.keyboard.press("3")
        page.get_by_role("navigation", name="Rooms").get_by_role("button", name="Follow").wait_for()
        _tab_to(studio, "Shape")
        page.keyboard.type("Circle")
        made = studio.await_result()
        assert made["request"]["path"] == {"shape": "circle:3"}
        # what was made plays by itself: halted at its button, and played again
        _tab_to(studio, "Pause")
        page.keyboard.press("Enter")
        halted = page.evaluate("() => kinegraph.playback.time.value")
        assert page.evaluate("() => kinegraph.playback.playing.value") is False
        page.keyboard.press("Enter")
        page.wait_for_function("halted => kinegraph.playback.time.value !== halted", arg=halted, timeout=PATIENCE)
        _tab_to(studio, "Keep")
        page.keyboard.press("Enter")
        page.wait_for_function("() => kinegraph.store.server.value.results.length === 1", timeout=PATIENCE)
        assert (tmp_path / "results").is_dir()
        assert studio.complaints == []


def _tab_to(studio: Studio, label: str, most: int = 120) -> None:
    """Press Tab until the control of that name has the focus."""
    page = studio.page
    for _ in range(most):
        page.keyboard.press("Tab")
        name = page.evaluate(
            """() => {
                const one = document.activeElement;
                return one.getAttribute('aria-label') ?? one.labels?.[0]?.textContent ?? one.textContent;
            }"""
        )
        if name and name.strip().startswith(label):
            return
    raise AssertionError(f"{label} cannot be reached by Tab")


def test_points_are_placed_moved_and_taken_back(tmp_path: Path) -> None:
    """A click on a point is no step; a drag is one, and the whole search follows it; a stroke broken off by a key leaves nothing behind."""
    clips = [samples.make(name).motion for name in TURNING]
    kg.graph.build(clips, kg.graph.Parameters(mirror=True), path=tmp_path / "walks.mog")
    with opened(tmp_path) as studio:
        page = studio.page
        studio.go("Follow")
        page.keyboard.press("t")
        page.keyboard.press("p")
        box = page.get_by_role("region", name="Stage").bounding_box()
        across, down = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        places = [(across + 0.2 * x * box["width"], down + y) for x, y in ((-1, 60), (-0.3, -40), (0.5, 30), (1, -60))]
        for x, y in places:
            page.mouse.click(x, y)
            page.wait_for_timeout(450)  # two clicks in quick succession are a double one
        placed = studio.await_result()
        assert len(_controls(placed)) == 4
        # a camera that still eases to what is new would take the point from under the pointer
        studio.rest()
        page.mouse.click(*places[1])
        page.wait_for_timeout(450)
        page.keyboard.press("Control+z")
        fewer = studio.await_result(placed["id"])
        assert len(_controls(fewer)) == 3
        page.keyboard.press("Control+Shift+z")
        again = studio.await_result(fewer["id"])
        assert _controls(again) == _controls(placed)

        page.mouse.move(*places[1])
        page.mouse.down()
        page.mouse.move(places[1][0] + 5, places[1][1] - 30, steps=4)
        page.mouse.up()
        moved = studio.await_result(again["id"])
        assert len(_controls(moved)) == 4
        assert _controls(moved)[1] != _controls(placed)[1]
        assert "width" not in moved["request"]

        page.keyboard.press("d")
        page.mouse.move(*places[0])
        page.mouse.down()
        page.mouse.move(*places[1], steps=5)
        page.keyboard.press("h")
        drawn = studio.await_result(moved["id"])
        page.mouse.move(*places[3], steps=5)
        page.mouse.up()
        studio.settle()
        assert page.evaluate("() => kinegraph.stage.camera.controls.enabled")
        assert studio.await_result()["id"] == drawn["id"]
        assert studio.complaints == []


def test_where_a_walk_is_worse_than_its_clips_is_told_below_its_figures(tmp_path: Path) -> None:
    """Where a millimetre off the path is too much."""
    clips = [samples.make(name).motion for name in ("walk", "walk_left_gentle", "walk_right_gentle")]
    kg.graph.build(clips, path=tmp_path / "walks.mog")
    strict = (
        "from kinegraph.evaluation.quality import warnings; warnings._OFF = warnings._OFF_BENT = 0.1; "
        "from kinegraph.cli import main; main()"
    )
    with opened(tmp_path, script=strict) as studio:
        page = studio.page
        studio.go("Follow")
        page.keyboard.press("t")
        page.keyboard.press("p")
        box = page.get_by_role("region", name="Stage").bounding_box()
        across, down = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        for x, y in ((-60, 60), (-60, -60), (60, -60), (60, 60)):
            page.mouse.click(across + x, down + y)
            page.wait_for_timeout(450)
        told = studio.await_result()["warnings"]
        assert any("cm off the path" in sentence for sentence in told)
        shown = page.locator(".path-warnings .notice").all_inner_texts()
        assert [text.strip().rstrip(".").lower() for text in shown] == [sentence.lower() for sentence in told]
        assert studio.overflows() == []
        assert studio.complaints == []


def _controls(result: dict) -> list[list[float]]:
    path = result["request"]["path"]
    return list(path.get("controls") or path["points"])


def test_what_was_set_is_there_after_a_reload(tmp_path: Path) -> None:
    kg.save(samples.make("walk").motion, tmp_path / "walk.bvh")
    kg.save(samples.make("run").motion, tmp_path / "run.bvh")
    with opened(tmp_path) as studio:
        page = studio.page
        page.get_by_role("option", name="run").click()
        page.wait_for_function("() => kinegraph.playback.duration.value > 0", timeout=PATIENCE)
        page.evaluate("() => { kinegraph.store.theme.value = 'dark'; }")
        page.reload()
        page.wait_for_selector("html[data-ready=true]", timeout=30_000)
        assert page.evaluate("() => kinegraph.store.clip.value.name") == "run"
        assert page.evaluate("() => document.documentElement.dataset.theme") == "dark"
        assert studio.complaints == []


def test_what_cannot_be_read_is_told_in_a_sentence(studio: Studio, tmp_path_factory: pytest.TempPathFactory) -> None:
    page = studio.page
    broken = tmp_path_factory.mktemp("theirs") / "broken.bvh"
    broken.write_text("HIERARCHY\nnonsense")
    with page.expect_file_chooser() as chooser:
        studio.button("Choose files").click()
    chooser.value.set_files(str(broken))
    page.get_by_text("broken.bvh", exact=False).first.wait_for(timeout=PATIENCE)
    assert studio.state()["clips"] == []


def test_the_page_says_when_its_server_is_gone_and_goes_on_when_it_is_back(tmp_path: Path) -> None:
    kg.save(samples.make("walk").motion, tmp_path / "walk.bvh")
    with opened(tmp_path) as studio:
        studio.server.kill()
        studio.page.wait_for_function("() => kinegraph.store.online.value === false", timeout=PATIENCE)
        assert (
            studio.page.get_by_text("away", exact=False).or_(studio.page.get_by_text("answer", exact=False)).count() > 0
        )
