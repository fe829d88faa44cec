"""`kinegraph samples`: the built-in clips as files."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any

import typer

from kinegraph.cli import console, reading
from kinegraph.errors import FormatError
from kinegraph.formats import save, written_suffixes
from kinegraph.formats.atomic import made_folder, replacing


def samples(
    folder: Annotated[
        Path, typer.Option("-o", "--output", metavar="DIR", help="Folder to write to; made if need be.")
    ] = Path("samples"),
    names: Annotated[
        list[str] | None, typer.Argument(metavar="[NAME…]", help="Clips to write; all by default.")
    ] = None,
    kind: Annotated[str, typer.Option("--format", help="File format: bvh, amc or npz.")] = "bvh",
    list_only: Annotated[bool, typer.Option("--list", help="List the clips and write nothing.")] = False,
    as_json: reading.AsJson = False,
) -> None:
    """Write the built-in clips: stand, walks, turns, run, sneak, jump, punches and kicks, made on the spot.

    What is known of each clip (label, contacts, speed, target) goes to samples.json beside them.
    """
    from kinegraph import samples as performer

    wanted = names or performer.names()
    if f".{kind}" not in written_suffixes():
        raise FormatError(f"unknown format {kind!r}: expected one of {', '.join(s[1:] for s in written_suffixes())}")
    made = [performer.make(name) for name in wanted]
    truth = {sample.name: sample.to_dict() for sample in made}
    if not list_only:
        made_folder(folder)
        for sample in made:
            save(sample.motion, folder / f"{sample.name}.{kind}")
        with replacing(folder / "samples.json") as temporary:
            temporary.write_text(json.dumps(_known(folder) | truth, indent=1), encoding="utf-8")
    if as_json:
        console.report({"folder": None if list_only else str(folder), "clips": truth})
    elif list_only:
        for name, known in truth.items():
            console.out.print(f"{name:<20} {known['label']:<8} {known['seconds']:5.2f} s")
    else:
        console.done(f"{len(truth)} clips and samples.json in {folder}")


def _known(folder: Path) -> dict[str, Any]:
    """What samples.json says already of clips that are still there; nothing where it is not ours."""
    try:
        known = json.loads((folder / "samples.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    there = {path.stem for path in folder.iterdir()}
    return {name: entry for name, entry in known.items() if name in there} if isinstance(known, dict) else {}
