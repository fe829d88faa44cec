"""Clips made alike: one skeleton, one rate, mirrored copies, contacts, labels, windows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from kinegraph import notes
from kinegraph.arrays import Bools
from kinegraph.crew import Crew, Threads, in_order
from kinegraph.errors import GraphError, MotionError
from kinegraph.feet.contacts import contacts
from kinegraph.feet.floating import floating, floats, told
from kinegraph.formats.intake import Take
from kinegraph.formats.terms import UNSAID, Terms
from kinegraph.graph.labels import Labels, spans_for
from kinegraph.graph.making.annotate import annotate
from kinegraph.graph.making.parameters import Parameters
from kinegraph.graph.model import MIRRORED, Clip, ClipSource
from kinegraph.graph.rounding import rounded_all
from kinegraph.motion.body import ESSENTIAL
from kinegraph.motion.clip import KeptMotion, Motion, pose_together
from kinegraph.motion.leaps import sound_frames
from kinegraph.motion.mirroring import mirror
from kinegraph.motion.retargeting import retarget_all
from kinegraph.motion.skeleton import Skeleton
from kinegraph.notes import listed
from kinegraph.shelf import OnShelf, Shelf
from kinegraph.similarity.clouds import Cloud, KeptCloud, PosedCloud, cloud, cloud_matrix, mass_weights
from kinegraph.similarity.windows import window_frames
from kinegraph.watch import Watch, Watcher

_FARTHEST = 1e5  # metres
# frames worked on at once: enough that short clips cost no more than long ones, few enough for the cache and for progress
_TOGETHER = 2000
# frames from which on several threads make clouds
_MANY, _WORKERS = 10_000, 2


@dataclass(frozen=True, eq=False)
class Sampled:
    """A take at the graph's rate, which is all of it that a graph needs."""

    motion: Motion
    sound: Bools
    """``(F,)``: False where the capture lost a joint."""
    file: str
    sha256: str
    fps: float
    """Frames per second of the take, and how many it had."""
    frames: int
    terms: Terms = UNSAID
    """What its folder says of licence and credit."""

    @property
    def name(self) -> str:
        """The clip's name."""
        return self.motion.name


def sampled(fps: float, one: Take | Sampled) -> Sampled:
    """A take at the graph's rate."""
    if isinstance(one, Sampled):
        return one
    try:
        _check_places(one.motion)
        motion = replace(one.motion.resample(fps), notices=())
    except MotionError as error:
        raise GraphError(f"{one.name}: {error}") from error
    return Sampled(
        motion, sound_frames(one.motion, fps), one.file, one.sha256, one.motion.fps, len(one.motion), one.terms
    )


def laid_aside(shelf: Shelf, one: Sampled) -> Sampled:
    """The same, whose numbers only the shelf holds from now on."""
    return replace(one, motion=KeptMotion.of(one.motion, shelf))


def common_skeleton(takes: Sequence[Take | Sampled]) -> Skeleton:
    """The skeleton that most takes have; of equally many, that of the first."""
    if not takes:
        raise GraphError("no clips: give at least one")
    counts = Counter(one.motion.skeleton for one in takes)
    most = max(counts.values())
    return next(one.motion.skeleton for one in takes if counts[one.motion.skeleton] == most)


@dataclass(frozen=True, eq=False)
class Prepared:
    """The graph's clips, ordered by name, their clouds, and notices of what was changed or left out."""

    clips: list[Clip]
    clouds: list[Cloud]
    notices: tuple[str, ...]


def prepare(
    takes: Sequence[Take | Sampled],
    parameters: Parameters,
    skeleton: Skeleton,
    *,
    labels: Labels | None = None,
    watch: Watcher = None,
    crew: Crew | None = None,
    shelf: Shelf | None = None,
) -> Prepared:
    """Takes as clips of a graph. crew: who makes them. shelf: where motions and clouds are laid, so that they need not be held."""
    watch = Watch.of(watch)
    _check_roles(takes)
    found: list[tuple[Clip, Cloud]] = []
    notices: list[str] = list(labels.notices(one.name for one in takes)) if labels else []
    aloft: dict[str, float] = {}
    done = 0
    for some in in_order(crew, partial(_worked, parameters, skeleton, labels), _batches(takes, parameters.fps)):
        for name, made, share in some:
            clip = made[0][0]
            if len(clip) > clip.window:
                found += made if shelf is None else [_aside(*one, shelf) for one in made]
                aloft[name] = share
                continue
            rate = f"{parameters.fps:g}"
            notices.append(notes.SHORT.say(name=name, frames=len(clip), fps=rate, window=clip.window))
        done += len(some)
        watch.tell("prepare", done, len(takes))
    moved = [one.name for one in takes if one.motion.skeleton != skeleton]
    rates = {one.name: one.fps if isinstance(one, Sampled) else one.motion.fps for one in takes}
    slowed = [f"{name} ({fps:g}/s)" for name, fps in rates.items() if parameters.fps > fps * 1.001]
    if moved:
        notices.append(f"{listed(moved)} moved to the skeleton that most clips have")
    if slowed:
        notices.append(
            f"{listed(slowed)} brought up to {parameters.fps:g} frames/s: they hold no more detail than before"
        )
    afloat = {name: share for name, share in aloft.items() if floats(share)}
    if afloat:
        notices.append(
            f"{listed(list(afloat))}: {told(sum(afloat.values()) / len(afloat))}: feet float there, and how they stand is a guess"
        )
    if not found:
        raise GraphError("no clip is longer than its window: give longer clips, or a shorter --window")
    names = Counter(clip.name for clip, _ in found)
    for name, count in names.items():
        if count > 1:
            raise GraphError(f"two clips are called {name!r}: rename one")
    found.sort(key=lambda one: one[0].name)
    return Prepared([clip for clip, _ in found], [points for _, points in found], tuple(notices))


