"""Reading glTF: a skin that an animation moves becomes a skeleton and its motion, whatever tool wrote it."""

from __future__ import annotations

from dataclasses import dataclass
from os import PathLike
from pathlib import Path

import numpy as np

from kinegraph.arrays import Array
from kinegraph.errors import FormatError, MotionError
from kinegraph.formats.gltf import container, extras, rate, rig
from kinegraph.formats.gltf.accessors import Accessors
from kinegraph.formats.gltf.document import Document, Element
from kinegraph.formats.gltf.nodes import Nodes
from kinegraph.formats.gltf.pose import posed, upright
from kinegraph.formats.gltf.tracks import Channel, channels, moved, tracks
from kinegraph.formats.options import ReadOptions
from kinegraph.formats.raw import RawMotion, finish
from kinegraph.formats.text import quoted
from kinegraph.motion import Motion, Skeleton

# Poses (joints × frames) that any file may become, and how many more for each of its bytes: real files have less than one.
_POSES, _POSES_PER_BYTE = 1 << 20, 1
# Share of a frame by which times may be off through a tool's rounding, and relative to the time itself through single precision.
_SLACK, _SINGLE = 1e-2, 2.0**-23
# How far the squared length of a rotation may be from 1.
_UNIT = 1e-2
# Animations that are told by name.
_LISTED = 10


@dataclass(frozen=True)
class _Clip:
    """An animation that moves the body."""

    name: str
    animation: Element
    channels: list[Channel]


@dataclass(frozen=True)
class _Source:
    """A file's body and the animations that move it."""

    document: Document
    nodes: Nodes
    accessors: Accessors
    body: rig.Rig
    clips: list[_Clip]


def read(path: str | PathLike[str], options: ReadOptions) -> RawMotion:
    """The first animation of a GLB or glTF file that moves its skin, or the one that ``options`` names, sampled at an even rate, in
    metres and Y up.

    Ancestors of the joints, their scale included, are folded into the root. ``options.fps`` is the rate to sample at; without it
    the rate is the one at which the keys stand.
    """
    with np.errstate(over="ignore", invalid="ignore"):
        source = _opened(Path(path), options)
        clip = _chosen(source, options.animation)
        raw = _motion(source, clip, options)
    if len(source.clips) == 1 or options.animation is not None:
        return raw
    others = _listed([each for each in source.clips if each is not clip])
    return raw.noting(f"of {len(source.clips)} animations {quoted(clip.name)} is read, not {others}")


def read_all(path: str | PathLike[str], options: ReadOptions | None = None) -> tuple[Motion, ...]:
    """All animations of a GLB or glTF file that move its skin, as motions that bear their names."""
    options = options or ReadOptions()
    with np.errstate(over="ignore", invalid="ignore"):
        source = _opened(Path(path), options)
        motions: list[Motion] = []
        poses = 0
        for clip in source.clips:
            raw = _motion(source, clip, options, poses)
            poses += len(raw.root) * len(source.body.joints)
            motions.append(finish(raw, options, source.document.path).renamed(clip.name))
        return tuple(motions)


def _chosen(source: _Source, name: str | None) -> _Clip:
    """The clip of that name; the first where none is given."""
    if name is None:
        return source.clips[0]
    found = [clip for clip in source.clips if clip.name == name]
    if not found:
        raise FormatError(
            f"no animation {quoted(name)} moves its skin, but {_listed(source.clips)}", source.document.path
        )
    return found[0]


def _listed(clips: list[_Clip]) -> str:
    """Their names, or as many as are read with patience."""
    names = ", ".join(quoted(clip.name) for clip in clips[:_LISTED])
    return names + (f" and {len(clips) - _LISTED} more" if len(clips) > _LISTED else "")


def _opened(path: Path, options: ReadOptions) -> _Source:
    document = container.parse(path)
    nodes, accessors = Nodes(document), Accessors(document)
    animations = document.root.items("animations")
    if not animations:
        raise FormatError("there is no animation in it: export the character with its clips", path)
    found = [channels(animation, len(nodes)) for animation in animations]
    animated = set[int]().union(*map(moved, found))
    if not animated:
        morphs = any(channel.path == "weights" for each in found for channel in each)
        what = "its animations move only morph targets" if morphs else "its animations move no node"
        raise FormatError(f"{what}: a motion needs joints that turn", path)
    body = rig.of_skins(document, nodes, accessors, animated, options.skin) or rig.of_nodes(document, nodes, animated)
    clips = [
        _Clip(animation.text("name") or f"animation {index}", animation, each)
        for index, (animation, each) in enumerate(zip(animations, found, strict=True))
        if not body.all_nodes.isdisjoint(moved(each))
    ]
    if not clips:
        others = nodes.names(sorted(animated))
        raise FormatError(f"its animations do not move the joints of the skin, but {others}", path)
    return _Source(document, nodes, accessors, body, clips)


def _motion(source: _Source, clip: _Clip, options: ReadOptions, before: int = 0) -> RawMotion:
    """One clip; ``before`` is the number of poses that were read from the file already."""
    document, body = source.document, source.body
    ours = extras.is_ours(document)
    found = tracks(clip.channels, body.all_nodes, source.accessors)
    # keys are shared by many tracks: each list of times counts once
    keys = list({id(track.times): track.times for track in found.values()}.values())
    fps, notice = _rate(clip, keys, options, ours)
    begin, end = min(times[0] for times in keys), max(times[-1] for times in keys)
    slack = max(_SLACK / fps, _SINGLE * end)
    frames = np.floor((end - begin + slack) * fps) + 1
    if not before + frames * len(body.joints) <= _POSES + _POSES_PER_BYTE * document.size:
        raise clip.animation.error(
            f"{end - begin:g} seconds at {fps:g} frames/s of {len(body.joints)} joints are not read"
        )
    pose = posed(source.nodes, body, found, begin + np.arange(int(frames)) / fps, slack)
    if not ours:
        pose = upright(pose, source.nodes, body)
    if not np.all(np.abs(np.einsum("fji,fji->fj", pose.rotations, pose.rotations) - 1.0) < _UNIT):
        raise clip.animation.error("some rotations are no rotations: the file is damaged")
    ends = extras.ends(body.skin, len(body.joints)) if ours and body.skin is not None else extras.SkinExtras()
    try:
        skeleton = Skeleton(
            tuple(map(source.nodes.name, body.joints)),
            np.array(body.parents, np.intp),
            pose.offsets,
            ends.tip_parents,
            ends.tip_offsets,
            ends.overrides,
        )
    except MotionError as error:
        raise FormatError(f"its joints make no skeleton: {error}", document.path) from error
    notices = (*body.notices, *pose.notices, *([notice] if notice else []))
    return RawMotion(skeleton, pose.root, pose.rotations, fps, pose.translations, 1.0, notices, ours)


def _rate(clip: _Clip, keys: list[Array], options: ReadOptions, ours: bool) -> tuple[float, str]:
    """The rate to sample at, and a notice where it had to be chosen."""
    if options.fps is not None:
        if not (np.isfinite(options.fps) and options.fps > 0):
            raise FormatError(f"frames per second must be positive, got {options.fps}")
        return options.fps, ""
    told = extras.rate(clip.animation, keys) if ours else None
    return rate.found(keys) if told is None else (told, "")
