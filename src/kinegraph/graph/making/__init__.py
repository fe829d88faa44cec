"""From clips to a pruned graph: candidates chosen, groups joined by bridges, dead ends cut off."""

from typing import TYPE_CHECKING

from kinegraph import lazy

if TYPE_CHECKING:
    from kinegraph.graph.making.builder import add as add
    from kinegraph.graph.making.builder import build as build
    from kinegraph.graph.making.builder import rechoose as rechoose
    from kinegraph.graph.making.builder import remove as remove
    from kinegraph.graph.making.parameters import Parameters as Parameters
    from kinegraph.graph.making.report import BuildReport as BuildReport

__getattr__, __dir__, __all__ = lazy.attach(__name__)
