"""Blender's own importers against ours: three real clips and two synthesised ones, written as BVH, GLB, USD and FBX.

Needs an environment of its own with bpy (blender/requirements.txt), whose Python `KINEGRAPH_BLENDER_PYTHON` names; compare.py runs there.
"""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from blender.conftest import ROWS
from kinegraph import Motion, load, paths, samples
from kinegraph.formats.blender import PYTHON_VARIABLE
from kinegraph.formats.options import ReadOptions
from kinegraph.formats.raw import finish
from kinegraph.mannequin import deformed, mannequin

pytest.importorskip("pxr", reason="usd-core is not installed: pip install 'kinegraph[usd]'")

from pxr import Usd

FILES = {"bvh": "bvh", "glb": "gltf", "usdc": "usd", "fbx": "fbx"}
MILLIMETRE = 1e-3

CLIPS: dict[str, Callable[[Path], Motion]] = {
    "16_15": lambda cmu: load(cmu / "acclaim" / "16" / "16_15.amc"),
    "02_05": lambda cmu: load(cmu / "acclaim" / "02" / "02_05.amc")[300:900],
    "143_38": lambda cmu: load(cmu / "bvh" / "143_38.bvh"),
}
MADE: dict[str, Callable[[], Motion]] = {
    "walk": lambda: samples.make("walk").motion,
    "hill": lambda: paths.repath(samples.make("walk").motion, "wave:6,1", cycle=True, ground="hill:0.5,4").motion,
}


@dataclass(frozen=True)
class Imported:
    """A clip, which of its frames were compared, and what Blender found in each of its files."""

    name: str
    motion: Motion
    frames: list[int]
    found: dict[str, Any]


@pytest.fixture(scope="module", params=[*CLIPS, *MADE])
def imported(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Imported:
    """The clip written four times and imported by Blender."""
    python = os.environ.get(PYTHON_VARIABLE)
    if not python:
        pytest.skip(f"{PYTHON_VARIABLE} names no Python with bpy")
    name = request.param
    motion = CLIPS[name](request.getfixturevalue("cmu")) if name in CLIPS else MADE[name]()
    folder = tmp_path_factory.mktemp(name)
    files = {suffix: folder / f"{name}.{suffix}" for suffix in FILES}
    for suffix, path in files.items():
        import_module(f"kinegraph.formats.{FILES[suffix]}").write(motion, path)
    frames = [int(frame) for frame in np.linspace(0, len(motion) - 1, 20)]
    job = {
        "files": {suffix: str(path) for suffix, path in files.items()},
        "fps": motion.fps,
        "frames": frames,
        "out": str(folder / "found.json"),
    }
    (folder / "job.json").write_text(json.dumps(job), encoding="utf-8")
    script = Path(__file__).with_name("compare.py")
    done = subprocess.run(
        [python, str(script), str(folder / "job.json")],
        capture_output=True,
        text=True,
        check=False,
        env=os.environ | {"TMPDIR": str(folder)},  # Blender leaves temporary folders
    )
    assert done.returncode == 0, done.stderr[-2000:]
    found = json.loads((folder / "found.json").read_text(encoding="utf-8"))
    found["usdc"]["fps"] = Usd.Stage.Open(str(files["usdc"])).GetTimeCodesPerSecond()
    case = Imported(name, motion, frames, found)
    request.config.stash[ROWS].extend(row(case, suffix) for suffix in FILES)
    return case


def off_joints(case: Imported, suffix: str) -> float:
    """The farthest that Blender has any joint from where ours is, metres."""
    found = case.found[suffix]
    order = [found["names"].index(name) for name in case.motion.skeleton.names]
    places = np.array(found["places"])[:, order]
    return float(np.linalg.norm(places - case.motion.positions[case.frames], axis=-1).max())


def off_body(case: Imported, suffix: str) -> float:
    """The farthest that a face of the body's box is from where ours is, metres."""
    motion = case.motion
    mesh = mannequin(motion.skeleton, motion)
    shapes = [deformed(mesh, motion.skeleton, motion, frame) for frame in case.frames]
    boxes = np.array([[shape.min(axis=0), shape.max(axis=0)] for shape in shapes])
    return float(np.abs(np.array(case.found[suffix]["boxes"]) - boxes).max())


def row(case: Imported, suffix: str) -> str:
    """A line of the table."""
    found = case.found[suffix]
    body = f"{1000 * off_body(case, suffix):.4f}" if found["boxes"] else "-"
    same = sorted(found["names"]) == sorted(case.motion.skeleton.names)
    rate = f"{found['fps']:g}" if suffix in ("bvh", "fbx") else f"({found['fps']:g})"
    return (
        f"{case.name:12} {suffix:5} {1000 * off_joints(case, suffix) if same else np.nan:17.4f} {body:>15} {len(found['names']):6} "
        f"{'same' if same else 'differ':>6} {rate:>6} {found['frames']:7}"
    )


@pytest.mark.parametrize("suffix", FILES)
def test_names_and_count(imported: Imported, suffix: str) -> None:
    """Every joint is a bone of the same name, and there are no others."""
    assert sorted(imported.found[suffix]["names"]) == sorted(imported.motion.skeleton.names)


@pytest.mark.parametrize("suffix", FILES)
def test_places(imported: Imported, suffix: str) -> None:
    """All joints are where ours are, in 20 frames from the first to the last."""
    assert off_joints(imported, suffix) < MILLIMETRE


@pytest.mark.parametrize("suffix", FILES)
def test_rate_and_length(imported: Imported, suffix: str) -> None:
    """The clip is as long as ours, at our rate."""
    assert imported.found[suffix]["frames"] == len(imported.motion)
    assert imported.found[suffix]["fps"] == pytest.approx(imported.motion.fps, rel=1e-6)


@pytest.mark.parametrize("suffix", [suffix for suffix in FILES if suffix != "bvh"])
def test_the_body_follows(imported: Imported, suffix: str) -> None:
    """The mannequin is bent by Blender's armature as it is by us."""
    assert imported.found[suffix]["faces"] == len(mannequin(imported.motion.skeleton, imported.motion).faces)
    assert off_body(imported, suffix) < MILLIMETRE


def test_fbx_comes_back(imported: Imported, tmp_path: Path) -> None:
    """What we write as FBX we read again."""
    fbx = import_module("kinegraph.formats.fbx")
    fbx.write(imported.motion, tmp_path / "x.fbx")
    back = finish(fbx.read(tmp_path / "x.fbx", ReadOptions()), ReadOptions(), tmp_path / "x.fbx")
    order = [back.skeleton.index(name) for name in imported.motion.skeleton.names]
    assert back.fps == pytest.approx(imported.motion.fps, rel=1e-9)
    np.testing.assert_allclose(back.positions[:, order], imported.motion.positions, rtol=0, atol=1e-4)
