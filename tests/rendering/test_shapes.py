import numpy as np
import pytest

from kinegraph.motion import Motion, Skeleton, rotation
from kinegraph.rendering.shapes import HEAD, LEFT, PLAIN, RIGHT, TORSO, Mannequin
from tests.rendering.render_motions import make_person


def _thickness_at(cones, point):
    """How deep inside the body a point is, in metres; negative outside."""
    a, b = cones.ends[:, 0], cones.ends[:, 1]
    along = b - a
    share = np.clip(
        np.einsum("ni,ni->n", point - a, along) / np.maximum(np.einsum("ni,ni->n", along, along), 1e-12), 0, 1
    )
    radius = cones.radii[:, 0] + share * (cones.radii[:, 1] - cones.radii[:, 0])
    return float((radius - np.linalg.norm(point - a - share[:, None] * along, axis=-1)).max())


def test_every_joint_and_tip_is_inside_the_body(person, creature):
    for motion in (person, creature):
        mannequin = Mannequin(motion)
        for frame in (0, len(motion) - 1):
            cones = mannequin.pose(frame)
            points = np.concatenate([motion.positions[frame], motion.tips[frame]])
            assert all(_thickness_at(cones, point) > -1e-9 for point in points)


def test_stature_is_that_of_a_person_and_scales():
    assert Mannequin(make_person()).stature == pytest.approx(1.7, abs=0.1)
    small, large = Mannequin(make_person(size=0.1)), Mannequin(make_person(size=12.0))
    assert large.stature / small.stature == pytest.approx(120.0)
    assert np.allclose(large.radii, 120 * small.radii)


def test_thigh_is_thicker_than_shin(person):
    mannequin, position = Mannequin(person), dict(zip(person.skeleton.names, person.positions[0], strict=True))
    cones = mannequin.pose(0)
    thigh = 0.5 * (position["left_hip"] + position["left_knee"])
    shin = 0.3 * position["left_knee"] + 0.7 * position["left_ankle"]
    assert _thickness_at(cones, thigh) > 1.3 * _thickness_at(cones, shin) > 0


def test_sides_have_their_paint(person):
    mannequin = Mannequin(person)
    middle_x = mannequin.pose(0).ends[..., 0].mean(axis=1)
    assert np.all(middle_x[mannequin.paints == LEFT] > 0)
    assert np.all(middle_x[mannequin.paints == RIGHT] < 0)
    assert {TORSO, HEAD, LEFT, RIGHT} == set(mannequin.paints)


def test_a_creature_without_roles_is_all_thin_bones(creature):
    mannequin = Mannequin(creature)
    assert set(mannequin.paints) == {PLAIN}
    assert mannequin.radii.max() < 0.05 * mannequin.stature


def test_face_turns_with_the_head_whatever_the_file_calls_forward():
    person = make_person(speed=0.0)
    head = person.skeleton.joint("head")
    rotations = person.rotations.copy()
    # axes of the file's own: the head's x is down, and it looks left at the last frame
    odd = rotation.from_axis_angle([0, 0, 1.0], -1.2)
    rotations[:, head] = odd
    rotations[-1, head] = rotation.multiply(rotation.about_y(np.pi / 2), odd)
    motion = Motion(person.skeleton, person.root, rotations, person.fps)
    mannequin = Mannequin(motion)

    def face(frame):
        skull, jaw = mannequin.pose(frame).ends[mannequin.paints == HEAD][0]
        return (jaw - skull) @ np.array([[1.0, 0, 0], [0, 0, 1.0]]).T

    turned, straight = face(-1), face(0)
    assert straight[1] > 0
    assert turned[0] - straight[0] > 0.01


def test_a_skeleton_of_one_joint_has_a_body():
    dot = Motion(Skeleton(["only"], [-1], [[0, 0, 0]]), [[0, 1.0, 0]], rotation.identity(1, 1), 30.0)
    mannequin = Mannequin(dot)
    assert mannequin.stature == 1.0
    assert len(mannequin.pose(0).ends) == 1


def test_a_marked_heel_is_part_of_the_foot_and_not_a_spike():
    person = make_person(1)
    plain, ankle = person.skeleton, person.skeleton.joint("left_ankle")
    marked = Skeleton(
        plain.names,
        plain.parents,
        plain.offsets,
        np.append(plain.tip_parents, ankle),
        np.concatenate([plain.tip_offsets, [[0.0, -0.06, -0.05]]]),
    )
    motion = Motion(marked, person.root, person.rotations, 24.0)
    cones = Mannequin(motion).pose(0)
    assert len(cones.ends) == len(Mannequin(person).pose(0).ends)
    assert _thickness_at(cones, motion.tips[0, -1]) > 0.0
