"""`kinegraph clean`: feet that stand stand still."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from kinegraph.cli import console, making, reading
from kinegraph.errors import FormatError, MotionError, RoleError
from kinegraph.formats import save

if TYPE_CHECKING:
    from kinegraph.feet.cleanup import CleaningReport, FootFigures


def clean(
    source: Annotated[Path, typer.Argument(metavar="IN", help="Motion file (.bvh, .amc, .glb, .npz …).")],
    target: Annotated[Path, typer.Argument(metavar="OUT", help="File to write; its suffix says the format.")],
    stretch: Annotated[
        float,
        typer.Option(
            "--stretch", help="By which part of their length legs may change where a knee would snap; 0: not at all."
        ),
    ] = 0.02,
    skeleton: reading.Skeleton = None,
    units: reading.Units = "auto",
    up: reading.Up = "y",
    rate: reading.Rate = None,
    keep_tpose: reading.KeepTpose = False,
    roles: reading.Roles = None,
    as_json: reading.AsJson = False,
) -> None:
    """Find when heels and balls stand, and keep them from sliding and sinking meanwhile (Kovar, Schreiner, Gleicher 2002).

    Example: kinegraph clean skating.bvh still.bvh
    """
    if not 0 <= stretch <= 0.2:
        raise MotionError(f"--stretch: legs may change by 0 to 0.2 of their length, got {stretch:g}")
    making.check_motion_target(target)
    if target.exists() and source.exists() and target.samefile(source):
        raise FormatError("this is the source itself: give another name to write to", target)
    from kinegraph.feet.cleanup import clean as cleanup
    from kinegraph.feet.sole import has_legs

    motion = reading.read(source, skeleton=skeleton, units=units, up=up, rate=rate, keep_tpose=keep_tpose, roles=roles)
    if not has_legs(motion.skeleton):
        raise RoleError(
            f"{source}: the joints' names do not tell which are the hips, knees and ankles: say which joint is what with --roles F.toml"
        )
    notices = list(motion.notices)
    cleaned = cleanup(motion, stretch=stretch)
    if cleaned.report.longer and target.suffix.lower() == ".amc":
        cleaned = cleanup(motion, stretch=0.0)
        notices.append("an AMC's bones have one length: the feet are cleaned without changing that of the legs")
    elif cleaned.report.longer:
        notices.append(making.stretch_notice(cleaned.report.longer, target))
    save(cleaned.motion, target)
    facts = _facts(cleaned.report)
    if as_json:
        length = {"frames": len(motion), "seconds": round(motion.seconds, 6)}
        console.report({"source": str(source), "target": str(target), **length, **facts, "notices": notices})
        return
    making.print_rows(str(source), _rows(facts))
    for sentence in notices:
        console.notice(sentence, str(source))
    making.written(target, cleaned.motion)


def _facts(report: CleaningReport) -> dict[str, Any]:
    """What was done, by the names that `evaluate` uses too."""
    return {
        "plants": len(report.plants),
        **_figures(report.after),
        "before": _figures(report.before),
        "cleaning": {
            "moved_mm": round(1000 * report.moved, 3),
            "lowered_mm": round(1000 * report.lowered, 3),
            "leg_change": round(report.longer, 4),
            "missed_mm": round(1000 * report.missed, 3),
            "released": len(report.released),
        },
    }


def _figures(figures: FootFigures) -> dict[str, Any]:
    mean, furthest = figures.slides.overall
    return {
        "slide_mm": {"mean": round(1000 * mean, 3), "max": round(1000 * furthest, 3)},
        "penetration_mm": round(1000 * figures.penetration, 3),
        "knee_speed": round(figures.knee_speed, 3),
    }


def _rows(facts: dict[str, Any]) -> list[tuple[str, str]]:
    before, done = facts["before"], facts["cleaning"]

    def slide(of: dict[str, Any]) -> str:
        return f"{of['slide_mm']['mean']:.1f} (max {of['slide_mm']['max']:.1f}) mm"

    released = f"; {done['released']} contacts let go: they went too far or too fast" if done["released"] else ""
    return [
        ("plants", f"{facts['plants']}{released}"),
        ("slide", f"from {slide(before)} to {slide(facts)}"),
        ("sink", f"from {before['penetration_mm']:.1f} to {facts['penetration_mm']:.1f} mm"),
        ("knees", f"from {before['knee_speed']:.1f} to {facts['knee_speed']:.1f} rad/s at most"),
        (
            "changes",
            f"joints by up to {done['moved_mm']:.0f} mm; body lowered by up to {done['lowered_mm']:.0f} mm; "
            f"legs' length by up to {100 * done['leg_change']:.1f} %",
        ),
    ]