def _aside(clip: Clip, points: Cloud, shelf: Shelf) -> tuple[Clip, Cloud]:
    """The clip and its cloud, whose numbers only the shelf holds from now on."""
    return replace(clip, motion=KeptMotion.of(clip.motion, shelf)), KeptCloud.of(points, shelf)


def clouds_of(clips: Sequence[Clip], parameters: Parameters) -> list[Cloud]:
    """The clouds by which clips of one skeleton are compared. Those of clips that lie in a file are worked out whenever they are needed."""
    skeleton = clips[0].motion.skeleton
    matrix = cloud_matrix(skeleton, mass_weights(skeleton, parameters.weights), parameters.along)

    def made(clip: Clip) -> Cloud:
        make = PosedCloud.of if isinstance(clip.motion, OnShelf) else cloud
        return make(clip.motion, matrix, clip.sound)

    if sum(map(len, clips)) < _MANY:
        return [made(clip) for clip in clips]
    with Threads(_WORKERS) as crew:
        return list(in_order(crew, made, clips, 8 * _WORKERS))


def _check_roles(takes: Sequence[Take | Sampled]) -> None:
    """Every body must be known by hips and legs: contacts, labels and retargeting need them."""
    lacking = {one.name: [role for role in ESSENTIAL if role not in one.motion.skeleton.roles] for one in takes}
    strangers = [name for name, roles in lacking.items() if roles]
    if strangers:
        raise GraphError(
            f"{listed(strangers)}: the joints' names do not tell which is the {lacking[strangers[0]][0]}; "
            "say which joint is what with roles (--roles F.toml), or leave the clip out"
        )


def _check_places(motion: Motion) -> None:
    """Refuse a motion whose joints are nowhere, or further away than anybody ever was captured."""
    with np.errstate(over="ignore", invalid="ignore"):
        if np.abs(motion.root).max() + np.abs(motion.skeleton.offsets).sum() < _FARTHEST:
            return  # no joint is further from the root than all bones are long
        wild = ~(np.abs(motion.positions) < _FARTHEST).all(axis=(1, 2))
    if wild.any():
        raise MotionError(
            f"joint positions are not finite, or beyond {_FARTHEST / 1000:g} km, first at frame {int(np.argmax(wild))}: "
            "look at its root and the lengths of its bones"
        )


def _batches(takes: Sequence[Take | Sampled], fps: float) -> Iterator[list[Take | Sampled]]:
    """Takes in their order, so many at once as together make a fair piece of work."""
    some: list[Take | Sampled] = []
    frames = 0.0
    for one in takes:
        some.append(one)
        frames += one.motion.seconds * fps
        if frames > _TOGETHER:
            yield some
            some, frames = [], 0.0
    if some:
        yield some


def _worked(
    parameters: Parameters, skeleton: Skeleton, labels: Labels | None, takes: Sequence[Take | Sampled]
) -> list[tuple[str, list[tuple[Clip, Cloud]], float]]:
    """Of each take its name, its clips with their clouds, and how much of it floats."""
    held = [sampled(parameters.fps, one) for one in takes]
    made = _made(held, parameters, skeleton, labels)
    clouds = iter(clouds_of([clip for clips in made for clip in clips], parameters))
    return [
        (one.name, [(clip, next(clouds)) for clip in clips], floating(clips[0].motion, clips[0].contacts))
        for one, clips in zip(held, made, strict=True)
    ]


def _made(
    takes: Sequence[Sampled], parameters: Parameters, skeleton: Skeleton, labels: Labels | None
) -> list[list[Clip]]:
    """For each take its clip of the graph, and the mirrored copy where one is wanted."""
    try:
        motions = retarget_all([one.motion for one in takes], skeleton)
        motions = [replace(motion, name=one.name, notices=()) for one, motion in zip(takes, motions, strict=True)]
        copies = [motions]
        if parameters.mirror:
            mirrored = [mirror(motion).renamed(motion.name + MIRRORED) for motion in motions]
            copies.append(retarget_all(mirrored, skeleton, like=motions))
        held = rounded_all([motion for some in copies for motion in some])
    except MotionError as error:
        if len(takes) > 1:  # whose fault was it?
            return [clip for one in takes for clip in _made([one], parameters, skeleton, labels)]
        raise GraphError(f"{takes[0].name}: {error}") from error
    pose_together(held)
    return [_clips(one, held[number :: len(takes)], parameters, skeleton, labels) for number, one in enumerate(takes)]


def _clips(
    one: Sampled, copies: Sequence[Motion], parameters: Parameters, skeleton: Skeleton, labels: Labels | None
) -> list[Clip]:
    """The clips of a take, whose motion and, where there is one, mirrored copy are held as ``copies``."""
    # one window for both, so that they are compared alike
    window = window_frames(copies[0], parameters.window, adapt=parameters.adapt)
    clips = []
    for copy, mirrored in zip(copies, (False, True), strict=False):
        standing = contacts(copy)
        automatic = annotate(copy, standing) if parameters.annotate else ()
        spans = spans_for(one.name, len(copy), copy.fps, mirrored, labels, automatic)
        moved = one.motion.skeleton != skeleton
        terms = one.terms.licence, one.terms.credit
        source = ClipSource(one.file, one.sha256, one.fps, one.frames, mirrored, moved, *terms)
        clips.append(Clip(copy, window, standing, spans, source, one.sound))
    return clips
