"""Forms of what lies on the floor or happens there: paths, scenes, sections, obstacles, targets."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from kinegraph.errors import GraphError, SpaceError
from kinegraph.paths.bspline import Spline
from kinegraph.paths.path import Path
from kinegraph.tasks.forms.form import Form, number, numbers, register, text
from kinegraph.walks.request import Box, Disc, Pause, Section
from kinegraph.wishes import Wish


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


@register("scene")
class _Scene(Form):
    """A scene: a file's name, or what such a file says; in Python a `Scene` as well."""

    def word(self, value: Any) -> str:
        return value if isinstance(value, str) else "scene.toml"

    def python(self, value: Any) -> str:
        return repr(dict(value)) if isinstance(value, Mapping) else _built(value)

    def from_json(self, value: Any) -> dict[str, Any]:
        said: dict[str, Any] = value.said()
        return said


def _built(value: Any) -> str:
    """A value of a package's public dataclasses, nested or not, as the Python that makes it."""
    if isinstance(value, tuple):
        return f"({', '.join(map(_built, value))}{',' if len(value) == 1 else ''})"
    if not dataclasses.is_dataclass(value):
        return text(value) if isinstance(value, str) else repr(value)
    given = [
        f"{one.name}={_built(getattr(value, one.name))}"
        for one in dataclasses.fields(value)
        if one.default is dataclasses.MISSING or getattr(value, one.name) != one.default
    ]
    package = type(value).__module__.split(".")[1]
    return f"kg.{package}.{type(value).__name__}({', '.join(given)})"


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
    """By name, or a file of heights; in Python a ground as well, which has the name of its file."""

    def python(self, value: Any) -> str:
        return text(str(value))
