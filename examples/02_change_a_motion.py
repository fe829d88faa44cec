"""Cut, resample, mirror, place and retarget: each gives a new motion, the old one stays.

    python examples/02_change_a_motion.py

Leaves changed.bvh in the current folder.
"""

import numpy as np

import kinegraph as kg

walk = kg.samples.make("walk_left_medium").motion

cut = walk.resample(30)[15:75]
mirrored = kg.mirror(cut)
turned = np.degrees(cut.heading()[-1] - cut.heading()[0])
print(f"turns by {turned:.0f}°, mirrored by {np.degrees(mirrored.heading()[-1] - mirrored.heading()[0]):.0f}°")

placed = mirrored.at_origin().place(kg.FloorTransform(angle=np.pi / 2, x=1.0))
print("starts at", placed.root[0].round(2).tolist(), "heading", f"{np.degrees(placed.heading()[0]):.0f}°")

child = walk.skeleton.scaled(0.7)
small = kg.retarget(placed, child)
ways = [np.ptp(of.root[:, 0]) for of in (small, placed)]
print(f"on a body of {child.stature:.2f} m the walk covers {ways[0]:.2f} m instead of {ways[1]:.2f} m")

kg.save(small, "changed.bvh")
print("changed.bvh written")
