"""A scene with strikes, planned and solved: where a strike cannot be struck from where that seemed best, other stances are tried."""

from __future__ import annotations

import numpy as np

from kinegraph.graph.model import MotionGraph
from kinegraph.people.spaces import Given, Spaces
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


def plan_and_solve(
    graph: MotionGraph,
    scene: Scene,
    widths: tuple[int, ...] = (DRAFT, FINAL),
    *,
    seed: int = 0,
    spaces: Given | Spaces | None = None,
    spare: float = 0.0,
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
    plan = make_plan(graph, scene, seed, known, spare=spare)
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
        plan = make_plan(graph, scene, seed, known, avoided, spare)
        tried = plan, solve(plan, widths, watch)
        if (len(_lacking(*tried)), tried[1].cost) < (len(lacking), best[1].cost):
            best = tried
    return best


def _lacking(plan: ScenePlan, solved: SolvedScene) -> list[int]:
    """Strikes that a way does not go through."""
    graph = plan.graph
    clips = graph.node_clip[graph.edges.source[solved.edges]]
    return [n for n, one in enumerate(plan.strikes) if not np.any(clips == graph.clip_index[one.clip.clip.name])]
