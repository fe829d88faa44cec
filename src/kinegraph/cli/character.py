"""`kinegraph character`: what a rigged mesh was taken for, to check before motions are put on it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from kinegraph.cli import console, writing
from kinegraph.cli.reading import AsJson
from kinegraph.errors import KinegraphError


def character(
    file: Annotated[Path, typer.Argument(metavar="HERO", help="A rigged mesh: .glb, .gltf or .vrm.")],
    role: Annotated[
        list[str] | None,
        typer.Option("--role", metavar="ROLE=NODE", help="Which joint is what: left_foot=NODE; may be said again."),
    ] = None,
    skin: Annotated[
        str | None, typer.Option("--skin", metavar="NAME", help="Of a file with several bodies: the one that is meant.")
    ] = None,
    plot: Annotated[
        Path | None, typer.Option("--plot", metavar="P.png", help="Draw its joints and roles: .png, .svg, .pdf.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Show which joint of a rigged mesh is taken for which part of a body, and how that was found.

    \b
    kinegraph character hero.glb --plot roles.png
    kinegraph character hero.glb --role left_foot=Foot_L --role right_foot=Foot_R
    """
    from kinegraph.characters import load, sketch
    from kinegraph.tasks.forms import form
    from kinegraph.tasks.task import TASKS

    wish = TASKS["convert"].wishes()["roles"]
    given = form(wish.form).parse(wish, {"role": role}) if role else {}
    writing.check_plot(plot)
    if plot is not None:
        from kinegraph.plots import rig

        rig.save(sketch(file, roles=given, skin=skin), plot)
    try:
        hero = load(file, roles=given, skin=skin)
    except KinegraphError:
        if plot is not None:
            console.done(f"{plot}: its joints, and the roles that were found")
        raise
    roles, names = hero.roles, hero.skeleton.names
    if as_json:
        found = {one: {"node": names[joint], "how": roles.how[one]} for one, joint in roles.joints.items()}
        console.report(
            {
                "file": str(file),
                "joints": len(names),
                "vertices": len(hero.points),
                "height_m": round(hero.height, 4),
                "roles": found,
                "missing": list(roles.missing),
                "notices": list(hero.notices),
            }
        )
        return
    console.rows(
        f"{file.name}: {len(names)} joints, {len(hero.points):,} vertices, {hero.height:.3g} m tall",
        [(one, f"{names[joint]}  ({roles.how[one]})") for one, joint in roles.joints.items()],
    )
    if roles.missing:
        console.notice(f"not found, and done without: {', '.join(roles.missing)}")
    for sentence in hero.notices:
        console.notice(sentence)
    if plot is not None:
        console.done(f"{plot}: its joints and their roles")
