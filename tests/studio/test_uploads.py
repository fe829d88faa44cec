from __future__ import annotations

import errno
import io
import tempfile
import tracemalloc
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from fastapi import FastAPI
from starlette.testclient import TestClient

from kinegraph import load
from kinegraph.studio.rooms.library import intake, uploads
from kinegraph.studio.rooms.library import routes as clips
from kinegraph.studio.rooms.library.clip_infos import ClipInfos
from kinegraph.studio.workspace.workspace import Workspace
from tests.studio.asking import clip_id, names


def send(client: TestClient, *files: tuple[str, bytes]) -> dict[str, Any]:
    answer = client.post("/api/clips", files=[("files", file) for file in files])
    assert answer.status_code == 200, answer.text
    return dict(answer.json())


def files_of(folder: Path) -> set[str]:
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}


def test_a_clip_is_taken(client: TestClient, folder: Path, sample_files: Path) -> None:
    data = (sample_files / "stand.bvh").read_bytes()
    taken = send(client, ("stand.bvh", data))
    assert taken["refused"] == []
    assert taken["clips"][0]["file"] == "clips/stand.bvh"
    assert taken["clips"][0]["info"]["labels"] == ["stand"]
    assert (folder / "clips" / "stand.bvh").read_bytes() == data
    # again: under another name, and nothing is overwritten
    assert send(client, ("stand.bvh", data))["clips"][0]["name"] == "stand 2"
    assert send(client, ("walk.bvh", data))["clips"][0]["name"] == "walk 2"


@pytest.mark.parametrize(
    "name",
    ["../../evil.bvh", "..\\..\\evil.bvh", "/etc/evil.bvh", "C:\\evil.bvh", ".evil.bvh", "clips/../../evil.bvh", "evil\0.bvh",
     "....//evil.bvh", "%2e%2e%2fevil.bvh", "con.bvh", "x" * 4000 + ".bvh", ".bvh", "evil.bvh/", "\n.bvh"],
)  # fmt: skip
def test_a_name_never_leads_out_of_the_folder(client: TestClient, folder: Path, sample_files: Path, name: str) -> None:
    beside = files_of(folder.parent) - files_of(folder)
    before = {file for file in files_of(folder) if not file.startswith(".kinegraph")}
    taken = client.post("/api/clips", files=[("files", (name, (sample_files / "stand.bvh").read_bytes()))])
    assert taken.status_code in (200, 422)
    assert files_of(folder.parent) - {f"workspace/{file}" for file in files_of(folder)} == {
        file for file in beside if not file.startswith("workspace/")
    }
    new = {file for file in files_of(folder) if not file.startswith(".kinegraph")} - before
    assert all(file.startswith("clips/") and file.count("/") == 1 for file in new)


