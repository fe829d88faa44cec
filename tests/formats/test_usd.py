"""UsdSkel characters, judged by USD's own library."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from kinegraph import Motion, Skeleton, load, samples
from kinegraph.errors import FormatError, MissingExtraError
from kinegraph.formats.usd import write, write_together
from kinegraph.mannequin.body import mannequin
from kinegraph.motion import kinematics, rotation

pytest.importorskip("pxr", reason="usd-core is not installed: pip install 'kinegraph[usd]'")

from pxr import Usd, UsdGeom, UsdShade, UsdSkel

TENTH_OF_A_MILLIMETRE = 1e-4


@pytest.fixture(scope="module")
def walk() -> Motion:
    return samples.make("walk").motion


def opened(path: Path) -> tuple[Any, Any]:
    """The stage and the query of its skeleton."""
    stage = Usd.Stage.Open(str(path))
    cache = UsdSkel.Cache()
    cache.Populate(UsdSkel.Root(stage.GetDefaultPrim()), Usd.TraverseInstanceProxies())
    query = cache.GetSkelQuery(UsdSkel.Skeleton(stage.GetDefaultPrim().GetChild("Skeleton")))
    assert query
    return stage, query


def positions(query: Any, frame: int) -> np.ndarray:
    """Where USD says the joints are, ``(J, 3)``: the skeleton stands in the world as it is."""
    cache = UsdGeom.XformCache(float(frame))
    place = np.array(cache.GetLocalToWorldTransform(query.GetPrim()))
    return (np.array(query.ComputeJointSkelTransforms(float(frame))) @ place)[:, 3, :3]


def twenty(motion: Motion) -> list[int]:
    return [int(frame) for frame in np.linspace(0, len(motion) - 1, 20)]


def complaints(stage: Any) -> list[str]:
    """What USD's own validators say."""
    from pxr import UsdValidation

    validators = UsdValidation.ValidationRegistry().GetOrLoadAllValidators()
    assert validators
    return [error.GetErrorAsString() for error in UsdValidation.ValidationContext(validators).Validate(stage)]


@pytest.mark.parametrize("suffix", [".usda", ".usdc"])
def test_joints_stand_where_ours_do(tmp_path: Path, walk: Motion, suffix: str) -> None:
    write(walk, tmp_path / f"x{suffix}")
    stage, query = opened(tmp_path / f"x{suffix}")
    for frame in twenty(walk):
        np.testing.assert_allclose(positions(query, frame), walk.positions[frame], rtol=0, atol=TENTH_OF_A_MILLIMETRE)
    assert UsdGeom.GetStageUpAxis(stage) == "Y"
    assert UsdGeom.GetStageMetersPerUnit(stage) == 1.0
    assert stage.GetTimeCodesPerSecond() == stage.GetFramesPerSecond() == walk.fps
    assert (stage.GetStartTimeCode(), stage.GetEndTimeCode()) == (0.0, len(walk) - 1.0)
    assert (tmp_path / f"x{suffix}").read_bytes()[:8].startswith(b"#usda" if suffix == ".usda" else b"PXR-USDC")


def test_a_real_clip(tmp_path: Path, cmu: Path) -> None:
    clip = load(cmu / "acclaim" / "16" / "16_15.amc")
    write(clip, tmp_path / "x.usdc")
    stage, query = opened(tmp_path / "x.usdc")
    for frame in twenty(clip):
        np.testing.assert_allclose(positions(query, frame), clip.positions[frame], rtol=0, atol=TENTH_OF_A_MILLIMETRE)
    assert complaints(stage) == []


def test_centimetres_z_up_and_in_place(tmp_path: Path, walk: Motion) -> None:
    write(walk, tmp_path / "x.usdc", units="cm", up="z", in_place=True)
    stage, query = opened(tmp_path / "x.usdc")
    assert UsdGeom.GetStageUpAxis(stage) == "Z"
    assert UsdGeom.GetStageMetersPerUnit(stage) == 0.01
    moved = walk.positions - (walk.root - walk.root[0])[:, None] * [1, 0, 1]
    wanted = 100 * np.stack([moved[..., 0], -moved[..., 2], moved[..., 1]], axis=-1)
    for frame in twenty(walk):
        np.testing.assert_allclose(positions(query, frame), wanted[frame], rtol=0, atol=0.01)
    # the body stands upright in its bind pose, on the floor
    points = np.array(UsdGeom.Mesh(stage.GetPrimAtPath("/Character/Body")).GetPointsAttr().Get())
    assert points[:, 2].min() == pytest.approx(0.0, abs=1e-4)
    assert np.ptp(points[:, 2]) == pytest.approx(100 * walk.skeleton.stature, rel=0.15)
    assert complaints(stage) == []


