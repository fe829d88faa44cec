from __future__ import annotations

from kinegraph import samples
from kinegraph.evaluation import evaluate
from kinegraph.evaluation.quality.text import rows, text
from kinegraph.paths import read
from kinegraph.walks.performing import Finished


def test_a_plain_file_is_told_without_what_is_not_known() -> None:
    told = dict(rows(evaluate(samples.make("walk").motion)))
    assert list(told) == ["length", "feet", "skating", "knees"]
    assert "frames" in told["length"]
    assert "before" not in told["feet"]


def test_a_walk_is_told_with_all_its_figures(round_trip: Finished) -> None:
    figures = evaluate(round_trip.motion, path=read("circle:2"), finished=round_trip, cpu=0.5)
    told = dict(rows(figures))
    assert list(told) == [
        "length", "path", "bending", "warp", "feet", "skating", "knees", "transitions", "smoothness", "clips", "labels", "cost",
    ]  # fmt: skip
    assert figures.deviation_cm is not None
    assert f"{figures.deviation_cm.mean:.1f} (max {figures.deviation_cm.max:.1f}) cm" in told["path"]
    assert f"{figures.transitions}, " in told["transitions"]
    assert figures.held_slide_mm is not None
    assert f"at the {figures.plants} plants that are held" in told["feet"]
    assert "its clips" in told["feet"]
    assert "its clips" in told["skating"]
    assert "None" not in "\n".join(text(figures))


def test_lines_stand_below_each_other(round_trip: Finished) -> None:
    lines = text(evaluate(round_trip.motion, finished=round_trip))
    width = len("transitions")
    assert all(line[width : width + 2] == "  " for line in lines)
    assert all(line[width + 2] != " " for line in lines)
