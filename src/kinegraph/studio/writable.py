"""The formats that the studio can write here, and what the others lack."""

from __future__ import annotations

from importlib.util import find_spec

from kinegraph.errors import KinegraphError
from kinegraph.formats import blender
from kinegraph.player.page import NOT_BUILT, is_built
from kinegraph.studio.models import Writable

_NAMES = {
    ".bvh": "BVH", ".amc": "Acclaim AMC with ASF", ".npz": "NumPy arrays", ".glb": "glTF, binary", ".gltf": "glTF, text",
    ".usda": "USD, text", ".usdc": "USD, binary", ".fbx": "FBX", ".csv": "CSV table", ".html": "HTML player", ".gif": "GIF film",
    ".mp4": "MP4 film", ".png": "picture of poses",
}  # fmt: skip
# the modules that a format needs, and the extra that brings them
_NEEDS = {
    ".usda": ("pxr", "usd"), ".usdc": ("pxr", "usd"), ".gif": ("PIL", "render"), ".png": ("PIL", "render"),
    ".mp4": ("imageio_ffmpeg", "render"),
}  # fmt: skip


def writable() -> list[Writable]:
    """Every format, and whether it can be written here."""
    listed = []
    for suffix, name in _NAMES.items():
        why = _lacking(suffix)
        listed.append(Writable(suffix=suffix, name=name, available=why is None, why=why))
    return listed


def _lacking(suffix: str) -> str | None:
    if suffix == ".fbx":
        try:
            blender.command("writing FBX")
        except KinegraphError as error:
            return str(error)
    if suffix == ".html" and not is_built():
        return NOT_BUILT
    module, extra = _NEEDS.get(suffix, ("", ""))
    if module and find_spec(module) is None:
        return f"it needs an optional part of kinegraph: pip install 'kinegraph[{extra}]'"
    return None
