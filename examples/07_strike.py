"""Punch a point: a space of strikes, the one that hits the target, and that one between two walks.

python examples/07_strike.py [FOLDER]
"""

import sys
from pathlib import Path

import kinegraph as kg

folder = Path(sys.argv[1] if len(sys.argv) > 1 else ".")

# nine punches that were thrown, registered to one another: from these any other is blended
punches = [kg.samples.make(name).motion for name in kg.samples.names() if name.startswith("punch")]
space = kg.strikes.build(punches, "punch")
low, high = space.region.low, space.region.high
print(f"{len(space.examples)} punches: {low[0]:.2f} to {high[0]:.2f} m across, {low[1]:.2f} to {high[1]:.2f} m up")

# metres in the ready pose's frame: X to the left, Y up; a third number would ask for a distance ahead
target = (0.1, 1.45)
made = kg.strike(space, target)
print(made)

# walks hold no boxer's stance: the way into the strike is a bridge, and its cost says so
names = ("stand", "start", "walk", "walk_left_medium", "stop")
graph = kg.build([kg.samples.make(name).motion for name in names], mirror=True)
shown = kg.strikes.joined(space, target, graph, before=2.0, after=2.0, seed=1)
print(f"{shown.motion}: hits at frame {shown.hit_frame}, {shown.target.round(2).tolist()} in the world")
for what, way in (("entered from", shown.entered), ("left for", shown.left)):
    clip = way.source if what.startswith("entered") else way.target
    kind = "bridge" if way.bridge else "transition"
    print(f"  {what} {clip} by a {kind} of {way.length} frames, {100 * way.cost:.1f} cm")

kg.save(shown.motion, folder / "strike.bvh")
print(f"{folder / 'strike.bvh'} written")
first, last = shown.untouched
around = range(first - 24, last + 25, 6)
kg.render(shown.motion, folder / "strike.png", frames=sorted({*around, shown.hit_frame}), width=1800, height=400)
print(f"{folder / 'strike.png'} written")
