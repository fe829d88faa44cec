"""The strike finder: one long take becomes separate strikes, each from the ready pose to the hit and back.

A hit is where the striking end is furthest out and stands still for a moment. A strike differs from other movements in that one
limb goes out alone, fast, and comes back. Ready poses are where the body is calmest between two hits.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from kinegraph.arrays import Array, Bools
from kinegraph.errors import RoleError, SpaceError
from kinegraph.motion import Motion
from kinegraph.motion.leaps import sound_frames
from kinegraph.motion.spans import spans
from kinegraph.strikes.kinds import ARM, KINDS, LEG, kind_of
from kinegraph.strikes.limb_curves import RATE, Curves, LimbCurves, curves
from kinegraph.strikes.strike import SIDES, CapturedStrike, Side, check_side, limb_name, other


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
# Seconds: the ready pose lies no further from the hit than this; nor does what the limb comes from and goes back to.
_FURTHEST = 1.5
# Leg lengths per second: a body that travels faster at the hit runs, and throws its arms about.
_IN_PLACE = 2.5
# Hits of one limb are no closer together (seconds).
_APART = 0.2
# A limb within this much (limb lengths) of its greatest extension and reach about the hit counts as fully extended.
_FULL = 0.03
# Below these the limb is drawn in: of an arm the share of its way out, of a leg the ankle's lift in leg lengths, since heels may be up.
_DRAWN_IN = {ARM: 0.5, LEG: 0.18}
# Below this share of them it is so wholly: an arm a little out of its guard is as ready as one drawn back.
_WHOLLY = 0.6
# By how much a moment may be livelier than the calmest, as a share of the liveliest, and still be calm.
_CALM = 0.08
# Seconds before the body begins to move, and after it has come to rest, that belong to the strike.
_MOMENT = 0.2
# A body that, close to an end of the take, never gets below this share of the strike's liveliest is in the middle of it.
_CUT_OFF = 0.5
# Shares of the median, below and above which a strike is unlike the others of its take; and from how many strikes there is a median.
_SHORTER, _SLOWER, _BRIEFER, _LONGER, _SEVERAL = 0.85, 0.5, 0.5, 2.0, 4
# A striking end whose share of its greatest speed that is left at the hit is higher than the others' by this much swings past its target.
_PASSING = 0.25
# Where the lesser side strikes at least this share of the other side's times, a take is of both.
_MIXED = 0.5


@dataclass(frozen=True)
class Found:
    """The strikes of one take, all by the same limb."""

    strikes: tuple[CapturedStrike, ...]
    """In order of time."""
    kind: str
    side: Side
    notices: tuple[str, ...]
    """What was left out and why, for people."""


@dataclass(frozen=True)
class _Phases:
    """A strike in frames of the curves."""

    start: int
    """The ready pose."""
    hit: int
    last: int
    """The last frame of the return."""
    fault: str = ""
    """Why it is not complete; empty if it is."""


def find(motion: Motion, kind: str, side: Side | None = None) -> Found:
    """The strikes of a take.

    side: of the striking limb; None means the side that strikes. A take without strikes is a `SpaceError`, and so is one in
    which both sides strike if ``side`` is None. A skeleton that lacks the limbs is a `RoleError`.

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
    found = {each: list(_phases(seen, kind, each, hits)) for each in SIDES}
    counts = {each: sum(not phases.fault for phases in found[each]) for each in SIDES}
    chosen = _the_side(motion, kind, counts) if side is None else side
    notices = []
    rest = counts[other(chosen)]
    if counts[chosen] == 0:
        raise SpaceError(_nothing(motion, kind, chosen, seen, found[chosen], rest))
    if side is None and rest:
        notices.append(
            f"{motion.name}: the {limb_name(kind, other(chosen))} strikes too, {_times(rest)}; "
            f"the {limb_name(kind, chosen)} does {_times(counts[chosen])}, and its strikes are taken"
        )
    strikes = []
    for phases, fault in _judged(motion, seen.of(chosen), found[chosen]):
        if fault:
            at = _frame(phases.hit, motion)
            notices.append(f"{motion.name}: the {kind} at frame {at} ({at / motion.fps:.2f} s) is left out: {fault}")
        else:
            strikes.append(_strike(phases, motion))
    if not strikes:
        raise SpaceError(f"no {kind} of {motion.name} can be used. " + "; ".join(notices))
    return Found(tuple(strikes), kind, chosen, tuple(notices))


def _marks(kind: str) -> _Marks:
    return _MARKS[KINDS[kind].limb]


# -- hits --------------------------------------------------------------------------------------------------------------


def _hits(seen: Curves, kind: str, side: Side) -> list[int]:
    """Frames of the curves at which the limb strikes, in order; also those whose way out or back the take's ends cut off."""
    from scipy.signal import find_peaks

    marks, limb = _marks(kind), seen.of(side)
    window = 2 * round(_FURTHEST * RATE) + 1
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
    furthest = round(_FURTHEST * RATE)
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
        return "it is no higher than the other foot" if KINDS[kind].lifts else "a foot is up"
    if seen.pace[hit] > _IN_PLACE:
        return "the body runs"
    if hit >= furthest and limb.speed[before].max() < marks.speed:
        return f"it gets there slowly, at {limb.speed[before].max():.1f} of its lengths per second at most"
    if hit >= furthest and extension - limb.extension[before].min() < marks.bent_before:
        return "it is straight before that already"
    if len(seen) - hit > furthest and extension - limb.extension[after].min() < marks.bent_after:
        return "it stays straight after that"
    return ""


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


