"""A motion in a browser: packs, which are motions and bodies as compact binary, and a page that plays them.

The page is one HTML file that contains the player's script, the motion and its body. It loads nothing from any network.
"""

from typing import TYPE_CHECKING

from kinegraph import lazy

if TYPE_CHECKING:
    from kinegraph.player.bodies import body_id as body_id
    from kinegraph.player.bodies import body_pack as body_pack
    from kinegraph.player.motions import motion_pack as motion_pack
    from kinegraph.player.packs import MEDIA_TYPE as MEDIA_TYPE
    from kinegraph.player.packs import pack as pack
    from kinegraph.player.packs import unpack as unpack
    from kinegraph.player.page import document as document
    from kinegraph.player.page import notebook as notebook
    from kinegraph.player.page import write as write

__getattr__, __dir__, __all__ = lazy.attach(__name__)
