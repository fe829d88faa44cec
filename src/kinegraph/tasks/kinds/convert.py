"""`Convert`: motion files in another format, one or a whole folder, and the simple changes on the way."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kinegraph.errors import FormatError, KinegraphError, MissingExtraError
from kinegraph.formats.atomic import made_folder
from kinegraph.formats.format import FORMATS
from kinegraph.formats.intake import ClipFile, clip_files
from kinegraph.formats.options import PLAIN, ReadOptions
from kinegraph.formats.registry import format_of, read, save
from kinegraph.formats.writing import prepared, write_options
from kinegraph.tasks.task import Task, register
from kinegraph.watch import Watch, Watcher
from kinegraph.wishes import wish

if TYPE_CHECKING:
    from kinegraph.characters import Character
    from kinegraph.motion import Motion, Skeleton

# what writers' options are called on the command line
_FLAGS = {
    "units": "--target-units", "skeleton": "--target-skeleton", "up": "--target-up", "what": "--what", "mesh": "--no-mesh",
}  # fmt: skip


def check_nobody(roles: Any, root_motion: str | None, events: Any) -> None:
    """Refuse what is said of a character where there is none."""
    said = {"--role": roles, "--root-motion": root_motion not in (None, "hips"), "--events": events}
    for option in (name for name, value in said.items() if value):
        raise FormatError(f"{option} is for a character: say --character too")


@register
@dataclass(frozen=True)
class Convert(Task):
    """Convert motion files to another format, by the suffixes; cut, mirror, retarget, resample on the way, in this order.

    >>> import tempfile
    >>> import kinegraph as kg
    >>> folder = Path(tempfile.mkdtemp())
    >>> kg.save(kg.samples.make("walk").motion, folder / "walk.bvh")
    >>> kg.convert(folder / "walk.bvh", folder / "walk.npz", fps=30).clips[0]["frames"]
    129
    """

    name = command = "convert"
    source = "files"
    summary = "Convert motion files to another format, by the suffixes; cut, mirror, retarget, resample on the way, in this order."

    target: Any = wish(
        "File to write; its suffix says the format. Of a folder: a folder, or one file that holds many clips.",
        form="file",
    )
    to: str | None = wish("Of a folder: the format to write, such as glb or bvh.", default=None, metavar="FORMAT")
    frames: str | None = wish(
        "Only frames A to B − 1 of the source; either may be left out.", default=None, metavar="A:B"
    )
    fps: float | None = wish("Resample to this many frames per second.", default=None, unit="frames/s")
    mirror: bool = wish("Exchange left and right.", default=False)
    onto: Any = wish(
        "Retarget to the skeleton of this file (.asf or any motion).", default=None, form="file", metavar="BODY"
    )
    character: Any = wish(
        "Put it on this rigged mesh (.glb, .gltf, .vrm): the same file comes out, with one more animation.",
        default=None,
        form="file",
        metavar="HERO.glb",
    )
    roles: Any = wish(
        "Which joint of the character is what, where names and shape do not tell: left_foot=NODE; may be said again.",
        default=None,
        form="roles",
        metavar="ROLE=NODE",
    )
    root_motion: str = wish(
        "Of a character: where its way goes. In the hips; on the joint above them, as engines take root motion; or nowhere, on the spot.",
        default="hips",
        choices=("hips", "root", "none"),
    )
    events: Any = wish(
        "Of a character: also write when feet come down, and strikes hit, to this JSON file.",
        default=None,
        form="file",
        metavar="EVENTS.json",
    )
    in_place: bool = wish("On the spot: the root stays over its first place on the floor.", default=False)
    t_pose: str | None = wish(
        "Put a T-pose before the first frame, as game engines like it.", default=None, metavar="first"
    )
    rigid: bool = wish("Give bones that change length their mean length: an AMC holds no others.", default=False)
    target_skeleton: Any = wish(
        "Write an AMC for this ASF instead of one of its own.", default=None, form="file", metavar="Y.asf"
    )
    target_units: str | None = wish(
        "Unit of length to write: m, cm, mm, in, ft, cmu.", default=None, form="writer's", key="units"
    )
    target_up: str | None = wish("Vertical axis to write, y or z.", default=None, form="writer's", key="up", usual="y")
    what: str | None = wish("What a CSV holds.", default=None, metavar="positions|rotations", usual="positions")
    mesh: bool = wish("With a body; without it bones only in USD and FBX, thin sticks in glTF.", default=True)
    reading: ReadOptions = PLAIN
    """How the files are read."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "target", Path(self.target))
        if self.t_pose not in (None, "first"):
            raise FormatError(f"--t-pose first puts it before the first frame; {self.t_pose!r} is not known")
        if self.character is not None and self.onto is not None:
            raise FormatError("--onto gives another skeleton, --character a whole character: say one of them")
        if self.character is None:
            check_nobody(self.roles, self.root_motion, self.events)

    def run(self, source: str | PathLike[str], watch: Watcher = None) -> Converted:  # type: ignore[override]
        """Convert a file, or the files of a folder."""
        watch, source = Watch.of(watch), Path(source)
        pairs = self._pairs(source)
        asked = {
            "units": self.target_units, "skeleton": self.target_skeleton, "up": self.target_up, "what": self.what,
            "mesh": None if self.mesh else False,
        }  # fmt: skip
        options = self._options(pairs[0][1], asked)
        body, assumed = self._body()
        hero = self._hero()
        made = Converted(self.target, one=not source.is_dir(), character=hero is not None)
        for sentence in assumed:
            made.notices.setdefault(sentence, []).append(str(self.onto))
        about_hero = () if hero is None else hero.notices
        for sentence in about_hero:
            made.notices.setdefault(sentence, []).append(str(self.character))
        if source.is_dir() and self.to is None:
            self._into_one(pairs, body, hero, options, made, watch)
            return made
        for number, (file, target) in enumerate(pairs):
            watch.tell("convert", number, len(pairs))
            try:
                motion = self._changed(file.path, body)
                told = [one for one in self._saved(motion, target, hero, options) if one not in about_hero]
            except MissingExtraError:
                # none of them could be written
                _remove_empty(self.target, [place for _, place in pairs])
                raise
            except KinegraphError as error:
                if made.one:
                    raise
                made.failed.append(str(error))
                continue
            made.add(
                file, target, motion, [*motion.notices, *told], joints=None if hero is None else len(hero.skeleton)
            )
        watch.tell("convert", len(pairs), len(pairs))
        return made

    def _options(self, target: Path, asked: Mapping[str, Any]) -> dict[str, Any]:
        """What the writer is told; a character's file is as it is, and takes nothing."""
        if self.character is None:
            return write_options(target, asked, _FLAGS)
        given = [name for name, value in asked.items() if value is not None]
        if given or self.t_pose is not None:
            raise FormatError(
                f"{_FLAGS[given[0]] if given else '--t-pose'} is not for a character: its file stays as it is", target
            )
        return {}

    def _hero(self) -> Character | None:
        if self.character is None:
            return None
        from kinegraph.characters import load

        return load(self.character, roles=self.roles)

    def _saved(self, motion: Motion, target: Path, hero: Character | None, options: Mapping[str, Any]) -> Sequence[str]:
        """Write a motion; what is to be said of it."""
        if hero is None:
            save(motion, target, **options)
            return _unit_notice(motion, target, self.target_units)
        from kinegraph.characters import save as save_on

        named = motion.renamed(target.stem) if not motion.name else motion
        how: dict[str, Any] = {"root_motion": self.root_motion, "events": self.events}
        return save_on(named, hero, target, in_place=self.in_place, **how)

    def _body(self) -> tuple[Skeleton | None, Sequence[str]]:
        from kinegraph.formats.bodies import read_body

        return (None, ()) if self.onto is None else read_body(self.onto)

    def _changed(self, path: Path, body: Skeleton | None) -> Motion:
        from kinegraph.motion import mirror, retarget

        motion = read(path, self.reading)
        motion = motion if self.frames is None else motion[_slice(self.frames)]
        motion = mirror(motion) if self.mirror else motion
        motion = motion if body is None else retarget(motion, body)
        # of a character, its own hips stay in place
        in_place = self.in_place and self.character is None
        return prepared(motion, fps=self.fps, in_place=in_place, t_pose=self.t_pose is not None, rigid=self.rigid)

    def _pairs(self, source: Path) -> list[tuple[ClipFile, Path]]:
        """Files to read, each with the one to write; what cannot be is refused before a long file is read."""
        target, to = self.target, self.to
        if not source.is_dir():
            if to is not None:
                raise FormatError(
                    "--to is for a folder of clips: of one file the suffix of DST says the format", target
                )
            self._check_suffix(target)
            if target.exists() and source.exists() and target.samefile(source):
                raise FormatError("this is the source itself: give another name to write to", target)
            return [(ClipFile(source, source.stem), target)]
        if to is None and target.suffix.lower() in holding_many():
            return [(file, target) for file in clip_files(source)]
        if to is None:
            raise FormatError(
                "a folder is converted into a folder: say the format with --to, such as --to bvh; or into one file that holds them all, "
                f"{' or '.join(holding_many())}",
                source,
            )
        suffix = "." + to.lower().lstrip(".")
        files = _outside(target, clip_files(source), source)
        pairs = [(file, target / f"{file.name}{suffix}") for file in files]
        self._check_suffix(pairs[0][1])
        for file, made in pairs:
            if made.exists() and made.samefile(file.path):
                raise FormatError("this would be written over what is read: give another folder", made)
        twice = {file.name for file in files if sum(other.name == file.name for other in files) > 1}
        if twice:
            raise FormatError(
                f"several clips are called {sorted(twice)[0]!r}: they would be written over one another", source
            )
        for folder in {made.parent for _, made in pairs}:
            made_folder(folder)
        return pairs

    def _check_suffix(self, target: Path) -> None:
        if self.character is None:
            format_of(target, writing=True)
        else:
            from kinegraph.characters.writing import check_target

            check_target(target, page=True)

    def _into_one(
        self,
        pairs: Sequence[tuple[ClipFile, Path]],
        body: Skeleton | None,
        hero: Character | None,
        options: Mapping[str, Any],
        made: Converted,
        watch: Watch,
    ) -> None:
        """A folder into one file, each clip an animation of its name; all must be of one skeleton."""
        motions = []
        for number, (file, _) in enumerate(pairs):
            watch.tell("convert", number, len(pairs))
            motions.append(self._changed(file.path, body).renamed(file.name))
        if hero is not None:
            from kinegraph.characters import save_all

            if self.events is not None:
                raise FormatError("--events is for one motion: convert them one by one", self.target)
            way: dict[str, Any] = {"in_place": self.in_place, "root_motion": self.root_motion}
            for sentence in save_all(motions, hero, self.target, **way):
                made.notices.setdefault(sentence, []).append(str(self.character))
            made.together, made.joints = tuple(motion.name for motion in motions), len(hero.skeleton)
            return
        other = next((motion for motion in motions if motion.skeleton != motions[0].skeleton), None)
        if other is not None:
            raise FormatError(
                f"{other.name} has another skeleton than {motions[0].name}: one file holds clips of one body; retarget them with --onto, "
                "or write one file each with --to",
                self.target,
            )
        format_of(self.target, writing=True).write_all(motions, self.target, **options)
        made.together = tuple(motion.name for motion in motions)
        made.joints = len(motions[0].skeleton)


