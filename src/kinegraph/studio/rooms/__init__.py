"""The rooms of the studio, a folder each with the server's side of it; the page's side is `web/src/rooms`.

Another room is another folder, whose package holds a `room`.
"""

from __future__ import annotations

import pkgutil
from importlib import import_module

from kinegraph.studio.server.studio import Room


def rooms() -> list[Room]:
    """All rooms there are.

    >>> [room.name for room in rooms()]
    ['crowd', 'direct', 'export', 'follow', 'graph', 'library', 'live', 'repath', 'strike']
    """
    return [import_module(f"{__name__}.{found.name}").room for found in pkgutil.iter_modules(__path__)]
