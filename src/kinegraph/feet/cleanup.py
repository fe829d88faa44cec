"""Footskate cleanup: planted feet are kept still.

After Kovar, Schreiner and Gleicher, "Footskate Cleanup for Motion Capture Editing" (SCA 2002), but for all frames at
once. Each plant gets a place, and each foot a target at every frame. The body is lowered where its legs do not reach, and
the legs are bent, and only if that is not enough made slightly longer, to bring the feet to their targets.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from kinegraph.arrays import Array, Bools
from kinegraph.errors import MotionError
from kinegraph.feet import knees
from kinegraph.feet.contacts import contacts as detect
from kinegraph.feet.giving import Eased, Easing, gently
from kinegraph.feet.legs import LEVEL, Lowering, Reached, reach
from kinegraph.feet.plants import Footing, Plant, as_contacts, footing
from kinegraph.feet.slide import Slides, penetration, slides
from kinegraph.feet.sole import Sole, check_legs
from kinegraph.feet.targets import PITCH, Floor, Led, seen_from, yielding
from kinegraph.feet.targets import feet as targets
from kinegraph.motion.clip import Motion
from kinegraph.motion.ranges import Ranges

# By which part of their length the bones of a leg may change, unless told.
STRETCH = 0.02


@dataclass(frozen=True, eq=False)
class FootFigures:
    """A motion's feet in numbers."""

    slides: Slides
    penetration: float
    """The deepest that a foot sinks into the floor, in metres."""
    knee_speed: float
    """The fastest knee, in rad/s."""


@dataclass(frozen=True, eq=False)
class CleaningReport:
    """What `clean` did."""

    plants: tuple[Plant, ...]
    """What it held still."""
    released: tuple[tuple[int, int, int], ...]
    """Spans (column of the contacts, first, last) where the contacts were wrong: the point went too far or too fast, or was in the air."""
    eased: tuple[Eased, ...]
    """Spans where holding a foot would have made its leg snap, so that it gave way."""
    before: FootFigures
    after: FootFigures
    knee_limit: float
    """99.9th percentile of the knees' speed before, in rad/s."""
    moved: float
    """The furthest that any joint was moved, in metres."""
    lowered: float
    """The most that the body was lowered, in metres."""
    longer: float
    """The most that a leg changed its length, as a share of that length."""
    missed: float
    """The furthest that a planted ankle fell short of its target, in metres."""


@dataclass(frozen=True, eq=False)
class Cleaned:
    """A motion whose feet do not slide, and what was done to it."""

    motion: Motion
    report: CleaningReport

    @property
    def contacts(self) -> Bools:
        """When left heel, left ball, right heel and right ball stand still: ``(F, 4)``."""
        return as_contacts(self.report.plants, len(self.motion))


