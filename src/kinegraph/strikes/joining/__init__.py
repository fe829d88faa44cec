"""A strike between two walks through a graph: the strike as a clip, the transitions to and from it, and the walk through them."""

from typing import TYPE_CHECKING

from kinegraph import lazy

if TYPE_CHECKING:
    from kinegraph.strikes.joining.join import Joined as Joined
    from kinegraph.strikes.joining.join import joined as joined

__getattr__, __dir__, __all__ = lazy.attach(__name__)
