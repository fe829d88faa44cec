from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest

from kinegraph.errors import FormatError, GraphError
from kinegraph.graph.making.draft import Draft
from kinegraph.similarity.candidates import Candidates
from kinegraph.similarity.minima import Minima

# Puts pairs into a draft, as fast as it can, until it is killed; says how many it has put.
_BUILD = """
import sys
from kinegraph.graph.making.draft import Draft
from tests.graph.test_draft import some
with Draft.open(sys.argv[1], "clips and parameters") as draft:
    print(draft.done.pairs, flush=True)
    for number in range(draft.done.pairs, 1_000_000, 3):
        draft.put(some(number, number + 1, number + 2))
        print(number + 3, flush=True)
"""


def pair(number: int) -> tuple[int, int]:
    return number // 100, number


def found(number: int) -> Minima:
    random = np.random.default_rng(number)
    count = int(random.integers(0, 300))
    first = np.sort(random.integers(0, 500, count))
    return Minima(first, random.integers(0, 500, count), random.random(count), 10)


def some(*numbers: int) -> Candidates:
    return Candidates.of({pair(n): found(n) for n in numbers})


def start_build(output) -> subprocess.Popen[str]:
    root = Path(__file__).parents[2]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(root), str(root / "src")])}
    return subprocess.Popen(
        [sys.executable, "-c", _BUILD, str(output)], stdout=subprocess.PIPE, text=True, env=environment
    )


def test_what_was_put_is_there_the_next_time(tmp_path):
    output = tmp_path / "G.mog"
    with Draft.open(output, "x") as draft:
        assert dict(draft.done.items()) == {}
        draft.put(some(1, 2))
        draft.put(some(3))
    with Draft.open(output, "x") as draft:
        assert dict(draft.done.items()) == {pair(n): found(n) for n in (1, 2, 3)}
        assert (tmp_path / "G.mog.part").exists()
        draft.discard()
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="no SIGKILL on this system")
def test_killed_at_any_moment_keeps_a_whole_prefix(tmp_path):
    output, moments = tmp_path / "G.mog", np.random.default_rng(11).uniform(0, 0.05, 6)
    least = 0
    for moment in moments:
        with start_build(output) as build:
            assert build.stdout is not None
            assert int(build.stdout.readline()) >= least  # nothing that was said to be safe is lost
            said = [build.stdout.readline() for _ in range(2)]  # however busy the machine is, something is safe
            time.sleep(moment)
            build.kill()
            said += build.stdout.read().split()
        # a line may be cut by the kill: the last but one is whole
        least = max(least, int(said[-2]) if len(said) > 1 else 0)
        with Draft.open(output, "clips and parameters") as draft:
            count = draft.done.pairs
            assert count >= least
            assert count % 3 == 0
            assert dict(draft.done.items()) == {pair(n): found(n) for n in range(count)}
    assert least > 0


def test_second_build_is_kept_out_until_the_first_ends(tmp_path):
    output = tmp_path / "G.mog"
    with start_build(output) as build:
        assert build.stdout is not None
        build.stdout.readline()
        with pytest.raises(GraphError, match=r"another build is writing .*G\.mog"):
            Draft.open(output, "clips and parameters")
        with pytest.raises(GraphError, match=r"another build is writing"):
            Draft.open(output, "another wish")  # must not throw away what is in use
        build.kill()
    Draft.open(output, "clips and parameters").close()  # no lock is left


def test_second_build_in_the_same_process_is_kept_out(tmp_path):
    with Draft.open(tmp_path / "G.mog", "x") as draft:
        with pytest.raises(GraphError, match="another build"):
            Draft.open(tmp_path / "G.mog", "x")
        Draft.open(tmp_path / "H.mog", "x").close()
        draft.put(some(1))


def test_draft_of_another_build_is_thrown_away(tmp_path):
    output = tmp_path / "G.mog"
    with Draft.open(output, "x") as draft:
        draft.put(some(1))
    with Draft.open(output, "y") as draft:
        assert dict(draft.done.items()) == {}
    with Draft.open(output, "x") as draft:
        assert dict(draft.done.items()) == {}


