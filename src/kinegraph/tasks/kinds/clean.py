"""`Clean`: feet that stand stand still."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from os import PathLike
from typing import Any

from kinegraph.errors import MotionError, RoleError
from kinegraph.feet.cleanup import STRETCH, Cleaned, FootFigures, clean
from kinegraph.feet.giving import told
from kinegraph.feet.slide import Slides
from kinegraph.feet.sole import has_legs
from kinegraph.formats.registry import load
from kinegraph.motion.clip import Motion
from kinegraph.tasks.made import ONE_LENGTH, Made
from kinegraph.tasks.task import Rows, Task, register
from kinegraph.watch import Watch, Watcher
from kinegraph.wishes import wish


@register
@dataclass(frozen=True)
class Clean(Task):
    """Find when heels and balls stand, and keep them from sliding and sinking meanwhile (Kovar, Schreiner, Gleicher 2002).

    >>> import kinegraph as kg
    >>> quality = Clean().run(kg.samples.make("walk").motion).quality
    >>> quality["held_slide_mm"]["max"] < 0.001, quality["slide_mm"]["max"] < 1
    (True, True)
    """

    name = command = "clean"
    source = "clip"
    summary = "Find when heels and balls stand, and keep them from sliding and sinking meanwhile (Kovar, Schreiner, Gleicher 2002)."
    examples = ("kinegraph clean skating.bvh still.bvh",)

    stretch: float = wish(
        "By which part of their length legs may change where a knee would snap; 0: not at all.", default=STRETCH
    )

    def __post_init__(self) -> None:
        if not 0 <= self.stretch <= 0.2:
            raise MotionError(f"stretch: legs may change by 0 to 0.2 of their length, got {self.stretch:g}")

    def run(self, source: Motion | str | PathLike[str], watch: Watcher = None) -> Made:
        """The motion with feet that do not slide."""
        Watch.of(watch).tell("clean", 0, None)
        motion = source if isinstance(source, Motion) else load(source)
        if not has_legs(motion.skeleton):
            raise RoleError("the joints' names do not tell which are the hips, knees and ankles")
        cleaned = clean(motion, stretch=self.stretch)
        return Made(
            self,
            motion.name,
            cleaned.motion,
            contacts=cleaned.contacts,
            plants=cleaned.report.plants,
            slides=_seen(cleaned.motion),
            notices=(*motion.notices, *told(cleaned.report.eased, motion.fps)),
            details=CleanDetails(cleaned, motion),
        )

    def judge(self, made: Made) -> Mapping[str, Any]:
        """What was done, by the names that `evaluate` uses too."""
        report = made.details.cleaned.report
        return {
            "frames": len(made.motion),
            "seconds": round(made.motion.seconds, 6),
            "plants": len(report.plants),
            **_figures(report.after, made.motion),
            "before": _figures(report.before, made.details.motion),
            "cleaning": {
                "moved_mm": round(1000 * report.moved, 3),
                "lowered_mm": round(1000 * report.lowered, 3),
                "leg_change": round(report.longer, 4),
                "missed_mm": round(1000 * report.missed, 3),
                "released": len(report.released),
                "eased": len(report.eased),
            },
        }

    def tell(self, made: Made) -> Sequence[tuple[str, Rows]]:
        """The same as sentences."""
        facts = made.quality
        before, done = facts["before"], facts["cleaning"]

        def slide(of: Mapping[str, Any]) -> str:
            return f"{of['mean']:.1f} (max {of['max']:.1f}) mm"

        released = f"; {done['released']} contacts let go: they went too far or too fast" if done["released"] else ""
        rows = [
            ("plants", f"{facts['plants']}{released}"),
            (
                "slide",
                f"from {slide(before['slide_mm'])} to {slide(facts['slide_mm'])} where feet are seen to stand, from "
                f"{slide(before['held_slide_mm'])} to {slide(facts['held_slide_mm'])} at the plants that are held",
            ),
            ("sink", f"from {before['penetration_mm']:.1f} to {facts['penetration_mm']:.1f} mm"),
            ("knees", f"from {before['knee_speed']:.1f} to {facts['knee_speed']:.1f} rad/s at most"),
            (
                "changes",
                f"joints by up to {done['moved_mm']:.0f} mm; body lowered by up to {done['lowered_mm']:.0f} mm; "
                f"legs' length by up to {100 * done['leg_change']:.1f} %",
            ),
        ]
        return [(made.title, rows)]

    def warn(self, made: Made) -> tuple[str, ...]:
        """Where feet slide further or knees turn faster than before."""
        from kinegraph.evaluation.quality.figures import Spread
        from kinegraph.evaluation.quality.warnings import fast_knees, sliding

        now, before = made.quality, made.quality["before"]
        slid = sliding(Spread(**now["slide_mm"]), Spread(**before["slide_mm"]))
        return (*slid, *fast_knees(now["knee_speed"], before["knee_speed"]))

    def stretched(self, made: Made) -> float:
        """By which part of their length legs change at most."""
        longer: float = made.details.cleaned.report.longer
        return longer

    def unstretched(self, made: Made) -> Made:
        """The same with legs of one length."""
        return replace(self, stretch=0.0).run(made.details.motion).noting(ONE_LENGTH)


@dataclass(frozen=True, eq=False)
class CleanDetails:
    """What cleaning gave, and the motion as it was."""

    cleaned: Cleaned
    motion: Motion


def _seen(motion: Motion) -> Slides:
    from kinegraph.evaluation.skating import look

    seen = look(motion)
    assert seen is not None  # bodies without legs are refused
    return seen.slides


def _figures(figures: FootFigures, motion: Motion) -> dict[str, Any]:
    return {
        "slide_mm": _spread(_seen(motion)),
        "held_slide_mm": _spread(figures.slides),
        "penetration_mm": round(1000 * figures.penetration, 3),
        "knee_speed": round(figures.knee_speed, 3),
    }


def _spread(slid: Slides) -> dict[str, float]:
    mean, furthest = slid.overall
    return {"mean": round(1000 * mean, 3), "max": round(1000 * furthest, 3)}
