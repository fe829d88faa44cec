"""Scenes out of files: TOML or JSON, which say the same.

::

    seconds = 20
    [[label]]            # walk from 0 to 12 s
    name = "walk"
    from = 0
    to = 12
    [[key]]              # at 6 s be at x = 2, z = 4 (metres), heading 90 degrees (towards +x)
    time = 6
    at = [2, 4]
    heading = 90
"""

from __future__ import annotations

import json
import math
import tomllib
from collections.abc import Mapping
from dataclasses import replace
from difflib import get_close_matches
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np

from kinegraph.errors import FormatError, GraphError, KinegraphError
from kinegraph.formats import trees
from kinegraph.paths.path import Path as FloorPath
from kinegraph.paths.shapes import shape
from kinegraph.scenes.scene import Along, Key, Label, Pin, PoseAt, Scene, StrikeAt, Wait
from kinegraph.walks.request import Box, Disc

_WHOLE = (
    "seconds",
    "name",
    "speed",
    "clearance",
    "label",
    "key",
    "wait",
    "pose",
    "strike",
    "obstacle",
    "without",
    "clip",
    "path",
    "loop",
    "ground",
)
# what each table may hold
_KNOWN = {
    "label": ("name", "from", "to", "not", "may", "weight"),
    "key": ("time", "at", "heading", "window", "hard", "weight"),
    "wait": ("from", "to", "weight"),
    "pose": ("clip", "frame", "time", "weight"),
    "strike": ("time", "target", "by"),
    "obstacle": ("disc", "box"),
    "without": ("clips", "transitions"),
    "clip": ("name", "from", "to", "weight"),
    "path": ("shape", "points", "from", "to", "hard", "weight"),
}


def read(file: str | PathLike[str]) -> Scene:
    """The scene that a .toml or .json file holds.

    >>> import pathlib, tempfile
    >>> file = pathlib.Path(tempfile.mkdtemp(), "scene.toml")
    >>> _ = file.write_text("seconds = 20\\n[[key]]\\ntime = 6\\nat = [2, 4]")
    >>> read(file).keys[0].time
    6.0
    """
    path = Path(file)
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise FormatError("there is no such file", path) from None
    except (OSError, UnicodeDecodeError) as error:
        raise FormatError(f"cannot be read: {error}", path) from None
    found = said_in(text, path)
    try:
        return _near(scene_of(found, name=path.stem), path.parent)
    except GraphError as error:
        raise GraphError(f"{path.name}: {error}") from None


def check_names(said: Mapping[str, Any]) -> None:
    """Refuse what no scene has, by the name that was probably meant."""
    _only("a scene", said, _WHOLE)
    for kind in _KNOWN:
        if kind != "without":
            list(_tables(kind, said.get(kind, [])))
    _without(said.get("without") or {})


def _near(scene: Scene, folder: Path) -> Scene:
    """The scene, whose files of spaces and of its ground are looked for beside its own first."""

    def beside(name: str | None) -> str | None:
        return str(folder / name) if name and (folder / name).is_file() else name

    strikes = tuple(replace(one, by=beside(one.by)) for one in scene.strikes)
    return replace(scene, strikes=strikes, ground=beside(scene.ground))


def scene_of(said: Mapping[str, Any], name: str = "") -> Scene:
    """The scene that a dictionary says, as the files have it.

    >>> scene_of({"seconds": 8, "key": [{"time": 6, "at": [2, 4], "heading": 90}]}).keys[0].at
    (2.0, 4.0)
    >>> scene_of({"seconds": 8, "keys": []})
    Traceback (most recent call last):
    kinegraph.errors.GraphError: a scene has no 'keys'; did you mean 'key'?
    """
    if not isinstance(said, Mapping):
        raise GraphError("a scene is a table with seconds, labels and keys")
    _only("a scene", said, _WHOLE)
    if "seconds" not in said:
        raise GraphError("a scene needs its length: say seconds = 20")
    tables = {kind: list(_tables(kind, said.get(kind, []))) for kind in (*_KNOWN,) if kind != "without"}
    return Scene(
        _number("seconds", said["seconds"]),
        labels=tuple(_label(*one) for one in tables["label"]),
        keys=tuple(_key(*one) for one in tables["key"]),
        waits=tuple(
            Wait(_number(f"{what}: from", one.get("from", 0.0)), _end(what, one), _weight(what, one))
            for what, one in tables["wait"]
        ),
        poses=tuple(_pose(*one) for one in tables["pose"]),
        strikes=tuple(_strike(*one) for one in tables["strike"]),
        obstacles=tuple(_obstacle(*one) for one in tables["obstacle"]),
        clearance=_number("clearance", said.get("clearance", 0.3)),
        speed=_number("speed", said["speed"]) if "speed" in said else None,
        without=_without(said.get("without", {})),
        pins=tuple(_pin(*one) for one in tables["clip"]),
        paths=tuple(_along(*one) for one in tables["path"]),
        loop=_flag("loop", said.get("loop", False)),
        name=str(said.get("name", name)),
        ground=_ground(said.get("ground")),
    )