def clean(
    motion: Motion,
    contacts: Bools | None = None,
    *,
    stretch: float = STRETCH,
    knee_limit: float | None = None,
    feet: Footing | None = None,
    pitch: float = PITCH,
    ranges: Ranges | None = None,
) -> Cleaned:
    """The motion with planted feet that do not slide, and a report.

    - contacts: ``(F, 4)``, when left heel, left ball, right heel and right ball stand; by default `contacts` finds them
    - stretch: the share of their length by which a leg's bones may change, if otherwise the leg would not reach or the knee
      would snap; 0 forbids it. The motion only has translations if bones did change.
    - knee_limit: rad/s that no knee should exceed, such as `knees.usual` of the clips that a walk was made from; by default
      what is usual in this motion, or what the knee does at that moment anyway
    - feet: where they stand, if that is known already; contacts are not looked at then
    - pitch: radians by which a foot at most pitches about its ball so that its leg need not follow
    - ranges: what joints do in the clips: a foot that would bend its leg much further goes partly along with the body

    No leg becomes worse than it was: where a knee would turn faster, or a leg be jerked harder, than about that moment before, the body
    is lowered, or the foot let go, and the report says so (`CleaningReport.eased`).

    If nothing stands and nothing sinks into the floor, the poses stay the same.

    >>> import kinegraph as kg
    >>> from dataclasses import replace
    >>> walk = kg.samples.make("walk").motion
    >>> skating = replace(walk, root=walk.root * [1, 1, 1.1])    # 10 % too far for its steps
    >>> report = kg.feet.clean(skating).report
    >>> [round(1000 * figures.slides.overall[1]) for figures in (report.before, report.after)]    # the longest slide in millimetres
    [35, 0]
    """
    if not 0.0 <= stretch <= 0.2:
        raise MotionError(f"legs may stretch by 0 to 0.2 of their length, got {stretch:g}")
    if knee_limit is not None and not knee_limit > 0.0:
        raise MotionError(f"a knee must be allowed to move: the limit of its speed must be above 0, got {knee_limit:g}")
    check_legs(motion.skeleton)
    found = footing(motion, detect(motion) if contacts is None else contacts) if feet is None else feet

    def holding(feet: Footing, easing: Easing) -> tuple[Motion, Reached]:
        return held(
            motion, feet, stretch=stretch, knee_limit=knee_limit, stance=easing.stance, share=easing.share, pitch=pitch
        )

    cleaned, reached, found, eased = gently(motion, found, holding, knee_limit, ranges)
    report = CleaningReport(
        plants=found.plants,
        released=found.released,
        eased=eased,
        before=figures(motion, found.plants, found.soles),
        after=figures(cleaned, found.plants, found.soles),
        knee_limit=knees.usual(motion),
        moved=float(np.linalg.norm(cleaned.positions - motion.positions, axis=-1).max()),
        lowered=float(reached.lowered.max()),
        longer=float(np.abs(reached.longer).max()),
        missed=float(reached.missed.max()),
    )
    return Cleaned(cleaned, report)


def held(
    motion: Motion,
    feet: Footing,
    *,
    stretch: float = STRETCH,
    knee_limit: float | None = None,
    floor: Floor | None = None,
    stance: Lowering = LEVEL,
    steps: Motion | None = None,
    share: Array | None = None,
    pitch: float = PITCH,
) -> tuple[Motion, Reached]:
    """The motion with its feet held where ``feet`` says that they stand, and what its legs had to do for it.

    floor: the ground that feet stand on and must not sink into; by default y = 0. stance: how far the body may be lowered.
    stretch, knee_limit: as in `clean`. steps: a motion of the same skeleton whose feet are followed instead of the body's
    own, for a body whose feet have been moved off their way. share: ``(F, 2)``, how much of what would
    hold them is done to the left and the right foot; by default all. pitch: as in `clean`.
    """
    led: Led = targets(motion if steps is None else steps, feet.soles, feet.plants, floor, pitch)
    if steps is not None:
        led = seen_from(led, steps, motion)
    if share is not None:
        led = yielding(led, motion, share)
    reached = reach(motion, led, stretch, knee_limit, stance, level=floor is None)
    longer = _translations(motion, feet.soles, reached)
    return replace(motion, root=reached.root, rotations=reached.rotations, translations=longer), reached


def figures(motion: Motion, stood: tuple[Plant, ...], feet: tuple[Sole, Sole]) -> FootFigures:
    """The feet of a motion in numbers, where they should stand as these plants say."""
    return FootFigures(
        slides(motion, stood, feet), float(penetration(motion, feet).max()), float(knees.speed(motion).max())
    )


def _translations(motion: Motion, feet: tuple[Sole, Sole], reached: Reached) -> Array | None:
    """Offsets ``(F, J, 3)`` of the bones, where any of them grew or the motion has its own."""
    if not reached.longer.any():
        return motion.translations
    shape = (len(motion), len(motion.skeleton), 3)
    out = np.array(
        np.broadcast_to(motion.skeleton.offsets, shape) if motion.translations is None else motion.translations
    )
    for column, sole in enumerate(feet):
        bones = motion.skeleton.chain(sole.hip, sole.ankle)[1:]
        out[:, bones] *= 1.0 + reached.longer[:, column, None, None]
    return out
