"""Grounds as heights, for drawing them before anybody walks there."""

from __future__ import annotations

from typing import Annotated

import numpy as np
from fastapi import Query

from kinegraph.paths.ground import ground
from kinegraph.player import pack
from kinegraph.studio.server.pack import PACKED, PackResponse
from kinegraph.studio.server.studio import Here, reading, routes
from kinegraph.tasks.models import NAMED_GROUND

router = routes("paths")

Text = Annotated[str, Query(max_length=100, pattern=NAMED_GROUND, examples=["waves:0.4,5"])]
Metres = Annotated[float, Query(ge=-10_000, le=10_000, allow_inf_nan=False)]
Step = Annotated[float, Query(ge=0.01, le=100, allow_inf_nan=False, description="Metres between two places")]
Count = Annotated[int, Query(ge=1, le=400)]


@router.get("/ground", **PACKED)
@reading
def heights(text: Text, x0: Metres, z0: Metres, step: Step, rows: Count, columns: Count, studio: Here) -> PackResponse:
    """A ground such as ``hill:1,6`` as heights on a grid: row r, column c is at x0 + c·step, z0 + r·step. A pack."""
    x, z = np.meshgrid(x0 + step * np.arange(columns), z0 + step * np.arange(rows))
    facts = {"kind": "ground", "x0": x0, "z0": z0, "step": step, "rows": rows, "columns": columns}
    found = ground(text)(np.stack([x, z], axis=-1))
    return PackResponse(pack(facts, {"heights": found.astype(np.float32)}))
