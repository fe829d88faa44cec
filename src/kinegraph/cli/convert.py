"""`kinegraph convert`: any format to any format, and the simple changes on the way."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from kinegraph.cli import console, writing
from kinegraph.cli.reading import AsJson, read, reads
from kinegraph.errors import FormatError, KinegraphError, MissingExtraError
from kinegraph.formats import FORMATS, save, units, written_suffixes
from kinegraph.formats.bodies import read_body
from kinegraph.formats.intake import ClipFile, clip_files
from kinegraph.formats.options import ReadOptions
from kinegraph.formats.registry import format_of
from kinegraph.formats.writing import prepared, takers, write_options

if TYPE_CHECKING:
    from kinegraph.motion import Motion

# what writers' options are called here
_FLAGS = {
    "units": "--target-units", "skeleton": "--target-skeleton", "up": "--target-up", "what": "--what", "mesh": "--no-mesh",
}  # fmt: skip


@reads
def convert(
    source: Annotated[
        Path,
        typer.Argument(metavar="SRC", help="Motion file to read, or a folder of them."),
    ],
    target: Annotated[
        Path,
        typer.Argument(
            metavar="DST",
            help=f"File to write; its suffix says the format: {', '.join(written_suffixes())}. Of a folder: a folder, or one "
            f"{' or '.join(_many())}.",
        ),
    ],
    reading: ReadOptions,
    to: Annotated[
        str | None, typer.Option("--to", metavar="FORMAT", help="Of a folder: the format to write, such as glb or bvh.")
    ] = None,
    frames: Annotated[
        str | None,
        typer.Option("--frames", metavar="A:B", help="Only frames A to B − 1 of the source; either may be left out."),
    ] = None,
    fps: Annotated[float | None, typer.Option("--fps", help="Resample to this many frames per second.")] = None,
    mirrored: Annotated[bool, typer.Option("--mirror", help="Exchange left and right.")] = False,
    onto: Annotated[
        Path | None,
        typer.Option("--onto", metavar="BODY", help="Retarget to the skeleton of this file (.asf or any motion)."),
    ] = None,
    in_place: Annotated[
        bool, typer.Option("--in-place", help="On the spot: the root stays over its first place on the floor.")
    ] = False,
    t_pose: Annotated[
        str | None,
        typer.Option("--t-pose", metavar="first", help="Put a T-pose before the first frame, as game engines like it."),
    ] = None,
    rigid: Annotated[
        bool, typer.Option("--rigid", help="Give bones that change length their mean length: an AMC holds no others.")
    ] = False,
    target_skeleton: Annotated[
        Path | None,
        typer.Option("--target-skeleton", metavar="Y.asf", help="Write an AMC for this ASF instead of one of its own."),
    ] = None,
    target_units: Annotated[
        str | None,
        typer.Option("--target-units", help=f"Unit of length to write: m, cm, mm, in, ft, cmu ({_takers('units')})."),
    ] = None,
    target_up: Annotated[
        str | None, typer.Option("--target-up", help=f"Vertical axis to write, y (default) or z ({_takers('up')}).")
    ] = None,
    what: Annotated[
        str | None,
        typer.Option("--what", metavar="positions|rotations", help="What a CSV holds; positions by default."),
    ] = None,
    no_mesh: Annotated[
        bool, typer.Option("--no-mesh", help="Without a body: bones only in USD and FBX, thin sticks in glTF.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Convert motion files to another format, by the suffixes; cut, mirror, retarget, resample on the way, in this order.

    \b
    kinegraph convert 02_01.amc walk.bvh --fps 30
    kinegraph convert walk.bvh walk.glb                    # a person who walks, for Blender and game engines
    kinegraph convert clips out --to bvh --in-place        # a whole folder; names are kept
    kinegraph convert clips all.glb --fps 30               # every clip as an animation of one file
    """
    from kinegraph.motion import mirror, retarget

    if t_pose not in (None, "first"):
        raise FormatError(f"--t-pose first puts it before the first frame; {t_pose!r} is not known")
    pairs = _pairs(source, target, to)
    asked = {
        "units": target_units, "skeleton": target_skeleton, "up": target_up, "what": what,
        "mesh": False if no_mesh else None,
    }  # fmt: skip
    options = write_options(pairs[0][1], asked, _FLAGS)
    body_onto, assumed = (None, ()) if onto is None else read_body(onto)
    for sentence in assumed:
        console.notice(sentence, str(onto))

    def changed(path: Path) -> Motion:
        motion = read(path, reading)
        motion = motion if frames is None else motion[_slice(frames)]
        motion = mirror(motion) if mirrored else motion
        motion = motion if body_onto is None else retarget(motion, body_onto)
        return prepared(motion, fps=fps, in_place=in_place, t_pose=t_pose is not None, rigid=rigid)

    if source.is_dir() and to is None:
        _convert_into_one(pairs, target, changed, options, as_json)
        return
    if source.is_dir():
        _convert_all(pairs, target, changed, options, target_units, as_json)
        return
    motion = changed(source)
    save(motion, target, **options)
    notices = [*motion.notices, *_unit_notice(motion, target, target_units)]
    if as_json:
        console.report({**_facts(source, target, motion), "notices": notices})
        return
    for sentence in notices:
        console.notice(sentence, str(source))
    also = format_of(target, writing=True).beside if target_skeleton is None else ()
    beside = "".join(f" and {target.with_suffix(suffix)}" for suffix in also)
    console.done(f"{target}{beside}: {len(motion)} frames at {motion.fps:g} frames/s, {len(motion.skeleton)} joints")