def test_the_body_is_carried_as_ours_is(tmp_path: Path, walk: Motion) -> None:
    write(walk, tmp_path / "x.usda")
    stage, query = opened(tmp_path / "x.usda")
    cache = UsdSkel.Cache()
    root = UsdSkel.Root(stage.GetDefaultPrim())
    cache.Populate(root, Usd.TraverseInstanceProxies())
    surface = UsdGeom.Mesh(stage.GetPrimAtPath("/Character/Body"))
    skinning = cache.GetSkinningQuery(surface.GetPrim())
    assert skinning
    mesh = mannequin(walk.skeleton, walk)
    places, turns = kinematics.forward(walk.skeleton, walk.skeleton.offsets[0], mesh.bind)
    for frame in twenty(walk)[::5]:
        points = surface.GetPointsAttr().Get()
        assert skinning.ComputeSkinnedPoints(query.ComputeSkinningTransforms(float(frame)), points, float(frame))
        # linear blend skinning by hand: every vertex carried by each of its joints, and the mean of that
        since = rotation.multiply(walk.orientations[frame], rotation.inverse(turns))
        arms = mesh.vertices[:, None] - places[mesh.joints]
        carried = walk.positions[frame][mesh.joints] + rotation.rotate(since[mesh.joints], arms)
        wanted = np.einsum("vk,vki->vi", mesh.weights, carried)
        np.testing.assert_allclose(np.array(points), wanted, rtol=0, atol=TENTH_OF_A_MILLIMETRE)


def test_the_character_stays_in_its_box(tmp_path: Path, walk: Motion) -> None:
    write(walk, tmp_path / "x.usda")
    stage, _ = opened(tmp_path / "x.usda")
    low, high = np.array(UsdSkel.Root(stage.GetDefaultPrim()).GetExtentAttr().Get())
    assert (walk.positions >= low).all()
    assert (walk.positions <= high).all()
    assert (high - low < np.ptp(walk.positions, axis=(0, 1)) + 1.0).all()


def test_colours_are_materials_of_all_faces(tmp_path: Path, walk: Motion) -> None:
    write(walk, tmp_path / "x.usda")
    stage, _ = opened(tmp_path / "x.usda")
    surface = UsdGeom.Mesh(stage.GetPrimAtPath("/Character/Body"))
    mesh = mannequin(walk.skeleton, walk)
    subsets = UsdShade.MaterialBindingAPI(surface).GetMaterialBindSubsets()
    assert len(subsets) == len(mesh.parts)
    faces = sorted(index for subset in subsets for index in subset.GetIndicesAttr().Get())
    assert faces == list(range(len(mesh.faces)))
    for subset, part in zip(subsets, mesh.parts, strict=True):
        material, _ = UsdShade.MaterialBindingAPI(subset).ComputeBoundMaterial()
        colour = material.ComputeSurfaceSource()[0].GetInput("diffuseColor").Get()
        np.testing.assert_allclose(colour, part.colour, atol=1e-6)


def test_without_a_mesh(tmp_path: Path, walk: Motion) -> None:
    write(walk, tmp_path / "x.usda", mesh=False)
    stage, query = opened(tmp_path / "x.usda")
    assert not stage.GetPrimAtPath("/Character/Body")
    np.testing.assert_allclose(positions(query, 7), walk.positions[7], rtol=0, atol=TENTH_OF_A_MILLIMETRE)
    assert complaints(stage) == []


def test_validators_do_complain(tmp_path: Path, walk: Motion) -> None:
    write(walk, tmp_path / "x.usda")
    stage, _ = opened(tmp_path / "x.usda")
    stage.ClearDefaultPrim()
    assert complaints(stage)


def test_bones_that_change_length(tmp_path: Path, walk: Motion) -> None:
    stretch = np.linspace(1.0, 1.2, len(walk))[:, None, None]
    motion = replace(walk, translations=np.tile(walk.skeleton.offsets, (len(walk), 1, 1)) * stretch)
    write(motion, tmp_path / "x.usdc")
    _, query = opened(tmp_path / "x.usdc")
    for frame in (0, len(walk) - 1):
        np.testing.assert_allclose(positions(query, frame), motion.positions[frame], rtol=0, atol=1e-4)


