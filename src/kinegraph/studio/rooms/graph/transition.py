"""A transition as it would be played: the one clip, the blend, the other clip. Feet are left as the blend gives them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from kinegraph import blending
from kinegraph.blending.between import between
from kinegraph.motion import Motion
from kinegraph.player import motion_pack
from kinegraph.similarity.maps import laid_on
from kinegraph.studio.contacts import known_contacts
from kinegraph.studio.rooms.graph.matrix import Measure, pair


@dataclass(frozen=True, eq=False)
class Transition:
    """The motion; frames first … first + length − 1 of it are the blend. cost_cm: the distance of the two windows."""

    motion: Motion
    contacts: NDArray[np.bool_] | None
    first: int
    length: int
    cost_cm: float


def transition(motions: Sequence[Motion], i: int, j: int, measure: Measure, blend: str, lead: float) -> Transition:
    """From the window at frame ``i`` of the first clip to that at frame ``j`` of the second, with ``lead`` seconds of each about it.

    Both are laid as the windows are: the first stays where it is.
    """
    mixing = blending.blend(blend)
    made, window = pair(motions, measure)
    cost, laid = laid_on(made.motions, i, j, window)
    both, sound = (made.first, made.second), (made.sound[0], made.sound[-1])
    found = [known_contacts(motion) for motion in both]
    contacts = [np.zeros((len(one), 4), bool) if down is None else down for one, down in zip(both, found, strict=True)]
    frames = round(lead * measure.fps)
    played = between(both, contacts, sound, (i, j), window, laid, mixing, before=frames, after=frames)
    named = played.motion.renamed(f"{made.first.name} → {made.second.name}")
    known = None if found[0] is None else played.contacts
    return Transition(named, known, played.transitions[0].first, window, 100 * cost)


def transition_pack(made: Transition, blend: str) -> bytes:
    """A transition as a motion pack."""
    facts = {"first": made.first, "length": made.length, "blend": blend, "cost_cm": round(made.cost_cm, 4)}
    return motion_pack(made.motion, contacts=made.contacts, facts={"transition": facts})
