from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kinegraph import samples
from kinegraph.errors import RoleError
from kinegraph.feet.contacts import contacts
from kinegraph.formats import load
from kinegraph.graph.making.annotate import DOINGS, TURNS, annotate
from kinegraph.graph.model import LabelSpan
from kinegraph.motion import FloorTransform, Motion, concatenate, mirror

# what the automatic labels can know: the nearest of their kinds
NEAREST = {"sneak": "walk"}

any_sample = st.sampled_from(samples.names())


def labels_of(motion: Motion) -> tuple[LabelSpan, ...]:
    return annotate(motion, contacts(motion))


def gaits(spans: tuple[LabelSpan, ...]) -> list[tuple[str, int, int]]:
    return [(span.label, span.first, span.last) for span in spans if span.label in DOINGS]


def turns(spans: tuple[LabelSpan, ...]) -> list[tuple[str, int, int]]:
    return [(span.label, span.first, span.last) for span in spans if span.label in TURNS]


@pytest.mark.parametrize("name", samples.names())
def test_built_in_clips_bear_their_labels(name: str) -> None:
    sample = samples.make(name)
    # the labels must not hang on how the contacts were found
    for down in (sample.contacts, contacts(sample.motion)):
        found = annotate(sample.motion, down)
        order = [label for label, _, _ in gaits(found)]
        expected = {
            "start": ["stand", "walk"],
            "stop": ["walk", "stand"],
            "jump": ["stand", "jump", "stand"],
        }.get(name, [NEAREST.get(sample.label, sample.label)])
        assert order == expected


@pytest.mark.parametrize("name", samples.names())
def test_built_in_clips_turn_where_their_path_does(name: str) -> None:
    sample = samples.make(name)
    found = turns(labels_of(sample.motion))
    if sample.turn_radius is None:
        assert found == []
    else:
        ((label, first, last),) = found
        assert label == ("turn_left" if sample.turn_radius > 0 else "turn_right")
        assert last - first > 0.9 * len(sample.motion)


def test_a_jump_lasts_from_push_to_landing() -> None:
    sample = samples.make("jump")
    assert sample.flight is not None
    ((first, last),) = [(first, last) for label, first, last in gaits(labels_of(sample.motion)) if label == "jump"]
    takeoff, landing = sample.flight
    assert 0.1 <= (takeoff - first) / sample.motion.fps <= 0.45
    assert 0.1 <= (last - landing) / sample.motion.fps <= 0.45


@given(any_sample, st.floats(0.0, 0.9), st.floats(0.02, 1.0), st.sampled_from([20.0, 30.0, 60.0, 120.0]))
def test_every_frame_of_any_cut_bears_one_doing_and_no_span_is_short(
    name: str, start: float, share: float, fps: float
) -> None:
    motion = samples.make(name).motion.resample(fps)
    first = int(start * len(motion))
    cut = motion[first : first + max(1, int(share * len(motion)))]
    found = labels_of(cut)
    assert list(found) == sorted(found, key=lambda span: (span.first, span.last, span.label))
    assert all(span.origin == "auto" and 0 <= span.first < span.last <= len(cut) for span in found)
    partition = gaits(found)
    assert [first for _, first, _ in partition] == [0, *(last for _, _, last in partition[:-1])]
    assert partition[-1][2] == len(cut)
    assert all(a[0] != b[0] for a, b in pairwise(partition))
    if len(partition) > 1:
        assert all((last - first) / fps >= 0.3 - 1e-6 for _, first, last in partition)
    assert all((last - first) / fps >= 0.3 - 1e-6 for _, first, last in turns(found))


@given(any_sample, st.sampled_from([20.0, 24.0, 30.0, 48.0, 120.0]))
def test_labels_do_not_depend_on_the_rate(name: str, fps: float) -> None:
    motion = samples.make(name).motion
    for kind in (gaits, turns):
        here, there = kind(labels_of(motion)), kind(labels_of(motion.resample(fps)))
        assert [label for label, _, _ in here] == [label for label, _, _ in there]
        for (_, first, last), (_, other_first, other_last) in zip(here, there, strict=True):
            assert abs(first / motion.fps - other_first / fps) < 0.1
            assert abs(last / motion.fps - other_last / fps) < 0.1


@given(any_sample)
def test_a_mirrored_motion_turns_the_other_way(name: str) -> None:
    motion = samples.make(name).motion
    here, there = labels_of(motion), labels_of(mirror(motion))
    swap = {"turn_left": "turn_right", "turn_right": "turn_left"}
    assert sorted((swap.get(s.label, s.label), s.first, s.last) for s in here) == sorted(
        (s.label, s.first, s.last) for s in there
    )


@given(any_sample, st.floats(-np.pi, np.pi), st.floats(-50, 50), st.floats(-50, 50))
def test_place_on_the_floor_does_not_matter(name: str, angle: float, x: float, z: float) -> None:
    motion = samples.make(name).motion
    here, there = labels_of(motion), labels_of(motion.place(FloorTransform(angle, x, z)))
    assert [span.label for span in here] == [span.label for span in there]
    for a, b in zip(here, there, strict=True):
        assert abs(a.first - b.first) <= 1
        assert abs(a.last - b.last) <= 1


def test_feet_lost_for_a_moment_make_no_jump_and_no_run() -> None:
    # markers slip: the feet seem to leave the floor, but the hips do not fall
    sample = samples.make("walk")
    lost = sample.contacts.copy()
    lost[100:124] = False
    assert [label for label, _, _ in gaits(annotate(sample.motion, lost))] == ["walk"]


