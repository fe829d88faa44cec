from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import kinegraph as kg
from kinegraph import samples
from kinegraph.motion.floor import FloorTransform
from kinegraph.paths.editing.editor import PathEditor
from tests.cli.inprocess import call

KEYS = {"frames", "seconds", "deviation_cm", "slide_mm", "transitions", "cpu_per_second", "clips", "labels", "notices"}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with clips to bend: a walk elsewhere on the floor, one that stands, and a jump."""
    made = tmp_path_factory.mktemp("repath")
    kg.save(samples.make("walk").motion.place(FloorTransform(0.7, 3.0, -2.0)), made / "walk.npz")
    kg.save(samples.make("stand").motion, made / "stand.npz")
    kg.save(samples.make("kick_low_centre").motion, made / "kick.npz")
    kg.save(samples.make("walk").motion[:20], made / "short.npz")
    (made / "folder.bvh").mkdir()
    return made


def bent(folder: Path, *words: str) -> dict[str, Any]:
    return call("repath", "walk.npz", *words, "--json", folder=folder).json


def test_the_report_for_scripts(folder: Path) -> None:
    facts = bent(folder, "circle:2")
    assert facts.keys() >= KEYS
    assert facts["deviation_cm"]["max"] < 0.01
    assert facts["slide_mm"]["max"] < 0.1
    assert facts["before"]["slide_mm"]["max"] > 5
    assert facts["clips"] == {"walk": 1.0}
    assert (facts["transitions"], facts["loop"], facts["rounded"]) == (0, None, False)
    assert facts["speed"]["ratio"] == pytest.approx(1, abs=1e-3)
    assert facts["knee_speed"]["worst"] <= facts["knee_speed"]["source_p999"]
    assert facts["path_length_m"] == pytest.approx(4 * np.pi, abs=1e-3)


def test_the_files_hold_what_was_reported(folder: Path, tmp_path: Path) -> None:
    facts = bent(folder, "circle:2", "-o", str(tmp_path / "way.bvh"), "--plot", str(tmp_path / "way.png"))
    motion = kg.load(tmp_path / "way.bvh")
    assert (len(motion), motion.fps) == (facts["frames"], 60)
    assert (tmp_path / "way.png").read_bytes().startswith(b"\x89PNG")
    # where the circle is, which begins at the origin
    away = np.hypot(*(motion.root[:, [0, 2]] - [2.0, 0.0]).T)
    assert np.abs(away - 2.0).max() < 0.08


def test_a_kick_is_not_taken_round_a_circle_but_can_stay(folder: Path) -> None:
    done = call("repath", "kick.npz", "circle:3", "--cycle", folder=folder)
    assert done.code == 1
    assert "hardly travels" in done.err
    assert "--keep place" in done.err
    stays = call("repath", "kick.npz", "circle:3", "--keep", "place", "--cycle", "--seconds", "5", folder=folder)
    assert stays.code == 0, stays.err
    assert "the clip stays at its beginning" in stays.out
    facts = call("repath", "stand.npz", "circle:3", "--keep", "place", "--json", folder=folder).json
    assert (facts["walked_m"], facts["speed"]["ratio"], facts["reached"]) == (0.0, None, 0.0)


def test_the_report_for_people(folder: Path) -> None:
    done = call("repath", "walk.npz", "eight:2", "--cycle", folder=folder)
    assert done.code == 0, done.err
    assert done.out.startswith("walk on eight:2, 25.1 m\n")
    for words in (
        "m walked",
        "kept to throughout",
        "of the clip's",
        "plants slide by",
        "before they were held",
        "seams",
    ):
        assert words in done.out
    assert done.err == ""


def test_cycling_goes_to_the_end_of_the_path_or_as_long_as_told(folder: Path) -> None:
    facts = bent(folder, "eight:2", "--cycle")
    assert facts["walked_m"] == pytest.approx(facts["path_length_m"], abs=0.05)
    loop = facts["loop"]
    assert 0 <= loop["first_s"] < loop["last_s"] <= 4.3
    assert facts["transitions"] == loop["seams"] > 2
    timed = bent(folder, "eight:1", "--cycle", "--seconds", "30", "--end", "restart")
    assert timed["seconds"] == pytest.approx(30, abs=0.02)
    assert timed["walked_m"] > 2 * timed["path_length_m"]
    assert timed["deviation_cm"]["max"] < 0.01


def test_corners_are_rounded_and_told(folder: Path) -> None:
    done = call("repath", "walk.npz", "zigzag:2", folder=folder)
    assert "corners are rounded by up to" in done.out
    assert "note:" in done.err
    facts = bent(folder, "zigzag:2")
    assert facts["rounded"]
    assert 1 < facts["deviation_cm"]["max"] < 40
    assert len(facts["notices"]) == 1


def test_time_is_kept_by_going_faster(folder: Path) -> None:
    own = bent(folder, "line:50")
    facts = bent(folder, "line:6.5", "--keep", "time")
    assert facts["frames"] == own["frames"]
    assert facts["speed"]["ratio"] == pytest.approx(6.5 / own["walked_m"], rel=1e-3)


def test_bends_are_taken_slower(folder: Path) -> None:
    facts = bent(folder, "circle:0.9", "--natural")
    assert 0.6 < facts["speed"]["ratio"] < 0.95
    assert facts["speed"]["source"] == bent(folder, "circle:0.9")["speed"]["source"]


def test_the_path_may_be_brought_to_the_clip(folder: Path, tmp_path: Path) -> None:
    facts = bent(folder, "circle:3", "--start", "clip", "-o", str(tmp_path / "here.npz"))
    here, clip = kg.load(tmp_path / "here.npz"), kg.load(folder / "walk.npz")
    assert np.linalg.norm(here.root[0] - clip.root[0]) < 0.03
    assert facts["deviation_cm"]["max"] < 0.01


def test_past_the_end_nothing_was_asked_for(folder: Path) -> None:
    facts = bent(folder, "line:2", "--end", "onward")
    assert facts["walked_m"] > 4
    assert facts["deviation_cm"]["max"] < 0.01
    assert bent(folder, "line:2")["walked_m"] < 2.01


def test_hills(folder: Path, tmp_path: Path) -> None:
    facts = bent(folder, "line:20", "--ground", "slope:20%", "-o", str(tmp_path / "up.npz"))
    assert facts["off_ground_mm"] < 10
    assert facts["speed"]["ratio"] == pytest.approx(1, abs=1e-3)
    root = kg.load(tmp_path / "up.npz").root
    assert (root[-1, 1] - root[0, 1]) / (root[-1, 2] - root[0, 2]) == pytest.approx(0.2, abs=0.02)
    np.savez(tmp_path / "field.npz", heights=np.outer(np.arange(5), np.ones(5)) * 0.1, x0=-2, z0=0, step=1.0)
    assert bent(folder, "line:4", "--ground", str(tmp_path / "field.npz"))["off_ground_mm"] < 10


def test_feet_may_be_left(folder: Path) -> None:
    facts = bent(folder, "circle:2", "--no-feet")
    assert (facts["slide_mm"], facts["before"], facts["plants"], facts["cleaning"]) == (None, None, None, None)
    done = call("repath", "walk.npz", "circle:2", "--no-feet", folder=folder)
    assert "plants" not in done.out


def test_another_rate_and_degree(folder: Path, tmp_path: Path) -> None:
    facts = bent(folder, "circle:3", "--fps", "30", "--degree", "4", "-o", str(tmp_path / "slow.npz"))
    assert kg.load(tmp_path / "slow.npz").fps == 30
    assert facts["degree"] == 4
    assert facts["seconds"] == pytest.approx(bent(folder, "circle:3")["seconds"], abs=0.05)


def test_every_option_reaches_the_editor(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: dict[str, Any] = {}

    def lay(editor: PathEditor, curve: object, **wishes: Any) -> object:
        seen.update(wishes)
        raise kg.KinegraphError("seen")

    monkeypatch.setattr(PathEditor, "lay", lay)
    words = "--keep time --end onward --start clip --cycle --seconds 7 --natural --no-feet"
    assert call("repath", "walk.npz", "line:4", *words.split(), folder=folder).code == 2
    assert seen == {
        "keep": "time", "end": "onward", "start": "clip", "cycle": True, "seconds": 7, "natural": True, "feet": False,
        "ground": None, "stretch": 0.02,
    }  # fmt: skip


def test_an_amc_holds_legs_of_one_length(folder: Path, tmp_path: Path) -> None:
    words = ["line:20", "--keep", "time"]
    stretched = bent(folder, *words, "-o", str(tmp_path / "far.bvh"))
    assert stretched["cleaning"]["leg_change"] > 0
    assert any("legs change length by up to" in notice for notice in stretched["notices"])
    facts = bent(folder, *words, "-o", str(tmp_path / "far.amc"))
    assert facts["cleaning"]["leg_change"] == 0
    assert len(kg.load(tmp_path / "far.amc", fps=60)) == facts["frames"]


BAD = {
    "one point": ("walk.npz 1,2", "at least two points"),
    "no length": ("walk.npz line:0", "must be above 0"),
    "shape": ("walk.npz eigth:3", "Did you mean eight"),
    "missing path": ("walk.npz way.svg", "way.svg: no such file"),
    "missing clip": ("wlak.npz line:3", "wlak.npz: no such file"),
    "stands": ("stand.npz line:3", "there is no path to edit"),
    "keep": ("walk.npz line:3 --keep pace", "keep the speed or the time"),
    "end": ("walk.npz line:3 --end turn", "stop, restart or go onward"),
    "start": ("walk.npz line:3 --start here", "not 'here'"),
    "seconds": ("walk.npz line:3 --seconds 9", "ask for a cycle too"),
    "no seconds": ("walk.npz line:3 --cycle --seconds 0", "more than 0 seconds"),
    "time and cycle": ("walk.npz line:3 --cycle --keep time", "keeps its speed"),
    "too short to cycle": ("short.npz line:3 --cycle", "too short to be repeated"),
    "ground": ("walk.npz line:3 --ground hil:1,6", "Did you mean hill"),
    "steep": ("walk.npz line:3 --ground slope:120%", "nobody walks"),
    "degree": ("walk.npz line:3 --degree 46", "46"),
    "fps": ("walk.npz line:3 --fps 0", "must be positive"),
    "itself": ("walk.npz line:3 -o walk.npz", "a file that is read here"),
    "folder": ("walk.npz line:3 -o no/way.bvh", "there is no folder no"),
    "a folder": ("walk.npz line:3 -o folder.bvh", "this is a folder"),
    "film": ("walk.npz line:3 -o way.gif", "kinegraph render"),
    "plot": ("walk.npz line:3 --plot way.jpg", "unknown suffix '.jpg'"),
}  # fmt: skip


@pytest.mark.parametrize("case", BAD)
def test_bad_input_is_a_sentence_and_no_file(folder: Path, case: str) -> None:
    words, sentence = BAD[case]
    before = sorted(folder.iterdir())
    done = call("repath", *words.split(), folder=folder)
    assert (done.code, done.out) == (2, ""), done.err
    assert sentence.lower() in done.err.lower()
    assert sorted(folder.iterdir()) == before


def test_without_legs_the_feet_are_left_with_a_notice(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kinegraph.tasks.kinds.repath.has_legs", lambda skeleton: False)
    facts = bent(folder, "line:3")
    assert any("the feet are left as they are" in notice for notice in facts["notices"])
    assert facts["slide_mm"] is None


def test_help_has_examples() -> None:
    told = call("repath", "--help").out
    assert told.count("kinegraph repath walk.bvh") == 3
    assert " repath " in call("--help").out


def test_what_is_read_is_never_written_over(folder: Path, tmp_path: Path) -> None:
    drawing = tmp_path / "mine.csv"
    drawing.write_text("x,z\n0,0\n0,5\n")
    field = tmp_path / "field.npz"
    np.savez(field, heights=np.zeros((4, 4)))
    svg = tmp_path / "mine.svg"
    svg.write_text('<svg xmlns="http://www.w3.org/2000/svg"><path d="M0 0 L3 4"/></svg>')
    for words in (
        ["repath", "walk.npz", str(svg), "--plot", str(svg)],
        ["repath", "walk.npz", "line:3", "--ground", str(field), "-o", str(field)],
        ["repath", "walk.npz", "line:3", "-o", "walk.npz"],
        ["paths", "show", str(svg), "--plot", str(svg)],
    ):
        made = call(*words, folder=folder)
        assert made.code == 2
        assert "a file that is read here" in made.err
    assert svg.read_text().startswith("<svg")


def test_a_height_field_says_what_it_covers(folder: Path, tmp_path: Path) -> None:
    field = tmp_path / "field.npz"
    np.savez(field, heights=np.zeros((4, 4)), x0=-2.0, z0=0.0, step=1.0)
    facts = bent(folder, "line:5", "--cycle", "--ground", str(field))
    assert any("covers x -2 to 1 and z 0 to 3 m" in notice and "outside" in notice for notice in facts["notices"])
    np.savez(field, heights=np.zeros((4, 4)), x=np.arange(4.0))
    made = call("repath", "walk.npz", "line:5", "--ground", str(field), folder=folder)
    assert made.code == 2
    assert "may hold x0, z0 and step" in made.err


def test_a_clip_that_ends_before_its_path_is_told(folder: Path) -> None:
    assert bent(folder, "line:20")["reached"] < 0.5
    assert "the clip ends after" in call("repath", "walk.npz", "line:20", folder=folder).out
    assert "the clip ends after" not in call("repath", "walk.npz", "line:20", "--cycle", folder=folder).out


def test_let_go_stands_beside_the_slides(folder: Path) -> None:
    assert bent(folder, "line:20", "--keep", "time")["let_go"] > 0.1
    assert "could not be held" in call("repath", "walk.npz", "line:20", "--keep", "time", folder=folder).out


def test_a_circle_too_tight_for_a_run_is_not_said_to_be_rounded(tmp_path: Path) -> None:
    clip = tmp_path / "run.npz"
    kg.save(samples.make("run").motion, clip)
    facts = call("repath", str(clip), "circle:0.4", "--json").json
    assert any("left so" in notice for notice in facts["notices"])
    assert facts["rounded"] is False
    assert facts["deviation_cm"]["max"] < 0.1
