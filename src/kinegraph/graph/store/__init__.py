"""A graph in one `.mog` file: written whole or not at all, read back to the same graph, and checked."""

from typing import TYPE_CHECKING

from kinegraph import lazy

if TYPE_CHECKING:
    from kinegraph.graph.store.files import check as check
    from kinegraph.graph.store.files import digest as digest
    from kinegraph.graph.store.files import load as load
    from kinegraph.graph.store.files import save as save
    from kinegraph.graph.store.files import steps as steps

__getattr__, __dir__, __all__ = lazy.attach(__name__)
