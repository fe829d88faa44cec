"""`Compare`: how alike two clips are at every pair of moments."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from os import PathLike
from pathlib import Path as FilePath
from typing import TYPE_CHECKING, Any

import numpy as np

from kinegraph.errors import FormatError, GraphError
from kinegraph.motion.clip import Motion
from kinegraph.tasks.task import Task, register
from kinegraph.watch import Watcher
from kinegraph.wishes import check, wish

if TYPE_CHECKING:
    from kinegraph.similarity.maps import DistanceMap


@register
@dataclass(frozen=True)
class Compare(Task):
    """Compare all windows of two clips, or of one with itself, once the one window is laid on the other.

    >>> import kinegraph as kg
    >>> walk, run = (kg.samples.make(name).motion for name in ("walk", "run"))
    >>> found = Compare(fps=20).run([walk, run])
    >>> found.names, found.to_dict()["smallest_cm"] > 5
    (('walk', 'run'), True)
    """

    name = "compare"
    command = "distance"
    source = "clips"
    summary = "Draw the distances of all windows of A and B as a map with its local minima: where one could go over into the other."

    window: float | None = wish(
        "Seconds that are compared.",
        default=None,
        unit="s",
        above=0.0,
        usual="0.333, and less where a clip is short or runs",
    )
    fps: float = wish("Frames per second at which the clips are compared.", default=30.0, unit="frames/s")
    threshold: float | None = wish(
        "Mark minima up to this many cm apart from the others.",
        default=None,
        unit="cm",
        form="centimetres",
        metavar="CM",
    )
    along: int = wish("Points on each bone between its joints.", default=0, least=0, most=100)

    def __post_init__(self) -> None:
        if self.window is not None and not 0 < self.window < float("inf"):
            raise GraphError(f"window: expected seconds, such as 0.333, got {self.window:g}")
        check(self, GraphError)

    def run(self, source: Sequence[Motion], watch: Watcher = None) -> Compared:  # type: ignore[override]
        """The distances of two clips, or of one from itself."""
        from kinegraph.similarity.maps import alike, distance_map, window_of

        pair = alike(source, self.fps)
        made = distance_map(pair.motions, window_of(pair.motions, self.window), sound=pair.sound, along=self.along)
        lost = f"{100 * made.blank:.1f} % of the map is blank: the capture lost a joint there (see info)"
        names = (source[0].name, source[-1].name)
        return Compared(made, names, self.fps, self.threshold, (*pair.notices, *([lost] if made.blank else [])))


@dataclass(frozen=True, eq=False)
class Compared:
    """The distances of two clips, and their names."""

    map: DistanceMap
    names: tuple[str, str]
    fps: float
    threshold: float | None = None
    """Metres: minima up to it are marked apart from the others."""
    notices: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """The minima, the best first, ready for JSON."""
        minima = self.map.minima
        found = [self._minimum(n) for n in np.argsort(minima.cost, kind="stable").tolist()]
        return {
            "a": self.names[0],
            "b": self.names[1],
            "fps": self.fps,
            "window": minima.window,
            "frames": [size + minima.window - 1 for size in self.map.centimetres.shape],
            "smallest_cm": found[0]["cost_cm"] if found else None,
            "minima": found,
            "threshold_cm": None if self.threshold is None else 100 * self.threshold,
        }

    def save(self, file: str | PathLike[str]) -> None:
        """Write a picture (.png, .svg, .pdf), or the arrays (.npz)."""
        check_target(file)
        made, minima = self.map.centimetres, self.map.minima
        if FilePath(file).suffix.lower() != ".npz":
            from kinegraph.plots.distance import distance_picture

            limit = None if self.threshold is None else 100 * self.threshold
            distance_picture(made, minima, names=self.names, fps=self.fps, threshold_cm=limit, path=FilePath(file))
            return
        from kinegraph.formats.atomic import replacing

        arrays: Mapping[str, Any] = {"first": minima.first, "second": minima.second, "cost_cm": 100 * minima.cost}
        with replacing(file) as temporary:
            np.savez_compressed(
                temporary, matrix_cm=made, **arrays, fps=self.fps, window=minima.window, names=np.array(self.names)
            )

    def _minimum(self, n: int) -> dict[str, Any]:
        first, second, cost = (
            values[n].item() for values in (self.map.minima.first, self.map.minima.second, self.map.minima.cost)
        )
        return {
            "frame_a": first,
            "frame_b": second,
            "second_a": round(first / self.fps, 6),
            "second_b": round(second / self.fps, 6),
            "cost_cm": round(100 * cost, 4),
        }


def check_target(file: str | PathLike[str]) -> None:
    """Refuse a file that is neither a picture nor arrays."""
    from kinegraph.plots import canvas

    if FilePath(file).suffix.lower() not in (*canvas.SUFFIXES, ".npz"):
        raise FormatError(f"expected a file that ends in {', '.join(canvas.SUFFIXES)} or .npz", file)
