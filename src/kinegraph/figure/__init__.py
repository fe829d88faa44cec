"""A body for a skeleton: a mesh that moves with its joints, so that a motion is seen as a person wherever it is taken."""