def test_names_become_valid_and_unique_and_stay_known(tmp_path: Path) -> None:
    names = ("mixamorig:Hips", "2nd", "left hand", "left:hand", "Ärmel", "")
    body = Skeleton(names, [-1, 0, 0, 0, 3, 4], np.full((6, 3), 0.1))
    motion = Motion(body, np.zeros((3, 3)), rotation.identity(3, 6), 29.97, name="a clip")
    write(motion, tmp_path / "x.usda")
    stage, query = opened(tmp_path / "x.usda")
    last = [str(token).rpartition("/")[2] for token in query.GetJointOrder()]
    assert last == ["mixamorig_Hips", "_2nd", "left_hand", "left_hand_2", "_rmel", "_"]
    assert query.GetTopology().Validate()[0]
    assert list(query.GetPrim().GetCustomDataByKey("kinegraph:joints")) == list(names)
    assert stage.GetDefaultPrim().GetCustomDataByKey("kinegraph:clip") == "a clip"
    assert stage.GetTimeCodesPerSecond() == 29.97


def test_a_single_frame_and_a_single_joint(tmp_path: Path) -> None:
    motion = Motion(Skeleton(("a",), [-1], np.zeros((1, 3))), np.zeros((1, 3)), rotation.identity(1, 1), 30.0)
    write(motion, tmp_path / "x.usda")
    stage, query = opened(tmp_path / "x.usda")
    assert positions(query, 0).shape == (1, 3)
    assert complaints(stage) == []


def test_the_same_motion_gives_the_same_bytes(tmp_path: Path, walk: Motion) -> None:
    write(walk, tmp_path / "a.usda")
    write(walk, tmp_path / "b.usda")
    assert (tmp_path / "a.usda").read_bytes() == (tmp_path / "b.usda").read_bytes()


def test_where_nothing_can_be_written(tmp_path: Path, walk: Motion) -> None:
    with pytest.raises(FormatError, match="there is no folder"):
        write(walk, tmp_path / "nowhere" / "x.usda")
    with pytest.raises(FormatError, match="expected y or z"):
        write(walk, tmp_path / "x.usda", up="x")
    assert not list(tmp_path.iterdir())


def test_without_the_library_the_install_line_is_told(
    tmp_path: Path, walk: Motion, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pxr.UsdSkel", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'kinegraph\[usd\]'"):
        write(walk, tmp_path / "x.usda")
    assert not list(tmp_path.iterdir())


def test_many_people_are_a_character_each(walk: Motion, tmp_path: Path) -> None:
    motions = [
        replace(walk[number : number + 30], root=walk.root[number : number + 30] + np.array([number, 0, 0]))
        for number in range(3)
    ]
    write_together([motion.renamed("walker") for motion in motions], tmp_path / "x.usdc", colours=[(1.0, 0.0, 0.0)] * 3)
    stage = Usd.Stage.Open(str(tmp_path / "x.usdc"))
    assert complaints(stage) == []
    roots = [prim for prim in stage.Traverse() if prim.IsA(UsdSkel.Root)]
    assert len(roots) == 3
    for motion, prim in zip(motions, roots, strict=True):
        cache = UsdSkel.Cache()
        cache.Populate(UsdSkel.Root(prim), Usd.TraverseInstanceProxies())
        query = cache.GetSkelQuery(UsdSkel.Skeleton(prim.GetChild("Skeleton")))
        for frame in (0, 17, 29):
            assert np.abs(positions(query, frame) - motion.positions[frame]).max() < TENTH_OF_A_MILLIMETRE


def test_many_people_must_share_their_timeline(walk: Motion, tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="share its timeline"):
        write_together([walk, walk[:20]], tmp_path / "x.usdc")
    with pytest.raises(FormatError, match="nobody to write"):
        write_together([], tmp_path / "x.usdc")
    assert not list(tmp_path.iterdir())


def test_people_come_and_go(walk: Motion, tmp_path: Path) -> None:
    write_together([walk[:30], walk[30:50]], tmp_path / "x.usda", starts=[0, 20])
    stage = Usd.Stage.Open(str(tmp_path / "x.usda"))
    assert stage.GetEndTimeCode() == 39.0
    first, second = (prim for prim in stage.Traverse() if prim.IsA(UsdSkel.Root))

    def seen(prim: Any, frame: int) -> bool:
        return bool(UsdGeom.Imageable(prim).ComputeVisibility(float(frame)) == UsdGeom.Tokens.inherited)

    assert [seen(first, frame) for frame in (0, 28, 35)] == [True, True, False]
    assert [seen(second, frame) for frame in (0, 19, 20, 39)] == [False, False, True, True]
    cache = UsdSkel.Cache()
    cache.Populate(UsdSkel.Root(second), Usd.TraverseInstanceProxies())
    query = cache.GetSkelQuery(UsdSkel.Skeleton(second.GetChild("Skeleton")))
    assert np.abs(positions(query, 25) - walk.positions[35]).max() < TENTH_OF_A_MILLIMETRE
