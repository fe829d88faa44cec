"""Makes docs/images/eight.gif, the moving picture of the README: a figure of eight, drawn on the floor and walked.

    python docs/_ext/eight.py GRAPH.mog

GRAPH.mog is a graph of the built-in clips, such as demo/samples.mog from `make demo`.
"""

import sys
from functools import partial
from pathlib import Path

import numpy as np

import kinegraph as kg
from kinegraph.rendering import films, ground

PATH = "eight:2"
TARGET = Path(__file__).parent.parent / "images" / "eight.gif"

made = kg.follow(sys.argv[1], PATH, label="walk", warp=True)
# a film shows the body alone; here the path that was asked for lies below it, and fewer colours make a smaller file
ground.PATH = np.array([0.85, 0.25, 0.0], np.float32)
films.compose = partial(films.compose, path=kg.paths.read(PATH).points)
films._COLOURS = 64
films.film(made.motion, TARGET, fps=12, width=480, height=270, follow=False)
print(f"{TARGET}: {TARGET.stat().st_size / 1000:.0f} kB")
