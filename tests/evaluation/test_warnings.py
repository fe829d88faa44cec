from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from kinegraph import samples
from kinegraph.evaluation import Quality, evaluate
from kinegraph.evaluation.quality.figures import Bent, KneeSpeed, SourceFeet, Spread, VelocityJump
from kinegraph.evaluation.quality.warnings import missing_label, warnings
from kinegraph.motion.ranges import Beyond
from kinegraph.paths import read
from kinegraph.walks.performing import Finished


@pytest.fixture(scope="module")
def well() -> Quality:
    """A walk that is as good as its clips."""
    walk = samples.make("walk").motion
    good = evaluate(walk, path=read("line:5.3"), source=[walk])
    return replace(
        good, velocity_jump=VelocityJump(1.0, 0.5, 1.0, 1.0), source_feet=SourceFeet(Spread(1.0, 20.0), 5.0, 0.35)
    )


def test_where_all_is_well_nothing_is_said(well: Quality, round_trip: Finished) -> None:
    assert warnings(well) == ()
    assert warnings(evaluate(round_trip.motion, path=read("circle:2"), finished=round_trip)) == ()


WORSE = [
    ({"slide_mm": Spread(1.0, 54.3)}, ["54.3", "20.0"]),
    ({"slide_mm": Spread(6.0, 20.0)}, ["6.0", "1.0"]),
    ({"skating_cm_s": 9.3}, ["9.3 cm/s", "5.0"]),
    ({"skating_ratio": 0.5, "skating_cm_s": 5.1}, ["50.0 %", "35.0 %"]),
    ({"knee_speed": KneeSpeed(14.2, 8.5)}, ["14.2 rad/s", "8.5"]),
    ({"velocity_jump": VelocityJump(3.1, 1.0, 1.72, 1.8)}, ["3.10 m/s", "1.8 times", "1.72"]),
    ({"deviation_cm": Spread(9.0, 20.0)}, ["9.0 (max 20.0) cm off"]),
    (
        {"deviation_cm": Spread(3.5, 9.0), "warp": Bent(Spread(9, 9), Spread(3, 9), 1.0, 1.0, 0.0)},
        ["3.5", "bent onto it"],
    ),
    ({"deviation_cm": Spread(2.0, 60.0)}, ["max 60.0"]),
    ({"finished_path": 0.62}, ["62 %"]),
    ({"beyond": Beyond("left_knee", 120, 18.2)}, ["left_knee", "18°", "120"]),
]


@pytest.mark.parametrize(("figures", "words"), WORSE)
def test_what_is_worse_is_one_sentence_with_both_figures(
    well: Quality, figures: dict[str, object], words: list[str]
) -> None:
    (sentence,) = warnings(replace(well, **figures))  # type: ignore[arg-type]
    assert "\n" not in sentence
    for word in words:
        assert word in sentence


@pytest.mark.parametrize(
    "figures",
    [
        {"slide_mm": Spread(2.0, 29.0)},
        {"skating_ratio": 0.9, "skating_cm_s": 4.9},
        {"knee_speed": KneeSpeed(8.55, 8.5)},
        {"knee_speed": KneeSpeed(14.2, None)},
        {"velocity_jump": VelocityJump(1.4, 1.0, 1.0, 1.4)},
        {"velocity_jump": VelocityJump(9.0, 1.0, None, None)},
        {"deviation_cm": Spread(7.0, 20.0)},
        {"slide_mm": Spread(60.0, 80.0), "source_feet": None},
        {"beyond": Beyond("left_knee", 120, 12.0)},
    ],
)
def test_what_is_hardly_worse_or_cannot_be_compared_is_not_told(well: Quality, figures: dict[str, object]) -> None:
    assert warnings(replace(well, **figures)) == ()  # type: ignore[arg-type]


def test_labels_that_were_asked_for_and_are_missing() -> None:
    frames = np.ones(10, bool)
    assert missing_label("run", frames, frames) == ()
    (sentence,) = missing_label("run", None, frames)
    assert sentence == "only 0 % of the frames are labelled run, as was asked for"
    assert missing_label("run", np.arange(10) < 5, np.arange(10) < 5, "from 0 to 5 m") == ()
    assert missing_label("run", None, ~frames) != ()
