"""NPZ: a motion and its skeleton as NumPy arrays, bit for bit. kinegraph's own exchange format for notebooks."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Iterable, Sequence
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np

from kinegraph.errors import FormatError, KinegraphError
from kinegraph.formats import amass
from kinegraph.formats.atomic import replacing
from kinegraph.formats.options import ReadOptions
from kinegraph.formats.outgoing import same_timeline
from kinegraph.formats.raw import RawMotion
from kinegraph.formats.text import quoted, read_bytes
from kinegraph.motion import Motion, Skeleton

_NEEDED = ("names", "parents", "offsets", "root", "rotations", "fps")
_TEXTS = ("names", "overrides", "people")
# Motions shrink a few times when compressed; what shrinks more is empty, or made to fill the memory.
_MOST_GROWTH = 100
# bytes that an archive may grow to, whatever it shrank by; a larger one may still hold ten times its size
_MOST_UNPACKED = 100_000_000


def read(path: str | PathLike[str], options: ReadOptions) -> RawMotion:
    """A motion written by `write`, lengths in metres; or one of AMASS (see `amass`)."""
    path = Path(path)
    data = read_bytes(path, "an NPZ motion")
    if not data.startswith((b"PK", b"\x93NUMPY")):
        raise FormatError("this is no NPZ archive, whatever its name says", path)
    try:
        loaded = np.load(io.BytesIO(data), allow_pickle=False)
        if not isinstance(loaded, np.lib.npyio.NpzFile):
            raise FormatError("this is a single array, not an NPZ archive", path)
        with zipfile.ZipFile(io.BytesIO(data)) as packed:
            most = min(_MOST_GROWTH * len(data), max(_MOST_UNPACKED, 10 * len(data)))
            if (size := sum(entry.file_size for entry in packed.infolist())) > most:
                raise FormatError(
                    f"the archive would grow from {len(data) / 1e6:.1f} to {size / 1e6:,.0f} MB when unpacked: refused",
                    path,
                )
        with loaded as archive:
            # archives of AMASS hold what only Python's own unpacking would read: it is left alone
            theirs = amass.is_one(archive.files)
            names = [name for name in archive.files if not theirs or name in amass.KEYS]
            arrays = {name: np.asarray(archive[name]) for name in names}
    except FormatError:
        raise
    except Exception as error:  # whatever zipfile, its decompressors and NumPy make of damage
        raise FormatError(f"this is no readable NPZ archive: {error}", path) from error
    if theirs:
        return amass.read(arrays, options, path)
    missing = [name for name in _NEEDED if name not in arrays]
    if missing:
        raise FormatError(
            f"the archive holds no {', '.join(missing)}: it is not a motion of kinegraph, nor one of AMASS (poses, trans)",
            path,
        )
    for name, array in arrays.items():
        if array.dtype.kind not in ("U" if name in _TEXTS else "fiu"):
            raise FormatError(
                f"array {quoted(name)} holds {array.dtype.name}, which is neither lengths nor names", path
            )
    if arrays["root"].ndim == 3:
        count = len(arrays["root"])
        raise FormatError(
            f"the archive holds {count} people, not one motion: kinegraph.formats.npz.read_together reads it", path
        )
    try:
        skeleton = Skeleton(
            names=tuple(str(name) for name in arrays["names"].ravel().tolist()),
            parents=arrays["parents"],
            offsets=arrays["offsets"],
            tip_parents=arrays.get("tip_parents", np.zeros(0, np.intp)),
            tip_offsets=arrays.get("tip_offsets", np.zeros((0, 3))),
            overrides={str(role): int(index) for role, index in json.loads(str(arrays.get("overrides", "{}"))).items()},
        )
        motion = Motion(skeleton, arrays["root"], arrays["rotations"], float(arrays["fps"]), arrays.get("translations"))
    # a SystemError is what NumPy makes of text with characters beyond Unicode
    except (KinegraphError, ValueError, TypeError, AttributeError, SystemError, OverflowError, RecursionError) as error:
        raise FormatError(f"the arrays make no motion: {error}", path) from error
    return RawMotion(skeleton, motion.root, motion.rotations, motion.fps, motion.translations, 1.0, settled=True)


def write(motion: Motion, path: str | PathLike[str]) -> None:
    """Write all arrays in double precision."""
    with replacing(Path(path)) as temporary, temporary.open("wb") as out:
        np.savez(out, **arrays_of(motion))


def write_together(
    motions: Iterable[Motion],
    path: str | PathLike[str],
    *,
    starts: Sequence[int] | None = None,
    colours: Sequence[tuple[float, float, float]] | None = None,
) -> None:
    """Write people who move at the same time: ``root (N, F, 3)``, ``rotations (N, F, J, 4)``, both in single precision.

    starts: the frame at which each begins. Who is not there, before it or after their last frame, has no numbers (NaN). Bodies may
    differ in size, not in joints: ``offsets (N, J, 3)``, ``tip_offsets (N, E, 3)``. people: ``(N,)``, their names.
    """
    first: Motion | None = None
    root, turns, offsets, tips, people = [], [], [], [], []
    for motion in motions:
        first = same_timeline(motion, first, path, whole=starts is None)
        if motion.skeleton.names != first.skeleton.names or motion.translations is not None:
            raise FormatError(
                f"{motion.name or 'one'} has other joints than {first.name or 'the first'}, or bones that stretch: an NPZ of people "
                "holds one skeleton; write a folder or a GLB",
                path,
            )
        root.append(motion.root.astype(np.float32))
        turns.append(motion.rotations.astype(np.float32))
        offsets.append(motion.skeleton.offsets)
        tips.append(motion.skeleton.tip_offsets)
        people.append(motion.name)
    if first is None:
        raise FormatError("nobody to write: at least one motion is needed", path)
    begins = [0] * len(people) if starts is None else list(starts)
    arrays = arrays_of(first) | {"people": np.array(people)}
    for name, parts in (("root", root), ("rotations", turns)):
        end = max(begin + len(part) for begin, part in zip(begins, parts, strict=True))
        whole = np.full((len(parts), end, *parts[0].shape[1:]), np.nan, np.float32)
        for row, begin, part in zip(whole, begins, parts, strict=True):
            row[begin : begin + len(part)] = part
        arrays[name] = whole
    arrays |= {"offsets": np.array(offsets), "tip_offsets": np.array(tips)}
    if colours is not None:
        arrays["colours"] = np.array(colours)
    with replacing(Path(path)) as temporary, temporary.open("wb") as out:
        np.savez(out, **arrays)


def read_together(path: str | PathLike[str]) -> list[Motion]:
    """The people of an archive that `write_together` wrote."""
    with np.load(path, allow_pickle=False) as arrays:
        if "people" not in arrays:
            raise FormatError("the archive holds one motion: kinegraph.load reads it", path)
        fixed = {name: arrays[name] for name in ("parents", "tip_parents")}
        names = tuple(map(str, arrays["names"].tolist()))
        overrides = json.loads(str(arrays["overrides"]))
        fps = float(arrays["fps"])
        people = zip(
            arrays["people"].tolist(),
            arrays["root"],
            arrays["rotations"],
            arrays["offsets"],
            arrays["tip_offsets"],
            strict=True,
        )
        return [
            Motion(
                Skeleton(names, fixed["parents"], offsets, fixed["tip_parents"], tips, overrides),
                root[np.isfinite(root[:, 0])],
                turns[np.isfinite(root[:, 0])],
                fps,
                name=person,
            )
            for person, root, turns, offsets, tips in people
        ]


def arrays_of(motion: Motion) -> dict[str, Any]:
    """What `write` puts into an archive. More arrays of numbers may stand beside them under other names: `read` passes over them."""
    skeleton = motion.skeleton
    arrays: dict[str, Any] = {
        "names": np.array(skeleton.names, dtype=np.str_),
        "parents": skeleton.parents,
        "offsets": skeleton.offsets,
        "tip_parents": skeleton.tip_parents,
        "tip_offsets": skeleton.tip_offsets,
        "overrides": np.array(json.dumps(dict(skeleton.overrides))),
        "root": motion.root,
        "rotations": motion.rotations,
        "fps": np.array(motion.fps),
    }
    if motion.translations is not None:
        arrays["translations"] = motion.translations
    return arrays
