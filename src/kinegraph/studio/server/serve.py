"""Serving a workspace: the address, the token, one studio for one folder, and the browser."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import ipaddress
import os
import socket
import sys
import threading
import webbrowser
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO
from urllib.parse import urlencode

import uvicorn

from kinegraph.errors import KinegraphError
from kinegraph.studio.server.app import create_app
from kinegraph.studio.server.connections import Connection, quietly, widen
from kinegraph.studio.server.token import kept_token, new_token
from kinegraph.studio.workspace.entries import id_of
from kinegraph.studio.workspace.files import inside
from kinegraph.studio.workspace.workspace import HIDDEN, Workspace

USUAL_PORT = 8700
# ports that are tried, one after the other, where the usual one is taken
_TRIED = 50
_LOOPBACK = ("127.0.0.1", "localhost", "[::1]")
# Seconds that a thread may keep the others waiting. Listing a folder gives the word away at every file, and gets it back so late when walks
# are searched for beside it.
_SWITCH = 0.0005
# bytes of a message from a page, none of which is listened to
_MESSAGE = 65536
# where the byte lies whose lock is the folder's on Windows: what is locked cannot be read there, and the others read who holds it
_LOCKED = 1 << 30


@dataclass(frozen=True)
class Address:
    """Where a studio is found. link: with the token, where one is needed."""

    url: str
    link: str


def serve(
    folder: Path,
    *,
    host: str = "127.0.0.1",
    port: int | None = None,
    token: str | None = None,
    open_to_all: bool = False,
    browser: bool = True,
    room: str | None = None,
    tell: Callable[[Address], None] = lambda address: None,
) -> None:
    """Serve a folder, or the folder of a `.mog` file, until it is ended by Ctrl-C.

    port: None for the usual one or the next that is free, 0 for any. token: what a browser must show; the folder's own if it is not given.
    open_to_all: none is needed, by anybody who can reach this machine's own ports. room: where the page begins with the file, instead of
    the graph's. tell: called once the studio answers.
    """
    file = folder if folder.is_file() else None
    if file is not None and file.suffix.lower() != ".mog":
        raise KinegraphError(f"{file}: the studio opens a folder, or a .mog file")
    if open_to_all and not is_loopback(host):
        raise KinegraphError(f"{host} can be reached from elsewhere: a studio there needs its token")
    workspace = Workspace(file.parent if file else folder)
    listening = _listen(host, port)
    with contextlib.closing(listening), only_one(workspace.root) as held:
        number = listening.getsockname()[1]
        if token is None and not open_to_all:
            token = kept_token(workspace.root, workspace.root / HIDDEN)
        ticket = new_token() if token is not None and browser else None
        opened = id_of(file.name) if file else None
        app = create_app(workspace, hosts=hosts(host, number), token=token, ticket=ticket, opened=opened)
        url = f"http://{_shown(host)}:{number}/"
        address = Address(url, _link(url, token=token, room=room))
        if held is not None:
            held.seek(0)
            held.truncate()
            held.write(url)
            held.flush()

        def ready() -> None:
            tell(address)
            if browser:
                # some browsers keep the caller waiting until they are closed
                link = _link(url, token=ticket, room=room)
                threading.Thread(target=webbrowser.open, args=(link,), daemon=True).start()

        # the command line does without for its short life; a server must tidy up
        gc.enable()
        widen()
        sys.setswitchinterval(_SWITCH)
        _Server(_config(app), ready, app.state.leave).run([listening])


def _link(url: str, **said: str | None) -> str:
    query = urlencode({name: value for name, value in said.items() if value})
    return f"{url}?{query}" if query else url


def hosts(host: str, port: int) -> set[str]:
    """What the Host of a request may be for a server that is bound to ``host``."""
    if is_loopback(host):
        return {f"{name}:{port}" for name in (*_LOOPBACK, _bracketed(host))}
    names = {_bracketed(host), *_LOOPBACK, socket.gethostname().lower(), socket.getfqdn().lower()}
    # a number cannot be pointed at us by somebody else's name server
    return {f"{name}:{port}" for name in (*names, "*")}


def is_loopback(host: str) -> bool:
    """Whether nobody but this machine can reach that address."""
    if host.lower() == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


@contextlib.contextmanager
def only_one(root: Path) -> Iterator[IO[str] | None]:
    """Hold a folder's lock while it is served, so that two studios do not both run its jobs; None where there is none to be had."""
    path = root / HIDDEN / "lock"
    if path.is_symlink():
        raise KinegraphError(
            f"{path} is a link, and may lead anywhere: remove it, and the studio makes a file of its own"
        )
    try:
        path.parent.mkdir(exist_ok=True)
        # not through a link that has come since
        descriptor = os.open(inside(root, path), os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0), 0o666)
    except OSError:  # a folder that is only to be read
        yield None
        return
    with os.fdopen(descriptor, "r+", encoding="utf-8") as file:
        try:
            _lock(descriptor)
        except OSError:
            file.seek(0)
            where = file.read(200).strip()
            raise KinegraphError(
                f"another studio is open on {root}{f': {where}' if where else ''}; use that one, or end it first"
            ) from None
        yield file


