from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kinegraph.errors import FormatError
from kinegraph.graph.labels import WORDS, Labels, TimedLabel, from_name, mirrored_label, read, spans_for
from kinegraph.graph.model import LabelSpan

AUTOMATIC = (
    LabelSpan("run", 0, 30),
    LabelSpan("turn_left", 20, 50),
    LabelSpan("walk", 30, 60),
    LabelSpan("stand", 60, 100),
)


def written(folder: Path, text: str) -> Path:
    path = folder / "labels.toml"
    path.write_text(text, encoding="utf-8")
    return path


def plain(spans: tuple[LabelSpan, ...]) -> list[tuple[str, int, int, str]]:
    return [(span.label, span.first, span.last, span.origin) for span in spans]


# -- names ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("walk_16_15", ("walk",)),
        ("16_15", ()),
        ("", ()),
        ("run_veer_left_16_38", ("run", "veer_left")),
        ("run_stop_16_08", ("run", "stop")),
        ("duck_slow_127_31", ("duck",)),
        ("jump_one_leg_49_03", ("jump",)),
        ("left-turn walk", ("turn_left", "walk")),
        ("Walk90DegreeRightTurn", ("walk", "turn_right")),
        ("turn_then_left", ("turn",)),
        ("turn_left_turn_right", ("turn_left", "turn_right")),
        ("RUN_RUN_run", ("run",)),
        ("running", ("run",)),
        ("jogging kicks dancing punches", ("jog", "kick", "dance", "punch")),
        ("walk2", ("walk",)),
        ("sidewalk_runner_understand", ()),
        ("walk_left_tight", ("walk",)),
    ],
)
def test_words_in_names(name: str, expected: tuple[str, ...]) -> None:
    assert from_name(name) == expected


@given(st.lists(st.sampled_from(sorted(WORDS - {"turn", "veer"})), unique=True), st.integers(0, 999))
def test_known_words_are_found_in_order_and_numbers_ignored(words: list[str], number: int) -> None:
    assert from_name("_".join([*words, str(number)])) == tuple(words)


@given(st.text())
def test_any_name_is_read(name: str) -> None:
    assert all(label.split("_")[0] in WORDS for label in from_name(name))


# -- files ------------------------------------------------------------------------------------------------------------


def test_reads_whole_clips_and_spans(tmp_path: Path) -> None:
    path = written(
        tmp_path,
        """
        ["16_15"]
        labels = ["walk", "calm"]
        spans = [{label = "look-around", from = 0.5, to = 2}, {label = "end", from = 3}, {label = "start", to = 1.5}]

        ["17_*"]
        labels = ["sneak"]
        """,
    )
    labels = read(path)
    assert labels.path == path
    assert labels.of("16_15") == [
        TimedLabel("walk"),
        TimedLabel("calm"),
        TimedLabel("look-around", 0.5, 2.0),
        TimedLabel("end", 3.0),
        TimedLabel("start", 0.0, 1.5),
    ]
    assert labels.of("17_03") == [TimedLabel("sneak")]
    assert labels.of("02_01") == []


def test_all_patterns_that_fit_apply_and_case_counts(tmp_path: Path) -> None:
    labels = read(written(tmp_path, '["*"]\nlabels = ["a"]\n["16_*"]\nlabels = ["b"]\n["16_15"]\nlabels = ["c"]\n'))
    assert [said.label for said in labels.of("16_15")] == ["a", "b", "c"]
    assert [said.label for said in labels.of("x")] == ["a"]
    assert read(written(tmp_path, '["Walk*"]\nlabels = ["a"]')).of("walk") == []


def test_a_name_with_brackets_is_found_by_itself(tmp_path: Path) -> None:
    assert read(written(tmp_path, '["take [1]"]\nlabels = ["walk"]')).of("take [1]") == [TimedLabel("walk")]


def test_tables_without_a_clip_are_a_notice(tmp_path: Path) -> None:
    labels = read(written(tmp_path, '["16_15"]\nlabels = ["walk"]\n["99_*"]\nlabels = ["run"]'))
    (notice,) = labels.notices(["16_15", "16_16"])
    assert "'99_*'" in notice
    assert str(labels.path) in notice
    assert labels.notices(["16_15", "99_01"]) == ()


