"""What is on the screen as a command and as Python: the exact equivalents, relative to the workspace.

A recipe makes a motion (nothing to do for a clip), and then writes it. `follow`, `walk`, `repath` and `space reach` write motion files
themselves; whatever is changed or drawn on the way out takes a second command.
"""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import Any

from kinegraph.formats.format import of_suffix
from kinegraph.rendering.pictures import PICTURES


@dataclass(frozen=True)
class Recipe:
    """A shell command, which may be of several lines, and a piece of Python that does the same."""

    command: str
    python: str


@dataclass(frozen=True)
class Making:
    """How a motion comes about. words: the command that makes it, to which ``-o FILE`` is added; none for a file that is there.

    imports and lines: of Python; the last of them set ``motion``. file: the motion file, where it is there already.
    """

    words: tuple[str, ...] = ()
    imports: tuple[str, ...] = ()
    lines: tuple[str, ...] = ()
    file: str = ""


@dataclass(frozen=True)
class Writing:
    """How it is written: the options of an export, and whether bones are given one length first."""

    fps: float | None = None
    in_place: bool = False
    t_pose: bool = False
    units: str | None = None
    up: str | None = None
    rigid: bool = False
    plain: bool = field(init=False)

    def __post_init__(self) -> None:
        asked = (self.fps, self.in_place, self.t_pose, self.units, self.up, self.rigid)
        object.__setattr__(self, "plain", not any(value not in (None, False) for value in asked))


def recipe(making: Making, target: str, writing: Writing | None = None) -> Recipe:
    """The recipe that makes a motion and writes it to ``target``."""
    how = writing or Writing()
    return Recipe(_command(making, target, how), _python(making, target, how))


# -- how motions come about --------------------------------------------------------------------------------------------


def clip(file: str) -> Making:
    """A clip of the workspace."""
    return Making(lines=(f"motion = kg.load({_text(file)})",), file=file)


def follow(graph: str, path: str, request: Mapping[str, Any], *, legs: bool = True) -> Making:
    """A walk along a path. path: as the command line takes it. request: what was asked for. legs: whether feet can be cleaned at all."""
    asked = _Asked(request, "kinegraph", "follow", _file(graph), path)
    asked.say("label")
    asked.say("search", usual="fast")
    if request.get("sections"):
        spans = [(_number(s["first"]), _end(s.get("last")), s["label"]) for s in request["sections"]]
        told = ",".join(f"{first}-{last}:{label}" for first, last, label in spans)
        asked.put(["--sections", told], f"sections=parse_sections({_text(told)}, path.length)")
        asked.needs("from kinegraph.walks.request import parse_sections")
    if request.get("prefer"):
        margins = {str(name): float(cm) for name, cm in request["prefer"].items()}
        words = [word for name, cm in margins.items() for word in ("--prefer", f"{name}={_number(cm)}")]
        asked.put(words, f"prefer={margins!r}")
    if request.get("obstacles"):
        discs = [tuple(float(disc[part]) for part in ("x", "z", "radius")) for disc in request["obstacles"]]
        words = [word for disc in discs for word in ("--disc", ",".join(map(_number, disc)))]
        asked.put(words, f"obstacles=[{', '.join(f'Disc{disc!r}' for disc in discs)}]")
        asked.needs("from kinegraph.walks import Disc")
    asked.start()
    if request.get("heading_deg") is not None:
        degrees = _number(request["heading_deg"])
        asked.put(["--heading", degrees], f"heading=math.radians({degrees})")
        asked.needs("import math")
    for name in ("speed", "horizon", "width"):
        asked.say(name)
    asked.needs("from kinegraph.walks import follow")
    warp = request.get("warp", True)
    lines = [
        f"graph = kg.graph.load({_text(graph)})",
        f"path = kg.paths.read({_text(path)})",
        f"walk = follow({', '.join(['graph', 'path', *asked.arguments])}).walk",
    ]
    asked.put(["--warp"] if warp else [])
    return asked.performed(lines, legs, *(["onto=path"] if warp else []))


