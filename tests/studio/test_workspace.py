from __future__ import annotations

import os
import shutil
import threading
from pathlib import Path

import pytest

from kinegraph import graph, samples, save
from kinegraph.errors import FormatError, KinegraphError
from kinegraph.studio.problems import Invalid, Missing
from kinegraph.studio.workspace import Workspace, id_of


def test_it_lists_the_folder_and_its_direct_subfolders(folder: Path) -> None:
    clip = (folder / "walk.bvh").read_bytes()
    for place in ("clips", "more", "more/deeper", ".hidden", "results", "exports", "sketches"):
        (folder / place).mkdir(parents=True, exist_ok=True)
        (folder / place / "x.bvh").write_bytes(clip)
    (folder / ".secret.bvh").write_bytes(clip)
    (folder / "notes.txt").write_text("no clip")
    (folder / "UPPER.BVH").write_bytes(clip)
    listed = {entry.file for entry in Workspace(folder).clips()}
    assert listed == {"walk.bvh", "run.bvh", "UPPER.BVH", "clips/x.bvh", "more/x.bvh", "sketches/x.bvh"}


def test_names_are_sorted_as_people_count(folder: Path) -> None:
    for number in (10, 9, 1):
        shutil.copy(folder / "walk.bvh", folder / f"take {number}.bvh")
    assert [entry.name for entry in Workspace(folder).clips()] == ["run", "take 1", "take 9", "take 10", "walk"]


def test_an_id_is_found_and_anything_else_is_missing(folder: Path) -> None:
    workspace = Workspace(folder)
    entry = workspace.clips()[0]
    assert workspace.find("clip", entry.id) == folder / entry.file
    for other in ("0" * 12, "../secret.bvh", "", id_of("../secret.bvh"), id_of("secret.bvh"), str(folder / "walk.bvh")):
        with pytest.raises(Missing):
            workspace.find("clip", other)
    with pytest.raises(Missing):
        workspace.find("mog", entry.id)


def test_links_that_lead_out_are_not_followed(folder: Path) -> None:
    (folder / "out.bvh").symlink_to(folder.parent / "secret.bvh")
    (folder / "outside").symlink_to(folder.parent)
    (folder / "inside.bvh").symlink_to(folder / "walk.bvh")
    (folder / "nowhere.bvh").symlink_to(folder / "gone.bvh")
    assert {entry.name for entry in Workspace(folder).clips()} == {"walk", "run", "inside"}


def test_nothing_is_written_through_a_link(folder: Path) -> None:
    (folder / "clips").symlink_to(folder.parent)
    with pytest.raises(FormatError, match="outside"):
        Workspace(folder).new("clips", "walk", ".bvh")


def test_new_names_are_free_and_safe(folder: Path) -> None:
    workspace = Workspace(folder)
    assert workspace.new("clips", "walk", ".npz") == folder / "clips" / "walk 2.npz"
    assert workspace.new("clips", "Walk", ".bvh").name == "Walk 2.bvh"
    assert workspace.new("clips", "stroll", ".bvh").name == "stroll.bvh"
    assert workspace.new("sketches", "walk", ".json") == folder / "sketches" / "walk.json"
    (folder / "sketches" / "walk.json").write_text("[]")
    assert workspace.new("sketches", "walk", ".json").name == "walk 2.json"
    assert workspace.new("sketches", "walk", ".json", replace=True).name == "walk.json"
    for bad in ("../x", "a/b", ".x", ""):
        with pytest.raises(Invalid):
            workspace.new("clips", bad, ".bvh")


def test_a_motion_is_read_once_and_again_when_its_file_changes(folder: Path) -> None:
    workspace = Workspace(folder)
    id = id_of("walk.bvh")
    first = workspace.motion(id)
    assert workspace.motion(id) is first
    save(samples.make("stand").motion, folder / "walk.bvh")
    assert len(workspace.motion(id)) == len(samples.make("stand").motion)


def test_threads_that_ask_at_once_read_once(folder: Path) -> None:
    workspace = Workspace(folder)
    found: list[object] = []
    threads = [threading.Thread(target=lambda: found.append(workspace.motion(id_of("run.bvh")))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len({id(motion) for motion in found}) == 1


def test_what_a_mog_holds_is_told_and_damage_is_no_end(folder: Path) -> None:
    (folder / "graphs").mkdir()
    made = graph.build([samples.make(name).motion for name in ("walk", "walk_left_medium")])
    graph.save(made, folder / "graphs" / "g.mog")
    (folder / "broken.mog").write_bytes(b"SQLite format 3\0" + bytes(200))
    (folder / "empty.mog").write_bytes(b"")
    workspace = Workspace(folder)
    contents = {entry.name: workspace.content(entry) for entry in workspace.mogs()}
    assert contents["g"].clips == 2
    assert contents["g"].error is None
    assert contents["broken"].error
    assert contents["empty"].error
    assert [entry.name for entry in workspace.graphs()] == ["broken", "empty", "g"]
    assert workspace.spaces() == []
    assert len(workspace.graph(id_of("graphs/g.mog")).clips) == 2
    with pytest.raises(FormatError):
        workspace.graph(id_of("broken.mog"))


def test_the_trash_gives_back(folder: Path) -> None:
    workspace = Workspace(folder)
    data = (folder / "walk.bvh").read_bytes()
    token = workspace.trash.put(folder / "walk.bvh")
    assert not (folder / "walk.bvh").exists()
    (folder / "walk.bvh").write_bytes(b"another")
    assert workspace.trash.restore(token) == [folder / "walk 2.bvh"]
    assert (folder / "walk 2.bvh").read_bytes() == data
    assert (folder / "walk.bvh").read_bytes() == b"another"
    for other in (token, "..", "0" * 16, "../../x"):
        with pytest.raises(Missing):
            workspace.trash.restore(other)


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_that_is_only_to_be_read_is_told(folder: Path) -> None:
    folder.chmod(0o500)
    try:
        workspace = Workspace(folder)
        assert not workspace.writable
        with pytest.raises(KinegraphError):
            workspace.new("clips", "x", ".bvh")
    finally:
        folder.chmod(0o700)


def test_a_folder_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="no such folder"):
        Workspace(tmp_path / "nowhere")
