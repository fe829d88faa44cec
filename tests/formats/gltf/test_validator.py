"""Judges from outside: the Khronos Group's own validator, and three.js. Both run in Node, and only where they are installed."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from kinegraph import Motion, Skeleton, load, samples
from kinegraph.formats import gltf
from kinegraph.formats.options import ReadOptions
from tests.formats.gltf.handmade import Handmade, about
from tests.strategies import random_quaternions

NODE = Path(__file__).parents[2] / "node"
WITHIN = 1e-3  # metres


def modules_with(package: str) -> Path:
    """The folder of installed packages: KINEGRAPH_NODE_MODULES, or the one beside the scripts."""
    folder = Path(os.environ.get("KINEGRAPH_NODE_MODULES", NODE / "node_modules"))
    if shutil.which("node") is None:
        pytest.skip("no node on this machine")
    if not (folder / package).is_dir():
        pytest.skip(f"no {package} in {folder}: run npm ci in tests/node")
    return folder


def run(script: str, package: str, *arguments: str | Path) -> Any:
    command = ["node", NODE / script, modules_with(package), *arguments]
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def validated(*files: Path) -> None:
    """Every file without an error, a warning, or anything else to say."""
    reports = run("validate.mjs", "gltf-validator", *files)
    assert len(reports) == len(files)
    for report in reports:
        assert (report["errors"], report["warnings"], report["messages"]) == (0, 0, []), report


def test_the_validator_finds_faults(tmp_path: Path) -> None:
    """It does judge: a file whose times have no bounds is not sound."""
    made = Handmade()
    made.skin(made.node(name="top"))
    made.track(0, "rotation", [0, 1], about("x", [0, 9]))
    (report,) = run("validate.mjs", "gltf-validator", made.save(tmp_path))
    assert report["errors"] > 0


def test_samples_are_valid(tmp_path: Path) -> None:
    modules_with("gltf-validator")
    files = []
    for name in samples.names():
        sample = samples.make(name)
        for suffix, options in (("glb", {}), ("gltf", {"mesh": False, "in_place": True})):
            files.append(tmp_path / f"{name}.{suffix}")
            gltf.write(sample.motion, files[-1], contacts=sample.contacts, **options)
    files.append(tmp_path / "all.glb")
    gltf.write_all([samples.make(name).motion for name in samples.names()], files[-1])
    validated(*files)


def test_odd_motions_are_valid(tmp_path: Path) -> None:
    modules_with("gltf-validator")
    random = np.random.default_rng(8)
    files = []
    for joints, frames, stretching in ((1, 1, False), (2, 2, True), (7, 3, True), (300, 2, False)):
        body = Skeleton(
            ("twin", "twin", "", "ü", *(f"j{k}" for k in range(300)))[:joints],
            np.maximum(np.arange(joints) - 2, -1 + (np.arange(joints) > 0)),
            random.normal(size=(joints, 3)) * 0.1,
            [joints - 1],
            [[0.0, 0.1, 0.0]],
        )
        translations = random.normal(size=(frames, joints, 3)) if stretching else None
        turns = random_quaternions(random, frames, joints)
        motion = Motion(body, random.normal(size=(frames, 3)), turns, 29.97, translations)
        for mesh in (True, False):
            files.append(tmp_path / f"{joints}-{mesh}.glb")
            gltf.write(motion, files[-1], mesh=mesh)
    validated(*files)


def test_real_clips_are_valid(cmu: Path, tmp_path: Path) -> None:
    modules_with("gltf-validator")
    files = []
    for path in sorted((cmu / "acclaim" / "16").glob("*.amc"))[::20]:
        files.append(tmp_path / f"{path.stem}.glb")
        gltf.write(load(path), files[-1])
    validated(*files)


def played(path: Path, frames: np.ndarray) -> Any:
    return run("three_check.mjs", "three", path, *map(str, frames.tolist()))


@pytest.mark.parametrize("name", samples.names()[::4])
def test_three_plays_the_samples(tmp_path: Path, name: str) -> None:
    modules_with("three")
    assert_three_agrees(samples.make(name).motion, tmp_path)


def test_three_plays_a_real_clip(cmu: Path, tmp_path: Path) -> None:
    modules_with("three")
    path = cmu / "acclaim" / "16" / "16_15.amc"
    if not path.exists():
        pytest.skip(f"no {path}")
    assert_three_agrees(load(path), tmp_path)


def assert_three_agrees(motion: Motion, folder: Path) -> None:
    gltf.write(motion, folder / "x.glb")
    frames = np.linspace(0, len(motion) - 1, 20).astype(int)
    shown = played(folder / "x.glb", frames)
    assert shown["names"] == list(motion.skeleton.names)
    assert shown["clip"] == motion.name
    assert shown["seconds"] == pytest.approx((len(motion) - 1) / motion.fps, rel=1e-6)
    positions = np.array([frame["positions"] for frame in shown["frames"]])
    assert np.abs(positions - motion.positions[frames]).max() < WITHIN
    # and the mesh stands where the joints do, a hand's breadth thicker
    low = np.array([frame["low"] for frame in shown["frames"]])
    high = np.array([frame["high"] for frame in shown["frames"]])
    joints = motion.positions[frames]
    assert np.all(low < joints.min(axis=1) + 0.02)
    assert np.all(high > joints.max(axis=1) - 0.02)
    assert np.all(low > joints.min(axis=1) - 0.4)
    assert np.all(high < joints.max(axis=1) + 0.4)


def test_three_and_we_read_the_same_from_another_tools_file(tmp_path: Path) -> None:
    """Armature turned and scaled, splines, steps, a joint scaled, keys of normalised integers: three.js is the judge of the reader."""
    modules_with("three")
    made = Handmade()
    over = made.node(name="over", translation=[0.3, 0, 0.1], rotation=about("y", 25).tolist())
    armature = made.node(over, name="armature", scale=[0.01] * 3, rotation=about("x", -90).tolist())
    hips = made.node(armature, name="hips", translation=[0, 0, 95], rotation=about("x", 90).tolist())
    spine = made.node(hips, name="spine", translation=[0, 30, 5], scale=[1.2] * 3)
    left = made.node(spine, name="left", translation=[20, 10, 0], rotation=about("z", -80).tolist())
    right = made.node(spine, name="right", translation=[-20, 10, 0], rotation=about("z", 80).tolist())
    hand = made.node(left, name="hand", translation=[0, 30, 0])
    joints = (hips, spine, left, right, hand)
    random = np.random.default_rng(11)
    bind = np.tile(np.eye(4), (5, 1, 1))
    bind[:, :3, 3] = random.normal(size=(5, 3))
    made.skin(*joints, matrices=bind)
    points = made.accessor(random.normal(size=(3, 3)))
    attributes = {
        "POSITION": points,
        "JOINTS_0": made.accessor(np.zeros((3, 4)), "u1"),
        "WEIGHTS_0": made.accessor(np.tile([1.0, 0, 0, 0], (3, 1))),
    }
    made.tree["meshes"] = [{"primitives": [{"attributes": attributes}]}]
    shown_by = made.node(name="shown", mesh=0, skin=0)
    made.tree |= {"scenes": [{"nodes": [over, shown_by]}], "scene": 0}
    frames = 21
    times = made.accessor(np.arange(frames) / 30)
    sparse = made.accessor([0, 0.2, 0.4, 2 / 3])
    turns = np.roll(random_quaternions(random, frames), -1, axis=-1)
    made.animation("mixed")
    made.tree["animations"][0]["extras"] = {"fps": 30}
    made.track(hips, "translation", sparse, random.normal(size=(4, 3)) * 10 + [0, 0, 95])
    made.track(hips, "rotation", times, turns)
    made.track(
        spine, "rotation", times, made.accessor(np.round(about("x", np.arange(frames)) * 32767), "i2", normalized=True)
    )
    triples = np.stack([random.normal(size=(4, 4)), about("z", [0, 30, 60, 20]), random.normal(size=(4, 4))], 1)
    made.track(left, "rotation", sparse, triples.reshape(-1, 4), "CUBICSPLINE")
    made.track(right, "rotation", sparse, about("y", [0, 40, 80, 120]), "STEP")
    path = made.save(tmp_path)
    chosen = np.arange(frames)
    shown = played(path, chosen)
    raw = gltf.read(path, ReadOptions())
    assert (raw.fps, len(raw.root)) == (30.0, frames)
    assert shown["names"] == list(raw.skeleton.names)
    positions = np.array([frame["positions"] for frame in shown["frames"]])
    # three plays a step by the clock's last bit: frames at which one falls are left out
    plain = ~np.isin(chosen, [6, 12, 20])
    assert np.abs(raw.world()[0] - positions)[plain].max() < 1e-5
