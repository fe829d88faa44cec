"""`kinegraph studio`: the product in the browser."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from kinegraph.cli import console


def studio(
    folder: Annotated[
        Path,
        typer.Argument(
            metavar="[FOLDER|G.mog]", help="Folder of clips, graphs and results; the current one by default."
        ),
    ] = Path(),
    port: Annotated[
        int | None,
        typer.Option(
            "--port", min=0, max=65535, help="Port to listen at; 0 for any. By default 8700 or the next free one."
        ),
    ] = None,
    host: Annotated[
        str,
        typer.Option("--host", help="Address to listen at; others than this machine's own are reached from elsewhere."),
    ] = "127.0.0.1",
    token: Annotated[
        str | None,
        typer.Option("--token", help="What a browser must show; by default one that the folder keeps for its owner."),
    ] = None,
    no_token: Annotated[
        bool,
        typer.Option("--no-token", help="Let in everybody who can reach this machine's own ports, other users too."),
    ] = False,
    no_browser: Annotated[bool, typer.Option("--no-browser", help="Do not open the browser.")] = False,
) -> None:
    """Open the studio: see clips, build graphs, draw a path and watch a person walk it.

    It reads and writes in the folder that is given, and nowhere else. Ctrl-C ends it.
    """
    if token is not None and len(token) < 8:
        raise typer.BadParameter("a token has at least 8 characters", param_hint="--token")
    if token is not None and not all("!" <= mark <= "~" for mark in token):
        # it stands in headers and in a cookie, which hold no others
        raise typer.BadParameter(
            "a token is of unaccented letters, digits and punctuation, without spaces", param_hint="--token"
        )
    if no_token and token is not None:
        raise typer.BadParameter("say --token or --no-token, not both", param_hint="--no-token")
    open_studio(folder, host=host, port=port, token=token, open_to_all=no_token, browser=not no_browser)


def open_studio(
    folder: Path,
    *,
    host: str = "127.0.0.1",
    port: int | None = None,
    token: str | None = None,
    open_to_all: bool = False,
    browser: bool = True,
    room: str | None = None,
) -> None:
    """Serve the studio until it is ended, and say where it is."""
    from kinegraph.studio.server.serve import Address, serve
    from kinegraph.studio.server.static import NOT_BUILT, is_built

    def ready(address: Address) -> None:
        if not is_built():
            console.notice(NOT_BUILT)
        console.done(f"the studio is open at {address.link} (Ctrl-C ends it)")

    serve(folder, host=host, port=port, token=token, open_to_all=open_to_all, browser=browser, room=room, tell=ready)
