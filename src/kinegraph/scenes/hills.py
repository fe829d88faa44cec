"""A scene's motion on ground that rises and falls: what was made for a flat floor is lifted, and its footsteps are laid on the ground."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from kinegraph.arrays import Array
from kinegraph.errors import GraphError, KinegraphError
from kinegraph.feet import knees
from kinegraph.feet.cleanup import STRETCH
from kinegraph.feet.plants import as_contacts, footing
from kinegraph.motion.clip import Motion
from kinegraph.paths.editing.hills import HeightAt, Terrain
from kinegraph.paths.editing.holding import hold
from kinegraph.paths.editing.steps import on_ground
from kinegraph.paths.ground import ground as read_ground
from kinegraph.paths.moving import SWAY
from kinegraph.paths.path import Path
from kinegraph.paths.smoothing import smoothed
from kinegraph.walks.performing import Finished

# seconds over which the body's rise and fall is evened out: it does not follow every dip
_EVEN = 0.12
# metres that a way is long at least
_SHORT = 0.01


def ground_of(text: str) -> HeightAt:
    """The ground that a scene names."""
    try:
        return read_ground(text)
    except KinegraphError as error:
        raise GraphError(f"ground: {error}") from None


def on_hills(done: Finished, ground: HeightAt, *, stretch: float = STRETCH) -> Finished:
    """What was finished on a flat floor, on the ground. Places and headings stay as they are; feet stand on the slope, tilted with it."""
    flat = done.motion
    terrain = Terrain(_way(flat), ground)
    heights = np.asarray(ground(smoothed(flat.root[:, [0, 2]], SWAY * flat.fps)))
    body = replace(flat, root=flat.root + smoothed(heights[:, None], _EVEN * flat.fps) * [0.0, 1.0, 0.0])
    if done.feet is None:
        return replace(done, motion=body)
    feet = footing(flat, done.contacts)
    feet = replace(feet, plants=on_ground(done.feet.plants, terrain, np.zeros(len(flat))))
    limit = float(knees.speed(flat).max())
    held = hold(body, feet, limit, stretch=stretch, floor=lambda points: np.asarray(ground(points)), steps=None)
    report = replace(done.feet, plants=held.feet.plants, missed=float(held.reached.missed.max(initial=0.0)))
    return replace(done, motion=held.motion, contacts=as_contacts(held.feet.plants, len(flat)), feet=report)


def _way(motion: Motion) -> Path:
    """Where somebody goes, for `Terrain` to see how steep that is."""
    points: Array = motion.root[:, [0, 2]]
    # who stands goes nowhere, and a path goes somewhere
    return Path(np.vstack([points, points[-1] + [0.0, _SHORT]]))
