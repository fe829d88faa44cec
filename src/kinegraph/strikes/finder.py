"""The strike finder: one long take becomes separate strikes, each from the ready pose to the hit and back.

Where a limb hits is told by `hits`, and where the body is ready before and after it by `ready`. Here strikes are judged: what the take cuts
off, what its capture spoils and what is unlike the take's other strikes is left out and named.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from kinegraph.arrays import Array
from kinegraph.errors import FewStrikesError, RoleError, SpaceError
from kinegraph.motion import Motion
from kinegraph.motion.leaps import sound_frames
from kinegraph.strikes.hits import hit_about, hits, refusal, refused, usual_marks
from kinegraph.strikes.kinds import KINDS, kind_of
from kinegraph.strikes.limb_curves import RATE, Curves, LimbCurves, curves
from kinegraph.strikes.ready import Phases, phases
from kinegraph.strikes.strike import SIDES, CapturedStrike, Side, Unused, at_frame, check_side, limb_name, other

# Frames per second below which no strike is looked for.
_SLOWEST = 15.0
# Shares of the median, below and above which a strike is unlike the others of its take; and from how many strikes there is a median.
_SHORTER, _SLOWER, _BRIEFER, _LONGER, _SEVERAL = 0.85, 0.5, 0.5, 2.0, 4
# A striking end whose share of its greatest speed that is left at the hit is higher than the others' by this much swings past its target.
_PASSING = 0.25


Judged = tuple[Phases, str]
"""A strike, and what is wrong with it: an empty string where nothing is."""


@dataclass(frozen=True)
class Found:
    """The strikes of one take, all by the same limb."""

    strikes: tuple[CapturedStrike, ...]
    """In order of time."""
    kind: str
    side: Side
    notices: tuple[str, ...]
    """What was left out and why, for people."""
    unused: tuple[Unused, ...] = ()
    """What was left out, one by one: strikes with a fault and, where no side was asked for, those of the side that strikes less often."""


def find(motion: Motion, kind: str, side: Side | None = None) -> Found:
    """The strikes of a take.

    side: of the striking limb; None means the side that strikes more often (the right one, where both do equally often). A take
    without strikes is a `FewStrikesError`. A skeleton that lacks the limbs is a `RoleError`.

    >>> from kinegraph import samples
    >>> find(samples.make("punch_middle_centre").motion, "punch").strikes
    (CapturedStrike(clip='punch_middle_centre', start=0, hit=34, end=73),)
    """
    kind = kind_of(kind).name
    side = None if side is None else check_side(side)
    if motion.fps < _SLOWEST:
        raise SpaceError(
            f"{motion.name}: strikes cannot be told at {motion.fps:g} frames/s, where a hit falls between frames: "
            f"{_SLOWEST:g} are the least"
        )
    seen = curves(motion, kind)
    struck = {each: hits(seen, kind, each) for each in SIDES}
    found = {each: list(phases(seen, kind, each, struck, usual_marks(kind).bent_before)) for each in SIDES}
    judged = {each: list(_judged(motion, seen.of(each), found[each])) for each in SIDES}
    counts = {each: sum(not fault for _, fault in judged[each]) for each in SIDES}
    # where no side has a whole strike, that which strikes at all
    chosen = max(reversed(SIDES), key=lambda each: (counts[each], len(judged[each]))) if side is None else side
    if counts[chosen] == 0:
        if judged[chosen]:
            raise FewStrikesError(_no_whole(motion, kind, chosen, judged, side is None))
        raise FewStrikesError(_nothing(motion, kind, chosen, seen, counts[other(chosen)]))
    unused = [] if side is not None else _of_other(motion, kind, other(chosen), judged[other(chosen)])
    notices = [] if not unused else [_both(motion, kind, chosen, unused, counts[chosen])]
    strikes = []
    for one, fault in judged[chosen]:
        if fault:
            unused.append(_unused(motion, kind, chosen, one, fault))
            notices.append(str(unused[-1]))
        else:
            strikes.append(_strike(one, motion))
    return Found(tuple(strikes), kind, chosen, tuple(notices), tuple(unused))


def _unused(motion: Motion, kind: str, side: Side, strike: Phases, why: str) -> Unused:
    at = _frame(strike.hit, motion)
    return Unused(motion.name, kind, side, at, at / motion.fps, why)


def _of_other(motion: Motion, kind: str, side: Side, judged: Sequence[Judged]) -> list[Unused]:
    """The strikes of the side whose strikes are not taken."""
    why = f"it is thrown with the {limb_name(kind, side)}: say that the side is {side} to take those"
    return [_unused(motion, kind, side, one, fault or why) for one, fault in judged]


def _both(motion: Motion, kind: str, side: Side, rest: Sequence[Unused], count: int) -> str:
    """What to say where both sides strike."""
    at = ", ".join(one.when for one in rest)
    return (
        f"{motion.name}: the {limb_name(kind, other(side))} strikes too, {_times(len(rest))}, at {at}; the {limb_name(kind, side)} does "
        f"{_times(count)}, and its strikes are taken: say that the side is {other(side)} to take the others"
    )


# -- which of them are used --------------------------------------------------------------------------------------------


def _judged(motion: Motion, limb: LimbCurves, found: Sequence[Phases]) -> Iterator[Judged]:
    """Every strike found, with what is wrong with it, or an empty string."""
    whole = [one for one in found if not one.fault]
    usual = np.median([_measures(limb, one) for one in whole], axis=0) if whole else np.zeros(4)
    sound = sound_frames(motion)
    for one in found:
        first = _frame(one.start, motion)
        lost = ~sound[first : _frame(one.last, motion) + 1]
        fault = one.fault
        if not fault and lost.any():
            fault = f"the capture lost a joint at frame {first + int(np.argmax(lost))}"
        elif not fault and len(whole) >= _SEVERAL:
            fault = _unlike(_measures(limb, one), usual)
        yield one, fault


def _measures(limb: LimbCurves, strike: Phases) -> Array:
    """Extension at the hit, greatest speed on the way out, share of it that is left at the hit, and seconds."""
    fastest = limb.speed[strike.start : strike.hit + 1].max()
    seconds = (strike.last - strike.start) / RATE
    return np.array([limb.extension[strike.hit], fastest, limb.speed[strike.hit] / fastest, seconds])


def _unlike(own: Array, usual: Array) -> str:
    """In what a strike's measures ``(4,)`` clearly differ from those that are usual in its take, or an empty string."""
    extension, speed, left, seconds = own
    if extension < _SHORTER * usual[0]:
        return f"the limb gets {extension:.0%} straight, in this take it usually gets {usual[0]:.0%}"
    if speed < _SLOWER * usual[1]:
        return f"it is {speed / usual[1]:.0%} as fast as is usual in this take"
    if left > usual[2] + _PASSING:
        return f"it does not stop at the hit: {left:.0%} of its speed are left there, usually {usual[2]:.0%}"
    if not _BRIEFER * usual[3] <= seconds <= _LONGER * usual[3]:
        return f"it lasts {seconds:.2f} s, in this take they usually last {usual[3]:.2f} s"
    return ""


