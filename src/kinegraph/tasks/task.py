"""`Task`: something that a person can ask for. One frozen class each, whose fields say all there is to say of it.

A task knows nothing of command lines, servers or pages: they read its wishes (`kinegraph.wishes`) and its class, and speak
it as they need to. Another task is another class with `register` before it.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from os import PathLike
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

from kinegraph.catalogue import Catalogue
from kinegraph.errors import KinegraphError
from kinegraph.watch import Watcher
from kinegraph.wishes import Wish, wishes

if TYPE_CHECKING:
    from kinegraph.tasks.made import Made

Rows = Sequence[tuple[str, str]]
"""Sentences with what each is about."""


class Task(ABC):
    """Something that a person can ask for. Its wishes are the fields of its class."""

    name: ClassVar[str]
    """What it is called in Python: ``kg.follow``."""
    command: ClassVar[str]
    """What it is called on the command line; several tasks may share a command."""
    source: ClassVar[str]
    """What it is done to: a graph, a clip, a space, or clips."""
    summary: ClassVar[str]
    """One sentence that says what it does."""
    examples: ClassVar[tuple[str, ...]] = ()
    """Commands that show it."""
    aside: ClassVar[str] = ""
    """What wishes of this task alone are for, where tasks share a command: random walks."""
    echoed: ClassVar[tuple[str, ...]] = ()
    """Wishes that a report for scripts repeats."""

    @abstractmethod
    def run(self, source: Any, watch: Watcher = None) -> Made:
        """Do it, to what the class says, or to the file that holds it."""

    def judge(self, made: Made) -> Mapping[str, Any]:
        """Figures of what came of it, rounded, ready for JSON."""
        return {"frames": len(made.motion), "seconds": round(made.motion.seconds, 6)}

    def tell(self, made: Made) -> Sequence[tuple[str, Rows]]:
        """The same for people: headings, each with its sentences."""
        return [(made.title, [("length", f"{len(made.motion):,} frames, {made.motion.seconds:.2f} s")])]

    def warn(self, made: Made) -> tuple[str, ...]:
        """Where what came of it is worse than what it was made of, or than what was asked for: a sentence each."""
        return ()

    def draw(self, made: Made, file: str | PathLike[str]) -> str:
        """Draw what came of it, and say what the picture shows. A task that draws nothing has no ``--plot``."""
        raise KinegraphError(f"there is no picture of what {self.name} makes: draw its motion with kg.render")

    def stretched(self, made: Made) -> float:
        """By which part of their length the legs of what came of it change at most."""
        return 0.0

    def unstretched(self, made: Made) -> Made:
        """What came of it, with legs of one length, for formats that hold no other."""
        return made

    def floor(self) -> Callable[[Any], Any] | None:
        """The heights ``(…)`` of the ground that it is done on, at places ``(…, 2)``; None for a floor that is flat."""
        return None

    def doubts(self) -> tuple[str, ...]:
        """What to say of it before it is done."""
        return ()

    def echo(self) -> dict[str, Any]:
        """The wishes that a report for scripts repeats."""
        return {name: getattr(self, name) for name in self.echoed}

    @classmethod
    def wishes(cls) -> Mapping[str, Wish]:
        """What can be asked of it, by name."""
        return wishes(cls)


def shortened(text: str, most: int = 60) -> str:
    """A text as a title has room for it.

    >>> shortened("0,0 0,4 3,6", most=6)
    '0,0 0…'
    """
    return text if len(text) <= most else f"{text[: most - 1]}…"


TASKS: Catalogue[type[Task]] = Catalogue("task", home="kinegraph.tasks.kinds")
"""Every task by its name: ``TASKS["follow"]``. `TASKS.remove` takes one out again."""

_T = TypeVar("_T", bound=type[Task])


def register(task: _T) -> _T:
    """Have a task on the command line, in the server and in recipes: written above its class.

    >>> from dataclasses import dataclass
    >>> from kinegraph.wishes import wish
    >>> @register
    ... @dataclass(frozen=True)
    ... class Halve(Task):
    ...     name = command = "halve"
    ...     source = "clip"
    ...     part: int = wish("Which half to keep.", default=1, least=1, most=2)
    ...
    ...     def run(self, source, watch=None):
    ...         return source[: len(source) // 2] if self.part == 1 else source[len(source) // 2 :]
    >>> TASKS["halve"]().part
    1
    >>> TASKS.remove("halve")
    """
    TASKS.register(task)
    return task


def verb(task: type[Task]) -> Callable[..., Any]:
    """The function that asks for a task: its source first, then its wishes, those that must be said by position too."""
    import inspect

    known = task.wishes()
    needed = [name for name, wish in known.items() if wish.required]
    first = "source" if task.source in known else task.source
    parameters = [inspect.Parameter(first, inspect.Parameter.POSITIONAL_ONLY)]
    parameters += [inspect.Parameter(name, inspect.Parameter.POSITIONAL_OR_KEYWORD) for name in needed]
    parameters += [
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=wish.default)
        for name, wish in known.items()
        if not wish.required
    ]
    parameters.append(inspect.Parameter("watch", inspect.Parameter.KEYWORD_ONLY, default=None))

    def ask(source: Any, /, *given: Any, watch: Watcher = None, **wished: Any) -> Any:
        if len(given) > len(needed):
            raise TypeError(
                f"{task.name}() takes {1 + len(needed)} values by position: {task.source}, {', '.join(needed)}"
            )
        return task(**dict(zip(needed, given, strict=False)), **wished).run(source, watch)

    ask.__name__ = ask.__qualname__ = task.name
    ask.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    lines = [f"- {name}: {wish.help}{_in_python(wish)}" for name, wish in known.items()]
    ask.__doc__ = "\n".join([inspect.cleandoc(task.__doc__ or task.summary), "", "Wishes:", "", *lines])
    return ask


def _in_python(wish: Wish) -> str:
    """What to add to the help of a wish whose number people write in another unit."""
    from kinegraph.tasks.forms import form

    inside = form(wish.form).inside
    return f" (Here: {inside}.)" if inside else ""
