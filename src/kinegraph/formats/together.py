"""`save_together`: people who move at the same time, in one file or in a folder of files."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterable, Sequence
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kinegraph.errors import FormatError
from kinegraph.formats.atomic import made_folder
from kinegraph.formats.format import FORMATS, Format, of_suffix

if TYPE_CHECKING:
    from kinegraph.motion import Motion


def save_together(
    motions: Iterable[Motion],
    path: str | PathLike[str],
    *,
    starts: Sequence[int] | None = None,
    colours: Sequence[tuple[float, float, float]] | None = None,
    **options: Any,
) -> None:
    """Write people who move at the same time, such as a crowd; one file of a format that holds people, or a folder of BVH files.

    path: with a suffix it is a file, without one a folder. motions: one a person, of one rate, each called by its name. starts: the
    frame of the common timeline at which each begins; by default all begin together, and are as long as each other. colours: linear
    red, green and blue of each person's trunk, where a format shows it.

    >>> import kinegraph as kg
    >>> import pathlib, tempfile
    >>> folder = pathlib.Path(tempfile.mkdtemp())
    >>> walk = kg.samples.make("walk").motion
    >>> save_together([walk[:60].renamed("anna"), walk[30:90].renamed("ben")], folder / "both")
    >>> sorted(file.name for file in (folder / "both").iterdir())
    ['anna.bvh', 'ben.bvh']
    """
    target = Path(path)
    if not target.suffix:
        _folder(motions, target, starts is None, **options)
        return
    format = holding_people(target)
    format.write_together(motions, target, starts=starts, colours=colours, **options)


def holding_people(path: Path) -> Format:
    """The format of a file that is to hold several people; one that does not is refused."""
    format = of_suffix(path.suffix.lower())
    if format is None or not format.holds_people:
        held = ", ".join(suffix for each in FORMATS.values() if each.holds_people for suffix in each.suffixes)
        raise FormatError(
            f"{path.suffix} files do not hold several people: expected one of {held}, or a folder (no suffix)", path
        )
    return format


def _folder(motions: Iterable[Motion], folder: Path, whole: bool, **options: Any) -> None:
    """A BVH file each; the files appear when all are written."""
    from kinegraph.formats.outgoing import same_timeline

    first: Motion | None = None
    names: list[str] = []
    made_folder(folder.parent)
    with tempfile.TemporaryDirectory(prefix=f".{folder.name[:40]}-", dir=folder.parent) as drafts:
        for motion in motions:
            first = same_timeline(motion, first, folder, whole=whole)
            name = "".join(
                letter if letter.isalnum() or letter in " -_." else "_" for letter in motion.name or "person"
            )
            name = name if name not in names else f"{name}_{len(names) + 1}"
            names.append(name)
            FORMATS["BVH"].write(motion, Path(drafts, f"{name}.bvh"), **options)
        if first is None:
            raise FormatError("nobody to write: at least one motion is needed", folder)
        made_folder(folder)
        for name in names:
            shutil.move(Path(drafts, f"{name}.bvh"), folder / f"{name}.bvh")
