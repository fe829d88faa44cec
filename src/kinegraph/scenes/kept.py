"""Which of the labels that a scene asks for its motion bears."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from kinegraph.arrays import Bools
from kinegraph.scenes.asked import BORDER
from kinegraph.scenes.landing import striking

if TYPE_CHECKING:
    from kinegraph.scenes.finish import Directed


@dataclass(frozen=True, eq=False)
class KeptLabels:
    """An interval of a scene in which labels are asked for, frame by frame of the motion."""

    asked: str
    borne: Bools
    """``(N,)``: frames that are as asked."""
    within: Bools
    """``(N,)``: frames of the interval away from its borders, at which nobody strikes."""

    @property
    def lacking(self) -> Bools:
        """``(N,)``: frames that are not as asked, and should be."""
        return np.asarray(self.within & ~self.borne)

    @property
    def share(self) -> float:
        """Of the frames that should be as asked, how many are."""
        return float(self.borne[self.within].mean()) if self.within.any() else 1.0


def kept(done: Directed) -> tuple[KeptLabels, ...]:
    """Of each interval of a scene in which labels are asked for, what the motion gives.

    >>> import kinegraph as kg
    >>> graph = kg.graph.build([kg.samples.make("walk").motion])
    >>> made = kg.direct(graph, {"seconds": 3, "label": [{"name": "walk", "from": 0, "to": 2}]})
    >>> [(one.asked, one.share) for one in kept(made.details)]
    [('walk', 1.0)]
    """
    performance, scene = done.finished.performance, done.plan.scene
    borne = performance.labels([one.asked for one in scene.demands])
    when = np.arange(len(done.finished.motion)) / done.finished.motion.fps
    # while somebody strikes no label is asked for
    other = ~striking(performance, done.plan)
    found = []
    for one in scene.demands:
        first = one.first + (BORDER if one.first > 0 else 0.0)
        last = one.last - (BORDER if one.last < scene.seconds else 0.0)
        within = (when >= first - 1e-9) & (when <= last + 1e-9) & other
        found.append(KeptLabels(one.asked, borne.get(one.asked, np.zeros(len(when), bool)), within))
    return tuple(found)
