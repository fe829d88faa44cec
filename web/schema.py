"""Writes `src/api/schema.ts`: what the studio's server takes and answers, as TypeScript, made from the server's own description of itself.

`make web` runs it; the file is committed, since the page is also built where there is no server, as in a wheel's build.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

TARGET = Path(__file__).resolve().parent / "src" / "api" / "schema.ts"

_WIDTH = 140
_HEAD = "/** What the server takes and answers. Written by web/schema.py from the server's description: do not edit, run `make web`. */\n"
_REF = "#/components/schemas/"
_PLAIN = {"string": "string", "number": "number", "integer": "number", "boolean": "boolean", "null": "null"}


def described() -> dict[str, Any]:
    """The server's description, without serving anything."""
    from kinegraph.studio.server.app import create_app
    from kinegraph.studio.workspace.workspace import Workspace

    with TemporaryDirectory() as folder:
        return create_app(Workspace(folder), hosts=()).openapi()


def typescript(description: Mapping[str, Any]) -> str:
    """The components of a description as TypeScript. Read-only, so that no answer is changed, and requests can be made of what is."""
    schemas = description["components"]["schemas"]
    return _HEAD + "".join(f"\n{_declared(name, schemas[name])}" for name in sorted(schemas))


def write() -> bool:
    """Write the file where it is not what the server tells; whether it had to be."""
    text = typescript(described())
    if TARGET.is_file() and TARGET.read_text("utf-8") == text:
        return False
    TARGET.write_text(text, "utf-8", newline="\n")
    return True


def _declared(name: str, schema: Mapping[str, Any]) -> str:
    comment = _comment(schema.get("description"))
    if "properties" not in schema:
        return f"{comment}export type {name} = {_type(schema)};\n"
    return f"{comment}export interface {name} {_body(schema)}\n"


def _body(schema: Mapping[str, Any]) -> str:
    required = schema.get("required", ())
    lines = []
    for name, one in schema["properties"].items():
        key = name if re.fullmatch(r"[A-Za-z_]\w*", name) else f'"{name}"'
        mark = "" if name in required else "?"
        lines.append(f"{_comment(one.get('description'))}readonly {key}{mark}: {_type(one)};\n")
    return "{\n" + textwrap.indent("".join(lines), "  ") + "}"


def _type(schema: Mapping[str, Any]) -> str:
    if "$ref" in schema:
        return str(schema["$ref"]).removeprefix(_REF)
    if "const" in schema:
        return _literal(schema["const"])
    if "enum" in schema:
        return " | ".join(map(_literal, schema["enum"]))
    for several in ("anyOf", "oneOf"):
        if several in schema:
            return " | ".join(dict.fromkeys(map(_type, schema[several])))
    if "allOf" in schema:
        return " & ".join(map(_type, schema["allOf"]))
    kind = schema.get("type")
    if kind == "array":
        return _array(schema)
    if kind == "object":
        return _body(schema) if "properties" in schema else f"Readonly<Record<string, {_other(schema)}>>"
    return _PLAIN[kind] if kind else "unknown"


def _array(schema: Mapping[str, Any]) -> str:
    if "prefixItems" in schema:
        return f"readonly [{', '.join(map(_type, schema['prefixItems']))}]"
    of = _type(schema.get("items", {}))
    return f"readonly ({of})[]" if re.search(r"[ |&]", of) else f"readonly {of}[]"


def _other(schema: Mapping[str, Any]) -> str:
    of = schema.get("additionalProperties", True)
    return _type(of) if isinstance(of, Mapping) else "unknown"


def _literal(value: Any) -> str:
    return f'"{value}"' if isinstance(value, str) else str(value).lower()


def _comment(text: str | None) -> str:
    if not text:
        return ""
    lines = [line for part in text.replace("*/", "* /").splitlines() for line in textwrap.wrap(part, _WIDTH) or [""]]
    if len(lines) == 1:
        return f"/** {lines[0]} */\n"
    return "/**\n" + "".join(f" * {line}".rstrip() + "\n" for line in lines) + " */\n"


if __name__ == "__main__":
    write()
