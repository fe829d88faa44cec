"""Good files of every kind that is read, to be made hostile; each is small, so that much can be done with thousands like it."""

from __future__ import annotations

import io
import json
import sqlite3
from contextlib import closing
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

import kinegraph as kg
from kinegraph.studio.results.store import ResultStore
from kinegraph.studio.workspace.workspace import Workspace
from tests.hostile import glbs, mogs

PUNCHES = ("punch_high_centre", "punch_low_left", "punch_low_right")
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
_SCENE_JSON = {
    "seconds": 3,
    "label": [{"name": "walk", "from": 0, "to": 2, "may": True}],
    "key": [{"time": 0.5, "at": [0, 0.5]}, {"time": 2.5, "at": [0.2, 2.5], "heading": 10}],
}
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
_SVG = """\
<?xml version="1.0" encoding="utf-8"?>
<svg xmlns="http://www.w3.org/2000/svg" width="10" height="10" viewBox="0 0 10 10">
<g id="way">
<path d="M0 0 L2 1 h1 v-1 C3 2 4 2 5 3 S6 5 7 5 Q8 5 8 6 T9 8 A2 3 30 0 1 5 9 l1 1"/>
</g>
</svg>
"""
_PEOPLE = [(who, 0.5 * step, 0.1 * who, 0.6 * step) for who in (1, 2) for step in range(5)]
TEXTS = {
    "labels.toml": _LABELS,
    "scene.toml": _SCENE,
    "scene.json": json.dumps(_SCENE_JSON, indent=1),
    "crowd.toml": _CROWD,
    "strikes.toml": 'kind = "punch"\nside = "right"\n'
    + "".join(_STRIKE.format(name=name) for name in PUNCHES)
    + "skip = false\n",
    "roles.toml": 'left_ankle = "left_ankle"\nhead = "head"\n',
    "path.svg": _SVG,
    "path.json": '{"name": "way", "points": [[0, 0], [0.5, 2], [1, 3]]}\n',
    "spline.json": '{"degree": 3, "controls": [[0, 0], [0.5, 2], [1, 3], [2, 4]]}\n',
    "path.csv": "x,z\n0,0\n0.5,2\n1,3\n",
    "ground.csv": "z\\x,0,1,2,3\n0,0,0,0.1,0\n1,0,0.2,0,0\n2,0,0,0,0.1\n",
    "tracks.csv": "id,t,x,z\n" + "".join(f"{who},{t:g},{x:g},{z:g}\n" for who, t, x, z in _PEOPLE),
    "tracks.txt": "# framerate: 2\n# id frame x/m y/m z/m\n"
    + "".join(f"{who} {2 * t:g} {x:g} {-z:g} 1.7\n" for who, t, x, z in _PEOPLE),
    "tracks.ndjson": '{"scene": {"id": 1, "p": 1, "s": 0, "e": 4, "fps": 2.0}}\n'
    + "".join(f'{{"track": {{"f": {2 * t:g}, "p": {who}, "x": {x:g}, "y": {-z:g}}}}}\n' for who, t, x, z in _PEOPLE),
    "stick.csv": "t,x,z,facing,label,action\n0,0,1.2,,,\n0.7,0.5,1,90,walk,\n1.4,0,0,,,\n",
    "stick.json": '[{"t": 0, "x": 0, "z": 1.2},\n {"t": 0.7, "x": 0.5, "z": 1, "facing": 90, "label": "walk"},\n'
    ' {"t": 1.4, "x": 0, "z": 0}]\n',
}
"""Those that are text as people write it."""
_SAVED = {"clip.bvh": ("clip.bvh", 40), "clip.npz": ("clip.npz", 40)}
_SAVED |= {"clip.amc": ("clip.amc", 20), "body.asf": ("clip.asf", 20)}


@cache
def good(file: str) -> bytes:
    """The file of that name, before anything is changed in it."""
    if file in TEXTS:
        return TEXTS[file].encode()
    if file == "both.mog":
        return mogs.good()
    if file == "hero.glb":
        return glbs.good()
    if file == "ground.npz":
        return _packed(heights=_heights(), x0=np.array(0.0), z0=np.array(0.0), step=np.array(1.0))
    if file == "ground.npy":
        out = io.BytesIO()
        np.save(out, _heights())
        return out.getvalue()
    with TemporaryDirectory() as place:
        folder = Path(place)
        if file.startswith("kept."):
            _keep(folder)
            return (folder / "results" / file).read_bytes()
        if file == "tracks.sqlite":
            _sqlite(folder / file)
            return (folder / file).read_bytes()
        written, frames = _SAVED[file]
        kg.save(kg.samples.make("walk").motion[:frames], folder / f"clip{Path(file).suffix.replace('.asf', '.amc')}")
        return (folder / written).read_bytes()


def _heights() -> np.ndarray:
    return np.array([[0, 0, 0.1, 0], [0, 0.2, 0, 0], [0, 0, 0, 0.1]])


def _packed(**arrays: np.ndarray) -> bytes:
    out = io.BytesIO()
    np.savez(out, **arrays)
    return out.getvalue()


def _keep(folder: Path) -> None:
    """A result as the studio keeps it."""
    motion = kg.samples.make("walk").motion[:20]
    facts = {
        "room": "walk",
        "title": "a walk",
        "request": {"seconds": 1},
        "source": {"graph": "0" * 12},
        "quality": None,
    }
    facts |= {
        "path": [[0, 0], [0, 1]],
        "notices": ["none"],
        "transitions": [],
        "labels": [],
        "plants": [],
        "reached": True,
    }
    store = ResultStore(Workspace(folder))
    store.keep(store.put(motion, np.ones((20, 4), bool), facts, {"speed": np.ones(20, np.float32)}), "kept")


def _sqlite(path: Path) -> None:
    """As JuPedSim writes it."""
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE metadata (key TEXT, value TEXT)")
        connection.execute("CREATE TABLE trajectory_data (frame INTEGER, id INTEGER, pos_x REAL, pos_y REAL)")
        connection.execute("INSERT INTO metadata VALUES ('fps', '2')")
        rows = [(round(2 * t), who, x, -z) for who, t, x, z in _PEOPLE]
        connection.executemany("INSERT INTO trajectory_data VALUES (?, ?, ?, ?)", rows)
        connection.commit()
