"""`kinegraph space`: strikes at any target, from a few that were captured."""

from __future__ import annotations

import typer

from kinegraph.cli.space import build as space_build
from kinegraph.cli.space import evaluate as space_evaluate
from kinegraph.cli.space import join as space_join
from kinegraph.cli.space import reach as space_reach
from kinegraph.cli.space import show as space_show

app = typer.Typer(help="Punch or kick a target: spaces of captured strikes.", no_args_is_help=True)

app.command("build")(space_build.build)
app.command("show")(space_show.show)
app.command("reach", cls=space_reach.TakesNegatives)(space_reach.reach)
app.command("join", cls=space_reach.TakesNegatives)(space_join.join)
app.command("evaluate")(space_evaluate.evaluate)
