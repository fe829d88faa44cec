from __future__ import annotations

import xml.etree.ElementTree as ET

import numpy as np
import pytest

from kinegraph import samples
from kinegraph.motion import Motion, Skeleton, rotation
from kinegraph.rendering.thumbnails import HEIGHT, WIDTH, thumbnail


def points(svg: str) -> np.ndarray:
    tree = ET.fromstring(svg)
    found = []
    for path in tree.iter("{http://www.w3.org/2000/svg}path"):
        if "L" in path.get("d", ""):
            found += [piece.split() for piece in path.get("d", "").replace("L", "M").split("M") if piece]
    return np.array(found, dtype=float)


@pytest.mark.parametrize("name", ["walk", "walk_left_tight", "jump", "kick_high_centre"])
def test_all_of_the_body_is_in_the_picture(name: str) -> None:
    places = points(thumbnail(samples.make(name).motion))
    assert len(places) > 5 * 20
    assert (places > 0).all()
    assert (places < [WIDTH, HEIGHT]).all()
    # feet below, five figures side by side
    assert np.ptp(places[:, 1]) > 0.6 * HEIGHT
    assert np.ptp(places[:, 0]) > 0.6 * WIDTH


def test_who_walks_away_is_seen_from_the_same_side() -> None:
    walk = samples.make("walk").motion
    from kinegraph import FloorTransform

    turned = walk.place(FloorTransform(2.0, 5.0, -3.0))
    np.testing.assert_allclose(points(thumbnail(walk)), points(thumbnail(turned)), atol=0.11)


def test_any_skeleton_has_a_picture() -> None:
    rope = Skeleton(("a", "b", "c"), np.array([-1, 0, 1]), np.array([[0, 0, 0], [0, 1, 0], [0, 1, 0.0]]))
    still = Motion(rope, np.zeros((1, 3)), rotation.identity(1, 3), 30.0)
    ET.fromstring(thumbnail(still))
    point = Skeleton(("a",), np.array([-1]), np.zeros((1, 3)))
    ET.fromstring(thumbnail(Motion(point, np.zeros((2, 3)), rotation.identity(2, 1), 30.0)))
