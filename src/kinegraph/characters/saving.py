"""From a motion to a file with a character that moves so, in one step."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from os import PathLike
from pathlib import Path

from kinegraph.arrays import Bools
from kinegraph.characters.character import Character, load
from kinegraph.characters.moving import put
from kinegraph.characters.showing import write_page
from kinegraph.characters.writing import PAGE, check_target, write
from kinegraph.errors import FormatError
from kinegraph.feet.targets import Floor
from kinegraph.formats.writing import prepared
from kinegraph.motion import Motion


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
) -> tuple[str, ...]:
    """Write a character that does a motion: its own file with one more animation, or a page (`.html`) that plays it. What the user should
    know of it comes back.

    character: one that was loaded, or its file; roles: as for `load`. contacts: ``(F, 4)``, when the motion's feet stand, if that is
    known; floor: the ground that it was made for, as for `put`. fps, in_place: as for `kinegraph.save`.

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
    moved = moved.in_place() if in_place else moved
    if Path(path).suffix.lower() == PAGE:
        write_page(moved, ready.in_place() if in_place else ready, path)
    else:
        write(moved, path)
    return (*hero.notices, *moved.notices)


def save_all(
    motions: Sequence[Motion], character: Character | str | PathLike[str], path: str | PathLike[str]
) -> tuple[str, ...]:
    """Write a character with several motions, each as an animation of its own.

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
    moved = [put(motion, hero) for motion in motions]
    write(moved, path)
    return (*hero.notices, *dict.fromkeys(sentence for one in moved for sentence in one.notices))


def of(character: Character | str | PathLike[str], roles: Mapping[str, str] | None = None) -> Character:
    """The character itself, read where it is a file."""
    return character if isinstance(character, Character) else load(character, roles=roles)


def check_not_itself(character: Character, target: Path) -> None:
    """Refuse to write a character over its own file."""
    if target.is_file() and character.path.is_file() and target.samefile(character.path):
        raise FormatError("this is the character itself: give another name to write to", target)
