"""A body at one moment as a few lines, to show where it stands in a plot."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

import numpy as np

from kinegraph.motion import Motion
from kinegraph.plots import canvas

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_BODY = "#b9bfc8"


def draw_bones(axes: Axes, motion: Motion, across: int, up: int, strong: Collection[int] = ()) -> None:
    """Draw the bones of a motion's first frame, dark between joints that are ``strong``.

    across, up: which of its coordinates are drawn to the right and upwards.
    """
    lines = canvas.matplotlib_part("collections").LineCollection
    skeleton = motion.skeleton
    parents = np.array(skeleton.parents)
    joints = np.flatnonzero(parents >= 0)
    begins = motion.positions[0, np.concatenate([parents[joints], skeleton.tip_parents])]
    ends = np.concatenate([motion.positions[0, joints], motion.tips[0]])
    bones = np.stack([begins, ends], axis=1)[..., [across, up]]
    dark = np.zeros(len(bones), np.bool_)
    dark[: len(joints)] = np.isin(joints, list(strong)) & np.isin(parents[joints], list(strong))
    for which, colour, width in ((~dark, _BODY, 2.2), (dark, canvas.INK, 2.6)):
        axes.add_collection(lines(bones[which], colors=colour, linewidths=width, capstyle="round", zorder=1))
