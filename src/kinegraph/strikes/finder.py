"""The strike finder: one long take becomes separate strikes, each from the ready pose to the hit and back.

A hit is where the striking end is furthest out and stands still for a moment. A strike differs from other movements in that one
limb goes out alone, fast, and comes back. Ready poses are where the body is calmest between two hits.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from kinegraph.arrays import Array, Bools
from kinegraph.errors import FewStrikesError, RoleError, SpaceError
from kinegraph.motion import Motion
from kinegraph.motion.leaps import sound_frames
from kinegraph.motion.spans import spans
from kinegraph.strikes.kinds import ARM, KINDS, LEG, kind_of
from kinegraph.strikes.limb_curves import RATE, Curves, LimbCurves, curves
from kinegraph.strikes.ready import FURTHEST, Phases, phases
from kinegraph.strikes.strike import SIDES, CapturedStrike, Side, Unused, at_frame, check_side, limb_name, other


@dataclass(frozen=True)
class _Marks:
    """What makes a movement a strike: least values, except ``highest``. Lengths are in limb lengths, speeds in limb lengths per second."""

    reach: float
    """How far out the end gets."""
    rise: float
    """By how much this exceeds the reach shortly before and after."""
    extension: float
    """Of the limb at the hit."""
    bent_before: float
    """By how much the limb is shorter at some time before."""
    bent_after: float
    """By how much the limb is shorter at some time after."""
    ahead: float
    """How far the end is in front of its top joint at the hit."""
    beyond: float
    """By how much this limb is further out than the other side's."""
    speed: float
    """Of the end on its way out."""
    lowest: float
    """The least lift of the ankle above the other one at the hit, in leg lengths."""
    highest: float
    """The greatest such lift."""


# Between what captured and made strikes show (in the comments: 133 punches, 60 kicks) and what walking, running, jumping and balancing do.
_MARKS = {
    # reach 0.80, rise 0.48, extension 0.88, bent 0.34, ahead 0.36, beyond 0.41, speed 4.6 at least; lift 0.12 at most
    ARM: _Marks(0.70, 0.35, 0.80, 0.20, 0.20, 0.2, 0.20, 3.0, -0.3, 0.3),
    # reach 0.81, rise 0.60, extension 0.91, bent before 0.22, beyond 0.64, speed 4.4, lift 0.38 at least; a side kick goes
    # to the side, not ahead, and a roundhouse kick comes back with a straight leg
    LEG: _Marks(0.72, 0.40, 0.85, 0.12, 0.0, -0.3, 0.20, 3.0, 0.25, np.inf),
}

# Frames per second below which no strike is looked for.
_SLOWEST = 15.0
# Leg lengths per second: a body that travels faster at the hit runs, and throws its arms about.
_IN_PLACE = 2.5
# Hits of one limb are no closer together (seconds).
_APART = 0.2
# A limb within this much (limb lengths) of its greatest extension and reach about the hit counts as fully extended.
_FULL = 0.03
# Of a strike's least reach and rise: a movement with so much comes near to being one. At most so many of each side are told.
_NEAR, _TOLD = 0.8, 3
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
    hits = {each: _hits(seen, kind, each) for each in SIDES}
    found = {each: list(phases(seen, kind, each, hits, _marks(kind).bent_before)) for each in SIDES}
    judged = {each: list(_judged(motion, seen.of(each), found[each])) for each in SIDES}
    counts = {each: sum(not fault for _, fault in judged[each]) for each in SIDES}
    chosen = max(reversed(SIDES), key=lambda each: counts[each]) if side is None else side
    if counts[chosen] == 0:
        raise FewStrikesError(_nothing(motion, kind, chosen, seen, judged[chosen], counts[other(chosen)]))
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


def _marks(kind: str) -> _Marks:
    return _MARKS[KINDS[kind].limb]


# -- hits --------------------------------------------------------------------------------------------------------------


def _hits(seen: Curves, kind: str, side: Side) -> list[int]:
    """Frames of the curves at which the limb strikes, in order; also those whose way out or back the take's ends cut off."""
    from scipy.signal import find_peaks

    marks, limb = _marks(kind), seen.of(side)
    window = 2 * round(FURTHEST * RATE) + 1
    # with nothing on both sides, a limb that is out at an end of the take is a top too
    tops, _ = find_peaks(
        np.pad(limb.reach, 1), height=marks.reach, prominence=marks.rise, distance=_APART * RATE, wlen=window
    )
    hits = (_hit_about(limb, int(top)) for top in tops - 1)
    return sorted({hit for hit in hits if not _refusal(seen, kind, side, hit)})


