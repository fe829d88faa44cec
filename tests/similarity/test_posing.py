"""Joints placed by compiled code are where the ordinary way places them, to the last bit."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import kinegraph as kg
from kinegraph import samples
from kinegraph.errors import FormatError
from kinegraph.graph.making.prepare import clouds_of
from kinegraph.graph.store import stored
from kinegraph.motion import kinematics
from kinegraph.motion.clip import Motion
from kinegraph.similarity.clouds import PosedCloud
from kinegraph.similarity.posing import places


def test_the_same_bits() -> None:
    walk = samples.make("walk_left_medium").motion
    turns = np.random.default_rng(3).normal(size=walk.rotations.shape)
    wild = Motion(walk.skeleton, walk.root, turns / np.linalg.norm(turns, axis=-1, keepdims=True), walk.fps)
    for motion in (walk[:], wild):
        assert "_world" not in vars(motion)
        expected, _ = kinematics.forward(motion.skeleton, motion.root, motion.rotations)
        assert places(motion).tobytes() == expected.tobytes()


def test_known_places_are_not_worked_out_again() -> None:
    walk = samples.make("walk").motion[:]
    assert places(walk) is not walk.positions
    assert places(walk) is walk.positions


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("graphs") / "g.mog"
    kg.graph.build(
        [samples.make(name).motion for name in ("walk", "jump", "punch_low_left")],
        kg.graph.Parameters(mirror=True),
        path=path,
    )
    return path


def test_clips_in_a_file_are_posed_as_they_lie_there_with_the_same_bits(saved: Path) -> None:
    graph = kg.graph.load(saved)
    whole = [clip.motion[:] for clip in graph.clips]
    for clip, motion in zip(graph.clips, whole, strict=True):
        packed = clip.motion.packed()
        assert packed is not None
        assert packed.dtype == np.float32
        # as they lie there they are not yet of unit length to double precision
        assert (np.abs((packed.astype(float) ** 2).sum(-1) - 1) > 1e-9).any()
        assert places(clip.motion).tobytes() == motion.positions.tobytes()


@pytest.mark.parametrize("along", [0, 2])
def test_points_that_are_worked_out_when_needed_are_those_that_are_held(saved: Path, along: int) -> None:
    graph = kg.graph.load(saved)
    parameters = kg.graph.Parameters(along=along)
    held = [kg.graph.Clip(**(vars(clip) | {"motion": clip.motion[:]})) for clip in graph.clips]
    for posed, plain in zip(clouds_of(graph.clips, parameters), clouds_of(held, parameters), strict=True):
        assert isinstance(posed, PosedCloud)
        assert type(plain) is not PosedCloud
        assert len(posed) == len(plain)
        assert posed.points.tobytes() == plain.points.tobytes()
        assert posed.points.flags.c_contiguous
        assert posed.base.tobytes() == plain.base.tobytes()
        assert posed.sound.tolist() == plain.sound.tolist()


def test_rotations_in_a_file_that_are_none_are_told(saved: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    raw = stored.MogParts.raw

    def broken(self: stored.MogParts, name: str, sha256: str) -> bytes:
        rotations = np.frombuffer(raw(self, name, sha256), "<f4").copy()
        rotations[400:404] = np.nan if name == "walk" else 0.5
        rotations[404:408] *= 2.0
        return rotations.tobytes()

    monkeypatch.setattr(stored.MogParts, "raw", broken)
    graph = kg.graph.load(saved)
    for name, why in (("walk", "not finite"), ("jump", "not a unit quaternion")):
        with pytest.raises(FormatError, match=why):
            places(graph.clip(name).motion)
