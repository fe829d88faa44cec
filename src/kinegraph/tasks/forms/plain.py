"""Forms of numbers, words, flags and lists of them."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from kinegraph.errors import FormatError, GraphError
from kinegraph.formats.format import FORMATS
from kinegraph.memory import size
from kinegraph.motion.body import check_role
from kinegraph.tasks.forms.form import Form, metres, number, register, text
from kinegraph.wishes import Wish


@register("text")
@register("choice")
@register("file")
@register("takes")
class _Text(Form):
    pass


@register("roles")
class _Roles(Form):
    """Which joint of a character is what: ``left_foot=NODE``, said for each."""

    repeated = True

    def options(self, wish: Wish) -> list[str]:
        return ["role"]

    def parse(self, wish: Wish, said: Mapping[str, Any]) -> dict[str, str]:
        pairs = [one.partition("=") for one in said["role"]]
        wrong = [one for one, (_, given, node) in zip(said["role"], pairs, strict=True) if not given or not node]
        if wrong:
            raise FormatError(f"--role: expected a role and a node, such as left_foot=Foot_L, got {wrong[0]!r}")
        return {role.strip(): node.strip() for role, _, node in pairs}

    def words(self, wish: Wish, value: Any) -> list[str]:
        return [word for role, node in value.items() for word in ("--role", f"{role}={node}")]


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


@register("bytes")
class _Bytes(Form):
    """Bytes, which people write as 2G."""

    inside = "bytes"

    def parse(self, wish: Wish, said: Mapping[str, Any]) -> Any:
        try:
            return size(super().parse(wish, said))
        except GraphError as error:
            raise GraphError(f"--{self.options(wish)[0]}: {error}") from error

    def word(self, value: Any) -> str:
        return number(value)

    def python(self, value: Any) -> str:
        return number(value)


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
