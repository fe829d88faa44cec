"""Evaluation: how good a motion is (`quality`), what a graph can do (`capabilities`), and how well strikes hit (`strikes`)."""

from typing import TYPE_CHECKING

from kinegraph import lazy

if TYPE_CHECKING:
    from kinegraph.evaluation.capabilities import Capability as Capability
    from kinegraph.evaluation.capabilities import capability as capability
    from kinegraph.evaluation.quality.figures import Quality as Quality
    from kinegraph.evaluation.quality.figures import evaluate as evaluate

__getattr__, __dir__, __all__ = lazy.attach(__name__)
