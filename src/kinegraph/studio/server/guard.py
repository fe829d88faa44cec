"""`Guard`: who may ask the studio for something, and how much they may send. It stands before all else, on requests and WebSockets.

A page of another site can make the user's browser send requests to this machine. So the name that a request asks for must be one of ours
(else a name that an attacker points at 127.0.0.1 would do), and so must be the page that it comes from, where the browser tells it.
"""

from __future__ import annotations

import ipaddress
import re
import secrets
from collections.abc import Collection
from http.cookies import SimpleCookie
from urllib.parse import parse_qsl, urlencode, urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from kinegraph.studio.server.problems import answer

JSON_LIMIT = 8_000_000
"""Bytes of a request that is no upload."""
UPLOAD_LIMIT = 501_000_000
"""Bytes of an upload, with what a form adds to its files."""
UPLOADS = ("/api/clips", "/api/characters")
"""Where uploads go."""
COOKIE = "kinegraph-token"
"""What the name of the cookie begins with; its end is the port, since a browser sends cookies of one port to all others as well."""

# bytes of a body that nobody wants, and that are read all the same, so that the connection can be kept
_WORTH_WAITING = 1_000_000
_TOO_LARGE = "that is more than the studio takes at once: at most {:.0f} MB"


class Guard:
    """ASGI middleware. hosts: what a Host may be, in small letters; ``*:8700`` stands for any numeric address with that port.

    token: what a request must show, where one is needed: in its header, as the cookie that it was given, or in its address. ticket: lets in
    as well, but once: the address that a browser is started with can be seen by all who list this machine's processes.
    """

    def __init__(self, app: ASGIApp, hosts: Collection[str], token: str | None = None, ticket: str | None = None):
        self._app = app
        self._hosts = frozenset(host.lower() for host in hosts)
        self._token = token
        self._ticket = ticket

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request through, or refuse it."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        refused = self._refused(scope, headers)
        if scope["type"] == "websocket":
            if refused is not None:
                await receive()
                await send({"type": "websocket.close", "code": 1008})
                return
            await self._app(scope, receive, send)
            return
        body = _Body(receive, headers, UPLOAD_LIMIT if scope["path"].rstrip("/") in UPLOADS else JSON_LIMIT)
        guarded = _with_headers(send, scope["path"], headers.get("host", ""), body)
        if refused is not None:
            await refused(scope, receive, guarded)
        elif body.claimed > body.limit:
            await answer(413, body.refusal)(scope, receive, guarded)
        else:
            await self._app(scope, body.receive, guarded)

    def _refused(self, scope: Scope, headers: Headers) -> Response | None:
        """The answer to a request that is not let in; None where it is."""
        if not self._ours(headers.get("host", "")):
            return answer(403, "this is not a name of the studio: open it by the address that the command printed")
        origin = headers.get("origin")
        if origin is not None and not self._our_page(origin, headers.get("host", "")):
            return answer(403, "asked from another page: the studio answers its own pages only")
        if headers.get("sec-fetch-site") in ("cross-site", "same-site") and not _is_visit(scope, headers):
            return answer(403, "asked from another site: the studio answers its own pages only")
        if self._token is None:
            return None
        return self._without_token(scope, headers)

    def _without_token(self, scope: Scope, headers: Headers) -> Response | None:
        assert self._token is not None
        query = parse_qsl(scope["query_string"].decode("latin-1"), keep_blank_values=True)
        given = next((value for name, value in query if name == "token"), None)
        asked = scope["path"].startswith("/api/")
        if given is not None and asked and self._is_token(given):
            return None  # a program, which keeps no cookies
        visits = scope["type"] == "http" and scope["method"] == "GET" and not asked
        if given is not None and visits and (self._is_token(given) or self._was_ticket(given)):
            # shown once, kept as a cookie, and out of the address bar
            rest = urlencode([(name, value) for name, value in query if name != "token"])
            response = RedirectResponse(f"/{scope['path'].lstrip('/')}{'?' if rest else ''}{rest}", 303)
            # Lax: who has followed a link in a web mail comes from another site, and is sent on with what was just set. What another site
            # asks for in any other way is told by its Origin, or by the browser's word for it, and was refused before.
            name = _cookie_name(headers.get("host", ""))
            response.set_cookie(name, self._token, httponly=True, samesite="lax", path="/")
            return response
        kind, _, bearer = headers.get("authorization", "").partition(" ")
        if kind.lower() == "bearer" and self._is_token(bearer.strip()):
            return None
        if self._is_token(_cookie(headers.get("cookie", ""), _cookie_name(headers.get("host", "")))):
            return None
        sentence = "this studio needs its token: open the address that the command printed"
        if asked:
            return answer(401, sentence, {"WWW-Authenticate": "Bearer"})
        return PlainTextResponse(sentence, 401, {"WWW-Authenticate": "Bearer"})

    def _is_token(self, given: str) -> bool:
        assert self._token is not None
        return secrets.compare_digest(given.encode("utf-8", "replace"), self._token.encode())

    def _was_ticket(self, given: str) -> bool:
        """Whether it is the ticket, which is used up by that."""
        if self._ticket is None or not secrets.compare_digest(given.encode("utf-8", "replace"), self._ticket.encode()):
            return False
        self._ticket = None
        return True

    def _ours(self, host: str) -> bool:
        host = host.lower()
        if host in self._hosts:
            return True
        name, _, port = host.rpartition(":")
        return f"*:{port}" in self._hosts and _is_address(name.strip("[]"))

    def _our_page(self, origin: str, host: str) -> bool:
        """Whether a page is of the very host that it asks, or of a name of ours. Any number will not do: it may be another machine's."""
        try:
            parts = urlsplit(origin)
        except ValueError:
            return False
        place = parts.netloc.lower()
        return parts.scheme in ("http", "https") and (place == host.lower() or place in self._hosts)


