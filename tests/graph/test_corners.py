"""Corner cases of building and changing graphs, each of which once went wrong."""

from __future__ import annotations

import warnings
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from kinegraph import samples
from kinegraph.errors import GraphError, KinegraphError
from kinegraph.graph.making.builder import _fingerprint, add, build, rechoose, remove
from kinegraph.graph.making.parameters import Parameters
from kinegraph.graph.store.files import digest
from kinegraph.motion import Motion


def clip(name: str, called: str = "") -> Motion:
    return samples.make(name).motion.renamed(called or name)


def test_a_mirrored_copy_must_not_take_the_name_of_a_clip() -> None:
    graph = build([clip("walk", "w_mirrored"), clip("walk_fast")], Parameters(mirror=True))
    with pytest.raises(GraphError, match="w_mirrored"):
        add(graph, [clip("walk_slow", "w")])
    with pytest.raises(GraphError, match="w_mirrored"):
        build([clip("walk", "w_mirrored"), clip("walk_slow", "w")], Parameters(mirror=True))


def test_only_its_own_mirrored_copy_goes_with_a_clip() -> None:
    graph = build([clip("walk", "w"), clip("walk_slow", "w_mirrored"), clip("walk_fast")])
    assert [left.name for left in remove(graph, ["w"]).clips] == ["w_mirrored", "walk_fast"]
    mirrored = build([clip("walk"), clip("walk_fast")], Parameters(mirror=True))
    assert [left.name for left in remove(mirrored, ["walk"]).clips] == ["walk_fast", "walk_fast_mirrored"]


def test_a_clip_that_was_left_out_changes_no_digest() -> None:
    walk, short, fast = clip("walk"), clip("run")[:8].renamed("short"), clip("walk_fast")
    whole = build([walk, short, fast])
    added = add(build([walk, short]), [fast])
    assert digest(added) == digest(whole)
    assert added.record.report.notices == whole.record.report.notices
    wanted = Parameters(threshold=0.1)
    assert digest(rechoose(whole, wanted)) == digest(build([walk, short, fast], wanted))


def test_rechoosing_from_above_the_ceiling_is_building_anew() -> None:
    clips = [clip(name) for name in ("walk", "kick_high_right", "jump", "punch_low_left", "sneak")]
    assert digest(rechoose(build(clips, Parameters(threshold=0.3)), Parameters())) == digest(build(clips))


@pytest.mark.parametrize("factor", [1e308, 1e200, 1e6])
def test_bones_beyond_all_measure_are_said_to_be_so(factor: float) -> None:
    motion = clip("walk")
    offsets = motion.skeleton.offsets.copy()
    offsets[1:] *= factor
    huge = replace(motion, skeleton=replace(motion.skeleton, offsets=offsets), name="huge")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(KinegraphError, match="huge: joint positions are not finite"):
            build([huge])


def test_a_notice_names_the_clip_not_its_mirrored_copy() -> None:
    graph = build([clip("walk"), clip("run")], Parameters(mirror=True))
    assert add(graph, [clip("walk")]).record.report.notices == ("walk is in the graph already, as walk: left as it is",)


def test_a_threshold_without_a_cycle_keeps_what_was_compared(tmp_path: Path) -> None:
    output = tmp_path / "g.mog"
    # shorter than a stride: none of them meets itself
    clips = [clip(name)[:64] for name in ("walk", "walk_fast", "walk_slow", "walk_left_medium")]
    with pytest.raises(GraphError, match="leaves no cycle"):
        build(clips, Parameters(threshold=1e-6), path=output)
    assert [path.name for path in tmp_path.iterdir()] == ["g.mog.part"]
    compared: list[int] = []
    build(clips, path=output, watch=lambda what, done, total: compared.append(total) if what == "compare" else None)
    assert not any(compared)
    assert [path.name for path in tmp_path.iterdir()] == ["g.mog"]


def test_every_clip_that_lost_more_than_its_ends_is_named() -> None:
    names = ("walk", "walk_fast", "run", "kick_low_left", "jump", "sneak")
    graph = build([clip(name) for name in names], Parameters(threshold=0.06))
    lost = {loss.clip for loss in graph.record.report.losses}
    for number, one in enumerate(graph.clips):
        frames = graph.node_frame[graph.node_clip == number]
        inner = np.arange(one.window, len(one) - one.window + 1)
        whole = len(frames) and frames.min() <= inner[0] and frames.max() >= inner[-1]
        assert whole or one.name in lost


def test_a_draft_made_with_other_roles_is_no_help() -> None:
    clips = [clip("walk"), clip("walk_fast")]
    other = clips[0].skeleton.with_roles({"left_wrist": "left_elbow"})
    changed = [replace(one, skeleton=other) for one in clips]
    marks = {_fingerprint(build(given).clips, Parameters(), None) for given in (clips, clips, changed)}
    assert len(marks) == 2
