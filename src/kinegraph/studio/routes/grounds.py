"""Grounds as heights, for drawing them before anybody walks there."""

from __future__ import annotations

from typing import Annotated

import numpy as np
from fastapi import APIRouter, Query, Request
from fastapi.responses import Response

from kinegraph.paths.ground import ground
from kinegraph.studio import pack, problems

router = APIRouter(prefix="/api", tags=["paths"], responses=problems.DOCUMENTED)

NAMED = r"^[a-z]{1,20}:[-+0-9.,% ]*$"
"""A ground by name and numbers: the name of a file is none."""

Text = Annotated[str, Query(max_length=100, pattern=NAMED, examples=["waves:0.4,5"])]
Metres = Annotated[float, Query(ge=-10_000, le=10_000, allow_inf_nan=False)]
Step = Annotated[float, Query(ge=0.01, le=100, allow_inf_nan=False, description="Metres between two places")]
Count = Annotated[int, Query(ge=1, le=400)]


@router.get("/ground", response_class=pack.PackResponse, responses=pack.DOCUMENTED)
async def heights(
    text: Text, x0: Metres, z0: Metres, step: Step, rows: Count, columns: Count, request: Request
) -> Response:
    """A ground such as ``hill:1,6`` as heights on a grid: row r, column c is at x0 + c·step, z0 + r·step. A pack."""
    return pack.PackResponse(await request.app.state.reading.run(_packed, text, x0, z0, step, rows, columns))


def _packed(text: str, x0: float, z0: float, step: float, rows: int, columns: int) -> bytes:
    x, z = np.meshgrid(x0 + step * np.arange(columns), z0 + step * np.arange(rows))
    facts = {"kind": "ground", "x0": x0, "z0": z0, "step": step, "rows": rows, "columns": columns}
    return pack.pack(facts, {"heights": ground(text)(np.stack([x, z], axis=-1)).astype(np.float32)})
