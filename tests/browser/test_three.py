"""three.js in a browser, as a web page would use it: bones stand where ours do, and WebGL draws the body on them."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from kinegraph import Motion, load, samples
from kinegraph.formats import gltf
from kinegraph.mannequin.body import mannequin
from kinegraph.paths import repath
from tests.browser.stage import Stage, missing, opened

WITHIN = 1e-3  # metres
FRAMES = 20


@pytest.fixture(scope="module")
def stage(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    beside = Path(__file__).parents[1] / "node" / "node_modules"
    modules = Path(os.environ.get("KINEGRAPH_NODE_MODULES", beside))
    reason = missing(modules)
    if reason is not None:
        pytest.skip(reason)
    with opened(modules, tmp_path_factory.mktemp("files")) as stage:
        yield stage


def test_a_walk_plays_in_the_browser(stage: Stage) -> None:
    assert_shown(stage, "walk.glb", samples.make("walk").motion)


def test_a_walk_over_a_hill_plays_in_the_browser(stage: Stage) -> None:
    assert_shown(stage, "hill.glb", repath(samples.make("walk").motion, "line:6", ground="hill:0.5,3").motion)


def test_a_real_clip_plays_in_the_browser(stage: Stage, cmu: Path) -> None:
    path = cmu / "acclaim" / "16" / "16_15.amc"
    if not path.exists():
        pytest.skip(f"no {path}")
    assert_shown(stage, "real.glb", load(path))


def test_the_page_tells_of_faults(stage: Stage) -> None:
    """The stage does judge: a file that is not there is complained of."""
    stage.complaints.clear()
    with stage.page.expect_console_message(), pytest.raises(Exception, match="404"):
        stage.load("nothing.glb")
    assert any("404" in said for said in stage.complaints)


def assert_shown(stage: Stage, name: str, motion: Motion) -> None:
    """Written under a name of its own, since a browser may keep what it got under an old one."""
    stage.complaints.clear()
    gltf.write(motion, stage.folder / name)
    held = stage.load(name)
    body = mannequin(motion.skeleton, motion)
    assert held["names"] == list(motion.skeleton.names)
    assert held["bones"] == len(motion.skeleton)
    assert held["skinned"] == len(body.parts)
    assert held["triangles"] == len(body.faces)
    (clip,) = held["clips"]
    assert clip["name"] == motion.name
    assert clip["duration"] == pytest.approx((len(motion) - 1) / motion.fps, rel=1e-6)
    frames = np.linspace(0, len(motion) - 1, FRAMES).astype(int).tolist()
    positions = np.array(stage.positions(frames))
    assert np.linalg.norm(positions - motion.positions[frames], axis=-1).max() < WITHIN
    for frame, angle in ((frames[0], 35), (frames[FRAMES // 2], 90), (frames[-1], 180)):
        drawn = stage.draw(frame, angle=angle)
        assert 0.02 < drawn["share"] < 0.2, frame
        # joints lie inside the body, so their pixels show it; a toe's tip may lie on its edge
        assert np.mean(drawn["covered"]) > 0.9, frame
    assert stage.complaints == []
