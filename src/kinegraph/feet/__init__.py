"""Feet: when they stand, where, how far they slide, and keeping them from it.

>>> from kinegraph import samples
>>> from kinegraph.feet import clean
>>> cleaned = clean(samples.make("walk").motion)
>>> cleaned.report.after.slides.overall[1] < 1e-6
True
"""

from kinegraph.feet.cleanup import Cleaned, Report, clean
from kinegraph.feet.plants import Plant
from kinegraph.feet.slide import Slides, penetration, slides

__all__ = ["Cleaned", "Plant", "Report", "Slides", "clean", "penetration", "slides"]
