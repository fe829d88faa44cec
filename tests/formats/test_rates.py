"""Frame times as files write them, and the rates they mean."""

from __future__ import annotations

from math import inf

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kinegraph.formats import rates, units

NTSC = 1000 / 1001


@pytest.mark.parametrize(
    ("written", "rate"),
    [
        ("0.0333333", 30),
        ("0.033333", 30),
        ("0.03333", 30),
        ("0.033", 30),
        ("0.03333334", 30),
        (".0083333", 120),
        ("0.00833333", 120),
        ("0.008333", 120),
        ("8.3333e-3", 120),
        ("8.33333E-03", 120),
        ("0.016667", 60),
        ("0.016666", 60),
        ("0.0166667", 60),
        ("0.0416667", 24),
        ("0.041667", 24),
        ("0.04", 25),
        ("0.040000", 25),
        ("0.02", 50),
        ("0.01", 100),
        ("0.008", 125),
        ("0.15", 1 / 0.15),
        ("0.6", 1 / 0.6),
        ("0.9", 1 / 0.9),
        ("2", 0.5),
        ("0.017", 60),
        ("0.016", 60),
        ("0.03", 30),
        ("0.042", 24),
        ("0.0069", 144),
        ("0.005", 200),
        ("1", 1),
        ("1.0", 1),
        ("0.0333667", 30 * NTSC),
        ("0.033367", 30 * NTSC),
        ("0.0417083", 24 * NTSC),
        ("0.0166833", 60 * NTSC),
        ("0.0121000", 1 / 0.0121),
        ("0.0350000", 1 / 0.035),
        ("2.5", 0.4),
        ("100", 0.01),
    ],
)
def test_a_frame_time_is_snapped_to_the_rate_it_means(written: str, rate: float) -> None:
    assert rates.snap(float(written), written) == pytest.approx(rate, rel=1e-12)


@pytest.mark.parametrize("written", ["1e-320", "5e-324"])
def test_a_rate_beyond_all_numbers(written: str) -> None:
    assert rates.snap(float(written), written) == inf


@pytest.mark.parametrize(
    "written", ["1e-" + "0" * 5000 + "2", "0." + "0" * 400 + "1e399", "1" + "0" * 300, "0.01" + "0" * 5000, "1.7e308"]
)
def test_long_spellings(written: str) -> None:
    assert rates.snap(float(written), written) == pytest.approx(1 / float(written), rel=1e-12)


@given(st.floats(0.01, 10000))
def test_what_is_written_is_read_back(fps: float) -> None:
    written = rates.frame_time(fps)
    assert float(written) == 1 / fps
    # a rate within the rounding of a 32-bit float of a whole one is taken as that
    assert rates.snap(float(written), written) == pytest.approx(fps, rel=3e-7)


@given(st.integers(1, 1000), st.sampled_from([1.0, NTSC]), st.integers(7, 16))
def test_every_whole_rate_survives_its_rounding(whole: int, factor: float, decimals: int) -> None:
    written = f"{1 / (whole * factor):.{decimals}f}"
    found = rates.snap(float(written), written)
    assert abs(1 / found - float(written)) <= 10.0**-decimals * 1.001
    if whole <= 240:
        assert found == whole * factor


@given(st.floats(5e-324, 1e300))
def test_any_height_gives_a_unit(stature: float) -> None:
    factor, notice = units.guess(stature)
    assert factor in units.METRES_PER_UNIT.values()
    assert notice


def test_no_height_gives_metres() -> None:
    assert units.guess(0.0)[0] == 1.0


def test_a_height_that_no_unit_makes_a_persons_is_doubted() -> None:
    assert "which is unusual" in units.guess(10.0)[1]
    assert "unusual" not in units.guess(1.7)[1]
