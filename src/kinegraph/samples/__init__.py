"""The built-in performer: small procedural clips with ground truth, so that everything runs with no download.

>>> from kinegraph import samples
>>> walk = samples.make("walk")
>>> walk.motion
Motion('walk', 257 frames at 60/s, 24 joints)
"""

from kinegraph.samples.library import all_samples, make, names
from kinegraph.samples.sample import Sample
from kinegraph.samples.skeleton import skeleton

__all__ = ["Sample", "all_samples", "make", "names", "skeleton"]
