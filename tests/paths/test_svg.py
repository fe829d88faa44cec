"""Curves out of SVG files: every command of path data, scale, axes, refusals."""

from __future__ import annotations

import pathlib

import numpy as np
import pytest

from kinegraph.errors import FormatError
from kinegraph.paths import read
from kinegraph.paths.outline import OutlineError, points_of


def svg(folder: pathlib.Path, inside: str, attributes: str = "") -> pathlib.Path:
    file = folder / "a.svg"
    file.write_text(
        f'<?xml version="1.0" encoding="UTF-8"?>\n<svg xmlns="http://www.w3.org/2000/svg" {attributes}>{inside}</svg>'
    )
    return file


def length_of(data: str) -> float:
    return float(np.hypot(*np.diff(points_of(data), axis=0).T).sum())


@pytest.mark.parametrize(
    ("data", "corners"),
    [
        ("M0 0L1 0L1 2", [(0, 0), (1, 0), (1, 2)]),
        ("m 1,1 2,0 0,2 z", [(1, 1), (3, 1), (3, 3), (1, 1)]),
        ("M1 1 h2 v2 H0 V0", [(1, 1), (3, 1), (3, 3), (0, 3), (0, 0)]),
        ("M.5.5.6.7-1-1", [(0.5, 0.5), (0.6, 0.7), (-1, -1)]),
        ("M0 0 1e1 0", [(0, 0), (10, 0)]),
        ("M0 0L1 0M5 5L9 9", [(0, 0), (1, 0)]),
        ("M9 9 M0 0 l1 0", [(0, 0), (1, 0)]),
    ],
)
def test_straight_commands(data: str, corners: list[tuple[float, float]]) -> None:
    np.testing.assert_allclose(points_of(data), corners, atol=1e-12)


def test_curves_are_mirrored_by_their_short_forms() -> None:
    for short, long in (
        ("M0 0C0 5 5 5 5 0S10-5 10 0", "M0 0C0 5 5 5 5 0C5-5 10-5 10 0"),
        ("M0 0c0 5 5 5 5 0s5-5 5 0", "M0 0C0 5 5 5 5 0C5-5 10-5 10 0"),
        ("M0 0Q2.5 5 5 0T10 0", "M0 0Q2.5 5 5 0Q7.5-5 10 0"),
        ("M0 0q2.5 5 5 0t5 0", "M0 0Q2.5 5 5 0Q7.5-5 10 0"),
        ("M0 0L5 0S10-5 10 0", "M0 0L5 0C5 0 10-5 10 0"),
        ("M0 0L5 0T10 0", "M0 0L5 0Q5 0 10 0"),
    ):
        np.testing.assert_allclose(points_of(short), points_of(long), atol=1e-12)


def test_a_quadratic_curve_is_a_parabola() -> None:
    x, y = points_of("M0 0Q1 2 2 0").T
    np.testing.assert_allclose(y, x * (2 - x), atol=1e-12)


@pytest.mark.parametrize(
    ("data", "length", "through"),
    [
        ("M1 0A1 1 0 0 1 0 1", np.pi / 2, (np.sqrt(0.5), np.sqrt(0.5))),
        ("M1 0A1 1 0 1 0 0 1", 1.5 * np.pi, (-np.sqrt(0.5), -np.sqrt(0.5))),
        ("M1 0A1 1 0 0 0 0 1", np.pi / 2, (1 - np.sqrt(0.5), 1 - np.sqrt(0.5))),
        ("M0 0a1 1 0 0110 0", 5 * np.pi, (5, -5)),
        ("M2 0A2 1 0 0 1 -2 0", 4.844224, (0, 1)),
        ("M0 2A2 1 90 0 1 0 -2", 4.844224, (-1, 0)),
        ("M0 0A0 1 0 0 1 3 4", 5, (1.5, 2)),
    ],
)
def test_arcs(data: str, length: float, through: tuple[float, float]) -> None:
    points = points_of(data)
    assert length_of(data) == pytest.approx(length, rel=1e-4)
    if len(points) > 2:
        assert np.linalg.norm(points - through, axis=1).min() < 1e-6