def _refusal(seen: Curves, kind: str, side: Side, hit: int) -> str:
    """Why a moment at which the limb is out is no hit, in words for people; an empty string where it is one.

    Of what the take's ends cut off nothing is asked.
    """
    marks, limb, beside = _marks(kind), seen.of(side), seen.of(other(side))
    furthest = round(FURTHEST * RATE)
    before, after = slice(max(hit - furthest, 0), hit + 1), slice(hit, hit + furthest + 1)
    extension = limb.extension[hit]
    if limb.reach[hit] < marks.reach:
        return f"{limb.reach[hit]:.0%} are not far enough"
    if extension < marks.extension:
        return f"it is bent, only {extension:.0%} straight"
    if limb.ahead[hit] < marks.ahead:
        return "it goes behind the body"
    if limb.reach[hit] - beside.reach[hit] < marks.beyond:
        return "that of the other side goes with it"
    if limb.lift[hit] < marks.lowest or limb.lift[hit] > marks.highest:
        return f"it is lifted by only {limb.lift[hit]:.0%} of its length" if KINDS[kind].lifts else "a foot is up"
    if seen.pace[hit] > _IN_PLACE:
        return "the body runs"
    if hit >= furthest and limb.speed[before].max() < marks.speed:
        return f"it gets there slowly, at {limb.speed[before].max():.1f} of its lengths per second at most"
    if hit >= furthest and extension - limb.extension[before].min() < marks.bent_before:
        return "it is straight before that already"
    if len(seen) - hit > furthest and extension - limb.extension[after].min() < marks.bent_after:
        return "it stays straight after that"
    return ""


def _refused(seen: Curves, kind: str, side: Side) -> Iterator[tuple[int, str]]:
    """The moments at which a limb goes out and comes back much as in a strike, the furthest ones, and why each is none."""
    from scipy.signal import find_peaks

    marks, limb = _marks(kind), seen.of(side)
    tops, height = find_peaks(
        limb.reach,
        height=_NEAR * marks.reach,
        prominence=_NEAR * marks.rise,
        distance=_APART * RATE,
        wlen=2 * round(FURTHEST * RATE) + 1,
    )
    furthest = tops[np.argsort(-height["peak_heights"], kind="stable")[:_TOLD]]
    for top in sorted(furthest.tolist()):
        at = _hit_about(limb, top)
        why = _refusal(seen, kind, side, at)
        if why:
            yield at, why


def _hit_about(limb: LimbCurves, top: int) -> int:
    """The hit near the top of reach: while the limb is fully extended, the moment at which its end stands stillest.

    A straight limb stays straight while the body carries it on, so extension alone is vague. An end that never slows down is
    taken where the limb is longest.
    """
    about = round(_APART * RATE)
    first, last = _span_about(limb.reach >= limb.reach[top] - 2 * _FULL, top, about // 2)
    longest = first + int(np.argmax(limb.extension[first:last]))
    full = (limb.extension >= limb.extension[longest] - _FULL) & (limb.reach >= limb.reach[longest] - _FULL)
    first, last = _span_about(full, longest, about)
    stillest = first + int(np.argmin(limb.speed[first:last]))
    at_edge = stillest in (first, last - 1) and stillest not in (0, len(limb.speed) - 1)
    return longest if at_edge else stillest


def _span_about(held: Bools, at: int, most: int) -> tuple[int, int]:
    """First frame and the frame past the last of the run of True in ``held (N,)`` about ``at``, at most ``most`` frames to each side."""
    first, last = next(span for span in spans(held) if span[0] <= at < span[1])
    return max(first, at - most), min(last, at + most + 1)


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


def _nothing(motion: Motion, kind: str, side: Side, seen: Curves, judged: Sequence[Judged], of_other: int) -> str:
    """Why no strike was found, and what was found instead."""
    if judged:
        faults = "; ".join(f"that at {_when(each.hit, motion)}: {fault}" for each, fault in judged)
        return f"{motion.name}: no whole {kind} of the {limb_name(kind, side)} found; {faults}"
    limb, word = seen.of(side), KINDS[kind].limb.name
    furthest = int(np.argmax(limb.reach))
    if limb.reach[furthest] >= _marks(kind).reach:
        furthest = _hit_about(limb, furthest)
    reason = _refusal(seen, kind, side, furthest) or "it does not go out and come back"
    says = (
        f"{motion.name}: no {kind} of the {limb_name(kind, side)} found. Looked for the {word} to go out fast by itself, by at least "
        f"{_marks(kind).reach:.0%} of its length, and to come back; it is furthest out at frame {_frame(furthest, motion)}, by "
        f"{limb.reach[furthest]:.0%}, but {reason}"
    )
    alike = [
        f"the {limb_name(kind, each)} at {_when(top, motion)}: {why}"
        for each in SIDES
        for top, why in _refused(seen, kind, each)
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
    strikes = {each: len(_hits(others, instead, each)) for each in SIDES}
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
