"""Files as other tools write them: every sampler, every kind of accessor, armatures, scales, several skins."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from kinegraph import Motion, load
from kinegraph.errors import FormatError
from kinegraph.formats import gltf
from kinegraph.formats.gltf.accessors import Accessors
from kinegraph.formats.gltf.container import parse
from kinegraph.formats.options import ReadOptions
from kinegraph.formats.raw import RawMotion
from kinegraph.motion import kinematics, rotation
from tests.formats.gltf.handmade import Handmade, about, arm

PLAIN = ReadOptions()


def read(made: Handmade, folder: Path, options: ReadOptions = PLAIN, kind: str = "glb") -> RawMotion:
    return gltf.read(made.save(folder, kind), options)


def world(raw: RawMotion) -> np.ndarray:
    return raw.world()[0]


# -- samplers ---------------------------------------------------------------------------------------------------------


def test_linear_rotations_are_slerped(tmp_path: Path) -> None:
    made = arm()
    made.track(0, "rotation", [0, 1], about("z", [0, 90]))
    raw = read(made, tmp_path, ReadOptions(fps=10))
    angles = np.deg2rad(np.linspace(0, 90, 11))
    assert raw.fps == 10
    np.testing.assert_allclose(world(raw)[:, 2], np.stack([-np.sin(angles), np.cos(angles), 0 * angles], 1), atol=1e-6)


def test_linear_rotations_take_the_shorter_way(tmp_path: Path) -> None:
    made = arm()
    made.track(0, "rotation", [0, 1], about("z", [0, 90]) * [[1], [-1]])
    raw = read(made, tmp_path, ReadOptions(fps=2))
    np.testing.assert_allclose(world(raw)[1, 2], [-np.sqrt(0.5), np.sqrt(0.5), 0], atol=1e-6)


def test_steps_hold_until_the_next_key(tmp_path: Path) -> None:
    made = arm()
    made.track(0, "translation", [0, 0.1, 0.2, 0.3], [[0, 0, 0], [1, 0, 0], [2, 0, 0], [3, 0, 0]], "STEP")
    raw = read(made, tmp_path, ReadOptions(fps=20))
    assert raw.root[:, 0].tolist() == [0, 0, 1, 1, 2, 2, 3]


def test_cubic_splines(tmp_path: Path) -> None:
    """Hermite keys of a cubic give back the cubic: x = t³ − t, y = t², z = 1."""
    made = arm()
    times = np.array([0.0, 0.4, 1.0])
    values = np.stack([times**3 - times, times**2, np.ones(3)], 1)
    slopes = np.stack([3 * times**2 - 1, 2 * times, np.zeros(3)], 1)
    made.track(0, "translation", times, np.stack([slopes, values, slopes], 1).reshape(-1, 3), "CUBICSPLINE")
    raw = read(made, tmp_path, ReadOptions(fps=50))
    t = np.arange(51) / 50
    np.testing.assert_allclose(raw.root, np.stack([t**3 - t, t**2, np.ones(51)], 1), atol=1e-6)


def test_cubic_rotations_are_made_unit(tmp_path: Path) -> None:
    made = arm()
    keys = about("x", [0, 120])
    triples = np.stack([np.zeros((2, 4)), keys, np.zeros((2, 4))], 1).reshape(-1, 4)
    made.track(0, "rotation", [0, 1], triples, "CUBICSPLINE")
    raw = read(made, tmp_path, ReadOptions(fps=4))
    np.testing.assert_allclose(np.linalg.norm(raw.rotations, axis=-1), 1, atol=1e-12)
    half = rotation.normalize(np.roll(keys.sum(axis=0), 1))
    np.testing.assert_allclose(raw.rotations[2, 0], half, atol=1e-6)


def test_tracks_of_different_length_are_held_at_their_ends(tmp_path: Path) -> None:
    made = arm()
    made.track(0, "translation", np.arange(31) / 30, np.arange(31)[:, None] * [0.1, 0, 0])
    made.track(1, "rotation", [0.5, 0.7], about("z", [0, 90]))
    raw = read(made, tmp_path)
    assert (raw.fps, len(raw.root), raw.notices) == (30.0, 31, ())
    np.testing.assert_allclose(raw.rotations[:16, 1], np.tile([1.0, 0, 0, 0], (16, 1)), atol=1e-7)
    np.testing.assert_allclose(raw.rotations[21:, 1], raw.rotations[30:, 1].repeat(10, 0), atol=1e-7)


def test_a_clip_that_begins_late_begins_with_its_first_key(tmp_path: Path) -> None:
    made = arm()
    made.track(0, "translation", 10 + np.arange(1, 9) / 24, np.arange(8)[:, None] * [1.0, 0, 0])
    raw = read(made, tmp_path)
    assert raw.fps == 24.0
    np.testing.assert_allclose(raw.root[:, 0], np.arange(8), atol=1e-12)


# -- accessors --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("dtype", "full"), [("i1", 127), ("i2", 32767)])
def test_normalised_signed_quaternions(tmp_path: Path, dtype: str, full: int) -> None:
    made = arm()
    values = made.accessor(np.round(about("z", [0, 30, 60]) * full), dtype, normalized=True)
    made.track(0, "rotation", [0, 1 / 30, 2 / 30], values)
    raw = read(made, tmp_path)
    turned = np.rad2deg(2 * np.arctan2(raw.rotations[:, 0, 3], raw.rotations[:, 0, 0]))
    np.testing.assert_allclose(turned, [0, 30, 60], atol=120 / full)


@pytest.mark.parametrize(("dtype", "full"), [("u1", 255), ("u2", 65535), ("i1", 127), ("i2", 32767)])
def test_normalised_numbers(tmp_path: Path, dtype: str, full: int) -> None:
    made = arm()
    index = made.accessor([[0, full, full // 3]], dtype, normalized=True)
    document = parse(made.save(tmp_path))
    got = Accessors(document).get(index, "VEC3", "test")
    np.testing.assert_allclose(got, [[0, 1, (full // 3) / full]], rtol=1e-15)


def test_the_least_signed_number_is_minus_one(tmp_path: Path) -> None:
    made = arm()
    index = made.accessor([[-128, -127, 0]], "i1", normalized=True)
    assert Accessors(parse(made.save(tmp_path))).get(index, "VEC3", "test").tolist() == [[-1, -1, 0]]


@pytest.mark.parametrize("dtype", ["i1", "u1", "i2", "u2", "u4", "f4"])
def test_every_component_type(tmp_path: Path, dtype: str) -> None:
    made = arm()
    index = made.accessor([[1, 2, 3], [4, 5, 6]], dtype)
    assert Accessors(parse(made.save(tmp_path))).get(index, "VEC3", "test").tolist() == [[1, 2, 3], [4, 5, 6]]


def test_interleaved_with_an_offset(tmp_path: Path) -> None:
    made = arm()
    table = np.zeros((4, 6), "<f4")
    table[:, 0] = np.arange(4) / 30
    table[:, 2:5] = np.arange(12).reshape(4, 3)
    view = made.view(table.tobytes(), byteStride=24)
    made.tree["accessors"] += [
        {"bufferView": view, "componentType": 5126, "count": 4, "type": "SCALAR"},
        {"bufferView": view, "byteOffset": 8, "componentType": 5126, "count": 4, "type": "VEC3"},
    ]
    made.track(0, "translation", 0, 1)
    raw = read(made, tmp_path)
    assert raw.root.tolist() == np.arange(12).reshape(4, 3).tolist()


@pytest.mark.parametrize("based", [True, False])
def test_sparse(tmp_path: Path, based: bool) -> None:
    made = arm()
    times = made.accessor(np.arange(5) / 30)
    base = np.ones((5, 3))
    index = made.accessor(base)
    accessor = made.tree["accessors"][index]
    accessor["sparse"] = {
        "count": 2,
        "indices": {"bufferView": made.view(np.array([1, 4], "<u2").tobytes()), "componentType": 5123},
        "values": {"bufferView": made.view(np.array([[7, 8, 9], [4, 5, 6]], "<f4").tobytes())},
    }
    if not based:
        del accessor["bufferView"]
    made.track(0, "translation", times, index)
    fill = float(based)
    rest = [[fill] * 3]
    assert read(made, tmp_path).root.tolist() == [*rest, [7, 8, 9], *rest, *rest, [4, 5, 6]]


@pytest.mark.parametrize("kind", ["glb", "embedded", "beside"])
def test_wherever_the_buffer_is(tmp_path: Path, kind: str) -> None:
    made = arm()
    made.track(0, "translation", np.arange(3) / 30, np.eye(3))
    assert read(made, tmp_path, kind=kind).root.tolist() == np.eye(3).tolist()


# -- the body ---------------------------------------------------------------------------------------------------------


def test_armature_with_scale_and_turn_is_folded_into_the_root(tmp_path: Path) -> None:
    """As exports of Z-up tools in centimetres: an armature scaled by 0.01 and turned by −90° about X."""
    made = Handmade()
    scene = made.node(name="Scene", translation=[5, 0, 0])
    armature = made.node(scene, name="Armature", scale=[0.01] * 3, rotation=about("x", -90).tolist())
    hips = made.node(armature, name="Hips", translation=[0, 0, 100])
    head = made.node(hips, name="Head", translation=[0, 0, 70])
    made.skin(hips, head)
    times = np.arange(4) / 60
    made.track(hips, "translation", times, [[0, 0, 100], [10, 0, 100], [20, -50, 100], [30, 0, 120]])
    made.track(hips, "rotation", times, about("z", [0, 90, 0, 0]))
    made.track(head, "rotation", times, about("y", [0, 10, 20, 30]))
    raw = read(made, tmp_path)
    assert raw.skeleton.names == ("Hips", "Head")
    np.testing.assert_allclose(raw.root, [[5, 1, 0], [5.1, 1, 0], [5.2, 1, 0.5], [5.3, 1.2, 0]], atol=1e-6)
    np.testing.assert_allclose(world(raw)[:, 1] - raw.root, np.tile([0, 0.7, 0], (4, 1)), atol=1e-6)
    assert raw.metres_per_unit == 1.0
    assert raw.notices == ()


def test_matrices_do_what_translations_and_rotations_do(tmp_path: Path) -> None:
    made = Handmade()
    turn = rotation.to_matrix(np.roll(about("y", 90), 1))
    matrix = np.eye(4)
    matrix[:3, :3] = 2 * turn
    matrix[:3, 3] = [1, 2, 3]
    over = made.node(name="over", matrix=matrix.T.ravel().tolist())
    top = made.node(over, name="top")
    end = made.node(top, name="end", matrix=(np.eye(4) + np.eye(4, k=3) * 0.25).T.ravel().tolist())
    made.skin(top, end)
    made.track(top, "translation", [0, 1 / 30], [[0, 0, 0], [0, 0, 1]])
    raw = read(made, tmp_path)
    np.testing.assert_allclose(raw.root, [[1, 2, 3], [3, 2, 3]], atol=1e-6)
    np.testing.assert_allclose(world(raw)[0, 1], [1, 2, 2.5], atol=1e-6)


def test_an_animated_armature_moves_the_root(tmp_path: Path) -> None:
    made = Handmade()
    armature = made.node(name="armature")
    top = made.node(armature, name="top", translation=[0, 1, 0])
    made.skin(top)
    made.track(armature, "rotation", np.arange(3) / 30, about("z", [0, 90, 180]))
    raw = read(made, tmp_path)
    np.testing.assert_allclose(raw.root, [[0, 1, 0], [-1, 0, 0], [0, -1, 0]], atol=1e-6)


def test_joints_keep_the_skins_order_where_parents_come_first(tmp_path: Path) -> None:
    made = Handmade()
    a = made.node(name="a")
    b = made.node(a, name="b")
    c = made.node(a, name="c")
    d = made.node(b, name="d")
    made.track(a, "rotation", [0, 1 / 30], about("x", [0, 1]))
    made.skin(a, c, b, d)
    assert read(made, tmp_path).skeleton.names == ("a", "c", "b", "d")
    made.tree["skins"][0]["joints"] = [d, c, b, a]
    raw = read(made, tmp_path)
    assert raw.skeleton.names == ("a", "b", "d", "c")
    assert raw.skeleton.parents.tolist() == [-1, 0, 1, 0]


def test_nodes_between_and_above_joints_become_joints(tmp_path: Path) -> None:
    made = Handmade()
    top = made.node(name="top", translation=[0, 1, 0])
    left = made.node(top, name="left", translation=[1, 0, 0])
    between = made.node(top, name="between", translation=[-1, 0, 0])
    right = made.node(between, name="right", translation=[0, 1, 0])
    made.node(top, name="lamp")
    made.skin(left, right)
    made.track(between, "rotation", [0, 1 / 30], about("z", [0, 90]))
    raw = read(made, tmp_path)
    assert raw.skeleton.names == ("top", "left", "between", "right")
    np.testing.assert_allclose(world(raw)[1, 3], [-2, 1, 0], atol=1e-6)


def test_bind_pose_is_the_rest_pose(tmp_path: Path) -> None:
    """Bones whose axes lie along them, bound as a T: the skeleton at rest is that T, and the motion is the same."""
    made = Handmade()
    turns = {"hips": about("z", 0), "arm": about("z", -90), "hand": about("x", 30)}
    hips = made.node(name="hips", translation=[0, 1, 0])
    shoulder = made.node(hips, name="arm", translation=[0, 0.5, 0], rotation=about("z", 40).tolist())
    hand = made.node(shoulder, name="hand", translation=[0, 0.3, 0])
    bound = np.tile(np.eye(4), (3, 1, 1))
    bound[0, :3, 3] = [0, 1, 0]
    bound[1, :3, :3] = rotation.to_matrix(np.roll(turns["arm"], 1))
    bound[1, :3, 3] = [0, 1.5, 0]
    bound[2, :3, :3] = bound[1, :3, :3] @ rotation.to_matrix(np.roll(turns["hand"], 1))
    bound[2, :3, 3] = [0.3, 1.5, 0]
    made.skin(hips, shoulder, hand, matrices=np.linalg.inv(bound))
    times = np.arange(4) / 30
    made.track(hips, "rotation", times, about("y", [0, 20, 40, 60]))
    made.track(shoulder, "rotation", times, about("z", [-90, -40, 0, 60]))
    made.track(hand, "rotation", times, about("x", [30, 40, 0, -30]))
    raw = read(made, tmp_path)
    np.testing.assert_allclose(raw.skeleton.rest[2], [0.3, 0.5, 0], atol=1e-6)
    np.testing.assert_allclose(raw.rotations[0], np.tile([1.0, 0, 0, 0], (3, 1)), atol=1e-6)
    locals_ = np.stack([np.roll(about(*pair), 1) for pair in (("y", 40), ("z", 0), ("x", 0))])
    plain, _ = kinematics.forward(
        type(raw.skeleton)(("a", "b", "c"), [-1, 0, 1], [[0, 1, 0], [0, 0.5, 0], [0, 0.3, 0]]),
        np.array([0.0, 1, 0]),
        locals_,
    )
    np.testing.assert_allclose(world(raw)[2], plain, atol=1e-6)


def test_scales(tmp_path: Path) -> None:
    made = arm(scale=[2, 2, 2])
    times = [0, 1 / 30]
    made.track(0, "rotation", times, about("z", [0, 90]))
    made.track(1, "scale", times, [[0.5] * 3] * 2)
    raw = read(made, tmp_path)
    np.testing.assert_allclose(world(raw)[0], [[0, 0, 0], [0, 1, 0], [0, 1.5, 0]], atol=1e-6)
    assert raw.notices == ()
    made.track(0, "scale", times, [[1, 1, 1], [3, 3, 3]])
    made.tree["nodes"][1]["scale"] = [1, -1, 1]
    made.tree["nodes"][2]["scale"] = [1, 2, 1]
    made.tree["animations"][0]["channels"].pop(1)
    raw = read(made, tmp_path)
    np.testing.assert_allclose(world(raw)[0], [[0, 0, 0], [0, 1, 0], [0, 2, 0]], atol=1e-6)
    assert raw.notices == (
        "the scale of 'root' changes during the motion: the changes are ignored",
        "the scale of 'end' differs from axis to axis: its mean is taken",
        "the scale of 'middle' is negative: its sign is ignored",
    )


def test_bones_that_stretch(tmp_path: Path) -> None:
    made = arm()
    times = np.arange(3) / 30
    made.track(1, "translation", times, [[0, 0.5, 0], [0, 0.6, 0], [0, 0.7, 0]])
    made.track(2, "translation", times, [[0, 0.9, 0]] * 3)
    raw = read(made, tmp_path)
    assert raw.translations is not None
    np.testing.assert_allclose(world(raw)[:, 2, 1], [1.4, 1.5, 1.6], atol=1e-6)
    made.tree["animations"][0]["channels"].pop(0)
    raw = read(made, tmp_path)
    assert raw.translations is None
    np.testing.assert_allclose(raw.skeleton.offsets[:, 1], [0, 0.5, 0.9], atol=1e-6)


def test_skins_that_share_joints_are_one_body(tmp_path: Path) -> None:
    made = arm()
    made.skin(1, 2, name="sleeve")
    made.track(0, "rotation", [0, 1 / 30], about("x", [0, 9]))
    raw = read(made, tmp_path)
    assert raw.skeleton.names == ("root", "middle", "end")
    assert raw.notices == ()


def two_skins() -> Handmade:
    made = arm()
    made.tree["skins"][0]["name"] = "Ada"
    other = made.node(name="other root")
    made.skin(other, made.node(other, name="other end"), name="Bob")
    made.track(0, "rotation", [0, 1 / 30], about("x", [0, 9]))
    return made


def test_of_two_bodies_the_one_that_moves(tmp_path: Path) -> None:
    raw = read(two_skins(), tmp_path)
    assert raw.skeleton.names[0] == "root"
    assert raw.notices == ("skins that are not animated are left out: 'Bob'",)


def test_two_bodies_that_move_need_a_choice(tmp_path: Path) -> None:
    made = two_skins()
    made.track(3, "rotation", [0, 1 / 30], about("x", [0, 9]))
    path = made.save(tmp_path)
    with pytest.raises(
        FormatError, match=r"2 skins, 'Ada', 'Bob': which one is meant\? Say skin = 'Ada' \(convert --skin\), or export"
    ):
        load(path)
    for name, first in (("Ada", "root"), ("Bob", "other root")):
        motion = load(path, skin=name, units="m")
        assert motion.skeleton.names[0] == first
        assert not any("skin" in notice for notice in motion.notices)
    with pytest.raises(FormatError, match="no skin is called 'Eve'; there is 'Ada', 'Bob'"):
        load(path, skin="Eve")


def test_bodies_of_one_name_cannot_be_chosen(tmp_path: Path) -> None:
    made = two_skins()
    made.tree["skins"][0]["name"] = "Bob"
    made.track(3, "rotation", [0, 1 / 30], about("x", [0, 9]))
    with pytest.raises(FormatError, match=r"2 skins, 'Bob', 'Bob': which one is meant\? Export only one"):
        load(made.save(tmp_path), skin="Bob")


def test_a_skin_is_asked_for_where_there_is_none(tmp_path: Path) -> None:
    made = arm()
    del made.tree["skins"]
    made.track(1, "rotation", [0, 1 / 30], about("x", [0, 9]))
    with pytest.raises(FormatError, match="there is no skin in it, and so none that is called 'Ada'"):
        load(made.save(tmp_path), skin="Ada")


def test_without_a_skin_the_animated_nodes_are_joints(tmp_path: Path) -> None:
    made = arm()
    del made.tree["skins"]
    lamp = made.node(2, name="lamp")
    made.track(1, "rotation", [0, 1 / 30], about("z", [0, 90]))
    made.track(2, "rotation", [0, 1 / 30], about("z", [0, 90]))
    raw = read(made, tmp_path)
    assert lamp == 3
    assert raw.skeleton.names == ("middle", "end")
    assert raw.notices == ("there is no skin: the 2 animated nodes, and those between them, are taken as joints",)
    np.testing.assert_allclose(raw.root, [[0, 0.5, 0]] * 2)


def test_the_first_of_several_animations_that_moves_the_body(tmp_path: Path) -> None:
    made = arm()
    lamp = made.node(name="lamp")
    for name, node in (("blink", lamp), ("walk", 0), ("run", 1), ("", 2)):
        made.animation(name)
        made.track(node, "rotation", np.arange(3) / 24, about("x", [0, 9, 18]))
    raw = read(made, tmp_path)
    assert raw.notices == ("of 3 animations 'walk' is read, not 'run', 'animation 3'",)
    path = made.save(tmp_path)
    run = gltf.read(path, ReadOptions(animation="run"))
    assert run.notices == ()
    # what moves in the one stands still in the other
    assert np.ptp(raw.rotations[:, 0], axis=0).max() > 0.1 > np.ptp(run.rotations[:, 0], axis=0).max()
    with pytest.raises(FormatError, match="no animation 'blink' moves its skin, but 'walk', 'run', 'animation 3'"):
        load(path, animation="blink")
    motions = gltf.read_all(path)
    assert [motion.name for motion in motions] == ["walk", "run", "animation 3"]
    assert all(isinstance(motion, Motion) and motion.fps == 24.0 for motion in motions)


def test_channels_of_extensions_and_morphs_are_passed_over(tmp_path: Path) -> None:
    made = arm()
    made.track(0, "rotation", [0, 1 / 30], about("x", [0, 9]))
    made.track(0, "weights", [0, 1 / 30], [0, 1])
    animation = made.tree["animations"][0]
    animation["channels"].append({"sampler": 0, "target": {"path": "pointer", "extensions": {"KHR_pointer": {}}}})
    assert len(read(made, tmp_path).root) == 2


def test_other_tools_files_are_not_settled(tmp_path: Path) -> None:
    made = arm()
    made.track(0, "rotation", [0, 1 / 30], about("x", [0, 9]))
    assert not read(made, tmp_path).settled
    made.tree["asset"]["generator"] = "kinegraph 0.1.0"
    assert read(made, tmp_path).settled
