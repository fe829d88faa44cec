"""Many people in one glTF file, each on a character: files are merged, and people of one character share its mesh and its textures.

Everybody is as large as whoever they were made for: somebody with other legs would leave their way, and walk into others.
"""

from __future__ import annotations

import copy
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np

from kinegraph.characters import core as core_of
from kinegraph.characters import writing
from kinegraph.characters.character import Character
from kinegraph.characters.moving import Moved, put
from kinegraph.errors import FormatError
from kinegraph.formats.atomic import replacing
from kinegraph.formats.gltf import container, extras
from kinegraph.formats.gltf.buffer import Buffer
from kinegraph.formats.outgoing import same_timeline, unique
from kinegraph.motion import Motion
from kinegraph.watch import Watch, Watcher

SUFFIXES = (".glb", ".gltf")

# What of a file is taken over, in this order: later ones point to earlier ones.
_SHARED = ("bufferViews", "accessors", "samplers", "images", "textures", "materials", "meshes")
# Keys under which a number of such a list stands, wherever that is in what is taken over; all else is left as it is.
_POINTS = {
    "bufferView": "bufferViews",
    "source": "images",
    "sampler": "samplers",
    "material": "materials",
    "indices": "accessors",
    "inverseBindMatrices": "accessors",
}
_LARGEST_SHORT = 32767


def write_together(
    motions: Iterable[Motion],
    characters: Sequence[Character],
    path: str | PathLike[str],
    *,
    count: int | None = None,
    watch: Watcher = None,
) -> tuple[str, ...]:
    """Write people who move at the same time, all of one rate, on characters in turn. One animation moves all of them; after their last
    frame nothing is seen of them. What the user should know comes back.

    motions are taken one at a time, so an iterator of many need never hold them all; count: how many there are, for the watch, which is
    told as the stage "write".
    """
    target = Path(path)
    check_target(target)
    file, first = _Merged(characters), None
    told: dict[str, None] = {}
    for number, motion in enumerate(motions):
        Watch.of(watch).tell("write", number, count)
        first = same_timeline(motion, first, target, whole=False)
        moved = put(motion, characters[number % len(characters)])
        told |= dict.fromkeys((*moved.character.notices, *moved.notices))
        with _told(moved.character):
            file.add(moved, motion)
    if first is None:
        raise FormatError("nobody to write: at least one motion is needed", target)
    packed = container.embedded if target.suffix.lower() == ".gltf" else container.glb
    with replacing(target) as temporary, temporary.open("wb") as out:
        out.write(packed(*file.whole(first.renamed(target.stem))))
    return tuple(told)


def check_target(target: Path) -> None:
    """Refuse a file that does not hold several characters."""
    if target.suffix.lower() not in SUFFIXES:
        raise FormatError(f"people on characters are written to {' or '.join(SUFFIXES)}", target)


@contextmanager
def _told(character: Character) -> Iterator[None]:
    """What nobody writes into a file comes to light wherever that part of it is taken over."""
    try:
        yield
    except (AttributeError, IndexError, KeyError, TypeError, ValueError) as error:
        raise FormatError(
            f"its tree is damaged, so it cannot be put among several people ({error})", character.path
        ) from error


