"""Notes that are made for each of many clips are told as one sentence for each kind."""

from __future__ import annotations

import pytest

from kinegraph import notes

FIELDS = {
    "name": "walk: slow/2",
    "other": "a is the same",
    "frames": 4,
    "fps": "30",
    "window": 10,
    "file": "labels.toml",
    "first": "run",
}


@pytest.mark.parametrize("kind", notes.KINDS)
def test_a_note_alone_stays_as_it_is(kind: notes.Kind) -> None:
    said = kind.say(**FIELDS)
    assert notes.folded([said]) == [said]
    # what is said twice of one clip is said once
    assert notes.folded([said, said]) == [said]


@pytest.mark.parametrize("kind", notes.KINDS)
def test_many_of_a_kind_are_one_sentence_with_their_names(kind: notes.Kind) -> None:
    (told,) = notes.folded(kind.say(**{**FIELDS, "name": f"clip_{number}"}) for number in range(46))
    assert "46" in told
    assert all(f"clip_{number}" in told for number in range(6))
    assert "clip_6" not in told
    assert told.endswith("and 40 more")


def test_kinds_are_told_apart_and_others_are_left_alone() -> None:
    told = notes.folded(
        [
            "something else",
            notes.SAME.say(name="a", other="b"),
            notes.TWICE.say(name="c"),
            "something else again",
            notes.SAME.say(name="d", other="b"),
        ]
    )
    assert told == [
        "something else",
        "2 clips are the same recordings as others, each used once: a (as b), d (as b)",
        "c is given twice: used once",
        "something else again",
    ]


def test_what_differs_in_what_is_said_is_not_told_together() -> None:
    said = [notes.NOBODY.say(file=file, name="'x*'") for file in ("one.toml", "two.toml")]
    assert notes.folded(said) == said


def test_a_hostile_sentence_takes_no_time() -> None:
    # every place where the words stand could be the one that is meant
    sentence = " is the same recording as " * 40_000 + "!"
    assert notes.folded([sentence]) == [sentence]
