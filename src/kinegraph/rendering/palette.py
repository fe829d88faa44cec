"""Colours and light, in one place.

Left is a light orange and right a deep blue: the two differ in hue for every common kind of colour blindness, and in
lightness in black-and-white print.
"""

from __future__ import annotations

import numpy as np

from kinegraph.rendering.shapes import HEAD, LEFT, PLAIN, RIGHT, TORSO


def _rgb(code: str) -> tuple[float, float, float]:
    red, green, blue = (int(code[i : i + 2], 16) / 255 for i in (0, 2, 4))
    return red, green, blue


# Multiples of 4, which is how finely a GIF's colours are looked up: the background stays exact there.
BACKGROUND = np.array(_rgb("f8f8f8"), np.float32)
GRID = np.array(_rgb("b9bec6"), np.float32)
SHADOW = np.array(_rgb("4d5566"), np.float32)
PATH = np.array(_rgb("5f6b7d"), np.float32)
CAPTION = (104, 112, 125)
MARKED = (190, 48, 40)

# One row a paint, in 0 … 1.
PAINTS = np.zeros((5, 3), np.float32)
PAINTS[TORSO] = PAINTS[HEAD] = _rgb("dedbd6")
PAINTS[LEFT] = _rgb("f3a552")
PAINTS[RIGHT] = _rgb("4b82bd")
PAINTS[PLAIN] = _rgb("6f9c97")

# Towards the light, in the picture: x right, y down, z to the eye. From above, a little left, well in front.
LIGHT = tuple(np.array([-0.40, -0.60, 0.72]) / np.linalg.norm([-0.40, -0.60, 0.72]))
AMBIENT = 0.50
# How much brighter a surface gets that looks up, and darker one that looks down.
SKY = 0.10
SHINE = 0.07
