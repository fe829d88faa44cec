"""From a walk to a motion: edges laid one after another, transitions blended.

>>> from kinegraph import blending
>>> blending.scheme("cubic").name
'cubic'
"""

from typing import TYPE_CHECKING

from kinegraph import lazy

if TYPE_CHECKING:
    from kinegraph.blending.performance import Performance as Performance
    from kinegraph.blending.performance import PlayedTransition as PlayedTransition
    from kinegraph.blending.playing import play as play
    from kinegraph.blending.schemes import SCHEMES as SCHEMES
    from kinegraph.blending.schemes import blends as blends
    from kinegraph.blending.schemes import scheme as scheme
    from kinegraph.blending.stretch import Scheme as Scheme
    from kinegraph.blending.stretch import Stretch as Stretch

__getattr__, __dir__, __all__ = lazy.attach(__name__)