def walk(graph: str, request: Mapping[str, Any], *, legs: bool = True) -> Making:
    """A walk at random, or through clips and labels in order. legs: whether feet can be cleaned at all."""
    asked = _Asked(request, "kinegraph", "walk", _file(graph))
    name = "sequence" if request.get("sequence") else "wander"
    if name == "sequence":
        steps = [str(step) for step in request["sequence"]]
        asked.put(["--sequence", ",".join(steps)], repr(steps))
        stay = request.get("stay")
        if isinstance(stay, list | tuple):
            asked.put(["--stay", ",".join(map(_number, stay))], f"stay={[float(value) for value in stay]!r}")
        elif stay is not None:
            asked.put(["--stay", _number(stay)], f"stay={float(stay)!r}")
    else:
        asked.put(["--seconds", _number(request["seconds"])], _number(request["seconds"]))
        for each in ("seed", "label", "pool", "gap"):
            asked.say(each)
    asked.start()
    asked.needs(f"from kinegraph.walks import {name}")
    lines = [f"graph = kg.graph.load({_text(graph)})", f"walk = {name}({', '.join(['graph', *asked.arguments])})"]
    return asked.performed(lines, legs)


def repath(file: str, path: str, request: Mapping[str, Any], *, legs: bool = True) -> Making:
    """A clip on another path. path: as the command line takes it. legs: whether its feet can be held at all."""
    asked = _Asked(request, "kinegraph", "repath", _file(file), path)
    for name, usual in (("keep", "speed"), ("end", "stop"), ("start", "path"), ("stretch", 0.02)):
        asked.say(name, usual=usual)
    for name in ("cycle", "seconds", "ground", "natural"):
        asked.say(name)
    held = request.get("feet", True)
    asked.put([] if held else ["--no-feet"], "" if held and legs else "feet=False")
    degree = request.get("degree")
    asked.put([] if degree is None else ["--degree", str(degree)])
    lines = (
        f"clip = kg.load({_text(file)})",
        f"path = kg.paths.read_curve({_text(path)})",
        f"editor = kg.paths.PathEditor(clip{'' if degree is None else f', degree={degree}'})",
        f"motion = editor.lay({', '.join(['path', *asked.arguments])}).motion",
    )
    return Making(tuple(asked.words), (), lines)


def reach(file: str, space: str | None, request: Mapping[str, Any]) -> Making:
    """A strike at a target; where it cannot be hit, the one that comes nearest. space: its name, where the file holds several."""
    target = [float(value) for value in request["target"]]
    asked = _Asked(request, "kinegraph", "space", "reach", _file(file), ",".join(map(_number, target)))
    asked.put([] if space is None else ["--name", space])
    asked.say("method", usual="blend")
    asked.say("mirror")
    if not request.get("finished", True):
        asked.put(["--no-finish"], "finished=False")
    asked.put(["--nearest"])
    lines = (
        f"space = kg.strikes.load({', '.join(map(_text, [file] if space is None else [file, space]))})",
        f"motion = strike({', '.join(['space', repr(tuple(target)), *asked.arguments])}).motion",
    )
    return Making(tuple(asked.words), ("from kinegraph.evaluation.strikes.reaching import strike",), lines)


class _Asked:
    """Wishes of a request, collected side by side as words of a command and as arguments of Python."""

    def __init__(self, request: Mapping[str, Any], *words: str) -> None:
        self._request = request
        self.words = list(words)
        self.arguments: list[str] = []
        self.imports: list[str] = []

    def put(self, words: Sequence[str], argument: str = "") -> None:
        """Say something in both."""
        self.words += words
        self.arguments += [argument] if argument else []

    def say(self, name: str, usual: Any = None) -> None:
        """Say what the request holds under a name that both know, unless it is what is done anyway."""
        value = self._request.get(name, usual)
        if value is None or value is False or value == usual:
            return
        if value is True:
            self.put([f"--{name}"], f"{name}=True")
        elif isinstance(value, str):
            self.put([f"--{name}", value], f"{name}={_text(value)}")
        else:
            self.put([f"--{name}", _number(value)], f"{name}={_number(value)}")

    def start(self) -> None:
        """Say where in the graph to begin."""
        begin = self._request.get("start")
        if begin is not None:
            self.put(["--start", str(begin)], f"start=read_start(graph, {_text(str(begin))})")
            self.needs("from kinegraph.walks.begin import read_start")

    def needs(self, line: str) -> None:
        """Have a line of imports."""
        self.imports.append(line)

    def performed(self, lines: Sequence[str], legs: bool, *more: str) -> Making:
        """The walk that ``lines`` find, made motion."""
        blend, clean = self._request.get("blend", "anticipation"), self._request.get("clean", True)
        words, arguments = [], ["walk"]
        if blend != "anticipation":
            words += ["--blend", blend]
            arguments.append(f"blend={_text(blend)}")
        words += [] if clean else ["--no-clean"]
        arguments += [*more, *([] if clean and legs else ["feet=False"])]
        self.needs("from kinegraph.walks import perform")
        lines = (*lines, f"motion = perform({', '.join(arguments)}).motion")
        return Making((*self.words, *words), tuple(self.imports), tuple(lines))


