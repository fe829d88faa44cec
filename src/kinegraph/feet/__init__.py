"""Feet: when and where they stand, how far they slide, and how to stop them sliding.

>>> import kinegraph as kg
>>> cleaned = kg.feet.clean(kg.samples.make("walk").motion)
>>> cleaned.report.after.slides.overall[1] < 1e-6
True
"""

from typing import TYPE_CHECKING

from kinegraph import lazy

if TYPE_CHECKING:
    from kinegraph.feet.cleanup import Cleaned as Cleaned
    from kinegraph.feet.cleanup import CleaningReport as CleaningReport
    from kinegraph.feet.cleanup import clean as clean
    from kinegraph.feet.plants import Plant as Plant
    from kinegraph.feet.slide import Slides as Slides
    from kinegraph.feet.slide import penetration as penetration
    from kinegraph.feet.slide import slides as slides

__getattr__, __dir__, __all__ = lazy.attach(__name__)
