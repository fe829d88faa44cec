"""`kinegraph info`: what a clip holds."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer
from rich.markup import escape
from rich.table import Table

from kinegraph.cli import console
from kinegraph.cli.reading import AsJson, read, reads
from kinegraph.errors import KinegraphError
from kinegraph.feet.floating import floating_notices
from kinegraph.formats.options import ReadOptions
from kinegraph.motion import Motion
from kinegraph.motion.body import ROLES
from kinegraph.motion.describing import describe


@reads
def info(
    files: Annotated[list[Path], typer.Argument(metavar="FILE…", help="Motion files (.bvh, .amc, .glb, .npz …).")],
    reading: ReadOptions,
    joints: Annotated[bool, typer.Option("--joints", help="List the joints with their roles.")] = False,
    as_json: AsJson = False,
) -> None:
    """Show joints, frames, rate, duration, extent, body roles and the reader's notices.

    A file that cannot be read does not keep the others from being shown.
    """
    described: list[dict[str, Any]] = []
    for path in files:
        try:
            motion = read(path, reading)
        except KinegraphError as error:
            if len(files) == 1:
                raise
            console.complain(str(error))
            described.append({"file": str(path), "error": str(error)})
            continue
        facts = {"file": str(path), **describe(motion)}
        facts["notices"] += floating_notices(motion)
        described.append(facts)
        if not as_json:
            _print(facts, motion, joints)
    if as_json:
        console.report(described[0] if len(described) == 1 else {"files": described})
    if any("error" in facts for facts in described):
        raise typer.Exit(2)


def _print(facts: dict[str, Any], motion: Motion, joints: bool) -> None:
    low, high = facts["extent_m"]["min"], facts["extent_m"]["max"]
    missing = [role for role in ROLES if role not in facts["roles"]]
    found = f"{len(ROLES) - len(missing)} of {len(ROLES)} ({facts['naming'] or 'unknown naming'})"
    if missing and len(missing) < len(ROLES):
        found += f", without {', '.join(missing)}"
    table = Table(show_header=False, box=None, padding=(0, 2, 0, 0))
    table.add_column(style="dim")
    table.add_column()
    rows = {
        "joints": f"{facts['joints']}",
        "frames": f"{facts['frames']} at {facts['fps']:g} frames/s, {facts['seconds']:.2f} s",
        "body height": f"{facts['height_m']:.2f} m" if facts["height_m"] else "unknown (legs not found)",
        "extent": " × ".join(f"{b - a:.2f}" for a, b in zip(low, high, strict=True)) + " m (x, y, z)",
        "path": f"{facts['path_m']:.2f} m at {facts['speed_mps']['mean']:.2f} m/s on average",
        "body roles": found,
    }
    for key, value in rows.items():
        table.add_row(key, escape(value))
    console.out.print(f"[bold]{escape(facts['file'])}[/]")
    console.out.print(table)
    if joints:
        role_of = {index: role for role, index in motion.skeleton.roles.items()}
        depth = {
            int(joint): level for level, joints_there in enumerate(motion.skeleton.levels) for joint in joints_there
        }
        for index in motion.skeleton.depth_first.tolist():
            name = f"{'  ' * depth[index]}{motion.skeleton.names[index]}"
            console.out.print(f"  {escape(name):<36} [dim]{role_of.get(index, '')}[/]")
    for sentence in facts["notices"]:
        console.notice(sentence, facts["file"])
