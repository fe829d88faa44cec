"""Whether a file holds somebody's rigged mesh, told by its head alone: a list of a folder must not read every mesh in it."""

from __future__ import annotations

import json
import struct
from pathlib import Path
from typing import Any

# bytes of JSON beyond which a file is not looked into
_MOST = 20_000_000
_MAKER = "kinegraph"


def has_skin(path: Path) -> bool:
    """Whether a `.glb`, `.gltf` or `.vrm` file has a skin, and is none of kinegraph's own files, which hold a mannequin."""
    try:
        tree = _tree(path)
    except (OSError, ValueError, RecursionError, struct.error):
        return False  # whoever opens it is told what is wrong with it
    if not isinstance(tree, dict) or not tree.get("skins"):
        return False
    asset = tree.get("asset")
    maker = asset.get("generator", "") if isinstance(asset, dict) else ""
    return not str(maker).lower().startswith(_MAKER)


def _tree(path: Path) -> Any:
    with path.open("rb") as file:
        head = file.read(20)
        if not head.startswith(b"glTF"):
            return json.loads(head + file.read(_MOST))
        (length,) = struct.unpack_from("<I", head, 12)
        return json.loads(file.read(length)) if length <= _MOST else None
