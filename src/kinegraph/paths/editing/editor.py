"""Repath: a captured motion on any path, at its own speed, with feet that stay put.

After Gleicher, "Motion path editing" (I3D 2001): a motion is its path and what the body does relative to it, the residuals.
The same residuals on another path are the same motion there. Beyond the paper, each footstep is moved as a whole and held
still, short clips are cycled without a visible seam, the ground may rise and fall, and bends may be taken as people do.
"""

from __future__ import annotations

import math
from dataclasses import replace
from functools import cached_property

import numpy as np

from kinegraph.arrays import Array, Bools
from kinegraph.errors import MotionError, RoleError
from kinegraph.feet import knees
from kinegraph.feet.cleanup import STRETCH
from kinegraph.feet.contacts import contacts as detect
from kinegraph.feet.plants import Footing, footing
from kinegraph.feet.sole import check_legs
from kinegraph.motion.clip import Motion
from kinegraph.motion.floor import FloorTransform
from kinegraph.paths.bspline import Spline
from kinegraph.paths.curve import Curve, is_closed
from kinegraph.paths.editing import bends, steps
from kinegraph.paths.editing.course import Course, course_of, standing_course
from kinegraph.paths.editing.cycle import Loop, best_loop, cycled
from kinegraph.paths.editing.doubts import check_travels, doubts, loop_doubts
from kinegraph.paths.editing.hills import HeightAt, Terrain, is_hilly
from kinegraph.paths.editing.holding import hold
from kinegraph.paths.editing.options import End, Keep, Start, check
from kinegraph.paths.editing.repathed import Repathed, begun_again
from kinegraph.paths.editing.stride import stride
from kinegraph.paths.editing.take import Footage
from kinegraph.paths.ends import Laps, Onward
from kinegraph.paths.ground import ground as read_ground
from kinegraph.paths.moving import MovingFrame, carried
from kinegraph.paths.path import Path
from kinegraph.paths.reading import read_curve
from kinegraph.paths.smoothing import smoothed

# Seconds over which the body's rise and fall with the ground is evened out: it does not follow every dip.
_EVEN = 0.12
# Numbers that a longer motion's arrays may hold: frames times joints. Some gigabytes are worked with then.
_MOST = 12_000_000
# Metres per second below which a body stands rather than walks.
_MOVING = 0.1
# Metres: what nobody sees, and how far a joint may be from the frame that carries it.
_UNSEEN, _BODY = 1e-4, 1.0
# Metres between the heights of its ends that make a path an open one.
_STEP_UP = 0.02
# Metres by which a polyline may be shorter than the curve through its points.
_HAIR = 2e-4
_LET_GO = (
    "legs did not reach as far as the path asks: feet are let go in {:.0%} of the time they stood; a path that is less tight, less steep "
    "or less stretched holds more of it"
)
# Tight places of a path that are told one by one.
_LISTED = 4


def repath(
    motion: Motion,
    curve: Curve | str,
    *,
    degree: int | None = None,
    contacts: Bools | None = None,
    keep: Keep = "speed",
    end: End = "stop",
    start: Start | FloorTransform = "path",
    cycle: bool = False,
    seconds: float | None = None,
    ground: HeightAt | str | None = None,
    natural: bool = False,
    feet: bool = True,
    stretch: float = STRETCH,
    absolute: bool = False,
) -> Repathed:
    """The motion bent along ``curve``.

    degree: take the polynomial of this degree for the motion's own path, as in the paper; by default it is a smoothing spline
    as stiff as the stride is long. contacts: ``(F, 4)``, when its heels and balls stand; by default they are found. All other
    options are those of `PathEditor.lay`.

    >>> import kinegraph as kg
    >>> walk = kg.samples.make("walk").motion
    >>> made = kg.paths.repath(walk, "circle:2", cycle=True)    # once round
    >>> made.motion, round(made.s[-1].item(), 2)
    (Motion('walk', 604 frames at 60/s, 24 joints), 12.56)
    """
    editor = PathEditor(motion, degree=degree, contacts=contacts)
    return editor.lay(
        curve, keep=keep, end=end, start=start, cycle=cycle, seconds=seconds, ground=ground, natural=natural, feet=feet,
        stretch=stretch, absolute=absolute,
    )  # fmt: skip


