"""Motions and bodies as compact binary, for browsers: a short header of JSON, then plain arrays that can be viewed without copying."""

from kinegraph.packs.bodies import body_id, body_pack
from kinegraph.packs.container import MEDIA_TYPE, pack, unpack
from kinegraph.packs.motions import motion_pack

__all__ = ["MEDIA_TYPE", "body_id", "body_pack", "motion_pack", "pack", "unpack"]