def _is_visit(scope: Scope, headers: Headers) -> bool:
    """Whether somebody follows a link to the page itself, which tells the other site nothing."""
    return (
        scope["type"] == "http"
        and scope["method"] == "GET"
        and headers.get("sec-fetch-mode") == "navigate"
        and headers.get("sec-fetch-dest") == "document"
        and not scope["path"].startswith("/api")
    )


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def _cookie_name(host: str) -> str:
    """The cookie of the studio at a host, which was checked before."""
    port = host.rpartition(":")[2]
    return f"{COOKIE}-{port}" if port.isdecimal() else COOKIE


def _cookie(header: str, name: str) -> str:
    try:
        found = SimpleCookie(header).get(name)
    except Exception:  # whatever a damaged header does to its parser
        return ""
    return "" if found is None else found.value


class _Body:
    """A request's body, of which no more than ``limit`` bytes are received, whatever length it claims."""

    def __init__(self, receive: Receive, headers: Headers, limit: int):
        self.limit = limit
        length = headers.get("content-length", "0")
        self.claimed = int(length[:20]) if length.isascii() and length.isdecimal() else 0
        self.refusal = _TOO_LARGE.format(limit / 1e6)
        self._receive = receive
        self._chunked = "transfer-encoding" in headers
        self._taken = 0
        self._ended = False

    async def receive(self) -> Message:
        """The next piece, or a refusal once they are too many."""
        message = await self._receive()
        if message["type"] == "http.request":
            self._taken += len(message.get("body", b""))
            self._ended = not message.get("more_body", False)
            if self._taken > self.limit:
                raise HTTPException(413, self.refusal)
        return message

    @property
    def much_is_left(self) -> bool:
        """Whether more is to come than is worth waiting for."""
        return not self._ended and (self._chunked or self.claimed - self._taken > _WORTH_WAITING)


def _with_headers(send: Send, path: str, host: str, body: _Body) -> Send:
    """Send with the headers that tell a browser what the page may do."""

    async def guarded(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in _headers(path, host).items():
                if name not in headers:
                    headers[name] = value
            if body.much_is_left:
                # what was refused is not read to its end: the connection ends with the answer
                headers["Connection"] = "close"
        await send(message)

    return guarded


def _headers(path: str, host: str) -> dict[str, str]:
    # the host was checked before; a refused one must not get into a header
    sockets = f" ws://{host} wss://{host}" if re.fullmatch(r"[\w.:\[\]-]+", host, re.ASCII) else ""
    headers = {
        "Content-Security-Policy": (
            # WebAssembly, of our own files, takes characters out of meshopt's compression
            "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; img-src 'self' data: blob:; media-src 'self' blob:; "
            "style-src 'self' 'unsafe-inline'; "
            f"connect-src 'self' blob:{sockets}; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
        ),
        "X-Content-Type-Options": "nosniff",
        "X-Frame-Options": "DENY",
        "Referrer-Policy": "no-referrer",
        "Cross-Origin-Resource-Policy": "same-origin",
        "Cross-Origin-Opener-Policy": "same-origin",
    }
    if path.startswith("/api"):
        headers["Cache-Control"] = "no-store"
    return headers
