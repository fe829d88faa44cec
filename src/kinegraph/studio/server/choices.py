"""Words of a request that must be one of some names."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Annotated, Any

from pydantic import GetCoreSchemaHandler, GetJsonSchemaHandler
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema, PydanticKnownError, core_schema

from kinegraph.blending.named import blends


class OneOf:
    """Of a text that it is one of some names. They are asked for when they are needed, since more may be added."""

    def __init__(self, names: Callable[[], Iterable[str]]):
        self._names = names

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        return core_schema.no_info_after_validator_function(self._checked, handler(source))

    def __get_pydantic_json_schema__(self, schema: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        return {**handler(schema), "enum": list(self._names())}

    def _checked(self, text: str) -> str:
        *names, last = self._names()
        if text not in (*names, last):
            # as pydantic says it of a Literal
            raise PydanticKnownError("literal_error", {"expected": f"{', '.join(map(repr, names))} or {last!r}"})
        return text


Blend = Annotated[str, OneOf(blends)]
