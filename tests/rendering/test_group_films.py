"""Films of many people: who is in the picture, and what is refused."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from kinegraph import Motion, samples
from kinegraph.errors import KinegraphError
from kinegraph.rendering import film_together
from kinegraph.rendering.group_films import _GroupShots

pytest.importorskip("PIL", reason="Pillow is not installed: pip install 'kinegraph[render]'")

RED, BLUE = (1.0, 0.0, 0.0), (0.0, 0.0, 1.0)


def walkers(*places: tuple[float, float], frames: int = 90) -> list[Motion]:
    walk = samples.make("walk").motion
    return [replace(walk[:frames], root=walk.root[:frames] + np.array([x, 0.0, z])) for x, z in places]


def shots(
    motions: list[Motion],
    follow: int | None = None,
    colours: list[tuple[float, float, float]] | None = None,
    starts: list[int] | None = None,
) -> _GroupShots:
    return _GroupShots(motions, starts or [0] * len(motions), 10.0, 320, 180, follow, colours, ())


def reds(picture: np.ndarray) -> np.ndarray:
    """Columns of the pixels that are clearly red."""
    red, green, blue = (picture[..., k].astype(int) for k in range(3))
    return np.nonzero((red > 90) & (green < red // 3) & (blue < red // 3))[1]


@pytest.mark.parametrize("frame", [0, 8, 15])
def test_everybody_is_in_the_picture(frame: int) -> None:
    motions = walkers((-9, -4), (7, 3), (0, 9))
    for person in range(3):
        colours = [RED if person == other else BLUE for other in range(3)]
        picture = shots(motions, colours=colours)[frame]
        assert len(reds(picture)) > 5
        assert reds(picture).min() > 4
        assert reds(picture).max() < 316


def test_a_camera_that_follows_keeps_somebody_in_the_middle() -> None:
    """Also while others stand behind it and in front of its lens."""
    around = [(3.0 + 20 * np.sin(angle), 20 * np.cos(angle)) for angle in np.linspace(0, 6, 12)]
    motions = walkers((3, 0), *around)
    made = shots(motions, 0, [RED] + [BLUE] * len(around))
    for frame in (0, 7, 14):
        assert abs(reds(made[frame]).mean() - 160) < 25


def test_a_film_lasts_as_long_as_the_motion() -> None:
    motions = walkers((0, 0), frames=121)
    assert len(shots(motions)) == 21


def test_people_come_and_go() -> None:
    motions = [walkers((0, 0))[0], walkers((5, 2), frames=30)[0]]
    made = shots(motions, colours=[BLUE, RED], starts=[0, 45])
    assert len(made) == 16
    assert [bool(len(reds(made[frame]))) for frame in (0, 5, 9, 11, 14)] == [False, False, True, True, False]


def test_what_cannot_be_filmed_is_refused(tmp_path: Path) -> None:
    one, two = walkers((0, 0), (1, 1))
    with pytest.raises(KinegraphError, match="nobody to film"):
        film_together([], tmp_path / "x.gif")
    with pytest.raises(KinegraphError, match="at one rate"):
        film_together([one, two.resample(30)], tmp_path / "x.gif")
    with pytest.raises(KinegraphError, match="2 people need as many starts"):
        film_together([one, two], tmp_path / "x.gif", starts=[0])
    with pytest.raises(KinegraphError, match="no person 2 to follow: they are numbered from 0 to 1"):
        film_together([one, two], tmp_path / "x.gif", follow=2)
    with pytest.raises(KinegraphError, match=r"\.gif or \.mp4"):
        film_together([one, two], tmp_path / "x.avi")
    assert not list(tmp_path.iterdir())
