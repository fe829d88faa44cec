"""What is paid at least, against a recursion that looks at every way there is."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from kinegraph.graph.model import MotionGraph
from kinegraph.scenes import Key, Label, Scene, make_plan
from kinegraph.scenes.clock import GRAIN, M_CURVE, M_OFF_CURVE, M_OFF_PACE, M_PACE, M_TOLL, waits
from kinegraph.scenes.plan import sharper
from kinegraph.walks.course import HASTY


@pytest.mark.parametrize("label", ["turn_left", "!turn_left"])
def test_is_the_least_of_all_ways(small: MotionGraph, label: str) -> None:
    plan = make_plan(
        small,
        Scene(
            4.0, (Label(label, 1.5, 3.0), Label("walk", 0.0, 4.0)), (Key(0, (0, 0)), Key(2, (1, 2)), Key(3.5, (3, 2)))
        ),
    )
    # a draft does not wait for what haste costs
    draft, plan = plan, sharper(plan)
    held, clock = plan.graph_tables, plan.clock
    last = plan.frames

    @cache
    def least(node: int, moment: int, wait: int) -> float:
        if moment > last:
            return 0.0
        found = np.inf
        for edge in range(int(held.first[node]), int(held.first[node + 1])):
            cost, at = plan.prices.blend * float(held.cost[edge]) ** 2, moment
            if held.blended[edge]:
                cost += HASTY if wait > 0 else 0.0
                after = plan.prices.gap
            else:
                after = max(wait - int(held.length[edge]), 0)
            for row in range(int(held.begin[edge]), int(held.begin[edge] + held.length[edge])):
                if at <= last:
                    now, (pace, curve) = clock.moments[at], clock.own[row]
                    cost += now[M_TOLL] * float(clock.lack[clock.need[at], row])
                    cost += now[M_OFF_PACE] * (pace - now[M_PACE]) ** 2 + now[M_OFF_CURVE] * (curve - now[M_CURVE]) ** 2
                at += 1
            found = min(found, cost + least(int(held.target[edge]), at, after))
        return found

    rng = np.random.default_rng(1)
    somewhere = [(int(rng.integers(len(small))), int(rng.integers(60, last))) for _ in range(40)]
    costs = [least(node, moment, 0) for node, moment in somewhere]
    found = [float(clock.foresight[moment, node]) for node, moment in somewhere]
    assert max(costs) > 1.0
    assert min(costs) < max(costs)
    np.testing.assert_allclose(found, costs, rtol=1e-4, atol=1e-4)
    assert (draft.clock.foresight <= clock.foresight + 1e-4).all()
    assert not draft.clock.later.any()
    # who came by a transition of late waits, or is hasty
    more = 0.0
    for column, wait in enumerate(waits(plan.prices.gap).tolist()):
        hasty = [least(node, moment, wait) for node, moment in somewhere]
        told = [clock.later[moment, node, column] * GRAIN for node, moment in somewhere]
        np.testing.assert_allclose(told, np.subtract(hasty, costs), atol=1.5 * GRAIN)
        more = max(more, *told)
    assert more > 0.1
