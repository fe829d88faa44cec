"""The skin of a character's feet against the floor: what of it is lowest, and how far the ankle must go for it to lie on the floor."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from kinegraph.arrays import Array, Bools, Indices
from kinegraph.characters.character import Character
from kinegraph.characters.core import Core, foot_joints
from kinegraph.characters.following import bending
from kinegraph.characters.ground import GroundUnder
from kinegraph.characters.hands import owners
from kinegraph.characters.points import NONE, SkinPoints
from kinegraph.characters.skating import BEARS, STATURE
from kinegraph.feet.bridge import Bridges
from kinegraph.feet.legs import Lowering, Reached, reach
from kinegraph.feet.targets import Target
from kinegraph.motion import Motion, rotation
from kinegraph.motion.body import SIDES
from kinegraph.motion.spans import spans

# Directions from below in which a foot's outermost points are looked for; feet with fewer points are looked at as a whole.
_DIRECTIONS, _FEW = 50, 100
# Metres of a body of 1.75 m: how deep a foot in the air may touch the floor before it is lifted.
_TOUCH = 0.001
# How straight a leg may become for the sake of a foot that stands, in leg lengths.
_STRAIGHT = 0.995
# How often feet are moved, and how often at most where they are still far off then, as feet are whose skin follows the shin.
_ROUNDS, _MOST = 3, 8
# Metres of a body of 1.75 m that are not worth it, and those that are far off; the share of a move that at least is left to do after it.
_NOTHING, _FAR, _LEFT = 0.00002, 0.0001, 0.3
# How much further from the ground than what bears a point may be to be looked at: between directions others are lowest.
_BETWEEN = 2.0
# Metres of such a body that a foot may be off before it is told.
_SEEN = 0.002


@dataclass(frozen=True, eq=False)
class FootSkin:
    """The outermost points of one foot; joints are those of the core."""

    points: SkinPoints
    counts: Array
    """``(P,)``: how many vertices each point is; meshes have several in a place, where materials or normals change."""
    size: float = 1.0
    """How large the character is, against a body of 1.75 m."""
    rigid: bool = True
    """Whether all of it follows the foot alone."""

    def seen(self, motion: Motion, ankle: int, ground: GroundUnder) -> tuple[Array, Array]:
        """Where ``(F, P, 3)`` the points are, seen from the ankle, and how far over the ground ``(F, P)``."""
        rest = motion.skeleton.rest + motion.skeleton.offsets[0]
        foot = motion.positions[:, ankle, None]
        # so near to it half the digits are plenty, and take half the time
        near = (motion.positions - foot).astype(np.float32)
        posed = self.points.posed(rest, near, motion.orientations)
        over = posed[..., 1] + foot[..., 1]
        if not ground.level:
            over = over - ground.heights(posed[..., [0, 2]] + foot[..., [0, 2]])
        return posed, over


@lru_cache(maxsize=4)
def of(character: Character, core: Core) -> tuple[FootSkin, FootSkin]:
    """The skin of the left and of the right foot."""
    left, right = (_foot(character, core, column) for column in range(2))
    return left, right


def _foot(character: Character, core: Core, column: int) -> FootSkin:
    side, points = SIDES[column], character.points
    if not len(points):
        return FootSkin(NONE, np.zeros(0))
    below = foot_joints(character, side)
    held = points.some(points.shares(below) > 0.5)
    if not len(held):
        return FootSkin(NONE, np.zeros(0))
    # each joint moves with the next one above it that the core has; all feet that do not hang on their legs hang on their ankle
    follows = owners(character, core)
    follows[below] = np.where(follows[below] < 0, core.skeleton.joint(f"{side}_ankle"), follows[below])
    at = follows[held.joints]
    weights = np.where(at >= 0, held.weights, 0.0)
    weights /= weights.sum(axis=1, keepdims=True)
    # what bends along with the trunk goes with the joints above and below it, by how far between them it is
    share, upper = np.zeros(len(follows)), follows.copy()
    index = {joint: core.skeleton.index(role) for role, joint in core.joints.items()}
    for joint, _, end, part in bending(character, core):
        share[joint], upper[joint] = part, index[end]
    apart = share[held.joints]
    at = np.hstack([at, upper[held.joints]])
    weights = np.hstack([weights * (1.0 - apart), weights * apart])
    toe = core.joints.get(f"{side}_toe")
    toes = np.zeros(len(held)) if toe is None else held.shares([toe, *character.skeleton.below(toe)])
    size = character.height / STATURE
    chosen = _outermost(held.places, toes > 0.5, _BETWEEN * BEARS * size)
    kept = SkinPoints(held.places[chosen], np.maximum(at, 0)[chosen], weights[chosen])
    first, counts = _distinct(kept)
    kept = kept.some(first)
    foot = [core.skeleton.joint(f"{side}_{part}") for part in ("ankle", "toe")]
    return FootSkin(kept, counts, size, bool((kept.shares(foot) > 0.999).all()))


def _distinct(points: SkinPoints) -> tuple[Indices, Array]:
    """The first of all points that move as one, and how many each stands for."""
    parts = (points.places, points.joints * (points.weights > 0), points.weights)
    _, first, counts = np.unique(np.round(np.hstack(parts), 6), axis=0, return_index=True, return_counts=True)
    return first, counts.astype(np.float64)


def _outermost(places: Array, toes: Bools, near: float) -> Indices:
    """Indices of points that may be the lowest, or ``near`` it, however a foot is turned; foot and toes each by themselves."""
    if len(places) <= _FEW:
        return np.arange(len(places))
    # an even spread over the lower half of a sphere
    number = np.arange(_DIRECTIONS)
    down = -(number + 0.5) / _DIRECTIONS
    around = number * np.pi * (3.0 - np.sqrt(5.0))
    flat = np.sqrt(1.0 - down**2)
    ways = np.stack([flat * np.cos(around), down, flat * np.sin(around)], axis=1)
    ways[-1] = 0.0, -1.0, 0.0
    found = []
    for part in (toes, ~toes):
        if part.any():
            far = places[part] @ ways.T
            found.append(np.flatnonzero(part)[(far > far.max(axis=0) - near).any(axis=1)])
    return np.concatenate(found)


def gripped(
    motion: Motion, core: Core, skins: tuple[FootSkin, FootSkin], stands: Bools, ground: GroundUnder
) -> tuple[Motion, Bools, list[str]]:
    """The motion of a core whose feet stand by their skin when they ``stand (F, 2)``: the lowest of it lies on the ground, and what of it
    bears stays where it is, whatever the foot rolls over or turns about. None of it sinks in while a foot is in the air. And when
    ``(F, 2)`` they really stand, which they do as far as legs reach; where they do not, it is told.

    Feet keep how they are turned; only their ankles are moved, and the legs follow.
    """
    if not any(len(skin.points) for skin in skins):
        return motion, stands, []
    missed = np.zeros(stands.shape)
    known = stands & np.array([len(skin.points) > 0 for skin in skins])
    bridges = Bridges(known, motion.fps)
    # skin that also follows the shin, and ground that slopes, are elsewhere once the foot is moved: the next time sets that right
    rounds = _ROUNDS if not ground.level else _ROUNDS - 1
    size = max(skin.size for skin in skins)
    before = np.inf
    for done in range(1, _MOST + 1):
        moved = _asked(motion, core, skins, known, bridges, ground)
        far = float(np.abs(moved).max(initial=0.0))
        if far < _NOTHING * size:
            break
        reached = _reached(motion, core, moved, known)
        missed = reached.missed
        motion = replace(motion, root=reached.root, rotations=reached.rotations)
        # what is left shrinks each time by about as much as the time before
        if (done >= rounds and far * max(far / before, _LEFT) < _FAR * size) or (
            ground.level and all(skin.rigid for skin in skins)
        ):
            break
        before = far
    return motion, stands & (missed <= _SEEN * size), _told(missed, skins, motion.fps)


def _told(missed: Array, skins: tuple[FootSkin, FootSkin], fps: float) -> list[str]:
    """What to say of feet that stand elsewhere than they should by ``missed (F, 2)``: their skin slides, or is off the ground."""
    size = max(skin.size for skin in skins)
    if not (missed > _SEEN * size).any():
        return []
    frame, column = np.unravel_index(int(missed.argmax()), missed.shape)
    return [
        f"legs do not reach where the source's feet stood: the {SIDES[column]} foot slides, or leaves the ground, by "
        f"{1000.0 * missed.max():.0f} mm at {frame / fps:.2f} s, as the source's did not"
    ]


def _asked(
    motion: Motion, core: Core, skins: tuple[FootSkin, FootSkin], known: Bools, bridges: Bridges, ground: GroundUnder
) -> Array:
    """How far ``(F, 2, 3)`` the feet have to be moved so that they stand by their skin."""
    asked, over = np.zeros((len(motion), 2, 3)), np.zeros((len(motion), 2))
    size = max(skin.size for skin in skins)
    for column, skin in enumerate(skins):
        if len(skin.points):
            ankle = core.soles[column].ankle
            posed, high = skin.seen(motion, ankle, ground)
            way = motion.positions[:, ankle]
            asked[:, column] = _held(posed, way, high, known[:, column], BEARS * size, skin.counts)
            over[:, column] = high.min(axis=1)
    moved = bridges.over(asked)
    # in the air a foot is only kept from sinking
    moved[..., 1] += np.where(known, 0.0, np.maximum(-over - moved[..., 1] - _TOUCH * size, 0.0))
    return moved


def _reached(motion: Motion, core: Core, moved: Array, known: Bools) -> Reached:
    """The legs with feet that are ``moved (F, 2, 3)``."""
    ankles = motion.positions[:, [sole.ankle for sole in core.soles]]
    still = np.tile(rotation.IDENTITY, (len(motion), 1))
    led = [
        (sole, Target(ankles[:, column] + moved[:, column], still, still, known[:, column]))
        for column, sole in enumerate(core.soles)
    ]
    return reach(motion, led, 0.0, None, Lowering(straight=_STRAIGHT), level=False)


def _held(posed: Array, ankle: Array, over: Array, stands: Bools, bears: float, counts: Array) -> Array:
    """How far ``(F, 3)`` a foot must be moved for its skin to lie on the ground, and not to slide, while it ``stands (F,)``. posed:
    ``(F, P, 3)``, seen from the ``ankle (F, 3)``.
    """
    lowest = over.min(axis=1)
    # what bears from one frame to the next, of those in which the foot stands
    rows = np.flatnonzero(stands[1:] & stands[:-1])
    near = over - lowest[:, None] < bears
    weights = (near[rows + 1] & near[rows]) * counts
    whole = weights.sum(axis=1)
    weights /= np.maximum(whole, 1.0)[:, None]
    steps = np.zeros((len(posed) - 1, 2))
    for column, axis in enumerate((0, 2)):
        along = posed[..., axis]
        steps[rows, column] = np.einsum("fp,fp->f", weights, along[rows + 1] - along[rows])
        steps[rows, column] += (whole > 0.0) * (ankle[rows + 1, axis] - ankle[rows, axis])
    out = np.zeros((len(posed), 3))
    out[:, 1] = -lowest
    for first, last in spans(stands):
        way = np.concatenate([np.zeros((1, 2)), steps[first : last - 1].cumsum(axis=0)])
        out[first:last, ::2] = way.mean(axis=0) - way
    return out
