"""`kinegraph distance`: how alike two clips are at every pair of moments."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from kinegraph.cli import asking, console, writing
from kinegraph.cli.reading import AsJson, read, reads
from kinegraph.formats.options import ReadOptions

if TYPE_CHECKING:
    from kinegraph.tasks.kinds.compare import Compared

# minima in the table
_MOST = 10


@asking.asks("compare")
@reads
def distance(
    a: Annotated[Path, typer.Argument(metavar="A", help="Motion file (.bvh, .amc, .glb, .npz …).")],
    b: Annotated[Path, typer.Argument(metavar="B", help="Another, or the same.")],
    output: Annotated[
        Path,
        typer.Option("-o", "--output", metavar="OUT", help="Picture (.png, .svg, .pdf) or arrays (.npz) to write."),
    ],
    wishes: dict[str, Any],
    reading: ReadOptions,
    as_json: AsJson = False,
) -> None:
    """Draw the distances of all windows of A and B as a map with its local minima: where one could go over into the other.

    Distances are in centimetres: the root mean square over matched points, once the one window is laid on the other.
    """
    from kinegraph.tasks.kinds.compare import check_target

    check_target(output)
    writing.check_place(output)
    task = asking.task("compare", wishes)
    same = a == b or (a.exists() and b.exists() and a.samefile(b))
    made: Compared = task.run([read(path, reading).renamed(path.stem) for path in ([a] if same else [a, b])])
    made.save(output)
    facts = made.to_dict()
    if as_json:
        console.report({**facts, "output": str(output), "notices": list(made.notices)})
        return
    _print(facts)
    for sentence in made.notices:
        console.notice(sentence)
    shape = " × ".join(f"{size:,}" for size in made.map.centimetres.shape)
    count = len(facts["minima"])
    console.done(f"{output}: {shape} windows of {made.map.window} frames at {made.fps:g}/s, {count:,} minima")


def _print(facts: dict[str, Any]) -> None:
    found = facts["minima"]
    if not found:
        console.out.print("no minima: the two are nowhere more alike than at their ends", markup=False)
        return
    console.out.print(f"A: {facts['a']}, B: {facts['b']}", markup=False)
    cells = [
        (
            f"{one['frame_a']}",
            f"{one['second_a']:.2f}",
            f"{one['frame_b']}",
            f"{one['second_b']:.2f}",
            f"{one['cost_cm']:.2f}",
        )
        for one in found[:_MOST]
    ]
    console.table(("A: frame", "second", "B: frame", "second", "cm"), cells)
    if len(found) > _MOST:
        console.out.print(f"and {len(found) - _MOST:,} more", markup=False)