def test_one_who_walks_a_whole_circle_has_not_stood() -> None:
    # the walk is bent into a circle that ends where it began
    motion = samples.make("walk").motion
    along = (motion.root[:, 2] - motion.root[0, 2]) / np.ptp(motion.root[:, 2])
    radius = np.ptp(motion.root[:, 2]) / (2 * np.pi)
    angle = 2 * np.pi * along
    frames = [motion[i : i + 1].at_origin().place(FloorTransform(float(a))) for i, a in enumerate(angle)]
    ring = concatenate([replace(frame, fps=motion.fps) for frame in frames])
    root = np.stack([radius * (1 - np.cos(angle)), motion.root[:, 1], radius * np.sin(angle)], axis=-1)
    assert np.linalg.norm((root[-1] - root[0])[[0, 2]]) < 0.05
    found = annotate(replace(ring, root=root), samples.make("walk").contacts)
    assert [label for label, _, _ in gaits(found)] == ["walk"]
    assert [label for label, _, _ in turns(found)] == ["turn_left"]


def test_one_frame_stands() -> None:
    assert gaits(labels_of(samples.make("stand").motion[:1])) == [("stand", 0, 1)]


def test_a_skeleton_without_legs_is_an_error() -> None:
    motion = samples.make("walk").motion
    legless = replace(
        motion, skeleton=replace(motion.skeleton, names=tuple(f"j{i}" for i in range(len(motion.skeleton))))
    )
    with pytest.raises(RoleError):
        annotate(legless, samples.make("walk").contacts)


@pytest.mark.parametrize(
    ("clip", "expected", "turning"),
    [
        ("16/16_15", ["walk"], set()),
        ("16/16_47", ["walk"], set()),
        ("16/16_21", ["walk"], set()),
        ("16/16_17", ["walk"], {"turn_left"}),
        ("16/16_19", ["walk"], {"turn_right"}),
        ("16/16_11", ["walk"], {"turn_left"}),
        ("16/16_33", ["walk", "stand"], set()),
        ("16/16_35", ["run"], set()),
        ("16/16_45", ["run"], set()),
        ("16/16_46", ["run"], set()),  # its shoulders swing by 22 degrees on a straight path
        ("16/16_39", ["run"], {"turn_right"}),
        ("16/16_43", ["run"], {"turn_right"}),  # a foot seems to land twice in its first strides
        ("16/16_51", ["run"], {"turn_left"}),
        ("16/16_08", ["run"], set()),  # it stops at its very end: who brakes does not walk
        ("16/16_57", ["run", "stand"], set()),
        ("16/16_01", ["stand", "jump", "stand"], set()),
        ("16/16_05", ["stand", "jump", "stand"], set()),
        ("49/49_02", ["stand", "jump", "crouch", "jump", "crouch", "jump"], set()),
        ("49/49_03", ["stand", "jump"], None),  # it hops on one foot
        ("02/02_01", ["walk"], set()),
        ("02/02_03", ["run"], set()),
        ("17/17_03", ["crouch", "walk"], None),  # it begins crouched
        ("127/127_04", ["stand", "walk", "run"], set()),
        ("127/127_29", ["run"], set()),  # ducks and twists, but runs straight on
    ],
)
@pytest.mark.parametrize("fps", [120.0, 30.0])
def test_captured_clips(cmu: Path, clip: str, expected: list[str], turning: set[str] | None, fps: float) -> None:
    found = labels_of(load(cmu / "acclaim" / f"{clip}.amc").resample(fps))
    assert [label for label, _, _ in gaits(found)] == expected
    if turning is not None:
        assert {label for label, _, _ in turns(found)} == turning


def test_a_roundhouse_kick_with_a_hop_is_no_run(cmu: Path) -> None:
    found = labels_of(load(cmu / "acclaim" / "135" / "135_07.amc"))
    assert "run" not in {span.label for span in found}


@pytest.mark.parametrize("fps", [120.0, 30.0])
@pytest.mark.parametrize(
    ("clip", "label", "count"),
    # of nine punches the eighth and ninth, to the floor, are slow; one of the four roundhouse kicks is a leap
    [("02/02_05", "punch", 6), ("135/135_04", "kick", 3), ("135/135_07", "kick", 3), ("135/135_11", "kick", 7)],
)
def test_captured_strikes(cmu: Path, clip: str, label: str, count: int, fps: float) -> None:
    found = labels_of(load(cmu / "acclaim" / f"{clip}.amc").resample(fps))
    assert sum(span.label == label for span in found) >= count
    assert not {span.label for span in found} & {"punch", "kick", "run", "climb", "crawl", "lie"} - {label}


@pytest.mark.parametrize(
    ("clip", "label"), [("143_04", "run"), ("143_23", "punch"), ("143_24", "kick"), ("143_38", "walk")]
)
def test_clips_that_play_twice_too_fast(cmu: Path, clip: str, label: str) -> None:
    # who jumps in this subject's files falls at four times g
    found = labels_of(load(cmu / "bvh" / f"{clip}.bvh").resample(30.0))
    seconds = {each: sum(last - first for name, first, last in gaits(found) if name == each) / 30.0 for each in DOINGS}
    del seconds["stand"], seconds["other"]
    assert max(seconds, key=lambda each: seconds[each]) == label
