"""What is answered where a request cannot be satisfied: a status, and one sentence that a person can act on."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from pydantic import BaseModel
from starlette.exceptions import HTTPException

from kinegraph.errors import KinegraphError, Unsatisfied
from kinegraph.memory import NONE_LEFT
from kinegraph.studio.workspace.files import printable

_log = logging.getLogger("kinegraph.studio")

TOLD = "X-Problems-Told"
"""The header of requests to which problems are answers like any other."""
# those that come of what was wished
_TELLABLE = (400, 409, 422)


class Missing(KinegraphError):  # noqa: N818
    """There is no such thing in the workspace: 404."""


class Conflict(KinegraphError):  # noqa: N818
    """Understood, but it cannot be done as things stand: 409."""


class Invalid(KinegraphError):  # noqa: N818
    """A value that makes no sense where it stands: 422."""


class TooLarge(KinegraphError):  # noqa: N818
    """More than is taken: 413."""


class Problem(BaseModel):
    """Why a request was not satisfied. status: where it was asked to be told as an answer."""

    error: str
    status: int | None = None


# told with its own media type: a route that answers with a pack tells its problems as JSON all the same
_AS_JSON = {"application/json": {"schema": Problem.model_json_schema()}}

DOCUMENTED: dict[int | str, dict[str, Any]] = {
    status: {"description": description, "content": _AS_JSON}
    for status, description in (
        (400, "It cannot be read or made; the sentence says why"),
        (401, "The token is missing or wrong"),
        (403, "Asked from another page or under another name"),
        (404, "There is no such thing"),
        (405, "Not to be done with this"),
        (409, "Understood, but it cannot be done as things stand"),
        (413, "More than is taken"),
        (422, "A value that makes no sense"),
    )
}
"""The answers that any route may give, for the OpenAPI description: ``responses=DOCUMENTED``."""


def answer(status: int, sentence: str, headers: dict[str, str] | None = None) -> JSONResponse:
    """The answer for a problem."""
    return JSONResponse({"error": sentence}, status, headers)


def _told(request: Request, status: int, sentence: str) -> JSONResponse:
    """Likewise, or as an answer like any other to who asks for that: that a wish cannot be met is nothing that went wrong, and a browser
    would complain of the status.
    """
    if request.headers.get(TOLD) is None or status not in _TELLABLE:
        return answer(status, sentence)
    return JSONResponse({"error": sentence, "status": status})


def status_of(error: KinegraphError) -> int:
    """The status that an error of ours has."""
    for kind, status in ((Missing, 404), (Conflict, 409), (Unsatisfied, 409), (Invalid, 422), (TooLarge, 413)):
        if isinstance(error, kind):
            return status
    return 400


def sentence_of(error: BaseException, root: Path | None = None) -> str:
    """What is said to the user: an error's own words, with files named as the workspace knows them."""
    text = printable(str(error) or type(error).__name__)
    return text if root is None else text.replace(f"{root}/", "").replace(f"{root}\\", "")


def told(errors: Sequence[Any]) -> str:
    """One readable sentence of what pydantic found."""
    parts = []
    for error in errors[:3]:
        place = [str(part) for part in error["loc"] if part not in ("body", "query", "path")]
        what = str(error["msg"]).removeprefix("Value error, ")
        what = what[:1].lower() + what[1:]
        parts.append(f"{'.'.join(place)}: {what}" if place else what)
    more = f" (and {len(errors) - 3} more)" if len(errors) > 3 else ""
    return "; ".join(parts) + more


def handle(app: FastAPI) -> None:
    """Make every error an answer with a sentence."""

    @app.exception_handler(KinegraphError)
    async def ours(request: Request, error: KinegraphError) -> JSONResponse:
        return _told(request, status_of(error), sentence_of(error, request.app.state.workspace.root))

    @app.exception_handler(RequestValidationError)
    async def invalid(request: Request, error: RequestValidationError) -> JSONResponse:
        return _told(request, 422, told(error.errors()))

    @app.exception_handler(OSError)
    async def of_the_system(request: Request, error: OSError) -> JSONResponse:
        if isinstance(error, FileNotFoundError):
            return answer(404, "the file is no longer there; it may have been renamed or deleted meanwhile")
        return answer(400, f"the system refuses it: {error.strerror or type(error).__name__}")

    @app.exception_handler(MemoryError)
    async def of_memory(request: Request, error: MemoryError) -> JSONResponse:
        return answer(413, NONE_LEFT)

    @app.exception_handler(HTTPException)
    async def plain(request: Request, error: HTTPException) -> JSONResponse:
        sentence = _PLAIN.get(error.status_code, str(error.detail))
        return answer(error.status_code, sentence, dict(error.headers or {}))

    @app.exception_handler(Exception)
    async def unforeseen(request: Request, error: Exception) -> JSONResponse:
        _log.error("unforeseen", exc_info=error)
        return answer(500, f"something went wrong inside kinegraph ({type(error).__name__}); the terminal shows more")


_PLAIN = {404: "there is nothing here", 405: "this cannot be done here"}
