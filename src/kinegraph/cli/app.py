"""The `kinegraph` command: its verbs, and what becomes of errors.

Exit 0: done. 1: ran, but cannot satisfy the request. 2: bad usage or bad input. Reports go to standard output; progress,
notices and errors to standard error. A command is loaded when it is called, and imports what is heavy when it runs, so that the others
start at once.
"""

from __future__ import annotations

import gc
import io
import sys
from importlib import import_module
from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup
from typer.main import get_command

from kinegraph.cli import sentences
from kinegraph.cli.console import complain
from kinegraph.cli.signing import signed
from kinegraph.errors import FetchError, FetchRequestError, KinegraphError, MissingExtraError, Unsatisfied
from kinegraph.memory import NONE_LEFT
from kinegraph.version import __version__

# in the order of the help; those that are no module of this package are tasks
_VERBS = (
    "info", "convert", "character", "samples", "render", "distance", "build", "add", "remove", "inspect", "walk", "follow", "direct",
    "live", "crowd", "dump", "repath", "clean", "evaluate", "demo", "studio", "fetch", "space", "paths", "experiments",
)  # fmt: skip
_TASKS = ("walk", "follow", "repath")
_WHICH_WALK = "say which walk: --seconds N for a random one, or --sequence A,B,C for one in order"


class Verbs(TyperGroup):
    """The verbs, each loaded when it is called."""

    _listing = False

    def list_commands(self, ctx: Any) -> list[str]:
        """All verbs, with those of tasks that others have registered at the end."""
        others = {task.command for task in _registered() if " " not in task.command}
        return [*_VERBS, *sorted(others - set(_VERBS))]

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """List the verbs with a sentence each, without loading what they run."""
        self._listing = True
        super().format_help(ctx, formatter)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """The command of a verb; None where there is none of that name."""
        if self._listing and cmd_name in _VERBS:
            return TyperCommand(cmd_name, help=sentences.of_verb(cmd_name))
        if cmd_name in _VERBS and cmd_name not in _TASKS:
            module = import_module(f"kinegraph.cli.{cmd_name}")
            app = module.make_app() if hasattr(module, "make_app") else getattr(module, "app", None)
            if app is None:
                app = _app()
                app.command(cmd_name)(signed(getattr(module, cmd_name)))
        else:
            from kinegraph.cli import asking
            from kinegraph.tasks.task import TASKS

            asked = [task for task in TASKS.values() if task.command == cmd_name]
            if not asked:
                return None
            app = _app()
            asking.add(app, cmd_name, asked, usage=_WHICH_WALK)
        command = get_command(app)
        command.name = cmd_name
        return command


def _registered() -> list[Any]:
    """The tasks, where anybody has loaded them."""
    loaded = sys.modules.get("kinegraph.tasks.task")
    return [] if loaded is None else list(loaded.TASKS.values())


def _app(**about: Any) -> typer.Typer:
    return typer.Typer(
        no_args_is_help=True,
        add_completion=False,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
        **about,
    )


app = _app(
    name="kinegraph",
    cls=Verbs,
    help="Motion capture made reusable: read clips, look at them, and make new motion of them.",
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
    except MemoryError:
        complain(NONE_LEFT)
        sys.exit(1)
    except OSError as error:  # a disk that fails
        where = f"{error.filename}: " if error.filename else ""
        complain(f"{where}the system refuses it: {error.strerror or error}")
        sys.exit(1)
    except SystemExit as stop:
        if stop.code == 130:  # Ctrl-C
            complain("stopped; nothing half-written was left")
        raise
    finally:
        gc.freeze()


def exit_code(error: KinegraphError) -> int:
    """1 for what the world or a graph could not give, 2 for what the user can mend."""
    if isinstance(error, FetchRequestError):
        return 2
    return 1 if isinstance(error, FetchError | MissingExtraError | Unsatisfied) else 2
