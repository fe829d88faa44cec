import os
import stat
import subprocess
import sys

import pytest

from kinegraph.errors import FormatError
from kinegraph.formats.atomic import replacing


def test_file_appears_when_the_block_ends_and_not_before(tmp_path):
    target = tmp_path / "take.bvh"
    with replacing(target) as temporary:
        assert temporary.parent == tmp_path
        assert temporary.suffix == ".bvh"
        temporary.write_text("whole")
        assert not target.exists()
    assert target.read_text() == "whole"
    assert [path.name for path in tmp_path.iterdir()] == ["take.bvh"]


def test_old_file_is_replaced_and_keeps_its_permissions(tmp_path):
    target = tmp_path / "take.bvh"
    target.write_text("old")
    target.chmod(0o640)
    with replacing(str(target)) as temporary:
        temporary.write_text("new")
        assert target.read_text() == "old"
    assert target.read_text() == "new"
    assert stat.S_IMODE(target.stat().st_mode) == 0o640


def test_new_file_is_as_readable_as_any_other(tmp_path):
    with replacing(tmp_path / "take.bvh") as temporary:
        temporary.write_text("new")
    (tmp_path / "ordinary").write_text("")
    assert (tmp_path / "take.bvh").stat().st_mode == (tmp_path / "ordinary").stat().st_mode


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt])
def test_failure_leaves_the_folder_as_it_was(tmp_path, error):
    target = tmp_path / "take.bvh"
    target.write_text("old")

    def fail_half_way():
        with replacing(target) as temporary:
            temporary.write_text("half")
            raise error

    with pytest.raises(error):
        fail_half_way()
    assert target.read_text() == "old"
    assert [path.name for path in tmp_path.iterdir()] == ["take.bvh"]


def test_a_link_stays_a_link(tmp_path):
    real, link = tmp_path / "real.bvh", tmp_path / "link.bvh"
    real.write_text("old")
    link.symlink_to(real)
    with replacing(link) as temporary:
        temporary.write_text("new")
    assert link.is_symlink()
    assert real.read_text() == "new"


def test_missing_folder_is_named(tmp_path):
    with pytest.raises(FormatError, match=r"there is no folder .*nowhere"), replacing(tmp_path / "nowhere" / "a.bvh"):
        pytest.fail("the block must not run")


def test_folder_as_target_is_refused(tmp_path):
    with pytest.raises(FormatError, match="this is a folder"), replacing(tmp_path):
        pytest.fail("the block must not run")


def test_folder_that_cannot_be_written_is_named(tmp_path, monkeypatch):
    # root may write anywhere, so the refusal is played
    def refuse(*_args, **_options):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("kinegraph.formats.atomic.tempfile.mkstemp", refuse)
    with (
        pytest.raises(FormatError, match=r"cannot write into the folder .*Permission denied"),
        replacing(tmp_path / "a.bvh"),
    ):
        pytest.fail("the block must not run")


@pytest.mark.skipif(sys.platform == "win32", reason="locks are told from the system's")
def test_what_a_killed_writer_left_is_removed_by_the_next(tmp_path):
    script = (
        "import os, signal, sys\n"
        "from kinegraph.formats.atomic import replacing\n"
        "with replacing(sys.argv[1]) as temporary:\n"
        "    temporary.write_text('half')\n"
        "    os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    target = tmp_path / "g.mog"
    subprocess.run([sys.executable, "-c", script, str(target)], check=False, timeout=60)
    (left,) = tmp_path.iterdir()
    assert left.name.startswith(".g-")
    os.utime(left, (1e9, 1e9))
    # others' files are not touched: neither those of like names, nor what another writer holds
    for name in (".g-notes.mog", ".g-abcdefgh.txt", ".other-abcdefgh.mog"):
        (tmp_path / name).write_text("mine")
        os.utime(tmp_path / name, (1e9, 1e9))
    with replacing(target) as first:
        first.write_text("first")
        os.utime(first, (1e9, 1e9))
        with replacing(target) as second:
            second.write_text("second")
        assert first.exists()
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        ".g-abcdefgh.txt",
        ".g-notes.mog",
        ".other-abcdefgh.mog",
        "g.mog",
    ]
    assert target.read_text() == "first"
