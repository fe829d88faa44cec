"""A transition before there is a graph: two clips blended at a pair of windows. Feet are left as the blend gives them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from kinegraph.arrays import Bools
from kinegraph.blending.between import between
from kinegraph.blending.named import blend as blend_of
from kinegraph.feet.contacts import known_contacts
from kinegraph.motion.clip import Motion
from kinegraph.similarity.maps import alike, laid_on, window_of


@dataclass(frozen=True, eq=False)
class PreviewedTransition:
    """The motion; frames first … first + length − 1 of it are the blend. cost_cm: the distance of the two windows."""

    motion: Motion
    contacts: Bools | None
    first: int
    length: int
    cost_cm: float


def preview(
    motions: Sequence[Motion], i: int, j: int, *, fps: float, window: float | None, blend: str, lead: float
) -> PreviewedTransition:
    """From the window at frame ``i`` of the first clip to that at frame ``j`` of the second, with ``lead`` seconds of each about it.

    Both are laid as the windows are: the first stays where it is.
    """
    mixing = blend_of(blend)
    made = alike(motions, fps)
    length = window_of(made.motions, window, most=None)
    cost, laid = laid_on(made.motions, i, j, length)
    both, sound = (made.first, made.second), (made.sound[0], made.sound[-1])
    found = [known_contacts(motion) for motion in both]
    contacts = [np.zeros((len(one), 4), bool) if down is None else down for one, down in zip(both, found, strict=True)]
    frames = round(lead * fps)
    played = between(both, contacts, sound, (i, j), length, laid, mixing, before=frames, after=frames)
    named = played.motion.renamed(f"{made.first.name} → {made.second.name}")
    known = None if found[0] is None else played.contacts
    return PreviewedTransition(named, known, played.transitions[0].first, length, 100 * cost)
