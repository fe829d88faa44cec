import numpy as np
import pytest

from kinegraph.rendering.cones import meet
from kinegraph.rendering.raster import Canvas, shade

_RAYS = np.arange(-60.2, 60, 1.5, dtype=np.float32)


def _swept_spheres(axis, ra, rb):
    """The same rounded cone the slow way: the nearest of many spheres along the axis."""
    x, y = _RAYS[None, :].astype(float), _RAYS[:, None].astype(float)
    nearest = np.full((len(_RAYS), len(_RAYS)), -np.inf)
    for share in np.linspace(0, 1, 400):
        square = (ra + (rb - ra) * share) ** 2 - (x - axis[0] * share) ** 2 - (y - axis[1] * share) ** 2
        depth = axis[2] * share + np.sqrt(np.maximum(square, 0))
        nearest = np.maximum(nearest, np.where(square > 0, depth, -np.inf))
    return nearest


@pytest.mark.parametrize(
    ("axis", "ra", "rb"),
    [
        ((30, 12, 5), 10, 6),
        ((-8, 25, -20), 5, 12),
        ((0, 0, 30), 20, 8),  # looking at the narrow end
        ((0.5, 0, 30), 8, 20),  # looking at the wide end
        ((3, 1, -40), 6, 18),
        ((2, 1, 1), 15, 4),  # one sphere inside the other
        ((0, 0, 0), 9, 9),
        ((10, 0, 30), 12, 12),
    ],
)
def test_meeting_agrees_with_swept_spheres(axis, ra, rb):
    met = [[meet(x, y, np.array(axis, float), float(ra), float(rb)) for x in _RAYS] for y in _RAYS]
    depth, share = np.moveaxis(np.array(met), -1, 0)
    expected = _swept_spheres(axis, ra, rb)
    seen = np.isfinite(expected)
    assert np.sum(np.isfinite(depth) != seen) <= 0.01 * seen.sum() + 2
    both = seen & np.isfinite(depth)
    assert np.quantile(np.abs(depth[both] - expected[both]), 0.99) < 0.2
    # the normal is a unit vector exactly where the ray meets the surface
    place = np.stack(np.broadcast_arrays(_RAYS[None, :], _RAYS[:, None], depth), axis=-1)
    normal = (place - share[..., None] * np.array(axis)) / (ra + share * (rb - ra))[..., None]
    length = np.linalg.norm(normal[both], axis=-1)
    assert np.allclose(length, 1.0, atol=0.02)
    assert np.all(normal[both][:, 2] > -0.05)


def test_the_nearer_cone_hides_the_farther_whatever_the_order():
    near = np.array([[[10.0, 30, 20], [50, 30, 20]]])
    far = np.array([[[30.0, 10, -20], [30, 50, -20]]])
    radii = np.array([[6.0, 6.0]])
    for first, second in (((near, 0), (far, 1)), ((far, 1), (near, 0))):
        canvas = Canvas.blank(60, 60)
        for ends, paint in (first, second):
            canvas.draw(ends, radii, np.array([paint]))
        assert canvas.paint[30, 30] == 0
        assert canvas.paint[12, 30] == 1
        assert canvas.paint[2, 2] == -1


def test_what_lies_outside_the_canvas_is_cut():
    canvas = Canvas.blank(20, 20)
    canvas.draw(
        np.array([[[-500.0, 10, 0], [500, 10, 0]], [[90.0, 90, 0], [99, 99, 0]]]), np.full((2, 2), 4.0), np.arange(2)
    )
    assert (canvas.paint[10] == 0).all()
    assert (canvas.paint != 1).all()


def test_shading_is_brighter_towards_the_light_and_covers_what_is_seen():
    canvas = Canvas.blank(80, 80)
    canvas.draw(np.array([[[40.0, 40, 0], [40, 40, 0]]]), np.array([[30.0, 30.0]]), np.array([0]))
    colour, cover = shade(canvas, np.ones((1, 3), np.float32), np.array([False]), reach=4.0)
    assert colour.shape == (40, 40, 3)
    assert cover[20, 20] == 1
    assert cover[0, 0] == 0
    assert cover[cover < 1].max() > 0
    assert colour[12, 14, 0] > colour[28, 26, 0] + 0.2
    assert np.pi * 15**2 == pytest.approx(cover.sum(), rel=0.02)
