"""The search with a clock: as good as looking at all walks where that can be done, better the wider it is, and stopped when asked."""

from __future__ import annotations

import numpy as np
import pytest

from kinegraph.graph.model import MotionGraph
from kinegraph.motion.floor import FloorTransform
from kinegraph.scenes import Key, Label, Scene, make_plan, solve, solve_on, solver
from kinegraph.scenes.clock import replay
from kinegraph.walks.course import HASTY
from kinegraph.walks.steering import laid_rows
from kinegraph.walks.tables import Tables
from kinegraph.watch import Stopped, Watch

SCENE = Scene(
    12,
    labels=(Label("walk", 0, 12),),
    keys=(Key(1, (0, 0), 0.0), Key(6, (2.0, 4.5), np.pi / 2), Key(11, (6.0, 4.0))),
)


def test_as_good_as_keeping_every_walk(small: MotionGraph, monkeypatch: pytest.MonkeyPatch) -> None:
    plan = make_plan(small, Scene(1.6, keys=(Key(0, (0, 0), 0.0), Key(1.5, (0.7, 1.3), 1.0))))
    found = solve(plan, (solver.FINAL,))
    monkeypatch.setattr(solver, "_PER_NODE", 1_000_000)
    every = solve(plan, (20_000,))
    assert found.cost == pytest.approx(every.cost, rel=1e-9)
    assert found.edges.tolist() == every.edges.tolist()
    # which is not the first walk that comes along
    assert solve(plan, (1,)).cost > 1.2 * every.cost


@pytest.mark.parametrize(("seconds", "at"), [(1.0, (0.1, 1.2)), (1.2, (0.3, 1.3))])
def test_equal_to_an_enumeration(
    small: MotionGraph, monkeypatch: pytest.MonkeyPatch, seconds: float, at: tuple[float, float]
) -> None:
    """Every walk there is, each played alone from its beginning to its end and paid for here: none is better than what was found."""
    plan = make_plan(small, Scene(seconds, (Label("walk", 0, seconds),), (Key(0, (0, 0), 0.0), Key(seconds, at, 0.5))))
    held, starts = plan.graph_tables, solver._starts(plan)
    # walks from a few nodes, else there are too many
    some = np.flatnonzero(np.isin(starts.nodes, np.unique(starts.nodes)[::60]))
    few = solver.Starts(starts.nodes[some], starts.angles[some], starts.places[some], starts.along[some])
    best, seen = np.inf, 0
    for first in range(len(some)):
        start = FloorTransform(float(few.angles[first]), *few.places[first, 2:].tolist())
        ways = [[edge] for edge in _onward(held, int(few.nodes[first]))]
        while ways:
            way = ways.pop()
            track, steer, lengths = laid_rows(held, np.array(way), start)
            trail, cost = replay(
                track, steer, plan.clock, plan.prices, held.begin[way], lengths, float(few.along[first]), 0.0, 1.0, 0
            )
            begins = np.cumsum([0, *lengths.tolist()])
            # the last edge may be played in part
            ended = trail[-1, 2] + 1.0 / trail[-1, 1] > plan.frames
            if not ended:
                ways += [[*way, edge] for edge in _onward(held, int(held.target[way[-1]]))]
                continue
            free = 0
            for number, edge in enumerate(way):
                if held.blended[edge]:
                    time = trail[begins[number], 2]
                    cost += plan.prices.blend * float(held.cost[edge]) ** 2 + (HASTY if int(time) < free else 0.0)
                    after = begins[number + 1]
                    free = int(trail[after, 2] if after < len(trail) else plan.frames) + plan.prices.gap
            best, seen = min(best, cost), seen + 1
    assert seen > 100
    monkeypatch.setattr(solver, "_PER_NODE", 1_000_000)
    found = solver.search(plan, few, 20_000, Watch.of(None))
    assert found is not None
    assert found[2] == pytest.approx(best, rel=1e-6)


def _onward(held: Tables, node: int) -> range:
    return range(int(held.first[node]), int(held.first[node + 1]))


def test_who_goes_as_fast_as_his_clip_is_neither_early_nor_late(stage: MotionGraph) -> None:
    run = Label("run", 0, 10)
    speed = make_plan(stage, Scene(10, (run,))).asked.speeds[1].usual
    keys = tuple(Key(float(time), (0, speed * time), 0.0) for time in range(1, 10, 2))
    found = solve(make_plan(stage, Scene(10, (run,), keys)), (100,))
    # a frame too early at each of them would cost several times as much
    assert found.cost < 0.15
    assert abs(found.rates[60:] - 1.0).max() < 0.03


def test_never_worse_by_going_on(stage: MotionGraph) -> None:
    plan = make_plan(stage, SCENE)
    costs = [found.cost for found in solve_on(plan, (4, 24, 200))]
    assert costs == sorted(costs, reverse=True)
    assert costs[-1] < costs[0]
    assert all(found.bound <= found.cost for found in solve_on(plan, (24,)))


def test_the_same_each_time_and_others_by_seed(stage: MotionGraph) -> None:
    one, two, other = (solve(make_plan(stage, SCENE, seed=seed)) for seed in (0, 0, 3))
    assert one.edges.tolist() == two.edges.tolist()
    assert np.array_equal(one.turns, two.turns)
    assert one.edges.tolist() != other.edges.tolist()


def test_stops_when_asked(stage: MotionGraph) -> None:
    told: list[int] = []

    def watch(stage: str, done: int, total: int | None) -> None:
        told.append(done)
        if done > 100:
            raise Stopped("enough")

    with pytest.raises(Stopped):
        solve(make_plan(stage, SCENE), watch=watch)
    assert told == [0, 60, 120]


def test_sets_out_in_time_for_the_next_label(stage: MotionGraph) -> None:
    """From a walk to a run there are few ways; the walk is at one of them when the time comes."""
    scene = Scene(16, labels=(Label("walk", 0, 8), Label("run", 8, 16)))
    plan = make_plan(stage, scene)
    found = solve(plan)
    # what borders cost, and no more
    assert found.cost < plan.least + 5.0
