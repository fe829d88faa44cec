from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from kinegraph import samples
from kinegraph.evaluation.skating import look, skating, summary
from kinegraph.motion.clip import Motion


def carried(name: str, speed: float) -> Motion:
    """A built-in clip on a belt that moves sideways, in m/s."""
    motion = samples.make(name).motion
    return replace(motion, root=motion.root + np.arange(len(motion))[:, None] / motion.fps * [speed, 0.0, 0.0])


@pytest.mark.parametrize(("speed", "skates"), [(0.0, False), (0.48, False), (0.52, True)])
def test_two_and_a_half_centimetres_in_a_frame_of_twenty_are_skating(speed: float, skates: bool) -> None:
    motion = carried("stand", speed)
    told = skating(motion, np.ones((len(motion), 4), bool))
    assert len(told) == int((len(motion) - 1) / motion.fps * 20)
    # the average over five frames begins and ends with nothing
    assert told[3:-3].all() == told.any() == skates


@pytest.mark.parametrize("fps", [20.0, 30.0, 60.0, 120.0])
def test_the_share_does_not_depend_on_the_rate(fps: float) -> None:
    sample = samples.make("run")
    expected = skating(sample.motion, sample.contacts).mean()
    other = sample.motion.resample(fps)
    at = np.round(np.arange(len(other)) / fps * sample.motion.fps).astype(int)
    assert skating(other, sample.contacts[at]).mean() == pytest.approx(expected, abs=0.04)


def test_feet_above_five_centimetres_do_not_skate() -> None:
    sample = samples.make("jump")
    assert sample.flight is not None
    first, last = sample.flight
    flying = sample.motion[first + 3 : last - 2]
    fast = replace(flying, root=flying.root + np.arange(len(flying))[:, None] / 30 * [2.0, 0.0, 0.0])
    high = replace(fast, root=fast.root + np.array([0.0, 1.0, 0.0]))
    # where the floor is, the frames before and after tell
    whole = replace(
        sample.motion, root=np.concatenate([sample.motion.root[: first + 3], high.root, sample.motion.root[last - 2 :]])
    )
    told = skating(whole, sample.contacts)
    at = np.arange(len(told)) / 20 * 30
    assert not told[(at > first + 5) & (at < last - 4)].any()


@pytest.mark.parametrize("speed", [0.05, 0.1])
def test_the_speed_is_that_of_feet_which_stand(speed: float) -> None:
    seen = look(carried("stand", speed))
    assert seen is not None
    told = summary([seen])
    assert told is not None
    assert told.speed == pytest.approx(speed, abs=0.01)
    assert told.ratio == 0.0


def test_several_motions_count_by_their_plants_and_the_worst_is_the_worst() -> None:
    both = [look(carried("walk", 0.0)), look(carried("walk", 0.1))]
    one, two = (summary([seen]) for seen in both if seen is not None)
    together = summary([seen for seen in both if seen is not None])
    assert one is not None
    assert two is not None
    assert together is not None
    assert one.slide[0] < together.slide[0] < two.slide[0]
    assert together.slide[1] == max(one.slide[1], two.slide[1])
    assert one.speed < together.speed < two.speed
    assert summary([]) is None


def test_plants_in_which_the_capture_lost_a_joint_do_not_count() -> None:
    seen = look(carried("walk", 0.1))
    assert seen is not None
    sound = np.ones(len(samples.make("walk").motion), bool)
    worst = seen.slides.plants[int(seen.slides.furthest.argmax())]
    sound[worst.first] = False
    all_of_it, rest = summary([seen]), summary([seen], [sound])
    assert all_of_it is not None
    assert rest is not None
    assert rest.slide[1] < all_of_it.slide[1]


@pytest.mark.parametrize("frames", [1, 2, 3])
def test_few_frames_are_enough(frames: int) -> None:
    seen = look(samples.make("walk").motion[:frames])
    assert seen is not None
    assert summary([seen]) is not None
