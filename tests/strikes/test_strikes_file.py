"""The strikes file can be written, corrected by hand and read, and says what is wrong with it."""

import re

import pytest

from kinegraph import samples
from kinegraph.errors import FormatError
from kinegraph.strikes import finder
from kinegraph.strikes import table as strikes_file
from kinegraph.strikes.strike import CapturedStrike
from kinegraph.strikes.table import StrikesFile

GOOD = """\
kind = "punch"
side = "right"

[[strike]]
clip = "02_05"
start = 85
hit = 172
end = 268

[[strike]]
clip = "02_05"
start = 267
hit = 345
end = 444
"""


@pytest.fixture
def put(tmp_path):
    def write(text):
        path = tmp_path / "strikes.toml"
        path.write_bytes(text.encode() if isinstance(text, str) else text)
        return path

    return write


def fails(path, what, line=None):
    with pytest.raises(FormatError, match=what) as caught:
        strikes_file.read(path)
    assert caught.value.path == path
    assert caught.value.line == line


def test_what_was_found_comes_back(tmp_path):
    found = finder.find(samples.make("kick_low_left").motion, "kick")
    content = StrikesFile(found.kind, found.side, found.strikes, (CapturedStrike("other take", 3, 5, 9),))
    path = tmp_path / "strikes.toml"
    strikes_file.write(path, content, ["one\nnotice", "another"])
    assert strikes_file.read(path) == content
    text = path.read_text()
    assert "#   one notice\n#   another\n" in text
    assert "right ankle" in text
    assert "skip    true leaves" in text


@pytest.mark.parametrize(
    "clip", ['say "hi"', "back\\slash", "tab\there", "Schlag ü 打", "del\x7f", "a#b", "line\nbreak"]
)
def test_any_name_of_a_clip_survives(tmp_path, clip):
    content = StrikesFile("punch", "left", (CapturedStrike(clip, 0, 3, 9),))
    strikes_file.write(tmp_path / "s.toml", content, [f"{clip}: note"])
    assert strikes_file.read(tmp_path / "s.toml") == content


def test_strikes_are_corrected_by_hand(put):
    corrected = GOOD.replace("hit = 172", "hit = 170").replace("end = 444", "end = 444\nskip = true")
    read = strikes_file.read(put(corrected))
    assert read.strikes == (CapturedStrike("02_05", 85, 170, 268),)
    assert read.skipped == (CapturedStrike("02_05", 267, 345, 444),)


def test_a_skipped_strike_may_be_replaced_by_another_that_hits_at_the_same_frame(put):
    more = '\n[[strike]]\nclip = "02_05"\nstart = 80\nhit = 172\nend = 260\n'
    read = strikes_file.read(put(GOOD.replace("end = 268", "end = 268\nskip = true") + more))
    assert read.strikes == (CapturedStrike("02_05", 267, 345, 444), CapturedStrike("02_05", 80, 172, 260))
    fails(put(GOOD + more), "strike no. 1 .line 4. is the same: 02_05 hits at frame 172", 19)


def test_a_byte_order_mark_and_foreign_line_ends_do_no_harm(put):
    assert len(strikes_file.read(put(b"\xef\xbb\xbf" + GOOD.replace("\n", "\r\n").encode())).strikes) == 2


def test_inline_tables_are_read_too(put):
    text = 'kind = "kick"\nside = "left"\nstrike = [{clip = "a", start = 1, hit = 5, end = 9}]'
    assert strikes_file.read(put(text)).strikes == (CapturedStrike("a", 1, 5, 9),)
    fails(put(text.replace("hit = 5", "hit = 0")), "cannot hit at 0")


@pytest.mark.parametrize(
    ("before", "after", "what", "line"),
    [
        ("hit = 345", "hit = 200", "from frame 267 to 444 cannot hit at 200", 13),
        ("end = 268", "end = 173", "from frame 85 to 173 cannot hit at 172", 7),
        ("start = 85", "start = -1", "start must be 0 or more", 7),
        ("start = 85", "start = 85.5", "start must be a frame, a whole number, got 85.5", 6),
        ("start = 85", "start = true", "start must be a frame, a whole number, got True", 6),
        ("start = 85", 'start = "85"', "start must be a frame", 6),
        ("start = 267", "begin = 267", "unknown key 'begin' in strike no. 2 .line 10.; expected clip, start, hit, end, skip", 12),
        ("hit = 172\n", "", "strike no. 1 .line 4. lacks hit", 4),
        ('clip = "02_05"\nstart = 267', "clip = 205\nstart = 267", "clip must be the name of a take, in quotes, got 205", 11),
        ("end = 444", 'end = 444\nskip = "yes"', "skip must be true or false, got 'yes'", 15),
        ('"punch"', '"slap"', "unknown kind of strike 'slap': expected punch or kick", 1),
        ('"punch"', "1", "unknown kind of strike 1", 1),
        ('"right"', '"both"', "unknown side 'both': expected left or right", 2),
        ('kind = "punch"\n', "", 'kind is missing: write kind = "punch"', None),
        ('side = "right"', 'hand = "right"', "unknown key 'hand' in the file", 2),
        ("start = 267\nhit = 345", "start = 90\nhit = 172", "strike no. 1 .line 4. is the same", 13),
        ("[[strike]]\nclip = \"02_05\"\nstart = 85", "[[strik]]\nclip = \"02_05\"\nstart = 85", "unknown key 'strik'", None),
        ("hit = 172", "hit = ", "this is no TOML file", 7),
    ],
)  # fmt: skip
def test_faults_are_told_with_their_line(put, before, after, what, line):
    assert before in GOOD
    fails(put(GOOD.replace(before, after, 1)), what, line)


def test_no_strike_to_use_is_a_fault(put):
    fails(put('kind = "punch"\nside = "left"\n'), r"there is no \[\[strike\]\]")
    fails(put(re.sub(r"(end = \d+)", r"\1\nskip = true", GOOD)), "all of them are skipped")
    fails(put('kind = "punch"\nside = "left"\nstrike = 3\n'), "a table of its own", 3)


def test_other_files_are_refused(put, tmp_path):
    fails(put(b"\xff\xfe\x00kind"), "this is no TOML file")
    fails(tmp_path / "missing.toml", "cannot be read: No such file")
    fails(tmp_path, "cannot be read")


def test_nothing_is_written_where_there_is_no_folder(tmp_path):
    content = StrikesFile("punch", "left", (CapturedStrike("a", 0, 3, 9),))
    with pytest.raises(FormatError, match="there is no folder"):
        strikes_file.write(tmp_path / "no" / "s.toml", content)
