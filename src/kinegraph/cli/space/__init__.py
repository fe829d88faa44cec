"""`kinegraph space`: strikes at any target, from a few that were captured."""

from __future__ import annotations

import typer

from kinegraph.cli import asking
from kinegraph.cli.signing import signed
from kinegraph.cli.space.build import build
from kinegraph.cli.space.evaluate import evaluate
from kinegraph.cli.space.show import show
from kinegraph.tasks.task import TASKS

app = typer.Typer(help="Punch or kick a target: spaces of captured strikes.", no_args_is_help=True)

app.command("build")(signed(build))
app.command("show")(show)
for _task in TASKS.values():
    if _task.command.startswith("space ") and _task.source == "space":
        asking.add(app, _task.command.removeprefix("space "), [_task])
app.command("evaluate")(evaluate)
