"""What is said of a scene that was made: how its keys, strikes and obstacles were met."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from kinegraph.scenes.landing import StrikeMiss
    from kinegraph.scenes.misses import Bump, KeyMiss


def told(miss: KeyMiss) -> str:
    """What a key misses, met or not."""
    heading = "" if miss.heading is None else f", {np.degrees(miss.heading):.1f}°"
    return f"at {miss.time:g} s: {100 * miss.place:.1f} cm{heading}, {miss.late:.2f} s off"


def struck(one: StrikeMiss) -> str:
    """What a strike misses, however little."""
    return f"at {one.time:g} s by {one.by}: {1000 * one.miss:.1f} mm off"


def leaning(number: int, one: StrikeMiss) -> str:
    """That a body leans to its target."""
    return (
        f"strike {number} (at {one.time:g} s) is bent {100 * one.brought:.0f} cm onto its target: no way led nearer to where it is best "
        "struck from; more time would help"
    )


def wide(number: int, one: StrikeMiss) -> str:
    """That a target is not hit."""
    if not one.struck:
        return (
            f"strike {number} (at {one.time:g} s) is not struck: no way through these clips gets to it in time; give it more time, or put "
            "it where somebody comes by"
        )
    return f"strike {number} (at {one.time:g} s) misses by {100 * one.miss:.1f} cm"


def missed(number: int, miss: KeyMiss) -> str:
    """That a key is missed."""
    heading = "" if miss.heading is None else f" and {np.degrees(miss.heading):.0f}°"
    return f"key {number} (at {miss.time:g} s) is missed by {100 * miss.place:.0f} cm{heading}"


def bumped(one: Bump) -> str:
    """That somebody came too near to an obstacle."""
    return f"at {one.time:.1f} s obstacle {one.obstacle} is {100 * one.depth:.0f} cm nearer than its clearance"
