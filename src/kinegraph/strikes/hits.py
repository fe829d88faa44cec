"""Hits: the moments of a take at which a limb strikes.

A hit is where the striking end is furthest out and stands still for a moment. A strike differs from other movements in that one limb goes
out alone, fast, and comes back. Some strikes lack one of these marks, and show others the more clearly: see `_MARKS`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from kinegraph.arrays import Array, Bools
from kinegraph.motion.spans import spans
from kinegraph.strikes.kinds import ARM, KINDS, LEG
from kinegraph.strikes.limb_curves import RATE, Curves, LimbCurves
from kinegraph.strikes.ready import FURTHEST
from kinegraph.strikes.strike import Side, other


@dataclass(frozen=True)
class HitMarks:
    """What makes a movement a strike: least values, unless told otherwise. Lengths are in limb lengths, speeds in these per second."""

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
    seconds: float = FURTHEST
    """The time before the hit in which the limb is bent, is fast and swings back."""
    swung_back: float = -np.inf
    """How far the end is behind its top joint at some time before."""
    trailing: float = np.inf
    """How far the other side's end is behind its top joint at most: in a step it is left behind."""
    astir: float = np.inf
    """The greatest speed of the other side's end just before the hit."""
    forwards: bool = False
    """Whether the end is furthest out where it is furthest ahead: one that swings round the body is out all the time."""
    whole: bool = False
    """Whether all of this must be seen; otherwise nothing is asked of what the take's ends cut off."""


# The usual marks first. They lie between what captured and made strikes show (in the comments: 133 punches, 60 kicks) and what walking,
# running, jumping and balancing do. The others lie between the strikes that lack a usual mark and what takes without strikes do
# (`benchmarks/strike_takes.py --others`).
_MARKS = {
    ARM: (
        # reach 0.80, rise 0.48, extension 0.88, bent 0.34, ahead 0.36, beyond 0.41, speed 4.6 at least; lift 0.12 at most
        HitMarks(0.70, 0.35, 0.80, 0.20, 0.20, 0.2, 0.20, 3.0, -0.3, 0.3),
        # A straight punch out of a guard, so clear that it may go to the side, as that of a trunk which turns with it does, and that the
        # arm may sink without bending: reach 0.99, bent 0.61, ahead 0.06, beyond 0.56, speed 6.8 at least.
        HitMarks(0.80, 0.35, 0.90, 0.45, -np.inf, 0.0, 0.35, 6.0, -0.3, 0.3, seconds=0.5, whole=True),
    ),
    LEG: (
        # reach 0.81, rise 0.60, extension 0.91, bent before 0.22, beyond 0.64, speed 4.4, lift 0.38 at least; a side kick goes
        # to the side, not ahead, and a roundhouse kick comes back with a straight leg
        HitMarks(0.72, 0.40, 0.85, 0.12, 0.0, -0.3, 0.20, 3.0, 0.25, np.inf),
        # A low kick, as of a ball: the leg swings from behind, and the other foot stands still beneath the body; in a step it stays behind.
        # Reach 0.59, extension 0.93, bent 0.20, ahead 0.59, beyond 0.35, speed 4.3, lift 0.10, swung back 0.28 at least; the other foot
        # never behind by more than 0.14 (stepping over something: 0.36), at 0.43 at most.
        HitMarks(
            0.45, 0.35, 0.88, 0.12, -np.inf, 0.45, 0.20, 3.0, 0.08, np.inf,
            seconds=0.5, swung_back=0.20, trailing=0.25, astir=1.2, forwards=True, whole=True,
        ),
    ),
}  # fmt: skip

# Leg lengths per second: a body that travels faster at the hit runs, and throws its arms about.
_IN_PLACE = 2.5
# Hits of one limb are no closer together (seconds).
_APART = 0.2
# Seconds before the hit in which the other foot stands still.
_STANDING = 0.1
# A limb within this much (limb lengths) of its greatest extension and reach about the hit counts as fully extended.
_FULL = 0.03
# Of a strike's least reach and rise: a movement with so much comes near to being one. At most so many of each side are told.
_NEAR, _TOLD = 0.8, 3


def usual_marks(kind: str) -> HitMarks:
    """The marks of most strikes of a kind."""
    return _MARKS[KINDS[kind].limb][0]


