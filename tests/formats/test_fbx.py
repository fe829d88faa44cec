"""FBX through Blender: what is handed to it, what is made of its answer, and what is said when it fails.

What real Blender does with it is tested where `KINEGRAPH_BLENDER_PYTHON` names a Python with bpy (`make test-blender`).
"""

from __future__ import annotations

import os
import sys
import tempfile
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

from kinegraph import Motion, Skeleton, load, samples
from kinegraph.errors import FormatError, MissingExtraError
from kinegraph.formats import blender, fbx
from kinegraph.formats.options import ReadOptions
from kinegraph.formats.outgoing import character
from kinegraph.formats.raw import finish
from kinegraph.motion import rotation

real_blender = pytest.mark.skipif(
    not os.environ.get(blender.PYTHON_VARIABLE), reason=f"{blender.PYTHON_VARIABLE} names no Python with bpy"
)


@pytest.fixture(scope="module")
def walk() -> Motion:
    return samples.make("walk").motion[:30]


@pytest.fixture
def stand_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A program in Blender's place, to be written by the test; temporary files go where the test sees them."""
    program = tmp_path / "program"
    (tmp_path / "temporary").mkdir()
    (tmp_path / "out").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "temporary"))
    monkeypatch.setenv(blender.PYTHON_VARIABLE, str(program))
    return program


def shell(program: Path, lines: str) -> None:
    program.write_text(f"#!/bin/sh\n{lines}\n", encoding="utf-8")
    program.chmod(0o755)


def given(motion: Motion, up: str = "y", **options: object) -> dict[str, np.ndarray]:
    """What Blender is given to write."""
    return fbx._bones(character(motion, up=up, **options), up)  # type: ignore[arg-type]


def answer(motion: Motion) -> dict[str, np.ndarray]:
    """What Blender would find in the file: its world has metres and Z up."""
    bones = given(motion, "z", mesh=False)
    return {**bones, "fps": np.array(motion.fps), "others": np.array([], dtype=np.str_)}


# -- what is handed over ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("up", ["y", "z"])
def test_bones_stand_at_the_joints_and_point_to_the_next(walk: Motion, up: str) -> None:
    bones = given(walk, up)
    places = walk.positions if up == "y" else walk.positions[..., [0, 2, 1]] * [1, -1, 1]
    np.testing.assert_allclose(bones["pose"][..., :3, 3], places, atol=1e-12)
    axes = bones["pose"][..., :3, :3]
    np.testing.assert_allclose(np.swapaxes(axes, -1, -2) @ axes, np.broadcast_to(np.eye(3), axes.shape), atol=1e-9)
    assert np.linalg.det(axes).min() > 0.99
    # in every frame a joint with one child has its bone's far end there
    for joint, children in enumerate(walk.skeleton.children):
        if joint and len(children) == 1:
            end = bones["pose"][:, joint, :3, 3] + bones["pose"][:, joint, :3, 1] * bones["lengths"][joint]
            np.testing.assert_allclose(end, places[:, children[0]], atol=1e-9)


def test_the_rest_pose_stands_on_the_floor(walk: Motion) -> None:
    made = character(walk, units="cm")
    assert made.skin is not None
    assert made.skin.vertices[:, 1].min() == pytest.approx(0.0, abs=1e-9)
    assert made.places[0, 1] == pytest.approx(100 * walk.root[0, 1], rel=0.15)
    np.testing.assert_allclose(made.places[0, [0, 2]], 0.0, atol=1e-9)


def test_joints_at_one_place_and_bones_without_an_end() -> None:
    body = Skeleton(
        ("a", "b", "c", "d", "e"), [-1, 0, 0, 2, 3], [[0, 0, 0], [0, 0, 0], [0, 0, 0], [1, 0, 0], [0, 0, 0]]
    )
    bones = given(Motion(body, np.zeros((2, 3)), rotation.identity(2, 5), 30.0), mesh=False)
    assert np.isfinite(bones["rest"]).all()
    assert (bones["lengths"] > 0).all()
    np.testing.assert_allclose(bones["rest"][2, :3, 1], [1, 0, 0], atol=1e-12)
    np.testing.assert_allclose(bones["rest"][4, :3, 1], [1, 0, 0], atol=1e-12)
    point = Motion(Skeleton(("a",), [-1], np.zeros((1, 3))), np.zeros((1, 3)), rotation.identity(1, 1), 30.0)
    assert np.isfinite(given(point, mesh=False)["rest"]).all()


