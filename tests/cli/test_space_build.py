from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import kinegraph as kg
from kinegraph import samples
from kinegraph.graph.store import files as graphs
from kinegraph.strikes import table as strikes_file
from kinegraph.strikes.store import files as store
from kinegraph.strikes.strike import CapturedStrike
from tests.cli.inprocess import call

KEYS = {"clips", "strikes", "kind", "side", "name", "region", "box", "seconds", "notices"}


PLACES = ("high_centre", "high_right", "low_left", "low_right", "middle_centre")


def write_strikes(folder: Path, kind: str) -> Path:
    """A folder of takes of one strike each."""
    folder.mkdir()
    for place in PLACES:
        kg.save(samples.make(f"{kind}_{place}").motion, folder / f"{kind}_{place}.bvh")
    return folder


@pytest.fixture(scope="module")
def strikes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Folders of punches, of kicks and of punches with both hands; a take of no strike, and one of a body without names."""
    folder = tmp_path_factory.mktemp("strikes")
    punches = write_strikes(folder / "punches", "punch")
    write_strikes(folder / "kicks", "kick")
    shutil.copytree(punches, folder / "both")
    for path in sorted((folder / "both").iterdir())[3:]:
        kg.save(kg.mirror(kg.load(path)), path)
    walk = samples.make("walk").motion
    kg.save(walk, folder / "walk.bvh")
    nameless = replace(walk.skeleton, names=[f"joint {index}" for index in range(len(walk.skeleton))])
    kg.save(replace(walk, skeleton=nameless), folder / "nameless.bvh")
    return folder


def test_the_report_for_scripts(strikes: Path, tmp_path: Path) -> None:
    done = call("space", "build", strikes / "punches", "--kind", "punch", "-o", tmp_path / "s.mog", "--json")
    facts = done.json
    assert done.err == ""
    assert facts.keys() >= KEYS
    assert (facts["kind"], facts["side"], facts["name"]) == ("punch", "right", "right punch")
    space = store.load(tmp_path / "s.mog")
    assert len(facts["strikes"]) == len(space.examples) == len(facts["clips"]) == 5
    for row, strike, hit in zip(facts["strikes"], space.examples.strikes, space.examples.hits, strict=True):
        assert (row["clip"], row["start"], row["hit"], row["end"]) == (
            strike.clip,
            strike.start,
            strike.hit,
            strike.end,
        )
        assert row["target"] == pytest.approx(hit.tolist(), abs=1e-5)
    assert facts["box"] == {
        "low": pytest.approx(space.region.low.tolist(), abs=1e-5),
        "high": pytest.approx(space.region.high.tolist(), abs=1e-5),
    }
    assert np.allclose(facts["region"], space.region.corners, atol=1e-5)


def test_the_report_for_people_says_what_to_type_next(strikes: Path, tmp_path: Path) -> None:
    done = call("space", "build", strikes / "punches", "--kind", "punch", "-o", "s.mog", folder=tmp_path)
    assert done.code == 0, done.err
    heading, *lines = done.out.splitlines()
    assert heading.split()[:4] == ["clip", "start", "hit", "end"]
    assert lines[0].startswith("punch_high_centre ")
    assert "right punch: 5 strikes of 5 clips" in done.out
    assert "ahead is where the ready pose faces" in done.out
    (said,) = [line for line in done.err.splitlines() if "try kinegraph" in line]
    words = said.partition("try kinegraph ")[2].split()
    follow = call(*words, folder=tmp_path)
    assert follow.code == 0, follow.err
    assert "within the region" in follow.out
    assert (tmp_path / "strike.bvh").exists()


def test_what_was_found_can_be_written_corrected_and_read_back(strikes: Path, tmp_path: Path) -> None:
    build = ("space", "build", strikes / "punches", "-o", "s.mog")
    done = call(*build, "--kind", "punch", "--write-strikes", "f.toml", folder=tmp_path)
    assert done.code == 0, done.err
    assert "--strikes f.toml" in done.err
    path = tmp_path / "f.toml"
    found = strikes_file.read(path)
    assert found.strikes == store.load(tmp_path / "s.mog").examples.strikes
    first = replace(found.strikes[0], start=4)
    strikes_file.write(path, replace(found, strikes=(first, *found.strikes[1:4]), skipped=found.strikes[4:]))
    facts = call(*build, "--strikes", "f.toml", "--write-strikes", "again.toml", "--json", folder=tmp_path).json
    assert len(facts["strikes"]) == 4
    assert facts["strikes"][0]["start"] == 4
    assert strikes_file.read(tmp_path / "again.toml") == strikes_file.read(path)
    # what was corrected by hand is not written over
    before = path.read_bytes()
    refused = call(*build, "--kind", "punch", "--write-strikes", "f.toml", folder=tmp_path)
    assert refused.code == 2
    assert "corrected by hand" in refused.err
    assert path.read_bytes() == before


def test_strikes_that_make_no_space_are_written_to_be_corrected(strikes: Path, tmp_path: Path) -> None:
    one = strikes / "punches" / "punch_low_left.bvh"
    done = call("space", "build", one, "--kind", "punch", "-o", "s.mog", "--write-strikes", "f.toml", folder=tmp_path)
    assert done.code == 2
    assert "1 strike is no space" in done.err
    assert "holds the strikes that were found" in done.err
    assert [path.name for path in tmp_path.iterdir()] == ["f.toml"]
    assert len(strikes_file.read(tmp_path / "f.toml").strikes) == 1


def test_a_graph_and_other_spaces_are_kept(strikes: Path, mog: Path) -> None:
    for kind, folder in (("punch", "punches"), ("kick", "kicks")):
        done = call("space", "build", strikes / folder, "--kind", kind, "-o", mog)
        assert done.code == 0, done.err
    assert "--name 'right kick'" in done.err
    assert store.names(mog) == ("right punch", "right kick")
    assert len(graphs.load(mog).clips) == 3
    named = call("space", "build", strikes / "kicks", "--kind", "kick", "--name", "roundhouse", "-o", mog)
    assert named.code == 0, named.err
    assert store.names(mog)[-1] == "roundhouse"


def test_takes_of_the_other_side_join_in_mirrored(strikes: Path, tmp_path: Path) -> None:
    takes = sorted((strikes / "punches").glob("*.bvh"))
    left = tmp_path / "left"
    left.mkdir()
    for path in takes[:2]:
        kg.save(kg.mirror(kg.load(path)), left / path.name)
    words = ("space", "build", *takes, "--mirrored", left, "--kind", "punch", "-o", tmp_path / "s.mog", "--json")
    facts = call(*words).json
    assert len(facts["strikes"]) == 7
    for plain, turned in zip(facts["strikes"][:2], facts["strikes"][5:], strict=True):
        assert turned["clip"] == f"{plain['clip']}_mirrored"
        assert turned["target"] == pytest.approx(plain["target"], abs=0.002)


def test_a_side_on_stance_takes_forward_from_the_strikes(cmu: Path, tmp_path: Path) -> None:
    words = ("space", "build", cmu / "bvh" / "02_05.bvh", "--kind", "punch", "-o", tmp_path / "s.mog")
    done = call(*words)
    assert done.code == 0, done.err
    assert "ahead is where the strikes go: the ready pose faces 40° to the right of it" in done.out
    assert "9 strikes of 1 clip\n" in done.out
    facing = call(*words, "--forward", "facing", "--json").json
    assert facing["facing_degrees"] == pytest.approx(0, abs=0.1)


BAD = {
    "no kind": ("punches", "", "say what the strikes are: --kind punch or --kind kick"),
    "kind": ("punches", "--kind slap", "unknown kind of strike 'slap'"),
    "side": ("punches", "--kind punch --side middle", "unknown side 'middle'"),
    "the other side": ("punches", "--kind punch --side left", "no punch of the left hand found"),
    "no strike": ("walk.bvh", "--kind kick", "walk: no kick of the right foot found"),
    "forward": ("punches", "--kind punch --forward up", "unknown forward 'up'"),
    "rate": ("punches", "--kind punch --fps 0", "frames per second must be positive"),
    "strikes file": ("punches", "--strikes none.toml", "none.toml: cannot be read"),
    "written strikes": ("punches", "--kind punch --write-strikes f.txt", "a file that ends in .toml"),
    "no folder": ("punches", "--kind punch --write-strikes no/f.toml", "there is no folder"),
    "both hands": ("both", "--kind punch", "strikes with the left hand (1 found)"),
    "no names": ("nameless.bvh", "--kind punch", "no joint of this skeleton is known to be the"),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_input_is_said_and_nothing_written(strikes: Path, tmp_path: Path, case: str) -> None:
    clips, words, sentence = BAD[case]
    done = call("space", "build", strikes / clips, *words.split(), "-o", "s.mog", folder=tmp_path)
    assert (done.code, done.out) == (2, "")
    assert sentence in done.err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("target", "sentence"), [("s.bvh", "ends in .mog"), ("no/s.mog", "no folder"), ("d.mog", "folder")]
)
def test_a_place_where_nothing_can_be_written(strikes: Path, tmp_path: Path, target: str, sentence: str) -> None:
    (tmp_path / "d.mog").mkdir()
    done = call("space", "build", strikes / "punches", "--kind", "punch", "-o", target, folder=tmp_path)
    assert done.code == 2
    assert sentence in done.err
    assert [path.name for path in tmp_path.iterdir()] == ["d.mog"]


def test_a_file_that_is_no_mog_is_left_alone(strikes: Path, tmp_path: Path) -> None:
    (tmp_path / "s.mog").write_text("notes")
    done = call("space", "build", strikes / "punches", "--kind", "punch", "-o", "s.mog", folder=tmp_path)
    assert done.code == 2
    assert "s.mog: " in done.err
    assert (tmp_path / "s.mog").read_text() == "notes"


def test_options_that_contradict_the_file_of_strikes(strikes: Path, tmp_path: Path) -> None:
    given = tuple(CapturedStrike(f"punch_{place}", 0, 34, 70) for place in PLACES)
    strikes_file.write(tmp_path / "f.toml", strikes_file.StrikesFile("punch", "right", given))
    for option in ("--kind kick", "--side left"):
        words = ("space", "build", strikes / "punches", "--strikes", "f.toml", *option.split(), "-o", "s.mog")
        done = call(*words, folder=tmp_path)
        assert done.code == 2
        assert f"{option} contradicts f.toml" in done.err


def test_strikes_that_are_left_out_are_told_one_by_one_and_can_be_corrected(strikes: Path, tmp_path: Path) -> None:
    """A punch whose way out takes a quarter of the time of the others: the rest makes the space, and the file keeps it, skipped."""
    takes = shutil.copytree(strikes / "punches", tmp_path / "takes")
    punch = samples.make("punch_middle_left").motion
    hit = samples.make("punch_middle_left").hit_frame
    assert hit is not None
    hasty = np.concatenate([np.arange(0, hit, 4), np.arange(hit, len(punch))]) / punch.fps
    kg.save(punch.sample(hasty), takes / "hasty.bvh")
    words = ("space", "build", takes, "--kind", "punch", "-o", tmp_path / "s.mog")
    facts = call(*words, "--write-strikes", tmp_path / "found.toml", "--json").json
    (left,) = facts["left_out"]
    assert (left["clip"], left["limb"]) == ("hasty", "right hand")
    assert left["seconds"] == pytest.approx(left["hit"] / 60, abs=0.02)
    assert "pace" in left["why"]
    assert len(facts["strikes"]) == 5
    assert [strike.clip for strike in strikes_file.read(tmp_path / "found.toml").skipped] == ["hasty"]
    told = call(*words)
    assert told.code == 0
    assert f"hasty: the punch of the right hand at frame {left['hit']} (" in told.err
    assert "left out in turn" in told.out
    assert facts["choice"]["way"] == "blend"


def test_too_few_strikes_are_named_with_how_many_it_takes(strikes: Path, tmp_path: Path) -> None:
    two = [strikes / "punches" / f"punch_{place}.bvh" for place in PLACES[:2]]
    done = call("space", "build", *two, "--kind", "punch", "-o", tmp_path / "s.mog")
    assert done.code == 2
    assert "it takes at least 3" in done.err
    assert all(f"{path.stem} at frame " in done.err for path in two)
