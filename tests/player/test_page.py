"""The page that plays a motion, as text; `test_browser` opens it."""

from __future__ import annotations

import base64
import gzip
import re
import subprocess
import sys
from html import unescape
from pathlib import Path

import numpy as np
import pytest

import kinegraph as kg
from kinegraph.errors import FormatError, KinegraphError
from kinegraph.motion import display
from kinegraph.player import page, unpack
from tests.characters import rigs
from tests.cli.inprocess import call

SCRIPT = 'console.log("</script><!-- <script>")'


@pytest.fixture
def walk() -> kg.Motion:
    return kg.samples.make("walk").motion


@pytest.fixture
def script(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A script in place of the built one: what stands in the page does not depend on it."""
    place = tmp_path / "player.js"
    place.write_text(SCRIPT)
    monkeypatch.setattr(page, "_place", lambda: place)
    return place


def held(text: str, name: str) -> bytes:
    found = re.search(rf'<script type="text/plain" id="kinegraph-{name}">([^<]*)</script>', text)
    assert found is not None
    return gzip.decompress(base64.b64decode(found[1]))


def test_the_page_holds_all_it_needs(walk: kg.Motion, script: Path) -> None:
    text = page.document(walk)
    facts, arrays, scales = unpack(held(text, "motion"))
    assert facts["frames"] == len(walk)
    assert np.abs(scales["rotations"] * arrays["rotations"] - walk.rotations).max() < 2e-5
    body, surface, _ = unpack(held(text, "body"))
    assert body["id"] == facts["body"]
    assert len(surface["faces"]) > 1000
    assert held(text, "player").decode() == SCRIPT
    # the only scripts that run are its own, and nothing is to be fetched
    assert "default-src 'none'" in unescape(text)
    assert not re.search(r"(src|href)=(?!\"data:)", text)
    assert "http" not in text.replace("http-equiv", "")


def test_the_same_motion_gives_the_same_page(walk: kg.Motion, script: Path) -> None:
    assert page.document(walk) == page.document(walk)


def test_names_cannot_break_out(walk: kg.Motion, script: Path) -> None:
    text = page.document(walk.renamed("</title><script>alert(1)</script>"))
    assert "<script>alert" not in text


def test_a_rate_thins_the_motion_and_a_body_can_be_left_out(walk: kg.Motion, script: Path) -> None:
    text = page.document(walk, fps=30, mesh=False)
    assert unpack(held(text, "motion"))[0]["fps"] == 30
    assert 'id="kinegraph-body"></script>' in text


def test_render_writes_it(walk: kg.Motion, script: Path, tmp_path: Path) -> None:
    kg.save(walk, tmp_path / "walk.bvh")
    told = call("render", "walk.bvh", "-o", "walk.html", "--fps", "30", "--json", folder=tmp_path).json
    assert told["target"] == "walk.html"
    assert unpack(held((tmp_path / "walk.html").read_text(), "motion"))[0]["fps"] == 30
    for words in (["--poses", "3"], ["--width", "100"], ["--view", "side"]):
        done = call("render", "walk.bvh", "-o", "other.html", *words, folder=tmp_path)
        assert done.code == 2
        assert f"{words[0][2:]} is for" in done.err
    assert not (tmp_path / "other.html").exists()
    with pytest.raises(FormatError, match=r"\.html"):
        kg.rendering.render(walk, tmp_path / "walk.avi")


def test_where_the_script_is_missing_it_is_said_how_to_get_it(
    walk: kg.Motion, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(page, "_place", lambda: tmp_path / "none.js")
    with pytest.raises(KinegraphError, match="make web"):
        kg.rendering.render(walk, tmp_path / "walk.html")
    assert not list(tmp_path.iterdir())
    assert walk._repr_html_() == "<pre>Motion(&#x27;walk&#x27;, 257 frames at 60/s, 24 joints)</pre>"


def test_notebooks_show_it_in_a_frame_of_its_own(walk: kg.Motion, script: Path) -> None:
    shown = walk._repr_html_()
    assert shown is not None
    frame = re.fullmatch(r'<iframe srcdoc="([^"]*)" sandbox="allow-scripts" [^>]*></iframe>', shown)
    assert frame is not None
    assert unpack(held(unescape(frame[1]), "motion"))[0]["fps"] == 30


def test_a_very_long_motion_is_not_put_into_a_notebook(walk: kg.Motion, script: Path) -> None:
    slow = kg.Motion(walk.skeleton, walk.root, walk.rotations, 0.1)
    assert str(slow._repr_html_()).startswith("<pre>")


def test_motions_need_no_player_to_be_motions(walk: kg.Motion, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(display, "_shown", [])
    assert walk._repr_html_() is None


def test_nothing_heavy_is_imported_before_somebody_looks() -> None:
    heavy = ("kinegraph.player", "kinegraph.player", "kinegraph.mannequin")
    code = f"import sys, kinegraph; print([name for name in sys.modules if name.startswith({heavy})])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_a_page_fetches_nothing_and_one_with_a_character_only_from_its_own_memory(
    walk: kg.Motion, script: Path, tmp_path: Path
) -> None:
    """Nothing but what is in the file: a character's textures are read from it, as blobs."""
    page.write(walk, tmp_path / "plain.html")
    kg.characters.save(walk, rigs.make(tmp_path / "hero.glb").path, tmp_path / "hero.html")

    def policy(file: str) -> dict[str, list[str]]:
        found = re.search(r'Content-Security-Policy" content="([^"]*)"', (tmp_path / file).read_text())
        assert found is not None
        parts = [part.split() for part in unescape(found[1]).split(";")]
        return {name: sources for name, *sources in parts}

    plain, hero = policy("plain.html"), policy("hero.html")
    assert plain["default-src"] == ["'none'"]
    assert "connect-src" not in plain
    assert hero.pop("connect-src") == ["blob:", "data:"]
    assert hero == plain
    # no host, and no scheme that leads out of the page
    assert not any("//" in source or source == "*" for sources in plain.values() for source in sources)
