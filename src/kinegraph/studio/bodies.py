"""Bodies as packs: the mannequin of a motion's skeleton, made once for all motions that have it."""

from __future__ import annotations

from kinegraph.motion import Motion
from kinegraph.player import body_id, body_pack
from kinegraph.studio.cache import Cache

__all__ = ["Bodies", "body_id", "body_pack"]

_ROOM = 50_000_000


class Bodies:
    """Body packs by id."""

    def __init__(self) -> None:
        self._packs = Cache[bytes](_ROOM, len)

    def get(self, motion: Motion) -> bytes:
        """The pack of a motion's body."""
        return self._packs.get(body_id(motion.skeleton), lambda: body_pack(motion.skeleton, motion))
