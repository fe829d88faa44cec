"""The `kinegraph` command: its verbs, and what becomes of errors.

Exit 0: done. 1: ran, but cannot satisfy the request. 2: bad usage or bad input. Reports go to standard output; progress,
notices and errors to standard error. Commands import what is heavy when they run, so that the others start at once.
"""

from __future__ import annotations

import gc
import io
import sys

import typer

from kinegraph.cli import (
    add,
    build,
    clean,
    convert,
    demo,
    distance,
    evaluate,
    fetch,
    follow,
    info,
    inspect,
    paths,
    remove,
    render,
    repath,
    samples,
    space,
    studio,
    walk,
)
from kinegraph.cli.console import complain
from kinegraph.errors import FetchError, FetchRequestError, KinegraphError, MissingExtraError
from kinegraph.version import __version__

app = typer.Typer(
    name="kinegraph",
    help="Motion capture made reusable: read clips, look at them, and make new motion of them.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _version(wanted: bool) -> None:
    if wanted:
        print(f"kinegraph {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    version: bool = typer.Option(
        False, "--version", callback=_version, is_eager=True, help="Show the version and stop."
    ),
) -> None:
    pass


app.command("info")(info.info)
app.command("convert")(convert.convert)
app.command("samples")(samples.samples)
app.command("render")(render.render)
app.command("distance")(distance.distance)
app.command("build")(build.build)
app.command("add")(add.add)
app.command("remove")(remove.remove)
app.command("inspect")(inspect.inspect)
app.command("walk")(walk.walk)
app.command("follow")(follow.follow)
app.command("repath")(repath.repath)
app.command("clean")(clean.clean)
app.command("evaluate")(evaluate.evaluate)
app.command("demo")(demo.demo)
app.command("studio")(studio.studio)
app.add_typer(fetch.app, name="fetch")
app.add_typer(space.app, name="space")
app.add_typer(paths.app, name="paths")


def main() -> None:
    """Run the command line; an error of ours becomes one sentence and an exit code."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # a terminal that lacks × or ✓ shows a question mark, not a traceback
    # a command lives for moments: tidying up memory in its midst and at its end would take a tenth of them
    gc.disable()
    try:
        app()
    except KinegraphError as error:
        complain(str(error))
        sys.exit(exit_code(error))
    except SystemExit as stop:
        if stop.code == 130:  # Ctrl-C
            complain("stopped; nothing half-written was left")
        raise
    finally:
        gc.freeze()


def exit_code(error: KinegraphError) -> int:
    """1 for what the world could not give, 2 for what the user can mend."""
    if isinstance(error, FetchRequestError):
        return 2
    return 1 if isinstance(error, FetchError | MissingExtraError) else 2
