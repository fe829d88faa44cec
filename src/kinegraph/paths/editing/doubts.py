"""Doubts: what may be wrong with a clip whose path is edited, so that nobody has to puzzle over the result."""

from __future__ import annotations

import numpy as np

from kinegraph.motion.clip import Motion
from kinegraph.motion.spans import spans
from kinegraph.paths.editing.course import Course
from kinegraph.paths.editing.fit import heading_residual

# Seconds of the quickest stride of a sprinter.
_QUICKEST = 0.4
# Metres per second below which a body stands, and the share of its time in which a clip may.
_MOVING, _MOSTLY = 0.1, 0.7
# Radians by which a body may face away from where its path goes, and seconds for which it may by more; so many times are told.
_ASIDE, _LASTING, _LISTED = 1.9, 0.3, 4


def doubts(motion: Motion, course: Course, stride: float | None) -> tuple[str, ...]:
    """Sentences about a clip that is too fast for a person, mostly stands still, or turns back on its path; usually there are none.

    stride: how many seconds one lasts, if that is known.
    """
    return (*_rate(stride, motion.fps), *_standing(motion, course), *_turning(motion, course))


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
