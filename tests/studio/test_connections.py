"""Who opens connections and says nothing, or opens more than there is room for, keeps nobody else out."""

from __future__ import annotations

import asyncio
import errno
import logging
import socket
import subprocess
import sys
import time
from contextlib import ExitStack
from pathlib import Path

import pytest

from kinegraph.studio.server import connections
from tests.studio.running import running

# a studio that gives up soon and has few descriptors
SCRIPT = """
import resource, sys
from kinegraph.cli import main
from kinegraph.studio.server import connections
connections.PATIENCE = {patience}
connections.widen = lambda: None
resource.setrlimit(resource.RLIMIT_NOFILE, ({files}, {files}))
sys.argv[0] = "kinegraph"
main()
"""

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="limits are set")


def script(patience: float, files: int) -> str:
    return SCRIPT.format(patience=patience, files=files)


def closed(line: socket.socket, seconds: float) -> bool:
    """Whether the other end ends a connection within some time."""
    line.settimeout(seconds)
    try:
        while line.recv(65536):  # what is left of an answer
            pass
        return True
    except ConnectionError:
        return True
    except TimeoutError:
        return False


def test_half_a_request_is_not_waited_for(folder: Path) -> None:
    with running(folder, script=script(1.0, 1024)) as studio, ExitStack() as lines:
        silent, half, slow = (
            lines.enter_context(socket.create_connection(("127.0.0.1", studio.port), timeout=30)) for _ in range(3)
        )
        half.sendall(b"GET / HTTP/1.1\r\nHost: x\r\n")
        # one that was answered, and then begins another one very slowly
        slow.sendall(f"GET /api/jobs HTTP/1.1\r\nHost: 127.0.0.1:{studio.port}\r\n\r\n".encode())
        assert b"200 OK" in slow.recv(65536)
        slow.sendall(b"GET /")
        assert closed(silent, 30)
        assert closed(half, 30)
        assert closed(slow, 30)
        # and who asks is answered, however long it takes them to send a body
        with socket.create_connection(("127.0.0.1", studio.port), timeout=30) as body:
            head = f"POST /api/export HTTP/1.1\r\nHost: 127.0.0.1:{studio.port}\r\nContent-Type: application/json\r\n"
            head += "Content-Length: 2\r\n\r\n"
            body.sendall(head.encode())
            time.sleep(2)
            body.sendall(b"{}")
            assert body.recv(65536).startswith(b"HTTP/1.1 422")


def test_a_crowd_of_silent_ones_keeps_nobody_out(folder: Path) -> None:
    """Far more than there are descriptors; what the terminal is told of it is one line at most."""
    with running(folder, script=script(60.0, 128)) as studio, ExitStack() as lines:
        for _ in range(400):
            try:
                lines.enter_context(socket.create_connection(("127.0.0.1", studio.port), timeout=5))
            except OSError:
                break
        for _ in range(5):
            assert studio.client.get("/api/state").status_code == 200
            assert studio.client.get("/api/jobs", headers={"Connection": "close"}).status_code == 200
        assert studio.process.poll() is None


def test_no_descriptors_is_one_line(caplog: pytest.LogCaptureFixture) -> None:
    loop = asyncio.new_event_loop()
    connections.quietly(loop)
    with caplog.at_level(logging.WARNING):
        for _ in range(1000):
            loop.call_exception_handler(
                {"message": "accept", "exception": OSError(errno.EMFILE, "Too many open files")}
            )
    assert [record.getMessage() for record in caplog.records] == [
        "no further connection can be taken for now: Too many open files"
    ]
    # what else goes wrong is told as ever
    caplog.clear()
    loop.call_exception_handler({"message": "something else", "exception": ValueError("x")})
    assert "something else" in caplog.text
    loop.close()


def test_the_system_is_asked_for_more_descriptors() -> None:
    code = (
        "import resource; resource.setrlimit(resource.RLIMIT_NOFILE, (256, resource.getrlimit(resource.RLIMIT_NOFILE)[1]))\n"
        "from kinegraph.studio.server.connections import widen; widen()\n"
        "soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE); print(soft == min(4096, hard) or soft)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout.strip() == "True"