# -- ready poses -------------------------------------------------------------------------------------------------------


def _phases(seen: Curves, kind: str, side: Side, hits: dict[Side, list[int]]) -> Iterator[_Phases]:
    """Every hit of a side with the ready poses about it."""
    limb = seen.of(side)
    both = sorted(hits["left"] + hits["right"])
    furthest = round(_FURTHEST * RATE)
    for hit in hits[side]:
        earliest = max([hit - furthest, 0, *(one for one in both if one < hit)])
        latest = min([hit + furthest, len(seen) - 1, *(one for one in both if one > hit)])
        # the return is the way out played backwards
        ways = np.arange(earliest, hit), np.arange(latest, hit, -1)
        bustle = seen.bustle / seen.bustle[earliest : latest + 1].max()
        ready = [earliest, latest]
        fault = ""
        for which, (end, edge) in enumerate((("beginning", 0), ("end", len(seen) - 1))):
            way = ways[which]
            out = _out(limb, kind, way, hit)
            at = _ready(bustle[way], out)
            # close to an end of the take, what is not quite ready goes on beyond it
            cut = at is None or (at < _MOMENT * RATE and (bustle[way[at]] > _CUT_OFF or out[at] > 0.0))
            if cut and (hit if len(way) == 0 else way[0]) == edge:
                fault = f"the {end} of the take cuts it off"
            elif at is None:
                fault = f"no ready pose lies within {_FURTHEST:g} s {'before' if edge == 0 else 'after'} it"
            else:
                ready[which] = int(way[at])
        yield _Phases(ready[0], hit, ready[1], fault)


def _out(limb: LimbCurves, kind: str, way: NDArray[np.intp], hit: int) -> Array:
    """How far out the limb is ``(N,)`` in the frames ``way (N,)`` that lead up to a hit: 0 while it is wholly drawn in."""
    if KINDS[kind].lifts:
        out = np.maximum(limb.lift[way], 0.0)
    else:
        # an arm that was not drawn in at all is not ready anywhere
        least = min(limb.extension[way].min(initial=np.inf), limb.extension[hit] - _marks(kind).bent_before)
        out = (limb.extension[way] - least) / (limb.extension[hit] - least)
    beyond: Array = np.maximum(out / (_WHOLLY * _DRAWN_IN[KINDS[kind].limb]) - 1.0, 0.0)
    return beyond


def _ready(bustle: Array, out: Array) -> int | None:
    """Index of the ready pose among frames ``(N,)`` that lead up to a hit: where the body was last calm and the limb drawn in, or nothing.

    bustle: 1 at the strike's liveliest. Where the body idles for long, the strike begins a moment before it moves.
    """
    drawn_in = out < 1.0 / _WHOLLY - 1.0
    if not drawn_in.any():
        return None
    unready = bustle + out
    calm = drawn_in & (unready <= unready[drawn_in].min() + _CALM)
    first, last = spans(calm)[-1]
    first = max(first, last - round(_MOMENT * RATE))
    return first + int(np.argmin(unready[first:last]))


# -- which of them are used --------------------------------------------------------------------------------------------


def _judged(motion: Motion, limb: LimbCurves, found: Sequence[_Phases]) -> Iterator[tuple[_Phases, str]]:
    """Every strike found, with what is wrong with it, or an empty string."""
    whole = [phases for phases in found if not phases.fault]
    usual = np.median([_measures(limb, phases) for phases in whole], axis=0)
    sound = sound_frames(motion)
    for phases in found:
        first = _frame(phases.start, motion)
        lost = ~sound[first : _frame(phases.last, motion) + 1]
        fault = phases.fault
        if not fault and lost.any():
            fault = f"the capture lost a joint at frame {first + int(np.argmax(lost))}"
        elif not fault and len(whole) >= _SEVERAL:
            fault = _unlike(_measures(limb, phases), usual)
        yield phases, fault


def _measures(limb: LimbCurves, phases: _Phases) -> Array:
    """Extension at the hit, greatest speed on the way out, share of it that is left at the hit, and seconds."""
    fastest = limb.speed[phases.start : phases.hit + 1].max()
    seconds = (phases.last - phases.start) / RATE
    return np.array([limb.extension[phases.hit], fastest, limb.speed[phases.hit] / fastest, seconds])


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


def _the_side(motion: Motion, kind: str, counts: dict[Side, int]) -> Side:
    """The side that strikes more often; a `SpaceError` where both do."""
    lesser, greater = sorted(SIDES, key=lambda side: counts[side])
    if counts[lesser] and counts[lesser] >= _MIXED * counts[greater]:
        raise SpaceError(
            f"{motion.name}: both sides strike, the {limb_name(kind, 'left')} {_times(counts['left'])} and the "
            f"{limb_name(kind, 'right')} {_times(counts['right'])}: say which side is meant, left or right"
        )
    return greater


def _nothing(motion: Motion, kind: str, side: Side, seen: Curves, found: Sequence[_Phases], of_other: int) -> str:
    """Why no strike was found, and what was found instead."""
    if found:
        faults = "; ".join(f"that at frame {_frame(each.hit, motion)}: {each.fault}" for each in found)
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


def _frame(at: int, motion: Motion) -> int:
    """The take's frame nearest to a frame of the curves."""
    return min(round(at * motion.fps / RATE), len(motion) - 1)


def _strike(phases: _Phases, motion: Motion) -> CapturedStrike:
    start, hit, last = (_frame(at, motion) for at in (phases.start, phases.hit, phases.last))
    return CapturedStrike(motion.name, start, hit, last + 1)