def test_names_are_unique_and_short_enough_for_blender() -> None:
    names = fbx._names(["hand", "hand", "ü" * 40, "ü" * 40, "x" * 63])
    assert names[:2] == ["hand", "hand_2"]
    assert names[4] == "x" * 63
    assert len(set(names)) == 5
    assert max(len(name.encode()) for name in names) <= 63


# -- what is made of the answer ---------------------------------------------------------------------------------------


def test_bones_in_blenders_world_make_the_motion(walk: Motion) -> None:
    raw = fbx._motion(answer(walk))
    assert raw.translations is None
    assert raw.fps == walk.fps
    assert raw.metres_per_unit == 1.0
    np.testing.assert_allclose(raw.world()[0], walk.positions, atol=1e-9)
    # the rest pose is our own: rotations are those of the motion
    back = finish(raw, ReadOptions(), Path("x.fbx"))
    assert rotation.angle_between(back.rotations, walk.rotations).max() < 1e-6
    assert back.skeleton.roles == walk.skeleton.roles


def test_scaled_bones_keep_their_places(walk: Motion) -> None:
    found = answer(walk)
    found["pose"] = found["pose"] @ np.diag([2.0, 2.0, 2.0, 1.0])
    np.testing.assert_allclose(fbx._motion(found).world()[0], walk.positions, atol=1e-9)


def test_bones_that_change_length_and_further_animations(walk: Motion) -> None:
    found = answer(walk)
    found["pose"] = found["pose"].copy()
    found["pose"][:, -1, 2, 3] += np.linspace(0.0, 0.1, len(walk))
    found["others"] = np.array(["Armature|run"])
    raw = fbx._motion(found)
    assert raw.translations is not None
    stretched = walk.positions.copy()
    stretched[:, -1, 1] += np.linspace(0.0, 0.1, len(walk))
    np.testing.assert_allclose(raw.world()[0], stretched, atol=1e-9)
    assert "Armature|run" in raw.notices[0]


def test_several_roots_hang_on_one(walk: Motion) -> None:
    found = answer(walk)
    found["parents"] = found["parents"].copy()
    found["parents"][1] = -1
    raw = fbx._motion(found)
    assert raw.skeleton.names[0] == "root"
    assert "several roots" in raw.notices[0]
    np.testing.assert_allclose(raw.world()[0][:, 1:], walk.positions, atol=1e-9)


# -- when it fails ----------------------------------------------------------------------------------------------------


