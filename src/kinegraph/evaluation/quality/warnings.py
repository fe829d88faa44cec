"""Where a motion is worse than the clips that it is made of, or than what was asked for: a sentence each, with both figures."""

from __future__ import annotations

from collections.abc import Iterator

from kinegraph.arrays import Bools
from kinegraph.evaluation.quality.figures import Quality, Spread

# How much faster than the source's 99.9th percentile the fastest knee may be, how much larger than its 99th a velocity jump: the fastest
# moment of a capture is itself beyond its percentile.
_KNEES, _JUMP = 1.01, 1.5
# Millimetres by which feet may slide further than in the source's clips, per plant on average and at most; cm/s by which they may skate
# faster.
_SLIDE, _SLIDE_MOST, _SKATING = 2.0, 10.0, 2.0
# The share of frames in which they may: times the source's, and beside it. It counts toes that swing low, of which there are more where
# clips stand less: so it is told only if feet are faster while they stand, too.
_RATIO, _RATIO_BESIDE = 1.25, 0.05
# Centimetres off the path: on average, on average after bending onto it, and at most.
_OFF, _OFF_BENT, _OFF_MOST = 8.0, 3.0, 50.0
# Of a path, how much must be reached; of the frames of a section, how many must bear its label.
_REACHED, _BORNE = 0.97, 0.9
# Degrees by which a joint may turn further than in any of the clips.
_BEYOND = 15.0


def warnings(quality: Quality) -> tuple[str, ...]:
    """What is worse than it should be; nothing where all is well, or where there is nothing to compare with.

    >>> import kinegraph as kg
    >>> from dataclasses import replace
    >>> walk = kg.samples.make("walk").motion
    >>> warnings(kg.evaluate(walk, source=[walk]))
    ()
    >>> skating = replace(walk, root=walk.root * [1, 1, 1.2])    # 20 % too far for its steps
    >>> warnings(kg.evaluate(skating, source=[walk]))[0]
    'feet slide by 28.5 (max 68.9) mm where they stand, in the clips by 0.0 (max 0.2)'
    """
    return (*_path(quality), *_feet(quality), *_joints(quality), *_blends(quality))


def missing_label(label: str, borne: Bools | None, frames: Bools, where: str = "") -> tuple[str, ...]:
    """What to say where too few of some ``frames (F,)`` bear the label that was asked for there; borne: those that do, None for none.

    >>> import numpy as np
    >>> missing_label("run", np.array([True, False, False, True]), np.ones(4, bool), "from 0 to 5 m")
    ('only 50 % of the frames from 0 to 5 m are labelled run, as was asked for',)
    """
    share = 0.0 if borne is None else float(borne[frames].mean()) if frames.any() else 1.0
    if share >= _BORNE:
        return ()
    return (
        f"only {100 * share:.0f} % of the frames {where + ' ' if where else ''}are labelled {label}, as was asked for",
    )


def sliding(own: Spread, clips: Spread) -> tuple[str, ...]:
    """What to say of feet that slide further, in mm, than those of the clips.

    >>> sliding(Spread(1.0, 9.0), Spread(1.0, 5.0)), sliding(Spread(1.0, 54.3), Spread(1.0, 20.0))
    ((), ('feet slide by 1.0 (max 54.3) mm where they stand, in the clips by 1.0 (max 20.0)',))
    """
    if own.mean <= clips.mean + _SLIDE and own.max <= clips.max + _SLIDE_MOST:
        return ()
    return (f"feet slide by {_both(own)} mm where they stand, in the clips by {_both(clips)}",)


def fast_knees(worst: float, usual: float | None) -> tuple[str, ...]:
    """What to say of a knee that turns faster than is ``usual`` in the clips, in rad/s.

    >>> fast_knees(9.0, 10.0), fast_knees(14.04, 10.0)
    ((), ('a knee turns at 14.0 rad/s; 99.9 % of the time those of the clips stay below 10.0',))
    """
    if usual is None or worst <= _KNEES * usual:
        return ()
    return (f"a knee turns at {worst:.1f} rad/s; 99.9 % of the time those of the clips stay below {usual:.1f}",)


def _path(quality: Quality) -> Iterator[str]:
    off, reached = quality.deviation_cm, quality.finished_path
    most = _OFF if quality.warp is None else _OFF_BENT
    if off is not None and (off.mean > most or off.max > _OFF_MOST):
        bent = "" if quality.warp is None else ", though bent onto it"
        yield f"{_both(off)} cm off the path{bent}; up to {most:.0f} on average and {_OFF_MOST:.0f} at most is usual"
    if reached is not None and reached < _REACHED:
        yield f"only {100 * reached:.0f} % of the path was reached"


def _feet(quality: Quality) -> Iterator[str]:
    own, source = quality.slide_mm, quality.source_feet
    if source is None or own is None or quality.skating_cm_s is None or quality.skating_ratio is None:
        return
    yield from sliding(own, source.slide_mm)
    if quality.skating_cm_s > source.skating_cm_s + _SKATING:
        yield f"feet skate at {quality.skating_cm_s:.1f} cm/s while they stand, in the clips at {source.skating_cm_s:.1f}"
    more = quality.skating_ratio > _RATIO * source.skating_ratio + _RATIO_BESIDE
    if more and quality.skating_cm_s > source.skating_cm_s:
        yield (
            f"low feet are moved by more than 2.5 cm in {100 * quality.skating_ratio:.1f} % of the frames, "
            f"in the clips in {100 * source.skating_ratio:.1f} %"
        )


def _joints(quality: Quality) -> Iterator[str]:
    if quality.knee_speed is not None:
        yield from fast_knees(quality.knee_speed.worst, quality.knee_speed.source_p999)
    beyond = quality.beyond
    if beyond is not None and beyond.degrees > _BEYOND:
        yield f"{beyond.joint} turns {beyond.degrees:.0f}° further than in any of the clips, at frame {beyond.frame}"


def _blends(quality: Quality) -> Iterator[str]:
    jump = quality.velocity_jump
    if jump is not None and jump.ratio is not None and jump.source_p99 is not None and jump.ratio > _JUMP:
        yield (
            f"velocities change by {jump.worst:.2f} m/s from frame to frame in a transition, {jump.ratio:.1f} times the clips' "
            f"99th percentile of {jump.source_p99:.2f}"
        )


def _both(spread: Spread) -> str:
    return f"{spread.mean:.1f} (max {spread.max:.1f})"
