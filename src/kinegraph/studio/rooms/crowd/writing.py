"""Crowds as files: for other programs, as tracks, as a film, with a sidecar that says how they are made again."""

from __future__ import annotations

import shlex
import tempfile
import zipfile
from pathlib import Path
from typing import Any

from kinegraph.crowds.result import Crowd
from kinegraph.formats.format import FORMATS
from kinegraph.rendering.pictures import PICTURES
from kinegraph.studio.rooms.crowd.models import CrowdFormat
from kinegraph.studio.server.problems import Conflict, Invalid
from kinegraph.studio.workspace.entries import FileEntry
from kinegraph.studio.workspace.files import move, write_json
from kinegraph.studio.workspace.workspace import HIDDEN, Workspace
from kinegraph.version import __version__
from kinegraph.watch import Watcher

FOLDER = "exports"
# the endings by which files with many people are known best, and the film's
_PEOPLE, _FILM = (".glb", ".usdc", ".npz"), ".mp4"
_BVH, _TRACKS = ".zip", ".csv"


def formats() -> list[CrowdFormat]:
    """All that a crowd can be written as."""
    known = {suffix: format for format in FORMATS.values() if format.holds_people for suffix in format.suffixes}
    found = [
        CrowdFormat(suffix=suffix, name=known[suffix].title(suffix), why=known[suffix].missing())
        for suffix in _PEOPLE
        if suffix in known
    ]
    found.append(CrowdFormat(suffix=_BVH, name="BVH, a file each", why=None))
    found.append(CrowdFormat(suffix=_TRACKS, name="Tracks: id, t, x, z", why=None))
    film = next((picture for picture in PICTURES.values() if _FILM in picture.suffixes), None)
    if film is not None:
        found.append(CrowdFormat(suffix=_FILM, name="Film", why=film.missing()))
    return found


def check(suffix: str) -> None:
    """Refuse what cannot be written, before any work is done."""
    for one in formats():
        if one.suffix == suffix:
            if one.why is not None:
                raise Conflict(f"{one.name} cannot be written here: {one.why}")
            return
    raise Invalid(f"a crowd is written as {', '.join(one.suffix for one in formats())}, not as {suffix}")


def write(
    workspace: Workspace, crowd: Crowd, name: str, suffix: str, made: dict[str, Any], words: list[str], watch: Watcher
) -> FileEntry:
    """Write a crowd into the folder of exports. words: of the command that makes it again, but for its ``-o``."""
    with tempfile.TemporaryDirectory(prefix="export-", dir=workspace.folder(HIDDEN)) as aside:
        drawn = _drawn(crowd, Path(aside), name, suffix, watch)
        with workspace.lock:
            target = workspace.new(FOLDER, name, suffix)
            move(drawn, target)
            # a folder with the tracks in it stands for what was packed here
            out = target if suffix not in (_BVH, _TRACKS) else target.with_suffix("")
            option = "--film" if suffix == _FILM else "-o"
            command = shlex.join([*words, option, out.relative_to(workspace.root).as_posix()])
            sidecar = target.with_name(f"{target.name}.json")
            write_json(sidecar, {"kinegraph": __version__, **made, "command": command, "export": {"format": suffix}})
    return workspace.entry(target)


def _drawn(crowd: Crowd, aside: Path, name: str, suffix: str, watch: Watcher) -> Path:
    if suffix == _FILM:
        crowd.film(aside / f"crowd{suffix}", watch=watch)
        return aside / f"crowd{suffix}"
    if suffix == _TRACKS:
        crowd.write_tracks(aside / "tracks.csv")
        return aside / "tracks.csv"
    if suffix != _BVH:
        return crowd.save(aside / f"crowd{suffix}", watch)
    folder = crowd.save(aside / "crowd", watch)
    packed = aside / "crowd.zip"
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED, compresslevel=4) as file:
        for path in sorted(folder.rglob("*")):
            file.write(path, f"{name}/{path.relative_to(folder).as_posix()}")
    return packed
