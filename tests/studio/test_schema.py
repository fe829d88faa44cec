"""The page's types are those of the server."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest

SCHEMA = runpy.run_path(str(Path(__file__).parents[2] / "web" / "schema.py"))


def test_the_committed_types_are_current() -> None:
    told = SCHEMA["typescript"](SCHEMA["described"]())
    current = SCHEMA["TARGET"].read_text("utf-8")
    assert told == current, "web/src/api/schema.ts is not what the server tells: run `make web` and commit it"


@pytest.mark.parametrize(
    ("schema", "written"),
    [
        ({}, "unknown"),
        ({"type": "integer", "minimum": 3}, "number"),
        ({"$ref": "#/components/schemas/Clip"}, "Clip"),
        ({"enum": ["left", "right"], "type": "string"}, '"left" | "right"'),
        ({"const": True}, "true"),
        ({"anyOf": [{"type": "number"}, {"type": "integer"}, {"type": "null"}]}, "number | null"),
        ({"type": "array", "items": {"type": "string"}}, "readonly string[]"),
        ({"type": "array", "items": {"enum": ["a", "b"]}}, 'readonly ("a" | "b")[]'),
        ({"type": "array", "items": {"type": "array", "items": {"type": "number"}}}, "readonly (readonly number[])[]"),
        ({"type": "array", "prefixItems": [{"type": "number"}, {"type": "string"}]}, "readonly [number, string]"),
        ({"type": "object", "additionalProperties": True}, "Readonly<Record<string, unknown>>"),
        ({"type": "object", "additionalProperties": {"type": "number"}}, "Readonly<Record<string, number>>"),
    ],
)
def test_types(schema: dict[str, object], written: str) -> None:
    assert f"export type One = {written};\n" in SCHEMA["typescript"]({"components": {"schemas": {"One": schema}}})


def test_an_object() -> None:
    schema = {
        "description": "A label.\n\nfrom: where it begins */",
        "properties": {"from": {"type": "number"}, "a-b": {"type": "string", "description": "Its name"}},
        "required": ["from"],
        "type": "object",
    }
    written = SCHEMA["typescript"]({"components": {"schemas": {"One": schema}}})
    assert written.endswith(
        """
/**
 * A label.
 *
 * from: where it begins * /
 */
export interface One {
  readonly from: number;
  /** Its name */
  readonly "a-b"?: string;
}
"""
    )
