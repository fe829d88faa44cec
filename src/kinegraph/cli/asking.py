"""Commands out of tasks: their options, their help and what becomes of what they make all follow from the tasks' wishes."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperCommand

from kinegraph.cli import console, reading, writing
from kinegraph.cli.signing import gathering, signed
from kinegraph.errors import FormatError, GraphError, KinegraphError, MotionError, SpaceError

if TYPE_CHECKING:
    from kinegraph.tasks.made import Made
    from kinegraph.tasks.task import Task
    from kinegraph.wishes import Wish

_SOURCES = {
    "graph": ("G.mog", "The graph, as `kinegraph build` makes it."),
    "clip": ("CLIP", "Motion file (.bvh, .amc, .glb, .npz …)."),
    "space": ("S.mog", "The space, as `kinegraph space build` makes it."),
}
# A number below zero, as it begins on the command line: no option does so.
_NEGATIVE = re.compile(r"-(\d|\.\d|inf|nan)", re.IGNORECASE)


class TakesNegatives(TyperCommand):
    """A command whose arguments may begin with a minus: ``-0.2,1.3`` is a target and no option."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Parse with a blank before numbers below zero: then the parser leaves them alone, as does who reads the number."""
        return super().parse_args(ctx, [f" {word}" if _NEGATIVE.match(word) else word for word in args])


def add(app: typer.Typer, name: str, tasks: Sequence[type[Task]], usage: str = "") -> None:
    """Add the command of a task, or of several that share one. usage: what to say where none of these is asked for."""

    def run(**said: Any) -> None:
        _run(tasks, usage, said)

    examples = [example for task in tasks for example in task.examples]
    run.__doc__ = "\n".join([tasks[0].summary, "", "\b", *examples])
    cls = TakesNegatives if any(wish.form == "target" for task in tasks for wish in task.wishes().values()) else None
    app.command(name, cls=cls)(signed(run, _parameters(tasks)))


def asks(verb: str, leave: Sequence[str] = ()) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Give a command the options of a task, but for some wishes; they are gathered in its parameter ``wishes``."""
    from kinegraph.tasks.task import TASKS

    def more() -> list[inspect.Parameter]:
        return [one for name, wish in TASKS[verb].wishes().items() if name not in leave for one in options(wish)]

    return lambda command: gathering(command, "wishes", more, lambda said: wished(TASKS[verb], said))


def options(wish: Wish) -> list[inspect.Parameter]:
    """The options of a wish as parameters of a function."""
    from kinegraph.tasks.forms import form

    how = form(wish.form)
    hint: Any = list[str] if how.repeated else how.type
    return [
        _option(
            _spelled(name),
            Annotated[
                hint | None,
                typer.Option(
                    f"--{name}/--no-{name}" if how.type is bool else f"--{name}",
                    metavar=how.about(wish, name)[0] or None,
                    help=how.about(wish, name)[1],
                    show_default=_default(wish),
                ),
            ],
        )
        for name in how.options(wish)
    ]


def wished(task: type[Task], said: Mapping[str, Any]) -> dict[str, Any]:
    """The wishes of a task out of what was said; those of which nothing was said are left out."""
    from kinegraph.tasks.forms import form

    found = {}
    for name, wish in task.wishes().items():
        how = form(wish.form)
        given = {option: said.get(_spelled(option)) for option in how.options(wish)}
        if any(value not in (None, []) for value in given.values()):
            found[name] = how.parse(wish, given)
    return found


@dataclass(frozen=True)
class OnCharacter:
    """A character to put what is made on, as the command line names it: its file, and which of its joints is what."""

    file: Path | None = None
    roles: Mapping[str, str] | None = None
    root_motion: str = "hips"
    events: Path | None = None

    @property
    def how(self) -> dict[str, Any]:
        """What is said of how it is put on the character."""
        return {} if self.file is None else {"root_motion": self.root_motion, "events": self.events}

    def check(self, output: Path | None) -> None:
        """Refuse a place where the motion, or the character, cannot be written."""
        if self.file is None:
            from kinegraph.tasks.kinds.convert import check_nobody

            check_nobody(self.roles, self.root_motion, self.events)
            writing.check_motion(output)
            return
        if output is None:
            raise FormatError("--character needs a file to write: say -o too", self.file)
        from kinegraph.characters.writing import check_target

        check_target(output, page=True)
        writing.check_place(output)
        if self.events is not None:
            writing.check_place(self.events)
        if not self.file.is_file():
            raise FormatError("there is no such character", self.file)
        writing.check_not_read([output, self.events], [self.file])


def character_options() -> list[inspect.Parameter]:
    """The options of whatever writes motion: onto which character. They are those of ``convert``, which says what they mean."""
    from kinegraph.tasks.task import TASKS

    known = TASKS["convert"].wishes()
    return [one for name in ("character", "roles", "root_motion", "events") for one in options(known[name])]


def on_character(said: dict[str, Any]) -> OnCharacter:
    """The character, from what was said; it is taken out of it."""
    from kinegraph.tasks.task import TASKS

    mine = {one.name: said.pop(one.name, None) for one in character_options()}
    found = wished(TASKS["convert"], mine)
    file = found.get("character")
    events = found.get("events")
    return OnCharacter(
        None if file is None else Path(file),
        found.get("roles"),
        found.get("root_motion", "hips"),
        None if events is None else Path(events),
    )


def writes(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command that writes a motion the options of a character, gathered in its parameter ``character``."""
    return gathering(command, "character", character_options, on_character)


