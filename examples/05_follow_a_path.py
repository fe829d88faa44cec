"""A path on the floor, walked: the search through a motion graph, its blend, clean feet, and how good it is."""

import sys
from pathlib import Path

import kinegraph as kg
from kinegraph import paths
from kinegraph.evaluation.quality.figures import evaluate
from kinegraph.evaluation.quality.text import text
from kinegraph.plots.walked import walked_picture
from kinegraph.walks.following import follow
from kinegraph.walks.performing import perform

folder = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
names = ("walk", "walk_left_gentle", "walk_left_medium", "walk_left_tight")
graph = kg.graph.build([kg.samples.make(name).motion for name in names], kg.graph.Parameters(mirror=True))

path = paths.read("wave:12,1.5")  # or a file, or points: "0,0 0,4 3,8"
found = follow(graph, path)
print(found.walk)

# the walk as motion: transitions blended, bent gently onto the path, feet kept from sliding
finished = perform(found.walk, blend="anticipation", onto=path, feet=True)
print(finished.motion)
for line in text(evaluate(finished.motion, path=path, finished=finished)):
    print(" ", line)

kg.save(finished.motion, folder / "wave.bvh")
print(f"{folder / 'wave.bvh'} written")
transitions = [(one.first, one.first + one.length) for one in finished.performance.transitions]
walked_picture(finished.motion, finished.contacts, folder / "wave.png", path=path, transitions=transitions)
print(f"{folder / 'wave.png'} written")
