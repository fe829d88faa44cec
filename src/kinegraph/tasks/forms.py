"""How wishes are written: as words of a command, as JSON of a request, and as Python. One class a form.

A wish names its form (`kinegraph.wishes.Wish.form`); most are numbers, words and flags, whose type says it. Another form is
another class with `register`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from kinegraph.errors import GraphError, KinegraphError, SpaceError
from kinegraph.formats.format import FORMATS
from kinegraph.motion.body import check_role
from kinegraph.paths.bspline import Spline
from kinegraph.paths.path import Path
from kinegraph.walks.request import Box, Disc, Pause, Section
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


@register("text")
@register("choice")
@register("file")
@register("takes")
class _Text(Form):
    pass


@register("writer's")
class _Writers(Form):
    """What some formats' writers take; the help names them as they are when it is asked for."""

    def about(self, wish: Wish, option: str) -> tuple[str, str]:
        takers = [format.name for format in FORMATS.values() if format.writes and wish.key in format.options]
        return wish.metavar, f"{wish.help} For {', '.join(takers)}."


@register("number")
class _Number(Form):
    type: type = float

    def about(self, wish: Wish, option: str) -> tuple[str, str]:
        return wish.metavar or f"<{wish.unit or 'number'}>", wish.help

    def word(self, value: Any) -> str:
        return number(value)

    def python(self, value: Any) -> str:
        return number(value)


@register("whole")
class _Whole(_Number):
    type: type = int


@register("flag")
class _Flag(Form):
    type = bool

    def words(self, wish: Wish, value: Any) -> list[str]:
        name = self.options(wish)[0]
        return [f"--{name}" if value else f"--no-{name}"]


@register("degrees")
class _Degrees(_Number):
    """Radians, which people give in degrees."""

    inside = "radians"

    def parse(self, wish: Wish, said: Mapping[str, Any]) -> Any:
        return math.radians(super().parse(wish, said))

    def word(self, value: Any) -> str:
        return number(round(math.degrees(value), 9))

    def python(self, value: Any) -> str:
        return f"math.radians({self.word(value)})"

    def key(self, wish: Wish) -> str:
        return f"{wish.name}_deg"

    def from_json(self, value: Any) -> Any:
        return None if value is None else math.radians(value)


@register("centimetres")
class _Centimetres(Form):
    """Metres, which people give in centimetres."""

    inside = "metres"

    expected = "a distance in cm, such as 4.5"

    def parse(self, wish: Wish, said: Mapping[str, Any]) -> Any:
        return metres(super().parse(wish, said), self.options(wish)[0], self.expected)

    def word(self, value: Any) -> str:
        return number(round(100 * value, 9))

    def python(self, value: Any) -> str:
        return number(value)

    def key(self, wish: Wish) -> str:
        return f"{wish.name}_cm"

    def from_json(self, value: Any) -> Any:
        return None if value is None else value / 100


@register("threshold")
class _Threshold(_Centimetres):
    """A distance, or ``auto``."""

    expected = "auto or a distance in cm, such as 4.5"

    def parse(self, wish: Wish, said: Mapping[str, Any]) -> Any:
        given = said[self.options(wish)[0]]
        return given if given == "auto" else super().parse(wish, said)

    def word(self, value: Any) -> str:
        return value if isinstance(value, str) else super().word(value)

    def python(self, value: Any) -> str:
        return text(value) if isinstance(value, str) else super().python(value)

    def from_json(self, value: Any) -> Any:
        return "auto" if value is None else value / 100


@register("percent")
class _Percent(_Number):
    """A share, which people give in per cent."""

    inside = "a share of 1"

    def parse(self, wish: Wish, said: Mapping[str, Any]) -> Any:
        given = super().parse(wish, said)
        if not 1 <= given <= 100:
            raise GraphError(f"--{self.options(wish)[0]}: expected per cent, from 1 to 100, got {given:g}")
        return given / 100

    def word(self, value: Any) -> str:
        return number(round(100 * value, 9))


@register("path")
class _Path(Form):
    """A path: its text, or what it was read from."""

    def word(self, value: Any) -> str:
        return str(value.name)

    def python(self, value: Any) -> str:
        if value.name:
            return text(value.name)
        if isinstance(value, Spline):
            return f"kg.paths.Spline({value.controls.tolist()!r}, {value.degree})"
        points = value.points.tolist()
        return repr(points) if value.heights is None else f"kg.paths.Path({points!r}, {value.heights.tolist()!r})"

    def from_json(self, value: Any) -> Path | Spline:
        found: Path | Spline = value.curve()
        return found


@register("sections")
class _Sections(Form):
    def word(self, value: Sequence[Section]) -> str:
        return value if isinstance(value, str) else ",".join(map(_section, value))

    def python(self, value: Any) -> str:
        return text(self.word(value))

    def from_json(self, value: Any) -> Any:
        ends = [("" if end is None else _metres(end)) for one in value for end in (one.first, one.last)]
        spans = zip(ends[::2], ends[1::2], value, strict=True)
        return ",".join(f"{first}-{last}:{one.label}" for first, last, one in spans) or ()


def _metres(value: float) -> str:
    """Metres to the last digit, with no exponent: its minus would be taken for the dash of a span."""
    return np.format_float_positional(value, trim="-")


def _section(one: Section) -> str:
    return f"{_metres(one.first)}-{_metres(one.last)}:{one.label}"


