import numpy as np
import pytest

from kinegraph.errors import KinegraphError
from kinegraph.motion import Motion
from kinegraph.rendering import strip
from kinegraph.rendering.camera import fitted, view_axes
from kinegraph.rendering.palette import BACKGROUND
from kinegraph.rendering.scene import Figure, compose
from kinegraph.rendering.shapes import Mannequin
from kinegraph.rendering.strips import caption_height, chosen_frames, with_marks
from tests.rendering.render_motions import make_person

_PAPER = np.round(255 * BACKGROUND)


def _still(motion, view, frame=0, size=240):
    """One figure, and the pixels ``(J, 2)`` of its joints."""
    mannequin = Mannequin(motion)
    cones = mannequin.pose(frame)
    axes = view_axes(motion, view, mannequin.stature)
    camera = fitted(axes, cones.ends.reshape(-1, 3), cones.radii.ravel(), (12, 12, size - 12, size - 12))
    picture = compose(
        camera, size, size, [Figure(cones)], mannequin.stature, middle=np.zeros((1, 2)), reach=3 * mannequin.stature
    )
    return picture.astype(float), camera.project(motion.positions[frame])[0][:, :2]


def _distance_from_paper(picture):
    return np.abs(picture - _PAPER).max(axis=-1)


@pytest.mark.parametrize("view", ["auto", "side", "front", "three-quarter", "top"])
def test_a_figure_is_where_its_joints_are(person, creature, view):
    for motion in (person, creature):
        picture, pixels = _still(motion, view)
        columns, rows = pixels.astype(int).T
        assert np.all(_distance_from_paper(picture)[rows, columns] > 12)
        # and nothing but floor in the corners
        assert _distance_from_paper(picture)[0, [0, -1]].max() < 12


def test_left_is_orange_and_right_is_blue_from_both_sides(person):
    for view in ("front", "three-quarter"):
        picture, pixels = _still(person, view)
        for role, sign in (("left_elbow", 1), ("right_elbow", -1), ("left_knee", 1), ("right_knee", -1)):
            x, y = pixels[person.skeleton.joint(role)].astype(int)
            red, _, blue = picture[y, x]
            assert sign * (red - blue) > 40, role


def test_the_near_arm_hides_the_far_one():
    """From the right side, a T-pose shows the right wrist's colour where both wrists project."""
    picture, pixels = _still(make_person(speed=0.0), "side")
    joint = make_person().skeleton.joint
    near, far = pixels[joint("right_shoulder")], pixels[joint("left_shoulder")]
    assert np.abs(near - far)[0] < 4
    red, _, blue = picture[int(near[1]), int(near[0])]
    assert blue > red + 40


def test_each_pose_stands_in_its_own_slot(person):
    picture = np.asarray(strip(person, 4, width=800, height=200, view="side")).astype(float)
    assert picture.shape == (200, 800, 3)
    chest = _distance_from_paper(picture)[70] > 12
    # a row through the chest crosses four bodies with gaps between
    assert np.sum(np.diff(chest.astype(int)) == 1) == 4


@pytest.mark.parametrize("layout", ["time", "world"])
@pytest.mark.parametrize(
    "motion",
    [make_person(8, speed=24.0), make_person(8, speed=0.0), make_person(8, size=0.12), make_person(8, size=12.0)],
)
def test_strips_of_all_sizes_fit(motion, layout):
    image = strip(motion, 3, width=420, height=160, layout=layout)
    assert image.size == (420, 160)
    apart = np.abs(np.diff(np.asarray(image).astype(int), axis=-1)).max(axis=-1)
    coloured = apart > 60
    assert coloured.any()
    # limbs stay inside the picture
    assert not coloured[0].any()
    assert not coloured[-1].any()
    assert not coloured[:, [0, -1]].any()


def test_jump_is_seen_as_height():
    person = make_person(3, speed=0.0)
    root = person.root.copy()
    root[1, 1] += 0.8
    picture = np.asarray(
        strip(Motion(person.skeleton, root, person.rotations, 24.0), 3, width=600, height=220, view="front")
    )
    blue = (picture[..., 2].astype(int) - picture[..., 0]) > 50
    lowest = [np.flatnonzero(part.any(axis=1)).max() for part in np.array_split(blue, 3, axis=1)]
    assert lowest[1] < lowest[0] - 20
    assert abs(lowest[0] - lowest[2]) <= 5  # the legs swing a little


def test_same_bytes_again(person):
    assert strip(person, 3, width=300, height=150).tobytes() == strip(person, 3, width=300, height=150).tobytes()


def test_older_poses_are_paler_in_the_world(person):
    picture = np.asarray(
        strip(make_person(24, speed=5.0), 2, width=600, height=200, layout="world", view="side")
    ).astype(int)
    strength = (picture[..., 2] - picture[..., 0]).clip(0)
    assert strength[:, 300:].max() > strength[:, :300].max() + 20


def test_given_frames_are_shown_and_count_from_the_end(person):
    asked = strip(person, frames=[0, -1], width=300, height=150)
    assert asked.tobytes() == strip(person, 2, width=300, height=150).tobytes()


def test_a_marked_frame_is_shown_in_any_case_and_stands_out(person):
    """Among poses at even times, the marked frame takes the place of its neighbour, and its caption is red."""
    size = {"width": 900, "height": 300}
    plain, marked = strip(person, 4, **size), strip(person, 4, marks={9: "hit"}, **size)
    assert marked.size == plain.size
    even = chosen_frames(person, 4, None)
    assert 9 not in even
    assert with_marks(even, [9]) == sorted({*even, 9} - {min(even, key=lambda frame: abs(frame - 9))})

    def red(picture):
        colours = np.asarray(picture).astype(int)[-caption_height(300) :]
        return np.count_nonzero((colours[..., 0] - colours[..., 1] > 80) & (colours[..., 0] - colours[..., 2] > 80))

    assert red(plain) == 0
    assert red(marked) > 20
    with pytest.raises(KinegraphError, match="no frame 99"):
        strip(person, 4, marks={99: "hit"}, **size)


def test_single_frame(person):
    assert strip(person[:1], width=200, height=200).size == (200, 200)
    assert strip(person[:1], width=200, height=200, layout="world").size == (200, 200)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"poses": 0}, "at least one pose"),
        ({"frames": [99]}, "no frame 99"),
        ({"frames": []}, "at least one frame"),
        ({"layout": "circle"}, "unknown layout"),
        ({"view": "below"}, "unknown view"),
        ({"width": 3}, "too small"),
    ],
)
def test_what_cannot_be_drawn_is_said(person, options, message):
    with pytest.raises(KinegraphError, match=message):
        strip(person, **options)
