from __future__ import annotations

import errno
import os
import shutil
import threading
from pathlib import Path

import pytest

from kinegraph import graph, samples, save
from kinegraph.errors import FormatError, KinegraphError
from kinegraph.studio.server.problems import Invalid, Missing
from kinegraph.studio.workspace.entries import id_of
from kinegraph.studio.workspace.trash import Trash
from kinegraph.studio.workspace.workspace import HIDDEN, Workspace


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


def test_a_file_that_leads_out_is_not_written(folder: Path) -> None:
    workspace = Workspace(folder)
    secret = folder.parent / "secret.bvh"
    (folder / "out.json").symlink_to(secret)
    (folder / "new.json").symlink_to(folder.parent / "not there yet.json")
    (folder / "beyond").symlink_to(folder.parent)
    (folder / "circle.json").symlink_to(folder / "circle.json")
    for name in ("out.json", "new.json", "beyond/x.json", "circle.json", "../x.json"):
        with pytest.raises(FormatError, match=Path(name).stem):
            workspace.inside(folder / name)
    (folder / "within.json").symlink_to(folder / "walk.bvh")
    for name in ("within.json", "walk.bvh", "no/such/file"):
        assert workspace.inside(folder / name) == folder / name


def test_a_workspace_that_is_reached_through_a_link_is_one(folder: Path) -> None:
    link = folder.parent / "link"
    link.symlink_to(folder)
    workspace = Workspace(link)
    assert workspace.inside(workspace.new("clips", "x", ".bvh")).name == "x.bvh"


def test_what_the_studio_keeps_for_itself_is_not_kept_elsewhere(folder: Path) -> None:
    elsewhere = folder.parent / "elsewhere"
    elsewhere.mkdir()
    (folder / HIDDEN).symlink_to(elsewhere)
    with pytest.raises(FormatError, match=HIDDEN):
        Workspace(folder)
    (folder / HIDDEN).unlink()
    (folder / HIDDEN).mkdir()
    (folder / HIDDEN / "trash").symlink_to(elsewhere)
    old = elsewhere / ("0" * 16)
    old.mkdir()
    (old / "files.json").write_text('["walk.bvh"]')
    os.utime(old, (0, 0))
    workspace = Workspace(folder)
    workspace.trash.tidy()
    with pytest.raises(FormatError, match="trash"):
        workspace.trash.put(folder / "walk.bvh")
    with pytest.raises(FormatError, match="trash"):
        workspace.restore(old.name)
    assert (folder / "walk.bvh").exists()
    assert [path.name for path in elsewhere.rglob("*")] == [old.name, "files.json"]


def test_a_name_that_is_no_text_is_told_as_some_and_found_as_it_is(folder: Path) -> None:
    clip = (folder / "walk.bvh").read_bytes()
    strange = [os.fsencode(folder / "caf") + byte + b".bvh" for byte in (b"\xe8", b"\xe9")]
    for number, path in enumerate(strange):
        Path(os.fsdecode(path)).write_bytes(clip + b"\n" * number)
    workspace = Workspace(folder)
    found = [entry for entry in workspace.clips() if entry.name == "caf\N{REPLACEMENT CHARACTER}"]
    assert len({entry.id for entry in found}) == 2
    assert {os.fsencode(workspace.find("clip", entry.id)) for entry in found} == set(strange)
    for entry in found:
        assert entry.file.encode()
        assert workspace.entry(workspace.path(entry)) == entry
        assert workspace.motion(entry.id).name.encode()


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
    assert [name for name, one in contents.items() if one.graph] == ["broken", "empty", "g"]
    assert not any(one.spaces for one in contents.values())
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


def test_the_trash_has_a_size(folder: Path) -> None:
    """What was deleted first goes first; what was deleted last stays, however large it is."""
    trash = Trash(folder, folder / HIDDEN / "trash", room=2500)
    tokens = []
    for number in range(4):
        (folder / "note.txt").write_bytes(bytes(1000))
        tokens.append(trash.put(folder / "note.txt"))
        os.utime(folder / HIDDEN / "trash" / tokens[-1], (2e9 + number, 2e9 + number))
    kept = [token for token in tokens if (folder / HIDDEN / "trash" / token).exists()]
    assert kept == tokens[-2:]
    (folder / "large.txt").write_bytes(bytes(9000))
    large = trash.put(folder / "large.txt")
    assert [path.name for path in (folder / HIDDEN / "trash").iterdir()] == [large]
    trash.restore(large)
    assert (folder / "large.txt").stat().st_size == 9000


def test_what_comes_back_has_a_name_that_no_other_clip_has(folder: Path) -> None:
    workspace = Workspace(folder)
    token = workspace.trash.put(folder / "walk.bvh")
    save(samples.make("stand").motion, workspace.new("clips", "Walk", ".npz"))
    assert workspace.restore(token) == [folder / "walk 2.bvh"]
    # what is no clip may be called as one
    kept = workspace.folder("results") / "run.npz"
    kept.write_bytes(b"x")
    assert workspace.restore(workspace.trash.put(kept)) == [kept]


