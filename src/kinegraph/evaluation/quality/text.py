"""The figures of a motion as lines for people to read."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from kinegraph.evaluation.quality.figures import Quality, Spread

Row = tuple[str, str]

# of clips and labels, how many are named
_MOST = 6


def rows(quality: Quality) -> list[Row]:
    """What there is to say, as (subject, sentence); what is not known is left out."""
    return [
        ("length", f"{quality.frames:,} frames, {quality.seconds:.2f} s, {quality.walked_m:.2f} m walked"),
        *_path(quality),
        *_feet(quality),
        *_blends(quality),
        *_made_of(quality),
    ]


def text(quality: Quality) -> list[str]:
    """The same as lines of text."""
    told = rows(quality)
    width = max(len(what) for what, _ in told)
    return [f"{what:<{width}}  {sentence}" for what, sentence in told]


def _path(quality: Quality) -> Iterator[Row]:
    if quality.deviation_cm and quality.deviation_raw_cm and quality.ends_cm and quality.finished_path is not None:
        yield (
            "path",
            f"{_both(quality.deviation_cm)} cm off it ({_both(quality.deviation_raw_cm)} with the sway of the steps); "
            f"{100 * quality.finished_path:.1f} % of {quality.path_length_m:.2f} m reached, begun {quality.ends_cm.start:.1f} cm from "
            f"its beginning and ended {quality.ends_cm.end:.1f} cm from its end",
        )
    if quality.bending and quality.bending.share:
        bending = quality.bending
        slower = (
            f"; played at {100 * bending.slowest:.0f} % of its pace where it is slowest"
            if bending.slowest < 0.98
            else ""
        )
        yield (
            "bending",
            f"clips are bent by {bending.degrees:.0f}° in all, {bending.most:.0f}°/s at most, in {_percent(bending.share)} of the "
            f"frames{slower}",
        )
    if quality.warp:
        warp = quality.warp
        held = f"; held back in {100 * warp.held_back:.0f} % of the frames" if warp.held_back else ""
        yield (
            "warp",
            f"from {_both(warp.before_cm)} cm to {_both(warp.after_cm)} cm, adding at most {warp.added_bend:.1f}°/m of bend and "
            f"{warp.added_slip:.1f} cm/s of slip{held}",
        )


def _feet(quality: Quality) -> Iterator[Row]:
    source = quality.source_feet
    if quality.slide_mm and quality.penetration_mm is not None:
        clips = f" (its clips {_both(source.slide_mm)})" if source else ""
        slid = f"{quality.plants:,} plants slide by {_both(quality.slide_mm)} mm{clips}"
        if quality.held_slide_mm:
            slid = (
                f"slide by {_both(quality.slide_mm)} mm where they are seen to stand{clips}, by {_both(quality.held_slide_mm)} "
                f"at the {quality.plants:,} plants that are held"
            )
        before = ""
        if quality.before:
            before = (
                f"; before cleaning {_both(quality.before.slide_mm)} mm and {quality.before.penetration_mm:.1f} mm deep"
            )
        yield "feet", f"{slid}; sink {quality.penetration_mm:.1f} mm at most{before}"
    if quality.skating_cm_s is not None and quality.skating_ratio is not None:
        speed = f"{quality.skating_cm_s:.1f} cm/s while they stand"
        share = f"moved by more than 2.5 cm below 5 cm in {_percent(quality.skating_ratio)} of the frames"
        if source:
            speed += f" (its clips {source.skating_cm_s:.1f})"
            share += f" (its clips {_percent(source.skating_ratio)})"
        yield "skating", f"{speed}; {share}"
    if quality.knee_speed:
        usual = quality.knee_speed.source_p999
        below = f"; 99.9 % of the source's below {usual:.1f}" if usual is not None else ""
        yield "knees", f"at most {quality.knee_speed.worst:.1f} rad/s{below}"


def _blends(quality: Quality) -> Iterator[Row]:
    if quality.transitions is None:
        return
    cost = f", costing {_both(quality.transition_cost_cm)} cm" if quality.transition_cost_cm else ""
    yield "transitions", f"{quality.transitions:,}, {quality.transitions_per_10s:.1f} in 10 s{cost}"
    jump = quality.velocity_jump
    if jump:
        source = ""
        if jump.ratio is not None:
            source = f", {jump.ratio:.2f} times the source's 99th percentile of {jump.source_p99:.2f}"
        yield "smoothness", f"velocities change by at most {jump.worst:.2f} m/s from frame to frame in them{source}"


def _made_of(quality: Quality) -> Iterator[Row]:
    if quality.clips:
        yield "clips", _shares(quality.clips)
    if quality.labels:
        yield "labels", _shares(quality.labels)
    if quality.cpu_per_second is not None:
        yield "cost", f"{quality.cpu_per_second:.4f} s of CPU for a second of motion"


def _both(spread: Spread) -> str:
    return f"{spread.mean:.1f} (max {spread.max:.1f})"


def _percent(share: float) -> str:
    return f"{100 * share:.1f} %"


def _shares(shares: Mapping[str, float]) -> str:
    named = ", ".join(f"{name} {100 * share:.0f} %" for name, share in list(shares.items())[:_MOST])
    return f"{named} and {len(shares) - _MOST} more" if len(shares) > _MOST else named
