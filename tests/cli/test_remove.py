from __future__ import annotations

from pathlib import Path

from kinegraph.graph.store import files as store
from tests.cli.inprocess import call


def test_a_clip_is_taken_out_in_place_and_the_history_is_kept(clips: Path, mog: Path, tmp_path: Path) -> None:
    facts = call("remove", mog, "stand", "--json").json
    assert facts["removed"] == 1
    assert [step.step for step in store.steps(mog)] == ["build", "remove"]
    assert facts["history"][1]["pairs"] == 0
    fresh = tmp_path / "fresh.mog"
    assert call("build", clips / "walk.bvh", clips / "walk_left_tight.bvh", "-o", fresh).code == 0
    assert store.digest(store.load(mog)) == store.digest(store.load(fresh))


def test_mirrored_copies_go_too_and_another_output_leaves_the_graph_as_it_is(clips: Path, tmp_path: Path) -> None:
    whole, part = tmp_path / "whole.mog", tmp_path / "part.mog"
    call("build", clips, "-o", whole, "--mirror")
    before = whole.read_bytes()
    done = call("remove", whole, "stand", "-o", part)
    assert "2 clips fewer than before" in done.err
    assert whole.read_bytes() == before
    assert not any(clip.name.startswith("stand") for clip in store.load(part).clips)


def test_an_unknown_name_is_refused_with_those_near_it(mog: Path) -> None:
    before = mog.read_bytes()
    done = call("remove", mog, "stand", "wlak")
    assert done.code == 2
    assert "no clip 'wlak'; near it are walk" in done.err
    assert "walk" in call("remove", mog, "walk.bvh").err
    assert mog.read_bytes() == before


def test_the_last_clip_is_not_taken(mog: Path) -> None:
    before = mog.read_bytes()
    done = call("remove", mog, "stand", "walk", "walk_left_tight")
    assert done.code == 2
    assert "would leave no clip" in done.err
    assert mog.read_bytes() == before
