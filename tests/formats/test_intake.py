from __future__ import annotations

import os
import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from kinegraph import graph, samples
from kinegraph.errors import ClipsError, FormatError, GraphError, SpaceError
from kinegraph.formats import gltf, save
from kinegraph.formats.intake import Take, clip_files, clips, digest
from kinegraph.formats.options import ReadOptions
from kinegraph.motion.clip import Motion
from kinegraph.watch import Stopped


def sample(name: str) -> Motion:
    return samples.make(name).motion


def take(given: Motion | str | Path) -> Take:
    (one,) = clips(given).takes
    return one


def written(folder: Path, **named: str) -> Path:
    """A folder of clips: path within it, without the suffix and ``_`` for a folder → sample."""
    for name, made in named.items():
        path = folder / f"{name.replace('_', '/')}.npz"
        path.parent.mkdir(parents=True, exist_ok=True)
        save(sample(made), path)
    return folder


# -- one clip ---------------------------------------------------------------------------------------------------------


def test_a_take_of_a_file_knows_the_file(tmp_path: Path) -> None:
    save(sample("walk"), tmp_path / "stroll.bvh")
    one = take(tmp_path / "stroll.bvh")
    assert (one.name, one.file) == ("stroll", "stroll.bvh")
    assert len(one.sha256) == 64
    assert take(str(tmp_path / "stroll.bvh")).sha256 == one.sha256
    assert len(one.motion) == len(sample("walk"))


def test_a_file_that_somebody_else_has_read_is_the_same_take(tmp_path: Path) -> None:
    save(sample("walk"), tmp_path / "stroll.bvh")
    one, other = take(tmp_path / "stroll.bvh"), Take.of(sample("walk"), tmp_path / "stroll.bvh")
    assert (one.name, one.file, one.sha256) == (other.name, other.file, other.sha256)


def test_a_take_of_a_motion_has_bones_of_one_length() -> None:
    motion = sample("walk")
    offsets = np.repeat(motion.skeleton.offsets[None], len(motion), axis=0)
    one = take(replace(motion, translations=offsets * np.linspace(0.9, 1.1, len(motion))[:, None, None]))
    assert one.motion.translations is None
    assert one.file == ""


def test_a_motion_needs_a_name() -> None:
    with pytest.raises(GraphError, match="needs a name"):
        take(sample("walk").renamed(""))


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=r"nothing\.bvh: no such file"):
        take(tmp_path / "nothing.bvh")


def test_a_digest_is_of_the_numbers_not_of_the_name() -> None:
    motion = sample("walk")
    assert digest(motion) == digest(motion.renamed("other"))
    others = [
        motion[:-1],
        replace(motion, fps=61.0),
        replace(motion, root=motion.root + 1e-12),
        replace(motion, skeleton=motion.skeleton.scaled(1.001)),
        sample("run"),
    ]
    assert len({digest(motion), *map(digest, others)}) == 6


# -- several ----------------------------------------------------------------------------------------------------------


def test_each_recording_once_in_the_order_given() -> None:
    walk, run = sample("walk"), sample("run")
    taken = clips([walk, run, walk, walk.renamed("stroll")])
    assert [one.name for one in taken.takes] == ["walk", "run"]
    assert taken.notices == ("walk is given twice: used once", "stroll is the same recording as walk: used once")


def test_files_motions_and_takes_may_be_mixed(tmp_path: Path) -> None:
    folder = written(tmp_path, walk="walk")
    known = take(sample("sneak"))
    taken = clips([sample("run"), folder, known])
    assert [one.name for one in taken.takes] == ["run", "walk", "sneak"]
    assert taken.takes[-1] is known


def test_two_recordings_of_one_name_are_refused(tmp_path: Path) -> None:
    folder = written(tmp_path, a_walk="run", b_walk="sneak")
    both = r"two different clips are called 'walk', one in memory and walk\.npz: rename one"
    with pytest.raises(GraphError, match=both):
        clips([sample("walk"), take(folder / "a" / "walk.npz")])
    with pytest.raises(SpaceError, match=r"walk', .*a/walk\.npz and .*b/walk\.npz"):
        clips([folder / "a", folder / "b"])


def test_what_the_reader_assumed_is_told_once(tmp_path: Path) -> None:
    for name in ("walk", "run", "sneak"):
        save(sample(name), tmp_path / f"{name}.bvh")
    (remark,) = clips(tmp_path).notices
    assert remark.startswith("all 3 clips: ")
    assert clips([tmp_path / "walk.bvh", sample("jump")]).notices[0].startswith("walk: ")
    assert clips(tmp_path, ReadOptions(units="cm")).notices == ()


def test_nothing_is_nothing() -> None:
    assert clips([]).takes == ()


def test_reading_is_told_and_can_be_stopped(tmp_path: Path) -> None:
    folder = written(tmp_path, walk="walk", run="run")
    told: list[tuple[str, int, int | None]] = []
    clips([folder, take(sample("sneak"))], watch=lambda *what: told.append(what))
    assert told == [("read", 1, 2), ("read", 2, 2)]  # a take is read already

    def stop(stage: str, done: int, total: int | None) -> None:
        raise Stopped("enough")

    with pytest.raises(Stopped):
        clips(folder, watch=stop)


