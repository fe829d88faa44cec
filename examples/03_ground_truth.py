"""The samples know what they do: contacts, speed, targets. Measure against it.

python examples/03_ground_truth.py
"""

import numpy as np

from kinegraph import samples
from kinegraph.motion.spans import spans

for name in ("walk", "run", "sneak"):
    sample = samples.make(name)
    ball = sample.motion.position("left_toe")
    strays = [
        np.linalg.norm(ball[a:b] - ball[a:b].mean(axis=0), axis=-1).max() for a, b in spans(sample.contacts[:, 1])
    ]
    measured = sample.motion.speed()[30:-30].mean()
    print(
        f"{name:<6} nominal {sample.speed:.2f} m/s, measured {measured:.2f}; a planted ball strays {1000 * max(strays):.5f} mm at most"
    )

punch = samples.make("punch_high_left")
print("punch_high_left hits", np.round(punch.target, 3).tolist(), "at frame", punch.hit_frame)
