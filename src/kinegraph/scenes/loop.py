"""Scenes whose end is their beginning.

The walk ends at the node at which it began, where it began. It is performed for a moment longer, by which its first frames, shown once
more, are faded into its own first frames: so the last frame is the first one, and what comes after it goes on as the end did.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from kinegraph.errors import Unsatisfied
from kinegraph.graph.walk import Walk
from kinegraph.scenes.aims import Aim, Aims
from kinegraph.scenes.finish import Directed, TimedWay, perform_way
from kinegraph.scenes.meeting import Timing
from kinegraph.scenes.misses import misses
from kinegraph.scenes.plan import ScenePlan
from kinegraph.scenes.solver import DRAFT, FINAL, SolvedScene, replayed, search, solve
from kinegraph.scenes.splicing import far_apart, mixed
from kinegraph.scenes.stood import first_of
from kinegraph.scenes.stretch import APART, FADE, ending_at, laid_at, start_at
from kinegraph.watch import Watch, Watcher

# beginnings that are tried, frames by which they lie apart, and seconds that are performed beyond the end
_TRIED, _APART, _BEYOND = 12, 6, 0.6
# a draft that costs no more than so many times the least is good enough to go on with
_GOOD = 1.6
# how much it matters that the end comes at its time
_EXACT = 30.0


def perform_loop(plan: ScenePlan, *, width: int = FINAL, watch: Watcher = None, **how: Any) -> Directed:
    """The motion of a scene that is a loop; the rest as in `kinegraph.scenes.finish.perform_scene`."""
    told = Watch.of(watch)
    beginnings = _beginnings(plan, told)
    nearest: float | None = None
    left: list[_Round] = []
    for wide in (DRAFT, width) if width > DRAFT else (DRAFT,):
        for found in (_closed(plan, node, wide, told) for node in beginnings):
            if found is None:
                continue
            left.append(found)
            if found.cost < _GOOD * plan.least + 1.0:
                break
        if left:
            break
    # the last may have been good enough to look for no other
    for found in sorted(left, key=lambda one: one.cost):
        made, apart = _performed(plan, found, width, told, how)
        if made is not None:
            return made
        nearest = apart if nearest is None else min(nearest, apart)
    if nearest is None:
        raise Unsatisfied(
            f"no loop of {plan.scene.seconds:g} s was found that ends as it began: give it more seconds, or let it begin where "
            "somebody walks steadily"
        )
    raise Unsatisfied(
        f"the loop does not close: its best walk ends {nearest:.1f} m from where it began; give it more or fewer seconds, or put "
        "its keys nearer to each other"
    )


class _Round(NamedTuple):
    """A walk from a node back to it."""

    cost: float
    node: int
    edges: list[int]


def _performed(
    plan: ScenePlan, found: _Round, width: int, watch: Watch, how: dict[str, Any]
) -> tuple[Directed | None, float]:
    """The motion of a walk from a node back to it, if its end meets its beginning; and by how many metres a joint is off there."""
    seam, last = plan.anchors[0], plan.frames
    assert seam.heading is not None
    if width > DRAFT:
        wider = _closed(plan, found.node, width, watch)
        found = wider if wider is not None and wider.cost < found.cost else found
    edges = np.array(found.edges, np.int64)
    place = laid_at(plan, found.node, seam.x, seam.z, seam.heading)
    starts = start_at(plan, found.node, place, seam.x, seam.z, 0.0, 1.0)
    trail = replayed(plan, edges, place, float(starts.along[0]), key=starts.key)
    own, fps = plan.graph.edges, plan.graph.fps
    frames = np.cumsum(own.length[edges])
    more = int(np.searchsorted(frames, _BEYOND * fps)) + 1
    beyond = int(frames[min(more, len(frames)) - 1])
    fade = round(FADE * fps)
    rates = np.concatenate([trail[:, 1], trail[:beyond, 1]])
    # the seam is passed at one rate
    mean = 0.5 * (trail[0, 1] + trail[-1, 1])
    rates[[0, len(trail) - 1, len(trail)]] = mean
    way = TimedWay(
        np.concatenate([edges, edges[:more]]),
        place,
        np.concatenate([trail[:, 0], trail[:beyond, 0]]),
        rates,
        np.arange(last + fade + 1.0),
    )
    aims, begun = _aims(plan, place, found.node), np.arange(fade + 1)
    marks, due = np.array([len(trail)]), np.array([float(last)])
    for _ in range(2):
        timing = Timing(marks, due, due, np.full(len(marks), _EXACT))
        done, shown, shifted = perform_way(plan, way, aims, timing=timing, watch=watch, **how)
        apart = far_apart(done.motion, begun, done.motion, begun + last)
        if apart <= APART:
            break
        # who runs is soon elsewhere if what comes after the end is played faster than the beginning
        steps = np.arange(1, min(2 * fade, beyond), max(fade // 3, 1))
        first, again = (np.interp(steps + since, shown, np.arange(len(shown))) for since in (0, len(trail)))
        mean = 0.5 * (first + again - last)
        marks = np.concatenate([steps, [len(trail)], steps + len(trail)])
        due = np.concatenate([mean, [float(last)], mean + last])
    else:
        return None, apart
    whole = _closed_up(done, last, fade)
    solved = SolvedScene(edges, place, trail[:, 0], trail[:, 1], found.cost, plan.least, width)
    missed = misses(whole.motion, plan)
    return Directed(whole, plan, solved, missed, np.diff(shown[: last + 1]), shifted), apart


def _beginnings(plan: ScenePlan, watch: Watch) -> list[int]:
    """Nodes that look good to begin at: where the best walk begins that need not end there, and others that cost little."""
    held = plan.graph_tables
    found = [int(plan.graph.edges.source[solve(plan, (DRAFT,), watch).edges[0]])]
    for node in np.argsort(plan.clock.foresight[0], kind="stable").tolist():
        if len(found) == _TRIED:
            break
        if all(
            held.clip[node] != held.clip[other] or abs(held.row[node] - held.row[other]) > _APART for other in found
        ):
            found.append(node)
    return found


def _closed(plan: ScenePlan, node: int, width: int, watch: Watch) -> _Round | None:
    """The best walk from a node back to it."""
    seam = plan.anchors[0]
    assert seam.heading is not None
    place = laid_at(plan, node, seam.x, seam.z, seam.heading)
    ending = ending_at(plan, node, float(plan.frames), 0.0, (seam.x, seam.z, seam.heading))
    found = search(ending, start_at(ending, node, place, seam.x, seam.z, 0.0, 1.0), width, watch)
    return None if found is None else _Round(found[2], node, found[0])


def _aims(plan: ScenePlan, place: Any, node: int) -> Aims:
    """The keys, and at both ends the place and the heading of the beginning."""
    graph, seam = plan.graph, plan.anchors[0]
    clip = graph.clips[int(graph.node_clip[node])].motion
    x, _, z = clip.root[int(graph.node_frame[node])]
    cosine, sine = np.cos(place.angle), np.sin(place.angle)
    at = (cosine * x + sine * z + place.x, cosine * z - sine * x + place.z)
    for moment, key in zip(plan.moments, plan.keys, strict=True):
        if moment in (0, plan.frames):
            at = key.at
    rows = [one for one in Aims.of(plan).each() if 0 < one.frame < plan.frames]
    ends = [Aim(f, float(at[0]), float(at[1]), seam.heading) for f in (0, plan.frames)]
    return Aims.rows([*rows, *ends])


def _closed_up(done: Any, last: int, fade: int) -> Any:
    """What was finished up to its last frame, of which the first frames were faded into those that came after it."""
    motion, played = done.motion, done.performance
    share = np.linspace(0.0, 1.0, fade + 1)
    share = share * share * (3.0 - 2.0 * share)
    root, rotations, bones = mixed(motion[last : last + fade + 1], motion[: fade + 1], share)
    whole = motion[: last + 1]
    parts = [whole.root.copy(), whole.rotations.copy()]
    parts[0][: fade + 1], parts[1][: fade + 1] = root, rotations
    stretched = None
    if bones is not None:
        stretched = np.array(whole.translations)
        stretched[: fade + 1] = bones
    whole = replace(whole, root=parts[0], rotations=parts[1], translations=stretched)
    moments = played.walk.moments[: last + 1]
    count = int(np.ceil(moments[-1])) + 1
    ends = np.cumsum(played.walk.graph.edges.length[played.walk.edges])
    walk = Walk(
        played.walk.graph, played.walk.edges[: int(np.searchsorted(ends, count)) + 1], played.walk.start, count,
        None if played.walk.turns is None else played.walk.turns[:count], None, moments,
    )  # fmt: skip
    names = ("contacts", "clip", "frame", "other_clip", "other_frame", "edge", "weight")
    cut = {name: getattr(played, name)[: last + 1] for name in names}
    performance = replace(played, motion=whole, unbent=played.unbent[: last + 1], walk=walk, **cut)
    feet = first_of(done.feet, last + 1)
    return replace(done, motion=whole, contacts=done.contacts[: last + 1], performance=performance, feet=feet)
