from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import SimpleNamespace
from urllib.parse import quote

import pytest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from kinegraph import graph, samples
from kinegraph.errors import KinegraphError
from kinegraph.studio.server import serve as serving
from kinegraph.studio.server.serve import serve
from tests.cli.inprocess import call
from tests.studio.running import running

GIGABYTE = 10**9


def sent_until_refused(port: int, head: bytes, piece: bytes, most: int) -> tuple[int, bytes]:
    """How many bytes of a body a server takes before it ends the connection, and what it answers."""
    sent = 0
    with socket.create_connection(("127.0.0.1", port), timeout=30) as line:
        line.sendall(head)
        try:
            while sent < most:
                line.sendall(piece)
                sent += len(piece)
        except OSError:
            pass
        answer = b""
        try:
            while more := line.recv(65536):
                answer += more
        except OSError:
            pass
    return sent, answer


def form(port: int, *lines: str) -> bytes:
    head = [
        "POST /api/clips HTTP/1.1",
        f"Host: 127.0.0.1:{port}",
        "Content-Type: multipart/form-data; boundary=x",
        *lines,
        "",
        "",
    ]
    return "\r\n".join(head).encode()


def test_two_gigabytes_are_refused_before_they_are_read(folder: Path) -> None:
    with running(folder) as studio:
        before = studio.resident
        part = b'--x\r\nContent-Disposition: form-data; name="files"; filename="a.bvh"\r\n\r\n'
        # one that says how much it is going to send
        sent, answer = sent_until_refused(
            studio.port, form(studio.port, f"Content-Length: {2 * GIGABYTE}"), bytes(1_000_000), 2 * GIGABYTE
        )
        assert sent < 50_000_000
        assert not answer or b"413" in answer.split(b"\r\n")[0]
        # one that does not
        head = form(studio.port, "Transfer-Encoding: chunked") + f"{len(part):x}\r\n".encode() + part + b"\r\n"
        chunk = b"f4240\r\n" + bytes(1_000_000) + b"\r\n"
        sent, answer = sent_until_refused(studio.port, head, chunk, 2 * GIGABYTE)
        assert 190_000_000 < sent < 300_000_000
        assert not answer or b"413" in answer.split(b"\r\n")[0]
        assert studio.resident - before < 100_000_000
        assert studio.client.get("/api/state").status_code == 200
        assert not (folder / ".kinegraph" / "incoming").exists()
        assert not (folder / "clips").exists()


def test_a_claim_alone_is_answered(folder: Path) -> None:
    with running(folder) as studio, socket.create_connection(("127.0.0.1", studio.port), timeout=30) as line:
        line.sendall(form(studio.port, f"Content-Length: {2 * GIGABYTE}", "Expect: 100-continue"))
        assert line.recv(65536).startswith(b"HTTP/1.1 413")


def test_an_upload_that_is_broken_off_leaves_nothing(folder: Path) -> None:
    with running(folder) as studio:
        with socket.create_connection(("127.0.0.1", studio.port), timeout=30) as line:
            line.sendall(form(studio.port, "Content-Length: 100000000"))
            line.sendall(
                b'--x\r\nContent-Disposition: form-data; name="files"; filename="a.bvh"\r\n\r\n' + bytes(5_000_000)
            )
        for _ in range(200):
            if studio.client.get("/api/state").status_code == 200 and not (folder / ".kinegraph" / "incoming").exists():
                break
        assert not (folder / ".kinegraph" / "incoming").exists()


def test_sockets_of_other_pages_are_refused(folder: Path) -> None:
    with running(folder) as studio:
        address = f"ws://127.0.0.1:{studio.port}/api/events"
        with connect(address, origin=f"http://127.0.0.1:{studio.port}", open_timeout=10):
            pass
        for strange in ("http://evil.example", "null", f"http://evil.example:{studio.port}"):
            with pytest.raises(InvalidStatus) as refused:
                connect(address, origin=strange, open_timeout=10)  # type: ignore[arg-type]
            assert refused.value.response.status_code == 403
        with pytest.raises(InvalidStatus):
            connect(address, additional_headers={"Host": "evil.example"}, open_timeout=10)


def test_any_other_address_needs_a_token(folder: Path) -> None:
    with running(folder, "--host", "0.0.0.0", "--token", "quite-secret") as studio:
        local = f"http://127.0.0.1:{studio.port}"
        assert studio.client.get(f"{local}/api/state").status_code == 401
        with pytest.raises(InvalidStatus):
            connect(f"ws://127.0.0.1:{studio.port}/api/events", open_timeout=10)
        assert studio.client.get(f"{local}/?token=quite-secret", follow_redirects=True).status_code == 200
        assert studio.client.get(f"{local}/api/state").status_code == 200


def test_a_token_is_made_where_none_is_given(folder: Path) -> None:
    command = [
        sys.executable,
        "-m",
        "kinegraph",
        "studio",
        str(folder),
        "--port",
        "0",
        "--no-browser",
        "--host",
        "0.0.0.0",
    ]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    try:
        assert process.stderr is not None
        line = next(line for line in process.stderr if "open at" in line)
        assert len(line.split("?token=")[1].split()[0]) >= 32
    finally:
        process.terminate()
        process.communicate(timeout=10)