@pytest.mark.parametrize(
    "statement",
    [
        "PRAGMA user_version = 1",
        "PRAGMA application_id = 5",
        "DROP TABLE part",
        "DELETE FROM fingerprint",
        "UPDATE part SET cost = zeroblob(length(cost))",
        "UPDATE part SET window = x'0B000000'",
        "UPDATE part SET b = x'09000000'",
        "UPDATE part SET first = 7",
    ],
)
def test_changed_draft_is_not_trusted(tmp_path, statement):
    output = tmp_path / "G.mog"
    with Draft.open(output, "x") as draft:
        draft.put(some(1))
    with closing(sqlite3.connect(tmp_path / "G.mog.part")) as connection:
        connection.execute(statement)
        connection.commit()
    with Draft.open(output, "x") as draft:
        assert dict(draft.done.items()) == {}
        draft.put(some(2))
    with Draft.open(output, "x") as draft:
        assert dict(draft.done.items()) == {pair(2): found(2)}


def test_damaged_bytes_are_never_trusted(tmp_path):
    output, part = tmp_path / "G.mog", tmp_path / "G.mog.part"
    with Draft.open(output, "x") as draft:
        draft.put(some(*range(5)))
    data, random = part.read_bytes(), np.random.default_rng(2)
    flips = [(place, data[place] ^ 1 << int(random.integers(8))) for place in random.integers(0, len(data), 60)]
    flips += [(place, value) for place in range(100) for value in (data[place] ^ 1, data[place] ^ 128)]
    damaged = [data[:place] + bytes([value]) + data[place + 1 :] for place, value in flips]
    for junk in (*damaged, *(data[:size] for size in random.integers(0, len(data), 30))):
        part.write_bytes(junk)
        with Draft.open(output, "x") as draft:
            assert all(minima == found(key[1]) for key, minima in draft.done.items())


@pytest.mark.parametrize("junk", [b"", b"half a download", b"SQLite format 3\0" + b"?" * 9000])
def test_junk_in_its_place(tmp_path, junk):
    (tmp_path / "G.mog.part").write_bytes(junk)
    (tmp_path / "G.mog.part-wal").write_bytes(junk)
    with Draft.open(tmp_path / "G.mog", "x") as draft:
        assert dict(draft.done.items()) == {}
        draft.put(some(1))
    with Draft.open(tmp_path / "G.mog", "x") as draft:
        assert dict(draft.done.items()) == {pair(1): found(1)}


def test_full_disk_loses_nothing(tmp_path):
    output = tmp_path / "G.mog"
    output.write_bytes(b"the old graph")
    with Draft.open(output, "x") as draft:
        draft.put(some(1))
        draft._connection.execute("PRAGMA max_page_count = 5")
        with pytest.raises(FormatError, match="database or disk is full; free some space"):
            draft.put(some(*range(2, 50)))
    assert output.read_bytes() == b"the old graph"
    with Draft.open(output, "x") as draft:
        assert dict(draft.done.items()) == {pair(1): found(1)}


def test_places_where_nothing_can_be_written(tmp_path, monkeypatch):
    with pytest.raises(FormatError, match="there is no folder"):
        Draft.open(tmp_path / "nowhere" / "G.mog", "x")
    with pytest.raises(FormatError, match="this is a folder"):
        Draft.open(tmp_path, "x")

    # root may write anywhere, so the refusal is played
    def refuse(*_args, **_options):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("kinegraph.graph.making.draft.Path.touch", refuse)
    with pytest.raises(FormatError, match=r"cannot write into the folder .*Permission denied"):
        Draft.open(tmp_path / "G.mog", "x")


def test_two_names_of_one_output_share_a_draft(tmp_path):
    (tmp_path / "real.mog").touch()
    (tmp_path / "link.mog").symlink_to(tmp_path / "real.mog")
    with Draft.open(tmp_path / "link.mog", "x"), pytest.raises(GraphError, match="another build"):
        Draft.open(tmp_path / "real.mog", "x")
