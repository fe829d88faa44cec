"""The built-in performer: small procedural clips with ground truth, so that everything runs without a download.

>>> from kinegraph import samples
>>> walk = samples.make("walk")
>>> walk.motion
Motion('walk', 257 frames at 60/s, 24 joints)
"""

from typing import TYPE_CHECKING

from kinegraph import lazy

if TYPE_CHECKING:
    from kinegraph.samples.body import skeleton as skeleton
    from kinegraph.samples.library import all_samples as all_samples
    from kinegraph.samples.library import make as make
    from kinegraph.samples.library import names as names
    from kinegraph.samples.sample import Sample as Sample

__getattr__, __dir__, __all__ = lazy.attach(__name__)