def _lock(descriptor: int) -> None:
    """Lock a file for as long as it is open, or until the process ends however that may be; an `OSError` where another has done so."""
    if sys.platform == "win32":
        import msvcrt

        os.lseek(descriptor, _LOCKED, os.SEEK_SET)
        try:
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        finally:
            os.lseek(descriptor, 0, os.SEEK_SET)
    else:
        import fcntl

        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)


class _Server(uvicorn.Server):
    """Uvicorn, which says when it is ready, and when it is about to leave."""

    def __init__(self, config: uvicorn.Config, ready: Callable[[], None], leave: Callable[[], None]):
        super().__init__(config)
        self._ready = ready
        self._leave = leave

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin to answer."""
        quietly(asyncio.get_running_loop())
        await super().startup(sockets)
        if self.started:
            self._ready()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Answer whoever waits, and end."""
        self._leave()
        await super().shutdown(sockets)


def _config(app: object) -> uvicorn.Config:
    return uvicorn.Config(
        app,  # type: ignore[arg-type]
        log_level="warning",
        access_log=False,
        server_header=False,
        http=Connection,
        ws="websockets-sansio",
        ws_max_size=_MESSAGE,
        h11_max_incomplete_event_size=65536,
        timeout_graceful_shutdown=3,
        # longer than programs keep an idle connection, most of them for 5 s: who closes later is not asked just then
        timeout_keep_alive=30,
        backlog=256,
    )


def _listen(host: str, port: int | None) -> socket.socket:
    """A socket that listens at the address, or a sentence that says why it cannot be."""
    bare = host.strip("[]")
    tried = range(USUAL_PORT, USUAL_PORT + _TRIED) if port is None else (port,)
    family = socket.AF_INET6 if ":" in bare else socket.AF_INET
    fault: OSError | None = None
    for number in tried:
        # said to be TCP, so that asyncio sends small answers at once instead of waiting for more
        bound = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
        try:
            _alone(bound)
            bound.bind((bare, number))
            # two may be bound to one port as long as neither listens, and who comes second takes the next
            bound.listen()
            return bound
        except (OSError, OverflowError) as error:
            bound.close()
            fault = error if isinstance(error, OSError) else OSError(str(error))
            if isinstance(error, socket.gaierror):
                break
    why = fault.strerror or str(fault) if fault else ""
    place = f"{host}:{port}" if port is not None else f"{host}, ports {USUAL_PORT} to {USUAL_PORT + _TRIED - 1}"
    raise KinegraphError(
        f"the studio cannot listen at {place}: {why}; choose another with --host and --port"
    ) from fault


def _alone(bound: socket.socket) -> None:
    """Let a port be taken again soon after it was given up, but never while another listens there."""
    if sys.platform == "win32":
        # where the same word as elsewhere would let anybody take a port from who has it
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_EXCLUSIVEADDRUSE, 1)
    else:
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)


def _bracketed(host: str) -> str:
    bare = host.strip("[]").lower()
    return f"[{bare}]" if ":" in bare else bare


def _shown(host: str) -> str:
    """The host as it stands in a link: an address for all interfaces is none to go to."""
    return {"0.0.0.0": socket.gethostname(), "::": socket.gethostname()}.get(host, _bracketed(host))
