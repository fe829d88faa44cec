"""The samples know what they do: contacts, speed, targets. Measure against it.

python examples/03_ground_truth.py
"""

import numpy as np

import kinegraph as kg

for name in ("walk", "run", "sneak"):
    sample = kg.samples.make(name)
    ball = sample.motion.position("left_toe")
    stands = sample.contacts[:, 1]
    # a plant ends where the next frame does not stand
    plants = np.split(np.flatnonzero(stands), np.flatnonzero(np.diff(np.flatnonzero(stands)) > 1) + 1)
    strays = [np.linalg.norm(ball[plant] - ball[plant].mean(axis=0), axis=-1).max() for plant in plants]
    measured = sample.motion.speed()[30:-30].mean()
    print(f"{name:<6} nominal {sample.speed:.2f} m/s, measured {measured:.2f}")
    print(f"       a planted ball strays {1000 * max(strays):.5f} mm at most")

punch = kg.samples.make("punch_high_left")
print("punch_high_left hits", np.round(punch.target, 3).tolist(), "at frame", punch.hit_frame)
