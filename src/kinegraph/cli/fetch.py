"""`kinegraph fetch`: public motion capture, downloaded once and kept."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from kinegraph.cli import console, reading

app = typer.Typer(help="Download public motion capture.", no_args_is_help=True)


@app.callback()
def _sources() -> None:
    """Download public motion capture."""


@app.command("cmu")
def cmu(
    wanted: Annotated[
        list[str],
        typer.Argument(metavar="SUBJECT…", help="Subjects (16), clips (16_15) or ranges of clips (16_11-32)."),
    ],
    folder: Annotated[
        Path | None,
        typer.Option("-o", "--output", metavar="DIR", help="Where to keep them; the user's cache by default."),
    ] = None,
    base_url: Annotated[
        str | None,
        typer.Option("--from", metavar="URL", help="Another address of the folder of subjects (it holds 16/16.asf)."),
    ] = None,
    no_verify: Annotated[
        bool, typer.Option("--no-verify", help="Accept files whose hash is not the known one.")
    ] = False,
    as_json: reading.AsJson = False,
) -> None:
    """Download clips of the CMU Graphics Lab Motion Capture Database with their skeletons.

    Interrupted downloads go on where they stopped. The data was obtained from mocap.cs.cmu.edu; the database was created with funding
    from NSF EIA-0196217.
    """
    from kinegraph.fetch import fetch_cmu

    with console.watch("fetching") as watch:
        files = fetch_cmu(
            wanted,
            folder=folder,
            base_url=base_url,
            verify=not no_verify,
            watch=watch,
        )
    if as_json:
        console.report({"files": [str(path) for path in files]})
    else:
        for path in files:
            console.out.print(str(path), markup=False)
        console.done(f"{len(files)} files")
