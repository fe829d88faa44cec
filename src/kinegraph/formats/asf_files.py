"""Which ASF an AMC rests on, and how it keeps that one whatever arrives beside it.

`formats.asf.beside` takes an ASF of the AMC's own name, one of its subject, or the folder's only one. The last holds only until another
comes; so a clip that is taken or renamed is given an ASF that it finds by name.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping
from pathlib import Path

from kinegraph.errors import FormatError
from kinegraph.formats import asf
from kinegraph.formats.atomic import replacing

SUFFIX = ".asf"


def subjects(stem: str) -> tuple[str, ...]:
    """What an ASF may be called to be found by an AMC's name, the nearest first.

    >>> subjects("16_15")
    ('16_15', '16', '16')
    """
    low = stem.lower()
    return low, low.rpartition("_")[0], low.partition("_")[0]


def keep_beside(skeleton: Path, clip: Path, shared: str | None = None) -> list[Path]:
    """Let an AMC, which need not be there yet, find a copy of the ASF by name; the files that were written for it.

    shared: what the ASF is called for all clips of its subject; where another is called so, or it would not be found, it is put under the
    clip's own name, which is free (`is_free`).
    """
    data = skeleton.read_bytes()
    there = _skeletons(clip.parent)
    found = _named(clip.stem, there)
    if found is not None and found.read_bytes() == data:
        return []
    place = clip.with_suffix(SUFFIX)
    if shared is not None:
        subject = clip.with_name(f"{shared}{SUFFIX}")
        alone = not os.path.lexists(subject) and shared.lower() not in there
        if alone and _named(clip.stem, {**there, shared.lower(): subject}) == subject:
            made = settle(subject, clip)
            if not os.path.lexists(subject):
                _copy(skeleton, subject)
                return [*made, subject]
            return [*made, *keep_beside(skeleton, clip)]
    made = settle(place, clip)
    _copy(skeleton, place)
    return [*made, place]


def is_free(clip: Path, skeleton: Path) -> bool:
    """Whether an ASF can stand under the clip's name: none does, or an equal one."""
    held = _skeletons(clip.parent).get(clip.stem.lower())
    if held is not None:
        return held.read_bytes() == skeleton.read_bytes()
    return not os.path.lexists(clip.with_suffix(SUFFIX))


def settle(coming: Path, clip: Path) -> list[Path]:
    """Before an ASF comes: give every other AMC of the folder that would go by it, or lose its own, its own under its name."""
    there = _skeletons(coming.parent)
    then = {**there, coming.stem.lower(): coming}
    made = []
    for other in coming.parent.glob("*.[aA][mM][cC]"):
        held, place = _chosen(other.stem, there), other.with_suffix(SUFFIX)
        if other != clip and held is not None and _chosen(other.stem, then) != held and not os.path.lexists(place):
            _copy(held, place)
            made.append(place)
    return made


def own_skeleton(clip: Path) -> list[Path]:
    """The ASF of an AMC's own name, where it serves no other clip of the folder."""
    if clip.suffix.lower() != ".amc":
        return []
    own = clip.with_suffix(SUFFIX)
    if not own.is_file():
        return []
    for other in clip.parent.glob("*.[aA][mM][cC]"):
        try:
            if other != clip and asf.beside(other) == own:
                return []
        except FormatError:
            continue
    return [own]


def _skeletons(folder: Path) -> dict[str, Path]:
    return {path.stem.lower(): path for path in sorted(folder.glob("*.[aA][sS][fF]")) if path.is_file()}


def _named(stem: str, found: Mapping[str, Path]) -> Path | None:
    return next((found[name] for name in subjects(stem) if name in found), None)


def _chosen(stem: str, found: Mapping[str, Path]) -> Path | None:
    """As `asf.beside` chooses, among files that may not all be there."""
    only = next(iter(found.values())) if len(found) == 1 else None
    return _named(stem, found) or only


def _copy(skeleton: Path, place: Path) -> None:
    with replacing(place) as temporary:
        shutil.copyfile(skeleton, temporary)
