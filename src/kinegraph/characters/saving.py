"""From a motion to a file with a character that moves so, in one step."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from os import PathLike
from pathlib import Path

from kinegraph.arrays import Bools
from kinegraph.characters.character import Character, load
from kinegraph.characters.moving import Moved, put
from kinegraph.characters.showing import write_page
from kinegraph.characters.writing import PAGE, check_target, write
from kinegraph.errors import FormatError
from kinegraph.feet.targets import Floor
from kinegraph.formats.atomic import replacing
from kinegraph.formats.writing import prepared
from kinegraph.motion import Motion

ROOT_MOTION = ("hips", "root", "none")
"""Where the way of a character that is written goes: it stays in the hips, on the joint above them, or nowhere, on the spot."""


def save(
    motion: Motion,
    character: Character | str | PathLike[str],
    path: str | PathLike[str],
    *,
    roles: Mapping[str, str] | None = None,
    contacts: Bools | None = None,
    floor: Floor | None = None,
    fps: float | None = None,
    in_place: bool = False,
    root_motion: str = "hips",
    marks: Mapping[int, str] | None = None,
    events: str | PathLike[str] | None = None,
) -> tuple[str, ...]:
    """Write a character that does a motion: its own file with one more animation, or a page (`.html`) that plays it. What the user should
    know of it comes back.

    character: one that was loaded, or its file; roles: as for `load`. contacts: ``(F, 4)``, when the motion's feet stand, if that is
    known; floor: the ground that it was made for, as for `put`. fps, in_place: as for `kinegraph.save`. root_motion: one of `ROOT_MOTION`.
    marks: frames of the motion that are worth a word. events: a JSON file for them, and for when feet come down, which the animation's
    ``extras`` hold too.

    >>> import pathlib, tempfile
    >>> import kinegraph as kg
    >>> folder = pathlib.Path(tempfile.mkdtemp())
    >>> kg.save(kg.samples.make("stand").motion, folder / "hero.glb")
    >>> save(kg.samples.make("walk").motion, folder / "hero.glb", folder / "out.glb", fps=30)
    ()
    >>> [motion.name for motion in kg.formats.gltf.read_all(folder / "out.glb")]
    ['stand', 'walk']
    """
    check_target(Path(path), page=True)
    hero = of(character, roles)
    check_not_itself(hero, Path(path))
    known = contacts if fps is None or fps == motion.fps else None
    ready = prepared(motion, fps=fps)
    moved = put(ready, hero, known, floor)
    if marks:
        moved = replace(moved, marks={round(frame * ready.fps / motion.fps): word for frame, word in marks.items()})
    in_place = in_place or root_motion == "none"
    moved = _led(moved, in_place, root_motion)
    if Path(path).suffix.lower() == PAGE:
        write_page(moved, ready.in_place() if in_place else ready, path)
    else:
        write(moved, path)
    if events is not None:
        told = {"fps": moved.fps, "frames": len(moved), "events": moved.events()}
        with replacing(Path(events)) as temporary:
            temporary.write_text(json.dumps(told, indent=1) + "\n", encoding="utf-8")
    return (*hero.notices, *moved.notices)


def save_all(
    motions: Sequence[Motion],
    character: Character | str | PathLike[str],
    path: str | PathLike[str],
    *,
    in_place: bool = False,
    root_motion: str = "hips",
) -> tuple[str, ...]:
    """Write a character with several motions, each as an animation of its own; in_place, root_motion: as for `save`.

    >>> import pathlib, tempfile
    >>> import kinegraph as kg
    >>> folder = pathlib.Path(tempfile.mkdtemp())
    >>> kg.save(kg.samples.make("stand").motion, folder / "hero.glb")
    >>> save_all([kg.samples.make(name).motion for name in ("walk", "run")], folder / "hero.glb", folder / "out.glb")
    ()
    """
    check_target(Path(path))
    hero = of(character)
    check_not_itself(hero, Path(path))
    moved = [_led(put(motion, hero), in_place or root_motion == "none", root_motion) for motion in motions]
    write(moved, path)
    return (*hero.notices, *dict.fromkeys(sentence for one in moved for sentence in one.notices))


def _led(moved: Moved, in_place: bool, root_motion: str) -> Moved:
    """The same with its way where it is wanted."""
    if root_motion not in ROOT_MOTION:
        raise FormatError(f"root_motion is one of {', '.join(ROOT_MOTION)}; got {root_motion!r}")
    return moved.in_place() if in_place else moved.on_root() if root_motion == "root" else moved


def of(character: Character | str | PathLike[str], roles: Mapping[str, str] | None = None) -> Character:
    """The character itself, read where it is a file."""
    return character if isinstance(character, Character) else load(character, roles=roles)


def check_not_itself(character: Character, target: Path) -> None:
    """Refuse to write a character over its own file."""
    if target.is_file() and character.path.is_file() and target.samefile(character.path):
        raise FormatError("this is the character itself: give another name to write to", target)
