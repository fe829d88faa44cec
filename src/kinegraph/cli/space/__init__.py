"""`kinegraph space`: strikes at any target, from a few that were captured."""

from __future__ import annotations

import typer

from kinegraph.cli import asking
from kinegraph.cli.signing import signed
from kinegraph.cli.space.build import build
from kinegraph.cli.space.evaluate import evaluate
from kinegraph.cli.space.show import show
from kinegraph.tasks.task import TASKS


def make_app() -> typer.Typer:
    """The commands of strikes, with the tasks and kinds of strike that there are by now."""
    app = typer.Typer(help="Punch or kick a target: spaces of captured strikes.", no_args_is_help=True)
    app.command("build")(signed(build))
    app.command("show")(show)
    for task in TASKS.values():
        if task.command.startswith("space ") and task.source == "space":
            asking.add(app, task.command.removeprefix("space "), [task])
    app.command("evaluate")(evaluate)
    return app
