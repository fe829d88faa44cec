"""Labels along a path, and pauses: what is asked for, and what comes of it."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

import kinegraph as kg
from kinegraph import samples
from kinegraph.errors import GraphError, Unsatisfied
from kinegraph.graph import Parameters, build, labels
from kinegraph.graph.model import MotionGraph
from kinegraph.paths.moving import track_of
from kinegraph.tasks import Follow
from kinegraph.tasks.made import Made
from kinegraph.walks.parts import Part, goes, parts
from kinegraph.walks.request import Pause, Request, Section, parse_pauses

BENDS = "0,0 0,4 2,7 4,10 4,14"


def facing(made: Made) -> np.ndarray:
    """Cosines ``(n,)`` of the angle between where the body faces and where it goes, while it goes."""
    steps = np.gradient(track_of(made.motion), axis=0)
    length = np.hypot(*steps.T)
    heading = made.motion.heading()
    cosine = (np.sin(heading) * steps[:, 0] + np.cos(heading) * steps[:, 1]) / np.maximum(length, 1e-9)
    return cosine[length * made.motion.fps > 0.5]


# -- sections ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("label", ["run", "sneak"])
def test_a_label_painted_on_a_short_stretch_is_given_there(deeds: MotionGraph, label: str) -> None:
    """Each of them was refused, since the clips need more metres to change over than half of a section has."""
    made = Follow(BENDS, sections=f"0-5:walk,5-11:{label},11-:walk").run(deeds)
    assert made.reached
    assert made.quality["deviation_cm"]["max"] < 30
    first, painted, last = made.quality["sections"]
    assert (painted["label"], painted["asked_m"]) == (label, [5.0, 11.0])
    assert painted["share"] > 0.7
    assert painted["given_m"][0] == pytest.approx(5.0, abs=1.5)
    # and something is left of the others
    assert min(first["share"], last["share"]) > 0.2


@pytest.mark.parametrize("label", ["jump", "punch"])
def test_what_gets_nowhere_is_done_now_and_then(deeds: MotionGraph, label: str) -> None:
    made = Follow(BENDS, sections=f"0-5:walk,5-11:{label},11-:walk").run(deeds)
    assert made.reached
    assert made.quality["deviation_cm"]["max"] < 30
    painted = made.quality["sections"][1]
    assert painted["times"] == 3
    assert 5 < painted["given_m"][0] < painted["given_m"][1] < 11
    assert any(
        f"{label} is asked for from 5.0 to 11.0 m; it gets nowhere, so it is done 3 times" in one
        for one in made.notices
    )


def test_a_stretch_between_two_of_another_label_is_given_whole(gaits: MotionGraph) -> None:
    """It lost two metres at either end."""
    made = Follow("line:20", sections="0-6:walk,6-14:run,14-:walk").run(gaits)
    run = made.quality["sections"][1]
    assert run["share"] > 0.9
    assert made.quality["deviation_cm"]["max"] < 5
    assert "run asked at 6.0–14.0 m and given at" in str(made)


def test_a_border_between_two_labels_lies_in_the_midst_of_the_change(gaits: MotionGraph) -> None:
    made = Follow("line:20", sections="0-10:walk,10-:run").run(gaits)
    walk, run = made.quality["sections"]
    assert walk["given_m"][1] - 10 == pytest.approx(10 - run["given_m"][0], abs=1.2)
    assert any(sentence.startswith("run is asked for from 10.0 to 20.0 m and given from") for sentence in made.notices)


def test_a_zone_leaves_the_change_free(gaits: MotionGraph) -> None:
    """Within it nothing must be hurried; a narrow one is no reason to refuse."""
    sections = "0-6:walk,6-14:run,14-:walk"
    narrow, wide = (Follow("line:20", sections=sections, zone=zone).run(gaits) for zone in (0.05, 3.0))
    assert narrow.quality["sections"][1]["share"] > wide.quality["sections"][1]["share"] > 0.2
    assert wide.reached


def test_more_clips_make_it_no_worse(gaits: MotionGraph, deeds: MotionGraph) -> None:
    for graph in (gaits, deeds):
        made = Follow("line:20", sections="0-7:walk,7-14:run,14-:walk").run(graph)
        assert made.quality["deviation_cm"]["max"] < 5
        assert made.quality["sections"][1]["share"] > 0.9
        assert facing(made).min() > 0


def test_a_label_that_cannot_go_on_is_given_as_far_as_it_goes(tmp_path: Path) -> None:
    """A stretch of one clip: no walk could keep to it."""
    motions = [samples.make(name).motion for name in ("walk", "walk_left_medium")]
    (tmp_path / "labels.toml").write_text('[walk]\nspans = [{label = "hop", from = 2.0, to = 2.6}]\n')
    graph = build(motions, Parameters(mirror=True), labels=labels.read(tmp_path / "labels.toml"))
    assert "hop" not in graph.labels
    made = Follow("line:8", sections="0-3:walk,3-6:hop,6-:walk").run(graph)
    assert made.reached
    assert 0 < made.quality["sections"][1]["share"] < 1


@pytest.mark.parametrize("search", ["fast", "exact"])
def test_both_searches_give_sections(gaits: MotionGraph, search: str) -> None:
    made = Follow("line:10", sections="0-5:walk,5-:run", search=search).run(gaits)
    assert made.reached
    assert made.quality["sections"][1]["share"] > 0.3


def test_every_frame_says_its_clip_and_its_labels(gaits: MotionGraph) -> None:
    made = Follow("line:8", sections="0-4:walk,4-:run").run(gaits)
    told, known = made.to_dict(), made.provenance
    spans, borne_by = told["clip_spans"], told["label_spans"]
    assert known is not None
    assert [spans[0][1], spans[-1][2]] == [0, len(made.motion)]
    for (name, first, last, frame), after in zip(spans, [*spans[1:], None], strict=True):
        assert {known.clips[number] for number in known.clip[first:last]} == {name}
        assert known.frame[first:last].tolist() == list(range(frame, frame + last - first))
        assert after is None or after[1] == last
    for label, borne in known.labels.items():
        held = np.zeros(len(made.motion), bool)
        for _, first, last in (one for one in borne_by if one[0] == label):
            held[first:last] = True
        assert held.tolist() == borne.tolist()


def test_parts_have_no_holes(deeds: MotionGraph) -> None:
    request = Request("line:12", sections="0-4:walk,4-8:punch,8-:walk", pause="2:1,10:1,12:1")
    found = parts(deeds, request, 12.0)
    assert (found[0].first, found[-1].last) == (0.0, 12.0)
    assert all(one.last == pytest.approx(two.first) for one, two in pairwise(found))
    halts = [(one.label, round(one.first, 2)) for one in found if one.seconds]
    assert halts == [("stand", 2.0), ("punch", 5.0), ("punch", 7.0), ("stand", 10.0), ("stand", 12.0)]
    assert not goes(deeds, "punch")
    assert goes(deeds, "sneak")
    assert parts(deeds, Request("line:12"), 12.0) == []
    assert parts(deeds, Request("line:12", label="walk"), 12.0) == [Part(0.0, 12.0, "walk")]


# -- pauses ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("label", [None, "walk"])
def test_a_pause_is_stood(deeds: MotionGraph, label: str | None) -> None:
    made = Follow("line:12", pause="5:2,9:1.5", label=label).run(deeds)
    assert made.reached
    assert made.notices == ()
    for one, (at, seconds) in zip(made.quality["pauses"], ((5, 2), (9, 1.5)), strict=True):
        assert (one["asked_m"], one["asked_s"]) == (at, seconds)
        assert one["given_m"] == pytest.approx(at, abs=0.5)
        assert one["given_s"] == pytest.approx(seconds, abs=1.0)
    assert "asked at 5.0 m for 2 s and given at" in str(made)
    assert made.quality["deviation_cm"]["max"] < 10


def test_pauses_at_both_ends_and_within_a_section(deeds: MotionGraph) -> None:
    made = Follow("line:12", sections="0-6:walk,6-:sneak", pause="0:2,3:1,12:2").run(deeds)
    assert made.reached
    track = track_of(made.motion)
    for frames in (slice(0, 45), slice(-45, None)):
        assert np.hypot(*np.ptp(track[frames], axis=0)) < 0.1
    assert [one["given_s"] > 0.8 for one in made.quality["pauses"]] == [True] * 3
    assert made.quality["sections"][1]["share"] > 0.5


def test_a_pause_is_kept_with_a_time_limit_and_by_the_exact_search(deeds: MotionGraph) -> None:
    for wishes in ({"limit": 14.0}, {"search": "exact"}):
        made = Follow("line:6", pause="3:2", **wishes).run(deeds)
        assert made.quality["pauses"][0]["given_s"] > 1.5
        assert made.motion.seconds <= 14.0
    with pytest.raises(Unsatisfied, match=r"it takes \d+\.\d s at least, and 3 s were allowed"):
        Follow("line:6", pause="3:2", limit=3.0).run(deeds)


def test_a_graph_in_which_nobody_stands_says_so() -> None:
    graph = build([samples.make(name).motion for name in ("walk", "walk_left_medium")])
    with pytest.raises(
        Unsatisfied, match=r"cannot pause for 2 s: .* add a clip of somebody who stands, labelled 'stand'"
    ):
        Follow("line:6", pause="3:2").run(graph)


def test_pauses_are_checked() -> None:
    assert Request("line:6", pause="4:1,2:0.5").pause == (Pause(2, 0.5), Pause(4, 1))
    assert parse_pauses("5:2") == [Pause(5, 2)]
    for said, why in (
        ("5", "cannot understand pause '5'"),
        ("5:x", "cannot understand"),
        ("7:1", "not on the path"),
        ("3:0", "lasts more than 0"),
        ("3:nan", "lasts more than 0"),
        ("nan:1", "not on the path"),
        ("3:1,3.2:1", "apart"),
    ):
        with pytest.raises(GraphError, match=why):
            Request("line:6", pause=said)


def test_sections_of_one_label_are_one(gaits: MotionGraph) -> None:
    """A border between equal labels is none."""
    path = kg.paths.read("line:8")
    one = Follow(path, sections=[Section(0, 8, "walk")]).run(gaits)
    two = Follow(path, sections=[Section(0, 3, "walk"), Section(3, 8, "walk")]).run(gaits)
    assert [each.quality["sections"][0]["share"] for each in (one, two)] == [1.0, 1.0]
