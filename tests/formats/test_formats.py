"""The catalogue of formats: what comes with kinegraph, and what is added while it runs."""

from __future__ import annotations

import re
from collections.abc import Iterator
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import kinegraph as kg
from kinegraph.errors import FormatError, KinegraphError
from kinegraph.formats import FORMATS, Format, Need, register, suffixes, written_suffixes
from kinegraph.formats.options import ReadOptions
from kinegraph.formats.raw import RawMotion
from kinegraph.formats.registry import format_of
from kinegraph.formats.writing import takers, write_options
from kinegraph.motion import Motion
from kinegraph.rendering import PICTURES, render
from kinegraph.rendering import register as register_picture
from tests.cli.inprocess import call


class Heights:
    """A format of one number a frame: how high the hips are."""

    def read(self, path: str | PathLike[str], options: ReadOptions) -> RawMotion:
        walk = kg.samples.make("walk").motion
        heights = np.loadtxt(path, ndmin=1)
        root = np.zeros((len(heights), 3))
        root[:, 1] = heights
        return RawMotion(walk.skeleton, root, walk.rotations[: len(heights)], 30.0, metres_per_unit=1.0, settled=True)

    def write(self, motion: Motion, path: str | PathLike[str], *, units: str = "m") -> None:
        np.savetxt(path, motion.root[:, 1] * (100 if units == "cm" else 1))


HEIGHTS = Format(
    name="Heights",
    suffixes=(".hgt",),
    use="Surveyors.",
    help="How high the hips are, a line a frame.",
    codec=Heights(),
    options=("units",),
    unit="m",
)


@pytest.fixture
def heights() -> Iterator[Format]:
    yield register(HEIGHTS)
    FORMATS.remove("Heights")


def test_the_formats_that_come_with_it() -> None:
    assert list(FORMATS) == ["BVH", "AMC", "NPZ", "GLB", "USD", "FBX", "CSV"]
    assert list(PICTURES) == ["Player", "GIF", "MP4", "PNG"]


@pytest.mark.parametrize("format", [*FORMATS.values(), *PICTURES.values()], ids=lambda format: format.name)
def test_every_format_says_what_it_is_for(format: Format) -> None:
    assert re.fullmatch(r"[A-Z].{3,40}\.", format.use)
    assert re.fullmatch(r"[A-Z].{10,100}\.", format.help)
    assert set(format.textual) | set(format.titles) <= set(format.suffixes)
    assert set(format.options) >= ({"units"} if format.unit else set())


def test_a_format_that_is_added_is_read_and_written_like_any_other(heights: Format, tmp_path: Path) -> None:
    assert suffixes()[-1] == ".hgt"
    assert ".hgt" in written_suffixes()
    assert format_of("X.HGT") is heights
    assert takers("units")[:3] == (".bvh", ".csv", ".hgt")
    walk = kg.samples.make("walk").motion
    kg.save(walk, tmp_path / "walk.hgt", units="cm")
    kg.save(walk, tmp_path / "walk2.hgt")
    assert np.allclose(np.loadtxt(tmp_path / "walk.hgt"), 100 * walk.root[:, 1])
    assert np.allclose(kg.load(tmp_path / "walk2.hgt").root[:, 1], walk.root[:, 1])
    with pytest.raises(FormatError, match=r"\.hgt files do not take order"):
        kg.save(walk, tmp_path / "walk.hgt", order="xyz")
    with pytest.raises(FormatError, match=r"what is for \.csv"):
        write_options(tmp_path / "walk.hgt", {"what": "rotations"})


def test_the_command_line_knows_a_format_that_is_added(heights: Format, tmp_path: Path) -> None:
    kg.save(kg.samples.make("walk").motion, tmp_path / "walk.npz")
    shown = " ".join(call("convert", "--help").out.split())
    assert ".hgt" in shown
    assert "Heights" in shown
    assert ".hgt" in call("convert", tmp_path / "walk.npz", tmp_path / "walk.xyz").err
    done = call("convert", tmp_path / "walk.npz", tmp_path / "walk.hgt", "--target-units", "cm")
    assert done.code == 0, done.err
    assert call("info", tmp_path / "walk.hgt").code == 0


def test_a_format_that_was_removed_is_gone(heights: Format) -> None:
    FORMATS.remove("Heights")
    with pytest.raises(FormatError, match=r"unknown suffix '\.hgt': expected one of \.bvh"):
        format_of("x.hgt")
    assert ".hgt" not in call("convert", "--help").out
    with pytest.raises(KinegraphError, match="no format called 'Heights'"):
        FORMATS.remove("Heights")
    register(HEIGHTS)  # for the fixture to remove


@pytest.mark.parametrize(
    ("name", "suffix", "why"),
    [
        ("BVH", ".hgt", "already a format called 'BVH'"),
        ("Mine", ".bvh", r"\.bvh files are BVH already"),
        ("Mine", "hgt", r"write a suffix as \.abc"),
        ("Mine", ".HGT", "in small letters"),
    ],
)
def test_what_would_hide_another_format_is_refused(name: str, suffix: str, why: str) -> None:
    with pytest.raises(KinegraphError, match=why):
        register(Format(name, (suffix,), "Nobody.", "For nobody.", Heights()))
    assert format_of("x.bvh").name == "BVH"


def test_what_a_format_lacks_is_said_with_what_to_install() -> None:
    assert Need.extra("usd", "numpy").missing() is None
    assert "pip install 'kinegraph[usd]'" in str(Need.extra("usd", "nowhere_to_be_found").missing())
    assert Format("X", (".x",), "X.", "X.", Heights()).missing() is None


def test_a_picture_that_is_added_is_drawn(tmp_path: Path) -> None:
    class Words:
        def write(self, motion: Motion, path: str | PathLike[str], **options: Any) -> None:
            Path(path).write_text(f"{motion.name}, {len(motion)} frames")

    register_picture(Format("Words", (".words",), "Readers.", "A motion in words.", Words(), reads=False))
    try:
        walk = kg.samples.make("walk").motion
        render(walk, tmp_path / "walk.words")
        assert (tmp_path / "walk.words").read_text() == f"walk, {len(walk)} frames"
        assert ".words" in call("render", "--help").out
        with pytest.raises(FormatError, match=r"cannot draw a motion as \.tiff.*\.words"):
            render(walk, tmp_path / "walk.tiff")
        with pytest.raises(KinegraphError, match=r"\.bvh files are BVH already"):
            register_picture(Format("Other", (".bvh",), "X.", "X.", Words()))
    finally:
        PICTURES.remove("Words")