class PathEditor:
    """A motion prepared to be laid on paths. What does not depend on the path is computed once, when it is first needed.

    This makes it quick enough to follow a control point of the path while it is dragged.
    """

    def __init__(
        self, motion: Motion, *, degree: int | None = None, course: Course | None = None, contacts: Bools | None = None
    ) -> None:
        self.motion = motion
        if course is not None and len(course) != len(motion):
            raise MotionError(f"a course of {len(course)} frames is not that of a motion of {len(motion)}")
        self._given, self._degree = course, degree
        self._contacts = contacts
        self._rounds: tuple[tuple[bool, int], Footage] | None = None

    def __repr__(self) -> str:
        try:
            return f"PathEditor({self.motion!r} on {self.course.curve.length:.4g} m)"
        except MotionError:  # it stands
            return f"PathEditor({self.motion!r})"

    @cached_property
    def course(self) -> Course:
        """The path of the motion; a `MotionError` if it stands."""
        return course_of(self.motion, self._degree, seconds=self.stride) if self._given is None else self._given

    @cached_property
    def stays(self) -> bool:
        """Whether nothing is walked on the course: on any path, the motion stays where that begins."""
        return float(self.course.walked[-1]) == 0.0

    @cached_property
    def _in_place(self) -> PathEditor:
        return PathEditor(self.motion, course=standing_course(self.motion), contacts=self._contacts)

    @cached_property
    def stride(self) -> float | None:
        """How many seconds a stride of the motion lasts; None if it has none."""
        return stride(self.motion)

    @cached_property
    def feet(self) -> Footing:
        """Soles and plants of the motion."""
        return footing(self.motion, detect(self.motion) if self._contacts is None else self._contacts)

    @cached_property
    def loop(self) -> Loop:
        """The frames that are repeated to make the motion longer."""
        return best_loop(self.motion, None if self.stays else self.course.walked)

    @cached_property
    def knee_limit(self) -> float:
        """Radians per second that a knee of the motion hardly ever exceeds; infinite if it has no knees."""
        known = self.motion.skeleton.has_roles("left_knee", "right_knee")
        return knees.usual(self.motion) if known else math.inf

    @cached_property
    def _doubts(self) -> tuple[str, ...]:
        return () if self.stays else doubts(self.motion, self.course, self.stride)

    @cached_property
    def tightest(self) -> float:
        """The smallest radius in metres with which a body can turn at the speed of this one, or with which it does turn."""
        step = np.diff(self.course.walked)
        walking = step[step > _MOVING / self.motion.fps]
        speed = float(np.median(walking)) * self.motion.fps if len(walking) else 0.0
        own = bends.tight(self.course.curve, np.inf)
        return min([max(bends.TIGHTEST, speed / bends.TURN_RATE), *(place.radius for place in own)])

    @cached_property
    def _quickest_turn(self) -> float:
        """Radians a second by which a body turns at most, or by which this one does."""
        own = np.abs(np.diff(self.course.frame.heading)).max(initial=0.0) * self.motion.fps
        return max(bends.SPIN, 1.01 * float(own))

    def lay(
        self,
        curve: Curve | str,
        *,
        keep: Keep = "speed",
        end: End = "stop",
        start: Start | FloorTransform = "path",
        cycle: bool = False,
        seconds: float | None = None,
        ground: HeightAt | str | None = None,
        natural: bool = False,
        feet: bool = True,
        stretch: float = STRETCH,
        absolute: bool = False,
    ) -> Repathed:
        """The motion on ``curve``, or on the path of a text or file as `read_curve` takes it.

        - keep: "speed" walks as many metres of the path as the motion does of its own; "time" walks the whole path in the
          motion's time, faster or slower; "place" walks none of it: the motion stays where the path begins and faces along it
        - end: what to do at the end of a path that is too short: "stop", "restart" (round again if it is closed, otherwise
          from its beginning), or go "onward", straight ahead
        - start: "path" brings the motion to the beginning of the path, "clip" brings the path to the beginning of the
          motion, and a `FloorTransform` moves the path
        - cycle: repeat the motion until the path ends, or for so many ``seconds``
        - ground: heights of floor points; by default the curve's own altitude
        - natural: slow down and lean in bends as people do
        - feet: hold planted feet still
        - stretch: the share of their length by which the bones of a leg may change to do so, 0 to 0.2
        - absolute: the body keeps facing where it did in the world instead of turning with the path (the paper's figure
          3.2b, which shows why not to)
        """
        check(keep, end, cycle, seconds)
        if keep == "place" and not (self._given is not None and self.stays):
            return self._in_place.lay(
                curve, keep=keep, end=end, start=start, cycle=cycle, seconds=seconds, ground=ground, feet=feet, stretch=stretch
            )  # fmt: skip
        notices = list(self._doubts)
        curve = self._placed(read_curve(curve) if isinstance(curve, str) else curve, start)
        if not self.stays:
            curve = self._rounded(curve, notices)
        if seconds is not None and end == "stop" and _comes_back(curve):
            end = "restart"
        way = _extended(curve, end)
        terrain = _terrain(way, read_ground(ground) if isinstance(ground, str) else ground)
        length = curve.length if terrain is None else terrain.length
        if not self.stays and (keep == "time" or (cycle and seconds is None)):
            check_travels(self.motion, self.course, length, in_its_time=keep == "time")
        take, loop = self._take(feet and self._can_stand(notices), cycle, seconds, length)
        if loop is not None:
            notices += loop_doubts(loop, self.motion, None if self.stays else self.course.walked)
        walked = take.frame.walked * (length / take.frame.walked[-1] if keep == "time" else 1.0)
        frames, again = len(take), False
        # a clip that is repeated for no given time goes to the end of the path, once
        if keep == "speed" and (not isinstance(way, Laps | Onward) or (cycle and seconds is None)):
            take, walked = _stopped(take, walked, length)
            again = end == "restart" and not isinstance(way, Laps) and len(take) < frames
            if seconds is not None and len(take) < frames:
                notices.append(
                    f"the path ends after {take.motion.seconds:.1f} s of {seconds:g}: let it restart, or go onward, for more"
                )
        s = walked if terrain is None else terrain.floor(walked)
        if natural:
            take, s = self._natural(take, way, s)
            if seconds is not None:
                take, s = take.upto(frames), s[:frames]
        made = self._laid(take, way, s, terrain, absolute, natural, stretch)
        made = replace(made, loop=loop, notices=(*notices, *made.notices))
        if again:
            made = begun_again(made, frames)
        return replace(made, motion=made.motion.noting(*made.notices))

    # -- the steps of it ----------------------------------------------------------------------------------------------

    def _can_stand(self, notices: list[str]) -> bool:
        """Whether there are feet that can be held; if not, a notice says why."""
        name = self.motion.name or "this clip"
        try:
            check_legs(self.motion.skeleton)
        except RoleError as error:
            notices.append(f"feet are left alone: {error}")
            return False
        if not self.feet.plants:
            notices.append(f"no foot of {name} stands long enough to be held: feet go where the body takes them")
        return True

    def _placed(self, curve: Curve, start: Start | FloorTransform) -> Curve:
        if start == "path":
            return curve
        if start != "clip" and not isinstance(start, FloorTransform):
            raise MotionError(
                f"begin where the path or the clip does, or move the path by a FloorTransform, not {start!r}"
            )
        if not isinstance(curve, Path | Spline):
            raise MotionError("only a Path or a Spline can be moved to where the clip begins")
        if isinstance(start, FloorTransform):
            return curve.place(start)
        frame = self.course.frame
        (x, z), heading = curve.at(0.0), float(curve.heading(0.0))
        turn = FloorTransform(float(frame.heading[0]) - heading) @ FloorTransform(0.0, -float(x), -float(z))
        return curve.place(FloorTransform(0.0, *(float(value) for value in frame.points[0])) @ turn)

    def _rounded(self, curve: Curve, notices: list[str]) -> Curve:
        """The curve without corners that nobody could go round; what was done is told."""
        # a hair's breadth, so that a path as tight as the clip's own is left alone
        radius = 0.95 * self.tightest
        places = bends.tight(curve, radius)
        if not places:
            return curve
        corners = [place for place in places if place.is_corner(radius)]
        way = bends.rounded(curve, radius) if corners else curve
        still = len(bends.tight(way, 0.9 * radius))
        what = "left so" if not corners else "rounded there" if not still else "rounded as far as that goes"
        notices.append(
            f"the path turns more tightly than the {radius:.2f} m of radius that a body at this speed can, at {_told(places)}: {what}"
        )
        return way

    def _take(self, feet: bool, cycle: bool, seconds: float | None, length: float) -> tuple[Footage, Loop | None]:
        """The clip, or as much of it, or as many rounds of its loop, as the path or the time takes."""
        take = Footage(self.motion, self.course.frame, self.feet if feet else None)
        walked = self.course.walked
        if seconds is not None:
            frames = max(2, round(seconds * self.motion.fps))
            if frames <= len(take):
                return take.upto(frames), None
        elif not cycle or walked[-1] >= length:
            return take, None
        else:
            rounds = (length - walked[self.loop.last - 1]) / (walked[self.loop.last] - walked[self.loop.first])
            frames = self.loop.last + (int(np.ceil(rounds)) + 1) * len(self.loop)
        most = _MOST // len(self.motion.skeleton)
        if frames > most:
            raise MotionError(
                f"that would be {frames:,} frames, and at most {most:,} ({most / self.motion.fps:.0f} s) are made of this clip at once: "
                "ask for less, or resample the clip to fewer frames a second"
            )
        return self._cycled(take, frames), self.loop

    def _cycled(self, take: Footage, frames: int) -> Footage:
        """The take with its loop repeated; that of the last request is kept, since a path that is dragged mostly takes as many rounds."""
        key = (take.feet is not None, frames)
        held = self._rounds
        if held is None or held[0] != key:
            held = self._rounds = key, cycled(take, self.loop, frames)
        return held[1]

    def _natural(self, take: Footage, way: Curve, s: Array) -> tuple[Footage, Array]:
        """The take, and its arc lengths, played as slowly as people go through the bends."""
        fps = take.motion.fps
        turn, ahead = np.gradient(take.frame.heading), np.gradient(take.frame.walked)
        own = np.where(ahead > _MOVING / fps, turn / np.maximum(ahead, _MOVING / fps), 0.0)
        at = bends.moments(bends.paced(own, way.curvature(s), fps))
        return take.timed(at), np.interp(at, np.arange(len(s)), s)

    def _laid(
        self,
        take: Footage,
        way: Curve,
        s: Array,
        terrain: Terrain | None,
        absolute: bool,
        lean: bool,
        stretch: float,
    ) -> Repathed:
        # a hair's breadth beyond the end it goes on as it is
        line = way if isinstance(way, Laps | Onward) else Onward(way)
        heading = bends.steadied(np.unwrap(line.heading(s)), take.motion.fps, self._quickest_turn)
        frame = MovingFrame(line.at(s), heading, take.frame.walked)
        if absolute:
            frame = replace(frame, heading=take.frame.heading)
        body = carried(take.motion, take.frame, frame.points, frame.heading)
        upright = None
        if lean:
            upright, body = body, bends.leant(body, take.frame, frame)
        if terrain is not None:
            body = _lifted(body, terrain.along(s))
            upright = None if upright is None else _lifted(upright, terrain.along(s))
        made = Repathed(body, body, way, s, take.frame, frame, terrain, self.knee_limit)
        if take.feet is None:
            return made
        plants = steps.moved(take.feet.plants, take.frame, frame)
        if terrain is not None:
            plants = steps.on_ground(plants, terrain, s)
        feet = replace(take.feet, plants=plants)
        if terrain is None and not lean and _same(take.frame, frame):
            return made.told("the path is the clip's own: the motion is left as it was captured", feet=feet)
        floor = None if terrain is None else lambda points: terrain.under(points, s)
        done = hold(body, feet, self.knee_limit, stretch=stretch, floor=floor, steps=upright)
        made = replace(made, motion=done.motion, feet=done.feet, reached=done.reached, let_go=done.let_go)
        return made.told(_LET_GO.format(done.let_go)) if done.let_go > 0 else made


