"""Repath: a clip's own path to edit, and the clip on another one."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Any

import numpy as np
from fastapi import FastAPI, Query
from pydantic import BaseModel

from kinegraph.motion import Motion
from kinegraph.paths.describing import drawn
from kinegraph.paths.editing import telling
from kinegraph.paths.ground import ground
from kinegraph.player import pack
from kinegraph.studio.results.service import Service
from kinegraph.studio.rooms.repath import fields, repathing
from kinegraph.studio.server.models import Id
from kinegraph.studio.server.pack import PACKED, PackResponse
from kinegraph.studio.server.problems import Invalid
from kinegraph.studio.server.studio import Here, Studio, reading, routes, working
from kinegraph.tasks.answers import Arrays, Facts
from kinegraph.tasks.kinds.repath import Repath
from kinegraph.tasks.made import Made
from kinegraph.tasks.models import GROUND
from kinegraph.watch import Watch

router = routes("repath")

Text = Annotated[str, Query(max_length=150, pattern=GROUND, examples=["waves:0.4,5"])]
Metres = Annotated[float, Query(ge=-10_000, le=10_000, allow_inf_nan=False)]
Step = Annotated[float, Query(ge=0.01, le=100, allow_inf_nan=False, description="Metres between two places")]
Count = Annotated[int, Query(ge=1, le=400)]

# metres of the longest path that is laid while somebody waits
_LONGEST = 1000.0


class DegreeFit(BaseModel):
    """How near a polynomial of some degree comes to a clip's root."""

    degree: int
    rms_cm: float
    max_cm: float


class Near(BaseModel):
    """How far the clip's root strays from its path, with the sway of its steps."""

    rms_cm: float
    max_cm: float


class OwnPath(BaseModel):
    """A clip's own path as a spline. points: along it, for drawing. apart_cm: how far the spline is from the path itself at most."""

    degree: int
    controls: list[list[float]]
    length: float
    points: list[list[float]]
    fit: Near
    apart_cm: float
    degrees: list[DegreeFit]


class RepathService(Service):
    """Clips bent along other paths."""

    room = "repath"
    address = "/clips/{id}/repath"
    asked = "RepathAsked"
    asks = ("repath",)
    source = "clip"

    def check(self, task: Repath) -> None:
        """No path that is too long."""
        length = task.path.length
        if length > _LONGEST:
            raise Invalid(
                f"the path is {length:,.0f} m long: the studio lays {_LONGEST:,.0f} m at most, the command more"
            )

    def named(self, studio: Studio, task: Repath) -> Repath:
        """With the height field that is asked for by its file."""
        return replace(task, ground=fields.found(studio, task.ground))

    def prepared(self, studio: Studio, task: Repath, id: str) -> Repath:
        """The same."""
        return self.named(studio, task)

    def run(self, studio: Studio, task: Repath, origin: Motion, watch: Watch) -> Made:
        """By the editor of the clip, which is kept for the next time."""
        return task.run(studio.editors.of(origin, task.degree, task.fps), watch)

    def drawn(self, path: Any) -> list[list[float]]:
        """Smoothly, and with its heights."""
        return drawn(path)

    def more(self, made: Made, origin: Motion) -> tuple[Facts, Arrays]:
        """The clip's own path, and the ground."""
        own = drawn(made.details.editor.course.curve)
        seams = [{**one.to_dict(), "cost_cm": round(100 * one.cost, 3)} for one in made.transitions]
        ground, heights = telling.ground_grid(made.details.laid)
        return {"own_path": own, "ground": ground, "clips": [origin.name], "transitions": seams}, heights


@router.get("/clips/{id}/path", response_model=OwnPath)
@working
def own_path(
    id: Id,
    studio: Here,
    controls: Annotated[int, Query(ge=4, le=64, description="Control points of the spline")] = telling.HANDY,
) -> Facts:
    """A clip's own path, to be edited and given back to repath."""
    return telling.own(studio.editors.of(studio.workspace.motion(id)), controls)


@router.get("/ground", **PACKED)
@reading
def heights(text: Text, x0: Metres, z0: Metres, step: Step, rows: Count, columns: Count, studio: Here) -> PackResponse:
    """A ground such as ``hill:1,6``, or a height field, as heights on a grid: row r, column c is at x0 + c·step, z0 + r·step. A pack."""
    x, z = np.meshgrid(x0 + step * np.arange(columns), z0 + step * np.arange(rows))
    facts = {"kind": "ground", "x0": x0, "z0": z0, "step": step, "rows": rows, "columns": columns}
    floor = fields.found(studio, text)
    found = (ground(floor) if isinstance(floor, str) else floor)(np.stack([x, z], axis=-1))
    return PackResponse(pack(facts, {"heights": found.astype(np.float32)}))


def register(app: FastAPI, studio: Studio) -> None:
    """Have a place for clips that are made ready, and answer requests for them on other paths."""
    studio.editors = repathing.Editors()
    RepathService().serve(app, studio)
