"""Writing glTF: a body with a mesh that follows its joints, and any number of clips that it plays."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from kinegraph.errors import FormatError
from kinegraph.formats.atomic import replacing
from kinegraph.formats.gltf import container, extras
from kinegraph.formats.gltf.body import described, surface
from kinegraph.formats.gltf.buffer import Buffer
from kinegraph.formats.gltf.extras import LabelledFrames
from kinegraph.formats.outgoing import prepared, unique
from kinegraph.formats.raw import RawMotion
from kinegraph.motion import Motion

_UNNAMED = "motion"


def write(
    motion: Motion,
    path: str | PathLike[str],
    *,
    units: str | float = "m",
    up: str = "y",
    in_place: bool = False,
    mesh: bool = True,
    contacts: ArrayLike | None = None,
    labels: Iterable[LabelledFrames] | None = None,
) -> None:
    """Write one clip: `.glb`, or `.gltf` with its buffer inside.

    in_place: the root stays over its first place on the floor, at its own heights. mesh: a mannequin, or else thin bones, since
    importers take joints without any mesh for empty objects. contacts ``(F, 4)`` (left heel, left ball, right heel, right ball) and
    labels go into the animation's ``extras``. units and up are there to be refused: glTF is in metres with Y up, whatever is wished.
    """
    named = motion if motion.name else motion.renamed(Path(path).stem)
    write_all([named], path, units=units, up=up, in_place=in_place, mesh=mesh, contacts=[contacts], labels=[labels])


def write_all(
    motions: Sequence[Motion],
    path: str | PathLike[str],
    *,
    units: str | float = "m",
    up: str = "y",
    in_place: bool = False,
    mesh: bool = True,
    contacts: Sequence[ArrayLike | None] | None = None,
    labels: Sequence[Iterable[LabelledFrames] | None] | None = None,
) -> None:
    """Write several clips of one skeleton as animations of one body; options as for `write`, contacts and labels by clip.

    Each animation is called as its motion; where names repeat, a number is put behind them. Rates may differ.
    """
    target = Path(path)
    if units not in ("m", 1, 1.0):
        raise FormatError(
            f"glTF is in metres by its standard: units {units!r} cannot be written (leave it out, or say m)", target
        )
    if up != "y":
        raise FormatError(
            f"glTF has Y up by its standard: up {up!r} cannot be written (leave it out; importers turn it)", target
        )
    if not motions:
        raise FormatError("no motion to write", target)
    first = motions[0]
    for motion in motions[1:]:
        if motion.skeleton != first.skeleton:
            raise FormatError(
                f"{motion.name or 'a motion'} has another skeleton than {first.name or 'the first'}: retarget it, or write it to a file "
                "of its own",
                target,
            )
    held = [None] * len(motions) if contacts is None else contacts
    done = [None] * len(motions) if labels is None else labels
    if len(held) != len(motions) or len(done) != len(motions):
        raise FormatError(f"{len(motions)} motions need as many contacts and labels, or None", target)
    names = unique((motion.name or _UNNAMED for motion in motions), "_")
    buffer = Buffer()
    tree: dict[str, Any] = {"asset": {"version": "2.0", "generator": extras.generator()}}
    tree |= described(first.skeleton, surface(first, mesh), buffer, names[0] if len(names) == 1 else target.stem)
    tree["animations"] = [
        {"name": name, "extras": extras.of_animation(motion, on, did)}
        | _tracks(prepared(motion, in_place=in_place), buffer)
        for name, motion, on, did in zip(names, motions, held, done, strict=True)
    ]
    tree |= {"bufferViews": buffer.views, "accessors": buffer.accessors}
    packed = container.embedded if target.suffix.lower() == ".gltf" else container.glb
    data = packed(tree, buffer.joined())
    with replacing(target) as temporary, temporary.open("wb") as out:
        out.write(data)


def _tracks(motion: RawMotion, buffer: Buffer) -> dict[str, Any]:
    """Channels and samplers: rotations of all joints, translation of the root and of joints whose place the nodes do not tell.

    Every joint has its rotation even where that never changes: a player that goes from clip to clip must not keep the last one's.
    Such a track has two keys, at the ends.
    """
    buffer.view()
    moments = (np.arange(len(motion.root)) / motion.fps).astype("<f4")
    # accessors of the times, made when a track first needs them
    inputs: dict[bool, int] = {}
    channels: list[dict[str, Any]] = []
    samplers: list[dict[str, Any]] = []

    def track(joint: int, path: str, values: NDArray[np.float32]) -> None:
        still = len(values) > 2 and not np.any(values != values[0])
        if still not in inputs:
            inputs[still] = buffer.add(moments[[0, -1]] if still else moments, bounds=True)
        output = buffer.add(values[[0, -1]] if still else values)
        samplers.append({"input": inputs[still], "output": output, "interpolation": "LINEAR"})
        channels.append({"sampler": len(samplers) - 1, "target": {"node": joint, "path": path}})

    track(0, "translation", motion.root.astype("<f4"))
    if motion.translations is not None:
        for joint in range(1, len(motion.skeleton)):
            places = motion.translations[:, joint]
            if np.any(places != motion.skeleton.offsets[joint]):
                track(joint, "translation", places.astype("<f4"))
    # x y z w, each joint's keys together
    turns = np.roll(motion.rotations, -1, axis=-1).transpose(1, 0, 2).astype("<f4", order="C")
    for joint, values in enumerate(turns):
        track(joint, "rotation", values)
    return {"channels": channels, "samplers": samplers}
