"""Tracks from files: each kind is read as it is written elsewhere, and what is no track is told."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import numpy as np
import pytest

from kinegraph.crowds.tracks import Trajectory, read_tracks, write_csv, write_text
from kinegraph.errors import FormatError


def said(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_text(text)
    return path


def test_a_table_is_taken_as_it_is(tmp_path: Path) -> None:
    file = said(tmp_path, "x.csv", "id,t,x,z\nanna,0,1,2\nben,0.5,0,0\nanna,0.5,1.5,2\nben,1,0,1\n")
    anna, ben = read_tracks(file).people
    assert (anna.name, ben.name) == ("anna", "ben")
    assert anna.times.tolist() == [0.0, 0.5]
    assert anna.places.tolist() == [[1.0, 2.0], [1.5, 2.0]]
    assert ben.places.tolist() == [[0.0, 0.0], [0.0, 1.0]]


def test_a_floor_of_x_and_y_is_turned_not_mirrored(tmp_path: Path) -> None:
    """Seen from above, a left turn stays one: from +x towards +y there is from +x towards −z here."""
    file = said(tmp_path, "x.csv", "t,id,x,y,z\n0,1,0,0,1.7\n1,1,1,0,1.7\n2,1,1,1,1.7\n")
    (track,) = read_tracks(file).people
    assert track.places.tolist() == [[0.0, 0.0], [1.0, 0.0], [1.0, -1.0]]


def test_frames_need_a_rate(tmp_path: Path) -> None:
    file = said(tmp_path, "x.csv", "id,frame,x,z\n1,0,0,0\n1,10,1,0\n")
    with pytest.raises(FormatError, match=r"counts frames .* give the frame rate"):
        read_tracks(file)
    assert read_tracks(file, fps=5).people[0].times.tolist() == [0.0, 2.0]


def test_a_line_of_units_is_passed_over(tmp_path: Path) -> None:
    file = said(tmp_path, "x.csv", '"t","id","x","y"\n"s","","m","m"\n0,7,1,1\n1,7,2,1\n')
    assert len(read_tracks(file).people[0].times) == 2


def test_trajnet(tmp_path: Path) -> None:
    lines = ['{"scene": {"id": 0, "p": 3, "s": 10, "e": 30, "fps": 2.5}}']
    lines += [f'{{"track": {{"f": {frame}, "p": 3, "x": {frame / 20}, "y": 1.0}}}}' for frame in (10, 20, 30)]
    lines += ['{"track": {"f": 20, "p": 3, "x": 9.0, "y": 9.0, "prediction_number": 1, "scene_id": 0}}', lines[1]]
    (track,) = read_tracks(said(tmp_path, "x.ndjson", "\n".join(lines))).people
    assert track.times.tolist() == pytest.approx([0.4, 0.8, 1.2])
    assert track.places.tolist() == [[0.5, -1.0], [1.0, -1.0], [1.5, -1.0]]


def test_text_with_its_rate_and_unit(tmp_path: Path) -> None:
    file = said(
        tmp_path, "x.txt", "# framerate: 25 fps\n# id frame x/cm y/cm z/cm\n1 0 100 -50 176\n1 25 200 -50 176\n"
    )
    (track,) = read_tracks(file).people
    assert track.times.tolist() == [0.0, 1.0]
    assert track.places.tolist() == [[1.0, 0.5], [2.0, 0.5]]


def test_a_database_of_jupedsim(tmp_path: Path) -> None:
    file = tmp_path / "x.sqlite"
    with sqlite3.connect(file) as database:
        database.execute("CREATE TABLE metadata(key TEXT, value TEXT)")
        database.execute("INSERT INTO metadata VALUES ('version', '2'), ('fps', '10')")
        database.execute(
            "CREATE TABLE trajectory_data(frame INT, id INT, pos_x REAL, pos_y REAL, ori_x REAL, ori_y REAL)"
        )
        rows = [(frame, 4, 0.1 * frame, 2.0, 1.0, 0.0) for frame in range(3)]
        database.executemany("INSERT INTO trajectory_data VALUES (?, ?, ?, ?, ?, ?)", rows)
    database.close()
    (track,) = read_tracks(file).people
    assert track.name == "4"
    assert track.times.tolist() == pytest.approx([0.0, 0.1, 0.2])
    assert track.places[2].tolist() == pytest.approx([0.2, -2.0])


def test_what_is_written_is_read_back(tmp_path: Path) -> None:
    times = np.arange(20) / 10
    tracks = [Trajectory(name, times, np.stack([times, k * times], axis=-1)) for k, name in enumerate("ab")]
    write_csv(tracks, tmp_path / "x.csv")
    write_text(tracks, tmp_path / "x.txt", 10.0)
    for name in ("x.csv", "x.txt"):
        for track, back in zip(tracks, read_tracks(tmp_path / name).people, strict=True):
            assert np.abs(back.places - track.places).max() < 1e-4
            assert np.abs(back.times - track.times).max() < 1e-4


def test_pedpy_reads_what_we_write(tmp_path: Path) -> None:
    pedpy = pytest.importorskip("pedpy", reason="PedPy is not installed")
    times = np.arange(30) / 10
    write_text([Trajectory("a", times, np.stack([times, -times], axis=-1))], tmp_path / "x.txt", 10.0)
    found = pedpy.load_trajectory_from_txt(trajectory_file=tmp_path / "x.txt", default_unit=pedpy.TrajectoryUnit.METER)
    assert found.frame_rate == 10.0
    assert np.abs(found.data[["x", "y"]].to_numpy() - np.stack([times, times], axis=-1)).max() < 1e-3


def test_who_nobody_could_be_is_left_out_and_named(tmp_path: Path) -> None:
    walks = "".join(f"good,{t},{t},0\n" for t in range(5))
    file = said(tmp_path, "x.csv", "id,t,x,z\n" + walks + "once,0,0,0\njumps,0,0,0\njumps,1,0,0\njumps,2,40,0\n")
    found = read_tracks(file)
    assert [track.name for track in found.people] == ["good"]
    once, jumps = found.notices
    assert once == "track once is left out: it has one moment only"
    assert jumps.startswith("track jumps at 1.0 s is left out: faster than 15 m/s there")


@pytest.mark.parametrize(
    ("name", "text", "sentence"),
    [
        ("x.csv", "id,t,x,z\n1,0,0,0\n1,1,nan,0\n", r"line 3: expected a number, found 'nan'"),
        ("x.csv", "id,t,x,z\n1,0,0,0\n1,0,1,0\n", r"track '1': time goes from 0 s to 0 s: it must rise"),
        ("x.csv", "id,t,x,z\n1,0,0,0\n", r"no track that somebody could walk: track 1 is left out: it has one moment"),
        ("x.csv", "id,t,x,z\n", r"there is no track in this file"),
        ("x.csv", "who,when\n", r"the header has no id, x, z, t: expected id, t, x, z"),
        ("x.csv", "id,t,x,z\n1,0,0\n", r"line 2: expected 4 values, found 3"),
        ("x.csv", "id,t,x,z\n1,0,1e9,0\n", r"row 1 \('1'\): a time and a place within 1,000 km are needed"),
        ("x.txt", "1 0 0 0\n", r"no comment tells the frame rate"),
        ("x.txt", "# framerate: 5\n1 0 0\n", r"line 2: expected id, frame, x and y"),
        ("x.ndjson", '{"track": {"f": 1}}\n', r"line 1: expected a scene or a track as TrajNet writes them"),
        ("x.sqlite", "no database", r"this is no database of JuPedSim"),
        ("x.xml", "", r"tracks are read from \.csv, \.ndjson, \.txt, \.sqlite files, not \.xml"),
    ],
)
def test_what_is_wrong_is_told(tmp_path: Path, name: str, text: str, sentence: str) -> None:
    with pytest.raises(FormatError, match=sentence):
        read_tracks(said(tmp_path, name, text))


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="there is no such file"):
        read_tracks(tmp_path / "no.csv")


def test_the_fastest_half_second() -> None:
    times = np.arange(0, 10, 0.1)
    x = np.where(times < 5, times, 5 + 3 * (times - 5))
    assert Trajectory("a", times, np.stack([x, 0 * x], axis=-1)).fastest == pytest.approx(3.0, rel=0.01)
    assert Trajectory("a", [0.0, 0.1], [(0, 0), (0.1, 0)]).fastest == pytest.approx(1.0, rel=0.3)
