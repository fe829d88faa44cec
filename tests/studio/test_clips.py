from __future__ import annotations

import os
import shutil
import tomllib
from pathlib import Path

import numpy as np
import pytest
from starlette.testclient import TestClient

from kinegraph import load
from kinegraph.errors import FormatError
from kinegraph.graph import labels as label_files
from kinegraph.player import MEDIA_TYPE, unpack
from kinegraph.studio.workspace.labels import LabelBook
from tests.studio.asking import clip_id, names


def test_a_clip_with_its_labels_and_roles(client: TestClient) -> None:
    clip = client.get(f"/api/clips/{clip_id(client, 'walk')}").json()
    assert clip["info"]["frames"] == 257
    assert clip["spans"] == [{"label": "walk", "first": 0, "last": 257, "origin": "name", "confidence": 1.0}]
    assert clip["roles"]["left_knee"] == "left_knee"


def test_labels_are_found_in_how_the_body_moves(client: TestClient, folder: Path) -> None:
    (folder / "walk.bvh").rename(folder / "take.bvh")
    clip = client.get(f"/api/clips/{clip_id(client, 'take')}").json()
    assert (clip["spans"][0]["label"], clip["spans"][0]["origin"]) == ("walk", "auto")
    assert clip["spans"][-1]["last"] == clip["info"]["frames"]


def test_the_motion_is_that_of_the_file(client: TestClient, folder: Path) -> None:
    id = clip_id(client, "run")
    answer = client.get(f"/api/clips/{id}/motion")
    assert answer.headers["content-type"] == MEDIA_TYPE
    facts, arrays, _ = unpack(answer.content)
    motion = load(folder / "run.bvh")
    np.testing.assert_allclose(arrays["root"], motion.root, atol=1e-6)
    assert facts["name"] == "run"
    assert facts["kind"] == "motion"
    # who has it need not load it again
    again = client.get(f"/api/clips/{id}/motion", headers={"If-None-Match": answer.headers["etag"]})
    assert again.status_code == 304
    assert again.content == b""
    body, shape, _ = unpack(client.get(f"/api/clips/{id}/body").content)
    assert body["id"] == facts["body"]
    assert shape["joints"].shape == (len(shape["vertices"]), 4)
    assert shape["bind"].shape == (len(motion.skeleton), 4)


def test_a_changed_file_is_another_motion(client: TestClient, folder: Path, sample_files: Path) -> None:
    id = clip_id(client, "run")
    first = client.get(f"/api/clips/{id}/motion")
    (folder / "run.bvh").write_bytes((sample_files / "stand.bvh").read_bytes())
    other = client.get(f"/api/clips/{id}/motion", headers={"If-None-Match": first.headers["etag"]})
    assert other.status_code == 200
    assert unpack(other.content)[0]["frames"] != unpack(first.content)[0]["frames"]


@pytest.mark.parametrize("what", ["motion", "body", "thumbnail.svg"])
def test_a_changed_skeleton_is_another_clip(client: TestClient, folder: Path, sample_files: Path, what: str) -> None:
    shutil.copy(sample_files / "01_01.amc", folder)
    shutil.copy(next(sample_files.glob("*.asf")), folder / "01.asf")
    address = f"/api/clips/{clip_id(client, '01_01')}/{what}"
    first = client.get(address)
    known = {"If-None-Match": first.headers["etag"]}
    assert client.get(address, headers=known).status_code == 304
    text = (folder / "01.asf").read_text()
    (folder / "01.asf").write_text(text.replace("    length 1", "    length 2"))
    other = client.get(address, headers=known)
    assert other.status_code == 200
    assert other.content != first.content


