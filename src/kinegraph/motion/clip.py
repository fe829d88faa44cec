"""`Motion`: what a clip is once it has been read. A frozen value over arrays."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from kinegraph.arrays import Array, Singles, frozen_array
from kinegraph.errors import MotionError
from kinegraph.frozen import Frozen
from kinegraph.motion import display, kinematics, rotation
from kinegraph.motion.floor import FloorTransform
from kinegraph.motion.skeleton import Skeleton
from kinegraph.shelf import OnShelf, Shelf, laid_aside

# Rotations further than this from unit length are a mistake, not rounding.
UNIT_TOLERANCE = 1e-2

# Frames per second beyond which a slip of the pen is likelier than a wish: no camera is as fast.
_FASTEST = 10_000
# More frames than this fill the memory of any machine.
_MOST_FRAMES = 100_000_000
# A frame that lasts longer than some days is a mistake.
_SLOWEST = 1e-6


@dataclass(frozen=True, eq=False)
class Motion(Frozen):
    """A skeleton moving: metres, seconds, Y up, floor at y = 0.

    >>> import kinegraph as kg
    >>> walk = kg.samples.make("walk").motion
    >>> walk.resample(30)[10:80]
    Motion('walk', 70 frames at 30/s, 24 joints)
    >>> walk.position("left_knee").shape
    (257, 3)
    """

    skeleton: Skeleton
    root: Array
    """``(F, 3)``: position of joint 0."""
    rotations: Array
    """``(F, J, 4)``: w x y z, local to the parent; made unit length and continuous in time."""
    fps: float
    """Frames per second."""
    translations: Array | None = None
    """``(F, J, 3)``, for the rare skeleton whose bones change length: these replace its offsets. The root's row is not used."""
    name: str = ""
    notices: tuple[str, ...] = ()
    """What the reader assumed or repaired, for people."""

    def __post_init__(self) -> None:
        put = object.__setattr__
        root = np.asarray(self.root, dtype=np.float64)
        rotations = np.asarray(self.rotations, dtype=np.float64)
        joints = len(self.skeleton)
        if root.ndim != 2 or root.shape[1] != 3 or rotations.shape != (len(root), joints, 4):
            raise MotionError(
                f"a motion of {joints} joints needs root (F, 3) and rotations (F, {joints}, 4); got {root.shape} and {rotations.shape}"
            )
        if len(root) == 0:
            raise MotionError("a motion needs at least one frame")
        if not (np.isfinite(self.fps) and self.fps >= _SLOWEST):
            raise MotionError(f"frames per second must be positive (and at least {_SLOWEST:g}), got {self.fps}")
        if self.translations is not None and np.shape(self.translations) != (len(root), joints, 3):
            raise MotionError(f"translations must be {(len(root), joints, 3)}, got {np.shape(self.translations)}")
        for what, values in (("root", root), ("rotations", rotations), ("translations", self.translations)):
            if values is not None and not np.isfinite(values).all():
                frame = int(np.argwhere(~np.isfinite(values))[0][0])
                raise MotionError(f"{what} holds a value that is not finite, first at frame {frame}")
        squares = np.einsum("fji,fji->fj", rotations, rotations)
        if np.any(np.abs(squares - 1.0) > UNIT_TOLERANCE):
            frame, joint = np.argwhere(np.abs(squares - 1.0) > UNIT_TOLERANCE)[0]
            raise MotionError(f"rotation of joint {joint} at frame {frame} is not a unit quaternion")
        put(self, "root", frozen_array(root))
        put(self, "rotations", frozen_array(rotation.unroll(rotation.unit(rotations))))
        put(self, "fps", float(self.fps))
        if self.translations is not None:
            put(self, "translations", frozen_array(self.translations))

    def __len__(self) -> int:
        return len(self.root)

    def __repr__(self) -> str:
        return f"Motion({self.name!r}, {len(self)} frames at {self.fps:g}/s, {len(self.skeleton)} joints)"

    def _repr_html_(self) -> str | None:
        # what notebooks show: a player
        return display.html(self)

    @property
    def seconds(self) -> float:
        """How long it plays: every frame is shown for 1/fps seconds."""
        return len(self) / self.fps

    def packed(self) -> Singles | None:
        """``(F, J, 4)``: the rotations of a motion that lies in a file, just as they lie there; None for any other.

        They are of unit length to single precision, and not yet continuous: for whoever poses many clips once and holds none.
        """
        return None

    # -- where everything is ------------------------------------------------------------------------------------------

    @cached_property
    def _world(self) -> tuple[Array, Array]:
        positions, orientations = kinematics.forward(self.skeleton, self.root, self.rotations, self.translations)
        for part in (positions, orientations):
            part.setflags(write=False)
        return positions, orientations

    @property
    def positions(self) -> Array:
        """World positions ``(F, J, 3)`` of all joints in metres; computed once."""
        return self._world[0]

    @property
    def orientations(self) -> Array:
        """World orientations ``(F, J, 4)`` of all joints; computed once."""
        return self._world[1]

    @cached_property
    def tips(self) -> Array:
        """World positions ``(F, E, 3)`` of the skeleton's tips."""
        tips: Array = frozen_array(kinematics.tips(self.skeleton, *self._world))
        return tips

    def position(self, role: str) -> Array:
        """World positions ``(F, 3)`` of the joint with a body role."""
        return self.positions[:, self.skeleton.joint(role)]

    # -- which way it goes --------------------------------------------------------------------------------------------

    def facing(self) -> Array:
        """Unit vectors ``(F, 3)`` along the floor: the direction in which the body faces.

        It is at right angles to the line through the hips and, if they are known, the line through the shoulders. This is
        steadier than the orientation of any single joint, and does not depend on how a file chose its joint axes.
        """
        positions, joint = self.positions, self.skeleton.joint
        across = positions[:, joint("left_hip")] - positions[:, joint("right_hip")]
        if self.skeleton.has_roles("left_shoulder", "right_shoulder"):
            across = across + positions[:, joint("left_shoulder")] - positions[:, joint("right_shoulder")]
        forward = np.stack([-across[:, 2], np.zeros(len(self)), across[:, 0]], axis=-1)
        length = np.linalg.norm(forward, axis=-1, keepdims=True)
        # a body that lies on its side has no facing: +Z is as good as any
        return np.where(length > 1e-9, forward / np.where(length > 1e-9, length, 1.0), [0.0, 0.0, 1.0])

    def heading(self) -> Array:
        """Angle ``(F,)`` of `facing` in radians, continuous in time: 0 is +Z, positive turns towards +X."""
        facing = self.facing()
        return np.unwrap(np.arctan2(facing[:, 0], facing[:, 2]))

    def speed(self) -> Array:
        """Speed ``(F,)`` of the root along the floor in metres per second, by central differences."""
        if len(self) < 2:
            return np.zeros(len(self))
        velocity = np.gradient(self.root[:, [0, 2]], axis=0) * self.fps
        speed: Array = np.linalg.norm(velocity, axis=-1)
        return speed

    # -- other motions made from it -----------------------------------------------------------------------------------

    def __getitem__(self, frames: slice) -> Motion:
        """Some of the frames: ``motion[10:40]``, ``motion[::2]`` (the rate follows the step)."""
        if not isinstance(frames, slice):
            raise TypeError("a motion is cut by a slice of frames, such as motion[10:40]")
        start, stop, step = frames.indices(len(self))
        if step < 1:
            raise MotionError("a motion cannot be cut with a step below 1")
        if stop <= start:
            raise MotionError(f"frames {start} to {stop} of {len(self)} leave nothing")
        return replace(
            self,
            root=self.root[frames],
            rotations=self.rotations[frames],
            translations=None if self.translations is None else self.translations[frames],
            fps=self.fps / step,
        )

    def sample(self, times: ArrayLike, fps: float | None = None) -> Motion:
        """The motion at ``times (N,)`` in seconds, positions by lerp and rotations by slerp. Beyond its ends, the end poses hold."""
        at = np.clip(np.asarray(times, dtype=np.float64) * self.fps, 0, len(self) - 1)
        if np.isnan(at).any():
            raise MotionError("a time to sample at is not a number")
        below = np.minimum(at.astype(np.intp), max(len(self) - 2, 0))
        above = np.minimum(below + 1, len(self) - 1)
        part = at - below
        mix = part[:, None]
        translations = self.translations
        if translations is not None:
            translations = translations[below] * (1 - mix[..., None]) + translations[above] * mix[..., None]
        return replace(
            self,
            root=self.root[below] * (1 - mix) + self.root[above] * mix,
            rotations=rotation.slerp(self.rotations[below], self.rotations[above], mix),
            translations=translations,
            fps=self.fps if fps is None else fps,
        )

    def resample(self, fps: float) -> Motion:
        """The same motion at another rate, starting with the same frame; exact if the old rate is a multiple of the new one."""
        if not 0 < fps <= _FASTEST:
            raise MotionError(f"frames per second must be positive and at most {_FASTEST:,}, got {fps:g}")
        if fps == self.fps:
            return self
        step = self.fps / fps
        if abs(step - round(step)) < 1e-9 * step:
            return replace(self[:: round(step)], fps=fps)
        count = self.frames_at(fps)
        if count > _MOST_FRAMES:
            raise MotionError(f"{fps:g} frames/s would make {count:,} frames of this motion: choose a lower rate")
        return self.sample(np.arange(count) / fps, fps)

    def frames_at(self, fps: float) -> int:
        """How many frames `resample` gives."""
        step = self.fps / fps
        if abs(step - round(step)) < 1e-9 * step:
            return -(-len(self) // round(step))
        return int(np.floor((len(self) - 1) * fps / self.fps + 1e-9)) + 1

    def place(self, transform: FloorTransform) -> Motion:
        """Moved as a whole along the floor."""
        rotations = self.rotations.copy()
        rotations[:, 0] = rotation.multiply(transform.rotation, rotations[:, 0])
        return replace(self, root=transform.apply(self.root), rotations=rotations)

    def at_origin(self, frame: int = 0) -> Motion:
        """Placed so that at ``frame`` the root stands over the origin and the body faces +Z."""
        x, _, z = self.root[frame]
        turn = FloorTransform(-float(self[frame : frame + 1 or None].heading()[0]))
        return self.place(turn @ FloorTransform(0.0, -float(x), -float(z)))

    def in_place(self) -> Motion:
        """The motion on the spot: its root stays over where it is in the first frame. Heights and turns are kept."""
        root = self.root.copy()
        root[:, [0, 2]] = root[:1, [0, 2]]
        return replace(self, root=root)

    def rigid(self) -> Motion:
        """The motion with bones of constant length: each joint's mean translation becomes its offset."""
        if self.translations is None:
            return self
        offsets = self.translations.mean(axis=0)
        offsets[0] = self.skeleton.offsets[0]
        return replace(self, skeleton=replace(self.skeleton, offsets=offsets), translations=None)

    def renamed(self, name: str) -> Motion:
        """The same motion under another name."""
        return replace(self, name=name)

    def noting(self, *notices: str) -> Motion:
        """The same motion with further notices."""
        return replace(self, notices=(*self.notices, *notices)) if notices else self


class KeptMotion(OnShelf, Motion):
    """A motion whose numbers lie on a shelf; what is made from it is a motion like others."""

    _plain = Motion

    @classmethod
    def of(cls, motion: Motion, shelf: Shelf) -> KeptMotion:
        """The motion, of which from now on only the shelf holds the numbers."""
        made: KeptMotion = laid_aside(cls, motion, shelf, ("root", "rotations"))
        return made

    @property
    def _world(self) -> tuple[Array, Array]:
        """Worked out whenever it is asked for: kept, it would be larger than the motion itself."""
        return kinematics.forward(self.skeleton, self.root, self.rotations, self.translations)


def pose_together(motions: Sequence[Motion]) -> None:
    """Work out the joint positions of many motions in one go, and keep them: one by one, short clips take several times as long.

    All motions must share one skeleton and have bones of constant length. Those that wait on a disk keep nothing, and are left alone.
    """
    motions = [motion for motion in motions if not isinstance(motion, OnShelf)]
    if not motions:
        return
    lengths = [len(motion) for motion in motions]
    root = np.concatenate([motion.root for motion in motions])
    rotations = np.concatenate([motion.rotations for motion in motions])
    world = kinematics.forward(motions[0].skeleton, root, rotations)
    for part in world:
        part.setflags(write=False)
    ends = np.cumsum(lengths)[:-1]
    for motion, positions, orientations in zip(motions, *(np.split(part, ends) for part in world), strict=True):
        vars(motion)["_world"] = (positions, orientations)


def concatenate(motions: Iterable[Motion]) -> Motion:
    """Several motions one after another, just as they are: nothing is aligned or blended. Skeletons and rates must agree.

    >>> import kinegraph as kg
    >>> walk = kg.samples.make("walk").motion
    >>> kg.concatenate([walk[:60], walk[100:130]])
    Motion('walk', 90 frames at 60/s, 24 joints)
    """
    parts: Sequence[Motion] = list(motions)
    if not parts:
        raise MotionError("nothing to concatenate")
    first = parts[0]
    for part in parts[1:]:
        if part.skeleton != first.skeleton:
            raise MotionError(
                f"{part.name or 'a motion'} has another skeleton than {first.name or 'the first'}: retarget it"
            )
        if part.fps != first.fps:
            raise MotionError(
                f"{part.name or 'a motion'} has {part.fps:g} frames/s, the first {first.fps:g}: resample it"
            )
    translations = None
    if any(part.translations is not None for part in parts):
        translations = np.concatenate(
            [
                np.broadcast_to(p.skeleton.offsets, (len(p), len(p.skeleton), 3))
                if p.translations is None
                else p.translations
                for p in parts
            ]
        )
    return replace(
        first,
        root=np.concatenate([part.root for part in parts]),
        rotations=np.concatenate([part.rotations for part in parts]),
        translations=translations,
        notices=tuple(dict.fromkeys(notice for part in parts for notice in part.notices)),
    )
