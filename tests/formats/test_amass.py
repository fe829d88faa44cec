"""AMASS and SMPL archives: rotations, rate and vertical axis come back, on our own template or the user's model."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import kinegraph as kg
from kinegraph.arrays import Array
from kinegraph.errors import FormatError
from kinegraph.formats import amass
from kinegraph.motion import rotation
from tests.cli.inprocess import call

WALK = kg.retarget(kg.samples.make("walk").motion, amass.template(1.8))
Z_UP = rotation.from_axis_angle([1.0, 0.0, 0.0], 0.5 * np.pi)


def archive(path: Path, *, joints: int = 52, rate: str = "mocap_framerate", up: str = "z", **more: Any) -> Path:
    """A walk as AMASS holds it."""
    turns, root = np.array(WALK.rotations), WALK.root
    if up == "z":
        turns[:, 0] = rotation.multiply(Z_UP, turns[:, 0])
        root = rotation.rotate(Z_UP, root)
    poses = np.zeros((len(WALK), joints, 3))
    poses[:, :22] = rotation.log(turns)
    held = {
        "poses": poses.reshape(len(WALK), -1),
        "trans": root,
        "betas": np.zeros(16),
        rate: WALK.fps,
        "gender": "neutral",
    }
    np.savez(path, **{**held, **more})
    return path


@pytest.mark.parametrize("joints", [24, 52, 55])
@pytest.mark.parametrize("rate", ["mocap_framerate", "mocap_frame_rate"])
@pytest.mark.parametrize("up", ["y", "z"])
def test_a_known_motion_comes_back(joints: int, rate: str, up: str, tmp_path: Path) -> None:
    found = kg.load(archive(tmp_path / "walk.npz", joints=joints, rate=rate, up=up), stature=1.8)
    assert found.fps == WALK.fps
    assert np.degrees(rotation.angle_between(found.rotations, WALK.rotations)).max() < 0.01
    assert np.abs(found.positions - WALK.positions).max() < 1e-6
    assert len(found.skeleton.roles) == 21
    assert ("Z is up in it: turned to Y up" in found.notices) == (up == "z")


def test_newer_archives_hold_it_in_parts(tmp_path: Path) -> None:
    whole = np.load(archive(tmp_path / "walk.npz"))
    poses: Array = whole["poses"]
    parts = {
        "root_orient": poses[:, :3],
        "pose_body": poses[:, 3:66],
        "trans": whole["trans"],
        "mocap_frame_rate": 60.0,
    }
    np.savez(tmp_path / "parts.npz", **parts, labels=np.array([{"any": 1}], dtype=object))
    found = kg.load(tmp_path / "parts.npz", stature=1.8)
    assert np.abs(found.positions - WALK.positions).max() < 1e-6


def test_stature(tmp_path: Path) -> None:
    file = archive(tmp_path / "walk.npz")
    plain = kg.load(file)
    assert plain.skeleton.stature == pytest.approx(amass.STATURE)
    assert any("1.7 m tall" in told for told in plain.notices)
    assert kg.load(file, stature=1.5).skeleton.stature == pytest.approx(1.5)
    with pytest.raises(FormatError, match="a stature is given in metres"):
        kg.load(file, stature=180)
    done = call("info", "walk.npz", "--stature", "1.8", "--json", folder=tmp_path)
    assert '"joints": 22' in done.out


def test_a_model_of_the_users_own(tmp_path: Path) -> None:
    """Joints stand where the model's regressor puts them, for the shape that the archive tells."""
    rng = np.random.default_rng(3)
    body = amass.template(1.6)
    places = body.rest + np.array([0.0, 0.3, 0.02])
    shape = np.concatenate([places, rng.normal(size=(30, 3))])
    regressor = np.zeros((24, len(shape)))
    regressor[:22, :22] = np.eye(22)
    spread = np.zeros((*shape.shape, 10))
    spread[:22, :, 0] = 0.1 * (places - places[0])
    np.savez(tmp_path / "model.npz", J_regressor=regressor, v_template=shape, shapedirs=spread)
    file = archive(tmp_path / "walk.npz", betas=np.array([1.0, 0.0]))
    found = kg.load(file, skeleton=tmp_path / "model.npz")
    assert np.allclose(found.skeleton.offsets[1:], 1.1 * body.offsets[1:])
    with pytest.raises(FormatError, match="this is no body model"):
        kg.load(file, skeleton=file)


@pytest.mark.parametrize(
    ("more", "told"),
    [
        ({"trans": np.zeros((3, 3))}, "trans must be"),
        ({"poses": np.zeros((257, 40))}, "poses must be"),
        ({"poses": np.full((257, 72), np.nan)}, "no finite number"),
        ({"poses": np.array(["a", "b"])}, "expected numbers"),
    ],
)
def test_faults(more: dict[str, Any], told: str, tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=told):
        kg.load(archive(tmp_path / "walk.npz", **more))


def test_no_rate(tmp_path: Path) -> None:
    found = kg.load(archive(tmp_path / "walk.npz", rate="other"))
    assert found.fps == 120
    assert any("no rate" in said for said in found.notices)


def test_it_feeds_whatever_takes_clips(tmp_path: Path) -> None:
    archive(tmp_path / "walk.npz")
    (take,) = kg.formats.intake.clips(tmp_path).takes
    assert (take.name, len(take.motion)) == ("walk", len(WALK))


def test_a_c3d_is_out_of_scope(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=r"a C3D holds markers, not joints.*out of scope here.*export BVH or FBX"):
        kg.load(tmp_path / "walk.c3d")