@dataclass
class Converted:
    """What was converted."""

    target: Path
    one: bool = False
    """Whether it was a single file."""
    clips: list[dict[str, Any]] = field(default_factory=list)
    """Of each clip: its source and target, frames, rate and joints."""
    failed: list[str] = field(default_factory=list)
    """Why some were not."""
    notices: dict[str, list[str]] = field(default_factory=dict)
    """What the user should know → the files that it is about."""
    together: tuple[str, ...] = ()
    """Clips that were written into one file."""
    joints: int = 0
    character: bool = False
    """Whether they were put on a character."""

    def add(
        self, file: ClipFile, target: Path, motion: Motion, notices: Sequence[str], joints: int | None = None
    ) -> None:
        """One more clip. joints: how many the file has, where they are not the motion's."""
        facts = {"source": str(file.path), "target": str(target), "frames": len(motion), "fps": motion.fps}
        self.clips.append({**facts, "joints": len(motion.skeleton) if joints is None else joints})
        for sentence in notices:
            self.notices.setdefault(sentence, []).append(str(file.path) if self.one else file.path.name)

    def to_dict(self) -> dict[str, Any]:
        """Ready for JSON."""
        if self.together:
            return {"target": str(self.target), "clips": list(self.together), "joints": self.joints}
        if self.one:
            return {**self.clips[0], "notices": list(self.notices)}
        return {"clips": self.clips, "failed": self.failed, "notices": self.notices}


