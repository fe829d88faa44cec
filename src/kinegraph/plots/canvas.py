"""Figures without a display. Files are written whole or not at all, and the same picture gives the same bytes.

matplotlib is an optional package, imported when it is first used. ``pyplot`` is avoided: it keeps figures for the whole process and may
look for a screen.
"""

from __future__ import annotations

import importlib
import warnings
from os import PathLike
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from kinegraph.errors import FormatError, MissingExtraError
from kinegraph.formats.atomic import replacing

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

DPI = 100
# What each format would note by itself and change from run to run.
_NO_DATE: dict[str, dict[str, Any]] = {".png": {}, ".svg": {"Date": None}, ".pdf": {"CreationDate": None}}
SUFFIXES = tuple(_NO_DATE)

INK = "#2b2f36"
PALE = "#9aa1ab"
FRAME = "#c4c9d0"
ACCENT = "#c2185b"

TITLE, LABEL, SMALL = 12.0, 10.0, 8.5  # points


def matplotlib_part(name: str) -> ModuleType:
    """A module of matplotlib, or an error that says how to install it."""
    try:
        return importlib.import_module(f"matplotlib.{name}" if name else "matplotlib")
    except ImportError as error:
        raise MissingExtraError("drawing a plot", "plot") from error


def check_target(path: str | PathLike[str]) -> Path:
    """The path, if its suffix is that of a picture; checked before any work is done."""
    target = Path(path)
    if target.suffix.lower() not in SUFFIXES:
        raise FormatError(f"unknown suffix {target.suffix!r} of a plot: expected one of {', '.join(SUFFIXES)}", target)
    return target


def new_figure(width: float, height: float) -> Figure:
    """An empty white figure of so many inches, whose parts adjust to make room for each other."""
    figure: Figure = matplotlib_part("figure").Figure(
        figsize=(width, height), dpi=DPI, layout="constrained", facecolor="white"
    )
    return figure


def write(figure: Figure, path: str | PathLike[str]) -> None:
    """Write the figure as PNG, SVG or PDF, by the suffix of ``path``. The file appears whole or not at all."""
    target = check_target(path)
    suffix = target.suffix.lower()
    same_names = {"svg.hashsalt": "kinegraph"}  # else the SVG's inner names are drawn by lot
    with replacing(target) as temporary, matplotlib_part("").rc_context(same_names), warnings.catch_warnings():
        # a clip's name may be in a script that the font lacks: boxes in a label are no reason to fail
        warnings.filterwarnings("ignore", message="Glyph .* missing from", category=UserWarning)
        figure.savefig(temporary, format=suffix[1:], metadata=_NO_DATE[suffix])


def shown(name: str, most: int = 32) -> str:
    """A clip's name as a label: dollar signs do not start a formula, and a long name is shortened in the middle."""
    if len(name) > most:
        head = most // 2
        name = f"{name[:head]}…{name[len(name) - (most - head - 1) :]}"
    return name.replace("$", r"\$")


def quiet(axes: Axes) -> None:
    """A thin grey frame and small numbers at the ticks, so that the data stands out."""
    axes.tick_params(labelsize=SMALL, color=FRAME, labelcolor=INK)
    for spine in axes.spines.values():
        spine.set_color(FRAME)
