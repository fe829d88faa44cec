"""`kinegraph repath`: a clip bent along another path."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer

from kinegraph.cli import console, making, reading
from kinegraph.errors import MotionError
from kinegraph.formats import save


def repath(
    clip: Annotated[Path, typer.Argument(metavar="CLIP", help="Motion file (.bvh, .amc, .glb, .npz …).")],
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
    from kinegraph.evaluation.repathing import ground_notices, repath_facts, repath_rows
    from kinegraph.feet.sole import has_legs
    from kinegraph.paths.editing.editor import PathEditor
    from kinegraph.paths.ground import ground as read_ground
    from kinegraph.paths.reading import read_curve

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
    feet = not no_feet and has_legs(motion.skeleton)
    if feet == no_feet:
        notices.append(
            "the feet are left as they are: the joints' names do not tell which are the hips, knees and ankles (--roles)"
        )
    source = motion if fps is None else motion.resample(fps)
    begun = time.process_time()
    with console.watch("bending the path"):
        editor = PathEditor(source, degree=degree)
        made = editor.lay(asked, natural=natural, feet=feet, **wishes)
    cpu = time.process_time() - begun
    notices += [*made.notices, *ground_notices(wishes["ground"], made)]
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
    facts = repath_facts(made, plain, asked, cpu)
    if as_json:
        files = {"clip": str(clip), "path": path, "output": _text(output), "plot": _text(plot)}
        asked_for = {"degree": degree, "keep": keep, "end": end, "start": start, "natural": natural, "ground": ground}
        console.report({**files, **asked_for, **facts, "notices": notices})
        return
    making.print_rows(f"{title}, {asked.length:.1f} m", repath_rows(facts))
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


def _text(path: Path | None) -> str | None:
    return None if path is None else str(path)