def as_scene(given: Scene | Mapping[str, Any] | str | PathLike[str]) -> Scene:
    """A scene as people have it in hand: one already, a dictionary, or a file."""
    if isinstance(given, Scene):
        return given
    return scene_of(given) if isinstance(given, Mapping) else read(given)


def _tables(kind: str, found: Any) -> Any:
    if not isinstance(found, list) or not all(isinstance(one, Mapping) for one in found):
        raise GraphError(f"{kind}: each stands under [[{kind}]] of its own")
    for number, one in enumerate(found, 1):
        what = f"{kind} {number}"
        _only(what, one, _KNOWN[kind])
        yield what, one


def _label(what: str, one: Mapping[str, Any]) -> Label:
    if not isinstance(one.get("name"), str) or not one["name"].strip():
        raise GraphError(f'{what} needs a name, such as name = "walk"')
    first = _number(f"{what}: from", one.get("from", 0.0))
    forbidden, may = (_flag(f"{what}: {word}", one.get(word, False)) for word in ("not", "may"))
    if forbidden and may:
        raise GraphError(f"{what}: what must not be cannot be what may be: say not = true, or may = true")
    return Label(one["name"].strip(), first, _end(what, one), not forbidden, _weight(what, one), may)


def _ground(said: Any) -> str | None:
    if said is not None and not (isinstance(said, str) and said.strip()):
        raise GraphError(f'ground = "hill:2,10", by name and numbers, or a height field\'s file, got {said!r}')
    return said


def _key(what: str, one: Mapping[str, Any]) -> Key:
    if "at" not in one:
        raise GraphError(f"{what} needs a place: say at = [x, z] in metres")
    at, window = _pair(f"{what}: at", one["at"]), one.get("window")
    heading = one.get("heading")
    return Key(
        _number(f"{what}: time", one["time"]) if "time" in one else None,
        at,
        None if heading is None else math.radians(_number(f"{what}: heading", heading)),
        None if window is None else _pair(f"{what}: window", window),
        _flag(f"{what}: hard", one.get("hard", True)),
        _weight(what, one),
    )


def _pose(what: str, one: Mapping[str, Any]) -> PoseAt:
    lacking = [name for name in ("clip", "frame", "time") if name not in one]
    if lacking:
        raise GraphError(f"{what} needs {' and '.join(lacking)}: which frame of which clip is to be shown when")
    frame = one["frame"]
    if not isinstance(frame, int) or isinstance(frame, bool):
        raise GraphError(f"{what}: a frame is a whole number, got {frame!r}")
    return PoseAt(str(one["clip"]), frame, _number(f"{what}: time", one["time"]), _weight(what, one))


def _strike(what: str, one: Mapping[str, Any]) -> StrikeAt:
    lacking = [name for name in ("time", "target") if name not in one]
    if lacking:
        raise GraphError(f"{what} needs {' and '.join(lacking)}: time = 6, target = [x, y, z] in metres")
    target, by = one["target"], one.get("by")
    if not isinstance(target, list | tuple) or len(target) != 3:
        raise GraphError(f"{what}: target = [x, y, z] in metres, got {target!r}")
    if by is not None and not isinstance(by, str):
        raise GraphError(f'{what}: by = "right punch", the name of a space or a file that holds one, got {by!r}')
    x, y, z = (_number(f"{what}: target", value) for value in target)
    return StrikeAt(_number(f"{what}: time", one["time"]), (x, y, z), by)


