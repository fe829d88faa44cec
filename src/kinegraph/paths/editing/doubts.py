"""Doubts: what may be wrong with a clip whose path is edited, so that nobody has to puzzle over the result."""

from __future__ import annotations

import numpy as np

from kinegraph.arrays import Array
from kinegraph.errors import Unsatisfied
from kinegraph.motion.clip import Motion
from kinegraph.motion.spans import spans
from kinegraph.paths.editing.course import Course
from kinegraph.paths.editing.cycle import SEEN, TRAVELS, Loop, main_speed
from kinegraph.paths.editing.fit import heading_residual

# Seconds of the quickest stride of a sprinter.
_QUICKEST = 0.4
# Metres per second below which a body stands, and the share of its time in which a clip may.
_MOVING, _MOSTLY = 0.1, 0.7
# Leg lengths within which a clip stays that hardly travels, and leg lengths a second that it goes at most. Captured kicks, slashes and
# sitting down keep to 0.9 and 0.4; walks of one second, of old people or backwards go 1.6 and 0.6 or more.
_PLACE, _CREEPING = 1.0, 0.4
# On a path that is no more than so many times longer than its own, such a clip may keep its time.
_LONGER = 2.0
# Places of a clip's path between which its extent is measured.
_PLACES = 200
# Radians by which a body may face away from where its path goes, and seconds for which it may by more; so many times are told.
_ASIDE, _LASTING, _LISTED = 1.9, 0.3, 4


STAY = "keep='place' (--keep place)"
"""How to ask for a clip that stays where the path begins."""


def doubts(motion: Motion, course: Course, stride: float | None) -> tuple[str, ...]:
    """Sentences about a clip that is too fast for a person, hardly travels, mostly stands still, or turns back on its path.

    Usually there are none. stride: how many seconds one lasts, if that is known.
    """
    creeping = hardly_travels(motion, course)
    still = _standing(motion, course) if creeping is None else [f"{creeping}; {STAY} leaves it where the path begins"]
    return (*_rate(stride, motion.fps), *still, *_turning(motion, course))


def hardly_travels(motion: Motion, course: Course) -> str | None:
    """What to say of a clip that does something in its place, such as a kick; None of one that goes somewhere.

    It has a path, since a body shifts as it kicks, but nobody means that path.
    """
    leg = motion.skeleton.leg_length
    far = extent(course)
    if far > _PLACE * leg or course.walked[-1] > _CREEPING * leg * motion.seconds:
        return None
    return (
        f"{motion.name or 'this clip'} hardly travels: it goes {course.walked[-1]:.2f} m in {motion.seconds:.1f} s, and never leaves "
        f"{far:.2f} m of floor"
    )


def check_travels(motion: Motion, course: Course, length: float, *, in_its_time: bool) -> None:
    """A refusal to take a clip that hardly travels to the end of a path of ``length`` metres, in its time or round by round."""
    own = float(course.walked[-1])
    if length <= (_LONGER * own if in_its_time else own):
        return
    creeping = hardly_travels(motion, course)
    if creeping is None:
        return
    how = (
        f"kept to its time, it would glide along at {length / motion.seconds:.1f} m/s"
        if in_its_time
        else f"repeated to the end of {length:.1f} m, it would creep for {length / own * motion.seconds:.0f} s"
    )
    raise Unsatisfied(
        f"{creeping}; {how}. Have it stay where the path begins: {STAY}, and say for how long if it is to be repeated; or choose a "
        "clip that walks"
    )


def loop_doubts(loop: Loop, motion: Motion, walked: Array | None) -> list[str]:
    """Sentences about a loop that does not close, or that is not what the clip is about; usually there are none.

    walked: metres so far ``(F,)``; None for a motion that stays in its place.
    """
    fps, name = motion.fps, motion.name or "this clip"
    told = []
    if loop.distance > SEEN:
        told.append(
            f"{name} does not repeat itself: the ends of its best loop, {loop.first / fps:.2f} to {loop.last / fps:.2f} s, are "
            f"{100 * loop.distance:.1f} cm apart, and each seam shows; a clip of two strides or more at an even pace repeats better"
        )
    if walked is not None:
        speed, usual = float(walked[loop.last] - walked[loop.first]) / len(loop) * fps, main_speed(walked, fps)
        if speed < TRAVELS * usual:
            told.append(
                f"what is repeated goes at {speed:.2f} m/s, and {name} mostly at {usual:.2f}: nothing of it at that speed repeats as well"
            )
    return told


def extent(course: Course) -> float:
    """Metres between the two places of a course that are furthest apart."""
    points = course.frame.points[:: max(1, len(course) // _PLACES)]
    apart = points[:, None] - points[None]
    return float(np.hypot(apart[..., 0], apart[..., 1]).max())


def _rate(seconds: float | None, fps: float) -> list[str]:
    if seconds is None or seconds >= _QUICKEST:
        return []
    return [
        f"a stride lasts {seconds:.2f} s, and nobody's less than {_QUICKEST:g} s: is {fps:g} frames/s right? Some files of {fps / 2:g} say "
        f"so; read with fps={fps / 2:g} (--rate {fps / 2:g}) they are as fast as they were"
    ]


def _standing(motion: Motion, course: Course) -> list[str]:
    still = float(np.mean(np.diff(course.walked) < _MOVING / motion.fps)) if len(motion) > 1 else 0.0
    if still <= _MOSTLY:
        return []
    return [f"the clip stands for {still:.0%} of its time: it goes only {course.walked[-1]:.2f} m"]


def _turning(motion: Motion, course: Course) -> list[str]:
    aside = np.abs(heading_residual(motion, course)) > _ASIDE
    times = [(first, last) for first, last in spans(aside) if last - first > _LASTING * motion.fps]
    if not times:
        return []
    when = ", ".join(f"{first / motion.fps:.1f} to {last / motion.fps:.1f} s" for first, last in times[:_LISTED])
    return [
        f"the body faces away from where its path goes at {when}{' and later' if len(times) > _LISTED else ''}, as in a turn on the spot "
        "or steps backwards: there it swings about with the new path too"
    ]
