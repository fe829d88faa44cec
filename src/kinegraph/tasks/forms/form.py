"""What a form is: a wish as words of a command, as JSON of a request, and as Python; and small parts that forms share."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from kinegraph.errors import GraphError, KinegraphError
from kinegraph.wishes import Wish

_FORMS: dict[str, Form] = {}


class Form:
    """A wish that is written as it is."""

    type: type = str
    """What the command line reads: str, float, int or bool."""
    repeated = False
    """Whether it may be said several times."""
    inside = ""
    """What its number counts in Python, where people write another unit."""

    def options(self, wish: Wish) -> list[str]:
        """What it is called on the command line, without dashes."""
        return [(wish.option or wish.name).replace("_", "-")]

    def about(self, wish: Wish, option: str) -> tuple[str, str]:
        """What stands for the value of an option in a command's help, and what the help says of it."""
        return "|".join(wish.words) or wish.metavar, wish.help

    def parse(self, wish: Wish, said: Mapping[str, Any]) -> Any:
        """The value, from what was said under each of its options; an error names what was expected."""
        return said[self.options(wish)[0]]

    def words(self, wish: Wish, value: Any) -> list[str]:
        """The words of a command that say it."""
        return [f"--{self.options(wish)[0]}", self.word(value)]

    def word(self, value: Any) -> str:
        """The value as one word."""
        return str(value)

    def python(self, value: Any) -> str:
        """The value as Python."""
        return text(value) if isinstance(value, str) else repr(value)

    def key(self, wish: Wish) -> str:
        """What it is called in requests."""
        return wish.key or wish.name

    def from_json(self, value: Any) -> Any:
        """The value, from a request."""
        return value


def form(name: str) -> Form:
    """The form of that name."""
    return _FORMS[name]


def register(name: str) -> Callable[[type[Form]], type[Form]]:
    """Have a form under a name."""

    def put(made: type[Form]) -> type[Form]:
        _FORMS[name] = made()
        return made

    return put


def text(value: str) -> str:
    """A text as Python holds it, in double quotes where that needs no escapes."""
    return f'"{value}"' if value.isprintable() and not set('"\\') & set(value) else repr(value)


def number(value: float) -> str:
    """A number as short as it can be without another one being meant."""
    return repr(int(value)) if float(value).is_integer() and abs(value) < 1e15 else repr(float(value))


def numbers(said: str, what: str, counts: Sequence[int], error: type[KinegraphError] = GraphError) -> list[float]:
    """Numbers with commas between them; an error says what was expected."""
    try:
        found = [float(word) for word in said.split(",")]
    except ValueError:
        found = []
    if len(found) not in counts or not all(map(math.isfinite, found)):
        raise error(f"{what}, got {said.strip()!r}")
    return found


def metres(said: str, option: str, expected: str) -> float:
    """Metres out of centimetres; an error says what was expected."""
    try:
        value = float(said)
    except ValueError:
        value = math.nan
    if not 0 < value < math.inf:
        raise GraphError(f"--{option}: expected {expected}, got {said!r}")
    return value / 100