def test_without_blender_the_install_line_is_told(
    tmp_path: Path, walk: Motion, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(blender.PYTHON_VARIABLE, raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(blender, "find_spec", lambda name: None)
    with pytest.raises(MissingExtraError, match=r"KINEGRAPH_BLENDER_PYTHON.*pip install 'kinegraph\[blender\]'"):
        fbx.write(walk, tmp_path / "x.fbx")
    assert not list(tmp_path.iterdir())
    (tmp_path / "x.fbx").write_bytes(b"Kaydara")
    with pytest.raises(MissingExtraError, match="reading FBX"):
        fbx.read(tmp_path / "x.fbx", ReadOptions())


def test_the_program_is_found_by_its_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(blender.PYTHON_VARIABLE, raising=False)
    monkeypatch.setattr(blender, "find_spec", lambda name: None)
    shell(tmp_path / "blender", "exit 0")
    monkeypatch.setenv("PATH", str(tmp_path))
    assert blender.command("a test")[:2] == [str(tmp_path / "blender"), "--background"]
    monkeypatch.setattr(blender, "find_spec", lambda name: object())
    assert blender.command("a test") == [sys.executable]


def test_a_variable_that_names_no_program(tmp_path: Path, walk: Motion, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(blender.PYTHON_VARIABLE, str(tmp_path / "nothing"))
    with pytest.raises(FormatError, match="no program that can be run"):
        fbx.write(walk, tmp_path / "x.fbx")


FAILURES = {
    "its own word": ("echo noise; echo 'kinegraph: it holds no bones' >&2; echo more >&2; exit 3", "it holds no bones"),
    "a crash": ("echo 'Segmentation fault' >&2; exit 139", "code 139, saying: Segmentation fault"),
    "silence": ("exit 7", "Blender stopped with code 7"),
    "no answer": ("exit 0", "Blender stopped with code 0"),
    "much": ("head -c 100000 /dev/zero | tr '\\0' x >&2; exit 1", "saying: xxx"),
}


@pytest.mark.parametrize("failure", FAILURES)
def test_a_failure_is_told_shortly_and_leaves_the_old_file(
    tmp_path: Path, walk: Motion, stand_in: Path, failure: str
) -> None:
    does, said = FAILURES[failure]
    shell(stand_in, does)
    target = tmp_path / "out" / "x.fbx"
    target.write_bytes(b"old")
    with pytest.raises(FormatError) as caught:
        fbx.write(walk, target, mesh=False)
    assert said in caught.value.what
    assert len(caught.value.what) < 500
    assert caught.value.path == target
    assert target.read_bytes() == b"old"
    assert [entry.name for entry in target.parent.iterdir()] == ["x.fbx"]
    assert not list((tmp_path / "temporary").iterdir())


def test_one_that_never_ends_is_stopped(
    tmp_path: Path, walk: Motion, stand_in: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shell(stand_in, "exec sleep 60")
    monkeypatch.setattr(fbx, "_START", 0.2)
    monkeypatch.setattr(fbx, "_A_FRAME", 0.0)
    with pytest.raises(FormatError, match="was stopped"):
        fbx.write(walk, tmp_path / "out" / "x.fbx", mesh=False)
    assert not list((tmp_path / "out").iterdir())
    assert not list((tmp_path / "temporary").iterdir())


@pytest.mark.skipif(find_spec("bpy") is not None, reason="this Python has bpy")
def test_a_python_without_bpy(tmp_path: Path, walk: Motion, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(blender.PYTHON_VARIABLE, sys.executable)
    with pytest.raises(FormatError, match="the Python used has no bpy"):
        fbx.write(walk, tmp_path / "x.fbx", mesh=False)
    assert not list(tmp_path.iterdir())


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="No such file"):
        fbx.read(tmp_path / "x.fbx", ReadOptions())


# -- with Blender -----------------------------------------------------------------------------------------------------


@real_blender
@pytest.mark.parametrize("options", [{}, {"units": "m"}, {"up": "z"}, {"mesh": False}], ids=str)
def test_round_trip(tmp_path: Path, walk: Motion, options: dict[str, object]) -> None:
    fbx.write(walk, tmp_path / "x.fbx", **options)  # type: ignore[arg-type]
    back = finish(fbx.read(tmp_path / "x.fbx", ReadOptions()), ReadOptions(), tmp_path / "x.fbx")
    assert (len(back), back.fps) == (len(walk), walk.fps)
    assert sorted(back.skeleton.names) == sorted(walk.skeleton.names)
    order = [back.skeleton.index(name) for name in walk.skeleton.names]
    np.testing.assert_allclose(back.positions[:, order], walk.positions, rtol=0, atol=1e-4)


@real_blender
def test_bones_that_change_length_come_back(tmp_path: Path, walk: Motion) -> None:
    stretch = np.linspace(1.0, 1.2, len(walk))[:, None, None]
    motion = replace(walk, translations=np.tile(walk.skeleton.offsets, (len(walk), 1, 1)) * stretch)
    fbx.write(motion, tmp_path / "x.fbx")
    back = fbx.read(tmp_path / "x.fbx", ReadOptions())
    order = [back.skeleton.index(name) for name in walk.skeleton.names]
    np.testing.assert_allclose(back.world()[0][:, order], motion.positions, rtol=0, atol=1e-4)


@real_blender
def test_a_rate_that_is_no_whole_number(tmp_path: Path, walk: Motion) -> None:
    fbx.write(walk.resample(29.97), tmp_path / "x.fbx", in_place=True)
    back = fbx.read(tmp_path / "x.fbx", ReadOptions())
    assert back.fps == pytest.approx(29.97, rel=1e-6)
    assert np.ptp(back.root[:, [0, 2]], axis=0).max() < 1e-4


@real_blender
def test_files_that_are_no_fbx(tmp_path: Path) -> None:
    for content in (
        b"",
        b"; FBX 7.3.0 project file\n",
        bytes(range(256)),
        b"Kaydara FBX Binary  \x00\x1a\x00" + bytes(40),
    ):
        (tmp_path / "x.fbx").write_bytes(content)
        with pytest.raises(FormatError):
            fbx.read(tmp_path / "x.fbx", ReadOptions())


@real_blender
def test_a_real_clip(tmp_path: Path, cmu: Path) -> None:
    clip = load(cmu / "acclaim" / "16" / "16_15.amc")
    fbx.write(clip, tmp_path / "x.fbx")
    back = finish(fbx.read(tmp_path / "x.fbx", ReadOptions()), ReadOptions(), tmp_path / "x.fbx")
    order = [back.skeleton.index(name) for name in clip.skeleton.names]
    np.testing.assert_allclose(back.positions[:, order], clip.positions, rtol=0, atol=1e-4)