# -- folders ----------------------------------------------------------------------------------------------------------


def test_folders_are_searched_by_name_with_those_within_them(tmp_path: Path) -> None:
    for name in ("b.BVH", "a.npz", ".hidden.bvh", "c.txt", "inner/d.bvh", "inner/deeper/e.amc", ".secret/f.bvh"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    found = clip_files([tmp_path / "z.bvh", tmp_path])
    assert [one.name for one in found] == ["z", "a", "b", "inner/d", "inner/deeper/e"]
    assert found[-1].path == tmp_path / "inner" / "deeper" / "e.amc"


def test_equal_names_in_different_folders_are_kept_apart(tmp_path: Path) -> None:
    folder = written(tmp_path, walk="walk", old_walk="walk_slow", new_walk="walk_fast")
    taken = clips(folder)
    assert [one.name for one in taken.takes] == ["new/walk", "old/walk", "walk"]
    assert {one.file for one in taken.takes} == {"walk.npz"}
    made = graph.build(folder)
    assert [clip.name for clip in made.clips] == ["new/walk", "old/walk", "walk"]


def test_a_graph_of_such_names_is_saved_and_found_again(tmp_path: Path) -> None:
    folder = written(tmp_path / "clips", walk="walk", left_walk="walk_left_medium")
    made = graph.build(folder, path=tmp_path / "g.mog")
    again = graph.load(tmp_path / "g.mog")
    assert graph.digest(again) == graph.digest(made)
    assert again.clip("left/walk").source.file == "walk.npz"


@pytest.mark.parametrize("target", [".", "..", "inner"])
def test_links_that_lead_in_a_circle_do_no_harm(tmp_path: Path, target: str) -> None:
    folder = written(tmp_path / "clips", walk="walk", inner_run="run")
    (folder / "inner" / "round").symlink_to(Path("..") / target, target_is_directory=True)
    (folder / "itself").symlink_to("itself")
    assert [one.name for one in clips(folder).takes] == ["inner/run", "walk"]
    assert clips(folder).notices == ()


def test_a_folder_behind_a_link_is_searched(tmp_path: Path) -> None:
    folder, elsewhere = written(tmp_path / "clips", walk="walk"), written(tmp_path / "elsewhere", run="run")
    (folder / "more").symlink_to(elsewhere, target_is_directory=True)
    assert [one.name for one in clips(folder).takes] == ["more/run", "walk"]


def test_a_copy_in_a_folder_within_is_used_once(tmp_path: Path) -> None:
    folder = written(tmp_path, walk="walk")
    (folder / "copy").mkdir()
    shutil.copy(folder / "walk.npz", folder / "copy" / "walk.npz")
    taken = clips(folder)
    assert len(taken.takes) == 1
    assert taken.notices == (
        f"{folder / 'walk.npz'} is the same recording as {folder / 'copy' / 'walk.npz'}: used once",
    )


def test_skeletons_that_a_shell_takes_along_are_passed_over(tmp_path: Path) -> None:
    files = [tmp_path / name for name in ("16.asf", "16_15.amc", "walk.bvh")]
    assert [one.path for one in clip_files(files)] == files[1:]
    # where it is not a clip's, it is an error to come
    assert [one.path for one in clip_files(tmp_path / "16.asf")] == [tmp_path / "16.asf"]


def test_a_folder_without_clips_is_told_of(tmp_path: Path) -> None:
    (tmp_path / "inner").mkdir()
    (tmp_path / "inner" / "notes.txt").touch()
    with pytest.raises(FormatError, match="no clips in this folder, nor in any within it"):
        clips(tmp_path)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_folder_that_cannot_be_read_is_told_of(tmp_path: Path) -> None:
    folder = written(tmp_path, walk="walk", inner_run="run")
    (folder / "inner").chmod(0)
    try:
        with pytest.raises(FormatError, match="the folder cannot be read"):
            clips(folder)
    finally:
        (folder / "inner").chmod(0o700)


def test_clips_error_is_of_graphs_and_of_spaces() -> None:
    assert issubclass(ClipsError, GraphError)
    assert issubclass(ClipsError, SpaceError)


def test_every_animation_of_a_glb_is_a_clip(tmp_path: Path) -> None:
    gltf.write_all([sample("walk"), sample("run"), sample("walk").renamed("walk")], tmp_path / "hero.glb")
    taken = clips(tmp_path / "hero.glb").takes
    assert [one.name for one in taken] == ["hero/walk", "hero/run", "hero/walk_2"]
    assert [one.file for one in taken] == ["hero.glb"] * 3
    assert len({one.sha256 for one in taken}) == 3
    assert len(taken[1].motion) == len(sample("run"))
    (only,) = clips(tmp_path / "hero.glb", ReadOptions(animation="run")).takes
    assert (only.name, len(only.motion)) == ("hero", len(sample("run")))
    gltf.write(sample("walk"), tmp_path / "one.glb")
    assert take(tmp_path / "one.glb").name == "one"
