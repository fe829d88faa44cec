"""A studio in a process of its own, as `kinegraph studio` starts it."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx2


@dataclass
class Running:
    """A process that serves, and a client that asks it. link: the address that it printed."""

    process: subprocess.Popen[str]
    url: str
    client: httpx2.Client
    link: str
    later: list[str]

    @property
    def said(self) -> str:
        """What it has written to the terminal since it was ready; whole once it has ended."""
        return "".join(self.later)

    @property
    def port(self) -> int:
        return int(self.url.rsplit(":", 1)[1].strip("/"))

    @property
    def resident(self) -> int:
        """Bytes of memory that it holds."""
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        return int(re.search(r"VmRSS:\s+(\d+)", status)[1]) * 1024  # type: ignore[index]

    def kill(self) -> None:
        """End it at once, with no chance to tidy up."""
        self.process.send_signal(signal.SIGKILL)
        self.process.wait(10)


@contextmanager
def running(folder: Path, *words: str, script: str | None = None) -> Iterator[Running]:
    """Start a studio on a free port that needs no token unless the words say so; script: what to run instead of the command, with them."""
    command = [sys.executable, "-m", "kinegraph"] if script is None else [sys.executable, "-c", script]
    if not {"--host", "--token", "--guarded"}.intersection(words):
        words = (*words, "--no-token")
    words = tuple(word for word in words if word != "--guarded")
    process = subprocess.Popen(
        [*command, "studio", str(folder), "--port", "0", "--no-browser", *words],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stderr is not None
    said = []
    # whatever it says later must not fill the pipe
    later: list[str] = []
    rest = threading.Thread(target=later.extend, args=(process.stderr,), daemon=True)
    try:
        for line in process.stderr:
            said.append(line)
            found = re.search(r"open at (http://\S+)", line)
            if found:
                break
        else:
            raise AssertionError(f"it did not start: {''.join(said)}")
        rest.start()
        url = found[1].split("?")[0]
        with httpx2.Client(base_url=url, timeout=30) as client:
            yield Running(process, url, client, found[1], later)
    finally:
        if process.poll() is None:
            process.terminate()
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait(10)
        if rest.ident is not None:
            rest.join(5)
        process.stderr.close()
