"""What is on the screen, done again by the command and by the Python that the studio gives for it."""

from __future__ import annotations

import base64
import gzip
import re
import shlex
from collections.abc import Iterator
from contextlib import chdir
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from fastapi import FastAPI
from starlette.testclient import TestClient

import kinegraph as kg
from kinegraph.motion.floor import FloorTransform
from kinegraph.player import unpack
from kinegraph.studio.server.app import create_app
from kinegraph.studio.workspace.workspace import Workspace
from kinegraph.tasks.recipes import recipe
from tests.cli.inprocess import call
from tests.studio.asking import clip_id

CLIPS = ("walk", "run", "stand", "walk_left_tight")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A workspace with clips, one of an awkward name, a graph and two spaces in one file."""
    root = tmp_path_factory.mktemp("it's a $workspace")
    (root / "graphs").mkdir()
    for name in CLIPS:
        kg.save(kg.samples.make(name).motion, root / f"{name}.bvh")
    kg.save(kg.samples.make("walk").motion, root / "-my walk.npz")
    kg.graph.build(
        [root / f"{name}.bvh" for name in CLIPS], kg.graph.Parameters(mirror=True), path=root / "graphs/g 1.mog"
    )
    for kind in ("punch", "kick"):
        takes = [kg.samples.make(name).motion for name in kg.samples.names() if name.startswith(kind)]
        kg.strikes.save(kg.strikes.build(takes, kind), root / "strikes.mog")
    return root


@pytest.fixture(scope="module")
def app(folder: Path) -> FastAPI:
    return create_app(Workspace(folder), hosts={"testserver"})


@pytest.fixture(scope="module")
def client(app: FastAPI) -> Iterator[TestClient]:
    with TestClient(app) as client:
        yield client


def run_command(folder: Path, command: str) -> None:
    """The lines as a shell would run them in the workspace."""
    for line in command.splitlines():
        program, *words = shlex.split(line)
        assert program == "kinegraph"
        done = call(*words, folder=folder)
        # a walk that does not come to the end of its path is written all the same
        assert done.code == 0 or "the walk ends" in done.err, f"{line}\n{done.err}"


def run_python(folder: Path, python: str) -> None:
    with chdir(folder):
        exec(compile(python, "recipe", "exec"), {})


def made(client: TestClient, url: str, body: dict[str, Any]) -> dict[str, Any]:
    answer = client.post(url, json=body)
    assert answer.status_code == 200, answer.text
    return dict(unpack(answer.content)[0]["result"])


def again(client: TestClient, folder: Path, app: FastAPI, result: dict[str, Any]) -> None:
    """Both recipes give, to the last bit, the motion that the studio holds."""
    held = app.state.results.get(result["id"]).motion
    told = client.get(f"/api/results/{result['id']}/recipe?format=.npz&name=again").json()
    target = folder / "again.npz"
    for run, text in ((run_command, told["command"]), (run_python, told["python"])):
        run(folder, text)
        motion = kg.load(target)
        target.unlink()
        assert np.array_equal(motion.root, held.root), text
        assert np.array_equal(motion.rotations, held.rotations), text
        assert (motion.translations is None) == (held.translations is None)
        if held.translations is not None:
            assert np.array_equal(motion.translations, held.translations), text


ARC = {"degree": 3, "controls": [[0, 0], [0.1, 2.3], [1, 4], [3, 5]]}
REPATHS: dict[str, dict[str, Any]] = {
    "a shape": {"path": {"shape": "circle:1.5"}},
    "a drawn spline": {"path": ARC},
    "a drawn line": {"path": {"points": [[0, 0], [0, 2], [1.123456789, 3]]}},
    "with heights": {"path": {"points": [[0, 0, 0], [0, 0.3, 3], [1, 0.3, 5]]}},
    "with wishes": {
        "path": ARC, "cycle": True, "seconds": 6.5, "end": "onward", "ground": "waves:0.2,5", "natural": True, "stretch": 0.01,
        "degree": 4, "start": "clip",
    },
    "at another rate": {"path": {"shape": "line:4"}, "fps": 24},
    "in its time, feet left": {"path": {"shape": "line:5"}, "keep": "time", "feet": False},
}  # fmt: skip


@pytest.mark.parametrize("case", REPATHS)
def test_repath(client: TestClient, folder: Path, app: FastAPI, case: str) -> None:
    for clip in ("walk", "-my walk") if case == "a drawn spline" else ("walk",):
        again(client, folder, app, made(client, f"/api/clips/{clip_id(client, clip)}/repath", REPATHS[case]))


REACHES: dict[str, dict[str, Any]] = {
    "a punch": {"space": "right punch", "target": [0.1, 1.3]},
    "ahead too": {"space": "right punch", "target": [-0.05, 1.35, 0.66]},
    "with the other foot": {"space": "right kick", "target": [-0.1, 0.9], "mirror": True},
    "within bounds": {"space": "right punch", "target": [0.1, 1.3], "bounds": [-0.1, 1.1], "fps": 30},
    "unfinished": {"space": "right punch", "target": [0.1, 1.3], "finished": False},
    "beyond, in parts": {"space": "right punch", "target": [-0.45, 1.7], "method": "partial"},
    "out of reach": {"space": "right punch", "target": [-3, 1.3]},
}


@pytest.mark.parametrize("case", REACHES)
def test_reach(client: TestClient, folder: Path, app: FastAPI, case: str) -> None:
    id_ = next(space["id"] for space in client.get("/api/state").json()["spaces"])
    again(client, folder, app, made(client, f"/api/spaces/{id_}/reach", REACHES[case]))


JOINS: dict[str, dict[str, Any]] = {
    "a punch in a walk": {"space": "right punch", "target": [0.1, 1.3], "before": 1.5, "after": 1, "seed": 4},
    "feet left": {"space": "right kick", "target": [0.1, 0.9, 0.7], "before": 0, "label": "walk", "clean": False},
}


@pytest.mark.parametrize("case", JOINS)
def test_join(client: TestClient, folder: Path, app: FastAPI, case: str) -> None:
    state = client.get("/api/state").json()
    graph, space = state["graphs"][0], next(one for one in state["spaces"] if one["space"] == JOINS[case]["space"])
    result = made(client, f"/api/spaces/{space['id']}/join", {**JOINS[case], "graph": graph["id"]})
    again(client, folder, app, result)
    # the space's own frame, in which the strike is told
    strike, place = result["strike"], result["placement"]
    motion = app.state.results.get(result["id"]).motion
    limb = strike["limb"].replace("hand", "wrist").replace("foot", "ankle").replace(" ", "_")
    hit = FloorTransform(**place).apply(motion.position(limb)[strike["hit_frame"]])
    assert np.linalg.norm(hit - strike["hit"]) < 0.05 + strike["miss_cm"] / 100


def test_a_join_needs_a_graph_that_is_there(client: TestClient) -> None:
    space = client.get("/api/state").json()["spaces"][0]
    asked = {"space": "right punch", "target": [0.1, 1.3]}
    assert client.post(f"/api/spaces/{space['id']}/join", json=asked).status_code == 422
    answer = client.post(f"/api/spaces/{space['id']}/join", json={**asked, "graph": "0" * 12})
    assert answer.status_code == 404
    long = {**asked, "graph": client.get("/api/state").json()["graphs"][0]["id"], "before": 200}
    answer = client.post(f"/api/spaces/{space['id']}/join", json=long)
    assert answer.status_code == 422
    assert "more than 120 s together" in answer.json()["error"]


FOLLOWS: dict[str, dict[str, Any]] = {
    "a shape": {"path": {"shape": "eight:2.5"}, "label": "walk"},
    "a drawn line": {"path": {"points": [[0, 0], [0, 3], [2.5, 6.123]]}, "blend": "inertial", "warp": False},
    "a spline, feet left": {"path": ARC, "clean": False, "heading_deg": 10, "width": 200, "horizon": 5, "speed": 1.3},
    "sections": {
        "path": {"shape": "line:14"},
        "sections": [{"first": 0, "last": 7, "label": "walk"}, {"first": 7, "last": 14, "label": "run"}],
    },
    "all that a search takes": {
        "path": {"shape": "line:9"}, "obstacles": [{"x": 0.5, "z": 4, "width": 1, "depth": 0.5}], "clearance": 0.2, "end_heading_deg": 20,
        "zone": 2, "limit": 60, "keep": 0.8, "price": 30, "gap": 0.4, "least": 0.5, "measure": "arc", "seed": 7,
    },
    "wishes": {
        "path": {"shape": "line:10"}, "prefer": {"walk": 5.5}, "obstacles": [{"x": -0.1, "z": 5, "radius": 0.4}], "start": "walk@10",
    },
}  # fmt: skip


@pytest.fixture(scope="module")
def graph(client: TestClient) -> str:
    return str(client.get("/api/state").json()["graphs"][0]["id"])


@pytest.mark.parametrize("case", FOLLOWS)
def test_follow(client: TestClient, folder: Path, app: FastAPI, graph: str, case: str) -> None:
    again(client, folder, app, made(client, f"/api/graphs/{graph}/follow", FOLLOWS[case]))


WALKS: dict[str, dict[str, Any]] = {
    "at random": {"seconds": 6, "seed": 7, "label": "walk"},
    "from a pool": {"seconds": 4.5, "seed": 1, "pool": 0.1, "blend": "linear", "clean": False},
    "with rests": {"seconds": 5, "gap": 0.5, "start": "stand"},
    "in order": {"sequence": ["stand", "walk", "run"], "stay": 1.5},
}


@pytest.mark.parametrize("case", WALKS)
def test_walk(client: TestClient, folder: Path, app: FastAPI, graph: str, case: str) -> None:
    again(client, folder, app, made(client, f"/api/graphs/{graph}/walk", WALKS[case]))


EXPORTS: dict[str, tuple[str, dict[str, Any]]] = {
    "BVH": (".bvh", {}),
    "BVH with wishes": (".bvh", {"fps": 30, "in_place": True, "t_pose": True, "units": "m"}),
    "GLB": (".glb", {"fps": 24}),
    "CSV": (".csv", {"up": "z", "units": "cm"}),
    "AMC": (".amc", {}),
    "arrays": (".npz", {"fps": 30}),
    "page": (".html", {"fps": 30}),
    "picture": (".png", {}),
}


@pytest.mark.parametrize("kind", ["clip", "result"])
@pytest.mark.parametrize("case", EXPORTS)
def test_export(client: TestClient, folder: Path, kind: str, case: str) -> None:
    """The recipe of an export writes the very same again: bytes, or where a file holds its own name, all else."""
    suffix, options = EXPORTS[case]
    id_ = clip_id(client, "walk")
    if kind == "result":
        id_ = made(client, f"/api/clips/{id_}/repath", {"path": ARC})["id"]
    body = {"source": {"kind": kind, "id": id_}, "format": suffix, "name": "out put", "options": options}
    answer = client.post("/api/export", json=body)
    assert answer.status_code == 200, answer.text
    told = answer.json()
    file = folder / told["export"]["file"]
    before = contents(file)
    for run, text in ((run_command, told["command"]), (run_python, told["python"])):
        file.unlink()
        run(folder, text)
        assert same(file, before), text
    for left in (folder / "exports").iterdir():
        left.unlink()


def contents(file: Path) -> dict[str, Any]:
    """What a file holds, but for the motion's name: that is the file's in one case and the clip's in the other."""
    if file.suffix == ".npz":
        with np.load(file) as archive:
            return {name: archive[name] for name in archive.files if name != "name"}
    if file.suffix == ".glb":
        motion = kg.load(file)
        return {"fps": motion.fps, "root": motion.root, "rotations": motion.rotations}
    if file.suffix == ".html":
        packed = re.findall(r'id="kinegraph-(motion|body)">([^<]+)<', file.read_text())
        assert [name for name, _ in packed] == ["motion", "body"]
        parts = [unpack(gzip.decompress(base64.b64decode(text))) for _, text in packed]
        return {f"{part} {name}": array for part, (_, arrays, _) in enumerate(parts) for name, array in arrays.items()}
    return {"bytes": file.read_bytes()}


