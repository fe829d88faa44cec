"""What a graph holds: `figures` for programs, and the sentences that tell of them (`text`)."""

from typing import TYPE_CHECKING

from kinegraph import lazy

if TYPE_CHECKING:
    from kinegraph.graph.summary.figures import summary as summary

__getattr__, __dir__, __all__ = lazy.attach(__name__)
