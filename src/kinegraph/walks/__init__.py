"""Walks through a motion graph: at random, in order, along a path. One request, one search, one `Walk`."""

from typing import TYPE_CHECKING

from kinegraph import lazy

if TYPE_CHECKING:
    from kinegraph.walks.following import Followed as Followed
    from kinegraph.walks.following import follow as follow
    from kinegraph.walks.following import follow_on as follow_on
    from kinegraph.walks.ordering import sequence as sequence
    from kinegraph.walks.performing import Finished as Finished
    from kinegraph.walks.performing import perform as perform
    from kinegraph.walks.request import Box as Box
    from kinegraph.walks.request import Disc as Disc
    from kinegraph.walks.request import Pause as Pause
    from kinegraph.walks.request import Request as Request
    from kinegraph.walks.request import Section as Section
    from kinegraph.walks.wandering import wander as wander

__getattr__, __dir__, __all__ = lazy.attach(__name__)
