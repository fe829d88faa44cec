"""Examples as a `.mog` file stores them: rounded to float32, so that a space gives the same bytes before and after it is saved."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from kinegraph.graph.rounding import rounded_all
from kinegraph.motion.clip import Motion
from kinegraph.strikes.examples import Examples


def rounded(examples: Examples) -> Examples:
    """The examples as they come back from a file. Doing it twice changes no bit. Positions change by less than a micrometre."""
    body, fps = examples.skeleton, examples.fps
    motions = rounded_all([Motion(body, *poses, fps) for poses in zip(examples.root, examples.rotations, strict=True)])
    rotations = np.stack([motion.rotations for motion in motions])
    # a motion's quaternions have the signs that make them continuous in time; here those of one joint agree between the strikes
    turned = np.einsum("ntji,ntji->ntj", rotations, examples.rotations) < 0
    return replace(
        examples,
        # a zero has no sign in SQLite
        skeleton=replace(body, offsets=body.offsets + 0.0, tip_offsets=body.tip_offsets + 0.0),
        root=np.stack([motion.root for motion in motions]),
        rotations=np.where(turned[..., None], -rotations, rotations),
    )
