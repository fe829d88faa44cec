"""`load` and `save`: which format reads and writes a file is told by its suffix."""

from __future__ import annotations

import re
from collections.abc import Mapping
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kinegraph.errors import FormatError
from kinegraph.formats.format import FORMATS, Format, of_suffix
from kinegraph.formats.options import PLAIN, ReadOptions

if TYPE_CHECKING:
    from kinegraph.motion import Motion


# what people try, and what to do instead
_HINTS = {
    ".asf": " (an ASF is a skeleton: give its AMC)",
    ".c3d": " (a C3D holds markers, not joints, and making a skeleton of them is out of scope here: solve it in the capture software, and "
    "export BVH or FBX)",
    ".vrm": " (a VRM is a character without motion: put one on it with convert --character)",
}


def suffixes() -> tuple[str, ...]:
    """The suffixes that can be read.

    >>> suffixes()
    ('.bvh', '.amc', '.npz', '.glb', '.gltf', '.fbx')
    """
    return tuple(suffix for format in FORMATS.values() if format.reads for suffix in format.suffixes)


def written_suffixes() -> tuple[str, ...]:
    """The suffixes that can be written: those that can also be read, and then the others.

    >>> written_suffixes()[6:]
    ('.usda', '.usdc', '.csv')
    """
    written = sorted((format for format in FORMATS.values() if format.writes), key=lambda format: not format.reads)
    return tuple(suffix for format in written for suffix in format.suffixes)


def format_of(path: str | PathLike[str], *, writing: bool = False) -> Format:
    """The format that reads, or writes, files of a path's suffix.

    >>> format_of("walk.bvh").name
    'BVH'
    """
    path = Path(path)
    suffix = path.suffix.lower()
    format = of_suffix(suffix)
    if format is None or not (format.writes if writing else format.reads):
        known = written_suffixes() if writing else suffixes()
        if path.is_dir():
            raise FormatError("this is a folder: expected a motion file", path)
        if format is not None and not writing:
            raise FormatError(f"{suffix} files are written, not read: read one of {', '.join(known)}", path)
        hint = _HINTS.get(suffix, "")
        raise FormatError(f"unknown suffix {path.suffix!r}: expected one of {', '.join(known)}{hint}", path)
    return format


def load(
    path: str | PathLike[str],
    *,
    units: str | float = "auto",
    up: str = "y",
    fps: float | None = None,
    skeleton: str | PathLike[str] | None = None,
    trim_tpose: bool = True,
    roles: Mapping[str, str] | None = None,
    skin: str | None = None,
    animation: str | None = None,
    stature: float | None = None,
) -> Motion:
    """Read a motion from a file, by its suffix.

    units: unit of length in the file: ``"auto"`` (what the file says, else guessed from the body's height), a name such as ``"cm"``,
    or metres per unit. up: the file's vertical axis, ``"y"`` or ``"z"``. fps: the rate, over whatever the file says. skeleton: the
    ASF of an AMC, where it does not stand beside it. trim_tpose: leave out a T-pose that was put before the capture. roles: body
    role → joint name, where the name tables do not know. skin, animation: names of the character and of the clip that are meant, where
    a glTF file holds several; by default the one that moves, and the first. stature: of an AMASS archive, how tall the body is, in metres;
    skeleton is then the body model's file. What the reader had to assume or mend stands in
    ``motion.notices``.

    >>> import kinegraph as kg
    >>> import pathlib, tempfile
    >>> file = pathlib.Path(tempfile.mkdtemp(), "walk.bvh")
    >>> kg.save(kg.samples.make("walk").motion, file)
    >>> kg.load(file)
    Motion('walk', 257 frames at 60/s, 24 joints)
    """
    asf = None if skeleton is None else Path(skeleton)
    return read(path, ReadOptions(units, up, fps, asf, trim_tpose, dict(roles or {}), skin, animation, stature))


def read(path: str | PathLike[str], options: ReadOptions = PLAIN) -> Motion:
    """As `load`, with the options all in one."""
    # imported here, so that whoever only asks what can be read need not wait for NumPy
    import numpy as np

    from kinegraph.formats.raw import finish

    path = Path(path)
    # numbers without measure are refused once all are read: no warning need tell of them before
    with np.errstate(over="ignore", invalid="ignore"):
        return finish(format_of(path).read(path, options), options, path)


def read_all(path: str | PathLike[str], options: ReadOptions = PLAIN) -> tuple[Motion, ...]:
    """Every clip of a file: of a format that holds many, unless one is named, each by its own name; of others, the one there is."""
    format = format_of(path)
    if not format.holds_many or options.animation is not None:
        return (read(path, options),)
    return format.read_all(path, options)


def save(
    motion: Motion,
    path: str | PathLike[str],
    *,
    fps: float | None = None,
    in_place: bool = False,
    t_pose: bool = False,
    rigid: bool = False,
    **options: Any,
) -> None:
    """Write a motion to a file, by its suffix; the file appears whole or not at all.

    fps: resample it first. in_place: on the spot. t_pose: with a T-pose before it, as game engines like it. rigid: bones that change
    length get their mean length. Options are those of the format's ``write``: ``units`` and ``order`` for BVH, ``skeleton`` for AMC.

    >>> import kinegraph as kg
    >>> import pathlib, tempfile
    >>> file = pathlib.Path(tempfile.mkdtemp(), "walk.bvh")
    >>> kg.save(kg.samples.make("walk").motion, file, fps=30, units="cm")
    >>> file.read_text().splitlines()[0]
    'HIERARCHY'
    """
    format = format_of(path, writing=True)
    if fps is not None or in_place or t_pose or rigid:
        from kinegraph.formats.writing import prepared

        motion = prepared(motion, fps=fps, in_place=in_place, t_pose=t_pose, rigid=rigid)
    try:
        format.write(motion, path, **options)
    except TypeError as error:
        unknown = re.search(r"unexpected keyword argument '(\w+)'", str(error))
        if unknown is None:
            raise
        raise FormatError(f"{Path(path).suffix} files do not take {unknown[1]}", path) from error
