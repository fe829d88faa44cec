"""The library of clips and the skeleton they share."""

import numpy as np
import pytest

from kinegraph import samples
from kinegraph.errors import KinegraphError
from kinegraph.motion import mirror
from kinegraph.motion.body import ROLES
from kinegraph.motion.mirroring import partners
from kinegraph.samples import library

LABELS = {"stand", "walk", "run", "sneak", "jump", "punch", "kick"}


def test_every_kind_of_clip_is_there():
    labels = [sample.label for sample in samples.all_samples()]
    assert set(labels) == LABELS
    assert labels.count("punch") == 9
    assert labels.count("kick") == 8
    turns = [sample.turn_radius for sample in samples.all_samples() if sample.turn_radius is not None]
    assert sorted(turns) == [-4.0, -2.0, -1.0, 1.0, 2.0, 4.0]


def test_names_are_those_of_the_motions():
    assert [sample.motion.name for sample in samples.all_samples()] == list(samples.names())
    assert len(set(samples.names())) == len(samples.names())


def test_an_unknown_name_is_refused_with_close_ones():
    with pytest.raises(KinegraphError, match=r"'wolk'.*walk"):
        samples.make("wolk")
    with pytest.raises(KinegraphError, match=r"punch_high_left"):
        samples.make("punch")


def test_skeleton_is_a_symmetric_t_pose_of_a_person():
    skeleton = samples.skeleton()
    rest = skeleton.rest + skeleton.offsets[0]
    tips = rest[skeleton.tip_parents] + skeleton.tip_offsets
    assert len(skeleton) == 24
    assert set(skeleton.roles) == set(ROLES)
    assert all(skeleton.names[index] == role for role, index in skeleton.roles.items())
    partner = partners(skeleton)
    assert np.array_equal(rest[partner] * [-1, 1, 1], rest)
    assert np.array_equal(np.sort(-tips[:, 0]), np.sort(tips[:, 0]))
    assert tips[:, 1].max() == pytest.approx(1.75, abs=0.005)
    assert min(rest[:, 1].min(), tips[:, 1].min()) == pytest.approx(0.0, abs=1e-12)
    # left is +X and toes point to +Z
    assert rest[skeleton.joint("left_wrist"), 0] > 0.6
    assert rest[skeleton.joint("left_toe"), 2] > rest[skeleton.joint("left_ankle"), 2]


@pytest.mark.parametrize("name", samples.names())
def test_clip_is_sound(name):
    sample = samples.make(name)
    motion = sample.motion
    assert motion.fps == 60.0
    assert motion.skeleton == samples.skeleton()
    assert np.isfinite(motion.positions).all()
    assert np.abs(np.linalg.norm(motion.rotations, axis=-1) - 1).max() < 1e-12
    assert sample.contacts.shape == (len(motion), 4)
    seconds = (len(motion) - 1) / motion.fps
    assert 1.0 <= seconds <= 1.5 if sample.label in ("punch", "kick") else 2.0 <= seconds <= 6.0


@pytest.mark.parametrize("name", ["walk_left_tight", "stop", "jump", "punch_low_left", "kick_high_centre"])
def test_the_same_bytes_every_time(name):
    first = samples.make(name).motion
    library.make.cache_clear()
    second = samples.make(name).motion
    assert second is not first
    assert second.root.tobytes() == first.root.tobytes()
    assert second.rotations.tobytes() == first.rotations.tobytes()


def test_turns_to_left_and_right_mirror_each_other():
    left, right = samples.make("walk_left_medium").motion, mirror(samples.make("walk_right_medium").motion)
    # both begin with the left foot, so that the mirrored one begins with the right: the paths agree, the poses half a stride later
    turned = [motion.heading()[-1] - motion.heading()[0] for motion in (left, right)]
    assert turned[0] == pytest.approx(turned[1], abs=0.02)
    assert np.abs(left.root - right.root)[:, [0, 2]].max() < 0.08
