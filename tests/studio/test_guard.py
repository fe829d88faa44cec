from __future__ import annotations

import mimetypes
from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from kinegraph.studio.server import static
from kinegraph.studio.server.app import create_app
from kinegraph.studio.server.guard import JSON_LIMIT, UPLOAD_LIMIT
from kinegraph.studio.server.serve import hosts, is_loopback
from kinegraph.studio.workspace.workspace import Workspace

OURS = "http://testserver"


@pytest.mark.parametrize(
    "host", ["evil.example", "testserver.evil.example", "testserver:80", "", "127.0.0.1", "testserver@evil.example"]
)
def test_a_name_that_is_not_ours_is_refused(client: TestClient, host: str) -> None:
    """DNS rebinding: a name of somebody else that leads here."""
    answer = client.get("/api/state", headers={"Host": host})
    assert answer.status_code == 403
    assert "address" in answer.json()["error"]
    with pytest.raises(WebSocketDisconnect), client.websocket_connect("/api/events", headers={"Host": host}):
        pass


@pytest.mark.parametrize(
    "origin",
    [
        "http://evil.example",
        "null",
        "http://testserver.evil.example",
        "file://",
        "http://testserver:1",
        "http://[",
        "ftp://testserver",
    ],
)
def test_pages_of_others_are_refused(client: TestClient, origin: str) -> None:
    before = client.get("/api/jobs").json()
    for method, path in (("POST", "/api/samples"), ("DELETE", "/api/jobs/000000000000"), ("GET", "/api/state")):
        answer = client.request(method, path, headers={"Origin": origin})
        assert answer.status_code == 403, path
    assert client.get("/api/jobs").json() == before
    with pytest.raises(WebSocketDisconnect), client.websocket_connect("/api/events", headers={"Origin": origin}):
        pass


def test_our_own_page_is_not(client: TestClient) -> None:
    assert client.get("/api/state", headers={"Origin": OURS, "Sec-Fetch-Site": "same-origin"}).status_code == 200
    with client.websocket_connect("/api/events", headers={"Origin": OURS}):
        pass


def test_what_the_browser_calls_another_site_is_refused(client: TestClient) -> None:
    for site in ("cross-site", "same-site"):
        for path in ("/api/state", "/", "/assets/x.js"):
            assert client.get(path, headers={"Sec-Fetch-Site": site}).status_code == 403
    # a link to the page may be followed, but not one into its interface
    visit = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document"}
    assert client.get("/", headers=visit).status_code == 200
    assert client.get("/api/state", headers=visit).status_code == 403
    frame = {**visit, "Sec-Fetch-Dest": "iframe"}
    assert client.get("/", headers=frame).status_code == 403


def test_no_other_site_is_told_that_it_may_read(client: TestClient) -> None:
    answer = client.get("/api/state", headers={"Origin": OURS})
    assert not [name for name in answer.headers if name.startswith("access-control")]
    preflight = client.options("/api/state", headers={"Origin": OURS, "Access-Control-Request-Method": "POST"})
    assert not [name for name in preflight.headers if name.startswith("access-control")]


def test_every_answer_tells_the_browser_what_it_may_do(client: TestClient) -> None:
    for path in ("/", "/api/state", "/nothing", "/api/nothing"):
        headers = client.get(path).headers
        policy = headers["content-security-policy"]
        assert "default-src 'self'" in policy
        assert "frame-ancestors 'none'" in policy
        # scripts: only our own files, and WebAssembly that is in them
        (scripts,) = [part.split() for part in policy.split(";") if "script" in part]
        assert scripts == ["script-src", "'self'", "'wasm-unsafe-eval'"]
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "no-referrer"
    assert client.get("/api/state").headers["cache-control"] == "no-store"


class TestToken:
    @pytest.fixture
    def client(self, folder: Path) -> Iterator[TestClient]:
        app = create_app(Workspace(folder), hosts={"testserver", "*:9000"}, token="a-long-token")
        with TestClient(app, follow_redirects=False) as client:
            yield client

    def test_without_it_nothing_is_shown(self, client: TestClient) -> None:
        for path in ("/", "/api/state", "/api/openapi.json", "/assets/x.js"):
            assert client.get(path).status_code == 401, path
        for wrong in ("", "a-long-toke", "a-long-tokem", "é"):
            assert client.get("/api/state", params={"token": wrong}).status_code == 401
            assert client.get("/api/state", headers={"Authorization": f"Bearer {wrong}".encode()}).status_code == 401
            assert client.get("/api/state", headers={"Cookie": f"kinegraph-token={wrong}".encode()}).status_code == 401
        with pytest.raises(WebSocketDisconnect), client.websocket_connect("/api/events"):
            pass

    def test_a_link_with_it_becomes_a_cookie(self, client: TestClient) -> None:
        answer = client.get("/?token=a-long-token&x=1")
        assert answer.status_code == 303
        assert answer.headers["location"] == "/?x=1"
        cookie = answer.headers["set-cookie"].lower()
        assert "httponly" in cookie
        assert "samesite=lax" in cookie
        assert client.get("/api/state").status_code == 200
        with client.websocket_connect("/api/events"):
            pass

    def test_a_link_never_leads_elsewhere(self, client: TestClient) -> None:
        answer = client.get("//evil.example/?token=a-long-token")
        assert not answer.headers.get("location", "/").startswith("//")

    def test_a_script_sends_it_as_a_header(self, client: TestClient) -> None:
        assert client.get("/api/state", headers={"Authorization": "Bearer a-long-token"}).status_code == 200

    def test_any_number_will_do_for_a_server_of_all_interfaces(self, client: TestClient) -> None:
        allowed = {"Authorization": "Bearer a-long-token"}
        assert client.get("/api/state", headers={**allowed, "Host": "192.168.1.7:9000"}).status_code == 200
        assert client.get("/api/state", headers={**allowed, "Host": "[fe80::1]:9000"}).status_code == 200
        for other in ("evil.example:9000", "192.168.1.7", "192.168.1.7:80"):
            assert client.get("/api/state", headers={**allowed, "Host": other}).status_code == 403