def _extended(curve: Curve, end: End) -> Curve:
    """The curve with what comes after its end."""
    if end == "onward":
        return Onward(curve)
    return Laps(curve) if end == "restart" and _comes_back(curve) else curve


def _comes_back(curve: Curve) -> bool:
    """Whether a curve ends where it begins, on the floor and in height: a spiral ramp does not."""
    first, last = curve.height([0.0, curve.length])
    return is_closed(curve) and abs(float(last - first)) < _STEP_UP


def _terrain(way: Curve, ground: HeightAt | None) -> Terrain | None:
    """The ground along the way; None where it is flat."""
    if ground is not None and is_hilly(way):
        raise MotionError("the path has heights of its own, and a ground is given too: leave one of them out")
    return Terrain(way, ground) if ground is not None or is_hilly(way) else None


def _stopped(take: Footage, walked: Array, length: float) -> tuple[Footage, Array]:
    """Take and metres walked up to the end of the path."""
    frames = int(np.searchsorted(walked, length + _HAIR, side="right"))
    if frames < 2:
        raise MotionError(f"the path is only {length:.3g} m long: the motion is past its end at once")
    return take.upto(frames), walked[:frames]


def _same(one: MovingFrame, other: MovingFrame) -> bool:
    """Whether two frames are so nearly the same that no joint of a body would tell."""
    apart, turn = one.points - other.points, one.heading - other.heading
    turn = np.mod(turn + np.pi, 2 * np.pi) - np.pi
    return bool((np.hypot(apart[:, 0], apart[:, 1]) + _BODY * np.abs(turn)).max() < _UNSEEN)


def _told(places: list[bends.Tight]) -> str:
    """Where a path is too tight, as a user reads it."""
    where = "; ".join(
        f"{place.s:.2f} m (x {place.x:.2f}, z {place.z:.2f}: radius {place.radius:.2f} m)" for place in places[:_LISTED]
    )
    return where + (f" and {len(places) - _LISTED} more places" if len(places) > _LISTED else "")


def _lifted(body: Motion, heights: Array) -> Motion:
    root = body.root.copy()
    root[:, 1] += smoothed(heights, _EVEN * body.fps)
    return replace(body, root=root)
