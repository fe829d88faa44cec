"""Bend one clip along other paths: round a circle, for a minute round an eight, over a hill, and while a point is dragged.

python examples/08_repath.py [FOLDER]
"""

import sys
import time
from pathlib import Path

import kinegraph as kg

folder = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
walk = kg.samples.make("walk").motion

# as it is, on part of a circle; at its own speed
print(kg.repath(walk, "circle:2"))

# the clip's best loop is repeated for as long as it is wished for
eight = kg.repath(walk, "eight:2", cycle=True, seconds=60, end="restart")
print(eight)
eight.plot(folder / "eight.png")
print(f"{folder / 'eight.png'} written")

# over a hill: feet on the slope, the body upright
hill = kg.repath(walk, "line:10", cycle=True, ground="hill:0.8,5")
print(hill)
hill.save(folder / "hill.bvh")
print(f"{folder / 'hill.bvh'} written")
hill.plot(folder / "hill.png")
print(f"{folder / 'hill.png'} written")

# a spline whose third control point is dragged: what does not depend on the path is worked out once
editor = kg.paths.PathEditor(walk)
path = kg.paths.Spline([[0, 0], [0, 2], [1, 4], [3, 5], [5, 5]])
begun = time.perf_counter()
for x in (1.0, 0.5, 0.0, -0.5, -1.0):
    dragged = editor.lay(path.moved(2, [x, 4.0]))
took = (time.perf_counter() - begun) / 5
print(f"dragging: a path is laid in {1000 * took:.0f} ms")
kg.render(dragged.motion, folder / "dragged.png", poses=8, layout="world", width=1200)
print(f"{folder / 'dragged.png'} written")
