from __future__ import annotations

from dataclasses import replace
from itertools import permutations
from pathlib import Path

import numpy as np
import pytest

from kinegraph import samples
from kinegraph.arrays import Array
from kinegraph.errors import GraphError
from kinegraph.formats import intake
from kinegraph.formats.intake import Given, Take
from kinegraph.graph.making.parameters import Parameters
from kinegraph.graph.making.prepare import common_skeleton, prepare
from kinegraph.graph.model import Clip
from kinegraph.graph.rounding import is_rounded
from kinegraph.motion import Motion, Skeleton, mirror


def take(given: Given) -> Take:
    (one,) = intake.clips(given).takes
    return one


def _takes(*names: str) -> list[Take]:
    return [take(samples.make(name).motion) for name in names]


def _prepared(takes: list[Take], parameters: Parameters | None = None) -> tuple[list[Clip], tuple[str, ...]]:
    made = prepare(takes, parameters or Parameters(), common_skeleton(takes))
    return made.clips, made.notices


def _apart(a: Motion, b: Motion) -> Array:
    return np.linalg.norm(a.positions - b.positions, axis=-1)


def test_clips_are_at_the_rate_of_the_graph_and_rounded() -> None:
    clips, notices = _prepared(_takes("walk", "run"))
    assert notices == ()
    assert [clip.name for clip in clips] == ["run", "walk"]
    for clip in clips:
        sample = samples.make(clip.name).motion
        assert clip.motion.fps == 30.0
        assert is_rounded(clip.motion)
        assert _apart(clip.motion, sample.resample(30.0)).max() < 1e-5
        assert clip.contacts.shape == (len(clip), 4)
        assert (clip.source.fps, clip.source.frames) == (60.0, len(sample))
        assert not clip.source.mirrored
        assert not clip.source.retargeted
    assert {clip.name: clip.window for clip in clips} == {"run": 6, "walk": 10}


@pytest.mark.parametrize("fps", [20.0, 24.0, 60.0, 120.0])
def test_clips_of_different_rates_become_alike(fps: float) -> None:
    motion = samples.make("walk").motion
    takes = [take(motion), take(motion.resample(fps).renamed("other"))] if fps != 60.0 else [take(motion)]
    clips, notices = _prepared(takes)
    assert {clip.motion.fps for clip in clips} == {30.0}
    assert np.ptp([len(clip) for clip in clips]) <= 1
    assert any("brought up to 30 frames/s" in notice and "other" in notice for notice in notices) == (fps < 30)


def test_mirrored_copies_are_mirror_images() -> None:
    clips, _ = _prepared(_takes("walk_left_tight"), Parameters(mirror=True))
    assert [clip.name for clip in clips] == ["walk_left_tight", "walk_left_tight_mirrored"]
    assert [clip.source.mirrored for clip in clips] == [False, True]
    assert _apart(clips[1].motion, mirror(clips[0].motion)).max() < 1e-4
    assert clips[0].window == clips[1].window
    # contacts change sides
    assert np.mean(clips[1].contacts == clips[0].contacts[:, [2, 3, 0, 1]]) > 0.98


def test_frames_that_the_capture_lost_are_not_sound(cmu: Path) -> None:
    """16_15 begins with an arm 94° off, which only the captured rate shows."""
    clips, _ = _prepared([take(cmu / "acclaim" / "16" / "16_15.amc")], Parameters(mirror=True))
    for clip in clips:
        assert clip.sound.shape == (len(clip),)
        assert np.flatnonzero(~clip.sound).tolist() == [0]


def test_clips_of_other_skeletons_are_retargeted_and_said_so() -> None:
    motion = samples.make("run").motion
    tall = replace(motion, skeleton=motion.skeleton.scaled(1.2), root=motion.root * 1.2, name="tall")
    clips, notices = _prepared([*_takes("walk", "walk_slow"), take(tall)])
    assert len({clip.motion.skeleton for clip in clips}) == 1
    assert clips[0].motion.skeleton == samples.make("walk").motion.skeleton
    assert notices == ("tall moved to the skeleton that most clips have",)
    assert {clip.name: clip.source.retargeted for clip in clips} == {"walk": False, "walk_slow": False, "tall": True}