# -- how they are written ----------------------------------------------------------------------------------------------


def _command(making: Making, target: str, how: Writing) -> str:
    suffix = PurePosixPath(target).suffix
    if making.words and how.plain and _is_direct(suffix):
        return shlex.join([*making.words, "-o", _file(target)])
    lines = []
    source = making.file
    if making.words:
        source = str(PurePosixPath(target).with_suffix(".npz"))
        if source == target:  # what is written must not be what is read
            source = str(PurePosixPath(target).with_suffix(".as-it-was.npz"))
        lines.append(shlex.join([*making.words, "-o", _file(source)]))
    if _is_drawn(suffix):
        rate = [] if how.fps is None else ["--fps", _number(how.fps)]
        lines.append(shlex.join(["kinegraph", "render", _file(source), "-o", _file(target), *rate]))
    else:
        lines.append(shlex.join(["kinegraph", "convert", _file(source), _file(target), *_flags(how)]))
    return "\n".join(lines)


def _is_direct(suffix: str) -> bool:
    """Whether the commands that make motions write it by themselves; for bones of one length they would make another motion."""
    format = of_suffix(suffix)
    return format is not None and not format.rigid


def _is_drawn(suffix: str) -> bool:
    return of_suffix(suffix, PICTURES) is not None


def _flags(how: Writing) -> list[str]:
    words = [] if how.fps is None else ["--fps", _number(how.fps)]
    words += ["--in-place"] if how.in_place else []
    words += ["--t-pose", "first"] if how.t_pose else []
    words += ["--rigid"] if how.rigid else []
    words += [] if how.units is None else ["--target-units", how.units]
    return words + ([] if how.up is None else ["--target-up", how.up])


def _python(making: Making, target: str, how: Writing) -> str:
    imports = list(making.imports)
    drawn = _is_drawn(PurePosixPath(target).suffix)
    lines = []
    if drawn:
        rate = "" if how.fps is None else f", fps={_number(how.fps)}"
        lines.append(f"kg.rendering.render(motion, {_text(target)}{rate})")
    else:
        lines += ["motion = motion.rigid()"] if how.rigid else []
        lines += [] if how.fps is None else [f"motion = motion.resample({_number(how.fps)})"]
        lines += ["motion = motion.in_place()"] if how.in_place else []
        lines += ["motion = with_t_pose(motion)"] if how.t_pose else []
        if how.t_pose:
            imports.insert(0, "from kinegraph.motion.tpose import with_t_pose")
        told = [f"{name}={_text(value)}" for name, value in (("units", how.units), ("up", how.up)) if value is not None]
        lines.append(f"kg.save({', '.join(['motion', _text(target), *told])})")
    return "\n".join([*_headed(imports), "", *making.lines, *lines]) + "\n"


def _headed(imports: Sequence[str]) -> list[str]:
    """Import lines in the usual order."""
    standard = sorted(line for line in imports if line.startswith("import "))
    ours = sorted(line for line in imports if not line.startswith("import "))
    return [*standard, *([""] if standard else []), "import kinegraph as kg", *ours]


def _file(file: str) -> str:
    """A file's name that no command takes for an option."""
    return f"./{file}" if file.startswith("-") else file


def _text(value: str) -> str:
    """A text as Python holds it, in double quotes where that needs no escapes."""
    return f'"{value}"' if value.isprintable() and not set('"\\') & set(value) else repr(value)


def _number(value: float) -> str:
    """A number as short as it can be without another one being meant."""
    return repr(int(value)) if float(value).is_integer() and abs(value) < 1e15 else repr(float(value))


def _end(last: float | None) -> str:
    """Where a section ends; nothing for the end of the path."""
    return "" if last is None else _number(last)
