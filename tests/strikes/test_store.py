from __future__ import annotations

import sqlite3
import subprocess
import sys
import threading
from collections.abc import Callable, Sequence
from contextlib import closing, suppress
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import kinegraph as kg
from kinegraph import samples
from kinegraph.errors import FormatError, SpaceError
from kinegraph.graph.model import MotionGraph
from kinegraph.graph.store import files as graph_store
from kinegraph.graph.store import schema
from kinegraph.strikes.builder import build
from kinegraph.strikes.rounding import rounded
from kinegraph.strikes.space import Space
from kinegraph.strikes.store import files as store
from kinegraph.strikes.store.files import check, load, names, save
from tests.cli.inprocess import call
from tests.graph.made import made_graph


def built(kind: str, takes: Sequence[kg.Motion]) -> Space:
    space = build(takes, kind)
    return replace(space, examples=rounded(space.examples))


def sampled(kind: str) -> list[kg.Motion]:
    return [samples.make(name).motion for name in samples.names() if name.startswith(kind)]


@pytest.fixture(scope="module")
def punches() -> Space:
    return built("punch", sampled("punch"))


@pytest.fixture(scope="module")
def kicks() -> Space:
    return built("kick", sampled("kick"))


@pytest.fixture(scope="module")
def graph() -> MotionGraph:
    return made_graph(frames=40)


@pytest.fixture
def saved(punches: Space, tmp_path: Path) -> Path:
    path = tmp_path / "s.mog"
    save(punches, path)
    return path


def edit(path: Path, *statements: str) -> None:
    """Change a file behind the library's back."""
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA ignore_check_constraints = ON")
        for statement in statements:
            connection.execute(statement)
        connection.commit()


def same_bits(a: np.ndarray, b: np.ndarray) -> bool:
    return a.dtype == b.dtype and a.shape == b.shape and a.tobytes() == b.tobytes()


def differences(a: Space, b: Space) -> list[str]:
    """In what two spaces differ, to the last bit."""
    one, other = a.examples, b.examples
    words = ("kind", "side", "fps", "strikes", "hit")
    found = [name for name in words if getattr(one, name) != getattr(other, name)]
    arrays = ("root", "rotations", "times", "contacts")
    found += [name for name in arrays if not same_bits(getattr(one, name), getattr(other, name))]
    body, again = one.skeleton, other.skeleton
    found += [name for name in ("names", "overrides", "roles") if getattr(body, name) != getattr(again, name)]
    parts = ("parents", "offsets", "tip_parents", "tip_offsets")
    found += [name for name in parts if not same_bits(getattr(body, name), getattr(again, name))]
    return found + (["name"] if a.name != b.name else [])


def asked(space: Space) -> list[bytes]:
    """What a space answers to targets inside, outside, in three dimensions, and by parts of the body."""
    low, high = space.region.low, space.region.high
    middle = (low + high) / 2
    reaches = [
        space.reach(middle),
        space.reach(high + 0.03),
        space.reach(space.samples.hits[-1]),
        space.reach(high - 0.01, method="partial"),
    ]
    values = [
        (r.motion.root, r.motion.rotations, r.weights, r.hit, r.contacts, [r.miss, r.reliability]) for r in reaches
    ]
    return [np.asarray(value).tobytes() for some in values for value in some]


# -- rounding ---------------------------------------------------------------------------------------------------------


def test_rounding_settles_and_changes_next_to_nothing() -> None:
    raw = build(sampled("kick")[:3], "kick").examples
    # signs that no motion would have, since they jump in time, but that agree between the strikes
    raw = replace(raw, rotations=raw.rotations * np.where(np.arange(raw.moments) % 2, -1.0, 1.0)[:, None, None])
    once = rounded(raw)
    twice = rounded(once)
    assert same_bits(once.root, twice.root)
    assert same_bits(once.rotations, twice.rotations)
    assert np.abs(once.root - raw.root).max() < 1e-6
    assert np.abs(once.rotations - raw.rotations).max() < 1e-6
    assert np.abs(once.hits - raw.hits).max() < 1e-6
    for name in ("times", "contacts"):
        assert same_bits(getattr(once, name), getattr(raw, name))


