"""What a space contains and where it can strike, for JSON and for people."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from kinegraph.arrays import Array
    from kinegraph.strikes.space import Space

FRAME = "metres from below the ready pose: X to the left, Y up from the floor, Z ahead; of the wrist, or a kick's ankle"
"""How targets are given, for people."""

# Degrees by which the ready pose may face past what is called ahead and still seem to face there.
_STRAIGHT = 0.5


def point(place: Array | Sequence[float]) -> str:
    """Coordinates in metres as people write them on the command line: ``-0.20,1.30``."""
    # adding zero keeps what rounds to nothing from being called minus nothing
    return ",".join(f"{round(float(value), 2) + 0.0:.2f}" for value in place)


def numbers(place: Array | Sequence[float]) -> list[float]:
    """Coordinates in metres for JSON: to a hundredth of a millimetre."""
    return [round(float(value), 5) + 0.0 for value in place]


def facing_degrees(space: Space) -> float:
    """By how many degrees the mean ready pose faces to the left of ahead: 0 unless ahead is where the strikes go."""
    import numpy as np

    from kinegraph.motion import Motion

    examples = space.examples
    ready = Motion(examples.skeleton, examples.root[:, 0], examples.rotations[:, 0], examples.fps)
    left, _, ahead = ready.facing().mean(axis=0)
    return float(np.degrees(np.arctan2(left, ahead)))


def forward_sentence(space: Space) -> str:
    """Which direction the space calls ahead."""
    aside = facing_degrees(space)
    if abs(aside) < _STRAIGHT:
        return "ahead is where the ready pose faces"
    return f"ahead is where the strikes go: the ready pose faces {abs(aside):.0f}° to the {'left' if aside > 0 else 'right'} of it"


def middle(space: Space) -> Array:
    """A target in the middle of the region, ``(2,)``."""
    place: Array = space.region.corners.mean(axis=0)
    return place


def strikes(space: Space) -> list[dict[str, Any]]:
    """The examples for JSON: frames of their clips, target in metres, and seconds from start to end."""
    examples = space.examples
    return [
        {
            "clip": strike.clip,
            "start": strike.start,
            "hit": strike.hit,
            "end": strike.end,
            "target": numbers(target),
            "seconds": round(float(times[-1] - times[0]), 3),
        }
        for strike, target, times in zip(examples.strikes, examples.hits, examples.times, strict=True)
    ]


def facts(space: Space) -> dict[str, Any]:
    """All that there is to tell of a space, for JSON."""
    examples = space.examples
    return {
        "name": space.name,
        "kind": examples.kind,
        "side": examples.side,
        "fps": examples.fps,
        "clips": list(dict.fromkeys(strike.clip for strike in examples.strikes)),
        "strikes": strikes(space),
        **place_facts(space),
        "choice": space.choice.to_dict(),
    }


def rows(space: Space) -> list[tuple[str, str]]:
    """The same as sentences, each with its subject, and how far to trust what is made."""
    from kinegraph.strikes.kinds import KINDS
    from kinegraph.strikes.strike import limb_name

    examples, trust = space.examples, reliability(space)
    limb, edge = limb_name(examples.kind, examples.side), trust["region"]
    corners = ", ".join(f"{corner.replace('_', ' ')} {value:.2f}" for corner, value in trust["box"].items())
    sure = f"{trust['middle']:.2f} in the middle, {min(edge):.2f} to {max(edge):.2f} at the region's corners; box: {corners}"
    return [
        ("strikes", f"{len(examples)} {KINDS[examples.kind].plural} with the {limb}, at {examples.fps:g} frames/s"),
        *place_rows(space),
        ("reliability", sure),
    ]


def place_facts(space: Space) -> dict[str, Any]:
    """Region and box for JSON, and how far ahead the examples hit."""
    ahead = space.examples.hits[:, 2]
    return {
        "region": [numbers(corner) for corner in space.region.corners],
        "box": {"low": numbers(space.region.low), "high": numbers(space.region.high)},
        "ahead": numbers((ahead.min(), ahead.max())),
        "facing_degrees": round(facing_degrees(space), 2),
    }


def place_rows(space: Space) -> list[tuple[str, str]]:
    """Where the space is, as sentences, each with its subject."""
    (left, low), (right, high) = space.region.low, space.region.high
    ahead = space.examples.hits[:, 2]
    corners = " ".join(point(corner) for corner in space.region.corners)
    return [
        ("frame", f"{FRAME}; {forward_sentence(space)}"),
        (
            "box",
            f"X {left:.2f} to {right:.2f}, Y {low:.2f} to {high:.2f}; the strikes hit {ahead.min():.2f} to {ahead.max():.2f} ahead",
        ),
        ("region", f"{_area(space.region.corners):.2f} m² within {corners}"),
        ("made from", str(space.choice)),
    ]


def _area(corners: Array) -> float:
    x, y = corners.T
    return abs(float(sum(x[i - 1] * y[i] - x[i] * y[i - 1] for i in range(len(x))))) / 2


def reliability(space: Space) -> dict[str, Any]:
    """How far targets are to be trusted: in the midst of the region, at its corners, and at those of the box."""
    low, high = space.region.low, space.region.high

    def at(target: Array | tuple[float, float]) -> float:
        return round(space.reach(target).reliability, 3)

    box = {
        "right_low": (low[0], low[1]), "right_high": (low[0], high[1]),
        "left_high": (high[0], high[1]), "left_low": (high[0], low[1]),
    }  # fmt: skip
    return {
        "middle": at(middle(space)),
        "region": [at(corner) for corner in space.region.corners],
        "box": {corner: at(place) for corner, place in box.items()},
    }