def _without(said: Any) -> tuple[str, ...]:
    """Clips and transitions that are not to be used."""
    if not isinstance(said, Mapping):
        said = {"clips": said}
    _only("[without]", said, _KNOWN["without"])
    found: list[str] = []
    for name in ("clips", "transitions"):
        some = said.get(name, [])
        if not isinstance(some, list) or not all(isinstance(one, str) for one in some):
            raise GraphError(
                f'without: say clips = ["name", …] and transitions = ["clip:frame>clip:frame", …], got {some!r}'
            )
        for one in some:
            if (">" in one) != (name == "transitions"):
                raise GraphError(f"without: {one!r} does not belong to {name}")
        found += some
    return tuple(found)


def _pin(what: str, one: Mapping[str, Any]) -> Pin:
    if not isinstance(one.get("name"), str):
        raise GraphError(f"{what} needs the name of the clip that is to be played")
    return Pin(one["name"], _number(f"{what}: from", one.get("from", 0.0)), _end(what, one), _weight(what, one))


def _along(what: str, one: Mapping[str, Any]) -> Along:
    if ("shape" in one) == ("points" in one):
        raise GraphError(f'{what}: say shape = "circle:2", or points = [[x, z], …] in metres')
    try:
        if "shape" in one:
            path = shape(str(one["shape"]))
        else:
            path = FloorPath(np.array([_pair(f"{what}: points", point) for point in one["points"]], float))
    except KinegraphError as error:
        raise GraphError(f"{what}: {error}") from None
    first, hard = _number(f"{what}: from", one.get("from", 0.0)), _flag(f"{what}: hard", one.get("hard", True))
    return Along(path, first, _end(what, one), hard, _weight(what, one))


def _obstacle(what: str, one: Mapping[str, Any]) -> Disc | Box:
    if ("disc" in one) == ("box" in one):
        raise GraphError(f"{what}: say disc = [x, z, radius] or box = [x, z, width, depth]")
    name, count = ("disc", 3) if "disc" in one else ("box", 4)
    values = one[name]
    if not isinstance(values, list) or len(values) != count:
        raise GraphError(f"{what}: {name} takes {count} numbers, got {values!r}")
    numbers = [_number(f"{what}: {name}", value) for value in values]
    return Disc(*numbers) if count == 3 else Box(*numbers)


def _only(what: str, said: Mapping[str, Any], known: tuple[str, ...]) -> None:
    for name in said:
        if name not in known:
            near = get_close_matches(str(name), known, n=1)
            other = f"did you mean {near[0]!r}?" if near else f"it may have {', '.join(known)}"
            raise GraphError(f"{what} has no {name!r}; {other}")


def _number(what: str, value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise GraphError(f"{what} is a number, got {value!r}")
    return float(value)


def _pair(what: str, value: Any) -> tuple[float, float]:
    if not isinstance(value, list | tuple) or len(value) != 2:
        raise GraphError(f"{what} takes two numbers, got {value!r}")
    return _number(what, value[0]), _number(what, value[1])


def _flag(what: str, value: Any) -> bool:
    if not isinstance(value, bool):
        raise GraphError(f"{what} is true or false, got {value!r}")
    return value


def _weight(what: str, one: Mapping[str, Any]) -> float:
    return _number(f"{what}: weight", one.get("weight", 1.0))


def _end(what: str, one: Mapping[str, Any]) -> float:
    """Until when; the end of the scene unless said."""
    return _number(f"{what}: to", one["to"]) if "to" in one else math.inf


def words() -> tuple[str, ...]:
    """What a scene may say, by the names of its tables."""
    return _WHOLE


def said_in(text: str, file: str | PathLike[str]) -> dict[str, Any]:
    """What the text of a file says, for `scene_of`; JSON where the file's name says so, else TOML."""
    kind = "JSON" if Path(file).suffix.lower() == ".json" else "TOML"
    try:
        found = trees.json_of(text) if kind == "JSON" else trees.toml(text)
    except (json.JSONDecodeError, tomllib.TOMLDecodeError) as error:
        raise FormatError(f"this is no {kind}: {error}", file) from None
    if not isinstance(found, dict):
        raise FormatError("a scene is a table with seconds, labels and keys", file)
    return found
