"""Writing a character that moves: the same file, byte for byte, with one more animation."""

from __future__ import annotations

import copy
import mimetypes
from collections.abc import Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np

from kinegraph.arrays import Array
from kinegraph.characters.character import SUFFIXES, Character
from kinegraph.characters.moving import Moved
from kinegraph.errors import FormatError
from kinegraph.formats.atomic import replacing
from kinegraph.formats.gltf import container, extras
from kinegraph.formats.gltf.buffer import Buffer
from kinegraph.formats.gltf.nodes import taken_apart
from kinegraph.formats.outgoing import unique
from kinegraph.motion import rotation
from kinegraph.motion.spans import spans

# Of the longest bone: a joint whose place on its parent differs by less from the file's own needs no keys for it.
_SAME_PLACE = 1e-5
# Scales of a joint that differ by less from axis to axis, as a share, are the same.
_SAME_SCALE = 1e-4


def write(moved: Moved | Sequence[Moved], path: str | PathLike[str]) -> None:
    """Write a character with its motions, each as one more animation of its file; its mesh, materials and textures stay byte for byte.

    All must be of one character. The target is a `.glb`, a `.gltf` that holds everything, or, for a VRM, a `.vrm`.

    >>> import pathlib, tempfile
    >>> import kinegraph as kg
    >>> folder = pathlib.Path(tempfile.mkdtemp())
    >>> kg.save(kg.samples.make("stand").motion, folder / "hero.glb")
    >>> hero = kg.characters.load(folder / "hero.glb")
    >>> write([kg.characters.put(kg.samples.make(name).motion, hero) for name in ("walk", "run")], folder / "out.glb")
    """
    target = Path(path)
    check_target(target)
    motions = [moved] if isinstance(moved, Moved) else list(moved)
    if not motions:
        raise FormatError("no motion to write", target)
    character = motions[0].character
    if any(one.character is not character for one in motions):
        raise FormatError("one file holds one character: write the others to files of their own", target)
    tree = of_its_own(character.document.root.fields)
    data = in_one_buffer(tree, character)
    buffer = Buffer()
    known = [one.text("name") for one in character.document.root.items("animations")]
    names = unique([*known, *(one.name or "motion" for one in motions)], "_")[len(known) :]
    made = [
        {"name": name, "extras": _said(one)} | _tracks(one, buffer) for name, one in zip(names, motions, strict=True)
    ]
    plain_nodes(tree["nodes"], character)
    begin = len(data) + -len(data) % 4
    views, accessors = len(tree.get("bufferViews", [])), len(tree.get("accessors", []))
    for view in buffer.views:
        view["byteOffset"] += begin
    for accessor in buffer.accessors:
        accessor["bufferView"] += views
    for one in made:
        for sampler in one["samplers"]:
            sampler["input"] += accessors
            sampler["output"] += accessors
    tree["bufferViews"] = [*tree.get("bufferViews", []), *buffer.views]
    tree["accessors"] = [*tree.get("accessors", []), *buffer.accessors]
    tree["animations"] = [*tree.get("animations", []), *made]
    whole = b"".join((data, b"\0" * (begin - len(data)), buffer.joined()))
    others = tree.pop("buffers")[1:]
    packed = container.embedded if target.suffix.lower() == ".gltf" else container.glb
    with replacing(target) as temporary, temporary.open("wb") as out:
        out.write(packed(tree, whole, others))


PAGE = ".html"
"""What a page that plays a character is written to (`kinegraph.characters.showing`)."""


def check_target(target: Path, *, page: bool = False) -> None:
    """Refuse a file that holds no character. page: a page that plays it will do."""
    suffix = target.suffix.lower()
    if suffix not in SUFFIXES and not (page and suffix == PAGE):
        or_page = f", or played by a page ({PAGE})" if page else ""
        raise FormatError(
            f"a character is written to {', '.join(SUFFIXES)}{or_page}: its mesh and its textures go along", target
        )


def _said(moved: Moved) -> dict[str, Any]:
    held = {
        name: [list(span) for span in spans(moved.contacts[:, column])] for column, name in enumerate(extras.CONTACTS)
    }
    return {
        "fps": moved.fps,
        "frames": len(moved),
        "contacts": held,
        "events": moved.events(),
        "made_by": extras.generator(),
    }


# -- what is there already --------------------------------------------------------------------------------------------


def of_its_own(fields: Mapping[str, Any]) -> dict[str, Any]:
    """A file's JSON whose nodes, pictures, buffers and views may be changed; all else is shared, since it may be large."""
    tree = dict(fields)
    for name in ("nodes", "images", "buffers", "bufferViews"):
        if name in tree:
            tree[name] = [_own(one) for one in tree[name]]
    return tree


def _own(one: Any) -> Any:
    """A part of a file's JSON that may be changed; of a damaged file it may be anything."""
    if not isinstance(one, dict) or "extensions" in one:
        return copy.deepcopy(one)
    return dict(one)


def in_one_buffer(tree: dict[str, Any], character: Character) -> bytes:
    """The bytes of the file's buffers; where there are several, or files beside it, one after another, and the tree says so."""
    document = character.document
    held = tree.get("buffers", [])
    if len(held) == 1 and "uri" not in held[0]:
        return bytes(document.buffers[0])
    parts: list[bytes] = []
    begins: dict[int, int] = {}
    kept: list[dict[str, Any]] = [{}]
    moved: dict[int, int] = {}
    for number, (entry, data) in enumerate(zip(held, document.buffers, strict=True)):
        if not len(data):  # stands for bytes that are made when they are unpacked
            moved[number] = len(kept)
            kept.append(entry)
            continue
        begins[number] = sum(map(len, parts))
        parts += [bytes(data), b"\0" * (-len(data) % 4)]
    for view in tree.get("bufferViews", []):
        for holder in (view, *(one for one in view.get("extensions", {}).values() if "buffer" in one)):
            number = holder["buffer"]
            if number in begins:
                holder["byteOffset"] = holder.get("byteOffset", 0) + begins[number]
            holder["buffer"] = moved.get(number, 0)
    _take_in_images(tree, character, parts)
    tree["buffers"] = kept
    return b"".join(parts)


