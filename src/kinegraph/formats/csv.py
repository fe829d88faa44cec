"""Comma-separated values (CSV) for spreadsheets and notebooks: a row a frame, a column a number. Written only.

Numbers have six decimals (a micrometre, a millionth of a quaternion), the seconds all their digits.
"""

from __future__ import annotations

import csv
import re
from os import PathLike
from pathlib import Path

import numpy as np

from kinegraph.arrays import Array
from kinegraph.errors import FormatError
from kinegraph.formats.atomic import replacing
from kinegraph.formats.outgoing import prepared, unique
from kinegraph.formats.raw import RawMotion
from kinegraph.motion import Motion

_CONTENTS = ("positions", "rotations")


def write(
    motion: Motion,
    path: str | PathLike[str],
    *,
    what: str = "positions",
    units: str | float = "m",
    up: str = "y",
    in_place: bool = False,
) -> None:
    """Write a table with a heading: ``frame``, ``seconds``, then the joints in the skeleton's order.

    what: ``"positions"``: where each joint is in the world, ``joint.x joint.y joint.z``; or ``"rotations"``: quaternions local to the
    parent, ``joint.w joint.x joint.y joint.z``, after the root's place ``root.position.x …`` (and, where bones change length, each joint's
    place from its parent). Joints keep their names; one that was there before gets a number (``hand.2``). units, up, in_place: see
    `outgoing.prepared`.
    """
    if what not in _CONTENTS:
        raise FormatError(f"unknown contents {what!r} of a CSV file: expected {' or '.join(_CONTENTS)}", path)
    raw = prepared(motion, units=units, up=up, in_place=in_place)
    heading, table = _positions(raw) if what == "positions" else _rotations(raw)
    row = ",".join(["%.6f"] * len(heading)) + "\n"
    with replacing(Path(path)) as temporary, temporary.open("w", encoding="utf-8", newline="") as out:
        csv.writer(out, lineterminator="\n").writerow(["frame", "seconds", *heading])
        for frame, values in enumerate(table.tolist()):
            out.write(f"{frame},{frame / raw.fps!r},{row % tuple(values)}")


def _positions(raw: RawMotion) -> tuple[list[str], Array]:
    names = _names(raw)
    return [f"{name}.{axis}" for name in names for axis in "xyz"], _rows(raw.world()[0])


def _rotations(raw: RawMotion) -> tuple[list[str], Array]:
    names = _names(raw)
    places = raw.root[:, None]
    if raw.translations is not None:
        places = np.concatenate([places, raw.translations[:, 1:]], axis=1)
    heading = [f"{name}.position.{axis}" for name in names[: places.shape[1]] for axis in "xyz"]
    heading += [f"{name}.{axis}" for name in names for axis in "wxyz"]
    return heading, np.concatenate([_rows(places), _rows(raw.rotations)], axis=1)


def _rows(values: Array) -> Array:
    """``(F, J, K)`` as ``(F, J K)``, without minus zeros."""
    return values.reshape(len(values), -1).round(6) + 0.0


def _names(raw: RawMotion) -> list[str]:
    # a line break within quotes is allowed, but few readers of tables expect one in the heading
    return unique(re.sub(r"\s+", " ", name) for name in raw.skeleton.names)