class _Merged:
    """A file that people are added to."""

    def __init__(self, characters: Sequence[Character]) -> None:
        self._tree: dict[str, Any] = {name: [] for name in (*_SHARED, "nodes", "skins")}
        self._names: list[str] = []
        self._scene: list[int] = []
        self._people: list[int] = []
        self._data: list[bytes] = []
        self._length = 0
        self._used: dict[str, dict[str, None]] = {"extensionsUsed": {}, "extensionsRequired": {}}
        self._begins: dict[int, dict[str, int]] = {}
        self._sources: dict[int, dict[str, Any]] = {}
        for one in characters:
            with _told(one):
                self._take(one)
        # the keys of all, behind the files' own bytes
        self._keys = Buffer()
        self._channels: list[dict[str, Any]] = []
        self._samplers: list[dict[str, Any]] = []
        self._moments: dict[int, int] = {}
        self._spans: list[tuple[int, float, int]] = []

    def _take(self, character: Character) -> None:
        """Take over what people of a character share."""
        tree: dict[str, Any] = copy.deepcopy(dict(character.document.root.fields))
        data = writing.in_one_buffer(tree, character)
        if len(tree.get("buffers", [])) > 1:
            raise FormatError(
                "its mesh is compressed by EXT_meshopt_compression: among several people it is not taken; export it without",
                character.path,
            )
        begins = {name: len(self._tree[name]) for name in _SHARED}
        for view in tree.get("bufferViews", []):
            view["byteOffset"] = view.get("byteOffset", 0) + self._length
        for name in _SHARED:
            self._tree[name] += [_pointed(one, begins) for one in tree.get(name, [])]
        for skin in tree.get("skins", []):
            if "inverseBindMatrices" in skin:
                skin["inverseBindMatrices"] += begins["accessors"]
        self._data += [data, b"\0" * (-len(data) % 4)]
        self._length += len(data) + -len(data) % 4
        for name, known in self._used.items():
            known |= dict.fromkeys(one for one in tree.get(name, []) if "VRM" not in one)
        self._begins[id(character)], self._sources[id(character)] = begins, tree

    def add(self, moved: Moved, motion: Motion) -> None:
        """One more person: nodes and skins of their own."""
        character = moved.character
        tree, begins = self._sources[id(character)], self._begins[id(character)]
        size = motion.rigid().skeleton.leg_length / core_of.of(character).skeleton.leg_length
        name, nodes, skins = moved.name or "person", self._tree["nodes"], self._tree["skins"]
        first, first_skin = len(nodes) + 1, len(skins)
        scenes = tree.get("scenes") or [{"nodes": list(_tops(tree["nodes"]))}]
        tops = scenes[tree.get("scene", 0)].get("nodes", [])
        # a skin goes with its joints: what is above its mesh would only be warned of
        skinned = [one for one in tops if "skin" in tree["nodes"][one]]
        held = [one + first for one in tops if one not in skinned]
        nodes.append({"name": name, "scale": [float(size)] * 3, "children": held})
        for node in copy.deepcopy(tree["nodes"]):
            for key in ("camera", "extensions"):
                node.pop(key, None)
            if "children" in node:
                node["children"] = [one + first for one in node["children"]]
            for key, offset in (("mesh", begins["meshes"]), ("skin", first_skin)):
                if key in node:
                    node[key] += offset
            nodes.append(node)
        for skin in copy.deepcopy(tree["skins"]):
            skin["joints"] = [one + first for one in skin["joints"]]
            if "skeleton" in skin:
                skin["skeleton"] += first
            skins.append(skin)
        self._people.append(first - 1)
        self._scene += [first - 1, *(one + first for one in skinned)]
        self._names.append(name)
        self._move(moved, first)
        self._spans.append((first - 1, float(size), len(moved)))

    def _move(self, moved: Moved, first: int) -> None:
        """One person's keys. Rotations are short numbers, half the size and within a hundredth of a degree."""
        places, turns = writing.local(moved)
        if len(moved) not in self._moments:
            self._keys.view()
            self._moments[len(moved)] = self._keys.add((np.arange(len(moved)) / moved.fps).astype("<f4"), bounds=True)
        times = self._moments[len(moved)]
        writing.plain_nodes(self._tree["nodes"], moved.character, first)
        writing.even_nodes(self._tree["nodes"], moved.character, first)
        self._keys.view()
        nodes = moved.character.bones.nodes
        for joint in writing.moving_joints(moved.character, places):
            self._key(first + nodes[joint], "translation", times, self._keys.add(places[:, joint].astype("<f4")))
        for joint, node in enumerate(nodes):
            short = np.rint(_LARGEST_SHORT * np.roll(turns[:, joint], -1, axis=-1)).astype("<i2", order="C")
            self._key(first + node, "rotation", times, self._keys.add(short))

    def _key(self, node: int, path: str, times: int, values: int, interpolation: str = "LINEAR") -> None:
        self._samplers.append({"input": times, "output": values, "interpolation": interpolation})
        self._channels.append({"sampler": len(self._samplers) - 1, "target": {"node": node, "path": path}})

    def _hide(self, fps: float) -> None:
        """Let people have no size once they are gone: that is what every reader understands."""
        end = max(frames for _, _, frames in self._spans)
        for node, size, frames in self._spans:
            if frames == end:
                continue
            self._keys.view()
            times = self._keys.add(np.array([0.0, (frames - 1) / fps], "<f4"), bounds=True)
            self._key(node, "scale", times, self._keys.add(np.array([[size] * 3, [0.0] * 3], "<f4")), "STEP")

    def whole(self, motion: Motion) -> tuple[dict[str, Any], bytes]:
        """The file's JSON and its bytes; motion: one of them, called as the file is."""
        self._hide(motion.fps)
        views, accessors = len(self._tree["bufferViews"]), len(self._tree["accessors"])
        for view in self._keys.views:
            view["byteOffset"] += self._length
        for accessor in self._keys.accessors:
            accessor["bufferView"] += views
        for sampler in self._samplers:
            sampler["input"] += accessors
            sampler["output"] += accessors
        for top, name in zip(self._people, unique(self._names, "_"), strict=True):
            self._tree["nodes"][top]["name"] = name
        tree = {name: some for name, some in self._tree.items() if some}
        tree["bufferViews"] = [*tree["bufferViews"], *self._keys.views]
        tree["accessors"] = [*tree["accessors"], *self._keys.accessors]
        said = extras.of_animation(motion, None, None)
        animation = {"name": motion.name, "extras": said, "channels": self._channels, "samplers": self._samplers}
        told = {name: list(known) for name, known in self._used.items() if known}
        return {
            "asset": {"version": "2.0", "generator": extras.generator()},
            "scene": 0,
            "scenes": [{"name": motion.name, "nodes": self._scene}],
            **told,
            **tree,
            "animations": [animation],
        }, b"".join((*self._data, self._keys.joined()))


def _tops(nodes: Sequence[dict[str, Any]]) -> Iterator[int]:
    """Nodes that hang on no other."""
    below = {child for node in nodes for child in node.get("children", [])}
    return (number for number in range(len(nodes)) if number not in below)


def _pointed(value: Any, begins: dict[str, int], above: str = "") -> Any:
    """A part of a file with all that it points to where that is now."""
    if isinstance(value, list):
        return [_pointed(one, begins, above) for one in value]
    if not isinstance(value, dict):
        return value
    out: dict[str, Any] = {}
    for key, one in value.items():
        if not isinstance(one, int) or isinstance(one, bool) or key == "extras":
            out[key] = one if key == "extras" else _pointed(one, begins, key)
        elif key in _POINTS:
            out[key] = one + begins[_POINTS[key]]
        elif key == "index" and above.lower().endswith("texture"):
            out[key] = one + begins["textures"]
        elif above in ("attributes", "targets") and key != "bufferView":
            out[key] = one + begins["accessors"]
        else:
            out[key] = one
    return out
