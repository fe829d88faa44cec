"""Motions on characters: any motion of a body with legs, put on a rigged mesh."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from kinegraph.arrays import Array, Bools
from kinegraph.characters import bearing, following, footing, ground, hands, lifting, soles
from kinegraph.characters import core as core_of
from kinegraph.characters.character import Character
from kinegraph.characters.ground import GroundUnder
from kinegraph.errors import FormatError
from kinegraph.feet.plants import Plant, checked
from kinegraph.feet.targets import Floor
from kinegraph.motion import Motion, rotation
from kinegraph.motion.body import SIDES


@dataclass(frozen=True, eq=False)
class Moved:
    """A character that moves: where all its joints are."""

    character: Character
    name: str
    fps: float
    positions: Array
    """``(F, J, 3)``: in the world, metres, Y up."""
    orientations: Array
    """``(F, J, 4)``: how far each is turned from how it stands in the bind pose."""
    contacts: Bools
    """``(F, 4)``: when left heel, left ball, right heel and right ball stand."""
    notices: tuple[str, ...] = ()
    marks: Mapping[int, str] = field(default_factory=dict)
    """Frames that are worth a word, such as the hit of a strike."""

    def __len__(self) -> int:
        return len(self.positions)

    def events(self) -> list[dict[str, Any]]:
        """What happens when, in order: feet that come down, and marks."""
        down = both(self.contacts)
        landed = down & ~np.concatenate([down[:1], down[:-1]])
        found = [
            (int(frame), f"{side}_foot_down")
            for column, side in enumerate(SIDES)
            for frame in np.flatnonzero(landed[:, column])
        ]
        found += [(frame, word) for frame, word in self.marks.items() if 0 <= frame < len(self)]
        return [{"name": name, "frame": frame, "time": round(frame / self.fps, 6)} for frame, name in sorted(found)]

    def on_root(self) -> Moved:
        """The same with its way on the topmost joint, as engines take root motion: over the floor, below the hips, turned as they face.
        All others stay where they are.
        """
        hips = self.character.roles.joints["hips"]
        if hips == 0:
            raise FormatError(
                "the character has no joint above its hips that could take its way: add one (in Blender a bone at the origin, with the "
                "hips as its child), or leave the way in the hips",
                self.character.path,
            )
        ahead = rotation.rotate(self.orientations[:, hips], np.tile([0.0, 0.0, 1.0], (len(self), 1)))
        turns = rotation.about_y(np.arctan2(ahead[:, 0], ahead[:, 2]))
        rest = self.character.places[0]
        places = self.positions[:, hips].copy()
        places[:, 1] = self.positions[:, 0, 1]
        positions, orientations = self.positions.copy(), self.orientations.copy()
        # handles that have stayed where they were all along go with it
        for joint in np.flatnonzero(~np.ptp(self.positions, axis=0).any(axis=-1)):
            away = np.tile(self.character.places[joint] - rest, (len(self), 1))
            positions[:, joint] = places + rotation.rotate(turns, away)
            orientations[:, joint] = rotation.multiply(turns, self.orientations[:, joint])
        return replace(self, positions=positions, orientations=orientations)

    def in_place(self) -> Moved:
        """The same on the spot: the hips stay over their first place on the floor."""
        way = self.positions[:, self.character.roles.joints["hips"]].copy()
        way -= way[0]
        way[:, 1] = 0.0
        # what is above the hips has stayed where it was all along
        carried = [joint for joint, moves in enumerate(np.ptp(self.positions, axis=0).any(axis=-1)) if moves]
        positions = self.positions.copy()
        positions[:, carried] -= way[:, None]
        return replace(self, positions=positions)


def both(contacts: Bools) -> Bools:
    """When ``(F, 2)`` the left and the right foot stand, by heel or ball ``(F, 4)``."""
    feet: Bools = np.logical_or(contacts[:, ::2], contacts[:, 1::2])
    return feet


def put(motion: Motion, character: Character, contacts: Bools | None = None, floor: Floor | None = None) -> Moved:
    """A motion on a character. contacts: ``(F, 4)``, when the motion's feet stand, if that is known. floor: the heights ``(…)`` of the
    ground that it was made for, at places ``(…, 2)``; without, the floor is flat, or where the feet stood. It grows with the character.

    >>> import pathlib, tempfile
    >>> import kinegraph as kg
    >>> from kinegraph.characters.character import load
    >>> file = pathlib.Path(tempfile.mkdtemp(), "hero.glb")
    >>> kg.save(kg.samples.make("walk").motion, file)
    >>> len(put(kg.samples.make("run").motion, load(file)))
    253
    """
    core = core_of.of(character)
    down = ground.stands(motion) if contacts is None else checked(motion, contacts)
    source = motion.rigid()
    heights = bearing.standing(source, down)
    factor = core.skeleton.leg_length / source.skeleton.leg_length
    moved = bearing.borne(source, core, down, heights)

    def grounded(plants: Sequence[Plant]) -> GroundUnder:
        if floor is not None:
            return ground.scaled(floor, factor, core.skeleton.leg_length)
        return ground.found(source, down, heights, plants, factor)

    stood, held, under, told = footing.stood(moved, core, down, factor * bearing.foot_length(source), grounded)
    skins = soles.of(character, core)
    stood, stand, short = soles.gripped(stood, core, skins, both(down), under)
    # a foot that had to be let go as its sole was guessed stands all the same once its skin is known
    if all(len(skin.points) for skin in skins):
        held, told = down & np.repeat(stand, 2, axis=1), []
    stood = hands.kept_out(stood, hands.of_character(character, core), source)
    stood = lifting.lifted(stood, character, core, under)
    positions, orientations = following.follow(character, core, stood.positions, stood.orientations)
    return Moved(character, motion.name, motion.fps, positions, orientations, held, (*told, *short))
