"""A path on the floor, walked: the search through a motion graph, its blend, clean feet, and how good it is.

python examples/05_follow_a_path.py [FOLDER]
"""

import sys
from pathlib import Path

import kinegraph as kg

folder = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
names = ("walk", "walk_left_gentle", "walk_left_medium", "walk_left_tight")
graph = kg.build([kg.samples.make(name).motion for name in names], mirror=True)

# transitions are blended, the walk is bent gently onto the path, feet are kept from sliding
made = kg.follow(graph, "wave:12,1.5", warp=True)  # or a file, or points: "0,0 0,4 3,8"
print(made)

made.save(folder / "wave.bvh")
print(f"{folder / 'wave.bvh'} written")
made.plot(folder / "wave.png")
print(f"{folder / 'wave.png'} written")
