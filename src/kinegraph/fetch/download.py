"""One file over HTTP, continued where an earlier attempt broke off.

Bytes are collected in ``NAME.part`` beside the final file; the final name appears only when the file is complete.
"""

from __future__ import annotations

import re
import time
from pathlib import Path
from typing import Any

from kinegraph.errors import FetchError, MissingExtraError
from kinegraph.watch import Watch

# Seconds to wait for a connection and for the next bytes.
TIMEOUT = (10.0, 30.0)
# Seconds between attempts: a busy server gets time, a person is not kept long.
WAITS = (0.5, 1.0, 2.0)
_CHUNK = 1 << 14


class _TransientError(Exception):
    """The attempt failed, but another one may succeed."""


def _requests() -> Any:
    try:
        import requests
    except ImportError:
        raise MissingExtraError("downloading clips", "fetch") from None
    return requests


class ResumingDownloader:
    """A downloader for pooch that keeps what it has and asks only for the rest.

    part: the file in which bytes are collected. watch: told of the bytes so far, with the file's name as the stage.
    Afterwards ``complete`` says whether all bytes arrived, and ``resumed`` whether some were there before.
    """

    def __init__(self, part: Path, watch: Watch):
        self.part = part
        # what the server said the file's version was, so that two versions are never joined into one file
        self.tag = part.with_name(part.name + ".tag")
        self.watch = watch
        self.complete = False
        self.resumed = False

    def __call__(self, url: str, output_file: str, pooch: object = None) -> None:
        """Download ``url`` and put it in place of ``output_file``; `FetchError` after the last attempt."""
        requests = _requests()
        self.complete, self.resumed = False, self._have() > 0
        problem = ""
        with requests.Session() as session:
            for wait in (*WAITS, None):
                try:
                    self._attempt(session, url)
                    break
                except _TransientError as failure:
                    problem = str(failure)
                except requests.exceptions.ConnectionError as failure:
                    problem = f"no connection, or it broke off ({_cause(failure)})"
                except requests.exceptions.Timeout:
                    problem = "the server took too long to answer"
                except requests.exceptions.ChunkedEncodingError:
                    problem = "the connection broke off in the middle of the file"
                except requests.exceptions.RequestException as failure:
                    raise FetchError(f"cannot download {url}: {_cause(failure)}") from failure
                if wait is None:
                    raise FetchError(f"cannot download {url}: {problem}, {len(WAITS) + 1} times")
                time.sleep(wait)
        self.tag.unlink(missing_ok=True)
        self.part.replace(output_file)
        self.complete = True

    def discard(self) -> None:
        """Delete what earlier attempts have left."""
        self.part.unlink(missing_ok=True)
        self.tag.unlink(missing_ok=True)

    def _have(self) -> int:
        return self.part.stat().st_size if self.part.exists() else 0

    def _attempt(self, session: Any, url: str) -> None:
        have = self._have()
        # a compressed answer would make byte counts mean something else
        headers = {"Accept-Encoding": "identity"}
        if have:
            headers["Range"] = f"bytes={have}-"
            if self.tag.exists():
                headers["If-Range"] = self.tag.read_text(encoding="utf-8")
        with session.get(url, headers=headers, stream=True, timeout=TIMEOUT) as response:
            status = response.status_code
            if status == 416 and have:
                if _whole(response) == have:
                    self.watch.tell(self.part.stem, have, have)
                    return
                self.discard()
                raise _TransientError("the server holds another version of the file than the one begun")
            if status == 429 or status >= 500:
                raise _TransientError(f"the server answered {status} {response.reason}")
            if status not in (200, 206):
                raise FetchError(f"cannot download {url}: the server answered {status} {response.reason}")
            if status == 206 and _start(response) != have:
                self.discard()
                raise _TransientError("the server sent another part of the file than the one asked for")
            self._receive(response, have if status == 206 else 0)

    def _receive(self, response: Any, done: int) -> None:
        length = response.headers.get("Content-Length")
        total = done + int(length) if length and length.isdigit() else None
        if done == 0:
            self._remember(response)
        # a short body must not throw away the bytes that came: the count below tells that some are missing
        response.raw.enforce_content_length = False
        with self.part.open("ab" if done else "wb") as file:
            self.watch.tell(self.part.stem, done, total)
            for chunk in response.iter_content(_CHUNK):
                file.write(chunk)
                done += len(chunk)
                self.watch.tell(self.part.stem, done, total)
        if total is not None and done != total:
            raise _TransientError(f"the connection broke off after {done} of {total} bytes")

    def _remember(self, response: Any) -> None:
        etag = response.headers.get("ETag", "")
        # a weak tag promises the same meaning, not the same bytes
        version = etag if etag and not etag.startswith("W/") else response.headers.get("Last-Modified", "")
        if version:
            self.tag.write_text(version, encoding="utf-8")
        else:
            self.tag.unlink(missing_ok=True)


def _start(response: Any) -> int:
    match = re.match(r"bytes (\d+)-", response.headers.get("Content-Range", ""))
    return int(match[1]) if match else -1


def _whole(response: Any) -> int:
    match = re.match(r"bytes \*/(\d+)", response.headers.get("Content-Range", ""))
    return int(match[1]) if match else -1


def _cause(failure: BaseException) -> str:
    """The last and plainest sentence of a chain of network errors."""
    text = str(failure) or type(failure).__name__
    return text.rsplit("] ", 1)[-1].strip("()'\" ") if "] " in text else text
