from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from kinegraph.errors import FormatError
from kinegraph.plots.distance import distance_figure, distance_picture
from kinegraph.similarity.minima import Minima

NAMES = ("walk", "run")


def valley(rows: int = 60, columns: int = 90) -> tuple[np.ndarray, Minima]:
    """A made-up map in cm with three minima: 2.5 cm at (20, 30), 6 cm and 9 cm elsewhere."""
    y, x = np.mgrid[:rows, :columns]
    matrix = 10 + np.hypot(x - 30, y - 20) / 5
    return matrix, Minima(np.array([5, 20, 50]), np.array([70, 30, 10]), np.array([0.06, 0.025, 0.09]), 10)


def legend_texts(figure) -> list[str]:
    return [text.get_text() for legend in figure.legends for text in legend.get_texts()]


def test_a_picture_has_the_same_bytes_each_time(tmp_path: Path) -> None:
    matrix, minima = valley()
    # an SVG holds names for its parts, which matplotlib would draw by lot
    path = tmp_path / "distance.svg"
    contents = []
    for _ in range(2):
        distance_picture(matrix, minima, names=NAMES, fps=30, threshold_cm=7, path=path)
        contents.append(path.read_bytes())
    assert contents[0] == contents[1]
    assert len(contents[0]) > 5000
    assert [entry.name for entry in tmp_path.iterdir()] == [path.name]


def test_the_title_counts_the_minima_and_names_the_smallest() -> None:
    matrix, minima = valley()
    title = distance_figure(matrix, minima, names=NAMES, fps=30).axes[0].get_title()
    assert title == "walk × run: 3 minima, smallest 2.5 cm at (20, 30)"


def test_the_title_of_one_minimum_and_of_none() -> None:
    matrix, _ = valley()
    one = Minima(np.array([20]), np.array([30]), np.array([0.025]), 10)
    none = Minima(np.zeros(0), np.zeros(0), np.zeros(0), 10)
    titles = [distance_figure(matrix, found, names=NAMES, fps=30).axes[0].get_title() for found in (one, none)]
    assert titles == ["walk × run: 1 minimum, 2.5 cm at (20, 30)", "walk × run: no minima"]


def test_minima_up_to_the_threshold_are_full_and_the_others_hollow() -> None:
    matrix, minima = valley()
    figure = distance_figure(matrix, minima, names=NAMES, fps=30, threshold_cm=6)
    assert legend_texts(figure) == ["2 local minima up to 6 cm", "1 above 6 cm"]
    full, *hollow = figure.axes[0].collections
    # drawn as (B, A): B runs to the right
    assert np.asarray(full.get_offsets()).tolist() == [[70, 5], [30, 20]]
    assert len(full.get_facecolor()) == 1
    for rings in hollow:
        assert np.asarray(rings.get_offsets()).tolist() == [[10, 50]]
        assert len(rings.get_facecolor()) == 0


def test_without_a_threshold_all_minima_are_full() -> None:
    matrix, minima = valley()
    assert legend_texts(distance_figure(matrix, minima, names=NAMES, fps=30)) == ["3 local minima"]


def test_light_is_alike() -> None:
    matrix, minima = valley()
    image = distance_figure(matrix, minima, names=NAMES, fps=30).axes[0].images[0]
    near, far = (float(np.mean(image.get_cmap()(end)[:3])) for end in (0.0, 1.0))
    assert near > far


def test_the_second_scale_is_in_seconds() -> None:
    matrix, minima = valley(60, 90)
    figure = distance_figure(matrix, minima, names=NAMES, fps=30)
    figure.draw_without_rendering()
    above, beside = figure.axes[0].child_axes
    assert above.get_xlim() == pytest.approx((-0.5 / 30, 89.5 / 30))
    assert beside.get_ylim() == pytest.approx((-0.5 / 30, 59.5 / 30))


@pytest.mark.parametrize(
    ("shape", "aspect"), [((60, 90), 1.0), ((90, 60), 1.0), ((20, 200), "auto"), ((200, 20), "auto"), ((1, 1), 1.0)]
)
def test_frames_are_square_where_the_clips_are_of_like_length(shape: tuple[int, int], aspect: object) -> None:
    matrix = np.linspace(1, 9, shape[0] * shape[1]).reshape(shape)
    minima = Minima(np.array([0]), np.array([0]), np.array([0.01]), 10)
    figure = distance_figure(matrix, minima, names=NAMES, fps=30)
    assert figure.axes[0].get_aspect() == aspect
    assert 900 <= figure.get_figwidth() * figure.dpi <= 1400


def test_blank_entries_and_odd_names_do_no_harm(tmp_path: Path) -> None:
    matrix, minima = valley()
    matrix[0, 0] = np.nan
    path = tmp_path / "odd.png"
    names = ("a $very$ odd_{name} $", "歩く" * 40)
    distance_picture(matrix, minima, names=names, fps=30, threshold_cm=1, path=path)
    assert path.stat().st_size > 5000


def test_a_map_that_is_blank_all_over_can_be_drawn() -> None:
    matrix, minima = valley()
    distance_figure(np.full_like(matrix, np.nan), minima, names=NAMES, fps=30).draw_without_rendering()


def test_an_unknown_suffix_is_refused_before_any_work(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=r"unknown suffix '\.bmp'.*\.png, \.svg, \.pdf"):
        # no matrix at all: any work would fail on it
        distance_picture(None, None, names=NAMES, fps=30, path=tmp_path / "a.bmp")  # type: ignore[arg-type]


def test_a_missing_folder_is_said(tmp_path: Path) -> None:
    matrix, minima = valley()
    with pytest.raises(FormatError, match="there is no folder"):
        distance_picture(matrix, minima, names=NAMES, fps=30, path=tmp_path / "nowhere" / "a.png")