@pytest.mark.parametrize(
    ("files", "back"),
    [
        (["take 5.bvh"], ["take 5 2.bvh"]),
        (["a.v2.bvh"], ["a.v2 2.bvh"]),
        (["results/a.v2.npz", "results/a.v2.json"], ["results/a.v2 2.npz", "results/a.v2 2.json"]),
        (["exports/a.bvh", "exports/a.bvh.json"], ["exports/a 2.bvh", "exports/a 2.bvh.json"]),
    ],
)
def test_a_number_is_added_to_a_name_and_none_is_taken_from_it(folder: Path, files: list[str], back: list[str]) -> None:
    workspace = Workspace(folder)
    for file in files:
        (folder / file).parent.mkdir(exist_ok=True)
        (folder / file).write_text("first")
    token = workspace.trash.put(*(folder / file for file in files))
    (folder / files[-1]).write_text("second")
    assert workspace.restore(token) == [folder / file for file in back]
    assert (folder / files[-1]).read_text() == "second"


def test_a_place_that_is_promised_is_taken(folder: Path) -> None:
    workspace = Workspace(folder)
    place = workspace.new("graphs", "g", ".mog")
    place.write_text("first")
    token = workspace.trash.put(place)
    with workspace.promised(lambda: workspace.new("graphs", "g", ".mog")) as target:
        assert target == place
        assert workspace.new("graphs", "g", ".mog").name == "g 2.mog"
        assert [path.name for path in workspace.restore(token)] == ["g 2.mog"]
    assert workspace.new("graphs", "g", ".mog") == place


def test_what_cannot_all_be_put_back_stays_in_the_trash(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    workspace = Workspace(folder)
    token = workspace.trash.put(folder / "walk.bvh", folder / "run.bvh")
    real = Path.replace

    def full(path: Path, target: Path) -> Path:
        if target.name == "run.bvh":
            raise OSError(errno.ENOSPC, "No space left on device")
        return real(path, target)

    monkeypatch.setattr(Path, "replace", full)
    with pytest.raises(FormatError, match="No space left"):
        workspace.restore(token)
    assert not list(folder.glob("*.bvh"))
    monkeypatch.undo()
    assert [path.name for path in workspace.restore(token)] == ["walk.bvh", "run.bvh"]


def test_the_trash_may_be_on_another_disk(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    workspace = Workspace(folder)
    data = (folder / "walk.bvh").read_bytes()
    (folder / "link.bvh").symlink_to("run.bvh")
    real = Path.replace

    def apart(path: Path, target: Path) -> Path:
        if (HIDDEN in path.parts) != (HIDDEN in Path(target).parts):
            raise OSError(errno.EXDEV, "Invalid cross-device link")
        return real(path, target)

    monkeypatch.setattr(Path, "replace", apart)
    token = workspace.trash.put(folder / "walk.bvh", folder / "link.bvh")
    assert [entry.name for entry in workspace.clips()] == ["run"]
    workspace.restore(token)
    assert (folder / "walk.bvh").read_bytes() == data
    assert (folder / "link.bvh").is_symlink()
    assert (folder / "run.bvh").exists()


def test_an_amc_with_another_skeleton_is_another_motion(folder: Path, sample_files: Path) -> None:
    shutil.copy(sample_files / "01_01.amc", folder)
    shutil.copy(next(sample_files.glob("*.asf")), folder / "01.asf")
    workspace = Workspace(folder)
    first = workspace.motion(id_of("01_01.amc"))
    assert workspace.motion(id_of("01_01.amc")) is first
    text = (folder / "01.asf").read_text()
    (folder / "01_01.asf").write_text(_longer(text))
    other = workspace.motion(id_of("01_01.amc"))
    assert other.skeleton.stature > 1.05 * first.skeleton.stature


def _longer(asf: str) -> str:
    """An ASF with bones that are longer by a tenth."""
    lines = asf.splitlines()
    bones = lines.index(":bonedata")
    for number, line in enumerate(lines[bones:], bones):
        if line.split()[:1] == ["length"]:
            lines[number] = f"    length {1.1 * float(line.split()[1]):.9g}"
    return "\n".join(lines) + "\n"


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


def test_of_a_file_only_what_it_is_now_is_held(folder: Path) -> None:
    """Who uploads, builds and deletes all day does not fill the memory with what is gone."""
    workspace = Workspace(folder)
    walk, run = folder / "walk.bvh", folder / "run.bvh"
    first = workspace.read(walk)
    assert workspace.read(walk) is first
    walk.write_bytes(run.read_bytes())
    second = workspace.read(walk)
    assert second is not first
    held = workspace._motions
    assert [value for value, _ in held._held.values()] == [second]
    workspace.read(run)
    workspace.discard("clip", next(one.id for one in workspace.clips() if one.name == "walk"))
    assert len(held._held) == 1
    assert held._total == sum(weight for _, weight in held._held.values()) > 0
