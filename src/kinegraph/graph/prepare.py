"""Clips made alike: one skeleton, one rate, mirrored copies, contacts, labels, windows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace

from kinegraph.errors import GraphError, KinegraphError, RoleError
from kinegraph.feet.contacts import contacts
from kinegraph.graph.annotate import annotate
from kinegraph.graph.labels import Labels, spans_for
from kinegraph.graph.model import Clip, Source
from kinegraph.graph.parameters import Parameters
from kinegraph.graph.rounding import rounded
from kinegraph.graph.takes import Take
from kinegraph.motion.clip import Motion
from kinegraph.motion.mirror import mirror
from kinegraph.motion.retarget import retarget
from kinegraph.motion.skeleton import Skeleton
from kinegraph.similarity.windows import window_frames

MIRRORED = "_mirrored"

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
    clips: list[Clip] = []
    notices: list[str] = list(labels.notices(one.name for one in takes)) if labels else []
    moved, slowed = [], []
    for done, one in enumerate(takes):
        motion = one.motion
        if parameters.fps > motion.fps * 1.001:
            slowed.append(f"{one.name} ({motion.fps:g}/s)")
        try:
            motion = motion.resample(parameters.fps)
            if motion.skeleton != skeleton:
                moved.append(one.name)
                motion = retarget(motion, skeleton)
            copies = [(motion.renamed(one.name), False)]
            if parameters.mirror:
                copies.append((retarget(mirror(motion), skeleton).renamed(one.name + MIRRORED), True))
        except RoleError as error:
            raise GraphError(
                f"{one.name} cannot share a skeleton with the other clips: {error}. Name its joints with roles, or leave it out"
            ) from error
        except KinegraphError as error:
            raise GraphError(f"{one.name}: {error}") from error
        window = window_frames(motion, parameters.window, adapt=parameters.adapt)
        if len(motion) <= window:
            notices.append(
                f"{one.name} is left out: {len(motion)} frames at {parameters.fps:g}/s are not longer than its window of {window}"
            )
            continue
        for copy, mirrored in copies:
            source = Source(
                one.file, one.sha256, one.motion.fps, len(one.motion), mirrored, one.motion.skeleton != skeleton
            )
            clips.append(_clip(copy, window, source, parameters, labels))
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


def _clip(motion: Motion, window: int, source: Source, parameters: Parameters, labels: Labels | None) -> Clip:
    motion = replace(rounded(motion), notices=())
    standing = contacts(motion)
    automatic = annotate(motion, standing) if parameters.annotate else ()
    name = motion.name.removesuffix(MIRRORED) if source.mirrored else motion.name
    spans = spans_for(name, len(motion), motion.fps, source.mirrored, labels, automatic)
    return Clip(motion, window, standing, spans, source)


def _listed(names: Sequence[str], most: int = 6) -> str:
    shown = ", ".join(names[:most])
    return f"{shown} and {len(names) - most} more" if len(names) > most else shown
