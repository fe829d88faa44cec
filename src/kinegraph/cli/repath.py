"""`kinegraph repath`: a clip bent along another path."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import numpy as np
import typer

from kinegraph.cli import console, making, reading
from kinegraph.errors import MotionError
from kinegraph.formats import save

if TYPE_CHECKING:
    from kinegraph.motion.rotation import Array
    from kinegraph.paths.bspline import Spline
    from kinegraph.paths.editing.repathed import Repathed
    from kinegraph.paths.path import Path as FloorPath

# Metres off the path that was asked for from which its corners count as rounded.
_ROUNDED = 1e-4
# Share of a path from which on it counts as walked to its end: a stride may be left.
_WHOLE = 0.97


def repath(
    clip: Annotated[Path, typer.Argument(metavar="CLIP", help="Motion file (.bvh, .amc, .npz).")],
    path: Annotated[
        str,
        typer.Argument(
            metavar="PATH",
            help="line:8, circle:3, eight:3, square:6, wave:12,1.5, drawn:60; points 'x,z x,z …' in metres, with heights "
            "'x,y,z x,y,z …'; or a file: .json (points, or a spline), .csv, .svg.",
        ),
    ],
    output: making.Output = None,
    degree: Annotated[
        int | None,
        typer.Option(
            "--degree",
            help="Take the polynomial of this degree, up to 45, for the clip's own path; by default a spline as stiff as its stride.",
        ),
    ] = None,
    keep: Annotated[
        str,
        typer.Option("--keep", metavar="speed|time", help="Walk as fast as captured, or the whole path in its time."),
    ] = "speed",
    end: Annotated[
        str,
        typer.Option("--end", metavar="stop|restart|onward", help="Where the path is shorter than the clip's own."),
    ] = "stop",
    start: Annotated[
        str,
        typer.Option("--start", metavar="path|clip", help="Bring the clip to the path, or the path to the clip."),
    ] = "path",
    cycle: Annotated[
        bool, typer.Option("--cycle", help="Repeat the clip's best loop until the path ends, or for --seconds.")
    ] = False,
    seconds: Annotated[float | None, typer.Option("--seconds", help="With --cycle: how long it is to last.")] = None,
    ground: Annotated[
        str | None,
        typer.Option(
            "--ground",
            metavar="SPEC",
            help="slope:20%, hill:1,6, waves:0.3,6, ramp:1,2,6, or a height field: .npz, .npy, .csv.",
        ),
    ] = None,
    natural: Annotated[bool, typer.Option("--natural", help="Slow down and lean in bends, as people do.")] = False,
    stretch: Annotated[
        float,
        typer.Option(
            "--stretch", help="By which part of their length legs may change where they do not reach; 0: not at all."
        ),
    ] = 0.02,
    no_feet: Annotated[bool, typer.Option("--no-feet", help="Leave the feet as the path drags them, sliding.")] = False,
    fps: Annotated[
        float | None, typer.Option("--fps", help="Frames per second of the result; the clip's by default.")
    ] = None,
    plot: Annotated[
        Path | None,
        typer.Option(
            "--plot", metavar="P.png", help="Draw it from above, on hills from the side too: .png, .svg, .pdf."
        ),
    ] = None,
    skeleton: reading.Skeleton = None,
    units: reading.Units = "auto",
    up: reading.Up = "y",
    rate: reading.Rate = None,
    keep_tpose: reading.KeepTpose = False,
    roles: reading.Roles = None,
    as_json: reading.AsJson = False,
) -> None:
    """Bend one clip along another path, at its own speed and with feet that stay put (after Gleicher 2001).

    \b
    kinegraph repath walk.bvh circle:3 --cycle -o round.bvh --plot round.png
    kinegraph repath walk.bvh '0,0 0,4 3,6' --keep time -o way.bvh
    kinegraph repath walk.bvh line:12 --cycle --ground waves:0.6,6 -o hills.bvh
    """
    # there is no blend to check, so any that exists will do
    making.check_targets(output, plot, "linear")
    making.check_not_read([output, plot], [clip, Path(path), Path(ground or "")])
    from kinegraph.paths.editing.editor import PathEditor
    from kinegraph.paths.ground import ground as read_ground
    from kinegraph.paths.read import read_curve

    asked = read_curve(path)
    wishes: dict[str, Any] = {
        "keep": keep,
        "end": end,
        "start": _start(start),
        "cycle": cycle,
        "seconds": seconds,
        "ground": None if ground is None else read_ground(ground),
    }
    # the bones of an AMC have one length
    wishes["stretch"] = 0.0 if output is not None and output.suffix.lower() == ".amc" else stretch
    motion = reading.read(clip, skeleton=skeleton, units=units, up=up, rate=rate, keep_tpose=keep_tpose, roles=roles)
    notices = list(motion.notices)
    feet = not no_feet and making.has_legs(motion.skeleton)
    if feet == no_feet:
        notices.append(
            "the feet are left as they are: the joints' names do not tell which are the hips, knees and ankles (--roles)"
        )
    source = motion if fps is None else motion.resample(fps)
    begun = time.process_time()
    with console.progress("bending the path"):
        editor = PathEditor(source, degree=degree)
        made = editor.lay(asked, natural=natural, feet=feet, **wishes)
    cpu = time.process_time() - begun
    notices += [*made.notices, *_left(wishes["ground"], made)]
    if output is not None and made.reached is not None:
        longer = float(np.abs(made.reached.longer).max())
        notices += [making.stretch_notice(longer, output)] if longer else []
    if output is not None:
        save(made.motion.renamed(output.stem), output)
    title = f"{motion.name or clip.stem} on {path if len(path) <= 60 else path[:59] + '…'}"
    if plot is not None:
        from kinegraph.plots.repath import repath_picture

        repath_picture(source, made, plot, title=title)
    # as it would be with no slowing down, for its seams and its speed
    plain = editor.lay(asked, feet=False, **wishes) if natural else made
    facts = _facts(made, plain, asked, cpu)
    if as_json:
        files = {"clip": str(clip), "path": path, "output": _text(output), "plot": _text(plot)}
        asked_for = {"degree": degree, "keep": keep, "end": end, "start": start, "natural": natural, "ground": ground}
        console.report({**files, **asked_for, **facts, "notices": notices})
        return
    making.print_rows(f"{title}, {asked.length:.1f} m", _rows(facts))
    for sentence in notices:
        console.notice(sentence)
    if output is not None:
        making.written(output, made.motion)
    if plot is not None:
        console.done(f"{plot}: the way from above, with its footprints")


def _start(text: str) -> str:
    if text not in ("path", "clip"):
        raise MotionError(f"--start: bring the clip to the path, or the path to the clip, not {text!r}")
    return text


def _left(ground: Any, made: Repathed) -> list[str]:
    """What to say of a height field that the path leaves."""
    from kinegraph.paths.heightfield import HeightField

    if not isinstance(ground, HeightField):
        return []
    (left, right), (near, far) = ground.extent
    x, z = made.frame.points.T
    out = float(np.mean((x < left) | (x > right) | (z < near) | (z > far)))
    covers = (
        f"the height field covers x {left:g} to {right:g} and z {near:g} to {far:g} m, a height every {ground.step:g} m"
    )
    return [covers + (f"; {out:.0%} of the way is outside, at the height of its edge" if out else "")]


# -- the figures ---------------------------------------------------------------------------------------------------------


def _facts(made: Repathed, plain: Repathed, asked: FloorPath | Spline, cpu: float) -> dict[str, Any]:
    """By the names that other commands use too. plain: the same as fast as it was captured."""
    motion = made.motion
    off = 100 * _off_path(made, asked)
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


def _off_path(made: Repathed, asked: FloorPath | Spline) -> Array:
    """Metres ``(N,)`` by which the frame that carries the body is off the path that was asked for: where corners were rounded.

    What the body itself does about that frame is its own sway. Beyond the end of the path nothing was asked for.
    """
    from kinegraph.motion.floor import FloorTransform
    from kinegraph.paths.ends import Onward

    # the path may have been brought to the clip: back to where it was drawn
    (x, z), heading = asked.at(0.0), float(asked.heading(0.0))
    here = FloorTransform(float(made.frame.heading[0]), *made.frame.points[0].tolist())
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


def _rows(facts: dict[str, Any]) -> list[tuple[str, str]]:
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


def _rest(facts: dict[str, Any]) -> str:
    """What is left of a path that is longer than the clip."""
    share = facts["reached"]
    return "" if share >= _WHOLE else f"; the clip ends after {100 * share:.0f} % of it (--cycle goes on to its end)"


def _text(path: Path | None) -> str | None:
    return None if path is None else str(path)