def test_a_zero_loses_its_sign_before_it_would_in_the_file(punches: Space, tmp_path: Path) -> None:
    body = punches.examples.skeleton
    offsets = np.where(body.offsets == 0, -0.0, body.offsets)
    assert not same_bits(offsets, body.offsets)
    signed = replace(punches, examples=replace(punches.examples, skeleton=replace(body, offsets=offsets)))
    with pytest.raises(SpaceError, match="round its examples first"):
        save(signed, tmp_path / "s.mog")
    save(replace(signed, examples=rounded(signed.examples)), tmp_path / "s.mog")
    assert differences(load(tmp_path / "s.mog"), punches) == []


# -- round trip -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["s.mog", "a b?c#d%20e&mode=rw.mog", "größe.mog", "no_suffix"])
def test_what_is_loaded_is_what_was_saved(punches: Space, tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    save(punches, path)
    assert differences(load(path), punches) == []
    assert names(path) == (punches.name,)
    assert check(path) == []
    assert [entry.name for entry in tmp_path.iterdir()] == [name]


@pytest.mark.parametrize("kind", ["punch", "kick"])
def test_a_loaded_space_answers_with_the_same_bytes(punches: Space, kicks: Space, tmp_path: Path, kind: str) -> None:
    space = punches if kind == "punch" else kicks
    save(space, tmp_path / "s.mog")
    back = load(tmp_path / "s.mog")
    assert differences(back, space) == []
    assert asked(back) == asked(space)


@pytest.mark.parametrize(("take", "kind"), [("02_05", "punch"), ("144_05", "kick")])
def test_real_strikes_come_back(cmu: Path, tmp_path: Path, take: str, kind: str) -> None:
    space = built(kind, [kg.load(cmu / "bvh" / f"{take}.bvh")])
    save(space, tmp_path / "s.mog")
    back = load(tmp_path / "s.mog")
    assert differences(back, space) == []
    assert asked(back) == asked(space)
    assert check(tmp_path / "s.mog") == []


def test_given_roles_and_doubtful_words_come_back(punches: Space, tmp_path: Path) -> None:
    examples = punches.examples
    word = "удар'; DROP TABLE space; --\n\0"
    odd = Space(
        word,
        replace(
            examples,
            skeleton=examples.skeleton.with_roles({"head": 3}),
            strikes=tuple(replace(strike, clip=f"{strike.clip}{word}") for strike in examples.strikes),
        ),
    )
    save(odd, tmp_path / "s.mog")
    assert differences(load(tmp_path / "s.mog"), odd) == []
    assert differences(load(tmp_path / "s.mog", word), odd) == []


def test_same_space_gives_same_bytes(punches: Space, saved: Path, tmp_path: Path) -> None:
    save(load(saved), tmp_path / "again.mog")
    assert (tmp_path / "again.mog").read_bytes() == saved.read_bytes()


def test_one_select_lists_strikes(punches: Space, saved: Path) -> None:
    with closing(sqlite3.connect(saved)) as connection:
        rows = connection.execute(
            "SELECT space, clip, start_frame, hit_frame, end_frame, x, y, z FROM strike"
        ).fetchall()
    assert [row[:5] for row in rows] == [
        (punches.name, strike.clip, strike.start, strike.hit, strike.end) for strike in punches.examples.strikes
    ]
    assert np.array_equal([row[5:] for row in rows], punches.examples.hits)


# -- several in one file ----------------------------------------------------------------------------------------------


def test_spaces_stand_side_by_side_and_are_replaced_by_name(punches: Space, kicks: Space, saved: Path) -> None:
    save(kicks, saved)
    assert names(saved) == ("right punch", "right kick")
    fewer = replace(punches, examples=punches.examples.only(range(5)))
    save(fewer, saved)
    assert names(saved) == ("right punch", "right kick")
    assert differences(load(saved, "right punch"), fewer) == []
    assert differences(load(saved, "right kick"), kicks) == []
    assert check(saved) == []
    with closing(sqlite3.connect(saved)) as connection:
        assert connection.execute("PRAGMA freelist_count").fetchone() == (0,)


def test_which_space_must_be_said(punches: Space, kicks: Space, saved: Path) -> None:
    with pytest.raises(FormatError, match=r"no space 'hook' in it; it holds 'right punch'$"):
        load(saved, "hook")
    save(kicks, saved)
    with pytest.raises(FormatError, match=r"s\.mog: this holds the spaces 'right punch', 'right kick': say which"):
        load(saved)


def test_a_space_goes_beside_a_graph(punches: Space, graph: MotionGraph, tmp_path: Path) -> None:
    path = tmp_path / "g.mog"
    done = (graph_store.Step("build", 1.25, 1000, "0.1.0"),)
    graph_store.save(graph, path, done)
    save(punches, path)
    save(punches, path)
    assert differences(load(path), punches) == []
    assert graph_store.digest(graph_store.load(path)) == graph_store.digest(graph)
    assert graph_store.steps(path) == done
    assert check(path) == graph_store.check(path) == []
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("SELECT count(*) FROM array").fetchone()[0] > 0


def test_a_graph_goes_beside_spaces(punches: Space, kicks: Space, graph: MotionGraph, saved: Path) -> None:
    save(kicks, saved)
    for one in (graph, made_graph(("run", "walk"), frames=40)):
        graph_store.save(one, saved)
        assert graph_store.digest(graph_store.load(saved)) == graph_store.digest(one)
        assert names(saved) == ("right punch", "right kick")
        assert differences(load(saved, "right kick"), kicks) == []
        assert check(saved) == []
    with closing(sqlite3.connect(saved)) as connection:
        assert connection.execute("SELECT count(*) FROM strike").fetchone() == (
            len(punches.examples) + len(kicks.examples),
        )


def test_a_graph_can_take_the_spaces_of_another_file_along(punches: Space, graph: MotionGraph, saved: Path) -> None:
    beside = saved.with_name("g.mog")
    graph_store.save(graph, beside, keep=saved)
    assert differences(load(beside), punches) == []
    assert graph_store.digest(graph_store.load(beside)) == graph_store.digest(graph)
    edit(saved, "PRAGMA application_id = 7")
    before = beside.read_bytes()
    with pytest.raises(FormatError, match=r"s\.mog: this is an SQLite file, but no motion graph"):
        graph_store.save(graph, beside, keep=saved)
    assert beside.read_bytes() == before


def test_a_graph_takes_the_place_of_a_file_that_holds_nothing_to_keep(graph: MotionGraph, saved: Path) -> None:
    for content in (b"", b"HIERARCHY\n" * 100, saved.read_bytes()[:9000]):
        saved.write_bytes(content)
        graph_store.save(graph, saved)
        assert check(saved) == []


def test_a_graph_does_not_drop_spaces_that_it_cannot_keep(graph: MotionGraph, saved: Path) -> None:
    data = bytearray(saved.read_bytes())
    with closing(sqlite3.connect(saved)) as connection:
        (page,) = connection.execute("SELECT rootpage FROM sqlite_schema WHERE name = 'space_strike'").fetchone()
    data[4096 * (page - 1) : 4096 * page] = bytes(4096)
    saved.write_bytes(data)
    with pytest.raises(FormatError, match="what else it holds cannot be kept, since the file is damaged"):
        graph_store.save(graph, saved)
    assert saved.read_bytes() == data


def test_clips_are_added_and_taken_out_beside_a_space(punches: Space, tmp_path: Path) -> None:
    path = tmp_path / "g.mog"
    files = [tmp_path / f"{name}.bvh" for name in ("walk", "stand")]
    for file in files:
        kg.save(samples.make(file.stem).motion, file)
    assert call("build", files[0], "-o", path).code == 0
    save(punches, path)
    for command in (("add", path, files[1]), ("remove", path, "stand"), ("build", *files, "-o", path)):
        assert call(*command).code == 0
        assert differences(load(path), punches) == [], command
        assert check(path) == []


def test_tables_of_a_later_kinegraph_are_kept(punches: Space, kicks: Space, graph: MotionGraph, saved: Path) -> None:
    edit(
        saved,
        'CREATE TABLE "of ""later" (a INTEGER PRIMARY KEY, b TEXT) STRICT',
        'INSERT INTO "of ""later" VALUES (7, \'kept\')',
        'CREATE INDEX later_index ON "of ""later" (b)',
        "ALTER TABLE space ADD COLUMN mood TEXT NOT NULL DEFAULT 'calm'",
        "UPDATE space SET mood = 'wild'",
    )
    graph_store.save(graph, saved)
    save(kicks, saved)
    with closing(sqlite3.connect(saved)) as connection:
        assert connection.execute('SELECT * FROM "of ""later"').fetchall() == [(7, "kept")]
        assert connection.execute("SELECT mood FROM space ORDER BY id").fetchall() == [("wild",), ("calm",)]
        assert "later_index" in {name for (name,) in connection.execute("SELECT name FROM sqlite_schema")}
    assert differences(load(saved, punches.name), punches) == []
    assert check(saved) == []


# -- saving: all or nothing -------------------------------------------------------------------------------------------


def test_reader_sees_the_old_space_while_the_new_one_is_written(
    punches: Space, saved: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    new = replace(punches, examples=punches.examples.without(0))
    half_written, go_on = threading.Event(), threading.Event()
    write_rows = store.write_rows

    def slow(*args: object) -> None:
        write_rows(*args)
        half_written.set()
        assert go_on.wait(10)

    monkeypatch.setattr(store, "write_rows", slow)
    writer = threading.Thread(target=save, args=(new, saved))
    writer.start()
    assert half_written.wait(10)
    seen = load(saved)
    go_on.set()
    writer.join()
    assert differences(seen, punches) == []
    assert differences(load(saved), new) == []


@pytest.mark.parametrize("pages", [3, 60])
def test_full_disk_leaves_the_old_file(kicks: Space, saved: Path, monkeypatch: pytest.MonkeyPatch, pages: int) -> None:
    before = saved.read_bytes()
    connect = sqlite3.connect

    def on_small_disk(path: str, **options: object) -> sqlite3.Connection:
        connection = connect(path, **options)
        if "mode=ro" not in path:
            connection.execute(f"PRAGMA max_page_count = {pages}")
        return connection

    monkeypatch.setattr(sqlite3, "connect", on_small_disk)
    with pytest.raises(FormatError, match=r"s\.mog: cannot be written: database or disk is full"):
        save(kicks, saved)
    assert saved.read_bytes() == before
    assert list(saved.parent.iterdir()) == [saved]


def test_interrupted_writing_leaves_the_old_file(kicks: Space, saved: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = saved.read_bytes()

    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(store, "write_rows", interrupted)
    with pytest.raises(KeyboardInterrupt):
        save(kicks, saved)
    assert saved.read_bytes() == before
    assert list(saved.parent.iterdir()) == [saved]


def test_a_killed_process_leaves_the_old_file(saved: Path) -> None:
    before = saved.read_bytes()
    program = (
        "import os, sys\n"
        "from kinegraph.strikes.store import files as store\n"
        "write_rows = store.write_rows\n"
        "def killed(*args):\n"
        "    write_rows(*args)\n"
        "    os._exit(9)\n"
        "store.write_rows = killed\n"
        "store.save(store.load(sys.argv[1]), sys.argv[1])\n"
    )
    assert subprocess.run([sys.executable, "-c", program, str(saved)]).returncode == 9
    assert saved.read_bytes() == before


def test_unsound_spaces_are_not_saved(punches: Space, tmp_path: Path) -> None:
    examples = punches.examples

    def changed(**values: object) -> Space:
        return replace(punches, examples=replace(examples, **values))

    far = examples.root.copy()
    far[2, 5] = 1e39
    still = examples.times.copy()
    still[1, 4] = still[1, 3]
    lost = examples.times.copy()
    lost[1, -1] = np.inf
    cases = {
        "round its examples first": changed(root=examples.root + 1e-9),
        "a strike is 1e\\+39 m away": changed(root=far),
        "no name": replace(punches, name=""),
        "do not increase": changed(times=still),
        "times holds a value that is not finite": changed(times=lost),
        "at moment -": changed(hit=examples.hit - examples.moments),
        "0 frames/s": changed(fps=0.0),
        "need contacts of shape": changed(contacts=examples.contacts[:, :-1]),
        "need rotations of shape": changed(rotations=examples.rotations[:, :-1]),
        "cannot be held": replace(punches, name="\udcff"),
    }
    for message, unsound in cases.items():
        with pytest.raises(SpaceError, match=message):
            save(unsound, tmp_path / "s.mog")
    assert list(tmp_path.iterdir()) == []


def test_places_where_nothing_can_be_written(punches: Space, tmp_path: Path) -> None:
    for path, message in {
        tmp_path: "this is a folder",
        tmp_path / "nowhere" / "s.mog": "there is no folder",
        tmp_path / "zero\0byte.mog": "no file can be written there",
    }.items():
        with pytest.raises(FormatError, match=message):
            save(punches, path)


def test_a_file_that_is_no_mog_is_left_alone_by_a_space(punches: Space, tmp_path: Path) -> None:
    text, foreign, empty = (tmp_path / name for name in ("walk.bvh", "foreign.mog", "empty.mog"))
    text.write_text("HIERARCHY\n" * 100)
    edit(foreign, "CREATE TABLE mine (a)")
    empty.touch()
    for path in (text, foreign):
        before = path.read_bytes()
        with pytest.raises(
            FormatError, match="no space can be put into this file; delete it first, or choose another name"
        ):
            save(punches, path)
        assert path.read_bytes() == before
    save(punches, empty)
    assert differences(load(empty), punches) == []


# -- opening what holds no space --------------------------------------------------------------------------------------


@pytest.mark.parametrize("question", [load, check, names])
def test_files_that_are_no_space(tmp_path: Path, question: Callable[[Path], object]) -> None:
    (tmp_path / "text.mog").write_text("HIERARCHY\n" * 100)
    (tmp_path / "empty.mog").touch()
    edit(tmp_path / "foreign.mog", "CREATE TABLE space (id)")
    for name, message in {
        "text.mog": "this is no space",
        "empty.mog": "the file is empty: build the space anew",
        "foreign.mog": "an SQLite file, but no space",
        "missing.mog": "there is no such file",
        ".": "this is a folder",
    }.items():
        with pytest.raises(FormatError, match=message):
            question(tmp_path / name)


def test_a_file_with_a_graph_alone_says_so(graph: MotionGraph, tmp_path: Path) -> None:
    path = tmp_path / "g.mog"
    graph_store.save(graph, path)
    with pytest.raises(FormatError, match=r"g\.mog: this holds a motion graph and no space: kinegraph inspect"):
        load(path)
    assert names(path) == ()
    assert check(path) == []


def test_a_file_with_spaces_alone_says_so(kicks: Space, saved: Path) -> None:
    for question in (graph_store.load, graph_store.steps, graph_store.check):
        with pytest.raises(
            FormatError, match=r"holds the space 'right punch' and no motion graph: kinegraph space show"
        ):
            question(saved)
    save(kicks, saved)
    with pytest.raises(FormatError, match="holds the spaces 'right punch', 'right kick' and no motion graph"):
        graph_store.load(saved)


def test_newer_file(punches: Space, saved: Path) -> None:
    edit(saved, f"PRAGMA user_version = {schema.VERSION + 1}")
    for question in (load, lambda path: save(punches, path)):
        with pytest.raises(FormatError, match="newer kinegraph"):
            question(saved)


# -- damage -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("table", schema.SPACE_TABLES)
def test_file_without_a_table(punches: Space, saved: Path, table: str) -> None:
    edit(saved, "DROP VIEW strike", f"DROP TABLE {table}")
    before = saved.read_bytes()
    for question in (load, names, check, lambda path: save(punches, path)):
        with pytest.raises(FormatError, match=f"damaged .it has no table {table}"):
            question(saved)
    with pytest.raises(FormatError):
        graph_store.load(saved)
    assert saved.read_bytes() == before


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE space SET kind = 'kick'",
        "UPDATE space SET kind = 'hug'",
        "UPDATE space SET side = 'left'",
        "UPDATE space SET fps = 61.0",
        "UPDATE space SET moments = moments - 1",
        "UPDATE space SET moments = 1000000000000",
        "UPDATE space SET hit = hit + 1",
        "UPDATE space SET hit = -1",
        "UPDATE space SET name = 'left punch'",
        "UPDATE space SET digest = ''",
        "UPDATE space SET id = 4",
        "UPDATE space_joint SET x = x + 1e-9 WHERE id = 5",
        "UPDATE space_joint SET parent = 77 WHERE id = 5",
        "UPDATE space_joint SET x = 9e999 WHERE id = 5",
        "UPDATE space_joint SET name = 'Head' WHERE id = 5",
        "DELETE FROM space_joint WHERE id = 4",
        "DELETE FROM space_joint",
        "UPDATE space_tip SET joint = 99 WHERE id = 0",
        "UPDATE space_role SET joint = 0 WHERE role = 'right_wrist'",
        "UPDATE space_role SET given = 1 - given",
        "DELETE FROM space_tip",
        "DELETE FROM space_role WHERE role = 'head'",
        "DELETE FROM space_strike WHERE id = 2",
        "DELETE FROM space_strike",
        "UPDATE space_strike SET first = first + 1",
        "UPDATE space_strike SET hit = last + 7",
        "UPDATE space_strike SET clip = 'x' WHERE id = 1",
        "UPDATE space_strike SET x = x + 1e-9 WHERE id = 1",
        "UPDATE space_strike SET root = zeroblob(5) WHERE id = 0",
        "UPDATE space_strike SET rotations = zeroblob(length(rotations)) WHERE id = 0",
        "UPDATE space_strike SET times = zeroblob(length(times)) WHERE id = 0",
        "UPDATE space_strike SET contacts = zeroblob(length(contacts)) WHERE id = 0",
        "UPDATE space_strike SET contacts = root, root = contacts WHERE id = 0",
        "UPDATE space_strike SET moments = 2 * moments",
    ],
)
def test_changed_rows_are_refused_and_found(saved: Path, statement: str) -> None:
    edit(saved, statement)
    if statement != "UPDATE space SET id = 4":
        with pytest.raises(FormatError, match=r"s\.mog: the file is damaged .*: take a copy that is whole, or build"):
            load(saved)
    assert check(saved) != []


def test_check_names_what_points_nowhere_and_what_is_amiss(punches: Space, kicks: Space, saved: Path) -> None:
    save(kicks, saved)
    edit(saved, "UPDATE space_joint SET id = 90 WHERE space = 0 AND id = 3", "UPDATE space SET hit = 2 WHERE id = 1")
    found = "\n".join(check(saved))
    assert "a row of table space_joint points to a row of space_joint that does not exist" in found
    assert "the rows of table space_joint are not numbered 0 to 23" in found
    assert "the space 'right kick' cannot be read: the space 'right kick' is not what was saved" in found


def test_damage_to_one_space_leaves_the_others(punches: Space, kicks: Space, graph: MotionGraph, saved: Path) -> None:
    save(kicks, saved)
    graph_store.save(graph, saved)
    edit(saved, "UPDATE space_strike SET root = zeroblob(length(root)) WHERE space = 0")
    with pytest.raises(FormatError, match="the space 'right punch' is not what was saved"):
        load(saved, "right punch")
    assert differences(load(saved, "right kick"), kicks) == []
    assert graph_store.check(saved) == []
    assert len(check(saved)) == 1
    save(punches, saved)
    assert check(saved) == []


def outcome(path: Path, wanted: Space) -> str:
    """What becomes of a damaged file; anything but the same space or a `FormatError` fails the test."""
    try:
        assert differences(load(path, wanted.name), wanted) == [], "a different space"
    except FormatError:
        return "refused"
    return "whole"


def test_truncated_files_are_refused(punches: Space, saved: Path) -> None:
    data = saved.read_bytes()
    for size in (*range(0, 200, 20), *range(200, len(data), len(data) // 40), len(data) - 1):
        saved.write_bytes(data[:size])
        assert outcome(saved, punches) == "refused", size


def test_flipped_bytes_never_give_another_space(punches: Space, graph: MotionGraph, saved: Path) -> None:
    graph_store.save(graph, saved)
    data = saved.read_bytes()
    random = np.random.default_rng(5)
    # the header and the tables' definitions byte by byte, the rest by chance
    places = [*range(0, 120, 5), *random.integers(100, 16384, 40), *random.integers(0, len(data), 60)]
    seen = set()
    for number, place in enumerate(places):
        damaged = bytearray(data)
        damaged[place] ^= 1 << int(random.integers(8))
        saved.write_bytes(damaged)
        seen.add(outcome(saved, punches))
        if number % 3:
            continue
        for question in (check, names):
            with suppress(FormatError):
                question(saved)
        # what is put beside damage is itself whole, or the file stays as it was
        fresh = replace(punches, name="fresh")
        try:
            save(fresh, saved)
        except FormatError:
            assert saved.read_bytes() == damaged
        else:
            assert outcome(saved, fresh) == "whole"
    assert seen == {"refused", "whole"}


def test_notices_of_the_build_are_not_kept(punches: Space, saved: Path, tmp_path: Path) -> None:
    save(replace(punches, notices=("one take was left out",)), tmp_path / "noted.mog")
    assert (tmp_path / "noted.mog").read_bytes() == saved.read_bytes()
    assert load(saved).notices == ()