def _no_whole(motion: Motion, kind: str, side: Side, judged: Mapping[Side, Sequence[Judged]], both: bool) -> str:
    """Every strike that there is, none of them usable, and why; both: those of the other side too."""
    faults = [f"that at {_when(one.hit, motion)}: {fault}" for one, fault in judged[side]]
    if both:
        limb = limb_name(kind, other(side))
        faults += [f"that of the {limb} at {_when(one.hit, motion)}: {fault}" for one, fault in judged[other(side)]]
    return f"{motion.name}: no whole {kind} of the {limb_name(kind, side)} found; {'; '.join(faults)}"


def _nothing(motion: Motion, kind: str, side: Side, seen: Curves, of_other: int) -> str:
    """Why no strike was found, and what was found instead."""
    limb, word = seen.of(side), KINDS[kind].limb.name
    furthest = int(np.argmax(limb.reach))
    if limb.reach[furthest] >= usual_marks(kind).reach:
        furthest = hit_about(limb, furthest, limb.reach)
    reason = refusal(seen, kind, side, furthest) or "it does not go out and come back"
    says = (
        f"{motion.name}: no {kind} of the {limb_name(kind, side)} found. Looked for the {word} to go out fast by itself, by at least "
        f"{usual_marks(kind).reach:.0%} of its length, and to come back; it is furthest out at frame {_frame(furthest, motion)}, by "
        f"{limb.reach[furthest]:.0%}, but {reason}"
    )
    alike = [
        f"the {limb_name(kind, each)} at {_when(top, motion)}: {why}"
        for each in SIDES
        for top, why in refused(seen, kind, each)
        if (each, top) != (side, furthest)
    ]
    if alike:
        says += f"; what comes near to a {kind}: " + "; ".join(alike)
    if of_other:
        return (
            f"{says}; the {limb_name(kind, other(side))} strikes {_times(of_other)}: say that the side is {other(side)}"
        )
    instead = next(each.name for each in KINDS.values() if each.limb != KINDS[kind].limb)
    try:
        others = curves(motion, instead)
    except RoleError:
        return says
    strikes = {each: len(hits(others, instead, each)) for each in SIDES}
    most = max(SIDES, key=lambda each: strikes[each])
    if strikes[most]:
        return f"{says}; the {limb_name(instead, most)} strikes {_times(strikes[most])}: say that the kind is {instead}"
    return says


def _times(count: int) -> str:
    return "once" if count == 1 else f"{count} times"


# -- frames of the take ------------------------------------------------------------------------------------------------


def _when(at: int, motion: Motion) -> str:
    """A frame of the curves for people: as a frame of the take, and in seconds."""
    frame = _frame(at, motion)
    return at_frame(frame, frame / motion.fps)


def _frame(at: int, motion: Motion) -> int:
    """The take's frame nearest to a frame of the curves."""
    return min(round(at * motion.fps / RATE), len(motion) - 1)


def _strike(found: Phases, motion: Motion) -> CapturedStrike:
    start, hit, last = (_frame(at, motion) for at in (found.start, found.hit, found.last))
    return CapturedStrike(motion.name, start, hit, last + 1)
