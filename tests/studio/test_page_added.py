"""What is added to kinegraph is on the page at once: nothing of it is listed there."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

import kinegraph as kg
from kinegraph import samples
from tests.studio.page import PATIENCE, SIZES, Studio, missing, opened

ADDED = """
import sys
from pathlib import Path
from types import SimpleNamespace

from kinegraph.blending.kinds.weighted import Linear
from kinegraph.blending.named import register
from kinegraph.cli import main
from kinegraph.formats.format import Format
from kinegraph.formats.format import register as register_format
from kinegraph.paths.ground import hill, register_ground


@register("The same as linear.")
class Even(Linear):
    name = "even"


@register_ground("dip:0.5", "A hollow ahead.")
def dip(depth):
    return hill(-depth, 4.0)


def write(motion, path, **options):
    Path(path).write_text(motion.name)


codec = SimpleNamespace(write=write)
register_format(Format("Names", (".name",), "Nobody.", "The motion's name, for nobody.", codec, reads=False))
sys.exit(main())
"""


@pytest.fixture(scope="module")
def studio(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Studio]:
    reason = missing()
    if reason is not None:
        pytest.skip(reason)
    folder = tmp_path_factory.mktemp("added")
    for name in ("walk", "run"):
        kg.save(samples.make(name).motion, folder / f"{name}.bvh")
    with opened(folder, script=ADDED) as studio:
        yield studio
        assert studio.complaints == []


def test_a_format_has_a_card(studio: Studio) -> None:
    page = studio.page
    studio.go("Export")
    page.get_by_role("radio", name="Names: Nobody.").check()
    page.get_by_text("The motion's name, for nobody.").wait_for(timeout=PATIENCE)
    studio.button("Export run.name").click()
    page.get_by_role("link", name="Download run.name").wait_for(timeout=PATIENCE)
    assert (studio.folder / "exports" / "run.name").read_text() == "run"


def test_a_blend_can_be_chosen(studio: Studio) -> None:
    page = studio.page
    studio.go("Graph")
    page.get_by_text("minimum 1 of", exact=False).first.wait_for(timeout=PATIENCE)
    with page.expect_request(lambda asked: "/api/transition" in asked.url, timeout=PATIENCE) as asked:
        page.get_by_role("radio", name="Even").check()
    assert asked.value.post_data_json["blend"] == "even"
    assert asked.value.response().status == 200


def test_a_ground_is_drawn_and_walked_on(studio: Studio) -> None:
    page = studio.page
    studio.go("Repath")
    page.get_by_label("Clip").first.select_option(label="walk")
    page.get_by_role("radio", name="Dip").check()
    walked = "() => kinegraph.store.result.value?.facts.result?.request.ground === 'dip:0.5'"
    page.wait_for_function(walked, timeout=PATIENCE)
    assert page.get_by_role("slider", name="Depth").get_attribute("max") == "1"
    page.wait_for_function("() => Math.abs(kinegraph.stage.height(0, 4) + 0.5) < 0.01", timeout=PATIENCE)
    for width, height in (*SIZES, (1024, 768)):
        page.set_viewport_size({"width": width, "height": height})
        studio.settle()
        assert studio.overflows() == []
