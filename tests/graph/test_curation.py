from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import kinegraph as kg
from kinegraph.errors import FormatError
from kinegraph.formats.terms import Terms, terms_of
from kinegraph.graph.model import MotionGraph


@pytest.fixture(scope="module")
def graph(tmp_path_factory) -> MotionGraph:
    """A walk, most of it once more, one with an arm that hangs still and leaps once, and a run; in a folder that says whose they are."""
    folder = tmp_path_factory.mktemp("captured")
    walk = kg.samples.make("walk").motion
    arm = walk.skeleton.joint("left_elbow")
    rotations = walk.rotations.copy()
    rotations[:, arm] = rotations[0, arm]
    leaping = walk.root.copy()
    leaping[150] += [0.0, 0.3, 0.0]
    kg.save(walk, folder / "walk.bvh")
    kg.save(walk[20:].renamed("again"), folder / "again.bvh")
    kg.save(replace(walk, rotations=rotations, root=leaping, name="stiff"), folder / "stiff.bvh")
    for name in ("run", "walk_left_medium", "walk_right_medium", "stand", "start"):
        kg.save(kg.samples.make(name).motion, folder / f"{name}.bvh")
    (folder / "source.toml").write_text('licence = "CC BY 4.0"\ncredit = "the built-in performer"\n')
    return kg.graph.build(folder)


def test_takes_that_are_the_same_are_found_and_others_are_not(graph) -> None:
    found = kg.graph.duplicates(graph)
    assert [(row["clip"], row["same_as"]) for row in found] == [("again", "walk")]
    assert found[0]["later"] == pytest.approx(20 / 60, abs=0.04)
    assert found[0]["share"] > 0.95


def test_frozen_joints_and_leaps_are_told_of_the_clip_that_has_them(graph) -> None:
    found = kg.graph.flaws(graph)
    elbow = graph.skeleton.names[graph.skeleton.joint("left_elbow")]
    assert ("stiff", "frozen", elbow) in {(row["clip"], row["flaw"], row["joint"]) for row in found}
    assert {row["clip"] for row in found if row["flaw"] == "leap"} == {"stiff"}
    assert all(abs(row["first"] - 75) <= 1 for row in found if row["flaw"] == "leap")


def test_what_a_clip_adds(graph) -> None:
    rows = {row["clip"]: row for row in kg.graph.contributions(graph)}
    assert rows.keys() == graph.clip_index.keys()
    assert rows["run"]["labels"]["run"] > 0.9
    for label in {span.label for clip in graph.clips for span in clip.spans}:
        assert sum(row["labels"].get(label, 0.0) for row in rows.values()) == pytest.approx(1.0, abs=0.01)
    # whoever is held by a clip has no other way in, or no other way out
    ends = np.stack([graph.node_clip[graph.edges.source], graph.node_clip[graph.edges.target]])
    ends = ends[:, ends[0] != ends[1]]
    for row in rows.values():
        for held in row["holds"]:
            number, by = graph.clip_index[held], graph.clip_index[row["clip"]]
            assert set(ends[0][ends[1] == number]) == {by} or set(ends[1][ends[0] == number]) == {by}


def test_licence_and_credit_of_a_folder_go_with_what_is_made(graph, tmp_path) -> None:
    path = tmp_path / "g.mog"
    kg.graph.save(graph, path)
    assert {clip.source.licence for clip in kg.graph.load(path).clips} == {"CC BY 4.0"}
    made = kg.wander(path, seconds=2)
    assert made.to_dict()["terms"] == list(made.provenance.terms)
    assert "the built-in performer; licence: CC BY 4.0" in made.provenance.terms[0]
    made.save(tmp_path / "out.glb")
    assert (tmp_path / "out.glb.terms.txt").read_text().strip() == made.provenance.terms[0]
    assert b"the built-in performer" in (tmp_path / "out.glb").read_bytes()


def test_what_a_folder_says(tmp_path) -> None:
    clip = tmp_path / "a" / "b" / "walk.bvh"
    clip.parent.mkdir(parents=True)
    assert terms_of(clip) == Terms()
    (tmp_path / "a" / "LICENSE.txt").write_text("\n# Creative Commons Zero v1.0\n\nlong text\n")
    assert terms_of(tmp_path / "a" / "c" / "walk.bvh") == Terms("Creative Commons Zero v1.0")
    # of what lies further up it says nothing
    assert terms_of(tmp_path / "a" / "d" / "e" / "walk.bvh") == Terms()
    (tmp_path / "odd").mkdir()
    (tmp_path / "odd" / "source.toml").write_text("licence = 3")
    with pytest.raises(FormatError, match="licence must be a text"):
        terms_of(tmp_path / "odd" / "walk.bvh")


def test_a_program_s_licence_is_not_that_of_clips_within_it(tmp_path) -> None:
    (tmp_path / "LICENSE").write_text("MIT License")
    (tmp_path / "pyproject.toml").touch()
    assert terms_of(tmp_path / "clips" / "walk.bvh") == Terms()
    assert terms_of(tmp_path / "walk.bvh") == Terms("MIT License")
