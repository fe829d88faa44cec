"""A character in the page: dropped on the stage, shown, kept in the address, refused with the command's sentence."""

from __future__ import annotations

import base64
from pathlib import Path
from typing import Any

import pytest

import kinegraph as kg
from tests.characters import rigs
from tests.studio.page import PATIENCE, missing, opened

pytestmark = pytest.mark.skipif(missing() is not None, reason=str(missing()))

_DROP = """([name, data]) => {
    const transfer = new DataTransfer();
    transfer.items.add(new File([Uint8Array.from(atob(data), letter => letter.charCodeAt(0))], name));
    const box = document.querySelector('.stage').getBoundingClientRect();
    const at = { clientX: box.left + box.width / 2, clientY: box.top + box.height / 2, dataTransfer: transfer, bubbles: true };
    for (const kind of ['dragenter', 'drop']) dispatchEvent(new DragEvent(kind, { ...at, cancelable: true }));
}"""
_SHOWN = "what => kinegraph.stage?.actors.some(id => kinegraph.stage.actor(id).shown === what)"
# how high the lowest and the highest vertex of all visible skins is
_REACH = """() => {
    const reach = [Infinity, -Infinity], at = kinegraph.stage.camera.camera.position.clone();
    const look = object => {
        if (!object.visible) return;
        if (object.isSkinnedMesh) for (let vertex = 0; vertex < object.geometry.attributes.position.count; vertex++) {
            object.getVertexPosition(vertex, at);
            const { y } = object.localToWorld(at);
            [reach[0], reach[1]] = [Math.min(reach[0], y), Math.max(reach[1], y)];
        }
        object.children.forEach(look);
    };
    for (const { group } of kinegraph.stage.actors.map(id => kinegraph.stage.actor(id))) {
        group.updateMatrixWorld(true);
        look(group);
    }
    return reach;
}"""


def drop(page: Any, file: Path) -> None:
    page.evaluate(_DROP, [file.name, base64.b64encode(file.read_bytes()).decode()])


def test_a_character_is_dropped_on_the_stage(tmp_path: Path) -> None:
    folder = tmp_path / "work"
    folder.mkdir()
    walk = kg.samples.make("walk").motion
    kg.save(walk, folder / "walk.bvh")
    hero = rigs.make(tmp_path / "hero.glb", up="z", unit=0.01, size=0.7, lowered=45.0, posed=True).save()
    mesh = rigs.make(tmp_path / "mesh.glb")
    del mesh.tree["skins"], mesh.tree["nodes"][-2]["skin"]
    with opened(folder) as studio:
        page = studio.page
        page.wait_for_function(_SHOWN, arg="mannequin", timeout=PATIENCE)
        drop(page, hero)
        page.wait_for_function(_SHOWN, arg="character", timeout=PATIENCE)
        page.wait_for_url("**/library?*character=characters/hero.glb*")
        # as large as whoever walks, and on the floor
        studio.seek(1.0)
        low, high = page.evaluate(_REACH)
        assert abs(low) < 0.005
        assert high == pytest.approx(walk.skeleton.stature, rel=0.1)

        page.reload()
        page.wait_for_function(_SHOWN, arg="character", timeout=PATIENCE)
        studio.go("Export")
        page.wait_for_function(_SHOWN, arg="character", timeout=PATIENCE)
        page.get_by_text("kinegraph convert walk.bvh walk.glb --character characters/hero.glb").wait_for()

        studio.button("Character: hero").click()
        page.get_by_role("menuitemcheckbox", name="Mannequin").click()
        page.wait_for_function(_SHOWN, arg="mannequin", timeout=PATIENCE)
        drop(page, mesh.save())
        page.get_by_text("mesh.glb: there is no skin in it").wait_for()
        assert [one for one in studio.complaints if "422" not in one] == []