def test_an_empty_file_says_nothing(tmp_path: Path) -> None:
    assert read(written(tmp_path, "")).of("16_15") == []


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("[", "no TOML file"),
        ('walk = "16_15"', r"'walk' is no table.*\[\"walk\"\]"),
        ('["16_15"]\nlabel = ["walk"]', "'16_15': unknown key 'label'; expected labels, spans"),
        ("[16.15]\nlabels = []", "'16': unknown key '15'.*quoted"),
        ('["16_15"]\nlabels = "walk"', "labels must be a list"),
        ('["16_15"]\nlabels = [3]', "3 is no label"),
        ('["16_15"]\nlabels = ["Walk"]', "'Walk' is no label; use up to 40"),
        ('["16_15"]\nlabels = [""]', "'' is no label"),
        ('["16_15"]\nlabels = ["walk\\n"]', "is no label"),
        ('["16_15"]\nlabels = ["' + "a" * 41 + '"]', "is no label"),
        ('["16_15"]\nspans = {label = "walk"}', "spans must be a list of tables"),
        ('["16_15"]\nspans = ["walk"]', "spans must be a list of tables"),
        ('["16_15"]\nspans = [{from = 1.0}]', "has no label"),
        ('["16_15"]\nspans = [{label = "walk", from_frame = 3}]', "unknown key 'from_frame'.*seconds"),
        ('["16_15"]\nspans = [{label = "walk", from = "1 s"}]', "from of 'walk' must be seconds"),
        ('["16_15"]\nspans = [{label = "walk", from = true}]', "from of 'walk' must be seconds"),
        ('["16_15"]\nspans = [{label = "walk", from = -1}]', "0 or more, got -1"),
        ('["16_15"]\nspans = [{label = "walk", to = nan}]', "to of 'walk' must be seconds"),
        ('["16_15"]\nspans = [{label = "walk", to = inf}]', "to of 'walk' must be seconds"),
        ('["16_15"]\nspans = [{label = "walk", from = 2, to = 1}]', "exchange from and to"),
        ('["16_15"]\nspans = [{label = "walk", from = 2, to = 2}]', "not after its beginning"),
    ],
)
def test_what_cannot_be_understood_is_refused(tmp_path: Path, text: str, complaint: str) -> None:
    path = written(tmp_path, text)
    with pytest.raises(FormatError, match=complaint) as caught:
        read(path)
    assert caught.value.path == path


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="cannot be read"):
        read(tmp_path / "none.toml")
    (tmp_path / "bytes.toml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(FormatError, match="no TOML file"):
        read(tmp_path / "bytes.toml")


# -- together ---------------------------------------------------------------------------------------------------------


def from_file(*said: TimedLabel, pattern: str = "*") -> Labels:
    return Labels(Path("labels.toml"), {pattern: said})


def test_automatic_labels_alone() -> None:
    assert spans_for("16_08", 100, 30.0, automatic=AUTOMATIC) == AUTOMATIC


def test_nothing_known() -> None:
    assert spans_for("16_08", 100, 30.0) == ()


def test_a_name_with_one_gait_speaks_for_the_whole_clip_and_turns_stay() -> None:
    found = spans_for("sneak_17_03", 100, 30.0, automatic=AUTOMATIC)
    assert plain(found) == [("sneak", 0, 100, "name"), ("turn_left", 20, 50, "auto")]


def test_a_name_with_several_gaits_does_not_say_when() -> None:
    found = spans_for("run_stop_16_08", 100, 30.0, automatic=AUTOMATIC)
    assert set(plain(found)) == {(*s, "auto") for s in [(x.label, x.first, x.last) for x in AUTOMATIC]} | {
        ("stop", 0, 100, "name")
    }
    assert plain(spans_for("run_stop_16_08", 100, 30.0)) == [("run", 0, 100, "name"), ("stop", 0, 100, "name")]


def test_a_turn_in_a_name_is_where_it_was_found() -> None:
    found = spans_for("turn_left", 100, 30.0, automatic=AUTOMATIC)
    assert found == AUTOMATIC
    unseen = spans_for("turn_right", 100, 30.0, automatic=AUTOMATIC)
    assert ("turn_right", 0, 100, "name") in plain(unseen)
    assert set(AUTOMATIC) < set(unseen)


def test_the_file_is_believed_over_name_and_motion_on_its_frames() -> None:
    labels = from_file(TimedLabel("limp", 1.0, 2.0))
    assert plain(spans_for("16_08", 100, 30.0, labels_file=labels, automatic=AUTOMATIC)) == [
        ("run", 0, 30, "auto"),
        ("turn_left", 20, 50, "auto"),
        ("limp", 30, 60, "file"),
        ("stand", 60, 100, "auto"),
    ]
    assert plain(spans_for("walk", 100, 30.0, labels_file=labels, automatic=AUTOMATIC)) == [
        ("walk", 0, 30, "name"),
        ("turn_left", 20, 50, "auto"),
        ("limp", 30, 60, "file"),
        ("walk", 60, 100, "name"),
    ]


def test_a_turn_in_the_file_drops_only_the_same_turn() -> None:
    found = spans_for("x", 100, 30.0, labels_file=from_file(TimedLabel("turn_left", 0.0, 1.0)), automatic=AUTOMATIC)
    assert plain(found) == [
        ("run", 0, 30, "auto"),
        ("turn_left", 0, 30, "file"),
        ("turn_left", 30, 50, "auto"),
        ("walk", 30, 60, "auto"),
        ("stand", 60, 100, "auto"),
    ]


def test_labels_of_the_file_may_lie_over_each_other() -> None:
    labels = from_file(TimedLabel("walk"), TimedLabel("happy", 1.0, 2.0), TimedLabel("happy", 1.5, 3.0))
    assert plain(spans_for("16_08", 100, 30.0, labels_file=labels)) == [
        ("walk", 0, 100, "file"),
        ("happy", 30, 90, "file"),
    ]


def test_a_mirrored_copy_exchanges_the_sides_of_names_and_files_only() -> None:
    labels = from_file(TimedLabel("left-punch", 0.0, 1.0))
    found = spans_for("veer_right", 100, 30.0, True, labels, (LabelSpan("turn_left", 0, 50),))
    assert plain(found) == [
        ("right-punch", 0, 30, "file"),
        ("turn_left", 0, 50, "auto"),
        ("veer_left", 0, 100, "name"),
    ]


def test_spans_are_cut_at_the_end_but_must_begin_before_it() -> None:
    over = from_file(TimedLabel("walk", 3.0, 10.0))
    assert plain(spans_for("16_15", 100, 30.0, labels_file=over)) == [("walk", 90, 100, "file")]
    beyond = from_file(TimedLabel("walk", 4.0, 10.0))
    with pytest.raises(
        FormatError, match=r"labels.toml: clip '16_15': 'walk' begins at 4 s, but the clip lasts 3.33 s"
    ):
        spans_for("16_15", 100, 30.0, labels_file=beyond)


@pytest.mark.parametrize("start", [0.0, 1.01, 3.329])
def test_what_is_shorter_than_a_frame_still_has_one(start: float) -> None:
    labels = from_file(TimedLabel("hit", start, start + 0.001))
    ((_, first, last, _),) = plain(spans_for("x", 100, 30.0, labels_file=labels))
    assert (last - first, 0 <= first < 100) == (1, True)


@pytest.mark.parametrize(
    ("label", "expected"),
    [
        ("turn_left", "turn_right"),
        ("right", "left"),
        ("left-hook_right", "right-hook_left"),
        ("walk", "walk"),
        ("leftover", "leftover"),
    ],
)
def test_mirrored_labels(label: str, expected: str) -> None:
    assert mirrored_label(label) == expected
    assert mirrored_label(expected) == label


words = st.sampled_from(["walk", "run", "stop", "turn_left", "veer_right", "sneak", "left_kick"])
times = st.tuples(st.integers(0, 99), st.integers(1, 60)).map(lambda pair: (pair[0] / 30, (pair[0] + pair[1]) / 30))
timed = st.builds(lambda label, when: TimedLabel(label, *when), words, times)


@given(st.lists(timed, max_size=4), st.lists(words, max_size=3), st.booleans(), st.booleans())
def test_the_rule_frame_by_frame(said: list[TimedLabel], name: list[str], mirrored: bool, annotated: bool) -> None:
    found = spans_for("_".join(name), 100, 30.0, mirrored, from_file(*said), AUTOMATIC if annotated else ())
    assert list(found) == sorted(found, key=lambda span: (span.first, span.last, span.label))
    assert all(0 <= span.first < span.last <= 100 for span in found)

    def frames(label: str, origin: str) -> np.ndarray:
        held = np.zeros(100, int)
        for span in found:
            if (span.label, span.origin) == (label, origin):
                held[span.first : span.last] += 1
        return held

    def is_turn(label: str) -> bool:
        return label.startswith(("turn", "veer"))

    doing = np.zeros(100, bool)
    for timed_label in said:
        label = mirrored_label(timed_label.label) if mirrored else timed_label.label
        first, last = round(timed_label.start * 30), min(round((timed_label.end or 0) * 30), 100)
        assert (frames(label, "file")[first:last] == 1).all()
        if not is_turn(label):
            doing[first:last] = True
    for span in found:
        if span.origin != "file" and not is_turn(span.label):
            assert not doing[span.first : span.last].any()
        # nobody says the same of a frame twice
        assert sum(frames(span.label, origin) for origin in ("file", "name", "auto")).max() == 1
    one_gait = len({word for word in from_name("_".join(name)) if not is_turn(word)}) == 1
    for span in AUTOMATIC if annotated else ():
        if not is_turn(span.label):
            expected = ~doing[span.first : span.last] & (not one_gait)
            assert np.array_equal(frames(span.label, "auto")[span.first : span.last] == 1, expected)


def test_the_example_of_the_documentation_means_what_it_says(tmp_path: Path) -> None:
    page = (Path(__file__).resolve().parents[2] / "docs" / "labels.md").read_text("utf-8")
    (example,) = re.findall(r"```toml\n(.*?)```", page, re.DOTALL)
    file = tmp_path / "labels.toml"
    file.write_text(example, "utf-8")
    said = read(file)
    assert said.of("16_35") == [TimedLabel("run")]
    assert said.of("16_15") == [TimedLabel("walk"), TimedLabel("careful")]
    assert said.of("17_01") == []
    assert said.of("dance.solo") == [TimedLabel("dance"), TimedLabel("spin", 2.5, 4.0), TimedLabel("bow", 11.2)]
    found = {(span.label, span.first, span.last) for span in spans_for("dance.solo", 450, 30.0, labels_file=said)}
    assert found == {("dance", 0, 450), ("spin", 75, 120), ("bow", 336, 450)}
    # as the page says, what the file says of a body is believed over what was found
    walked = [LabelSpan("stand", 0, 100), LabelSpan("turn_left", 20, 60)]
    kept = {span.label for span in spans_for("16_15", 100, 30.0, labels_file=said, automatic=walked)}
    assert kept == {"walk", "careful", "turn_left"}


def test_what_is_found_stays_as_sure_as_it_was_and_what_people_say_is_sure() -> None:
    automatic = [
        LabelSpan("walk", 0, 40, confidence=0.6),
        LabelSpan("run", 40, 100, confidence=0.9),
        LabelSpan("turn_left", 20, 60, confidence=0.7),
    ]
    found = spans_for("clip", 100, 30.0, labels_file=from_file(TimedLabel("sneak", 0.0, 1.0)), automatic=automatic)
    assert {(span.label, span.first, span.confidence) for span in found} == {
        ("sneak", 0, 1.0),
        ("walk", 30, 0.6),
        ("run", 40, 0.9),
        ("turn_left", 20, 0.7),
    }