def same(file: Path, before: dict[str, Any]) -> bool:
    now = contents(file)
    return before.keys() == now.keys() and all(np.array_equal(before[name], now[name]) for name in before)


def test_a_clip_is_not_written_over(client: TestClient) -> None:
    told = client.get(f"/api/clips/{clip_id(client, 'walk')}/recipe?format=.bvh").json()
    assert told["command"] == "kinegraph convert walk.bvh 'walk copy.bvh'"


def test_words_are_quoted_and_no_file_is_an_option() -> None:
    made = recipe(None, "-my 'walk'.npz", "it's.bvh")
    assert shlex.split(made.command) == ["kinegraph", "convert", "./-my 'walk'.npz", "it's.bvh"]
    assert "kg.load(\"-my 'walk'.npz\")" in made.python
    hostile = recipe(None, '$(rm -rf ~)"\\.bvh', "x.bvh")
    assert shlex.split(hostile.command)[2] == '$(rm -rf ~)"\\.bvh'
    compile(hostile.python, "recipe", "exec")


def test_drawn_paths_are_kept_once(client: TestClient, folder: Path) -> None:
    id_ = made(client, f"/api/clips/{clip_id(client, 'walk')}/repath", {"path": {"points": [[0, 0], [0, 3.21]]}})["id"]
    before = set(folder.glob("sketches/*"))
    first = client.get(f"/api/results/{id_}/recipe").json()
    assert client.get(f"/api/results/{id_}/recipe").json() == first
    new = set(folder.glob("sketches/*")) - before
    assert len(new) == 1
    assert new.pop().relative_to(folder).as_posix() in first["command"]
