"""Repath in the studio: a clip laid on another path again and again while a hand drags it."""

from __future__ import annotations

from kinegraph.motion import Motion
from kinegraph.paths.editing.editor import PathEditor
from kinegraph.studio.server.cache import Cache

HANDY = 8
"""Control points of a clip's own path unless more are asked for: as many as a hand can move."""

# the degrees of the paper's figures
_DEGREES = (2, 4, 13)
# heights of the ground that is shown along its longer side at most, and metres of it around the way
_CELLS, _AROUND = 64, 2.0
# places of the way that are looked at for the one that is nearest
_PLACES = 200
# editors that are held, each with its clip
_EDITORS = 12


class Editors:
    """Clips made ready to be laid on paths, the last few of them."""

    def __init__(self) -> None:
        self._held = Cache[tuple[Motion, PathEditor]](_EDITORS, lambda both: 1)

    def of(self, motion: Motion, degree: int | None = None, fps: float | None = None) -> PathEditor:
        """The editor of a motion; the same motion has the same one, as long as it is held."""

        def made() -> tuple[Motion, PathEditor]:
            return motion, PathEditor(motion if fps is None else motion.resample(fps), degree=degree)

        # the motion is held beside its editor, so that its id is nobody else's
        return self._held.get((id(motion), degree, fps), made)[1]
