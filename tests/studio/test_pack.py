from __future__ import annotations

import json
import struct
from dataclasses import replace

import numpy as np
import pytest

from kinegraph import samples
from kinegraph.errors import FormatError
from kinegraph.feet.contacts import contacts, known_contacts
from kinegraph.motion import Motion, Skeleton, rotation
from kinegraph.player import motion_pack, pack, unpack
from kinegraph.player.bodies import body_id, body_pack

KINDS = ("float32", "float64", "int16", "uint16", "uint8", "int32", "uint32")


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("shape", [(), (0, 3), (1,), (3, 5, 7)])
def test_arrays_come_back_bit_for_bit(kind: str, shape: tuple[int, ...]) -> None:
    given = np.random.default_rng(1).integers(0, 100, shape).astype(kind)
    facts, arrays, scales = unpack(
        pack({"name": "Gehen – 歩く"}, {"odd": np.ones(3, np.uint8), "a": given}, {"a": 0.5})
    )
    assert facts == {"name": "Gehen – 歩く"}
    assert arrays["a"].dtype == given.dtype
    np.testing.assert_array_equal(arrays["a"], given)
    assert scales == {"a": 0.5}


def test_every_array_begins_where_a_typed_array_may() -> None:
    data = pack({"x": "é"}, {"a": np.ones(3, np.uint8), "b": np.ones(5, np.int16), "c": np.ones(2, np.float64)})
    assert data[:4] == b"KGP1"
    (length,) = struct.unpack_from("<I", data, 4)
    assert (8 + length) % 8 == 0
    header = json.loads(data[8 : 8 + length])
    assert [entry["offset"] % 8 for entry in header["arrays"].values()] == [0, 0, 0]
    assert len(data) % 8 == 0


def test_numbers_that_json_lacks_are_refused() -> None:
    with pytest.raises(ValueError):
        pack({"nan": float("nan")}, {})
    with pytest.raises(ValueError):
        pack({}, {"a": np.ones(2, np.complex128)})


@pytest.mark.parametrize("damage", [b"", b"KGP1", b"KGP2" + bytes(20), b"KGP1\xff\xff\xff\xff{}", b"KGP1\x02\0\0\0{}"])
def test_damage_is_told(damage: bytes) -> None:
    with pytest.raises(FormatError, match="no pack"):
        unpack(damage)


def test_a_truncated_pack_is_told() -> None:
    whole = pack({}, {"a": np.ones(100)})
    with pytest.raises(FormatError):
        unpack(whole[:-8])


def test_a_motion_is_there_to_less_than_a_hundredth_of_a_degree() -> None:
    motion = samples.make("run").motion
    facts, arrays, scales = unpack(motion_pack(motion, contacts=known_contacts(motion)))
    turned = arrays["rotations"] * scales["rotations"]
    turned = turned / np.linalg.norm(turned, axis=-1, keepdims=True)
    apart = rotation.multiply(rotation.inverse(motion.rotations), turned)
    assert np.degrees(2 * np.arcsin(np.linalg.norm(apart[..., 1:], axis=-1))).max() < 0.01
    assert np.abs(arrays["root"] - motion.root).max() < 1e-6
    assert arrays["contacts"].shape == (len(motion), 4)
    assert facts["frames"] == len(motion)
    assert facts["fps"] == motion.fps
    assert facts["joints"] == list(motion.skeleton.names)
    assert facts["roles"]["left_knee"] == motion.skeleton.joint("left_knee")


@pytest.mark.parametrize("name", samples.names())
def test_contacts_of_the_legs_alone_are_those_of_the_body(name: str) -> None:
    motion = samples.make(name).motion
    found = known_contacts(motion)
    assert found is not None
    np.testing.assert_array_equal(found, contacts(motion))


def test_who_has_no_legs_has_no_contacts() -> None:
    rope = Skeleton(("a", "b"), np.array([-1, 0]), np.array([[0, 0, 0], [0, 1.0, 0]]))
    assert known_contacts(Motion(rope, np.zeros((3, 3)), rotation.identity(3, 2), 30.0)) is None


def test_bodies_of_roots_that_lie_elsewhere_are_not_the_same() -> None:
    """Vertices are told with the root's own offset, and the page keeps bodies by their id."""
    one = samples.make("walk").motion.skeleton
    moved = one.offsets + np.eye(1, len(one)).T
    other = replace(one, offsets=moved)
    (first, meshes), (second, others) = (unpack(body_pack(skeleton))[:2] for skeleton in (one, other))
    assert not np.allclose(meshes["vertices"], others["vertices"])
    assert first["id"] != second["id"]
    assert body_id(one) == body_id(replace(one)) == first["id"]
