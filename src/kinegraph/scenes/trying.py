"""A scene tried again where the first try falls short: strikes from other stances, obstacles kept farther off, labels that matter more."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from kinegraph.arrays import Bools
from kinegraph.errors import Unsatisfied
from kinegraph.graph.model import MotionGraph
from kinegraph.people.spaces import Given, Spaces
from kinegraph.scenes.finish import Directed, perform_scene
from kinegraph.scenes.kept import kept
from kinegraph.scenes.lesson import FIRST, Lesson
from kinegraph.scenes.misses import bumps
from kinegraph.scenes.plan import ScenePlan, make_plan
from kinegraph.scenes.scene import Scene
from kinegraph.scenes.solver import DRAFT, FINAL, SolvedScene, solve
from kinegraph.scenes.striking import Avoided
from kinegraph.watch import Watcher

# how often other stances are tried, and of which strikes, counted backwards from one that is not struck
_TRIES = 5
_DOUBTED = ((0,), (1,), (0, 1))
# what a way may cost more than at least before it is doubted that it gets where it should
_DOUBT = 60.0
# how often a scene is performed anew, metres that are added to what is lacking of a clearance, and how many times more a label matters
# where it was lacking
_ANEW, _FARTHER, _URGENT = 3, 0.01, 6.0


def perform_best(
    graph: MotionGraph,
    scene: Scene,
    widths: tuple[int, ...] = (DRAFT, FINAL),
    *,
    seed: int = 0,
    spaces: Given | Spaces | None = None,
    watch: Watcher = None,
    **how: Any,
) -> Directed:
    """The motion of a scene; the rest as in `plan_and_solve` and `kinegraph.scenes.finish.perform_scene`."""

    def perform(lesson: Lesson) -> Directed:
        found = plan_and_solve(graph, scene, widths, seed=seed, spaces=spaces, lesson=lesson, watch=watch)
        return perform_scene(*found, watch=watch, **how)

    return best_of(perform, drafts=max(widths) <= DRAFT)


def best_of(perform: Callable[[Lesson], Directed], drafts: bool = False) -> Directed:
    """The best of some tries at a scene, each of which knows what the ones before have taught. Drafts do not wait for labels."""
    lesson, best = FIRST, None
    least: tuple[float, ...] = ()
    for number in range(_ANEW):
        try:
            done = perform(lesson)
        except Unsatisfied:
            if best is None:
                raise
            break
        depth = max((one.depth for one in bumps(done.finished.motion, done.plan.scene) if one.counts), default=0.0)
        lacking = np.zeros(done.plan.frames + 1, bool) if drafts else _unlabelled(done)
        missed = sum(one.hard and not one.met for one in done.misses) + sum(not one.met for one in done.strikes)
        wrong = (float(missed), depth, float(lacking.sum()))
        if best is None or wrong < least:
            best, least = done, wrong
        if not depth and not lacking.any():
            break
        urgent = lacking | _searched(done, lacking, number)
        lesson = lesson.keeping_off(depth + _FARTHER if depth else 0.0).urging(urgent, _URGENT)
    assert best is not None
    return best


def _unlabelled(done: Directed) -> Bools:
    """The moments ``(T + 1,)`` at which a label is lacking."""
    found = np.zeros(done.plan.frames + 1, bool)
    for one in kept(done):
        found |= one.lacking[: len(found)]
    return found


def _searched(done: Directed, seen: Bools, spread: int) -> Bools:
    """The moments ``(T + 1,)`` at which the search had what is ``seen`` now, since the finish shifts times; and ``spread`` frames about."""
    times = np.concatenate([[0.0], np.cumsum(1.0 / done.solved.rates)[:-1]])
    moments = np.interp(done.finished.performance.walk.moments[: len(seen)][seen], np.arange(len(times)), times)
    found = np.zeros(len(seen), bool)
    for shift in range(-spread, spread + 1):
        found[np.clip(np.round(moments).astype(np.int64) + shift, 0, len(seen) - 1)] = True
    return found


def plan_and_solve(
    graph: MotionGraph,
    scene: Scene,
    widths: tuple[int, ...] = (DRAFT, FINAL),
    *,
    seed: int = 0,
    spaces: Given | Spaces | None = None,
    lesson: Lesson = FIRST,
    watch: Watcher = None,
) -> tuple[ScenePlan, SolvedScene]:
    """The plan of a scene and the best way that was found; the rest as in `make_plan` and `solve`.

    >>> import kinegraph as kg
    >>> graph = kg.graph.build([kg.samples.make("walk").motion])
    >>> plan, solved = kg.scenes.plan_and_solve(graph, kg.scenes.Scene(3.0, keys=(kg.scenes.Key(2.0, (1.0, 2.0)),)), (5, 50))
    >>> solved.cost >= solved.bound
    True
    """
    if isinstance(spaces, Spaces) or not scene.strikes:
        known = spaces
    else:
        known = Spaces(spaces)
    plan = make_plan(graph, scene, seed, known, lesson=lesson)
    best = plan, solve(plan, widths, watch)
    avoided: Avoided = ()
    for number in range(_TRIES):
        lacking = _lacking(*best)
        if not scene.strikes or (not lacking and best[1].cost < best[1].bound + _DOUBT):
            break
        # who cannot get to a strike may come to it otherwise, or have struck the one before it from elsewhere, or both
        wrong = lacking or list(range(len(scene.strikes)))
        doubted = {one - back for one in wrong for back in _DOUBTED[number % len(_DOUBTED)] if one >= back}
        avoided += tuple((one, plan.strikes[one].place.angle) for one in sorted(doubted))
        plan = make_plan(graph, scene, seed, known, avoided, lesson)
        tried = plan, solve(plan, widths, watch)
        if (len(_lacking(*tried)), tried[1].cost) < (len(lacking), best[1].cost):
            best = tried
    return best


def _lacking(plan: ScenePlan, solved: SolvedScene) -> list[int]:
    """Strikes that a way does not go through."""
    graph = plan.graph
    clips = graph.node_clip[graph.edges.source[solved.edges]]
    return [n for n, one in enumerate(plan.strikes) if not np.any(clips == graph.clip_index[one.clip.clip.name])]
