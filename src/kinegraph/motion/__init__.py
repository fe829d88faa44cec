"""What a motion is: rotations, skeletons, body roles, `Motion` and what can be done to one."""

from kinegraph.motion.clip import Motion, concatenate
from kinegraph.motion.floor import FloorTransform
from kinegraph.motion.mirror import mirror
from kinegraph.motion.retarget import retarget
from kinegraph.motion.skeleton import Skeleton

__all__ = ["FloorTransform", "Motion", "Skeleton", "concatenate", "mirror", "retarget"]
