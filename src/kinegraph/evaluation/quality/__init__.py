"""How good a motion is: its `figures`, and sentences about them (`text`)."""

from typing import TYPE_CHECKING

from kinegraph import lazy

if TYPE_CHECKING:
    from kinegraph.evaluation.quality.figures import Quality as Quality
    from kinegraph.evaluation.quality.figures import evaluate as evaluate

__getattr__, __dir__, __all__ = lazy.attach(__name__)