def test_a_body_that_says_it_is_too_large_is_not_read(client: TestClient) -> None:
    def never() -> Iterator[bytes]:
        yield b"{"
        raise AssertionError("it was read")

    for path, limit in (("/api/graphs", JSON_LIMIT), ("/api/clips", UPLOAD_LIMIT)):
        answer = client.post(path, content=never(), headers={"Content-Length": str(limit + 1)})
        assert answer.status_code == 413
        assert "MB" in answer.json()["error"]


def test_a_body_that_does_not_say_so_is_counted(client: TestClient) -> None:
    def endless() -> Iterator[bytes]:
        for _ in range(JSON_LIMIT // 100_000 + 2):
            yield b" " * 100_000

    answer = client.put("/api/sketches/x", content=endless(), headers={"Content-Type": "application/json"})
    assert answer.status_code == 413


def test_which_names_a_server_answers_to() -> None:
    assert hosts("127.0.0.1", 8700) == {"127.0.0.1:8700", "localhost:8700", "[::1]:8700"}
    assert {"0.0.0.0:1", "*:1", "localhost:1"} <= hosts("0.0.0.0", 1)
    assert "[fe80::1]:1" in hosts("fe80::1", 1)
    assert [is_loopback(host) for host in ("127.0.0.1", "127.9.9.9", "::1", "localhost")] == [True] * 4
    assert [is_loopback(host) for host in ("0.0.0.0", "192.168.0.1", "example.org", "::", "")] == [False] * 5


class TestPages:
    """Whose pages may ask a studio that listens at all addresses."""

    SHOWN = {"Cookie": "kinegraph-token-9000=a-long-token"}  # noqa: RUF012

    @pytest.fixture
    def client(self, folder: Path) -> Iterator[TestClient]:
        app = create_app(Workspace(folder), hosts={"testserver", "*:9000"}, token="a-long-token")
        with TestClient(app, base_url="http://192.168.1.7:9000", follow_redirects=False) as client:
            yield client

    def test_a_page_of_another_number_is_not_ours(self, client: TestClient) -> None:
        """A service of another machine that happens to have the same port."""
        for origin, status in (
            ("http://192.168.1.7:9000", 200),
            ("http://testserver", 200),
            ("http://192.168.1.8:9000", 403),
            ("http://192.168.1.7:80", 403),
            ("http://192.168.1.7", 403),
            ("null", 403),
        ):
            assert client.get("/api/state", headers={**self.SHOWN, "Origin": origin}).status_code == status, origin

    def test_the_cookie_alone_lets_no_other_site_write_or_listen(self, client: TestClient) -> None:
        for told in (
            {"Origin": "http://evil.example"},
            {"Origin": "http://192.168.1.8:9000"},
            {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document"},
            {"Sec-Fetch-Site": "same-site"},
        ):
            headers = {**self.SHOWN, **told}
            for method, path in (("POST", "/api/samples"), ("DELETE", "/api/jobs/000000000000"), ("PUT", "/api/x")):
                assert client.request(method, path, headers=headers).status_code == 403, told
            with pytest.raises(WebSocketDisconnect), client.websocket_connect("/api/events", headers=headers):
                pass
        own = {**self.SHOWN, "Origin": "http://192.168.1.7:9000", "Host": "192.168.1.7:9000"}
        with client.websocket_connect("/api/events", headers=own):
            pass

    def test_the_cookie_is_of_one_port_and_outlives_a_link_from_elsewhere(self, client: TestClient) -> None:
        visit = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document"}
        answer = client.get("/?token=a-long-token", headers=visit)
        assert answer.status_code == 303
        cookie = answer.headers["set-cookie"].lower()
        assert cookie.startswith("kinegraph-token-9000=")
        assert "samesite=lax" in cookie
        assert client.get("/", headers=visit).status_code == 200
        # that of a studio at another port says nothing here
        client.cookies.clear()
        other = {"Cookie": "kinegraph-token-9001=a-long-token; kinegraph-token=a-long-token"}
        assert client.get("/api/state", headers=other).status_code == 401


def test_scripts_are_scripts_whatever_the_system_calls_them(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Windows' registry may say that a script is plain text, which no browser runs."""
    monkeypatch.setattr(mimetypes, "_db", mimetypes.MimeTypes())
    built = tmp_path / "built"
    built.mkdir()
    expected = {
        ".js": "text/javascript", ".mjs": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml",
        ".woff2": "font/woff2", ".json": "application/json",
    }  # fmt: skip
    for suffix in expected:
        mimetypes.add_type("text/plain", suffix)
        (built / f"a{suffix}").write_text("")
    monkeypatch.setattr(static, "FOLDER", built)
    with TestClient(create_app(Workspace(folder), hosts={"testserver"})) as client:
        for suffix, kind in expected.items():
            assert client.get(f"/a{suffix}").headers["content-type"].partition(";")[0] == kind
