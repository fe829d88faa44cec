"""Fetching from a server on this machine: whole, cached, broken off, damaged, absent."""

from __future__ import annotations

import hashlib
import socket
import sys
from pathlib import Path

import pytest

from kinegraph.errors import FetchError, KinegraphError, MissingExtraError
from kinegraph.fetch import fetch_cmu
from kinegraph.fetch.cmu import RECORD, cmu_clips, cmu_files, cmu_hashes
from kinegraph.fetch.sources import SOURCES
from tests.fetch.file_server import Request, Server

CLIP = "16/16_15.amc"
SKELETON = "16/16.asf"


def everything(folder: Path) -> dict[str, bytes]:
    return {p.relative_to(folder).as_posix(): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


class TestTables:
    def test_the_database_as_listed(self) -> None:
        clips = cmu_clips()
        assert len(clips) == 109
        assert sum(map(len, clips.values())) == 2435
        assert clips[16] == tuple(range(1, 59))
        assert clips[40] == tuple(range(2, 13))
        assert 4 not in clips

    def test_known_hashes_are_of_files_that_exist(self) -> None:
        everything = set(cmu_files([str(subject) for subject in cmu_clips()]))
        assert set(cmu_hashes()) <= everything
        assert {"16/16.asf", "16/16_15.amc", "127/127.asf", "02/02_05.amc"} <= set(cmu_hashes())
        assert all(len(digest) == 64 and int(digest, 16) for digest in cmu_hashes().values())

    def test_the_address_stands_in_one_table(self) -> None:
        package = Path(sys.modules["kinegraph.fetch"].__file__ or "").parent
        assert [p.name for p in package.glob("*.py") if "mocap.cs" in p.read_text(encoding="utf-8")] == ["sources.py"]


class TestWishes:
    @pytest.mark.parametrize(
        ("wish", "expected"),
        [
            ("16_15", ["16/16.asf", "16/16_15.amc"]),
            ("2_5", ["02/02.asf", "02/02_05.amc"]),
            ("127_03", ["127/127.asf", "127/127_03.amc"]),
            ("16_11-13", ["16/16.asf", "16/16_11.amc", "16/16_12.amc", "16/16_13.amc"]),
            ("16_11-16_12", ["16/16.asf", "16/16_11.amc", "16/16_12.amc"]),
        ],
    )
    def test_forms(self, wish: str, expected: list[str]) -> None:
        assert cmu_files([wish]) == expected
        assert cmu_files(wish) == expected

    def test_a_subject_is_all_its_clips(self) -> None:
        assert len(cmu_files(["16"])) == 59
        assert cmu_files(["40"])[:2] == ["40/40.asf", "40/40_02.amc"]

    def test_nothing_twice(self) -> None:
        assert cmu_files(["16_15", "16", "16_15"]).count("16/16_15.amc") == 1
        assert cmu_files(["16_15", "16"]).count("16/16.asf") == 1

    @pytest.mark.parametrize(
        ("wish", "words"),
        [
            ("4", "no subject 4.*1 to 3, 5 to 43"),
            ("999", "no subject 999.*144"),
            ("16_59", "subject 16 has no clip 59; it has 1 to 58"),
            ("40_01", "subject 40 has no clip 1; it has 2 to 12"),
            ("16_50-60", "no clip 60"),
            ("16_20-11", "backwards"),
            ("16_1-17_2", "neither a subject"),
            ("walk", "neither a subject"),
            ("", "neither a subject"),
            ("../16", "neither a subject"),
        ],
    )
    def test_wishes_that_cannot_be_met(self, wish: str, words: str, tmp_path: Path) -> None:
        with pytest.raises(FetchError, match=words):
            fetch_cmu([wish], folder=tmp_path, base_url="http://127.0.0.1:9")
        assert everything(tmp_path) == {}


class TestFetching:
    def test_a_whole_subject(self, server: Server, files: dict[str, bytes], tmp_path: Path) -> None:
        paths = fetch_cmu(["43"], folder=tmp_path, base_url=server.url)
        assert [p.relative_to(tmp_path).as_posix() for p in paths] == cmu_files(["43"])
        assert all(p.read_bytes() == files[p.relative_to(tmp_path).as_posix()] for p in paths)
        assert set(everything(tmp_path)) == {*cmu_files(["43"]), RECORD}
        assert all(request.range is None for request in server.behaviour.requests)

    def test_a_second_fetch_asks_for_nothing(self, server: Server, hashes: dict[str, str], tmp_path: Path) -> None:
        for known in (hashes, {}):
            first = fetch_cmu(["16_15-17"], folder=tmp_path, base_url=server.url, hashes=known)
            server.behaviour.requests.clear()
            assert fetch_cmu(["16_15-17"], folder=tmp_path, base_url=server.url, hashes=known) == first
            assert server.behaviour.requests == []

    def test_only_what_is_missing_is_asked_for(self, server: Server, tmp_path: Path) -> None:
        fetch_cmu(["16_15"], folder=tmp_path, base_url=server.url, hashes={})
        server.behaviour.requests.clear()
        fetch_cmu(["16_14-15"], folder=tmp_path, base_url=server.url, hashes={})
        assert [request.path for request in server.behaviour.requests] == ["/16/16_14.amc"]

    def test_the_address_of_the_environment(
        self, server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("KINEGRAPH_CMU_URL", server.url + "/")
        fetch_cmu(["16_15"], folder=tmp_path, hashes={})
        assert [request.path for request in server.behaviour.requests] == [f"/{SKELETON}", f"/{CLIP}"]
        assert SOURCES["cmu"].base("http://given.example/") == "http://given.example"
        monkeypatch.delenv("KINEGRAPH_CMU_URL")
        assert SOURCES["cmu"].base() == "http://mocap.cs.cmu.edu/subjects"

    def test_the_users_cache_by_default(self, server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("pooch.os_cache", lambda project: tmp_path / project)
        paths = fetch_cmu(["16_15"], base_url=server.url, hashes={})
        assert paths == [tmp_path / "kinegraph/cmu" / file for file in (SKELETON, CLIP)]

    def test_progress(self, server: Server, files: dict[str, bytes], tmp_path: Path) -> None:
        told: list[tuple[str, int, int | None]] = []

        def listen(name: str, done: int, total: int | None) -> None:
            told.append((name, done, total))

        fetch_cmu(["16_15"], folder=tmp_path, base_url=server.url, hashes={}, watch=listen)
        sizes = {name.rpartition("/")[2]: len(files[name]) for name in (SKELETON, CLIP)}
        assert told == [entry for name, size in sizes.items() for entry in ((name, 0, size), (name, size, size))]
        told.clear()
        fetch_cmu(["16_15"], folder=tmp_path, base_url=server.url, hashes={}, watch=listen)
        assert told == [(name, size, size) for name, size in sizes.items()]

    def test_a_server_that_does_not_say_the_length(
        self, server: Server, files: dict[str, bytes], tmp_path: Path
    ) -> None:
        server.behaviour.say_length = False
        told: list[tuple[str, int, int | None]] = []
        fetch_cmu(["16_15"], folder=tmp_path, base_url=server.url, hashes={}, watch=lambda *a: told.append(a))
        assert told[-1] == ("16_15.amc", len(files[CLIP]), None)
        assert (tmp_path / CLIP).read_bytes() == files[CLIP]

    def test_an_error_of_the_callback_is_not_hidden(self, server: Server, tmp_path: Path) -> None:
        def cancel(name: str, done: int, total: int | None) -> None:
            raise ValueError("enough")

        with pytest.raises(ValueError, match="enough"):
            fetch_cmu(["16_15"], folder=tmp_path, base_url=server.url, watch=cancel)
        assert not (tmp_path / SKELETON).exists()

    def test_nothing_is_printed(self, server: Server, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
        fetch_cmu(["16_15"], folder=tmp_path, base_url=server.url, hashes={})
        assert capfd.readouterr() == ("", "")


class TestBreakingOff:
    def test_goes_on_where_it_stopped_at_once(
        self, server: Server, files: dict[str, bytes], hashes: dict[str, str], tmp_path: Path
    ) -> None:
        server.behaviour.cuts = [len(files[SKELETON]), 100, 250]
        fetch_cmu(["16_15"], folder=tmp_path, base_url=server.url, hashes=hashes)
        assert [(r.path, r.range, r.status) for r in server.behaviour.requests] == [
            (f"/{SKELETON}", None, 200),
            (f"/{CLIP}", None, 200),
            (f"/{CLIP}", "bytes=100-", 206),
            (f"/{CLIP}", "bytes=350-", 206),
        ]
        assert everything(tmp_path) == {SKELETON: files[SKELETON], CLIP: files[CLIP]}

    def test_goes_on_at_the_next_call(
        self, server: Server, files: dict[str, bytes], hashes: dict[str, str], tmp_path: Path
    ) -> None:
        server.behaviour.cuts = [len(files[SKELETON]), 100, 10, 10]
        with pytest.raises(FetchError, match=r"16_15\.amc.*broke off.*3 times.*KINEGRAPH_CMU_URL.*by hand"):
            fetch_cmu(["16_15"], folder=tmp_path, base_url=server.url, hashes=hashes)
        assert not (tmp_path / CLIP).exists()
        assert (tmp_path / f"{CLIP}.part").read_bytes() == files[CLIP][:120]
        server.behaviour.requests.clear()
        fetch_cmu(["16_15"], folder=tmp_path, base_url=server.url, hashes=hashes)
        assert server.behaviour.requests == [Request(f"/{CLIP}", "bytes=120-", 206)]
        assert everything(tmp_path) == {SKELETON: files[SKELETON], CLIP: files[CLIP]}

    def test_a_server_that_ignores_ranges(
        self, server: Server, files: dict[str, bytes], hashes: dict[str, str], tmp_path: Path
    ) -> None:
        server.behaviour.ranges = False
        server.behaviour.cuts = [len(files[SKELETON]), 100]
        fetch_cmu(["16_15"], folder=tmp_path, base_url=server.url, hashes=hashes)
        assert server.behaviour.requests[-1] == Request(f"/{CLIP}", "bytes=100-", 200)
        assert (tmp_path / CLIP).read_bytes() == files[CLIP]

    @pytest.mark.parametrize("tag", ['"first"', 'W/"weak"', None])
    def test_a_part_that_is_already_whole(
        self, tag: str | None, server: Server, files: dict[str, bytes], hashes: dict[str, str], tmp_path: Path
    ) -> None:
        server.behaviour.tag = tag
        (tmp_path / "16").mkdir()
        (tmp_path / f"{CLIP}.part").write_bytes(files[CLIP])
        fetch_cmu(["16_15"], folder=tmp_path, base_url=server.url, hashes=hashes)
        assert server.behaviour.requests[-1].status == 416
        assert everything(tmp_path) == {SKELETON: files[SKELETON], CLIP: files[CLIP]}

    def test_a_part_that_is_too_long(
        self, server: Server, files: dict[str, bytes], hashes: dict[str, str], tmp_path: Path
    ) -> None:
        (tmp_path / "16").mkdir()
        (tmp_path / f"{CLIP}.part").write_bytes(files[CLIP] + b"more")
        fetch_cmu(["16_15"], folder=tmp_path, base_url=server.url, hashes=hashes)
        assert [r.status for r in server.behaviour.requests[1:]] == [416, 200]
        assert (tmp_path / CLIP).read_bytes() == files[CLIP]

    def test_a_wrong_part_is_thrown_away(
        self, server: Server, files: dict[str, bytes], hashes: dict[str, str], tmp_path: Path
    ) -> None:
        (tmp_path / "16").mkdir()
        (tmp_path / f"{CLIP}.part").write_bytes(b"x" * 50)
        fetch_cmu(["16_15"], folder=tmp_path, base_url=server.url, hashes=hashes)
        assert [r.status for r in server.behaviour.requests[1:]] == [206, 200]
        assert everything(tmp_path) == {SKELETON: files[SKELETON], CLIP: files[CLIP]}

    def test_two_versions_are_never_joined(self, server: Server, files: dict[str, bytes], tmp_path: Path) -> None:
        server.behaviour.cuts = [len(files[SKELETON]), 100, 0, 0]
        with pytest.raises(FetchError):
            fetch_cmu(["16_15"], folder=tmp_path, base_url=server.url, hashes={})
        server.behaviour.files[f"/{CLIP}"] = other = files[CLIP].upper()
        server.behaviour.tag = '"second"'
        fetch_cmu(["16_15"], folder=tmp_path, base_url=server.url, hashes={})
        assert server.behaviour.requests[-1] == Request(f"/{CLIP}", "bytes=100-", 200)
        assert (tmp_path / CLIP).read_bytes() == other


class TestDamage:
    @pytest.mark.parametrize("known", [True, False])
    def test_a_damaged_file_is_fetched_again(
        self, known: bool, server: Server, files: dict[str, bytes], hashes: dict[str, str], tmp_path: Path
    ) -> None:
        given = hashes if known else {}
        fetch_cmu(["16_15"], folder=tmp_path, base_url=server.url, hashes=given)
        (tmp_path / CLIP).write_bytes(files[CLIP][:-5])
        server.behaviour.requests.clear()
        fetch_cmu(["16_15"], folder=tmp_path, base_url=server.url, hashes=given)
        assert (tmp_path / CLIP).read_bytes() == files[CLIP]
        assert [request.path for request in server.behaviour.requests] == [f"/{CLIP}"]

    def test_another_file_than_the_known_one(
        self, server: Server, files: dict[str, bytes], hashes: dict[str, str], tmp_path: Path
    ) -> None:
        server.behaviour.files[f"/{CLIP}"] = other = b"# something else\n"
        with pytest.raises(FetchError, match=r"16_15\.amc is not the file it should be.*verify=False"):
            fetch_cmu(["16_15"], folder=tmp_path, base_url=server.url, hashes=hashes)
        assert everything(tmp_path) == {SKELETON: files[SKELETON]}
        fetch_cmu(["16_15"], folder=tmp_path, base_url=server.url, hashes=hashes, verify=False)
        assert (tmp_path / CLIP).read_bytes() == other

    def test_the_shipped_hashes_are_the_default(self, server: Server, tmp_path: Path) -> None:
        with pytest.raises(FetchError, match=r"16\.asf is not the file it should be"):
            fetch_cmu(["16_15"], folder=tmp_path, base_url=server.url)

    def test_a_source_that_changed_since_the_first_time(
        self, server: Server, files: dict[str, bytes], tmp_path: Path
    ) -> None:
        fetch_cmu(["16_15"], folder=tmp_path, base_url=server.url, hashes={})
        (tmp_path / CLIP).unlink()
        server.behaviour.files[f"/{CLIP}"] = other = b"# newer\n"
        with pytest.raises(FetchError, match="is not the file it should be"):
            fetch_cmu(["16_15"], folder=tmp_path, base_url=server.url, hashes={})
        fetch_cmu(["16_15"], folder=tmp_path, base_url=server.url, hashes={}, verify=False)
        # accepted once, it is the one to hold to
        fetch_cmu(["16_15"], folder=tmp_path, base_url=server.url, hashes={})
        assert (tmp_path / CLIP).read_bytes() == other
        assert f"{hashlib.sha256(other).hexdigest()}  {CLIP}\n" in (tmp_path / RECORD).read_text()

    def test_a_file_put_there_by_hand(self, server: Server, files: dict[str, bytes], tmp_path: Path) -> None:
        for file in (SKELETON, CLIP):
            (tmp_path / file).parent.mkdir(exist_ok=True)
            (tmp_path / file).write_bytes(files[file])
        fetch_cmu(["16_15"], folder=tmp_path, base_url="http://127.0.0.1:9", hashes={})
        assert set(everything(tmp_path)) == {SKELETON, CLIP, RECORD}

    @pytest.mark.parametrize("verify", [True, False])
    def test_a_web_page_is_no_clip(self, verify: bool, server: Server, tmp_path: Path) -> None:
        server.behaviour.files[f"/{SKELETON}"] = b"\n<!DOCTYPE html><html>Please log in"
        with pytest.raises(FetchError, match="is a web page"):
            fetch_cmu(["16_15"], folder=tmp_path, base_url=server.url, hashes={}, verify=verify)
        assert everything(tmp_path) == {}


class TestFailure:
    def test_offline(self, tmp_path: Path) -> None:
        with socket.socket() as taken:
            taken.bind(("127.0.0.1", 0))  # bound but not listening: connections are refused
            url = f"http://127.0.0.1:{taken.getsockname()[1]}"
            with pytest.raises(FetchError, match=r"no connection.*Check the network.*KINEGRAPH_CMU_URL") as caught:
                fetch_cmu(["16_15"], folder=tmp_path, base_url=url)
        assert f"{url}/{SKELETON}" in str(caught.value)
        assert str(tmp_path / SKELETON) in str(caught.value)
        assert everything(tmp_path) == {}

    def test_a_name_that_no_one_knows(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        def unknown(*_: object, **__: object) -> None:
            raise socket.gaierror(-2, "Name or service not known")

        monkeypatch.setattr(socket, "getaddrinfo", unknown)
        monkeypatch.setenv("NO_PROXY", "*")
        with pytest.raises(FetchError, match=r"no connection.*Name or service not known.*Check the network"):
            fetch_cmu(["16_15"], folder=tmp_path, base_url="http://nowhere.invalid")

    def test_not_found_is_not_tried_again(self, server: Server, tmp_path: Path) -> None:
        del server.behaviour.files[f"/{CLIP}"]
        with pytest.raises(FetchError, match=r"16_15\.amc: the server answered 404 Not Found"):
            fetch_cmu(["16_15"], folder=tmp_path, base_url=server.url, hashes={})
        assert [r.status for r in server.behaviour.requests] == [200, 404]
        assert set(everything(tmp_path)) == {SKELETON, RECORD}

    @pytest.mark.parametrize("status", [500, 503, 429])
    def test_a_server_in_trouble_is_tried_again(self, status: int, server: Server, tmp_path: Path) -> None:
        server.behaviour.failures = [status, status]
        assert len(fetch_cmu(["16_15"], folder=tmp_path, base_url=server.url, hashes={})) == 2
        assert [r.status for r in server.behaviour.requests] == [status, status, 200, 200]

    def test_a_server_that_stays_in_trouble(self, server: Server, tmp_path: Path) -> None:
        server.behaviour.failures = [500] * 10
        with pytest.raises(FetchError, match="answered 500 Internal Server Error, 3 times"):
            fetch_cmu(["16_15"], folder=tmp_path, base_url=server.url)
        assert len(server.behaviour.requests) == 3

    @pytest.mark.parametrize("address", ["ftp://somewhere", "mocap.cs.cmu.edu", "file:///tmp"])
    def test_what_is_no_address(self, address: str, tmp_path: Path) -> None:
        with pytest.raises(FetchError, match="http://"):
            fetch_cmu(["16_15"], folder=tmp_path, base_url=address)

    def test_a_place_that_cannot_be_written(self, server: Server, tmp_path: Path) -> None:
        (tmp_path / "taken").write_text("a file, not a folder")
        with pytest.raises(FetchError, match=r"is a file: give a folder"):
            fetch_cmu(["16_15"], folder=tmp_path / "taken", base_url=server.url, hashes={})

    def test_without_the_extra(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setitem(sys.modules, "pooch", None)
        with pytest.raises(MissingExtraError, match=r"kinegraph\[fetch\]") as caught:
            fetch_cmu(["16_15"], folder=tmp_path)
        assert isinstance(caught.value, KinegraphError)
