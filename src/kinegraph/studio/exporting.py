"""Export: a motion in the format of another tool, a film, or a page, with a sidecar that says how it was made."""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from kinegraph.errors import FormatError
from kinegraph.formats.atomic import replacing
from kinegraph.formats.registry import save
from kinegraph.formats.writing import prepared, write_options
from kinegraph.motion import Motion
from kinegraph.rendering import render
from kinegraph.studio.commands import Recipe
from kinegraph.studio.jobs import Job
from kinegraph.studio.problems import Conflict, Invalid
from kinegraph.studio.workspace import HIDDEN, Entry, Workspace
from kinegraph.studio.writable import formats, is_drawn, takers_of
from kinegraph.version import __version__
from kinegraph.watch import Watcher

FOLDER = "exports"

# what the folders begin with in which exports are drawn
_ASIDE = "export-"


@dataclass(frozen=True)
class Options:
    """How a motion is to be written; what a format does not take is refused. None and False: as it is."""

    fps: float | None = None
    in_place: bool = False
    t_pose: bool = False
    units: str | None = None
    up: str | None = None

    def given(self) -> dict[str, Any]:
        """Those that were asked for."""
        return {name: value for name, value in asdict(self).items() if value not in (None, False)}


@dataclass(frozen=True)
class Exported:
    """What was written, and how to write it again."""

    export: Entry
    sidecar: Entry
    recipe: Recipe


def check(suffix: str, options: Options) -> None:
    """Refuse, before any work is done, what this machine cannot write and options that the format does not take."""
    format = formats()[suffix]
    why = format.missing()
    if why is not None:
        raise Conflict(f"{format.title(suffix)} cannot be written here: {why}")
    check_options(suffix, options)
    if options.units is not None:
        try:
            write_options(Path(f"x{suffix}"), {"units": options.units})
        except FormatError as error:
            raise Invalid(error.what) from error


def check_options(suffix: str, options: Options) -> None:
    """Refuse options that a format does not take."""
    for name in options.given():
        if suffix not in takers_of(name):
            raise Invalid(f"{name} is for {', '.join(takers_of(name))}, not for {suffix}")


def is_slow(suffix: str) -> bool:
    """Whether writing takes so long that it is a job."""
    return formats()[suffix].slow


def rigid(motion: Motion, suffix: str) -> bool:
    """Whether bones have to be given one length before a motion can be written so."""
    return formats()[suffix].rigid and motion.translations is not None


def export(
    workspace: Workspace,
    motion: Motion,
    name: str,
    suffix: str,
    options: Options,
    *,
    made: dict[str, Any],
    recipe: Callable[[str], Recipe],
    watch: Watcher = None,
) -> Exported:
    """Write a motion and its sidecar into the folder of exports; both appear whole or not at all.

    made: what the sidecar tells of where the motion came from. recipe: how to write it again, to a file of that name.
    """
    check(suffix, options)
    hidden = workspace.folder(HIDDEN)
    # drawn aside, so that nobody waits while a film is made; then moved under a name that is still free
    with tempfile.TemporaryDirectory(prefix=_ASIDE, dir=hidden) as aside:
        drawn = Path(aside) / f"motion{suffix}"
        _write(motion.renamed(name), drawn, options, watch)
        with workspace.lock:
            target = _free(workspace, name, suffix)
            if formats()[suffix].beside:
                # what is written beside it goes by its name
                _write(motion.renamed(target.stem), target, options, None)
            else:
                _moved(drawn, target)
            try:
                return _told(workspace, target, options, made, recipe)
            except BaseException:
                target.unlink(missing_ok=True)
                raise


def tidy(workspace: Workspace) -> None:
    """Remove what exports of an earlier run, which was killed, have left."""
    for aside in workspace.inside(workspace.root / HIDDEN).glob(f"{_ASIDE}*"):
        shutil.rmtree(aside, ignore_errors=True)


def awaited(jobs: Iterable[Job]) -> set[str]:
    """The ids of the results that films are still to be made of."""
    films = (job.request["source"] for job in jobs if job.kind == "film" and job.state in ("queued", "running"))
    return {source["id"] for source in films if source["kind"] == "result"}


def _told(
    workspace: Workspace, target: Path, options: Options, made: dict[str, Any], recipe: Callable[[str], Recipe]
) -> Exported:
    """Write the sidecar."""
    how = recipe(target.relative_to(workspace.root).as_posix())
    sidecar = _sidecar(target)
    facts = {
        "kinegraph": __version__,
        **made,
        "command": how.command,
        "python": how.python,
        "export": {"format": target.suffix, "options": options.given()},
    }
    with replacing(sidecar) as temporary:
        temporary.write_text(json.dumps(facts, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    return Exported(workspace.entry(target), workspace.entry(sidecar), how)


def _write(motion: Motion, target: Path, options: Options, watch: Watcher) -> None:
    if is_drawn(formats()[target.suffix]):
        drawn: dict[str, Any] = {} if options.fps is None else {"fps": options.fps}
        render(motion, target, watch=watch, **drawn)
        return
    changed = prepared(
        motion, fps=options.fps, in_place=options.in_place, t_pose=options.t_pose, rigid=rigid(motion, target.suffix)
    )
    save(changed, target, **write_options(target, {"units": options.units, "up": options.up}))


def _free(workspace: Workspace, name: str, suffix: str) -> Path:
    """A free place, also for the sidecar and for what is written beside it, such as an AMC's skeleton."""
    target = workspace.new(FOLDER, name, suffix)
    for number in range(2, 10_000):
        beside = [_sidecar(target), *map(target.with_suffix, formats()[suffix].beside)]
        if not any(map(os.path.lexists, beside)):
            return target
        target = workspace.new(FOLDER, f"{name} {number}", suffix)
    raise Conflict(f"there are too many exports called {name}: choose another name")


def _sidecar(target: Path) -> Path:
    return target.with_name(f"{target.name}.json")


def _moved(source: Path, target: Path) -> None:
    try:
        source.replace(target)
    except OSError:  # the folder of exports may be another disk
        with replacing(target) as temporary:
            shutil.copyfile(source, temporary)
        with suppress(OSError):
            source.unlink()
