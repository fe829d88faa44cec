"""What a motion is: rotations, skeletons, body roles, the `Motion` itself and what can be done with one.

>>> import kinegraph as kg
>>> walk = kg.samples.make("walk").motion
>>> kg.mirror(walk.resample(30)).speed().mean().round(2).item()    # metres per second
1.25
"""

from typing import TYPE_CHECKING

from kinegraph import lazy

if TYPE_CHECKING:
    from kinegraph.motion.clip import Motion as Motion
    from kinegraph.motion.clip import concatenate as concatenate
    from kinegraph.motion.describing import describe as describe
    from kinegraph.motion.floor import FloorTransform as FloorTransform
    from kinegraph.motion.mirroring import mirror as mirror
    from kinegraph.motion.retargeting import retarget as retarget
    from kinegraph.motion.skeleton import Skeleton as Skeleton

__getattr__, __dir__, __all__ = lazy.attach(__name__)
