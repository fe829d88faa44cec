"""Many bodies in one glTF file, on one timeline: bodies alike share mesh and bind pose, and each has its own joints and its own keys.

Rotations are written as short numbers, which glTF allows: half the size, and within a hundredth of a degree.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kinegraph.arrays import Array
from kinegraph.errors import FormatError
from kinegraph.formats.atomic import replacing
from kinegraph.formats.gltf import container, extras
from kinegraph.formats.gltf.body import Colour, Shape, material, shape, surface
from kinegraph.formats.gltf.buffer import Buffer
from kinegraph.formats.outgoing import same_timeline, unique
from kinegraph.motion import Motion, Skeleton

# the part of a body that bears its owner's colour
_COLOURED = "torso"
_LARGEST_SHORT = 32767


def write_together(
    motions: Iterable[Motion],
    path: str | PathLike[str],
    *,
    starts: Sequence[int] | None = None,
    colours: Sequence[Colour] | None = None,
    mesh: bool = True,
) -> None:
    """Write people who move at the same time, such as a crowd: one animation moves all of them.

    motions: one a person, of one rate; they are taken one at a time, so an iterator of many need never hold them all. starts: the frame
    of the common timeline at which each begins; before it and after their last frame nothing is seen of them. By default all begin
    together, and are as long as each other. colours: linear red, green and blue of each person's trunk. mesh: mannequins, or else thin
    bones.
    """
    target = Path(path)
    file = _File(mesh, starts is not None)
    for number, motion in enumerate(motions):
        colour = None if colours is None else colours[number]
        file.add(motion, 0 if starts is None else starts[number], colour, target)
    if not file.people:
        raise FormatError("nobody to write: at least one motion is needed", target)
    packed = container.embedded if target.suffix.lower() == ".gltf" else container.glb
    data = packed(file.tree(target.stem), file.buffer.joined())
    with replacing(target) as temporary, temporary.open("wb") as out:
        out.write(data)


class _File:
    """A file that people are added to."""

    def __init__(self, mesh: bool, comes_and_goes: bool) -> None:
        self.buffer = Buffer()
        self._comes_and_goes = comes_and_goes
        self.people: list[str] = []
        self._mesh = mesh
        self._first: Motion | None = None
        self._shapes: dict[Skeleton, Shape] = {}
        # a mesh for each shape and colour, a material for each look: the same is written once
        self._meshes: dict[tuple[int, Colour | None], int] = {}
        self._materials: dict[tuple[str, Colour], int] = {}
        self._tree: dict[str, list[Any]] = {name: [] for name in ("nodes", "skins", "meshes", "materials")}
        self._scene: list[int] = []
        self._channels: list[dict[str, Any]] = []
        self._samplers: list[dict[str, Any]] = []
        # accessors of the times of somebody's frames, and of the first and last of them, by the first frame and how many there are
        self._moments: dict[tuple[int, int], tuple[int, int]] = {}
        self._spans: list[tuple[int, int, int]] = []

    def add(self, motion: Motion, begin: int, colour: Colour | None, target: Path) -> None:
        """One more person, from a frame of the timeline on."""
        self._first = same_timeline(motion, self._first, target, whole=not self._comes_and_goes)
        if motion.skeleton not in self._shapes:
            own = surface(motion, self._mesh)
            self._shapes[motion.skeleton] = shape(motion.skeleton, own, self.buffer)
        body = self._shapes[motion.skeleton]
        name = motion.name or "person"
        start = len(self._tree["nodes"])
        self._tree["nodes"] += body.nodes(start, name, self._mesh_of(body, colour), len(self._tree["skins"]))
        self._tree["skins"].append(body.skin(start, name))
        self._scene += [start, start + len(motion.skeleton)]
        self.people.append(name)
        self._move(motion, start, begin)
        self._spans.append((start, begin, begin + len(motion) - 1))

    def tree(self, name: str) -> dict[str, Any]:
        """The file's JSON."""
        first = self._first
        assert first is not None
        for skin, person in zip(self._tree["skins"], unique(self.people, "_"), strict=True):
            skin["name"] = person
        self._hide(first.fps)
        said = extras.of_animation(first.renamed(name), None, None)
        animation = {"name": name, "extras": said, "channels": self._channels, "samplers": self._samplers}
        return {
            "asset": {"version": "2.0", "generator": extras.generator()},
            "scene": 0,
            "scenes": [{"name": name, "nodes": self._scene}],
            **self._tree,
            "animations": [animation],
            "bufferViews": self.buffer.views,
            "accessors": self.buffer.accessors,
        }

    def _mesh_of(self, body: Shape, colour: Colour | None) -> int:
        key = body.matrices, colour
        if key not in self._meshes:
            primitives = []
            for primitive, (part, own) in zip(body.primitives, body.looks, strict=True):
                look = part, colour if colour is not None and part == _COLOURED else own
                if look not in self._materials:
                    self._materials[look] = len(self._tree["materials"])
                    self._tree["materials"].append(material(*look))
                primitives.append(primitive | {"material": self._materials[look]})
            self._meshes[key] = len(self._tree["meshes"])
            self._tree["meshes"].append({"name": f"body {self._meshes[key] + 1}", "primitives": primitives})
        return self._meshes[key]

    def _move(self, motion: Motion, start: int, begin: int) -> None:
        """One person's keys. What never changes has two, at the ends."""
        span = begin, len(motion)
        if span not in self._moments:
            self.buffer.view()
            moments = ((begin + np.arange(len(motion))) / motion.fps).astype("<f4")
            whole = self.buffer.add(moments, bounds=True)
            ends = self.buffer.add(moments[[0, -1]], bounds=True) if len(motion) > 2 else whole
            self._moments[span] = whole, ends
        times = self._moments[span]
        self.buffer.view()
        self._track(start, "translation", motion.root.astype("<f4"), times)
        if motion.translations is not None:
            for joint in range(1, len(motion.skeleton)):
                places = motion.translations[:, joint]
                if np.any(places != motion.skeleton.offsets[joint]):
                    self._track(start + joint, "translation", places.astype("<f4"), times)
        for joint in range(len(motion.skeleton)):
            self._track(start + joint, "rotation", _short(motion.rotations[:, joint]), times)

    def _track(self, node: int, path: str, values: NDArray[Any], times: tuple[int, int]) -> None:
        still = len(values) > 2 and not np.any(values != values[0])
        output = self.buffer.add(values[[0, -1]] if still else values)
        self._key(node, path, times[still], output, "LINEAR")

    def _key(self, node: int, path: str, times: int, values: int, interpolation: str) -> None:
        self._samplers.append({"input": times, "output": values, "interpolation": interpolation})
        self._channels.append({"sampler": len(self._samplers) - 1, "target": {"node": node, "path": path}})

    def _hide(self, fps: float) -> None:
        """Let people have no size while they are not there: that is what every reader understands."""
        end = max(last for _, _, last in self._spans)
        for node, first, last in self._spans:
            keys = [(0, 0.0)] * (first > 0) + [(first, 1.0)] + [(last, 0.0)] * (last < end)
            if len(keys) == 1:
                continue
            self.buffer.view()
            times = self.buffer.add(np.array([frame / fps for frame, _ in keys], "<f4"), bounds=True)
            sizes = self.buffer.add(np.repeat(np.array([size for _, size in keys], "<f4")[:, None], 3, axis=1))
            self._key(node, "scale", times, sizes, "STEP")


def _short(rotations: Array) -> NDArray[np.int16]:
    """Rotations ``(F, 4)``, w x y z, as glTF's x y z w in short numbers."""
    return np.rint(_LARGEST_SHORT * np.roll(rotations, -1, axis=-1)).astype("<i2", order="C")
