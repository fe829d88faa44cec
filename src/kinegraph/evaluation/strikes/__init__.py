"""How well a space of strikes hits: its `figures`, what finishing changes, and how well it predicts strikes that were left out."""

from typing import TYPE_CHECKING

from kinegraph import lazy

if TYPE_CHECKING:
    from kinegraph.evaluation.strikes.figures import StrikeFigures as StrikeFigures
    from kinegraph.evaluation.strikes.figures import evaluate as evaluate
    from kinegraph.evaluation.strikes.reaching import Struck as Struck
    from kinegraph.evaluation.strikes.reaching import strike as strike

__getattr__, __dir__, __all__ = lazy.attach(__name__)
