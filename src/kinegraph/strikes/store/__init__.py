"""Spaces of strikes in `.mog` files, beside a graph or alone."""

from typing import TYPE_CHECKING

from kinegraph import lazy

if TYPE_CHECKING:
    from kinegraph.strikes.store.files import check as check
    from kinegraph.strikes.store.files import load as load
    from kinegraph.strikes.store.files import names as names
    from kinegraph.strikes.store.files import save as save

__getattr__, __dir__, __all__ = lazy.attach(__name__)
