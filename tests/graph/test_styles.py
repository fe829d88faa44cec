"""Words in which names differ become labels: of public collections, of the samples, and of names as people give them."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest

from kinegraph import samples
from kinegraph.graph import Parameters, add, build, remove
from kinegraph.graph.making.confined import confined
from kinegraph.graph.model import MotionGraph
from kinegraph.graph.store.files import digest
from kinegraph.graph.styles import STYLE, style_words, styles
from kinegraph.graph.summary.figures import summary
from kinegraph.graph.summary.text import short_rows
from kinegraph.motion.clip import Motion


def counted(names: list[str]) -> dict[str, int]:
    return dict(Counter(word for words in style_words(names).values() for word in words))


def test_styles_of_a_collection_with_styles() -> None:
    """As the Bandai-Namco data set names its files: number of the set, what is done, style, number."""
    kinds, moods = ("walk", "walk-left", "walk-back", "run", "bow"), ("old", "childish", "proud")
    names = [f"dataset-1_{kind}_{mood}_{n:03}" for kind in kinds for mood in moods for n in (1, 2)]
    assert counted(names) == {**dict.fromkeys(moods, 10), "back": 6, "bow": 6}


def test_names_of_subjects_and_numbers_say_nothing() -> None:
    assert counted([f"{subject:02}_{n:02}" for subject in (7, 16, 143) for n in range(1, 9)]) == {}
    # of the words of motion, and of sides, the rule of names takes care
    assert counted(["run_left_90d_16_41", "run_veer_right_16_39", "sneak_17_03", "run_stop_16_08", "16_37"]) == {}
    assert counted(["duck_slow_127_31", "jump_one_leg_49_03", "walk_16_15"]) == {"slow": 1, "leg": 1}


@pytest.mark.parametrize(
    "noise",
    [
        "take",
        "Take3",
        "final",
        "FINAL",
        "export",
        "v2",
        "001",
        "copy",
        "mocap",
        "a8f3bc",
        "tst",
        "walk3b",
        "bvh",
        "s01t02",
    ],
)
def test_what_any_file_may_be_called_is_no_label(noise: str) -> None:
    assert counted([f"walk_{noise}", "walk_happy", "walk"]) == {"happy": 1}


def test_only_words_that_tell_clips_apart() -> None:
    assert counted(["john_walk_happy", "john_walk_sad", "john_run_sad"]) == {"happy": 1, "sad": 2}
    assert counted(["john_walk_happy"]) == {}
    assert counted(["WalkHappy01", "walkSad2", "WALK ANGRY"]) == {"happy": 1, "sad": 1, "angry": 1}


def test_words_that_the_motion_tells_are_left_to_it() -> None:
    assert style_words(["walk_backwards", "walk_slow"], ["backward"]) == {"walk_backwards": (), "walk_slow": ("slow",)}


def test_there_are_not_more_labels_than_anybody_wants() -> None:
    letters = "bcdfghklmnprst"
    names = [f"{a}a{b}o" for a in letters for b in letters]
    assert len(counted(["sad_0", "sad_1", *names])) == 60
    assert counted(["sad_0", "sad_1", *names])["sad"] == 2


def motions() -> list[Motion]:
    """Three walks, named as people name them."""
    given = {"walk": "walk_happy_01", "walk_slow": "walk_sad_02_final", "walk_left_medium": "walk_sad_left_03"}
    return [replace(samples.make(name).motion, name=named) for name, named in given.items()]


@pytest.fixture(scope="module")
def graph() -> MotionGraph:
    return build(motions(), Parameters(mirror=True))


def test_the_whole_clip_bears_them_and_loses_nothing(graph: MotionGraph) -> None:
    plain = build(motions(), Parameters(mirror=True, styles=False))
    assert styles(plain.clips) == {}
    for clip, other in zip(graph.clips, plain.clips, strict=True):
        own = [span for span in clip.spans if span.origin == STYLE]
        assert [(span.label, span.first, span.last) for span in own] == [
            ("happy" if "happy" in clip.name else "sad", 0, len(clip))
        ]
        assert [span for span in clip.spans if span.origin != STYLE] == list(other.spans)


def test_build_says_which_were_taken(graph: MotionGraph) -> None:
    facts = summary(graph)
    assert facts["styles"] == {"sad": 2, "happy": 1}
    assert any(row[0] == "from names" and "sad (2 clips), happy (1 clip)" in row[1] for row in short_rows(facts))
    assert facts["labels"]["sad"]["seconds"] == pytest.approx(
        sum(len(c) for c in graph.clips if "sad" in c.name) / 30, abs=1e-6
    )


def test_nobody_is_warned_that_a_style_cannot_be_kept_to(graph: MotionGraph) -> None:
    told = " ".join(summary(replace(graph, labels={}))["warnings"])
    assert "of walk a walk that keeps to it can use 0.0 s" in told
    assert "of sad" not in told


def test_labels_follow_the_clips_that_are_there(graph: MotionGraph) -> None:
    """A graph that grew, or shrank, has the labels of one that is built of the same clips."""
    first, *others = motions()
    grown = add(build(first, Parameters(mirror=True)), others)
    assert digest(grown) == digest(graph)
    sad = remove(graph, ["walk_happy_01"])
    assert styles(sad.clips) == {}
    assert digest(sad) == digest(build(others, Parameters(mirror=True)))
    assert confined(sad).keys() == sad.labels.keys()
