"""What is asked for by a name and a few numbers, such as the shape `circle:3` or the ground `hill:2,10`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from difflib import get_close_matches
from inspect import Parameter, signature
from typing import Generic, ParamSpec, TypeVar

from kinegraph.catalogue import Catalogue
from kinegraph.errors import MotionError

P = ParamSpec("P")
T = TypeVar("T")


@dataclass(frozen=True)
class Dial:
    """How people set a number by hand, with a slider."""

    label: str
    unit: str
    least: float
    most: float
    step: float
    usual: float
    """Its value at first."""

    @classmethod
    def about(cls, label: str, word: str) -> Dial:
        """A dial from 0 to twice a number, which is given as a text.

        >>> Dial.about("Height", "-0.5")
        Dial(label='Height', unit='m', least=-1.0, most=0.0, step=0.025, usual=-0.5)
        """
        usual = float(word.removesuffix("%"))
        least, most = (min(0.0, 2 * usual), max(0.0, 2 * usual)) if usual else (-10.0, 10.0)
        return cls(label, "%" if word.endswith("%") else "m", least, most, (most - least) / 40, usual)


@dataclass(frozen=True)
class Spelled(Generic[T]):
    """A function whose numbers people write after its name."""

    name: str
    make: Callable[..., T]
    numbers: tuple[str, ...]
    """What its numbers are called."""
    needed: int
    """How many of them must be given."""
    example: str
    help: str
    """What it is, in a sentence."""
    dials: tuple[Dial, ...]
    """For its first numbers."""

    @classmethod
    def of(cls, make: Callable[..., T], example: str, help: str, dials: tuple[Dial, ...] = ()) -> Spelled[T]:
        """A function under its own name. Its numbers are its parameters; those without a default are needed.

        dials: by default one for each number of the example.

        >>> def hill(height: float, radius: float, x: float = 0.0) -> float:
        ...     return height
        >>> Spelled.of(hill, "hill:1,6", "A hill.").usage
        'hill:HEIGHT,RADIUS[,X]'
        """
        parameters = signature(make).parameters.values()
        needed = sum(parameter.default is Parameter.empty for parameter in parameters)
        numbers = tuple(one.name.upper() for one in parameters)
        if not dials:
            words = example.partition(":")[2].split(",")
            dials = tuple(Dial.about(name.capitalize(), word) for name, word in zip(numbers, words, strict=False))
        return cls(make.__name__, make, numbers, needed, example, help, dials)

    @property
    def usage(self) -> str:
        """How it is written, such as ``wave:LENGTH,AMPLITUDE[,PERIODS]``."""
        optional = "".join(f"[,{number}]" for number in self.numbers[self.needed :])
        return f"{self.name}:{','.join(self.numbers[: self.needed])}{optional}"


def added(
    known: Catalogue[Spelled[T]], example: str, help: str, dials: tuple[Dial, ...] = ()
) -> Callable[[Callable[P, T]], Callable[P, T]]:
    """A decorator that adds a function to those that are known by name."""

    def add(make: Callable[P, T]) -> Callable[P, T]:
        known.register(Spelled.of(make, example, help, dials))
        return make

    return add


def asked(
    text: str,
    known: Catalogue[Spelled[T]],
    what: str,
    number: Callable[[str, str, str, str], float],
    *,
    note: str,
    also: str = "",
) -> T:
    """What a text such as ``hill:2,10`` names.

    what: what one of them is called. number: turns a word into a number, given the word, the number's name, the whole text and how it
    should be written. note: the units, for messages. also: what else may be given.
    """
    name, colon, rest = text.partition(":")
    name = name.strip().lower()
    found = known.get(name)
    if found is None:
        near = get_close_matches(name, known, n=2)
        hint = f" Did you mean {' or '.join(near)}?" if near else ""
        usages = ", ".join(one.usage for one in known.values())
        raise MotionError(f"no {what} is called {name[:40]!r}.{hint} There are {usages}, in metres{also}")
    usage = f"write {found.usage}{note}"
    words = [word.strip() for word in rest.split(",")] if rest.strip() else []
    if not colon or not found.needed <= len(words) <= len(found.numbers):
        raise MotionError(f"{text[:60]!r} holds {len(words)} of its numbers: {usage}")
    return found.make(*(number(word, each, text, usage) for word, each in zip(words, found.numbers, strict=False)))
