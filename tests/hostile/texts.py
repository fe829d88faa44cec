"""Hostile BVH, NPZ, SVG and TOML files: good ones in which one word, number, line or array is changed, and what is done with each."""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from starlette.testclient import TestClient

import kinegraph as kg
from kinegraph.studio.server.app import create_app
from kinegraph.studio.workspace.workspace import Workspace
from tests.cli.inprocess import call

_NUMBERS = ("", "-1", "0", "1e-300", "1e30", "-1e30", "1e999", "nan", "1" * 5000, "2147483648", "0.5", "x", "\u0661")
_WORDS = ("", "x", "0", "\0", "\ufeff", "a" * 100_000, "\U0001f600", '"', "[", "}", "\u202e")
_TOKEN = re.compile(r"[-+]?\d+(?:\.\d+)?|[A-Za-z_]+|[^\sA-Za-z0-9]")
# of the numbers of a file, how many are changed, and into how many parts it is cut
_FIRST, _PARTS = 14, 12
_ARRAYS: dict[str, Callable[[np.ndarray], Any]] = {
    "empty": lambda held: held[:0] if held.ndim else np.array([]),
    "a number": lambda held: np.array(1.0),
    "a text": lambda held: np.array("x"),
    "texts": lambda held: np.full(held.shape, "\0"),
    "an object": lambda held: np.array({"x": held}, dtype=object),
    "not a number": lambda held: np.full(held.shape, np.nan),
    "infinite": lambda held: np.full(held.shape, -np.inf),
    "large": lambda held: np.full(held.shape, 1e38),
    "beyond": lambda held: np.full(held.shape, 1.7e308),
    "nothing": lambda held: np.zeros(held.shape),
    "below": lambda held: np.full(held.shape, -1),
    "many": lambda held: np.full(held.shape, 2**62),
    "complex": lambda held: np.full(held.shape, 1j),
    "times": lambda held: np.full(held.shape, "2026-01-01", "M8[D]"),
    "one more": lambda held: held[None],
    "turned": lambda held: held.T,
    "long": lambda held: np.repeat(np.atleast_1d(held), 50, axis=0),
    "records": lambda held: np.zeros(3, [("a", "f8")]),
}

_PUNCHES = ("punch_high_centre", "punch_low_left", "punch_low_right")
_LABELS = """\
["walk"]
labels = ["run"]

["w*k"]
labels = ["walk", "careful"]
spans = [
  {label = "spin", from = 0.1, to = 0.3},
  {label = "bow", from = 0.2},
]
"""
_SCENE = """\
seconds = 3
speed = 1.2
clearance = 0.3
name = "way"

[[label]]
name = "walk"
from = 0
to = 2

[[key]]
time = 1
at = [0, 1]
heading = 0
window = [0.5, 1.5]

[[key]]
time = 2.5
at = [0.2, 2.5]
hard = false

[[wait]]
from = 2.6
to = 2.8

[[obstacle]]
disc = [3, 3, 0.5]

[[obstacle]]
box = [-4, 2, 1, 1]
"""
_CROWD = """\
seed = 7
name = "two"

[[group]]
name = "guests"
count = 2
from = { box = [-2, 0, 1, 2] }
to = { box = [2, 0, 2, 2] }
speed = 1.3
stature = [1.0, 0.04]
proportions = 0.03
prefer = ["walk*"]
arrived = "leave"

[[group]]
count = 1
from = [[4, 4]]
to = { path = [[4, 6], [6, 6]], loop = true }

[[wall]]
points = [[0, 3], [1, 3]]

[[obstacle]]
disc = [0, -3, 0.4]
"""
_STRIKE = """
[[strike]]
clip = "{name}"
start = 0
hit = 34
end = 73
"""
_TOML = {
    "labels.toml": _LABELS,
    "scene.toml": _SCENE,
    "crowd.toml": _CROWD,
    "strikes.toml": 'kind = "punch"\nside = "right"\n'
    + "".join(_STRIKE.format(name=name) for name in _PUNCHES)
    + "skip = false\n",
    "roles.toml": 'left_ankle = "left_ankle"\nhead = "head"\n',
}
_SVG = """\
<?xml version="1.0" encoding="utf-8"?>
<svg xmlns="http://www.w3.org/2000/svg" width="10" height="10" viewBox="0 0 10 10">
<g id="way">
<path d="M0 0 L2 1 h1 v-1 C3 2 4 2 5 3 S6 5 7 5 Q8 5 8 6 T9 8 A2 3 30 0 1 5 9 l1 1"/>
</g>
</svg>
"""
_JSON = '{"name": "way", "points": [[0, 0], [0.5, 2], [1, 3]]}\n'
_SPLINE = '{"degree": 3, "controls": [[0, 0], [0.5, 2], [1, 3], [2, 4]]}\n'
_TEXTS = {**_TOML, "path.svg": _SVG, "path.json": _JSON, "spline.json": _SPLINE}
FILES = ("clip.bvh", "clip.npz", *_TEXTS)


