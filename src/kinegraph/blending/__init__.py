"""From a walk to a motion: edges laid one after another, transitions blended.

>>> from kinegraph import blending
>>> blending.blend("cubic").name
'cubic'
"""

from typing import TYPE_CHECKING

from kinegraph import lazy

if TYPE_CHECKING:
    from kinegraph.blending.named import BLENDS as BLENDS
    from kinegraph.blending.named import BlendKind as BlendKind
    from kinegraph.blending.named import blend as blend
    from kinegraph.blending.named import blends as blends
    from kinegraph.blending.named import register as register
    from kinegraph.blending.performance import Performance as Performance
    from kinegraph.blending.performance import PlayedTransition as PlayedTransition
    from kinegraph.blending.playing import play as play
    from kinegraph.blending.stretch import Blend as Blend
    from kinegraph.blending.stretch import Stretch as Stretch

__getattr__, __dir__, __all__ = lazy.attach(__name__)