def _many() -> list[str]:
    """The suffixes of formats of which one file holds many clips."""
    return [suffix for format in FORMATS.values() if format.holds_many for suffix in format.suffixes]


def _takers(option: str) -> str:
    """The names of the formats that take an option, for help; asked when the command is made, since formats may be added."""
    return ", ".join(dict.fromkeys(format_of(f"x{suffix}", writing=True).name for suffix in takers(option)))


def _pairs(source: Path, target: Path, to: str | None) -> list[tuple[ClipFile, Path]]:
    """Files to read, each with the one to write; what cannot be is refused before a long file is read."""
    if not source.is_dir():
        if to is not None:
            raise FormatError("--to is for a folder of clips: of one file the suffix of DST says the format", target)
        format_of(target, writing=True)
        if target.exists() and source.exists() and target.samefile(source):
            raise FormatError("this is the source itself: give another name to write to", target)
        return [(ClipFile(source, source.stem), target)]
    if to is None and target.suffix.lower() in _many():
        return [(file, target) for file in clip_files(source)]
    if to is None:
        raise FormatError(
            "a folder is converted into a folder: say the format with --to, such as --to bvh; or into one file that holds them all, "
            f"{' or '.join(_many())}",
            source,
        )
    suffix = "." + to.lower().lstrip(".")
    files = _outside(target, clip_files(source), source)
    pairs = [(file, target / f"{file.name}{suffix}") for file in files]
    format_of(pairs[0][1], writing=True)
    for file, made in pairs:
        if made.exists() and made.samefile(file.path):
            raise FormatError("this would be written over what is read: give another folder", made)
    twice = {file.name for file in files if sum(other.name == file.name for other in files) > 1}
    if twice:
        raise FormatError(
            f"several clips are called {sorted(twice)[0]!r}: they would be written over one another", source
        )
    for folder in {made.parent for _, made in pairs}:
        writing.made_folder(folder)
    return pairs


def _outside(target: Path, files: list[ClipFile], source: Path) -> list[ClipFile]:
    """Without what an earlier conversion has left in a target that lies within the source."""
    home = target.resolve()
    if home == source.resolve():
        return files
    kept = [file for file in files if home not in file.path.resolve().parents]
    if not kept:
        raise FormatError("all clips of the folder lie where they are to be written: give another folder", target)
    return kept


