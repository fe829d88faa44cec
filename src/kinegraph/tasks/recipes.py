"""Recipes: a task and how its motion is written, as a shell command and as Python that do the same.

`kinegraph follow` and its like write motion files themselves; whatever is changed or drawn on the way out takes a second command.
"""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import Any

from kinegraph.formats.format import of_suffix
from kinegraph.rendering.pictures import PICTURES
from kinegraph.tasks.forms import form, number, text
from kinegraph.tasks.task import Task
from kinegraph.wishes import Wish


@dataclass(frozen=True)
class Recipe:
    """A shell command, which may be of several lines, and a piece of Python that does the same."""

    command: str
    python: str


@dataclass(frozen=True)
class Writing:
    """How a motion is written: the options of an export, whether bones are given one length first, on which character's file, and which
    frames a strip shows in any case, each with a word for it.
    """

    fps: float | None = None
    in_place: bool = False
    t_pose: bool = False
    units: str | None = None
    up: str | None = None
    rigid: bool = False
    character: str | None = None
    marks: Mapping[int, str] = field(default_factory=dict)
    plain: bool = field(init=False)

    def __post_init__(self) -> None:
        asked = (self.fps, self.in_place, self.t_pose, self.units, self.up, self.rigid)
        object.__setattr__(self, "plain", not any(value not in (None, False) for value in asked))


def recipe(task: Task | None, source: str, target: str, writing: Writing | None = None) -> Recipe:
    """How to do a task to the file ``source`` and write what comes of it to ``target``; without a task, the clip itself.

    >>> from kinegraph.tasks import Follow
    >>> made = recipe(Follow("eight:2.5", label="walk", warp=True), "graph.mog", "way.bvh")
    >>> made.command
    'kinegraph follow graph.mog eight:2.5 --label walk --warp -o way.bvh'
    >>> print(made.python)
    import kinegraph as kg
    <BLANKLINE>
    made = kg.follow("graph.mog", "eight:2.5", label="walk", warp=True)
    made.save("way.bvh")
    <BLANKLINE>
    """
    how = writing or Writing()
    return Recipe(_command(task, source, target, how), _python(task, source, target, how))


def command_words(task: Task, source: str) -> list[str]:
    """The words of the command that does a task to a file."""
    needed, wished = _said(task)
    words = ["kinegraph", *task.command.split(), _file(source)]
    shared = any(wish.option for wish, _ in needed) or task.aside
    if shared:
        wished = [*needed, *wished]
    else:
        words += [form(wish.form).word(value) for wish, value in needed]
    words += [word for wish, value in wished for word in form(wish.form).words(wish, value)]
    return [*words, *(["--nearest"] if task.source == "space" else [])]


def python_call(task: Task, source: str) -> str:
    """The Python that does a task to a file."""
    needed, wished = _said(task)
    arguments = [text(source), *(form(wish.form).python(value) for wish, value in needed)]
    arguments += [f"{wish.name}={form(wish.form).python(value)}" for wish, value in wished]
    return f"kg.{task.name}({', '.join(arguments)})"


def _said(task: Task) -> tuple[list[tuple[Wish, Any]], list[tuple[Wish, Any]]]:
    """The wishes that must be said with their values, and those others that are not what is done anyway."""
    held = [(wish, getattr(task, name)) for name, wish in task.wishes().items()]
    needed = [(wish, value) for wish, value in held if wish.required]
    return needed, [(wish, value) for wish, value in held if not wish.required and not _usual(wish, value)]


def _usual(wish: Wish, value: Any) -> bool:
    if isinstance(value, Mapping):
        return dict(value) == dict(wish.default)
    if isinstance(value, Sequence) and not isinstance(value, str):
        return isinstance(wish.default, Sequence) and list(value) == list(wish.default)
    return bool(value == wish.default)


def _command(task: Task | None, source: str, target: str, how: Writing) -> str:
    suffix = PurePosixPath(target).suffix
    words = [] if task is None else command_words(task, source)
    if words and how.plain and (how.character or _is_direct(suffix)):
        return shlex.join([*words, "-o", _file(target), *_on(how)])
    lines = []
    if words:
        source = str(PurePosixPath(target).with_suffix(".npz"))
        if source == target:  # what is written must not be what is read
            source = str(PurePosixPath(target).with_suffix(".as-it-was.npz"))
        lines.append(shlex.join([*words, "-o", _file(source)]))
    if _is_drawn(suffix) and not how.character:
        rate = [] if how.fps is None else ["--fps", number(how.fps)]
        shown = [word for frame, name in how.marks.items() for word in ("--mark", f"{frame}:{name}")]
        lines.append(shlex.join(["kinegraph", "render", _file(source), "-o", _file(target), *rate, *shown]))
    else:
        lines.append(shlex.join(["kinegraph", "convert", _file(source), _file(target), *_flags(how)]))
    return "\n".join(lines)


def _is_direct(suffix: str) -> bool:
    """Whether the commands that make motions write it by themselves; for bones of one length they would make another motion."""
    format = of_suffix(suffix)
    return format is not None and format.writes and not format.rigid


def _is_drawn(suffix: str) -> bool:
    return of_suffix(suffix, PICTURES) is not None


def _flags(how: Writing) -> list[str]:
    words = [] if how.fps is None else ["--fps", number(how.fps)]
    words += ["--in-place"] if how.in_place else []
    words += ["--t-pose", "first"] if how.t_pose else []
    words += ["--rigid"] if how.rigid else []
    words += [] if how.units is None else ["--target-units", how.units]
    return [*words, *([] if how.up is None else ["--target-up", how.up]), *_on(how)]


def _on(how: Writing) -> list[str]:
    return [] if how.character is None else ["--character", _file(how.character)]


def _python(task: Task | None, source: str, target: str, how: Writing) -> str:
    suffix = PurePosixPath(target).suffix
    lines = [f"motion = kg.load({text(source)})"] if task is None else [f"made = {python_call(task, source)}"]
    motion = "motion" if task is None else "made.motion"
    if how.character is not None:
        lines.append(_put_on(how, target, None if task is None else how.plain))
    elif _is_drawn(suffix):
        rate = "" if how.fps is None else f", fps={number(how.fps)}"
        shown = "" if task is None or not how.marks else ", marks=made.marks"
        lines.append(f"kg.render({motion}, {text(target)}{rate}{shown})")
    elif task is not None and how.plain and _is_direct(suffix):
        lines.append(f"made.save({text(target)})")
    else:
        told = [f"{name}=True" for name in ("rigid", "in_place", "t_pose") if getattr(how, name)]
        told = [*([] if how.fps is None else [f"fps={number(how.fps)}"]), *told]
        told += [f"{name}={text(value)}" for name, value in (("units", how.units), ("up", how.up)) if value is not None]
        lines.append(f"kg.save({', '.join([motion, text(target), *told])})")
    imports = ["import math", ""] if any("math." in line for line in lines) else []
    return "\n".join([*imports, "import kinegraph as kg", "", *lines]) + "\n"


def _put_on(how: Writing, target: str, plain: bool | None) -> str:
    """The Python that writes a character: what was made, as it is (plain), or changed on the way, or a clip (None)."""
    hero = text(str(how.character))
    if plain:
        return f"made.save({text(target)}, character={hero})"
    motion = "motion" if plain is None else "made.motion"
    told = [] if how.fps is None else [f"fps={number(how.fps)}"]
    told += ["in_place=True"] if how.in_place else []
    return f"kg.characters.save({', '.join([motion, hero, text(target), *told])})"


def _file(file: str) -> str:
    """A file's name that no command takes for an option."""
    return f"./{file}" if file.startswith("-") else file
