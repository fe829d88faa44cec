"""A strike at a target in figures: where it hits, what it is blended from, and what finishing it took."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from kinegraph.arrays import Bools
from kinegraph.motion.clip import Motion
from kinegraph.motion.mirroring import mirror as mirrored
from kinegraph.strikes import told
from kinegraph.strikes.finish import Finish
from kinegraph.strikes.solve import BEYOND, Bounds, Method
from kinegraph.strikes.space import Reach, Space
from kinegraph.strikes.strike import limb_name, other


@dataclass(frozen=True, eq=False)
class Struck:
    """A strike that was made."""

    space: Space
    reach: Reach
    target: tuple[float, ...]
    """As it was asked for, in metres."""
    mirrored: bool = False
    """Whether it strikes with the other hand or foot than the space does."""
    chosen: bool = False
    """Whether the space itself chose how to make it."""

    @cached_property
    def motion(self) -> Motion:
        """The strike, with the hand or foot that was asked for."""
        return mirrored(self.reach.motion) if self.mirrored else self.reach.motion

    @property
    def contacts(self) -> Bools:
        """When left heel, left ball, right heel and right ball of `motion` stand: ``(F, 4)``."""
        return self.reach.contacts[:, [2, 3, 0, 1]] if self.mirrored else self.reach.contacts

    @property
    def hit(self) -> list[float]:
        """Where the strike hits, in the coordinates of `motion`."""
        x, y, z = told.numbers(self.reach.hit)
        return [-x if self.mirrored else x, y, z]

    @property
    def limb(self) -> str:
        """What strikes, for people: ``right hand``."""
        examples = self.space.examples
        return limb_name(examples.kind, other(examples.side) if self.mirrored else examples.side)

    @property
    def missed(self) -> str:
        """What to say about a target that was not reached; nothing if it was."""
        if self.reach.reached:
            return ""
        done = self.reach.finish
        bent = (
            f" with joints bent by up to {math.degrees(done.turned):.0f}°" if done is not None and done.turned else ""
        )
        return (
            f"{told.point(self.target)} cannot be reached: the nearest strike hits {told.point(self.hit[: len(self.target)])}{bent} and "
            f"misses it by {100 * self.reach.miss:.1f} cm"
        )

    @property
    def instead(self) -> str:
        """What to say where the space makes no blend, though nobody asked for that; nothing where it does, or was told what to do."""
        if not self.chosen or self.reach.way != "nearest":
            return ""
        return f"{self.space.name} is made from {self.space.choice}; the method blend blends all the same"


def strike(
    space: Space,
    target: tuple[float, ...] | list[float],
    *,
    method: Method = "auto",
    bounds: Bounds = BEYOND,
    finished: bool = True,
    mirror: bool = False,
    fps: float | None = None,
) -> Struck:
    """The strike at ``target``. mirror: strike with the other hand or foot; the target stays where it is. The rest as for `Space.reach`."""
    goal = tuple(target)
    asked = (-goal[0], *goal[1:]) if mirror else goal
    reach = space.reach(asked, method=method, bounds=bounds, finished=finished, fps=fps)
    return Struck(space, reach, goal, mirror, chosen=method == "auto")


def weights(made: Struck) -> list[dict[str, Any]]:
    """What the strike is blended from, largest weight first."""
    strikes = made.space.examples.strikes
    order = sorted(range(len(strikes)), key=lambda index: -float(made.reach.weights[index]))
    rows = [(strikes[index], round(float(made.reach.weights[index]), 4)) for index in order]
    return [{"clip": each.clip, "hit": each.hit, "weight": weight} for each, weight in rows if weight]


def strike_facts(made: Struck) -> dict[str, Any]:
    """All figures of a strike by name, rounded, ready for JSON."""
    found = made.reach
    return {
        "target": list(made.target),
        "hit": made.hit,
        "hit_frame": found.hit_frame,
        "miss_cm": round(100 * found.miss, 4),
        "reached": found.reached,
        "inside": found.inside,
        "reliability": round(found.reliability, 3),
        "frames": len(made.motion),
        "fps": made.motion.fps,
        "seconds": round(made.motion.seconds, 3),
        "mirrored": made.mirrored,
        "way": found.way,
        "choice": made.space.choice.to_dict(),
        "weights": weights(made),
        "finish": finish_facts(found.finish),
    }


def finish_facts(done: Finish | None) -> dict[str, Any] | None:
    """What finishing took, ready for JSON; None if it was not finished."""
    if done is None:
        return None
    return {
        "turned_deg": round(math.degrees(done.turned), 3),
        "lowered_cm": round(100 * done.lowered, 3),
        "overhang_cm": round(100 * done.overhang, 2),
        "examples_overhang_cm": round(100 * done.usual, 2),
        "balanced": done.balanced,
    }


def finish_sentence(done: Finish | None) -> str:
    """What the finish did, for people."""
    if done is None:
        return "none: feet are not held"
    parts = ["feet held"]
    parts.append(
        f"joints turned by up to {math.degrees(done.turned):.1f}°" if done.turned else "no joint turned for the hit"
    )
    if done.lowered >= 0.0005:
        parts.append(f"body lowered by up to {100 * done.lowered:.1f} cm")
    beyond = 100 * (done.overhang - done.usual)
    parts.append(
        "in balance" if done.balanced else f"out of balance: it leans {beyond:.0f} cm further than any example"
    )
    return ", ".join(parts)
