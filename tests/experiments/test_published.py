"""What must come out as published does, on the clips that the documents used."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from kinegraph.experiments import EXPERIMENTS, repeat

QUICK = (
    "dirican-matrix",
    "dirican-anticipation",
    "manchester-random",
    "chen-time-alignment",
    "chen-aligned-set",
    "chen-space",
    "chen-hierarchy",
    "chen-hip-lift",
    "path-residuals",
    "path-speed",
    "path-end",
    "path-cycle",
    "path-degree",
    "path-straightened",
    "path-rewound",
    "path-hills",
    "slides-threshold",
)


def cells(name: str, cmu: Path) -> dict[str, list[str]]:
    """Ours, by what was published."""
    [done] = repeat(name, clips=cmu)
    assert done.outcome is not None
    assert done.outcome.verdict != "differs", done.rows
    assert all(len(row) == 2 + len(done.outcome.columns) for row in done.rows)
    for what in EXPERIMENTS[name].published:
        assert any(done.row(what)[1:]), f"{name} does not say {what}"
    return {what: done.row(what) for what in done.outcome.ours}


@pytest.mark.parametrize("name", QUICK)
def test_what_is_claimed_holds(name: str, cmu: Path) -> None:
    assert cells(name, cmu)


def test_manchesters_graph_is_exact(cmu: Path) -> None:
    found = cells("manchester-graph", cmu)
    alone = {what: ours for what, (_, ours, _) in found.items()}
    assert alone["vertices"] == "6"
    assert alone["frames"] == "2623"
    assert alone["edges"] == "378"
    assert alone["average edge distance"] == "1837.54"
    # with the neighbours that tie in its single precision
    for what in (
        "edges",
        "smallest edge distance",
        "largest edge distance",
        "edges of the most connected vertex",
        "edges of the least connected vertex",
        "average edges of a vertex",
    ):
        theirs, _, tied = found[what]
        assert tied == theirs, what
    assert float(found["average edge distance"][2]) == pytest.approx(1834.15, abs=0.2)


def test_manchesters_blends_are_at_the_frames_that_it_chose(cmu: Path) -> None:
    similar = cells("manchester-similar", cmu)
    assert similar["local minima"] == ["1", "1"]
    assert similar["smallest distance"] == ["70.15", "70.15"]
    for cost, frames in ((70.15, "111 and 49"), (568.51, "88 and 92"), (1064.73, "91 and 79"), (2871.20, "42 and 87")):
        said = similar[f"blended at {cost:.2f}"][1]
        assert said.startswith(f"frames {frames} (")
        assert float(said.split("(")[1].split(")")[0]) == pytest.approx(cost, abs=0.011)
    dissimilar = cells("manchester-dissimilar", cmu)
    assert dissimilar["smallest distance"] == ["2444.85 at (319, 277)"] * 2


def test_the_walk_that_manchester_shows_is_found_again_under_other_names(cmu: Path) -> None:
    found = cells("manchester-shown-walk", cmu)
    assert [ours.split(", from ")[1] for _, ours in found.values()] == [
        "walk to jump",
        "jump to one leg jump",
        "one leg jump to jump",
    ]


def test_manchesters_sequence_is_found_again(cmu: Path) -> None:
    found = cells("manchester-sequence", cmu)
    for what in ("run stop to walk", "walk to sneak", "sneak to duck slow", "jump up down to jump one leg"):
        theirs, again, *_ = found[what]
        assert again.startswith(theirs)
    assert found["duck slow to jump up down"][1].startswith("449-89, 692.6")


def test_diricans_nodes_with_his_window(cmu: Path) -> None:
    found = cells("dirican-sample-rate", cmu)
    ours = [int(found[f"nodes at {rate} Hz"][1]) for rate in (120, 60, 30, 20)]
    assert ours == [571, 441, 269, 199]
    theirs = [int(found[f"nodes at {rate} Hz"][0]) for rate in (120, 60, 30, 20)]
    assert np.abs(np.array(ours) / theirs - 1).max() < 0.1
