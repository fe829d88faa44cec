"""`kinegraph space`: strikes at any target, from a few that were captured."""

from __future__ import annotations

import typer

from kinegraph.cli import space_build, space_evaluate, space_join, space_reach, space_show

app = typer.Typer(help="Punch or kick a target: spaces of captured strikes.", no_args_is_help=True)

app.command("build")(space_build.build)
app.command("show")(space_show.show)
app.command("reach", cls=space_reach.TakesNegatives)(space_reach.reach)
app.command("join", cls=space_reach.TakesNegatives)(space_join.join)
app.command("evaluate")(space_evaluate.evaluate)