def test_one_studio_for_one_folder(folder: Path) -> None:
    with running(folder) as studio:
        again = subprocess.run(
            [sys.executable, "-m", "kinegraph", "studio", str(folder), "--port", "0", "--no-browser"],
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        assert again.returncode == 2
        assert studio.url in again.stderr
    # and once it has ended, another
    with running(folder) as studio:
        assert studio.client.get("/api/state").status_code == 200


def test_what_cannot_be_opened_is_told(folder: Path, tmp_path: Path) -> None:
    assert call("studio", tmp_path / "nowhere", "--no-browser").code == 2
    assert call("studio", folder / "walk.bvh", "--no-browser").code == 2
    assert call("studio", folder, "--token", "short").code == 2
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(KinegraphError, match="cannot listen"):
            serve(folder, port=port, browser=False)
    with pytest.raises(KinegraphError, match="cannot listen"):
        serve(folder, host="no.such.host.invalid", token="x", browser=False)


def test_other_commands_do_not_load_it() -> None:
    script = (
        "import sys, kinegraph.cli.app; print([m for m in ('fastapi', 'uvicorn', 'starlette') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout.strip() == "[]"


def test_two_that_are_started_together_take_two_ports(monkeypatch: pytest.MonkeyPatch) -> None:
    """Both could be bound to one port, and the second would only be told when it begins to listen."""
    with socket.create_server(("127.0.0.1", 0)) as somewhere:
        free = somewhere.getsockname()[1]
    monkeypatch.setattr(serving, "USUAL_PORT", free)
    with serving._listen("127.0.0.1", None) as first, serving._listen("127.0.0.1", None) as second:
        ports = [line.getsockname()[1] for line in (first, second)]
        assert ports[0] < ports[1]
        with pytest.raises(KinegraphError, match="cannot listen"):
            serving._listen("127.0.0.1", ports[0])
        for port in ports:
            socket.create_connection(("127.0.0.1", port), timeout=5).close()


def test_windows_is_asked_for_a_port_of_ones_own(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []

    class Line:
        def setsockopt(self, level: int, option: int, value: int) -> None:
            asked.append(option)

    monkeypatch.setattr(serving.sys, "platform", "win32")
    monkeypatch.setattr(socket, "SO_EXCLUSIVEADDRUSE", -5, raising=False)
    serving._alone(Line())  # type: ignore[arg-type]
    assert asked == [-5]


def test_windows_locks_a_byte_that_nobody_reads(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As on Windows, with a stand-in for its lock."""
    locked: list[int] = []

    def locking(descriptor: int, mode: int, count: int) -> None:
        if locked:
            raise OSError(13, "Permission denied")
        locked.append(os.lseek(descriptor, 0, os.SEEK_CUR))

    monkeypatch.setitem(sys.modules, "msvcrt", SimpleNamespace(locking=locking, LK_NBLCK=2))
    monkeypatch.setattr(serving.sys, "platform", "win32")
    with serving.only_one(folder) as held:
        assert held is not None
        held.write("http://127.0.0.1:8700/")
        held.flush()
        assert locked[0] > 1_000_000
        with pytest.raises(KinegraphError, match="8700"), serving.only_one(folder):
            pass
    assert (folder / ".kinegraph" / "lock").stat().st_size < 100


def test_a_lock_that_is_a_link_is_left_alone(folder: Path) -> None:
    outside = folder.parent / "precious.txt"
    outside.write_text("precious")
    (folder / ".kinegraph").mkdir()
    (folder / ".kinegraph" / "lock").symlink_to(outside)
    with pytest.raises(KinegraphError, match="is a link"):
        serve(folder, port=0, browser=False)
    assert outside.read_text() == "precious"


def test_any_token_that_is_taken_is_one_that_a_link_holds(folder: Path) -> None:
    odd = 'a&b=c+d%20#e;f"g'
    with running(folder, "--token", odd) as studio:
        assert studio.client.get("/api/state").status_code == 401
        link = f"{studio.url}?token={quote(odd, safe='')}"
        assert studio.link == link
        assert studio.client.get(link, follow_redirects=True).status_code == 200
        assert studio.client.get("/api/state").status_code == 200
    for bad in ("schlüssel-dazu", "with a space", "tab\tand more", "no\nlines at all"):
        done = call("studio", folder, "--no-browser", "--token", bad)
        assert done.code == 2
        assert "without spaces" in done.err


def test_the_end_does_not_wait_for_a_search(tmp_path: Path) -> None:
    """One that would take hours, asked for by somebody who is still waiting when Ctrl-C is pressed."""
    graph.build([samples.make(name).motion for name in samples.names()[:12]], path=tmp_path / "g.mog")
    with running(tmp_path) as studio:
        id = studio.client.get("/api/state").json()["graphs"][0]["id"]
        asked = {"path": {"shape": "line:30"}, "search": "exact", "horizon": 20}
        with ThreadPoolExecutor(3) as askers:
            waiting = [askers.submit(studio.client.post, f"/api/graphs/{id}/follow", json=asked) for _ in range(2)]
            # and nobody else waits for it either
            usual = {"path": {"shape": "line:3"}}
            assert studio.client.post(f"/api/graphs/{id}/follow", json=usual, timeout=120).status_code == 200
            assert not any(one.done() for one in waiting)
            studio.process.send_signal(signal.SIGINT)
            studio.process.wait(30)
            for one in waiting:
                # an answer, if the line was not cut first, and never a fault of ours
                assert one.exception() is not None or one.result().status_code == 409
        assert "Traceback" not in studio.said