@dataclass(frozen=True)
class Case:
    """A hostile file: what it is called, what is changed, and its bytes."""

    file: str
    what: str
    make: Callable[[], bytes]

    @property
    def name(self) -> str:
        return f"{self.file}: {self.what}"

    def write(self, folder: Path) -> Path:
        """Put it into a folder, in the place of whatever else was of that name."""
        path = folder / self.file
        path.write_bytes(self.make())
        return path


@cache
def good(file: str) -> bytes:
    """The file before anything is changed in it."""
    if file in _TEXTS:
        return _TEXTS[file].encode()
    with TemporaryDirectory() as folder:
        path = Path(folder) / file
        kg.save(kg.samples.make("walk").motion[:40], path)
        return path.read_bytes()


def cases() -> Iterator[Case]:
    """All of them, file by file."""
    for file in FILES:
        yield from _archives(file) if file.endswith(".npz") else _texts(file)
        data = good(file)
        for part in range(_PARTS):
            yield Case(
                file, f"{part} of {_PARTS} parts", lambda data=data, part=part: data[: len(data) * part // _PARTS]
            )
        for what, bent in (
            ("twice", data + data),
            ("in UTF-16", data.decode("latin-1").encode("utf-16")),
            ("with a byte that is no text", data[:30] + b"\xff" + data[30:]),
            ("with returns", data.replace(b"\n", b"\r")),
            ("backwards", data[::-1]),
            ("zeros", bytes(len(data))),
        ):
            yield Case(file, what, lambda bent=bent: bent)


def _texts(file: str) -> Iterator[Case]:
    """Each word and sign at its first place, the first numbers and the last, and each line."""
    text = good(file).decode()
    seen: set[str] = set()
    numbers: list[re.Match[str]] = []
    for token in _TOKEN.finditer(text):
        if token[0][-1].isdigit():
            numbers.append(token)
        elif token[0] not in seen:
            seen.add(token[0])
            yield from _instead(file, text, token, _WORDS)
    for token in [*numbers[:_FIRST], *numbers[_FIRST:][-1:]]:
        yield from _instead(file, text, token, _NUMBERS)
    lines = text.splitlines(keepends=True)
    for number in range(min(len(lines), 40)):
        yield Case(file, f"line {number + 1} is gone", lambda n=number: "".join([*lines[:n], *lines[n + 1 :]]).encode())
        yield Case(file, f"line {number + 1} twice", lambda n=number: "".join([*lines[: n + 1], *lines[n:]]).encode())


def _instead(file: str, text: str, token: re.Match[str], values: tuple[str, ...]) -> Iterator[Case]:
    for value in values:
        bent = text[: token.start()] + value + text[token.end() :]
        what = f"{token[0][:20]!r} at {token.start()} is {value[:12]!r}"
        yield Case(file, what, lambda bent=bent: bent.encode("utf-8", "surrogatepass"))


def _archives(file: str) -> Iterator[Case]:
    """Each array of the archive gone, or of another kind, size or content."""
    with np.load(io.BytesIO(good(file))) as held:
        arrays = dict(held)
    for name, array in arrays.items():
        for what, change in _ARRAYS.items():
            yield Case(file, f"{name} is {what}", lambda n=name, a=array, c=change: _packed({**arrays, n: c(a)}))
        yield Case(file, f"{name} is gone", lambda n=name: _packed({k: v for k, v in arrays.items() if k != n}))
    yield Case(file, "leads out of it", lambda: _packed({**arrays, "../../x": np.zeros(3)}))


def _packed(arrays: dict[str, Any]) -> bytes:
    out = io.BytesIO()
    np.savez(out, **arrays)
    return out.getvalue()


class Trials:
    """What is done with hostile files: commands in this process, and the studio's routes; they need a graph and takes beside them."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.graph, self.walk = folder / "good.mog", folder / "walk.bvh"
        clips = [kg.samples.make(name).motion for name in ("walk", "walk_left_medium", "stand", "start", "stop")]
        kg.save(clips[0], self.walk)
        kg.graph.build(clips, path=self.graph)
        (folder / "punches").mkdir()
        for name in _PUNCHES:
            kg.save(kg.samples.make(name).motion, folder / "punches" / f"{name}.bvh")
        self.place = folder / "studio"
        self.place.mkdir()
        self.client = TestClient(
            create_app(Workspace(self.place), hosts={"testserver"}), raise_server_exceptions=False
        ).__enter__()

    def close(self) -> None:
        self.client.__exit__(None, None, None)

    def answers(self, path: Path) -> Iterator[tuple[str, str]]:
        """What becomes of each thing that is done: its name, and ``done``, ``refused: …`` or ``fault: …``."""
        for words in self._commands(path):
            try:
                done = call(*words, folder=self.folder)
            except Exception as error:
                yield words[0], f"fault: {type(error).__name__}: {error}"
                continue
            if done.code in (0, 2, 3):  # 3: done, but not all that was asked
                yield words[0], "done" if done.code != 2 else f"refused: {done.err[-200:]}"
            elif done.code == 1 and "error" in done.err and "Traceback" not in done.err:
                yield words[0], f"refused: {done.err[-200:]}"
            else:
                yield words[0], f"fault: exit {done.code}: {done.err[-300:]}"
        for where, answer in self._routes(path):
            said = f"{answer.status_code}: {answer.text[:100]!r}"
            yield (
                where,
                "done"
                if answer.status_code < 400
                else f"{'fault' if answer.status_code >= 500 else 'refused'}: {said}",
            )

    def _commands(self, path: Path) -> Iterator[tuple[str, ...]]:
        file, graph, walk = str(path), str(self.graph), str(self.walk)
        out = {ending: str(self.folder / f"out.{ending}") for ending in ("bvh", "npz", "mog", "png")}
        if path.suffix in (".bvh", ".npz"):
            yield ("info", file, "--json")
            yield ("convert", file, out["npz" if path.suffix == ".bvh" else "bvh"])
            yield ("clean", file, out["npz"])
            yield ("evaluate", file)
            yield ("repath", file, "line:2", "-o", out["npz"])
            yield ("distance", file, walk, "-o", out["png"])
            yield ("build", file, walk, "-o", out["mog"], "--strict")
        elif path.suffix in (".svg", ".json"):
            yield ("follow", graph, file, "-o", out["npz"])
            yield ("repath", walk, file, "-o", out["npz"])
        else:
            yield {
                "labels.toml": ("build", walk, "--labels", file, "-o", out["mog"]),
                "scene.toml": ("direct", graph, file, "-o", out["npz"]),
                "crowd.toml": ("crowd", graph, file, "--seconds", "2", "-o", out["npz"]),
                "strikes.toml": ("space", "build", str(self.folder / "punches"), "--strikes", file, "-o", out["mog"]),
                "roles.toml": ("info", walk, "--roles", file),
            }[path.name]

    def _routes(self, path: Path) -> Iterator[tuple[str, Any]]:
        client, data = self.client, path.read_bytes()
        if path.suffix in (".bvh", ".npz"):
            taken = client.post("/api/clips", files={"files": (path.name, data)})
            yield "upload", taken
            for clip in taken.json().get("clips", []) if taken.status_code < 400 else []:
                for rest in ("", "/motion", "/body", "/path", "/thumbnail.svg"):
                    yield f"clip{rest}", client.get(f"/api/clips/{clip['id']}{rest}")
                client.delete(f"/api/clips/{clip['id']}")
        elif path.suffix == ".json":
            (self.place / "sketches").mkdir(exist_ok=True)
            (self.place / "sketches" / "drawn.json").write_bytes(data)
            for sketch in client.get("/api/state").json()["sketches"]:
                yield "sketch", client.get(f"/api/sketches/{sketch['id']}")
        elif path.name == "scene.toml":
            yield "read", client.post("/api/scenes/read", json={"text": data.decode("utf-8", "replace")})
        elif path.name == "labels.toml":
            (self.place / "labels.toml").write_bytes(data)
            yield "state", client.get("/api/state")
        elif path.name == "crowd.toml":
            (self.place / "scenarios").mkdir(exist_ok=True)
            (self.place / "scenarios" / "drawn.toml").write_bytes(data)
            for kept in client.get("/api/crowd/scenarios").json():
                yield "scenario", client.post("/api/crowd/scene", json={"kept": kept["id"]})
                yield "drawing", client.post("/api/crowd/drawing", json={"kept": kept["id"]})
