"""How similar two clips are, at every pair of moments: point clouds, aligned distance, local minima.

>>> import kinegraph as kg
>>> walk, run = (kg.samples.make(name).motion.resample(30) for name in ("walk", "run"))
>>> kg.similarity.distance_map([walk, run], window=10).centimetres.min().round().item()    # where a walk looks most like a run
14.0
"""

from typing import TYPE_CHECKING

from kinegraph import lazy

if TYPE_CHECKING:
    from kinegraph.similarity.maps import DistanceMap as DistanceMap
    from kinegraph.similarity.maps import distance_map as distance_map

__getattr__, __dir__, __all__ = lazy.attach(__name__)
