from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest

from kinegraph.graph.model import EdgeKind
from kinegraph.graph.store import files as store
from tests.cli.inprocess import call
from tests.cli.test_build import KEYS


def test_the_report_for_people(built: Path) -> None:
    done = call("inspect", built)
    assert done.code == 0, done.err
    for words in ("3, ", "% of the attainable frames", "group 1", "label", "walk:", "leads to", "one threshold", "█"):
        assert words in done.out
    # never wrapped, however narrow the terminal: one line a fact
    assert max(map(len, done.out.splitlines())) > 100


def test_the_report_for_scripts(built: Path) -> None:
    done = call("inspect", built, "--json")
    facts = done.json
    assert facts.keys() >= KEYS
    graph = store.load(built)
    assert facts["clips"] == 3
    assert facts["edges"] == len(graph.edges)
    assert facts["transitions"] == np.count_nonzero(graph.edges.kind != EdgeKind.ORIGINAL)
    assert done.err == ""


def test_every_transition_of_a_pair_is_listed(built: Path) -> None:
    graph = store.load(built)
    pair = {graph.clip_index["walk"], graph.clip_index["walk_left_tight"]}
    blends = np.flatnonzero(graph.edges.kind != EdgeKind.ORIGINAL)
    ends = [
        {int(graph.node_clip[graph.edges.source[edge]]), int(graph.node_clip[graph.edges.target[edge]])}
        for edge in blends.tolist()
    ]
    done = call("inspect", built, "--transitions", "walk", "walk_left_tight")
    heading, *lines = done.out.splitlines()
    assert heading.split() == ["from", "frame", "second", "to", "frame", "second", "length", "cm", "kind"]
    assert len(lines) == ends.count(pair) > 0
    costs = [float(line.split()[7]) for line in lines]
    assert costs == sorted(costs)
    of_one = call("inspect", built, "--transitions", "walk", "--json").json["transition_list"]
    assert len(of_one) == sum(graph.clip_index["walk"] in both for both in ends)
    every = call("inspect", built, "--transitions", "--json").json["transition_list"]
    assert len(every) == len(blends)


def test_clips_are_listed(built: Path) -> None:
    _, *lines = call("inspect", built, "--clips").out.splitlines()
    assert [line.split()[0] for line in lines] == ["stand", "walk", "walk_left_tight"]
    assert len(call("inspect", built, "--clips", "walk").out.splitlines()) == 2


def test_what_another_threshold_would_give_is_shown_and_not_saved(mog: Path) -> None:
    before = mog.read_bytes()
    lower, higher = (call("inspect", mog, "--threshold", cm, "--json").json for cm in ("5", "12"))
    assert lower["threshold_cm"] == 5
    assert "a threshold of 5 cm would give" in lower["notices"][-1]
    assert lower["transitions"] < higher["transitions"]
    assert call("inspect", mog, "--threshold", "auto", "--json").json["nodes"] == len(store.load(mog))
    assert mog.read_bytes() == before
    too_high = call("inspect", mog, "--threshold", "50")
    assert too_high.code == 2
    assert "up to 20 cm only" in too_high.err


def test_a_picture(built: Path, tmp_path: Path) -> None:
    done = call("inspect", built, "--plot", tmp_path / "g.png")
    assert done.code == 0, done.err
    assert (tmp_path / "g.png").read_bytes().startswith(b"\x89PNG")


def test_a_sound_file_and_a_faulty_one(mog: Path) -> None:
    assert call("inspect", mog, "--check").out.endswith("sound\n")
    assert call("inspect", mog, "--check", "--json").json == {"graph": str(mog), "sound": True, "faults": []}
    with closing(sqlite3.connect(mog)) as connection:
        connection.execute("UPDATE array SET data = zeroblob(length(data)) WHERE name = 'edge_cost'")
        connection.commit()
    done = call("inspect", mog, "--check")
    assert done.code == 1
    assert "the array edge_cost is not what was saved" in done.err
    assert done.out == ""


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["walk"], "--transitions or --clips"),
        (["--transitions", "wlak"], "near it are walk"),
        (["--transitions", "walk", "walk", "walk"], "one clip or two"),
        (["--plot", "g.bmp"], "unknown suffix '.bmp'"),
        (["--plot", "no/g.png"], "there is no folder no"),
        (["--threshold", "0"], "expected auto or a distance in cm"),
    ],
)
def test_bad_usage_is_one_sentence(built: Path, tmp_path: Path, words: list[str], sentence: str) -> None:
    done = call("inspect", built, *words, folder=tmp_path)
    assert done.code == 2
    assert sentence in done.err
    assert list(tmp_path.iterdir()) == []
