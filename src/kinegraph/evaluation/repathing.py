"""A motion on another path in figures: how far it came, how fast, whether its feet stand still, and what was repeated."""

from __future__ import annotations

from typing import Any

import numpy as np

from kinegraph.arrays import Array
from kinegraph.motion.floor import FloorTransform
from kinegraph.paths.bspline import Spline
from kinegraph.paths.editing.repathed import Repathed
from kinegraph.paths.ends import Onward
from kinegraph.paths.heightfield import HeightField
from kinegraph.paths.path import Path

# Metres off the path that was asked for from which its corners count as rounded.
_ROUNDED = 1e-4
# Share of a path from which on it counts as walked to its end: a stride may be left.
_WHOLE = 0.97


def repath_facts(
    made: Repathed, plain: Repathed, asked: Path | Spline, cpu: float, *, off: Array | None = None
) -> dict[str, Any]:
    """All figures by name, rounded, ready for JSON.

    plain: the same at the speed at which it was captured. cpu: seconds of CPU that it took. off: `off_path`, if it is known already.
    """
    motion = made.motion
    off = 100 * (off_path(made, asked) if off is None else off)
    speed, own = _speed(made, _metres(made)), _speed(plain, plain.source.walked)
    loop = plain.loop
    seams = 0 if loop is None else len(range(loop.last, len(plain.motion), len(loop)))
    held = made.feet is not None
    return {
        "frames": len(motion),
        "seconds": round(motion.seconds, 6),
        "deviation_cm": _spread(float(off.mean()), float(off.max())),
        "slide_mm": _slide(made.slides.overall) if held else None,
        "transitions": seams,
        "cpu_per_second": round(cpu / motion.seconds, 6),
        "clips": {motion.name: 1.0},
        "labels": None,
        "path_length_m": round(asked.length, 3),
        "reached": round(min(float(made.s[-1]) / made.curve.length, 1.0), 4),
        "walked_m": round(float(_metres(made)[-1]), 3),
        "rounded": bool(off.max() > 100 * _ROUNDED),
        "speed": {"mean": round(speed, 3), "source": round(own, 3), "ratio": round(speed / own, 4) if own else None},
        "before": {"slide_mm": _slide(made.slides_before.overall)} if held else None,
        "plants": len(made.slides.plants) if held else None,
        "let_go": round(made.let_go, 4) if held else None,
        "penetration_mm": round(1000 * made.sunk, 3) if held else None,
        "off_ground_mm": round(1000 * float(made.off_ground.max(initial=0.0)), 3) if held else None,
        "knee_speed": {"worst": round(made.knee_speed, 3), "source_p999": round(made.knee_limit, 3)},
        "cleaning": _cleaning(made),
        "loop": None
        if loop is None
        else {
            "first_s": round(loop.first / motion.fps, 3),
            "last_s": round(loop.last / motion.fps, 3),
            "distance_cm": round(100 * loop.distance, 3),
            "seams": seams,
        },
    }


def off_path(made: Repathed, asked: Path | Spline) -> Array:
    """How far ``(N,)``, in metres, the frame that carries the body is off the path that was asked for, because corners were rounded.

    What the body does relative to that frame is its own sway and does not count, nor does anything beyond the end of the path.
    """
    if made.curve is asked:
        return np.zeros(len(made.s))  # neither moved nor rounded: the frame is on it by construction
    # the path may have been brought to the clip: back to where it was drawn
    (x, z), heading = asked.at(0.0), float(asked.heading(0.0))
    here = FloorTransform(float(made.curve.heading(0.0)), *made.curve.at(0.0).tolist())
    drawn = FloorTransform(heading, float(x), float(z)) @ here.inverse()
    back = drawn.apply(np.insert(made.frame.points, 1, 0.0, axis=1))[:, [0, 2]]
    within = made.s <= made.curve.length if isinstance(made.curve, Onward) else np.ones(len(back), np.bool_)
    return asked.nearest(back[within])[0]


def _metres(made: Repathed) -> Array:
    """Metres walked along the path ``(F,)``, up and down included."""
    along = np.maximum(np.diff(made.s), 0.0)
    if made.terrain is not None:
        along = np.hypot(along, np.diff(made.terrain.along(made.s)))
    return np.concatenate([[0.0], np.cumsum(along)])


