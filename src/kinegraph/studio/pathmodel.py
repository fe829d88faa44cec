"""Paths as requests hold them: a shape's name, points on the floor, or the controls of a spline."""

from __future__ import annotations

from typing import Annotated

import numpy as np
from pydantic import BaseModel, ConfigDict, Field, model_validator

from kinegraph.errors import MotionError
from kinegraph.paths.bspline import Spline
from kinegraph.paths.path import Path
from kinegraph.paths.shapes import shape
from kinegraph.studio.problems import Invalid

MOST_POINTS = 5000
MOST_CONTROLS = 1000

Metres = Annotated[float, Field(ge=-10_000, le=10_000, allow_inf_nan=False)]
Point = Annotated[list[Metres], Field(min_length=2, max_length=3)]


class PathModel(BaseModel):
    """One of: a shape such as ``eight:3``; points [x, z], or with heights [x, y, z]; a spline's controls likewise, with its degree."""

    model_config = ConfigDict(extra="forbid")

    shape: str | None = Field(None, max_length=100, examples=["eight:3"])
    points: list[Point] | None = Field(None, min_length=2, max_length=MOST_POINTS)
    degree: int | None = Field(None, ge=1, le=9)
    controls: list[Point] | None = Field(None, min_length=2, max_length=MOST_CONTROLS)

    @model_validator(mode="after")
    def _one_of_them(self) -> PathModel:
        given = [name for name in ("shape", "points", "controls") if getattr(self, name) is not None]
        if len(given) != 1:
            raise ValueError("a path is one of shape, points or controls (with degree)")
        if self.degree is not None and self.controls is None:
            raise ValueError("a degree goes with controls")
        for place in self.points or self.controls or []:
            if len(place) != len((self.points or self.controls or [])[0]):
                raise ValueError("all points are [x, z], or all are [x, y, z]")
        return self

    def curve(self) -> Path | Spline:
        """The curve that is meant; `Invalid` says why it is none."""
        try:
            if self.shape is not None:
                return shape(self.shape)
            if self.controls is not None:
                return Spline(np.array(self.controls), 3 if self.degree is None else self.degree)
            points = np.array(self.points)
            return Path(points[:, [0, 2]], points[:, 1]) if points.shape[1] == 3 else Path(points)
        except MotionError as error:
            raise Invalid(str(error)) from error

    def path(self) -> Path:
        """The curve as a path; of a spline, the points along it."""
        curve = self.curve()
        try:
            return curve.path() if isinstance(curve, Spline) else curve
        except MotionError as error:
            raise Invalid(str(error)) from error


def sampled(path: Path, most: int = 2000) -> list[list[float]]:
    """At most ``most`` points [x, z] along a path, its ends among them, for drawing."""
    points = path.points
    if len(points) > most:
        points = path.at(np.linspace(0.0, path.length, most))
    thinned: list[list[float]] = np.round(points, 4).tolist()
    return thinned
