"""A page that plays a motion: one HTML file that holds the player's script, the motion and its body, and asks nothing of any network."""

from kinegraph.player.page import document, notebook, write

__all__ = ["document", "notebook", "write"]