def test_the_common_skeleton_is_that_of_most() -> None:
    motion = samples.make("run").motion
    other = replace(motion, skeleton=motion.skeleton.scaled(1.2), name="a")
    two = [take(other), take(replace(other, name="b", root=other.root + 1.0))]
    for order in permutations([*_takes("walk"), *two]):
        assert common_skeleton(order) == other.skeleton
    # of equally many, that of the first
    assert common_skeleton([two[0], *_takes("walk")]) == other.skeleton
    with pytest.raises(GraphError, match="no clips"):
        common_skeleton([])


def test_a_clip_without_roles_cannot_come_along() -> None:
    plain = Skeleton(("a", "b"), [-1, 0], np.ones((2, 3)), [], np.zeros((0, 3)))
    motion = Motion(plain, np.zeros((90, 3)), np.tile([1.0, 0, 0, 0], (90, 2, 1)), 30.0, name="stick")
    with pytest.raises(GraphError, match="stick: the joints' names do not tell which is the hips"):
        _prepared([*_takes("run", "walk"), take(motion)])


@pytest.mark.parametrize("frames", [1, 2, 11, 12])
def test_clips_not_longer_than_their_window_are_left_out(frames: int) -> None:
    """At 30 frames/s a short clip's window is 6 frames: 12 at 60 frames/s are as many."""
    short = samples.make("walk").motion[:frames].renamed("short")
    clips, notices = _prepared([*_takes("walk"), take(short)], Parameters(mirror=True))
    assert [clip.name for clip in clips] == ["walk", "walk_mirrored"]
    (notice,) = notices
    assert notice.startswith("short is left out")
    assert "6" in notice
    with pytest.raises(GraphError, match="longer than its window"):
        _prepared([take(short)])


def test_one_frame_more_than_the_window_is_enough() -> None:
    clips, notices = _prepared([take(samples.make("walk").motion[:13])])
    assert len(clips[0]) == 7
    assert notices == ()


def test_a_name_that_a_mirrored_copy_needs_is_refused() -> None:
    taken = samples.make("run").motion.renamed("walk_mirrored")
    with pytest.raises(GraphError, match="two clips are called 'walk_mirrored'"):
        _prepared([*_takes("walk"), take(taken)], Parameters(mirror=True))


def test_labels_come_from_names_and_from_the_motion() -> None:
    clips, _ = _prepared(_takes("walk", "run"))
    for clip in clips:
        assert clip.labelled(clip.name).mean() > 0.8
    bare, _ = _prepared(_takes("walk"), Parameters(annotate=False))
    assert all(span.origin != "auto" for span in bare[0].spans)


def test_progress_reaches_the_end() -> None:
    seen: list[tuple[int, int]] = []
    takes = [one for _ in range(20) for one in _takes("walk", "run")]
    takes = [replace(one, motion=one.motion.renamed(f"{one.name}{number}")) for number, one in enumerate(takes)]
    prepare(takes, Parameters(), common_skeleton(takes), watch=lambda _, done, total: seen.append((done, total)))
    assert len(seen) > 1
    assert seen == sorted(set(seen))
    assert seen[-1] == (40, 40)


def test_a_clip_is_the_same_in_any_company() -> None:
    """Short clips are worked on together; that must not show in a single bit."""
    names = ("walk", "run", "jump", "walk_left_tight", "sneak")
    takes = [take(samples.make(name).motion) for name in names]
    other = replace(takes[0].motion, skeleton=takes[0].motion.skeleton.scaled(1.1), name="giant")
    takes.append(take(replace(other, root=1.1 * other.root)))
    skeleton = takes[0].motion.skeleton
    parameters = Parameters(mirror=True)
    together = {clip.name: clip for clip in prepare(takes, parameters, skeleton).clips}
    for one in takes:
        for alone in prepare([one], parameters, skeleton).clips:
            both = together.pop(alone.name)
            for mine, its in ((alone.motion, both.motion), (alone, both)):
                for field in ("root", "rotations") if mine is alone.motion else ("contacts", "sound"):
                    assert getattr(mine, field).tobytes() == getattr(its, field).tobytes()
            assert (alone.spans, alone.window) == (both.spans, both.window)
            assert np.array_equal(alone.motion.positions, both.motion.positions)
    assert not together
