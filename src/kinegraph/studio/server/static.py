"""The page itself: what `npm run build` has made of `web/`."""

from __future__ import annotations

import mimetypes
from collections.abc import Collection
from pathlib import Path

from fastapi import APIRouter, FastAPI, Request
from fastapi.responses import FileResponse, HTMLResponse, Response
from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

router = APIRouter(include_in_schema=False)

FOLDER = Path(__file__).parent.parent / "static"
"""Where the page is built to."""

# What the page's files are. Windows, if it is asked, says what some program has told it, such as plain text for a script, and a browser
# that is forbidden to guess does not run that.
_TYPES = {
    ".html": "text/html", ".js": "text/javascript", ".mjs": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml",
    ".json": "application/json", ".woff2": "font/woff2",
}  # fmt: skip

NOT_BUILT = "The studio's page has not been built in this checkout: run make web, then load this page again."

_PLAIN = """<!doctype html><html lang="en"><meta charset="utf-8"><title>kinegraph studio</title>
<body style="font: 16px system-ui; margin: 4rem auto; max-width: 36rem">
<h1 style="font-size: 1.25rem">kinegraph studio</h1><p>{}</p></body></html>"""


def is_built() -> bool:
    """Whether there is a page to show."""
    return (FOLDER / "index.html").is_file()


@router.get("/")
async def page(request: Request) -> Response:
    """The page, asked for anew each time: its parts have names that change with what they hold."""
    return _page(200)


def _page(status: int) -> Response:
    if not is_built():
        return HTMLResponse(_PLAIN.format(NOT_BUILT), status, {"Cache-Control": "no-store"})
    return FileResponse(FOLDER / "index.html", status, {"Cache-Control": "no-cache"})


class _Built(StaticFiles):
    """Files of the built page; those with a hash in their name never change. rooms: what addresses of the page begin with."""

    def __init__(self, folder: Path, rooms: Collection[str]):
        super().__init__(directory=folder, check_dir=False)
        self._rooms = frozenset(rooms)

    async def check_config(self) -> None:
        """Nothing is asked of the folder: the page may be built later."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        """A file, with how long it may be kept."""
        try:
            response = await super().get_response(path, scope)
        except HTTPException as error:
            if error.status_code != 404 or not _is_visit(path, scope):
                raise
            # whoever follows a link gets the page, which shows what the address names, or says that it names nothing
            return _page(200 if path in self._rooms else 404)
        lasting = path.replace("\\", "/").startswith("assets/")
        response.headers["Cache-Control"] = "public, max-age=31536000, immutable" if lasting else "no-cache"
        return response


def _is_visit(path: str, scope: Scope) -> bool:
    """Whether a browser asks for a page, and not a program for something else."""
    return not f"{path}/".startswith("api/") and "text/html" in Headers(scope=scope).get("accept", "")


def register(app: FastAPI, rooms: Collection[str]) -> None:
    """Serve the files beside the page; all other routes come first. rooms: the names of those that the page has."""
    for suffix, kind in _TYPES.items():
        mimetypes.add_type(kind, suffix)
    app.mount("/", _Built(FOLDER, rooms), name="static")
