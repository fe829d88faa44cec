"""Downloads of public motion capture, kept in a cache. Needs the extra ``fetch``."""

from kinegraph.fetch.cmu import fetch_cmu

__all__ = ["fetch_cmu"]