_NOBODY = OnCharacter()


# -- the options -------------------------------------------------------------------------------------------------------


def _parameters(tasks: Sequence[type[Task]]) -> list[inspect.Parameter]:
    metavar, about = _SOURCES[tasks[0].source]
    alone = len(tasks) == 1
    found = {"source": _argument("source", Path, metavar, about)}
    wishes = {name: wish for task in tasks for name, wish in task.wishes().items()}
    if alone:
        found |= {
            _spelled(name): _argument(
                _spelled(name), Path if wish.form in ("file", "scene") else str, wish.metavar, wish.help
            )
            for name, wish in wishes.items()
            if wish.required
        }
    found["output"] = _option("output", writing.Output)
    found |= {one.name: one for one in character_options()}
    for wish in wishes.values():
        if not (alone and wish.required):
            found |= {one.name: one for one in options(wish)}
    if tasks[0].source == "space":
        found["nearest"] = _option("nearest", _NEAREST, False)
    if tasks[0].source == "clip":
        found |= {one.name: one for one in reading.parameters()}
    if _draws(tasks[0]):
        found["plot"] = _option("plot", writing.Plot)
    found["as_json"] = _option("as_json", reading.AsJson, False)
    return list(found.values())


_NEAREST = Annotated[
    bool, typer.Option("--nearest", help="Where the target cannot be reached, make the strike that comes nearest.")
]


def _option(name: str, hint: Any, default: Any = None) -> inspect.Parameter:
    return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=hint)


def _argument(name: str, of: Any, metavar: str, about: str) -> inspect.Parameter:
    hint = Annotated[of, typer.Argument(metavar=metavar, help=about)]
    return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, annotation=hint)


def _spelled(option: str) -> str:
    """An option's name as a parameter's: no keyword, and none of ours."""
    return f"wish_{option.replace('-', '_')}"


def _default(wish: Wish) -> Any:
    """What the help says of the default: in the unit that people write."""
    from kinegraph.tasks.forms import form

    if wish.usual:
        return wish.usual
    if wish.required or wish.default is None or wish.default in ((), {}, False, True):
        return False
    value = form(wish.form).word(wish.default)
    return f"{float(value):.3g}" if wish.form == "number" else value


def _draws(task: type[Task]) -> bool:
    from kinegraph.tasks.task import Task

    return task.draw is not Task.draw


# -- running -----------------------------------------------------------------------------------------------------------


def _run(tasks: Sequence[type[Task]], usage: str, said: dict[str, Any]) -> None:
    output, plot, as_json = said.pop("output"), said.pop("plot", None), said.pop("as_json")
    nearest, file = said.pop("nearest", None), said.pop("source")
    how = reading.gathered(said) if tasks[0].source == "clip" else None
    character = on_character(said)
    chosen = _chosen(tasks, usage, said)
    character.check(output)
    writing.check_plot(plot)
    task = _asked(chosen, wished(chosen, said))
    writing.check_not_read([output, plot], [file, *(Path(str(value)[:255]) for value in task.echo().values())])
    source = file if how is None else reading.read(file, how)
    made = performed(task, source)
    give(made, {chosen.source: str(file)}, output, plot, nearest=nearest, as_json=as_json, character=character)


