"""A page in Chromium that plays glTF files with three.js: its server, the browser, and what is missing where they cannot run."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

HERE = Path(__file__).parent
# software WebGL, and no traffic of the browser's own
ARGUMENTS = [
    "--no-sandbox",
    "--use-angle=swiftshader",
    "--enable-unsafe-swiftshader",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    "--disable-quic",
]
# what Chromium is called on one machine or another, as in the Makefile
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
_TYPES = {".html": "text/html", ".mjs": "text/javascript", ".js": "text/javascript", ".glb": "model/gltf-binary"}


def chromium() -> str | None:
    """Where the browser is on this machine, or None."""
    return next(filter(None, map(shutil.which, NAMES)), None)


def launched(playwright: Any) -> Any:
    """The browser, whose drawing does not come before everything else on the machine."""
    own, modest = chromium(), HERE / "modest.sh"
    if own is None or os.name != "posix" or os.geteuid() or shutil.which("setpriv") is None:
        return playwright.chromium.launch(executable_path=own, args=ARGUMENTS)
    return playwright.chromium.launch(
        executable_path=modest, args=ARGUMENTS, env={**os.environ, "KINEGRAPH_CHROMIUM": own}
    )


def missing(modules: Path) -> str | None:
    """Why no page can be shown, or None."""
    try:
        import playwright.sync_api  # noqa: F401
    except ImportError:
        return "no Playwright: pip install playwright (its own browsers are not needed)"
    if chromium() is None:
        return "no Chromium on this machine (make browser; Debian: apt-get install chromium, as root)"
    if not (modules / "three").is_dir():
        return f"no three in {modules}: run npm ci in tests/node"
    return None


@contextmanager
def serving(modules: Path, files: Path) -> Iterator[str]:
    """Serve the page, three.js and the GLB files of a folder from a free port of this machine; yields the address."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            path = self.path.partition("?")[0]
            top, _, rest = path.lstrip("/").partition("/")
            folder, name = {"three": (modules / "three", rest), "files": (files, rest)}.get(top, (HERE, top))
            target = (folder / name).resolve()
            if not target.is_relative_to(folder.resolve()) or not target.is_file() or target.suffix not in _TYPES:
                self.send_error(404)
                return
            data = target.read_bytes()
            self.send_response(200)
            self.send_header("Content-Type", _TYPES[target.suffix])
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


@dataclass
class Stage:
    """The open page. complaints: every error or warning of the console, every exception, every request that failed."""

    page: Any
    folder: Path
    complaints: list[str] = field(default_factory=list)

    def load(self, name: str) -> Any:
        """Load a file of the folder; what it holds."""
        return self.page.evaluate("name => stage.load(`/files/${name}`)", name)

    def positions(self, frames: list[int]) -> Any:
        """World positions of all bones ``(F, J, 3)``, as nested lists."""
        return self.page.evaluate("frames => stage.positions(frames)", frames)

    def draw(self, frame: int, **view: float) -> Any:
        """Draw a frame: the share of the picture that the body takes, and of each bone whether it lies on the body."""
        return self.page.evaluate("([frame, view]) => stage.draw(frame, view)", [frame, view])

    def picture(self, path: Path) -> None:
        """Save what the canvas shows."""
        self.page.locator("canvas").screenshot(path=path)


@contextmanager
def opened(modules: Path, folder: Path) -> Iterator[Stage]:
    """The page in a browser of its own, which is closed at the end, with its processes."""
    from playwright.sync_api import sync_playwright

    with serving(modules, folder) as address, sync_playwright() as playwright:
        browser = launched(playwright)
        try:
            page = browser.new_page(viewport={"width": 640, "height": 480})
            stage = Stage(page, folder)
            say = stage.complaints.append
            page.on("console", lambda told: say(told.text) if told.type in ("error", "warning") else None)
            page.on("pageerror", lambda error: say(str(error)))
            page.on("requestfailed", lambda request: say(f"failed: {request.url}"))
            page.goto(f"{address}/stage.html")
            page.wait_for_function("() => window.stage !== undefined", timeout=20_000)
            yield stage
        finally:
            browser.close()
