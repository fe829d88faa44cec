"""How alike two clips are, at every pair of moments: point clouds, aligned distance, local minima."""

from typing import TYPE_CHECKING

from kinegraph import lazy

if TYPE_CHECKING:
    from kinegraph.similarity.maps import DistanceMap as DistanceMap
    from kinegraph.similarity.maps import distance_map as distance_map

__getattr__, __dir__, __all__ = lazy.attach(__name__)
