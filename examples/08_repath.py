"""Bend one clip along other paths: round a circle, for a minute round an eight, over a hill, and while a control point is dragged."""

import sys
import time
from pathlib import Path

import kinegraph as kg
from kinegraph import rendering as render
from kinegraph import samples
from kinegraph.paths import PathEditor, Spline, read_curve
from kinegraph.paths.ground import ground
from kinegraph.plots.repath import repath_picture

folder = Path(sys.argv[1] if len(sys.argv) > 1 else ".")

# what does not depend on the path is worked out once
walk = samples.make("walk").motion
editor = PathEditor(walk)
print(f"{walk}: its own path is {editor.course.curve.length:.2f} m long")


def told(what: str, made: kg.paths.Repathed) -> None:
    before, after = (1000 * of.overall[1] for of in (made.slides_before, made.slides))
    print(
        f"{what}: {made.motion.seconds:.1f} s, planted feet stray by {after:.2f} mm at most ({before:.0f} before they were held)"
    )


# as it is, on part of a circle; at its own speed
told("on a circle", editor.lay(read_curve("circle:2")))

# the clip's best loop is repeated for as long as it is wished for
eight = editor.lay(read_curve("eight:2"), cycle=True, seconds=60, end="restart")
told("round an eight", eight)
assert eight.loop is not None
print(
    f"  frames {eight.loop.first} to {eight.loop.last} are repeated, their ends {100 * eight.loop.distance:.1f} cm apart"
)
repath_picture(walk, eight, folder / "eight.png", title="a walk, on an eight")
print(f"{folder / 'eight.png'} written")

# over a hill: feet on the slope, the body upright
hill = editor.lay(read_curve("line:10"), cycle=True, ground=ground("hill:0.8,5"))
told("over a hill", hill)
kg.save(hill.motion, folder / "hill.bvh")
print(f"{folder / 'hill.bvh'} written")
repath_picture(walk, hill, folder / "hill.png", title="a walk, over a hill")
print(f"{folder / 'hill.png'} written")

# a spline whose third control point is dragged: laid anew each time
path = Spline([[0, 0], [0, 2], [1, 4], [3, 5], [5, 5]])
begun = time.perf_counter()
for x in (1.0, 0.5, 0.0, -0.5, -1.0):
    dragged = editor.lay(path.moved(2, [x, 4.0]))
took = (time.perf_counter() - begun) / 5
print(f"dragging: a path is laid in {1000 * took:.0f} ms")
render.render(dragged.motion, folder / "dragged.png", poses=8, layout="world", width=1200)
print(f"{folder / 'dragged.png'} written")
