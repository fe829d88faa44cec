"""Downloads of public motion capture, kept in a cache. Needs the extra ``kinegraph[fetch]``."""

from typing import TYPE_CHECKING

from kinegraph import lazy

if TYPE_CHECKING:
    from kinegraph.fetch.cmu import fetch_cmu as fetch_cmu

__getattr__, __dir__, __all__ = lazy.attach(__name__)
