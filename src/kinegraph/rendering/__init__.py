"""Pictures of motions, made without a screen: a strip of poses as PNG, a film as GIF or MP4, a page that plays it as HTML.

Pictures and films come from a small software renderer: the body is a mannequin of rounded cones, with left limbs orange and right
limbs blue. They need the extra ``kinegraph[render]``.
"""

from typing import TYPE_CHECKING

from kinegraph import lazy

if TYPE_CHECKING:
    from kinegraph.rendering.camera import VIEWS as VIEWS
    from kinegraph.rendering.drawing import render as render
    from kinegraph.rendering.films import film as film
    from kinegraph.rendering.group_films import film_together as film_together
    from kinegraph.rendering.pictures import PICTURES as PICTURES
    from kinegraph.rendering.pictures import register as register
    from kinegraph.rendering.strips import LAYOUTS as LAYOUTS
    from kinegraph.rendering.strips import strip as strip
    from kinegraph.rendering.thumbnails import thumbnail as thumbnail

__getattr__, __dir__, __all__ = lazy.attach(__name__)