def _convert_into_one(
    pairs: Sequence[tuple[ClipFile, Path]],
    target: Path,
    changed: Callable[[Path], Motion],
    options: dict[str, Any],
    as_json: bool,
) -> None:
    """A folder into one file, each clip an animation of its name; all must be of one skeleton."""
    motions = []
    with console.watch("reading") as watch:
        for number, (file, _) in enumerate(pairs):
            watch.tell("convert", number, len(pairs))
            motions.append(changed(file.path).renamed(file.name))
        watch.tell("convert", len(pairs), len(pairs))
    other = next((motion for motion in motions if motion.skeleton != motions[0].skeleton), None)
    if other is not None:
        raise FormatError(
            f"{other.name} has another skeleton than {motions[0].name}: one file holds clips of one body; retarget them with --onto, or "
            "write one file each with --to",
            target,
        )
    format_of(target, writing=True).write_all(motions, target, **options)
    if as_json:
        console.report(
            {"target": str(target), "clips": [motion.name for motion in motions], "joints": len(motions[0].skeleton)}
        )
        return
    console.done(f"{target}: {len(motions)} animations, {len(motions[0].skeleton)} joints")


def _convert_all(
    pairs: Sequence[tuple[ClipFile, Path]],
    folder: Path,
    changed: Callable[[Path], Motion],
    options: dict[str, Any],
    target_units: str | None,
    as_json: bool,
) -> None:
    """A folder, one clip after the other; one that cannot be read does not keep the others from it, and is told."""
    said: dict[str, list[str]] = {}
    failed: list[str] = []
    made: list[dict[str, Any]] = []
    with console.watch("converting") as watch:
        for number, (file, target) in enumerate(pairs):
            watch.tell("convert", number, len(pairs))
            try:
                motion = changed(file.path)
                save(motion, target, **options)
            except MissingExtraError:
                # none of them could be written
                _remove_empty(folder, [made for _, made in pairs])
                raise
            except KinegraphError as error:
                failed.append(str(error))
                continue
            made.append(_facts(file.path, target, motion))
            for sentence in (*motion.notices, *_unit_notice(motion, target, target_units)):
                said.setdefault(sentence, []).append(file.path.name)
        watch.tell("convert", len(pairs), len(pairs))
    if as_json:
        console.report({"clips": made, "failed": failed, "notices": said})
    else:
        for sentence, names in said.items():
            console.notice(sentence, names[0] if len(names) == 1 else f"{len(names)} clips")
        for sentence in failed:
            console.notice(sentence, "not converted")
        if made:
            console.done(f"{folder}: {len(made)} of {len(pairs)} clips")
    if failed:
        raise typer.Exit(1)


def _remove_empty(folder: Path, files: Sequence[Path]) -> None:
    """Remove a folder, and those within it that were made for files, where nothing is in them."""
    homes = {home for file in files for home in file.parents if folder in (home, *home.parents)}
    for home in sorted(homes, reverse=True):
        with suppress(OSError):
            home.rmdir()


def _facts(source: Path, target: Path, motion: Motion) -> dict[str, Any]:
    facts = {"source": str(source), "target": str(target), "frames": len(motion), "fps": motion.fps}
    return {**facts, "joints": len(motion.skeleton)}


def _slice(text: str) -> slice:
    match = re.fullmatch(r"(\d*):(\d*)", text)
    if match is None:
        raise FormatError(f"expected frames such as 10:80, 10: or :80, got {text!r}")
    return slice(*(int(part) if part else None for part in match.groups()))


def _unit_notice(motion: Motion, target: Path, target_units: str | None) -> list[str]:
    """Some formats hold no unit: say so where whoever guesses from the body's height, as we do, would guess wrong."""
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
