"""Vertices packed by KHR_draco_mesh_compression. The package DracoPy unpacks them; it is imported on use."""

from __future__ import annotations

import importlib
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kinegraph.errors import MissingExtraError
from kinegraph.formats.gltf.document import Element

NAME = "KHR_draco_mesh_compression"
"""The extension."""


def unpacked(packed: Element, data: memoryview) -> dict[str, NDArray[Any]]:
    """The attributes ``(V, …)`` of a primitive by name, such as ``POSITION``. packed: its extension. data: what that points to."""
    try:
        package = importlib.import_module("DracoPy")
    except ImportError as error:
        raise MissingExtraError(f"reading a mesh that is packed by {NAME}", "draco") from error
    try:
        mesh = package.decode(bytes(data))
        told = packed.needed("attributes")
        found = {name: mesh.get_attribute_by_unique_id(told.integer(name))["data"] for name in told.fields}
    except Exception as error:  # the decoder has many words for it, and no class of its own
        raise packed.error("its Draco compression is damaged: export without compression") from error
    return {name: np.asarray(values).reshape(len(values), -1) for name, values in found.items()}