@pytest.mark.parametrize(
    ("data", "message", "offset"),
    [
        ("L0 0", "begins with M", 0),
        ("M0 0 L", "L takes 2 numbers, found 0", 6),
        ("M0 0 C1 2 3", "C takes 6 numbers, found 3", 11),
        ("M0 0 X", "'X' has no meaning", 5),
        ("M0 0 L1;2", "';' has no meaning", 7),
        ("M0 0 A1 1 0 2 0 1 1", "flag", 11),
        ("M0 0 Z 5", "command is expected", 7),
    ],
)
def test_path_data_that_means_nothing(data: str, message: str, offset: int) -> None:
    with pytest.raises(OutlineError, match=message) as caught:
        points_of(data)
    assert caught.value.offset == offset


def test_seen_from_above_with_z_up_the_page_it_looks_as_drawn(tmp_path: pathlib.Path) -> None:
    # up the page, then to the right: ahead, then to the walker's right, which is −X
    path = read(svg(tmp_path, '<path d="M 0 0 V -5 H 3"/>'))
    assert path.points.tolist() == [[0, 0], [0, 5], [-3, 5]]
    assert path.curvature(5.0) < 0


@pytest.mark.parametrize(
    ("attributes", "metres"),
    [
        ("", 8),
        ('viewBox="0 0 100 100"', 8),
        ('width="500" viewBox="0 0 100 100"', 8),
        ('width="100%" viewBox="0 0 100 100"', 8),
        ('width="20cm" viewBox="0 0 100 100"', 8 * 0.002),
        ('width="100mm" viewBox="0,0,100,100"', 8 * 0.001),
        ('width="50 m" viewBox="0 0 100 100"', 4),
        ('width="100in" viewBox="0 0 100 100"', 8 * 0.0254),
    ],
)
def test_scale(tmp_path: pathlib.Path, attributes: str, metres: float) -> None:
    assert read(svg(tmp_path, '<path d="M0 0h8"/>', attributes)).length == pytest.approx(metres)


@pytest.mark.parametrize(
    ("inside", "length"),
    [
        ('<polyline points="0,0 3,0 3,4"/>', 7),
        ('<polygon points="0 0 3 0 3 4"/>', 12),
        ('<line x2="3" y2="4"/>', 5),
        ('<defs><path d="M0 0h9"/></defs><g><rect/><path d="M0 0h2"/></g><path d="M0 0h3"/>', 2),
    ],
)
def test_the_first_curve_that_is_drawn(tmp_path: pathlib.Path, inside: str, length: float) -> None:
    assert read(svg(tmp_path, inside)).length == pytest.approx(length)


@pytest.mark.parametrize(
    ("inside", "attributes", "message"),
    [
        ("<rect/>", "", "no path, polyline, polygon, line"),
        ('<path d="M0 0 L1"/>', "", "character 8 of its d: L takes 2"),
        ("<path/>", "", "at least two points"),
        ('<path d="M0 0"/>', "", "at least two points"),
        ('<path d="M0 0 L 1e999 0"/>', "", "a number is larger than"),
        ('<polyline points="0,0 1"/>', "", "odd count"),
        ('<polyline points="0,0 a,1"/>', "", "'a'"),
        ('<g transform="scale(2)"><path d="M0 0h1"/></g>', "", "transform"),
        ('<path d="M0 0h1"/>', 'width="20cm"', "needs a viewBox"),
        ("<path>", "", r"a\.svg:2:\d+: this is not SVG"),
    ],
)
def test_refusals(tmp_path: pathlib.Path, inside: str, attributes: str, message: str) -> None:
    with pytest.raises(FormatError, match=message):
        read(svg(tmp_path, inside, attributes))


def test_other_xml_is_refused(tmp_path: pathlib.Path) -> None:
    file = tmp_path / "a.svg"
    for text, message in (
        ("<html/>", "root is <html>"),
        ('<!DOCTYPE svg [<!ENTITY a "b">]><svg/>', "entities"),
    ):
        file.write_text(text)
        with pytest.raises(FormatError, match=message):
            read(file)