class TestNames:
    def test_renaming(self, client: TestClient, folder: Path) -> None:
        old = clip_id(client, "walk")
        clip = client.patch(f"/api/clips/{old}", json={"name": "Stroll 1"}).json()
        assert clip["file"] == "Stroll 1.bvh"
        assert names(client) == ["run", "Stroll 1"]
        assert client.get(f"/api/clips/{old}").status_code == 404
        assert client.get(f"/api/clips/{clip['id']}/motion").status_code == 200
        assert not (folder / "walk.bvh").exists()

    def test_a_name_that_is_taken(self, client: TestClient) -> None:
        for name in ("run", "RUN"):
            answer = client.patch(f"/api/clips/{clip_id(client, 'walk')}", json={"name": name})
            assert answer.status_code == 409
            assert name in answer.json()["error"]
        assert names(client) == ["run", "walk"]

    @pytest.mark.parametrize("name", ["../walk", "a/b", "..", ".x", "", "x\0y", "x" * 100, "nul"])
    def test_a_name_that_leads_elsewhere(self, client: TestClient, folder: Path, name: str) -> None:
        answer = client.patch(f"/api/clips/{clip_id(client, 'walk')}", json={"name": name})
        assert answer.status_code == 422
        assert answer.json()["error"]
        assert sorted(path.name for path in folder.parent.iterdir()) == ["secret.bvh", "workspace"]
        assert names(client) == ["run", "walk"]

    def test_its_own_name(self, client: TestClient) -> None:
        assert client.patch(f"/api/clips/{clip_id(client, 'walk')}", json={"name": "walk"}).status_code == 200
        assert client.patch(f"/api/clips/{clip_id(client, 'walk')}", json={"name": "Walk"}).status_code == 200

    def test_a_skeleton_of_other_clips_is_not_overwritten(
        self, client: TestClient, folder: Path, sample_files: Path
    ) -> None:
        asf = next(sample_files.glob("*.asf")).read_bytes()
        for name in ("dance.amc", "01_01.amc"):
            shutil.copy(sample_files / "01_01.amc", folder / name)
        (folder / "01.asf").write_bytes(asf)
        (folder / "dance.asf").write_bytes(asf + b"# of the dancer\n")
        answer = client.patch(f"/api/clips/{clip_id(client, 'dance')}", json={"name": "01"})
        assert answer.status_code == 409
        assert "01.asf" in answer.json()["error"]
        assert (folder / "01.asf").read_bytes() == asf
        assert (folder / "dance.asf").exists()

    def test_a_clip_without_a_name_of_its_skeleton_s_leaves_no_other_alone(
        self, client: TestClient, folder: Path, sample_files: Path
    ) -> None:
        """Two clips rest on the folder's only ASF; one gets a copy for its new name, and then there are two of them."""
        for name in ("dance.amc", "jump.amc"):
            shutil.copy(sample_files / "01_01.amc", folder / name)
        shutil.copy(next(sample_files.glob("*.asf")), folder / "body.asf")
        client.patch(f"/api/clips/{clip_id(client, 'dance')}", json={"name": "waltz"})
        for name in ("waltz", "jump"):
            assert client.get(f"/api/clips/{clip_id(client, name)}").json()["info"]["error"] is None


