"""Export: a motion in the format of another tool, a film, or a page, with a sidecar that says how it was made."""

from __future__ import annotations

import os
import shutil
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kinegraph.characters import Character
from kinegraph.characters import save as save_on
from kinegraph.formats.registry import save
from kinegraph.formats.writing import prepared, write_options
from kinegraph.rendering import render
from kinegraph.studio.rooms.export.sources import Exportable
from kinegraph.studio.rooms.export.writable import Options, check, formats, is_drawn, is_rigid
from kinegraph.studio.server.problems import Conflict
from kinegraph.studio.workspace.entries import FileEntry
from kinegraph.studio.workspace.files import move, printable, write_json
from kinegraph.studio.workspace.workspace import HIDDEN, Workspace
from kinegraph.version import __version__
from kinegraph.watch import Watcher

FOLDER = "exports"

# what the folders begin with in which exports are drawn
_ASIDE = "export-"


@dataclass(frozen=True)
class Exported:
    """What was written, and the command and the Python that write it again, relative to the workspace."""

    export: FileEntry
    sidecar: FileEntry
    command: str
    python: str


def export(
    workspace: Workspace,
    source: Exportable,
    name: str,
    suffix: str,
    options: Options,
    watch: Watcher = None,
    hero: Character | None = None,
) -> Exported:
    """Write a motion and its sidecar into the folder of exports; both appear whole or not at all. hero: whom it is put on."""
    check(suffix, options)
    hidden = workspace.folder(HIDDEN)
    # drawn aside, so that nobody waits while a film is made; then moved under a name that is still free
    with tempfile.TemporaryDirectory(prefix=_ASIDE, dir=hidden) as aside:
        drawn = Path(aside) / f"motion{suffix}"
        if hero is None:
            _write(source, name, drawn, options, watch)
        else:
            _write_on(source, name, drawn, options, hero)
        with workspace.lock:
            target = _free(workspace, name, suffix)
            if formats()[suffix].beside:
                # what is written beside it goes by its name
                _write(source, target.stem, target, options, None)
            else:
                move(drawn, target)
            try:
                return _told(workspace, source, target, options, hero)
            except BaseException:
                target.unlink(missing_ok=True)
                raise


def tidy(workspace: Workspace) -> None:
    """Remove what exports of an earlier run, which was killed, have left."""
    for aside in workspace.inside(workspace.root / HIDDEN).glob(f"{_ASIDE}*"):
        shutil.rmtree(aside, ignore_errors=True)


def _told(workspace: Workspace, source: Exportable, target: Path, options: Options, hero: Character | None) -> Exported:
    """Write the sidecar."""
    on = None if hero is None else printable(hero.path.relative_to(workspace.root).as_posix())
    how, sidecar = source.recipe(target.relative_to(workspace.root).as_posix(), options, on), _sidecar(target)
    about = {"format": target.suffix, "options": options.given | ({} if on is None else {"character": on})}
    write_json(sidecar, {"kinegraph": __version__, **source.made, **vars(how), "export": about})
    return Exported(workspace.entry(target), workspace.entry(sidecar), **vars(how))


def _write(source: Exportable, name: str, target: Path, options: Options, watch: Watcher) -> None:
    motion = source.motion.renamed(name)
    if is_drawn(formats()[target.suffix]):
        drawn: dict[str, Any] = {} if options.fps is None else {"fps": options.fps}
        marks = source.shown(target.suffix)
        render(motion, target, watch=watch, **drawn, **({"marks": marks} if marks else {}))
        return
    rigid = is_rigid(motion, target.suffix)
    changed = prepared(motion, fps=options.fps, in_place=options.in_place, t_pose=options.t_pose, rigid=rigid)
    save(changed, target, **write_options(target, {"units": options.units, "up": options.up}))


def _write_on(source: Exportable, name: str, target: Path, options: Options, hero: Character) -> None:
    """As the recipe does it: what is changed on the way out is a motion whose contacts nobody has told."""
    changed = options.fps is not None or options.in_place
    known: dict[str, Any] = {}
    if source.task is not None and not changed:
        known = {"contacts": source.contacts, "floor": source.task.floor(), "marks": source.marks}
    save_on(source.motion.renamed(name), hero, target, fps=options.fps, in_place=options.in_place, **known)


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
