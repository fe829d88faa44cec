import numpy as np
import pytest

from kinegraph.errors import KinegraphError
from kinegraph.motion import FloorTransform
from kinegraph.rendering.camera import Camera, axes_of, fitted, view_axes
from tests.rendering.render_motions import make_person

_BOX = (10.0, 20.0, 310.0, 220.0)


@pytest.mark.parametrize("perspective", [False, True])
@pytest.mark.parametrize("scale", [0.02, 1.0, 300.0])
def test_fit_shows_all_spheres_and_fills_the_box(perspective, scale):
    rng = np.random.default_rng(3)
    spheres = scale * (rng.normal(size=(200, 3)) * [4, 1, 1] + [5, 1, -7])
    radii = scale * rng.uniform(0.1, 0.3, 200)
    camera = fitted(axes_of(0.3, 0.2), spheres, radii, _BOX, perspective=perspective)
    pixels, per_metre = camera.project(spheres)
    reach = (per_metre * radii)[:, None]
    low, high = (pixels[:, :2] - reach).min(axis=0), (pixels[:, :2] + reach).max(axis=0)
    assert np.all(low > np.array(_BOX[:2]) - 0.5)
    assert np.all(high < np.array(_BOX[2:]) + 0.5)
    filled = (high - low) / [_BOX[2] - _BOX[0], _BOX[3] - _BOX[1]]
    assert filled.max() == pytest.approx(1.0, abs=0.01)


@pytest.mark.parametrize("distance", [np.inf, 8.0])
@pytest.mark.parametrize("pitch", [0.1, 0.8, np.pi / 2])
def test_floor_is_the_inverse_of_projection(distance, pitch):
    camera = Camera(axes_of(0.7, pitch), np.array([1.0, 0.9, -2.0]), 60.0, (80.0, 50.0), distance)
    x, z, rows = camera.floor(160, 100)
    assert rows[60:].all()
    points = np.stack([x, np.zeros_like(x), z], axis=-1)[60:, :].astype(float)
    pixels, _ = camera.project(points)
    across, down = np.meshgrid(np.arange(160) + 0.5, np.arange(60, 100) + 0.5)
    assert np.allclose(pixels[..., 0], across, atol=0.02)
    assert np.allclose(pixels[..., 1], down, atol=0.02)


def test_sky_is_not_floor():
    camera = Camera(axes_of(0.0, 0.05), np.array([0.0, 1.0, 0.0]), 60.0, (80.0, 50.0), 5.0)
    _, _, rows = camera.floor(160, 100)
    assert not rows[0]
    assert rows[-1]


@pytest.mark.parametrize("turn", [0.0, 1.0, -2.5])
def test_views_follow_the_body(turn):
    """Whichever way the clip goes in the world, it goes to the right seen from the side and at us seen from the front."""
    motion = make_person(speed=3.0).place(FloorTransform(turn, 2.0, 1.0))
    ahead, left = motion.facing()[0], np.cross([0, 1.0, 0], motion.facing()[0])
    side, front, top = (view_axes(motion, view, 1.7) for view in ("side", "front", "top"))
    assert side[0] @ ahead == pytest.approx(1.0)
    assert side[2] @ left < -0.9
    assert front[2] @ ahead > 0.9
    assert front[0] @ left == pytest.approx(1.0)
    assert top[2] == pytest.approx([0, 1, 0], abs=1e-9)
    assert top[0] @ ahead == pytest.approx(1.0)


def test_auto_looks_at_a_walk_from_the_side_and_at_a_stand_from_the_front():
    walk, stand = make_person(speed=3.0), make_person(speed=0.0)
    assert view_axes(walk, "auto", 1.7)[0] @ walk.facing()[0] > 0.8
    assert view_axes(stand, "auto", 1.7)[2] @ stand.facing()[0] > 0.7


def test_unknown_view_is_refused(person):
    with pytest.raises(KinegraphError, match=r"'behind'.*three-quarter"):
        view_axes(person, "behind", 1.7)
