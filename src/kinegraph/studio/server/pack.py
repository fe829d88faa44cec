"""Packs as answers: facts and arrays in one piece of bytes (`kinegraph.player`), and how a browser is told that its copy is still good."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Hashable, Iterable
from typing import Any

from fastapi import Request
from fastapi.responses import Response

from kinegraph.player import MEDIA_TYPE
from kinegraph.studio.server.pool import Pool

KNOWN: dict[int | str, dict[str, Any]] = {304: {"description": "As the browser has it already"}}


class PackResponse(Response):
    """A pack as an answer."""

    media_type = MEDIA_TYPE


PACKED: dict[str, Any] = {
    "response_class": PackResponse,
    "responses": {
        200: {"content": {MEDIA_TYPE: {"schema": {"type": "string", "format": "binary"}}}, "description": "A pack"},
        **KNOWN,
    },
}
"""What a route says of itself that answers with a pack."""


async def unless_known(
    request: Request,
    pool: Pool,
    key: Iterable[Hashable],
    make: Callable[[], bytes | str],
    media_type: str = MEDIA_TYPE,
) -> Response:
    """What ``make`` gives, by a worker of the pool; or no bytes, where the browser has what the key stands for: a file's stamp.

    The browser asks each time, and is answered 304 while the file is the same.
    """
    tag = f'"{hashlib.blake2s(repr(tuple(key)).encode(), digest_size=12).hexdigest()}"'
    headers = {"ETag": tag, "Cache-Control": "no-cache"}
    if request.headers.get("if-none-match") == tag:
        return Response(status_code=304, headers=headers)
    return Response(await pool.run(make), headers=headers, media_type=media_type)
