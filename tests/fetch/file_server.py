"""A small web server of files in memory, which can be told to misbehave."""

from __future__ import annotations

import re
import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


@dataclass
class Request:
    path: str
    range: str | None
    status: int


@dataclass
class Behaviour:
    """cuts: bytes after which each of the next answers breaks off. failures: statuses of the next answers."""

    files: dict[str, bytes]
    cuts: list[int] = field(default_factory=list)
    failures: list[int] = field(default_factory=list)
    ranges: bool = True
    say_length: bool = True
    tag: str | None = '"first"'
    requests: list[Request] = field(default_factory=list)


class _Handler(BaseHTTPRequestHandler):
    behaviour: Behaviour
    protocol_version = "HTTP/1.1"

    def log_message(self, format: str, *args: object) -> None:
        pass

    def _answer(self, status: int, body: bytes, headers: Mapping[str, str], cut: int | None = None) -> None:
        asked = self.headers.get("Range")
        self.behaviour.requests.append(Request(self.path, asked, status))
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        if self.behaviour.say_length:
            self.send_header("Content-Length", str(len(body)))
        self.send_header("Connection", "close")
        self.end_headers()
        self.wfile.write(body if cut is None else body[:cut])
        self.close_connection = True

    def do_GET(self) -> None:
        behaviour = self.behaviour
        if behaviour.failures:
            self._answer(behaviour.failures.pop(0), b"no", {})
            return
        body = behaviour.files.get(self.path)
        if body is None:
            self._answer(404, b"not here", {})
            return
        tag = {} if behaviour.tag is None else {"ETag": behaviour.tag}
        cut = behaviour.cuts.pop(0) if behaviour.cuts else None
        match = re.fullmatch(r"bytes=(\d+)-", self.headers.get("Range", "")) if behaviour.ranges else None
        if match and self.headers.get("If-Range", behaviour.tag) == behaviour.tag:
            start = int(match[1])
            if start >= len(body):
                self._answer(416, b"", {"Content-Range": f"bytes */{len(body)}"})
            else:
                span = f"bytes {start}-{len(body) - 1}/{len(body)}"
                self._answer(206, body[start:], {"Content-Range": span, **tag}, cut)
        else:
            self._answer(200, body, tag, cut)


class Server:
    """Serves ``files`` (path → bytes) on a free port while the context lasts."""

    def __init__(self, files: Mapping[str, bytes]):
        self.behaviour = Behaviour(dict(files))
        handler = type("Handler", (_Handler,), {"behaviour": self.behaviour})
        self._http = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self._thread = threading.Thread(target=self._http.serve_forever, kwargs={"poll_interval": 0.01})

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._http.server_port}"

    def __enter__(self) -> Server:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._http.shutdown()
        self._http.server_close()
        self._thread.join()