def performed(task: Task, source: Any) -> Any:
    """What comes of a task, while somebody watches; where it fails, what was doubtful about it is told first."""
    try:
        with console.watch() as watch:
            return task.run(source, watch)
    except KinegraphError:
        for sentence in task.doubts():
            console.notice(sentence)
        raise


def task(verb: str, wishes: Mapping[str, Any]) -> Any:
    """The task of a verb with these wishes; what is refused is called by the name of its option."""
    from kinegraph.tasks.task import TASKS

    return _asked(TASKS[verb], wishes)


def _asked(task: type[Task], wishes: Mapping[str, Any]) -> Task:
    from kinegraph.tasks.forms import form

    try:
        return task(**wishes)
    except (GraphError, MotionError, SpaceError) as error:
        for name, wish in task.wishes().items():
            told = re.match(rf"{name.replace('_', ' ')}(?=:| must be a )", str(error))
            if told and not wish.required:
                raise type(error)(f"--{form(wish.form).options(wish)[0]}{str(error)[told.end() :]}") from error
        raise


def _chosen(tasks: Sequence[type[Task]], usage: str, said: Mapping[str, Any]) -> type[Task]:
    """The task that is meant, of those that share a command."""
    if len(tasks) == 1:
        return tasks[0]
    given = {name for name, value in said.items() if value is not None}
    named = {task: {one.name: one for wish in task.wishes().values() for one in options(wish)} for task in tasks}
    meant = [
        task
        for task in tasks
        if all(given & {one.name for one in options(wish)} for wish in task.wishes().values() if wish.required)
    ]
    if len(meant) != 1:
        raise GraphError(usage)
    for other in tasks:
        for name in named[other]:
            if name in given and name not in named[meant[0]]:
                raise GraphError(f"--{name.removeprefix('wish_').replace('_', '-')} is for {other.aside}")
    return meant[0]


def give(
    made: Made,
    source: Mapping[str, str],
    output: Path | None,
    plot: Path | None = None,
    *,
    nearest: bool | None = None,
    as_json: bool,
    called: str = "output",
    character: OnCharacter = _NOBODY,
) -> None:
    """Write what was made, and tell of it. Exits with 1 where it did not come where it was to come.

    source: what a report for scripts says of what it was made from; called: what it calls the file that was written. nearest: whether what
    misses its target is written too; None where nothing can miss. character: whom it is put on.
    """
    made = _hinted(made)
    # a strike that misses is not what was asked for: it is written where that was said to be good enough
    kept = output if made.reached or nearest is not False else None
    if kept is not None:
        made = made.save(kept, character=character.file, roles=character.roles, **character.how)
    drawn = "" if plot is None or (kept is None and output is not None) else made.plot(plot)
    if as_json:
        files = {called: writing.name_of(kept)} | ({"plot": writing.name_of(plot)} if _draws(type(made.task)) else {})
        console.report({**source, **files, **made.to_dict()})
    else:
        for heading, rows in made.task.tell(made):
            console.rows(heading, rows)
        for sentence in made.warnings:
            console.warn(sentence)
        console.notices(made.notices)
        if kept is not None:
            writing.tell_written(kept, made.motion, made.marks, character.file)
        if drawn:
            console.done(f"{plot}: {drawn}")
    if made.reached:
        return
    if nearest:
        console.notice(made.short)
        return
    unwritten = f"; {output} was not written" if output and nearest is False else ""
    instead = " (--nearest makes it all the same)" if nearest is False else ""
    console.complain(f"{made.short}{unwritten}{instead}")
    raise typer.Exit(1)


def _hinted(made: Made) -> Made:
    """The same, with the options that help named where something is said to be missing."""
    from kinegraph.tasks.kinds import repath
    from kinegraph.walks import performing

    hints = {performing.NO_LEGS: "build --roles", repath.NO_LEGS: "--roles"}
    notices = tuple(f"{one} ({hints[one]})" if one in hints else one for one in made.notices)
    short = made.short
    for phrase, named in _OPTIONS.items():
        short = short.replace(phrase, f"{phrase} ({named})")
    return replace(made, notices=notices, short=short)


# what may help → the options that do it
_OPTIONS = {"another kind of motion or none": "--label, --prefer, --start", "look further": "--horizon, --width"}
