"""Taking uploaded files into the workspace: each is read first, and what cannot be read leaves nothing behind."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

from kinegraph.errors import FormatError, KinegraphError
from kinegraph.formats import asf
from kinegraph.formats.registry import load
from kinegraph.studio.clip_infos import ClipInfos
from kinegraph.studio.names import tidied
from kinegraph.studio.uploads import Uploaded
from kinegraph.studio.workspace import Workspace

_SKELETON = ".asf"


def take(workspace: Workspace, infos: ClipInfos, files: list[Uploaded]) -> dict[str, Any]:
    """The clips that were taken, and for each file that was not, why."""
    skeletons: dict[str, Path] = {}
    refused: list[dict[str, str]] = []
    for one in files:
        if one.path.suffix == _SKELETON:
            try:
                asf.read(one.path)
                skeletons[tidied(Path(one.name).name)] = one.path
            except KinegraphError as error:
                refused.append({"file": one.name, "error": _told(error)})
    clips = []
    for one in files:
        if one.path.suffix == _SKELETON:
            continue
        try:
            clips.append(_taken(workspace, infos, one, skeletons))
        except KinegraphError as error:
            refused.append({"file": one.name, "error": _told(error)})
    if skeletons and not any(one.path.suffix == ".amc" for one in files):
        refused += (
            {"file": name, "error": "an ASF is a skeleton without motion: send it together with its AMC files"}
            for name in skeletons
        )
    return {"clips": clips, "refused": refused}


def _taken(workspace: Workspace, infos: ClipInfos, one: Uploaded, skeletons: dict[str, Path]) -> dict[str, Any]:
    suffix = one.path.suffix
    name = tidied(_stem(one.name))
    if suffix == ".amc":
        skeleton = _skeleton(workspace, name, skeletons)
        motion = load(one.path, skeleton=skeleton)
        with workspace.lock:
            path = workspace.new("clips", name, suffix)
            _keep_skeleton(skeleton, path, next((n for n, p in skeletons.items() if p == skeleton), None))
            one.path.replace(path)
    else:
        motion = load(one.path)
        with workspace.lock:
            path = workspace.new("clips", name, suffix)
            one.path.replace(path)
    return infos.clip(path, motion.renamed(path.stem))


def _skeleton(workspace: Workspace, name: str, sent: dict[str, Path]) -> Path:
    """The ASF of an AMC: one that was sent with it, else one that lies among the clips and is named for it or its subject."""
    stem = name.lower()
    subjects = (stem, stem.rpartition("_")[0], stem.partition("_")[0])
    there = {path.stem.lower(): path for path in (workspace.root / "clips").glob("*.asf")}
    for known in ({Path(n).stem.lower(): path for n, path in sent.items()}, there):
        for subject in subjects:
            if subject in known:
                return known[subject]
    if len(sent) == 1:
        return next(iter(sent.values()))
    hint = " (those that were sent are named for other subjects)" if sent else ""
    raise FormatError(f"an AMC holds no skeleton: send its ASF together with it{hint}")


def _keep_skeleton(skeleton: Path, clip: Path, sent_as: str | None) -> None:
    """Let a clip find its ASF beside it: under its own name, or where that is another one, or would not be found, under the clip's."""
    if sent_as is not None:
        data = skeleton.read_bytes()
        shared = clip.with_name(sent_as if sent_as.lower().endswith(_SKELETON) else f"{sent_as}{_SKELETON}")
        if not shared.exists():
            shutil.copyfile(skeleton, shared)
        if shared.read_bytes() == data:
            skeleton = shared
    keep_beside(skeleton, clip)


def keep_beside(skeleton: Path, clip: Path) -> None:
    """Put a copy of the ASF under the clip's name, unless the clip finds it, or an equal one, as it is."""
    try:
        if asf.beside(clip).read_bytes() == skeleton.read_bytes():
            return
    except FormatError:
        pass
    shutil.copyfile(skeleton, clip.with_suffix(_SKELETON))


def _stem(name: str) -> str:
    """A file's name without its folder and suffix, as it was called on the other side."""
    last = name.replace("\\", "/").split("/")[-1]
    return last.rpartition(".")[0] or last


def _told(error: KinegraphError) -> str:
    """What a reader says, with the place in the file but without where it lay meanwhile."""
    if not isinstance(error, FormatError):
        return str(error)
    place = ":".join(str(part) for part in (error.line, error.column) if part is not None)
    return f"line {place}: {error.what}" if place else error.what
