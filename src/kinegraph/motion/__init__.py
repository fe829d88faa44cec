"""What a motion is: rotations, skeletons, body roles, `Motion` and what can be done to one."""

from typing import TYPE_CHECKING

from kinegraph import lazy

if TYPE_CHECKING:
    from kinegraph.motion.clip import Motion as Motion
    from kinegraph.motion.clip import concatenate as concatenate
    from kinegraph.motion.floor import FloorTransform as FloorTransform
    from kinegraph.motion.mirroring import mirror as mirror
    from kinegraph.motion.retargeting import retarget as retarget
    from kinegraph.motion.skeleton import Skeleton as Skeleton

__getattr__, __dir__, __all__ = lazy.attach(__name__)