def _speed(made: Repathed, walked: Array) -> float:
    """Mean metres a second of ``walked (F,)`` metres."""
    ahead = float(np.maximum(np.diff(walked), 0.0).sum())
    return ahead * made.motion.fps / max(len(walked) - 1, 1)


def _cleaning(made: Repathed) -> dict[str, float] | None:
    if made.reached is None:
        return None
    return {
        "lowered_mm": round(1000 * float(made.reached.lowered.max()), 3),
        "leg_change": round(float(np.abs(made.reached.longer).max()), 4),
        "missed_mm": round(1000 * float(made.reached.missed.max()), 3),
    }


def _slide(overall: tuple[float, float]) -> dict[str, float]:
    return _spread(*(1000 * value for value in overall))


def _spread(mean: float, most: float) -> dict[str, float]:
    return {"mean": round(mean, 3), "max": round(most, 3)}


def repath_rows(facts: dict[str, Any]) -> list[tuple[str, str]]:
    """What there is to say about `repath_facts`, as (subject, sentence)."""
    speed, knees, loop = facts["speed"], facts["knee_speed"], facts["loop"]
    share = "" if speed["ratio"] is None else f", {100 * speed['ratio']:.1f} % of the clip's {speed['source']:.2f}"
    off = facts["deviation_cm"]
    corners = f"corners are rounded by up to {off['max']:.1f} cm" if facts["rounded"] else "kept to throughout"
    rows = [
        ("length", f"{facts['frames']:,} frames, {facts['seconds']:.2f} s, {facts['walked_m']:.2f} m walked"),
        ("path", f"{facts['path_length_m']:.2f} m; {corners}{_rest(facts)}"),
        ("speed", f"{speed['mean']:.2f} m/s{share}"),
    ]
    if facts["slide_mm"] is not None:
        slide, before = facts["slide_mm"], facts["before"]["slide_mm"]
        loose = f", but {facts['let_go']:.0%} of the time they stood feet could not be held" if facts["let_go"] else ""
        rows.append(
            (
                "feet",
                f"{facts['plants']:,} plants slide by {slide['mean']:.1f} (max {slide['max']:.1f}) mm, "
                f"{facts['off_ground_mm']:.1f} mm off the ground at most; before they were held {before['mean']:.1f} "
                f"(max {before['max']:.1f}) mm{loose}",
            )
        )
    rows.append(("knees", f"at most {knees['worst']:.1f} rad/s; 99.9 % of the clip's below {knees['source_p999']:.1f}"))
    if loop is not None:
        rows.append(
            (
                "loop",
                f"from {loop['first_s']:.2f} to {loop['last_s']:.2f} s, whose ends are {loop['distance_cm']:.1f} cm apart, "
                f"with {loop['seams']:,} seam{'s' * (loop['seams'] != 1)}",
            )
        )
    rows.append(("cost", f"{facts['cpu_per_second']:.4f} s of CPU for a second of motion"))
    return rows


def repath_short(facts: dict[str, Any]) -> str:
    """What to say about a path that is longer than the clip, from its `repath_facts`; nothing if it is walked to its end, or not at all."""
    share = facts["reached"]
    return "" if _stays(facts) or share >= _WHOLE else f"the clip ends after {100 * share:.0f} % of the path"


def _stays(facts: dict[str, Any]) -> bool:
    return not facts["speed"]["source"]


def _rest(facts: dict[str, Any]) -> str:
    if _stays(facts):
        return "; the clip stays at its beginning"
    short = repath_short(facts)
    return f"; {short} (--cycle goes on to its end)" if short else ""


def ground_notices(ground: Any, made: Repathed) -> list[str]:
    """What to say about a height field if the path leaves it."""
    if not isinstance(ground, HeightField):
        return []
    (left, right), (near, far) = ground.extent
    x, z = made.frame.points.T
    out = float(np.mean((x < left) | (x > right) | (z < near) | (z > far)))
    covers = (
        f"the height field covers x {left:g} to {right:g} and z {near:g} to {far:g} m, a height every {ground.step:g} m"
    )
    return [covers + (f"; {out:.0%} of the way is outside, at the height of its edge" if out else "")]