class TestLabels:
    def test_what_people_say_goes_to_the_file_that_build_reads(self, client: TestClient, folder: Path) -> None:
        said = [{"label": "stroll"}, {"label": "turn_left", "from": 1.0, "to": 2.5}]
        clip = client.patch(f"/api/clips/{clip_id(client, 'walk')}", json={"labels": said}).json()
        assert clip["info"]["labels"] == ["stroll", "turn_left"]
        assert label_files.read(folder / "labels.toml").of("walk") == [
            label_files.TimedLabel("stroll"),
            label_files.TimedLabel("turn_left", 1.0, 2.5),
        ]
        spans = client.get(f"/api/clips/{clip['id']}").json()["spans"]
        assert {"label": "turn_left", "first": 60, "last": 150, "origin": "file", "confidence": 1.0} in spans
        # taken back
        clip = client.patch(f"/api/clips/{clip['id']}", json={"labels": []}).json()
        assert clip["info"]["labels"] == ["walk"]
        assert tomllib.loads((folder / "labels.toml").read_text()) == {}

    def test_they_follow_a_new_name(self, client: TestClient, folder: Path) -> None:
        client.patch(f"/api/clips/{clip_id(client, 'walk')}", json={"labels": [{"label": "slow"}], "name": "way"})
        assert tomllib.loads((folder / "labels.toml").read_text()) == {"way": {"labels": ["slow"]}}
        assert client.get("/api/state").json()["clips"][1]["info"]["labels"] == ["slow"]

    @pytest.mark.parametrize(
        "labels",
        [[{"label": "Walk"}], [{"label": ""}], [{"label": "a b"}], [{"label": "x", "from": -1}], [{"label": "x", "from": 2, "to": 1}],
         [{"label": "x", "from": 1e9}], [{"label": "x", "from": 100}], [{"label": "x", "wrong": 1}], "walk", [1], [{"label": "x"}] * 1001],
    )  # fmt: skip
    def test_what_makes_no_sense_is_told_and_not_written(
        self, client: TestClient, folder: Path, labels: object
    ) -> None:
        answer = client.patch(f"/api/clips/{clip_id(client, 'walk')}", json={"labels": labels})
        assert answer.status_code == 422
        assert "label" in answer.json()["error"]
        assert not (folder / "labels.toml").exists()

    def test_a_file_that_cannot_be_understood_is_told_and_kept(self, client: TestClient, folder: Path) -> None:
        (folder / "labels.toml").write_text("walk = [")
        assert client.get("/api/state").status_code == 200
        notices = client.get(f"/api/clips/{clip_id(client, 'walk')}").json()["info"]["notices"]
        assert any("labels.toml" in notice for notice in notices)
        answer = client.patch(f"/api/clips/{clip_id(client, 'walk')}", json={"labels": [{"label": "x"}]})
        assert answer.status_code == 400
        assert (folder / "labels.toml").read_text() == "walk = ["

    def test_a_file_that_cannot_be_understood_stops_a_change_before_anything_is_done(
        self, client: TestClient, folder: Path
    ) -> None:
        (folder / "labels.toml").write_text("walk = [")
        id = clip_id(client, "walk")
        before = {path.name for path in folder.rglob("*.*")}
        assert client.patch(f"/api/clips/{id}", json={"name": "stroll"}).status_code == 400
        assert client.post(f"/api/clips/{id}/trim", json={"first": 0, "last": 9}).status_code == 400
        assert names(client) == ["run", "walk"]
        assert {path.name for path in folder.rglob("*.*")} - before <= {"clips.json"}

    def test_labels_are_not_changed_where_the_name_cannot_be(self, client: TestClient, folder: Path) -> None:
        answer = client.patch(
            f"/api/clips/{clip_id(client, 'walk')}", json={"labels": [{"label": "slow"}], "name": "run"}
        )
        assert answer.status_code == 409
        assert not (folder / "labels.toml").exists()

    def test_a_change_whose_labels_cannot_be_written_is_undone(
        self, client: TestClient, folder: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        id = clip_id(client, "walk")
        client.patch(f"/api/clips/{id}", json={"labels": [{"label": "slow"}]})

        def full(book: LabelBook, text: str) -> None:
            raise FormatError("cannot be written: No space left on device", "labels.toml")

        monkeypatch.setattr(LabelBook, "_write", full)
        assert client.patch(f"/api/clips/{id}", json={"name": "stroll"}).status_code == 400
        assert client.post(f"/api/clips/{id}/trim", json={"first": 0, "last": 9}).status_code == 400
        assert names(client) == ["run", "walk"]

    def test_a_file_that_leads_out_is_read_and_not_written(self, client: TestClient, folder: Path) -> None:
        outside = folder.parent / "labels.toml"
        outside.write_text('[walk]\nlabels = ["slow"]\n')
        (folder / "labels.toml").symlink_to(outside)
        id = clip_id(client, "walk")
        assert client.get(f"/api/clips/{id}").json()["info"]["labels"] == ["slow"]
        for change in ({"labels": [{"label": "fast"}]}, {"name": "stroll"}):
            answer = client.patch(f"/api/clips/{id}", json=change)
            assert answer.status_code == 400
            assert "labels.toml" in answer.json()["error"]
            assert "out of the folder" in answer.json()["error"]
        assert outside.read_text() == '[walk]\nlabels = ["slow"]\n'
        assert names(client) == ["run", "walk"]


class TestTrim:
    def test_some_frames_become_a_clip(self, client: TestClient, folder: Path) -> None:
        id = clip_id(client, "walk")
        client.patch(
            f"/api/clips/{id}",
            json={"labels": [{"label": "slow", "from": 0.5, "to": 2.0}, {"label": "late", "from": 4}]},
        )
        clip = client.post(f"/api/clips/{id}/trim", json={"first": 60, "last": 180}).json()
        assert clip["name"] == "walk 60-180"
        assert clip["info"]["frames"] == 120
        cut = load(folder / clip["file"])
        whole = load(folder / "walk.bvh")
        np.testing.assert_array_equal(cut.rotations, whole[60:180].rotations)
        spans = client.get(f"/api/clips/{clip['id']}").json()["spans"]
        assert {"label": "slow", "first": 0, "last": 60, "origin": "file", "confidence": 1.0} in spans
        assert "late" not in clip["info"]["labels"]
        assert client.post(f"/api/clips/{id}/trim", json={"first": 0, "last": 9, "name": "bit"}).json()["name"] == "bit"

    def test_a_clip_may_be_called_as_browsers_call_a_second_download(self, client: TestClient, folder: Path) -> None:
        (folder / "walk.bvh").rename(folder / "walk (1).bvh")
        answer = client.post(f"/api/clips/{clip_id(client, 'walk (1)')}/trim", json={"first": 0, "last": 9})
        assert answer.status_code == 200, answer.text
        assert answer.json()["name"] == "walk _1_ 0-9"

    @pytest.mark.parametrize(("first", "last"), [(5, 5), (9, 3), (0, 258), (300, 400), (-1, 5)])
    def test_frames_that_are_not_there(self, client: TestClient, first: int, last: int) -> None:
        answer = client.post(f"/api/clips/{clip_id(client, 'walk')}/trim", json={"first": first, "last": last})
        assert answer.status_code == 422
        assert answer.json()["error"]


class TestDeleting:
    def test_a_clip_can_be_had_back(self, client: TestClient, folder: Path) -> None:
        data = (folder / "walk.bvh").read_bytes()
        id = clip_id(client, "walk")
        token = client.delete(f"/api/clips/{id}").json()["trash"]
        assert names(client) == ["run"]
        assert client.delete(f"/api/clips/{id}").status_code == 404
        clip = client.post(f"/api/trash/{token}/restore").json()
        assert clip["id"] == id
        assert clip["info"]["frames"] == 257
        assert (folder / "walk.bvh").read_bytes() == data
        assert client.post(f"/api/trash/{token}/restore").status_code == 404

    @pytest.mark.parametrize("token", ["..", "%2e%2e", "0" * 16, "x", "..%2f..%2fclips"])
    def test_nothing_else_is_restored(self, client: TestClient, token: str) -> None:
        assert client.post(f"/api/trash/{token}/restore").status_code in (404, 405)


@pytest.mark.parametrize(
    "id", ["000000000000", "../../../etc", "..%2f..%2fsecret", "walk", "walk.bvh", "0" * 11, "G" * 12, "%00"]
)
@pytest.mark.parametrize("route", ["", "/motion", "/body", "/thumbnail.svg"])
def test_ids_that_are_none(client: TestClient, id: str, route: str) -> None:
    assert client.get(f"/api/clips/{id}{route}").status_code in (404, 422)


def test_a_clip_that_cannot_be_read(client: TestClient, folder: Path) -> None:
    (folder / "broken.bvh").write_text("HIERARCHY\nROOT x\n")
    id = clip_id(client, "broken")
    clip = client.get(f"/api/clips/{id}").json()
    assert clip["info"]["error"].startswith("broken.bvh:3")
    assert clip["spans"] == []
    for route in ("motion", "body", "thumbnail.svg"):
        answer = client.get(f"/api/clips/{id}/{route}")
        assert answer.status_code == 400
        assert str(folder) not in answer.json()["error"]
    # once it is mended, it is read again
    (folder / "broken.bvh").write_bytes((folder / "walk.bvh").read_bytes())
    assert client.get(f"/api/clips/{id}").json()["info"]["error"] is None


class TestNamesThatAreNoText:
    """A name in Latin-1, as old archives hold them."""

    NAME = "caf\N{REPLACEMENT CHARACTER}"

    @pytest.fixture
    def strange(self, folder: Path) -> Path:
        path = Path(os.fsdecode(os.fsencode(folder) + b"/caf\xe9.bvh"))
        (folder / "walk.bvh").rename(path)
        return path

    def test_such_a_clip_is_shown(self, client: TestClient, strange: Path) -> None:
        id = clip_id(client, self.NAME)
        clip = client.get(f"/api/clips/{id}").json()
        assert (clip["file"], clip["info"]["frames"]) == (f"{self.NAME}.bvh", 257)
        assert unpack(client.get(f"/api/clips/{id}/motion").content)[0]["name"] == self.NAME
        for what in ("body", "thumbnail.svg"):
            assert client.get(f"/api/clips/{id}/{what}").status_code == 200

    def test_what_is_wrong_with_it_is_told(self, client: TestClient, strange: Path) -> None:
        strange.write_text("HIERARCHY\nROOT x\n")
        error = client.get(f"/api/clips/{clip_id(client, self.NAME)}").json()["info"]["error"]
        assert error.startswith(f"{self.NAME}.bvh:3")
        answer = client.get(f"/api/clips/{clip_id(client, self.NAME)}/motion")
        assert answer.status_code == 400
        assert answer.json()["error"] == error

    def test_no_graph_is_begun_that_could_not_hold_it(self, client: TestClient, strange: Path) -> None:
        answer = client.post("/api/graphs", json={"name": "g", "clips": [clip_id(client, self.NAME)]})
        assert answer.status_code == 409
        assert "rename" in answer.json()["error"]

    def test_it_is_changed_as_any_other(self, client: TestClient, folder: Path, strange: Path) -> None:
        id = clip_id(client, self.NAME)
        clip = client.patch(f"/api/clips/{id}", json={"labels": [{"label": "slow"}]}).json()
        assert clip["info"]["labels"] == ["slow"]
        assert client.post(f"/api/clips/{id}/trim", json={"first": 0, "last": 9}).json()[
            "name"
        ] == f"{self.NAME} 0-9".replace("\N{REPLACEMENT CHARACTER}", "_")
        renamed = client.patch(f"/api/clips/{id}", json={"name": "coffee"}).json()
        assert (renamed["file"], renamed["info"]["labels"]) == ("coffee.bvh", ["slow"])

    def test_it_can_be_had_back(self, client: TestClient, strange: Path) -> None:
        id = clip_id(client, self.NAME)
        token = client.delete(f"/api/clips/{id}").json()["trash"]
        assert not strange.exists()
        assert client.post(f"/api/trash/{token}/restore").json()["id"] == id
        assert strange.exists()

    def test_pages_are_told_of_it(self, client: TestClient, strange: Path) -> None:
        with client.websocket_connect("/api/events") as events:
            client.get("/api/state")
            told = [events.receive_json() for _ in range(2)]
        assert {message["clip"]["name"] for message in told} == {self.NAME, "run"}
