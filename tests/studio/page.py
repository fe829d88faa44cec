"""The studio's page in Chromium, on a server in a process of its own."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from kinegraph.studio.server.static import is_built
from tests.browser.stage import chromium, launched
from tests.studio.running import Running, running

SIZES = ((1280, 720), (1920, 1080))
# a phone, and a tablet
SMALL = ((390, 844), (1024, 768))
# milliseconds: a first search may have to compile on two busy cores
PATIENCE = 120_000


def missing() -> str | None:
    """Why the page cannot be shown, or None."""
    try:
        import playwright.sync_api  # noqa: F401
    except ImportError:
        return "no Playwright: pip install playwright (its own browsers are not needed)"
    if chromium() is None:
        return "no Chromium on this machine (make browser; Debian: apt-get install chromium, as root)"
    if not is_built():
        return "the studio's page is not built: make web"
    return None


@dataclass
class Studio:
    """An open page. complaints: every error or warning of the console, every exception, every answer that was an error."""

    page: Any
    server: Running
    folder: Path
    complaints: list[str] = field(default_factory=list)

    def go(self, room: str) -> None:
        """Go to a room by its button in the rail."""
        self.page.get_by_role("navigation", name="Rooms").get_by_role("button", name=room).click()

    def button(self, name: str | re.Pattern[str], **options: Any) -> Any:
        """The button of that name."""
        return self.page.get_by_role("button", name=name, **options)

    def state(self) -> dict[str, Any]:
        """The server's state."""
        return dict(self.server.client.get("/api/state").json())

    def seek(self, seconds: float) -> None:
        """Pause, and show that moment."""
        self.page.evaluate("t => { kinegraph.playback.pause(); kinegraph.playback.seek(t); }", seconds)

    def settle(self) -> None:
        """Wait until what was asked for is drawn."""
        self.page.evaluate("() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")

    def rest(self) -> None:
        """Wait until the camera stands still, which takes as long as pictures take to draw."""
        self.page.evaluate(_RESTS)

    def overflows(self) -> list[str]:
        """Whatever makes the page itself scroll, or reaches out of it."""
        return list(self.page.evaluate(_OVERFLOWS))

    def result(self) -> dict[str, Any] | None:
        """The facts of the result that is shown."""
        found: dict[str, Any] | None = self.page.evaluate("() => kinegraph.store.result.value?.facts.result ?? null")
        return found

    def await_result(self, before: str | None = None) -> dict[str, Any]:
        """The facts of the result, once there is another than that of the id ``before``, and nothing more is asked for."""
        self.page.wait_for_function(
            """before => {
                const result = kinegraph.store.result.value?.facts.result;
                return result && result.id !== before && !document.querySelector('[aria-busy="true"]');
            }""",
            arg=before,
            timeout=PATIENCE,
        )
        found = self.result()
        assert found is not None
        return found


_RESTS = """() => new Promise(done => {
    let before = '', same = 0;
    const look = () => {
        const now = JSON.stringify(kinegraph.stage.camera.view());
        same = now === before ? same + 1 : 0;
        before = now;
        if (same < 10) requestAnimationFrame(look);
        else done();
    };
    look();
})"""

_OVERFLOWS = """() => {
    const root = document.documentElement, out = [];
    if (root.scrollHeight > innerHeight || root.scrollWidth > innerWidth) {
        out.push(`the page scrolls: ${root.scrollWidth} x ${root.scrollHeight}`);
    }
    const read = 'button, input, select, [role=button], h1, h2, h3, label, p, dt, dd';
    for (const one of document.querySelectorAll(read)) {
        const box = one.getBoundingClientRect();
        if (!box.width || !box.height || !one.checkVisibility()) continue;
        const what = `${one.tagName} ${one.getAttribute('aria-label') ?? one.textContent.slice(0, 40)}`;
        // a row that scrolls is there to hold more than is seen
        const rows = (of) => of && (['auto', 'scroll'].includes(getComputedStyle(of).overflowX) || rows(of.parentElement));
        if ((box.left < -1 || box.right > innerWidth + 1) && !rows(one.parentElement)) out.push(`out of the page: ${what}`);
        // text that runs over its neighbours
        if (getComputedStyle(one).overflowX !== 'visible') continue;
        const texts = document.createTreeWalker(one, NodeFilter.SHOW_TEXT), range = document.createRange();
        for (let text = texts.nextNode(); text; text = texts.nextNode()) {
            range.selectNodeContents(text);
            const line = range.getBoundingClientRect();
            const cut = getComputedStyle(text.parentElement).overflowX !== 'visible' || !text.parentElement.checkVisibility();
            if (!cut && line.right > box.right + 2 && line.width > 2) out.push(`runs over its place: ${what}`);
        }
    }
    return out;
}"""


@contextmanager
def browsing() -> Iterator[Any]:
    """A browser, which ends here."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = launched(playwright)
        try:
            yield browser
        finally:
            browser.close()


@contextmanager
def shown(
    browser: Any, server: Running, folder: Path, size: tuple[int, int] = SIZES[0], *, dark: bool = False
) -> Iterator[Studio]:
    """The page of a studio that runs, for somebody who has never been there; it ends here."""
    context = browser.new_context(
        viewport={"width": size[0], "height": size[1]},
        color_scheme="dark" if dark else "light",
        permissions=["clipboard-read", "clipboard-write"],
    )
    try:
        page = context.new_page()
        studio = Studio(page, server, folder)
        say = studio.complaints.append
        page.on("console", lambda told: say(told.text) if told.type in ("error", "warning") else None)
        page.on("pageerror", lambda error: say(str(error)))
        page.on("response", lambda got: say(f"{got.status}: {got.url}") if got.status >= 400 else None)
        page.goto(server.url)
        page.wait_for_selector("html[data-ready=true]", timeout=PATIENCE)
        yield studio
    finally:
        context.close()


@contextmanager
def opened(
    folder: Path, size: tuple[int, int] = SIZES[0], *, dark: bool = False, script: str | None = None
) -> Iterator[Studio]:
    """A studio on a folder, and its page in a browser of its own; both end here. script: as for `running`."""
    with (
        running(folder, script=script) as server,
        browsing() as browser,
        shown(browser, server, folder, size, dark=dark) as studio,
    ):
        yield studio
