"""Walks without a path: at random for as long as one likes, and through labels in a given order.

python examples/06_random_and_sequence.py [FOLDER]
"""

import sys
from pathlib import Path

import kinegraph as kg

folder = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
names = ("stand", "start", "walk", "walk_left_medium", "walk_right_medium", "run", "stop")
graph = kg.build([kg.samples.make(name).motion for name in names])

# all clips evenly, by any transitions or among the best only; the same seed gives the same walk
for pool in (None, 0.05):
    made = kg.wander(graph, 20, seed=1, pool=pool, label="walk")
    costs = [100 * one.cost for one in made.transitions]
    print(f"{made.motion}: {len(costs)} transitions of {sum(costs) / len(costs):.1f} cm on average")

# the cheapest walk that stays in each for a second and a half, found and not tried for
shown = kg.visit(graph, ["stand", "walk", "run", "walk"], stay=1.5, blend="inertial")
print(shown)  # with when each of them is reached

shown.save(folder / "show.bvh")
print(f"{folder / 'show.bvh'} written")
