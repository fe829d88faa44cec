"""From a walk to a motion: edges laid one after another, transitions blended.

>>> from kinegraph import blending
>>> blending.scheme("cubic").name
'cubic'
"""

from kinegraph.blending.performance import Performance, PlayedTransition
from kinegraph.blending.play import play
from kinegraph.blending.schemes import SCHEMES, Scheme, Stretch, scheme

__all__ = ["SCHEMES", "Performance", "PlayedTransition", "Scheme", "Stretch", "play", "scheme"]
