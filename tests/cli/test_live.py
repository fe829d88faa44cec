"""`kinegraph live` without a screen: what a stick gives, and one sentence for each thing that is wrong."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest

import kinegraph as kg
from tests.cli.inprocess import call

STICK = "t,x,z\n0,0,1.2\n2,0,0\n3,0,0\n"


@pytest.fixture
def stick(tmp_path: Path) -> Path:
    path = tmp_path / "stick.csv"
    path.write_text(STICK, "utf-8")
    return path


def test_a_stick_becomes_a_file(built: Path, stick: Path, tmp_path: Path) -> None:
    facts = call("live", built, "--stick", stick, "-o", tmp_path / "out.bvh", "--json").json
    assert facts["frames"] == 91 == len(kg.load(tmp_path / "out.bvh"))
    assert facts["notices"] == []
    assert facts["held_slide_mm"]["max"] < 1


def test_a_graph_of_one_label_in_which_nobody_stands(stick: Path, tmp_path: Path) -> None:
    kg.graph.build([kg.samples.make("walk").motion], path=tmp_path / "walk.mog")
    (notice,) = call("live", tmp_path / "walk.mog", "--stick", stick, "--json").json["notices"]
    assert notice.startswith("nobody stands in this graph: whoever is left alone goes on at 1.")
    stick.write_text("t,x,z,label\n0,0,1.2,run\n2,0,0,\n", "utf-8")
    done = call("live", tmp_path / "walk.mog", "--stick", stick)
    assert (done.code, done.err.strip()) == (2, "error: no label 'run' in this graph; it has walk")


def test_a_graph_whose_legs_are_not_known(built: Path, stick: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for place in ("people.steered", "people.person", "tasks.kinds.steer"):
        monkeypatch.setattr(f"kinegraph.{place}.has_legs", lambda skeleton: False)
    facts = call("live", built, "--stick", stick, "--json").json
    assert facts["notices"][0].startswith("the feet are left as they are")
    assert facts["notices"][0].endswith("(build --roles)")


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("t,x,z\n0,0,nan\n1,0,0\n", "stick.csv:2: z: expected a number, got 'nan'"),
        ("t,x,z\n0,,1\n1,0,0\n", "stick.csv:2: x: expected a number, got ''"),
        ("t,x,z\n0,0,1\n5,0,0\n3,0,0\n", "stick.csv:4: t: 3 s comes after 5 s; times must rise"),
        ("", "stick.csv: a stick needs t, x, z; t is missing"),
    ],
)
def test_a_stick_that_makes_no_sense(built: Path, stick: Path, text: str, sentence: str) -> None:
    stick.write_text(text, "utf-8")
    done = call("live", built, "--stick", "stick.csv", "-o", "out.bvh", folder=stick.parent)
    assert (done.code, done.err.strip()) == (2, f"error: {sentence}")
    assert not (stick.parent / "out.bvh").exists()


@pytest.mark.parametrize(
    ("where", "sentence"),
    [
        ("osc:127.0.0.1:1", "a stream is vmc:HOST:PORT, such as vmc:127.0.0.1:39539; got 'osc:127.0.0.1:1'"),
        ("vmc:no-such-host.invalid:39539", "vmc:no-such-host.invalid:39539: cannot be reached: "),
    ],
)
def test_a_stream_that_cannot_be_is_told_before_anything_is_made(
    built: Path, stick: Path, where: str, sentence: str
) -> None:
    pytest.importorskip("pythonosc", reason="python-osc is not installed")
    out = stick.parent / "out.bvh"
    done = call("live", built, "--stick", stick, "--stream", where, "-o", out)
    assert done.code == 2
    assert done.err.startswith(f"error: {sentence}")
    assert len(done.err.splitlines()) == 1
    assert not out.exists()


def test_a_stream_to_a_port_that_others_use_or_nobody_is_sent_all_the_same(built: Path, stick: Path) -> None:
    pytest.importorskip("pythonosc", reason="python-osc is not installed")
    stick.write_text("t,x,z\n0,0,1.2\n0.2,0,0\n", "utf-8")
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as taken:
        taken.bind(("127.0.0.1", 0))
        where = f"vmc:127.0.0.1:{taken.getsockname()[1]}"
        done = call("live", built, "--stick", stick, "--stream", where)
        assert done.code == 0, done.err
        assert taken.recv(65536).startswith(b"#bundle")
    done = call("live", built, "--stick", stick, "--stream", where)
    assert done.code == 0, done.err


def test_a_port_of_the_studio_that_is_taken(built: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        done = call("live", built, "--no-browser", "--port", str(port))
    assert done.code == 2
    assert str(port) in done.err
    assert len(done.err.splitlines()) == 1
