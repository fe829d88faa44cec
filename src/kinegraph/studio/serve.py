"""Serving a workspace: the address, the token, one studio for one folder, and the browser."""

from __future__ import annotations

import contextlib
import gc
import ipaddress
import secrets
import socket
import sys
import threading
import webbrowser
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO

import uvicorn

from kinegraph.errors import KinegraphError
from kinegraph.studio.app import create_app
from kinegraph.studio.workspace import HIDDEN, Workspace, id_of

USUAL_PORT = 8700
# ports that are tried, one after the other, where the usual one is taken
_TRIED = 50
_LOOPBACK = ("127.0.0.1", "localhost", "[::1]")
# Seconds that a thread may keep the others waiting. Listing a folder gives the word away at every file, and gets it back so late when walks
# are searched for beside it.
_SWITCH = 0.0005
# bytes of a message from a page, none of which is listened to
_MESSAGE = 65536


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
    browser: bool = True,
    tell: Callable[[Address], None] = lambda address: None,
) -> None:
    """Serve a folder, or the folder of a `.mog` file, until it is ended by Ctrl-C.

    port: None for the usual one or the next that is free, 0 for any. token: needed for any host but this machine's own; made up if it is
    not given. tell: called once the studio answers.
    """
    file = folder if folder.is_file() else None
    if file is not None and file.suffix.lower() != ".mog":
        raise KinegraphError(f"{file}: the studio opens a folder, or a .mog file")
    workspace = Workspace(file.parent if file else folder)
    listening = _listen(host, port)
    with contextlib.closing(listening), only_one(workspace.root) as held:
        number = listening.getsockname()[1]
        if token is None and not is_loopback(host):
            token = secrets.token_urlsafe(24)
        opened = id_of(file.name) if file else None
        app = create_app(workspace, hosts=hosts(host, number), token=token, opened=opened)
        url = f"http://{_shown(host)}:{number}/"
        address = Address(url, f"{url}?token={token}" if token else url)
        if held is not None:
            held.seek(0)
            held.truncate()
            held.write(url)
            held.flush()

        def ready() -> None:
            tell(address)
            if browser:
                # some browsers keep the caller waiting until they are closed
                threading.Thread(target=webbrowser.open, args=(address.link,), daemon=True).start()

        # the command line does without for its short life; a server must tidy up
        gc.enable()
        sys.setswitchinterval(_SWITCH)
        _Server(_config(app), ready).run([listening])


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
    try:
        import fcntl
    except ImportError:  # not on this system
        yield None
        return
    try:
        (root / HIDDEN).mkdir(exist_ok=True)
        file = (root / HIDDEN / "lock").open("a+", encoding="utf-8")
    except OSError:  # a folder that is only to be read
        yield None
        return
    with file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            file.seek(0)
            where = file.read(200).strip()
            raise KinegraphError(
                f"another studio is open on {root}{f': {where}' if where else ''}; use that one, or end it first"
            ) from None
        yield file


class _Server(uvicorn.Server):
    """Uvicorn, which says when it is ready."""

    def __init__(self, config: uvicorn.Config, ready: Callable[[], None]):
        super().__init__(config)
        self._ready = ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin to answer."""
        await super().startup(sockets)
        if self.started:
            self._ready()


def _config(app: object) -> uvicorn.Config:
    return uvicorn.Config(
        app,  # type: ignore[arg-type]
        log_level="warning",
        access_log=False,
        server_header=False,
        ws="websockets-sansio",
        ws_max_size=_MESSAGE,
        h11_max_incomplete_event_size=65536,
        timeout_graceful_shutdown=3,
    )


def _listen(host: str, port: int | None) -> socket.socket:
    """A socket that is bound to the address, or a sentence that says why it cannot be."""
    bare = host.strip("[]")
    tried = range(USUAL_PORT, USUAL_PORT + _TRIED) if port is None else (port,)
    family = socket.AF_INET6 if ":" in bare else socket.AF_INET
    fault: OSError | None = None
    for number in tried:
        # said to be TCP, so that asyncio sends small answers at once instead of waiting for more
        bound = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            bound.bind((bare, number))
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


def _bracketed(host: str) -> str:
    bare = host.strip("[]").lower()
    return f"[{bare}]" if ":" in bare else bare


def _shown(host: str) -> str:
    """The host as it stands in a link: an address for all interfaces is none to go to."""
    return {"0.0.0.0": socket.gethostname(), "::": socket.gethostname()}.get(host, _bracketed(host))
