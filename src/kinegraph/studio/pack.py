"""Packs as answers: facts and arrays in one piece of bytes (`kinegraph.player`), and how a browser is told that its copy is still good."""

from __future__ import annotations

import hashlib
from typing import Any

from fastapi import Request
from fastapi.responses import Response

from kinegraph.player import MEDIA_TYPE, pack, unpack

__all__ = ["DOCUMENTED", "MEDIA_TYPE", "PackResponse", "fresh", "pack", "unpack"]

DOCUMENTED: dict[int | str, dict[str, Any]] = {
    200: {"content": {MEDIA_TYPE: {"schema": {"type": "string", "format": "binary"}}}, "description": "A pack"},
    304: {"description": "As the browser has it already"},
}
"""What a route that answers with a pack says of it, beside `problems.DOCUMENTED`."""


class PackResponse(Response):
    """A pack as an answer."""

    media_type = MEDIA_TYPE


def fresh(request: Request, *parts: object) -> tuple[bool, dict[str, str]]:
    """Whether the browser has what those parts (a file's stamp) stand for, and the headers that say so.

    The browser asks each time, and is answered 304 with no bytes while the file is the same.
    """
    tag = f'"{hashlib.blake2s(repr(parts).encode(), digest_size=12).hexdigest()}"'
    return request.headers.get("if-none-match") == tag, {"ETag": tag, "Cache-Control": "no-cache"}
