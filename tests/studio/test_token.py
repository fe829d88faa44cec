"""Who is let in: others on this machine reach its ports as well, and are not."""

from __future__ import annotations

import os
import stat
import webbrowser
from pathlib import Path
from unittest.mock import MagicMock
from urllib.parse import parse_qs, urlsplit

import pytest
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from kinegraph.errors import KinegraphError
from kinegraph.studio.server import serve as serving
from kinegraph.studio.server.app import create_app
from kinegraph.studio.server.token import kept_token
from kinegraph.studio.workspace.workspace import Workspace
from tests.cli.inprocess import call
from tests.studio.running import running

TOKEN, TICKET = "t" * 32, "k" * 32


@pytest.fixture
def client(folder: Path):  # type: ignore[no-untyped-def]
    app = create_app(Workspace(folder), hosts={"testserver"}, token=TOKEN, ticket=TICKET)
    with TestClient(app, follow_redirects=False) as client:
        yield client


def test_a_studio_of_this_machine_has_a_token_too(folder: Path) -> None:
    with running(folder, "--guarded") as studio:
        assert studio.client.get("/api/state").status_code == 401
        assert studio.client.get("/").status_code == 401
        token = parse_qs(urlsplit(studio.link).query)["token"][0]
        assert len(token) >= 32
        shown = {"Authorization": f"Bearer {token}"}
        assert studio.client.get("/api/state", headers=shown).status_code == 200
        assert studio.client.get(f"/api/state?token={token}").status_code == 200
        assert not studio.client.cookies
        assert studio.client.get(studio.link, follow_redirects=True).status_code == 200
        assert studio.client.get("/api/state").status_code == 200
        # the lock tells everybody where it is, and nobody how to get in
        assert token not in (folder / ".kinegraph" / "lock").read_text()
        assert stat.S_IMODE((folder / ".kinegraph" / "token").stat().st_mode) == 0o600
    # a page that is still open is let in by the next one
    with running(folder, "--guarded") as again:
        assert again.client.get("/api/state", headers=shown).status_code == 200


def test_those_who_know_do_without(folder: Path) -> None:
    with running(folder, "--no-token") as studio:
        assert studio.client.get("/api/state").status_code == 200
        assert "token" not in studio.link
    assert call("studio", folder, "--no-token", "--token", "long-enough").code == 2
    done = call("studio", folder, "--no-token", "--host", "0.0.0.0")
    assert done.code == 2
    assert "needs its token" in done.err


def test_a_ticket_lets_in_once(client: TestClient) -> None:
    assert client.get(f"/api/state?token={TICKET}").status_code == 401
    assert client.get(f"/?token={TICKET}x").status_code == 401
    answer = client.get(f"/?token={TICKET}&room=live")
    assert answer.status_code == 303
    assert answer.headers["location"] == "/?room=live"
    assert TICKET not in answer.headers["set-cookie"]
    assert client.get("/api/state").status_code == 200
    client.cookies.clear()
    assert client.get(f"/?token={TICKET}").status_code == 401
    # the token itself lasts
    for _ in range(2):
        assert client.get(f"/?token={TOKEN}").status_code == 303


def test_sockets_need_it_too(client: TestClient) -> None:
    with pytest.raises(WebSocketDisconnect), client.websocket_connect("/api/events"):
        pass
    with client.websocket_connect(f"/api/events?token={TOKEN}"):
        pass
    with client.websocket_connect("/api/events", headers={"Authorization": f"Bearer {TOKEN}"}):
        pass


def test_the_browser_is_given_the_ticket(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its command line can be seen by all who list processes; the printed link by nobody else."""
    made, opened, told = {}, [], []
    monkeypatch.setattr(serving, "create_app", lambda *given, **named: made.update(named) or MagicMock())
    monkeypatch.setattr(webbrowser, "open", opened.append)

    class Quick:
        def __init__(self, config: object, ready, leave: object) -> None:  # type: ignore[no-untyped-def]
            self.ready = ready

        def run(self, sockets: object) -> None:
            self.ready()

    monkeypatch.setattr(serving, "_Server", Quick)
    monkeypatch.setattr(serving, "_config", lambda app: None)
    monkeypatch.setattr(
        serving.threading, "Thread", lambda target, args, daemon: type("T", (), {"start": lambda _: target(*args)})()
    )
    serving.serve(folder, port=0, tell=told.append)
    assert made["ticket"] in opened[0]
    assert made["token"] not in opened[0]
    assert made["token"] in told[0].link
    with pytest.raises(KinegraphError, match="needs its token"):
        serving.serve(folder, host="0.0.0.0", port=0, open_to_all=True)


def test_a_token_that_others_could_know_is_not_kept(tmp_path: Path) -> None:
    hidden = tmp_path / ".kinegraph"
    first = kept_token(tmp_path, hidden)
    assert kept_token(tmp_path, hidden) == first
    path = hidden / "token"
    path.chmod(0o644)
    second = kept_token(tmp_path, hidden)
    assert second != first
    assert kept_token(tmp_path, hidden) == second
    for planted in ("short", "with spaces " * 4, "x" * 5000, ""):
        path.write_text(planted)
        assert len(kept_token(tmp_path, hidden)) == 32
    outside = tmp_path / "planted"
    outside.write_text("p" * 32)
    outside.chmod(0o600)
    path.unlink()
    path.symlink_to(outside)
    assert kept_token(tmp_path, hidden) != "p" * 32
    assert outside.read_text() == "p" * 32
    path.unlink()
    os.mkfifo(path, 0o600)
    assert len(kept_token(tmp_path, hidden)) == 32
