"""Walks without a path: at random for as long as one likes, and through labels in a given order."""

import sys
from pathlib import Path

import kinegraph as kg
from kinegraph.walks.ordering import sequence, stays
from kinegraph.walks.performing import perform
from kinegraph.walks.wandering import wander

folder = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
names = ("stand", "start", "walk", "walk_left_medium", "walk_right_medium", "run", "stop")
graph = kg.graph.build([kg.samples.make(name).motion for name in names])

# uniform at every choice point, or among the best transitions only; the same seed gives the same walk
for pool in (None, 0.05):
    walk = wander(graph, seconds=20, seed=1, pool=pool, label="walk")
    costs = [100 * one.cost for one in perform(walk).performance.transitions]
    print(f"{walk}: transitions of {sum(costs) / len(costs):.1f} cm on average")

# the cheapest walk that stays in each for a second and a half, found and not tried for
order = ["stand", "walk", "run", "walk"]
shown = sequence(graph, order, stay=1.5)
for step, (first, last) in zip(order, stays(shown, order, stay=1.5), strict=True):
    print(f"  {step:6} from {first / graph.fps:5.2f} to {last / graph.fps:5.2f} s")

finished = perform(shown, blend="inertial")
kg.save(finished.motion, folder / "show.bvh")
print(f"{folder / 'show.bvh'} written")
