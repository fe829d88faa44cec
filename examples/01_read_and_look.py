"""Read a clip, ask what it holds, and draw it.

    python examples/01_read_and_look.py [CLIP]

Without a clip the built-in walk is used. Leaves look.png in the current folder.
"""

import sys

import kinegraph as kg

motion = kg.load(sys.argv[1]) if len(sys.argv) > 1 else kg.samples.make("walk").motion
print(motion)
for notice in motion.notices:
    print("note:", notice)

print(f"{motion.seconds:.2f} s, mean speed {motion.speed().mean():.2f} m/s")
print(f"body height about {motion.skeleton.stature:.2f} m, naming: {motion.skeleton.naming or 'unknown'}")
ankle = motion.position("left_ankle")
print(f"left ankle between {ankle[:, 1].min():.3f} and {ankle[:, 1].max():.3f} m above the floor")

kg.render(motion, "look.png", poses=8)
print("look.png written")