def hits(seen: Curves, kind: str, side: Side) -> list[int]:
    """Frames of the curves at which the limb strikes, in order; also those whose way out or back the take's ends cut off."""
    limb, found = seen.of(side), list[int]()
    for marks in _MARKS[KINDS[kind].limb]:
        out = limb.ahead if marks.forwards else limb.reach
        # with nothing on both sides, a limb that is out at an end of the take is a top too
        tops = _tops(np.pad(out, 1), marks.reach, marks.rise) - 1
        more = {hit_about(limb, top, out) for top in tops.tolist()}
        new = [hit for hit in more if all(abs(hit - one) >= _APART * RATE for one in found)]
        found += [hit for hit in new if not _lacks(marks, seen, kind, side, hit)]
    return sorted(found)


def refusal(seen: Curves, kind: str, side: Side, hit: int) -> str:
    """Why a moment at which the limb is out is no hit, in words for people; an empty string where it is one."""
    lacks = [_lacks(marks, seen, kind, side, hit) for marks in _MARKS[KINDS[kind].limb]]
    return lacks[0] if all(lacks) else ""


def refused(seen: Curves, kind: str, side: Side) -> Iterator[tuple[int, str]]:
    """The moments at which a limb goes out and comes back much as in a strike, the furthest ones, and why each is none."""
    marks, limb = usual_marks(kind), seen.of(side)
    tops = _tops(limb.reach, _NEAR * marks.reach, _NEAR * marks.rise)
    furthest = tops[np.argsort(-limb.reach[tops], kind="stable")[:_TOLD]]
    for top in sorted(furthest.tolist()):
        at = hit_about(limb, top, limb.reach)
        why = refusal(seen, kind, side, at)
        if why:
            yield at, why


def hit_about(limb: LimbCurves, top: int, out: Array) -> int:
    """The hit near the top of a curve ``out (N,)``, its reach or how far it is ahead: while the limb is fully extended, the moment at which
    its end stands stillest.

    A straight limb stays straight while the body carries it on, so extension alone is vague. An end that never slows down is
    taken where the limb is longest.
    """
    about = round(_APART * RATE)
    first, last = _span_about(out >= out[top] - 2 * _FULL, top, about // 2)
    longest = first + int(np.argmax(limb.extension[first:last]))
    full = (limb.extension >= limb.extension[longest] - _FULL) & (out >= out[longest] - _FULL)
    first, last = _span_about(full, longest, about)
    stillest = first + int(np.argmin(limb.speed[first:last]))
    at_edge = stillest in (first, last - 1) and stillest not in (0, len(limb.speed) - 1)
    return longest if at_edge else stillest


def _lacks(marks: HitMarks, seen: Curves, kind: str, side: Side, hit: int) -> str:
    """Which of the marks a moment lacks, in words for people; an empty string where it has them all."""
    limb, beside = seen.of(side), seen.of(other(side))
    furthest = round(FURTHEST * RATE)
    before = slice(max(hit - round(marks.seconds * RATE), 0), hit + 1)
    just_before = slice(max(hit - round(_STANDING * RATE), 0), hit + 1)
    after = slice(hit, hit + furthest + 1)
    began, ended = marks.whole or hit >= furthest, marks.whole or len(seen) - hit > furthest
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
    if beside.ahead[hit] < -marks.trailing or beside.speed[just_before].max() > marks.astir:
        return "that of the other side does not stand beneath the body"
    if began and limb.speed[before].max() < marks.speed:
        return f"it gets there slowly, at {limb.speed[before].max():.1f} of its lengths per second at most"
    if began and extension - limb.extension[before].min() < marks.bent_before:
        return "it is straight before that already"
    if began and -limb.ahead[before].min() < marks.swung_back:
        return "it does not swing from behind"
    if ended and extension - limb.extension[after].min() < marks.bent_after:
        return "it stays straight after that"
    return ""


def _tops(out: Array, height: float, rise: float) -> Array:
    """Frames ``(K,)`` at which a curve ``(N,)`` is at least so high, and by so much higher than shortly before and after."""
    from scipy.signal import find_peaks

    window = 2 * round(FURTHEST * RATE) + 1
    tops: Array = find_peaks(out, height=height, prominence=rise, distance=_APART * RATE, wlen=window)[0]
    return tops


def _span_about(held: Bools, at: int, most: int) -> tuple[int, int]:
    """First frame and the frame past the last of the run of True in ``held (N,)`` about ``at``, at most ``most`` frames to each side."""
    first, last = next(span for span in spans(held) if span[0] <= at < span[1])
    return max(first, at - most), min(last, at + most + 1)
