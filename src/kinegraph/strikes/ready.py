"""Ready poses: where each strike of a take begins and ends. They are where the body is calmest between two hits, its limbs drawn in."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from kinegraph.arrays import Array
from kinegraph.motion.spans import spans
from kinegraph.strikes.kinds import ARM, KINDS, LEG
from kinegraph.strikes.limb_curves import RATE, Curves, LimbCurves
from kinegraph.strikes.strike import Side, limb_name, other

FURTHEST = 1.5
"""Seconds: the ready pose lies no further from the hit than this; nor does what the limb comes from and goes back to."""
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


@dataclass(frozen=True)
class Phases:
    """A strike in frames of the curves."""

    start: int
    """The ready pose."""
    hit: int
    last: int
    """The last frame of the return."""
    fault: str = ""
    """Why it is not complete; empty if it is."""


def phases(seen: Curves, kind: str, side: Side, hits: dict[Side, list[int]], bent: float) -> Iterator[Phases]:
    """Every hit of a side with the ready poses about it. bent: by how much an arm is at least shorter than at the hit where it is drawn in,
    in limb lengths.
    """
    limb, beside = seen.of(side), seen.of(other(side))
    both = sorted(hits["left"] + hits["right"])
    furthest = round(FURTHEST * RATE)
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
            share = _share_out(limb, kind, way, hit, bent)
            unrest = bustle[way]
            in_turn = len(way) > 0 and way[0] in hits[other(side)]
            if in_turn:
                # the body pauses while the other limb hits too, but is ready only between the two, where both are drawn in
                share = np.maximum(share, _share_out(beside, kind, way, int(way[0]), bent))
                unrest = unrest + share
            out = np.maximum(share / (_WHOLLY * _DRAWN_IN[KINDS[kind].limb]) - 1.0, 0.0)
            at = _ready(unrest, out)
            # close to an end of the take, what is not quite ready goes on beyond it
            cut = at is None or (at < _MOMENT * RATE and (bustle[way[at]] > _CUT_OFF or out[at] > 0.0))
            if cut and (hit if len(way) == 0 else way[0]) == edge:
                fault = f"the {end} of the take cuts it off"
            elif at is None:
                where = "before" if edge == 0 else "after"
                fault = (
                    f"no ready pose lies between it and the strike of the {limb_name(kind, other(side))} {where} it"
                    if in_turn
                    else f"no ready pose lies within {FURTHEST:g} s {where} it"
                )
            else:
                ready[which] = int(way[at])
        yield Phases(ready[0], hit, ready[1], fault)


def _share_out(limb: LimbCurves, kind: str, way: NDArray[np.intp], hit: int, bent: float) -> Array:
    """How far out the limb is ``(N,)`` in the frames ``way (N,)`` between a hit of its own and another: of an arm the share of its way
    out, of a leg the ankle's lift in leg lengths.
    """
    if KINDS[kind].lifts:
        return np.maximum(limb.lift[way], 0.0)
    # an arm that was not drawn in at all is not ready anywhere
    least = min(limb.extension[way].min(initial=np.inf), limb.extension[hit] - bent)
    share: Array = (limb.extension[way] - least) / (limb.extension[hit] - least)
    return share


def _ready(bustle: Array, out: Array) -> int | None:
    """Index of the ready pose among frames ``(N,)`` that lead up to a hit: where the body was last calm and the limb drawn in, or nothing.

    bustle: 1 at the strike's liveliest. out: 0 while the limb is wholly drawn in. Where the body idles for long, the strike begins a
    moment before it moves.
    """
    drawn_in = out < 1.0 / _WHOLLY - 1.0
    if not drawn_in.any():
        return None
    unready = bustle + out
    calm = drawn_in & (unready <= unready[drawn_in].min() + _CALM)
    first, last = spans(calm)[-1]
    first = max(first, last - round(_MOMENT * RATE))
    return first + int(np.argmin(unready[first:last]))