def _take_in_images(tree: dict[str, Any], character: Character, parts: list[bytes]) -> None:
    """Put pictures that lie beside the file into the buffer: what is written elsewhere would not find them."""
    root = character.document.root
    for image in root.items("images"):
        uri = image.text("uri")
        if not uri or uri.startswith("data:"):
            continue
        data = container.beside(image, uri, {})
        entry = tree["images"][int(image.where[7:-1])]
        del entry["uri"]
        entry["mimeType"] = mimetypes.guess_type(uri)[0] or "image/png"
        entry["bufferView"] = len(tree.setdefault("bufferViews", []))
        tree["bufferViews"].append({"buffer": 0, "byteOffset": sum(map(len, parts)), "byteLength": len(data)})
        parts += [data, b"\0" * (-len(data) % 4)]


def plain_nodes(nodes: list[dict[str, Any]], character: Character, first: int = 0) -> None:
    """Joints that stand by a matrix get the translation, rotation and scale that it says: only these can be moved. first: the number of
    the character's node 0 among them.
    """
    for node in character.bones.nodes:
        entry = nodes[first + node]
        numbers = entry.pop("matrix", None)
        if numbers is not None:
            placed = taken_apart(np.array(numbers, np.float64).reshape(4, 4).T)
            entry["translation"] = placed.translation.tolist()
            entry["rotation"] = np.roll(placed.rotation, -1).tolist()
            entry["scale"] = placed.scale.tolist()


def stretched(character: Character) -> dict[int, float]:
    """Joint → the size that it is to have, of those whose scale in the file differs from axis to axis: a bone that is stretched puts what
    hangs on it elsewhere.
    """
    scales = [one.scale for one in character.bones.rest]
    sizes = [float(np.cbrt(np.prod(one))) for one in scales]
    return {
        joint: size
        for joint, (one, size) in enumerate(zip(scales, sizes, strict=True))
        if size > 0.0 and np.ptp(one) > _SAME_SCALE * size
    }


def even_nodes(nodes: list[dict[str, Any]], character: Character, first: int = 0) -> None:
    """Give stretched joints one size, in a file of which nobody else's animation is shown; first: as for `plain_nodes`."""
    for joint, size in stretched(character).items():
        nodes[first + character.bones.nodes[joint]]["scale"] = [size] * 3


# -- the animation ----------------------------------------------------------------------------------------------------


def local(moved: Moved) -> tuple[Array, Array]:
    """Translations ``(F, J, 3)`` and rotations ``(F, J, 4)`` of the joints' nodes, each on its parent."""
    character = moved.character
    bones, parents = character.bones, character.bones.parents
    world = rotation.multiply(moved.orientations, np.broadcast_to(character.turns, moved.orientations.shape))
    back = rotation.inverse(world[:, parents[1:]])
    turns, places = np.empty_like(world), np.empty_like(moved.positions)
    turns[:, 1:] = rotation.multiply(back, world[:, 1:])
    steps = moved.positions[:, 1:] - moved.positions[:, parents[1:]]
    places[:, 1:] = rotation.rotate(back, steps) / bones.sizes[parents[1:], None]
    over = np.linalg.inv(bones.over)
    axes = bones.over[:3, :3] / np.cbrt(np.linalg.det(bones.over[:3, :3]))
    turns[:, 0] = rotation.multiply(rotation.inverse(rotation.from_matrix(axes)), world[:, 0])
    places[:, 0] = moved.positions[:, 0] @ over[:3, :3].T + over[:3, 3]
    return places, rotation.unroll(turns)


def moving_joints(character: Character, places: Array) -> list[int]:
    """The joints whose ``places (F, J, 3)`` on their parents are not always those of the file: hips, and whatever else goes by itself."""
    rest = np.array([one.translation for one in character.bones.rest])
    longest = max(float(np.abs(rest).max()), 1e-9)
    apart = np.abs(places - rest).max(axis=(0, 2)) > _SAME_PLACE * longest
    return [int(joint) for joint in np.flatnonzero(apart)]


def _tracks(moved: Moved, buffer: Buffer) -> dict[str, Any]:
    bones = moved.character.bones
    places, turns = local(moved)
    buffer.view()
    moments = (np.arange(len(moved)) / moved.fps).astype("<f4")
    inputs: dict[bool, int] = {}
    channels: list[dict[str, Any]] = []
    samplers: list[dict[str, Any]] = []

    def track(joint: int, path: str, values: Array) -> None:
        small = np.ascontiguousarray(values, "<f4")
        still = len(small) > 2 and float(np.ptp(small, axis=0).max()) < 1e-7
        if still not in inputs:
            inputs[still] = buffer.add(moments[[0, -1]] if still else moments, bounds=True)
        output = buffer.add(small[[0, -1]] if still else small)
        samplers.append({"input": inputs[still], "output": output, "interpolation": "LINEAR"})
        channels.append({"sampler": len(samplers) - 1, "target": {"node": bones.nodes[joint], "path": path}})

    for joint in moving_joints(moved.character, places):
        track(joint, "translation", places[:, joint])
    for joint in range(len(bones)):
        track(joint, "rotation", np.roll(turns[:, joint], -1, axis=-1))
    for joint, size in stretched(moved.character).items():
        track(joint, "scale", np.full((len(moved), 3), size))
    return {"channels": channels, "samplers": samplers}
