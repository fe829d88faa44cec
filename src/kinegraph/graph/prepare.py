"""Clips made alike: one skeleton, one rate, mirrored copies, contacts, labels, windows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from kinegraph.errors import GraphError, MotionError
from kinegraph.feet.contacts import contacts
from kinegraph.graph.annotate import annotate
from kinegraph.graph.labels import Labels, spans_for
from kinegraph.graph.model import Clip, Source
from kinegraph.graph.parameters import Parameters
from kinegraph.graph.rounding import rounded
from kinegraph.graph.takes import Take
from kinegraph.motion.body import ESSENTIAL
from kinegraph.motion.clip import Motion
from kinegraph.motion.leaps import sound_frames
from kinegraph.motion.mirror import mirror
from kinegraph.motion.retarget import retarget
from kinegraph.motion.skeleton import Skeleton
from kinegraph.similarity.windows import window_frames

MIRRORED = "_mirrored"

_FARTHEST = 1e5  # metres

Progress = Callable[[int, int], None]


def common_skeleton(takes: Sequence[Take]) -> Skeleton:
    """The skeleton that most takes have; of equally many, that of the first."""
    if not takes:
        raise GraphError("no clips: give at least one")
    counts = Counter(one.motion.skeleton for one in takes)
    most = max(counts.values())
    return next(one.motion.skeleton for one in takes if counts[one.motion.skeleton] == most)


def prepare(
    takes: Sequence[Take],
    parameters: Parameters,
    skeleton: Skeleton,
    *,
    labels: Labels | None = None,
    progress: Progress | None = None,
) -> tuple[list[Clip], tuple[str, ...]]:
    """The graph's clips, ordered by name, and notices of what was changed or left out."""
    _check_roles(takes)
    clips: list[Clip] = []
    notices: list[str] = list(labels.notices(one.name for one in takes)) if labels else []
    moved, slowed = [], []
    for done, one in enumerate(takes):
        motion = one.motion
        if parameters.fps > motion.fps * 1.001:
            slowed.append(f"{one.name} ({motion.fps:g}/s)")
        try:
            made = _copies(one, parameters, skeleton, labels)
        except MotionError as error:
            raise GraphError(f"{one.name}: {error}") from error
        if motion.skeleton != skeleton:
            moved.append(one.name)
        if len(made[0]) <= made[0].window:
            notices.append(
                f"{one.name} is left out: {len(made[0])} frames at {parameters.fps:g}/s are not longer than its window "
                f"of {made[0].window}"
            )
        else:
            clips += made
        if progress:
            progress(done + 1, len(takes))
    if moved:
        notices.append(f"{_listed(moved)} moved to the skeleton that most clips have")
    if slowed:
        notices.append(
            f"{_listed(slowed)} brought up to {parameters.fps:g} frames/s: they hold no more detail than before"
        )
    if not clips:
        raise GraphError("no clip is longer than its window: give longer clips, or a shorter --window")
    names = Counter(clip.name for clip in clips)
    for name, count in names.items():
        if count > 1:
            raise GraphError(f"two clips are called {name!r}: rename one")
    return sorted(clips, key=lambda clip: clip.name), tuple(notices)


def _check_roles(takes: Sequence[Take]) -> None:
    """Every body must be known by hips and legs: contacts, labels and retargeting need them."""
    lacking = {one.name: [role for role in ESSENTIAL if role not in one.motion.skeleton.roles] for one in takes}
    strangers = [name for name, roles in lacking.items() if roles]
    if strangers:
        raise GraphError(
            f"{_listed(strangers)}: the joints' names do not tell which is the {lacking[strangers[0]][0]}; "
            "say which joint is what with roles (--roles F.toml), or leave the clip out"
        )


def _check_places(motion: Motion) -> None:
    """Refuse a motion whose joints are nowhere, or further away than anybody ever was captured."""
    with np.errstate(over="ignore", invalid="ignore"):
        wild = ~(np.abs(motion.positions) < _FARTHEST).all(axis=(1, 2))
    if wild.any():
        raise MotionError(
            f"joint positions are not finite, or beyond {_FARTHEST / 1000:g} km, first at frame {int(np.argmax(wild))}: "
            "look at its root and the lengths of its bones"
        )


def _copies(one: Take, parameters: Parameters, skeleton: Skeleton, labels: Labels | None) -> list[Clip]:
    """The take as a clip of the graph, and its mirrored copy where one is wanted."""
    _check_places(one.motion)
    motion = retarget(one.motion.resample(parameters.fps), skeleton).renamed(one.name)
    copies = [(motion, False)]
    if parameters.mirror:
        copies.append((retarget(mirror(motion), skeleton).renamed(one.name + MIRRORED), True))
    # of both copies, so that they are compared alike
    window = window_frames(motion, parameters.window, adapt=parameters.adapt)
    sound = sound_frames(one.motion, parameters.fps)
    clips = []
    for copy, mirrored in copies:
        held = replace(rounded(copy), notices=())
        standing = contacts(held)
        automatic = annotate(held, standing) if parameters.annotate else ()
        spans = spans_for(one.name, len(held), held.fps, mirrored, labels, automatic)
        source = Source(
            one.file, one.sha256, one.motion.fps, len(one.motion), mirrored, one.motion.skeleton != skeleton
        )
        clips.append(Clip(held, window, standing, spans, source, sound))
    return clips


def _listed(names: Sequence[str], most: int = 6) -> str:
    shown = ", ".join(names[:most])
    return f"{shown} and {len(names) - most} more" if len(names) > most else shown