def npz_bomb() -> bytes:
    """A small archive whose arrays would fill gigabytes."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        header = io.BytesIO()
        np.lib.format.write_array_header_1_0(header, {"descr": "<f8", "fortran_order": False, "shape": (40_000_000,)})
        archive.writestr("root.npy", header.getvalue() + bytes(320_000_000))
    return out.getvalue()


def evil_zip() -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("../../evil.bvh", "HIERARCHY")
        archive.writestr("/tmp/evil.npy", b"\x93NUMPY")
    return out.getvalue()


@pytest.mark.parametrize(
    ("name", "data", "word"),
    [
        ("x.bvh", b"", "empty"),
        ("x.bvh", b"nonsense", "HIERARCHY"),
        ("x.bvh", bytes(range(256)) * 50, "not a text file"),
        ("x.zip", evil_zip(), "suffix"),
        ("x.npz", evil_zip(), ""),
        ("x.npz", b"PK\x03\x04" + bytes(100), ""),
        ("x.glb", b"glTF\x02\0\0\0\xff\xff\xff\xff", ""),
        ("x.gltf", b'{"asset": {"version": "2.0"}, "buffers": [{"byteLength": 9, "uri": "../../secret.bvh"}]}', ""),
        ("x", b"no suffix", "suffix"),
        ("x.asf", b":version 1.10", ""),
        ("x.amc", b":DEGREES\n1\nroot 0 0 0 0 0 0\n", "ASF"),
        ("x.txt", b"text", "suffix"),
    ],
)
def test_what_cannot_be_read_is_refused_and_leaves_nothing(
    client: TestClient, folder: Path, name: str, data: bytes, word: str
) -> None:
    before = files_of(folder)
    taken = send(client, (name, data))
    assert taken["clips"] == []
    assert len(taken["refused"]) == 1
    assert taken["refused"][0]["file"] == name
    assert word in taken["refused"][0]["error"]
    assert str(folder) not in taken["refused"][0]["error"]
    assert files_of(folder) - before <= {".kinegraph/clips.json"}


def test_an_archive_that_would_fill_the_memory_is_refused(client: TestClient) -> None:
    tracemalloc.start()
    try:
        bomb = npz_bomb()
        tracemalloc.reset_peak()
        taken = send(client, ("bomb.npz", bomb))
        assert tracemalloc.get_traced_memory()[1] < 100_000_000
    finally:
        tracemalloc.stop()
    assert "grow" in taken["refused"][0]["error"]


def test_what_can_be_read_is_taken_beside_what_cannot(client: TestClient, sample_files: Path) -> None:
    taken = send(client, ("bad.bvh", b"HIERARCHY\nROOT"), ("stand.bvh", (sample_files / "stand.bvh").read_bytes()))
    assert [clip["name"] for clip in taken["clips"]] == ["stand"]
    assert [file["file"] for file in taken["refused"]] == ["bad.bvh"]
    assert taken["refused"][0]["error"].startswith("line 2")


class TestAcclaim:
    def test_an_amc_comes_with_its_asf(self, client: TestClient, folder: Path, sample_files: Path) -> None:
        amc, asf = (sample_files / "01_01.amc").read_bytes(), next(sample_files.glob("*.asf")).read_bytes()
        taken = send(client, ("01.asf", asf), ("01_01.amc", amc), ("01_02.amc", amc))
        assert [clip["name"] for clip in taken["clips"]] == ["01_01", "01_02"]
        assert taken["refused"] == []
        assert files_of(folder / "clips") == {"01.asf", "01_01.amc", "01_02.amc"}
        assert len(load(folder / "clips" / "01_02.amc")) == taken["clips"][1]["info"]["frames"]
        # one that comes later finds it
        assert send(client, ("01_03.amc", amc))["refused"] == []

    def test_another_skeleton_of_the_same_name_is_kept_apart(
        self, client: TestClient, folder: Path, sample_files: Path
    ) -> None:
        amc, asf = (sample_files / "01_01.amc").read_bytes(), next(sample_files.glob("*.asf")).read_bytes()
        send(client, ("01.asf", asf), ("01_01.amc", amc))
        other = asf + b"\n# another\n"
        taken = send(client, ("01.asf", other), ("01_05.amc", amc))
        assert taken["refused"] == []
        assert (folder / "clips" / "01.asf").read_bytes() == asf
        assert (folder / "clips" / "01_05.asf").read_bytes() == other

    def test_without_it_an_amc_is_refused_with_a_way_on(self, client: TestClient, sample_files: Path) -> None:
        taken = send(client, ("01_01.amc", (sample_files / "01_01.amc").read_bytes()))
        assert "send its ASF together with it" in taken["refused"][0]["error"]

    def test_an_asf_alone_is_no_clip(self, client: TestClient, folder: Path, sample_files: Path) -> None:
        taken = send(client, ("01.asf", next(sample_files.glob("*.asf")).read_bytes()))
        assert "AMC" in taken["refused"][0]["error"]
        assert not (folder / "clips").exists()

    def test_renaming_and_deleting_take_the_skeleton_along(
        self, client: TestClient, folder: Path, sample_files: Path
    ) -> None:
        amc, asf = (sample_files / "01_01.amc").read_bytes(), next(sample_files.glob("*.asf")).read_bytes()
        first = send(client, ("01.asf", asf), ("02.asf", asf), ("01_01.amc", amc))["clips"][0]
        renamed = client.patch(f"/api/clips/{first['id']}", json={"name": "stroll"}).json()
        assert renamed["info"]["error"] is None
        assert len(load(folder / "clips" / "stroll.amc")) == renamed["info"]["frames"]
        trash = client.delete(f"/api/clips/{renamed['id']}").json()["trash"]
        assert "stroll" not in names(client)
        back = client.post(f"/api/trash/{trash}/restore").json()
        assert back["info"]["error"] is None

    def test_a_clip_keeps_its_skeleton_when_another_pair_comes(
        self, client: TestClient, folder: Path, sample_files: Path
    ) -> None:
        amc, asf = (sample_files / "01_01.amc").read_bytes(), next(sample_files.glob("*.asf")).read_bytes()
        other = asf + b"# another\n"
        assert send(client, ("dance.amc", amc), ("body.asf", asf))["refused"] == []
        assert send(client, ("02_01.amc", amc), ("02.asf", other))["refused"] == []
        assert send(client, ("jump.amc", amc), ("torso.asf", other))["refused"] == []
        for name in ("dance", "02_01", "jump"):
            assert client.get(f"/api/clips/{clip_id(client, name)}").json()["info"]["error"] is None, name
        assert (folder / "clips" / "dance.asf").read_bytes() == asf

    def test_a_clip_that_lay_there_keeps_the_skeleton_that_was_the_only_one(
        self, client: TestClient, folder: Path, sample_files: Path
    ) -> None:
        amc, asf = (sample_files / "01_01.amc").read_bytes(), next(sample_files.glob("*.asf")).read_bytes()
        (folder / "clips").mkdir()
        for name, data in (("dance.amc", amc), ("02_02.amc", amc), ("body.asf", asf)):
            (folder / "clips" / name).write_bytes(data)
        other = asf + b"# another\n"
        assert send(client, ("02_01.amc", amc), ("02.asf", other))["refused"] == []
        for name in ("dance", "02_02"):
            assert client.get(f"/api/clips/{clip_id(client, name)}").json()["info"]["error"] is None, name
            assert (folder / "clips" / f"{name}.asf").read_bytes() == asf
        assert (folder / "clips" / "02.asf").read_bytes() == other

    def test_a_skeleton_that_comes_is_not_taken_for_that_of_others(
        self, client: TestClient, folder: Path, sample_files: Path
    ) -> None:
        amc, asf = (sample_files / "01_01.amc").read_bytes(), next(sample_files.glob("*.asf")).read_bytes()
        other = asf + b"# another\n"
        send(client, ("01.asf", asf), ("01_01.amc", amc))
        # of the clip's very name, and of its subject's
        assert send(client, ("01_01.asf", other), ("01_01.amc", amc))["clips"][0]["name"] == "01_01 2"
        assert send(client, ("01.asf", other), ("01.amc", amc))["clips"][0]["name"] == "01 2"
        place = folder / "clips"
        assert (place / "01.asf").read_bytes() == asf
        assert intake.asf.beside(place / "01_01.amc").read_bytes() == asf
        for name in ("01_01 2", "01 2"):
            assert intake.asf.beside(place / f"{name}.amc").read_bytes() == other

    def test_a_clip_that_cannot_be_kept_leaves_no_skeleton(
        self, client: TestClient, folder: Path, sample_files: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        amc, asf = (sample_files / "01_01.amc").read_bytes(), next(sample_files.glob("*.asf")).read_bytes()

        def full(source: Path, target: Path) -> None:
            raise OSError(errno.ENOSPC, "No space left on device")

        monkeypatch.setattr(intake, "move", full)
        assert "No space left" in send(client, ("01.asf", asf), ("01_01.amc", amc))["refused"][0]["error"]
        assert files_of(folder / "clips") == set()


class TestWhatEndsHalfway:
    @pytest.mark.parametrize(
        ("fault", "word"),
        [(OSError(errno.ENOSPC, "No space left on device"), "No space left"), (IndexError("list index"), "IndexError")],
    )
    def test_one_file_is_refused_and_the_others_are_taken(
        self, client: TestClient, sample_files: Path, monkeypatch: pytest.MonkeyPatch, fault: Exception, word: str
    ) -> None:
        real = intake.load

        def strange(path: Path, **options: Any) -> Any:
            if b"strange" in path.read_bytes():
                raise fault
            return real(path, **options)

        monkeypatch.setattr(intake, "load", strange)
        data = (sample_files / "stand.bvh").read_bytes()
        taken = send(client, ("a.bvh", data), ("b.bvh", b"strange"), ("c.bvh", data))
        assert [clip["name"] for clip in taken["clips"]] == ["a", "c"]
        assert [one["file"] for one in taken["refused"]] == ["b.bvh"]
        assert word in taken["refused"][0]["error"]

    def test_pages_are_told_of_what_was_taken_before(
        self, app: FastAPI, folder: Path, sample_files: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        real = clips.take

        def ends(workspace: Workspace, infos: ClipInfos, files: list[uploads.Uploaded]) -> dict[str, Any]:
            real(workspace, infos, files[:1])
            raise RuntimeError("nobody has thought of this")

        monkeypatch.setattr(clips, "take", ends)
        told: list[str] = []
        monkeypatch.setattr(app.state.events, "changed", told.append)
        data = (sample_files / "stand.bvh").read_bytes()
        with TestClient(app, raise_server_exceptions=False) as client:
            answer = client.post("/api/clips", files=[("files", (name, data)) for name in ("a.bvh", "b.bvh")])
        assert answer.status_code == 500
        assert (folder / "clips" / "a.bvh").exists()
        assert told == ["clips"]

    def test_clips_may_be_on_another_disk(
        self, client: TestClient, folder: Path, sample_files: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        real = Path.replace

        def apart(path: Path, target: Path) -> Path:
            if (".kinegraph" in path.parts) != (".kinegraph" in Path(target).parts):
                raise OSError(errno.EXDEV, "Invalid cross-device link")
            return real(path, target)

        monkeypatch.setattr(Path, "replace", apart)
        data = (sample_files / "stand.bvh").read_bytes()
        assert send(client, ("stand.bvh", data))["refused"] == []
        assert (folder / "clips" / "stand.bvh").read_bytes() == data
        assert files_of(folder / "clips") == {"stand.bvh"}


def test_nothing_comes_in_through_a_link_that_leads_out(client: TestClient, folder: Path, sample_files: Path) -> None:
    elsewhere = folder.parent / "elsewhere"
    elsewhere.mkdir()
    (folder / ".kinegraph").mkdir(exist_ok=True)
    (folder / ".kinegraph" / "incoming").symlink_to(elsewhere)
    answer = client.post("/api/clips", files=[("files", ("a.bvh", (sample_files / "stand.bvh").read_bytes()))])
    assert answer.status_code == 400
    assert ".kinegraph/incoming" in answer.json()["error"]
    assert list(elsewhere.iterdir()) == []


def test_too_many_files_are_refused(client: TestClient, folder: Path) -> None:
    answer = client.post("/api/clips", files=[("files", (f"{n}.bvh", b"x")) for n in range(uploads.MOST_FILES + 1)])
    assert answer.status_code == 413
    assert not (folder / ".kinegraph" / "incoming").exists()


@pytest.mark.parametrize(("each", "all_"), [(50_000, 10**9), (10**9, 150_000)])
def test_too_large_files_are_refused_as_they_come(
    client: TestClient, folder: Path, monkeypatch: pytest.MonkeyPatch, each: int, all_: int
) -> None:
    monkeypatch.setattr(uploads, "MOST_EACH", each)
    monkeypatch.setattr(uploads, "MOST_IN_ALL", all_)
    answer = client.post("/api/clips", files=[("files", (f"{n}.bvh", bytes(100_000))) for n in range(2)])
    assert answer.status_code == 413
    assert not (folder / ".kinegraph" / "incoming").exists()
    assert not (folder / "clips").exists()


@pytest.mark.parametrize(
    ("kind", "body"),
    [
        ("application/json", b"{}"),
        ("multipart/form-data", b""),
        ("multipart/form-data; boundary=", b""),
        ("multipart/form-data; boundary=x", b""),
        ("multipart/form-data; boundary=x", b"--x\r\n"),
        ("multipart/form-data; boundary=x", b"garbage"),
        ("multipart/form-data; boundary=x", b"--x--\r\n"),
        (
            "multipart/form-data; boundary=x",
            b'--x\r\nContent-Disposition: form-data; name="other"\r\n\r\n1\r\n--x--\r\n',
        ),
        (
            "multipart/form-data; boundary=x",
            b'--x\r\nContent-Disposition: form-data; name="files"; filename="a.bvh"\r\n\r\nHIER',
        ),
        ("multipart/form-data; boundary=x", b"--x\r\n" + b"A: " + b"b" * 100_000 + b"\r\n\r\n\r\n--x--\r\n"),
        ("multipart/form-data; boundary=" + "x" * 5000, b"--"),
        ("", b""),
    ],
)
def test_forms_that_make_no_sense_are_told(client: TestClient, folder: Path, kind: str, body: bytes) -> None:
    answer = client.post("/api/clips", content=body, headers={"Content-Type": kind})
    assert answer.status_code == 422
    assert answer.json()["error"]
    assert not (folder / ".kinegraph" / "incoming").exists()


def test_what_a_killed_server_left_is_tidied(app: FastAPI, folder: Path) -> None:
    left = folder / ".kinegraph" / "incoming" / "0123" / "0"
    left.mkdir(parents=True)
    (left / "clip.bvh").write_bytes(b"half")
    with TestClient(app):
        assert not left.exists()


def test_uploads_pass_through_the_workspace_only(
    client: TestClient, sample_files: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not even the folder for temporary files is used."""
    elsewhere = tmp_path / "temporary"
    elsewhere.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(elsewhere))

    def watched() -> Iterator[bytes]:
        yield b'--x\r\nContent-Disposition: form-data; name="files"; filename="a.bvh"\r\n\r\n'
        yield bytes(3_000_000)
        assert list(elsewhere.iterdir()) == []
        yield b"\r\n--x--\r\n"

    answer = client.post("/api/clips", content=watched(), headers={"Content-Type": "multipart/form-data; boundary=x"})
    assert answer.status_code == 200
    assert list(elsewhere.iterdir()) == []