@register("pauses")
class _Pauses(Form):
    def word(self, value: Sequence[Pause]) -> str:
        return value if isinstance(value, str) else ",".join(f"{number(one.at)}:{number(one.seconds)}" for one in value)

    def python(self, value: Any) -> str:
        return text(self.word(value))

    def from_json(self, value: Any) -> Any:
        return [Pause(one.at, one.seconds) for one in value]


class _Pairs(Form):
    """Names with a number each, said one by one: NAME=VALUE."""

    repeated = True
    expected = ""

    def parse(self, wish: Wish, said: Mapping[str, Any]) -> Any:
        found = {}
        for pair in super().parse(wish, said):
            name, equals, value = pair.rpartition("=")
            try:
                found[self.name(name)] = float(value)
            except ValueError:
                equals = ""
            if not (equals and name):
                raise GraphError(f"--{self.options(wish)[0]}: expected {self.expected}, got {pair!r}")
        return found

    def name(self, given: str) -> str:
        """The name, if it may be one."""
        return given

    def words(self, wish: Wish, value: Any) -> list[str]:
        option = f"--{self.options(wish)[0]}"
        return [word for name, held in value.items() for word in (option, f"{name}={number(held)}")]

    def python(self, value: Any) -> str:
        return repr({str(name): float(held) for name, held in value.items()})


@register("margins")
class _Margins(_Pairs):
    expected = "a clip and a margin in cm, such as jump=20"


@register("weights")
class _Weights(_Pairs):
    expected = "a body role and a number, such as left_toe=0.1"

    def name(self, given: str) -> str:
        return check_role(given.strip())


@register("obstacles")
class _Obstacles(Form):
    """Discs and boxes, each with an option of its own."""

    repeated = True

    def options(self, wish: Wish) -> list[str]:
        return ["disc", "box"]

    def about(self, wish: Wish, option: str) -> tuple[str, str]:
        if option == "disc":
            return "X,Z,R", "A round obstacle: centre and radius in metres."
        return "X,Z,W,D", "An obstacle with straight sides: its lowest X and Z, width, depth."

    def parse(self, wish: Wish, said: Mapping[str, Any]) -> Any:
        discs = [
            numbers(one, "--disc: expected X,Z,R such as 1,4,0.5 in metres", (3,)) for one in said.get("disc") or []
        ]
        boxes = [
            numbers(one, "--box: expected X,Z,W,D such as -1,4,2,0.5 in metres", (4,)) for one in said.get("box") or []
        ]
        return [*(Disc(*one) for one in discs), *(Box(*one) for one in boxes)]

    def words(self, wish: Wish, value: Sequence[Disc | Box]) -> list[str]:
        found = []
        for one in value:
            found += [f"--{type(one).__name__.lower()}", ",".join(number(held) for held in vars(one).values())]
        return found

    def python(self, value: Sequence[Disc | Box]) -> str:
        made = (f"kg.walks.{type(one).__name__}({', '.join(map(number, vars(one).values()))})" for one in value)
        return f"[{', '.join(made)}]"

    def from_json(self, value: Any) -> Any:
        return [one.obstacle() for one in value]


@register("names")
class _Names(Form):
    def parse(self, wish: Wish, said: Mapping[str, Any]) -> Any:
        given = super().parse(wish, said)
        found = [name.strip() for name in given.split(",")]
        if not all(found):
            raise GraphError(
                f"--{self.options(wish)[0]}: expected clips or labels with commas between them, such as walk,run, got {given!r}"
            )
        return found

    def word(self, value: Any) -> str:
        return ",".join(value)

    def python(self, value: Any) -> str:
        return repr([str(one) for one in value])


@register("stays")
class _Stays(Form):
    def parse(self, wish: Wish, said: Mapping[str, Any]) -> Any:
        given = super().parse(wish, said)
        count = given.count(",") + 1
        found = numbers(given, f"--{self.options(wish)[0]}: expected seconds, such as 2 or 2,0.5,1", (count,))
        if min(found) < 0:
            raise GraphError(f"--{self.options(wish)[0]}: expected seconds, such as 2 or 2,0.5,1, got {given!r}")
        return found[0] if len(found) == 1 else found

    def word(self, value: Any) -> str:
        return number(value) if isinstance(value, int | float) else ",".join(map(number, value))

    def python(self, value: Any) -> str:
        return number(value) if isinstance(value, int | float) else f"[{', '.join(map(number, value))}]"


@register("target")
class _Target(Form):
    expected = "a target is two numbers or three in metres, such as 0.1,1.3 or -0.2,1.3,0.6"
    counts: tuple[int, ...] = (2, 3)

    def parse(self, wish: Wish, said: Mapping[str, Any]) -> Any:
        given = super().parse(wish, said)
        try:
            return tuple(numbers(given, "", self.counts, SpaceError))
        except SpaceError:
            raise SpaceError(f"{self.expected}; got {given.strip()!r}") from None

    def word(self, value: Any) -> str:
        return ",".join(map(number, value))

    def python(self, value: Any) -> str:
        return f"({', '.join(map(number, value))})"


@register("bounds")
class _Bounds(_Target):
    expected = "--bounds is two numbers, such as -0.2,1.2"
    counts: tuple[int, ...] = (2,)


@register("ground")
class _Ground(Form):
    """By name, or a file of heights."""
