"""The two shapes of a glTF file: GLB (a header, a chunk of JSON, a chunk of bytes) and `.gltf` (JSON, its buffers beside or inside it).

Khronos Group, "glTF 2.0 Specification", chapter 4.4 and 3.6.1; ISO/IEC 12113:2022.
"""

from __future__ import annotations

import base64
import binascii
import json
import re
import struct
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NoReturn
from urllib.parse import unquote

from kinegraph.errors import FormatError
from kinegraph.formats.gltf.document import Document, Element
from kinegraph.formats.text import quoted, read_bytes

_MAGIC, _JSON, _BIN = b"glTF", b"JSON", b"BIN\0"
_HEADER = struct.Struct("<4sII")
_CHUNK = struct.Struct("<I4s")
_LARGEST = 2**32 - 1
_KIND = "a glTF file"
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")


def parse(path: Path) -> Document:
    """The file at ``path``, its JSON parsed and its buffers at hand."""
    data = read_bytes(path, _KIND)
    if not data:
        raise FormatError(f"the file is empty: expected {_KIND}", path)
    text, chunk = _chunks(path, data) if data.startswith(_MAGIC) else (data, None)
    root = Element(path, "", _tree(path, text, data.startswith(_MAGIC)))
    version = root.needed("asset").text("version")
    if not version.startswith("2"):
        raise FormatError(f"this is glTF {quoted(version)}: only version 2 is read; export it again as glTF 2.0", path)
    files: dict[Path, bytes] = {}
    buffers = tuple(_buffer(buffer, index, chunk, files) for index, buffer in enumerate(root.items("buffers")))
    return Document(root, buffers, len(data) + sum(map(len, files.values())))


def _chunks(path: Path, data: bytes) -> tuple[bytes, bytes | None]:
    """The JSON and the binary chunk, if there is one; chunks of other kinds are passed over."""
    if len(data) < _HEADER.size:
        raise FormatError("the file is truncated within its header", path)
    _, version, length = _HEADER.unpack_from(data)
    if version != 2:
        raise FormatError(f"this is GLB version {version}: only version 2 is read; export it again as glTF 2.0", path)
    if length > len(data):
        raise FormatError(f"the file is truncated: its header says {length} bytes, but it has {len(data)}", path)
    text: bytes | None = None
    binary: bytes | None = None
    at = _HEADER.size
    while at + _CHUNK.size <= length:
        size, kind = _CHUNK.unpack_from(data, at)
        begin, end = at + _CHUNK.size, at + _CHUNK.size + size
        if end > length:
            raise FormatError(f"the chunk at byte {at} says {size} bytes, but only {length - begin} follow", path)
        if text is None and kind != _JSON:
            raise FormatError(f"the first chunk is {quoted(kind)}, expected JSON", path)
        if kind == _JSON and text is None:
            text = data[begin:end]
        elif kind == _BIN and binary is None:
            binary = data[begin:end]
        at = end
    if text is None:
        raise FormatError("the file holds no chunk of JSON", path)
    return text, binary


def _tree(path: Path, text: bytes, in_chunk: bool) -> Mapping[str, Any]:
    def refuse(constant: str) -> NoReturn:
        raise ValueError(f"{constant} is no number of JSON")

    fault = "the chunk of JSON is damaged" if in_chunk else f"this is neither GLB nor JSON, so not {_KIND}"
    try:
        tree = json.loads(text.decode("utf-8-sig").rstrip(" \0\t\r\n"), parse_constant=refuse)
    except json.JSONDecodeError as error:
        raise FormatError(f"{fault}: {error.msg}", path, error.lineno, error.colno) from error
    except (ValueError, RecursionError) as error:  # not UTF-8, a number without end, brackets without end
        raise FormatError(f"{fault}: {str(error)[:100]}", path) from error
    if not isinstance(tree, dict):
        raise FormatError(f"the JSON holds no object, so this is not {_KIND}", path)
    return tree


def _buffer(buffer: Element, index: int, chunk: bytes | None, files: dict[Path, bytes]) -> memoryview:
    length = buffer.integer("byteLength", least=1)
    uri = buffer.text("uri")
    if uri.startswith("data:"):
        head, _, body = uri.partition(",")
        if not head.endswith(";base64"):
            raise buffer.error("its data URI is not in base64")
        try:
            data = base64.b64decode(unquote(body), validate=True)
        except (binascii.Error, ValueError) as error:
            raise buffer.error(f"its base64 is damaged: {error}") from error
    elif uri:
        data = beside(buffer, unquote(uri), files)
    elif _is_unpacked(buffer):
        return memoryview(b"")
    elif index == 0 and chunk is not None:
        data = chunk
    else:
        raise buffer.error("it has neither a URI nor a binary chunk")
    if len(data) < length:
        raise buffer.error(f"it is truncated: {length} bytes are told, {len(data)} are there")
    return memoryview(data)[:length]


def _is_unpacked(buffer: Element) -> bool:
    """Whether a buffer only stands for the bytes that a compressed one becomes."""
    extensions = buffer.inner("extensions")
    packed = extensions.inner("EXT_meshopt_compression") if extensions else None
    return packed is not None and packed.fields.get("fallback") is True


def beside(buffer: Element, name: str, files: dict[Path, bytes]) -> bytes:
    """A buffer, or a picture, in a file of its own, read once.

    Only in the glTF file's folder: a file must not have others opened as it likes.
    """
    folder = buffer.path.parent
    try:
        target = (folder / name).resolve()
        inside = not _SCHEME.match(name) and target.is_relative_to(folder.resolve())
        there = inside and target.is_file()
    except (OSError, RuntimeError, ValueError) as error:
        raise buffer.error(f"its file {quoted(name)} cannot be found: {error}") from error
    if not inside:
        raise buffer.error(
            f"its bytes are said to be at {quoted(name)}: only files in the folder of the glTF file are read"
        )
    if not there:
        raise buffer.error(f"there is no file {quoted(name)} beside it: keep the .gltf and its .bin together")
    if target not in files:
        files[target] = read_bytes(target, "a buffer of a glTF file")
    return files[target]


def glb(tree: dict[str, Any], buffer: bytes, others: Sequence[dict[str, Any]] = ()) -> bytes:
    """A GLB file: ``tree`` as JSON, whose buffer 0 is ``buffer``. others: further buffers, as the JSON tells of them."""
    text = _dumped(tree | {"buffers": [{"byteLength": len(buffer)}, *others]})
    text += b" " * (-len(text) % 4)
    padded = buffer + b"\0" * (-len(buffer) % 4)
    length = _HEADER.size + 2 * _CHUNK.size + len(text) + len(padded)
    if length > _LARGEST:
        raise FormatError(f"{length} bytes are more than a GLB file can hold: write fewer clips to it")
    return b"".join(
        (_HEADER.pack(_MAGIC, 2, length), _CHUNK.pack(len(text), _JSON), text, _CHUNK.pack(len(padded), _BIN), padded)
    )


def embedded(tree: dict[str, Any], buffer: bytes, others: Sequence[dict[str, Any]] = ()) -> bytes:
    """A `.gltf` file that holds its buffer in itself; others as for `glb`."""
    uri = "data:application/octet-stream;base64," + base64.b64encode(buffer).decode()
    return _dumped(tree | {"buffers": [{"byteLength": len(buffer), "uri": uri}, *others]})


def _dumped(tree: Mapping[str, Any]) -> bytes:
    # escapes keep any name, even one that is no valid Unicode
    return json.dumps(tree, separators=(",", ":"), allow_nan=False).encode()
