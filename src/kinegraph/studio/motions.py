"""Motions as packs: clips with the contacts of their feet, made once as long as the file stays as it is."""

from __future__ import annotations

from pathlib import Path

from kinegraph.errors import MotionError
from kinegraph.feet.contacts import Bools, contacts
from kinegraph.motion import Motion
from kinegraph.packs import motion_pack
from kinegraph.studio.cache import Cache, stamp
from kinegraph.studio.workspace import Workspace

__all__ = ["ClipPacks", "known_contacts", "motion_pack"]

# bytes of packs that are held in memory
_ROOM = 150_000_000


def known_contacts(motion: Motion) -> Bools | None:
    """Contacts of heels and balls ``(F, 4)``; None where the body's legs are not known."""
    try:
        return contacts(motion)
    except MotionError:
        return None


class ClipPacks:
    """The motion packs of a workspace's clips."""

    def __init__(self, workspace: Workspace):
        self._workspace = workspace
        self._packs = Cache[bytes](_ROOM, len)

    def get(self, path: Path) -> bytes:
        """The pack of a clip's file."""
        return self._packs.get(stamp(path), lambda: self._make(path))

    def _make(self, path: Path) -> bytes:
        motion = self._workspace.read(path)
        return motion_pack(motion, contacts=known_contacts(motion))