def holding_many() -> list[str]:
    """The suffixes of formats of which one file holds many clips."""
    return [suffix for format in FORMATS.values() if format.holds_many for suffix in format.suffixes]


def _outside(target: Path, files: list[ClipFile], source: Path) -> list[ClipFile]:
    """Without what an earlier conversion has left in a target that lies within the source."""
    home = target.resolve()
    if home == source.resolve():
        return files
    kept = [file for file in files if home not in file.path.resolve().parents]
    if not kept:
        raise FormatError("all clips of the folder lie where they are to be written: give another folder", target)
    return kept


def _remove_empty(folder: Path, files: Sequence[Path]) -> None:
    """Remove a folder, and those within it that were made for files, where nothing is in them."""
    homes = {home for file in files for home in file.parents if folder in (home, *home.parents)}
    for home in sorted(homes, reverse=True):
        with suppress(OSError):
            home.rmdir()


def _slice(text: str) -> slice:
    match = re.fullmatch(r"(\d*):(\d*)", text)
    if match is None:
        raise FormatError(f"expected frames such as 10:80, 10: or :80, got {text!r}")
    return slice(*(int(part) if part else None for part in match.groups()))


def _unit_notice(motion: Motion, target: Path, target_units: str | None) -> list[str]:
    """Some formats hold no unit: say so where whoever guesses from the body's height, as we do, would guess wrong."""
    from kinegraph.formats import units

    format = format_of(target, writing=True)
    if format.says_unit or format.unit is None or not motion.skeleton.stature:
        return []
    unit = target_units or format.unit
    factor = units.metres_per_unit(unit)
    if units.guess(motion.skeleton.stature / factor)[0] == factor:
        return []
    return [
        f"a {format.name} holds no unit, and this body's size does not give it away: read it with units={unit!r} (--units {unit})"
    ]
