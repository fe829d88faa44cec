"""Every route of the studio that takes a file or serves one, and what becomes of it with a hostile one in the workspace."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from kinegraph.player.packs import unpack
from kinegraph.studio.server.app import create_app
from kinegraph.studio.workspace.workspace import Workspace
from tests.hostile.commands import CHARACTER, CURVE, GRAPH, MOTION, SPACE, Commands, kinds
from tests.hostile.goods import good
from tests.studio.asking import ended

# kinds of files that lie in the folder of their own
_FOLDERS = {"scene": "scenes", "crowd": "scenarios", CURVE: "sketches", "kept": "results", "ground": "grounds"}
_RUN = {"type": "run", "scenario": {"named": "circle", "count": 2}, "seconds": 1}
_SCENE = {"seconds": 2, "key": [{"time": 0.5, "at": [0, 0.5]}]}
# packs of a socket after which it has said enough, and seconds for a job
_ENOUGH, _PATIENCE = 4, 300.0
# the code of a socket that ended by a fault
_INSIDE = 1011
Asked = tuple[str, Any]


class Routes:
    """A studio with a graph, a space, a clip, a character and a result that are good; what is hostile comes and goes."""

    def __init__(self, beside: Commands) -> None:
        self.place = beside.folder / "studio"
        self.place.mkdir()
        for name in ("good.mog", "walk.bvh", "stand.bvh"):
            shutil.copy(beside.folder / name, self.place / name)
        (self.place / "characters").mkdir()
        (self.place / "characters" / "hero.glb").write_bytes(good("hero.glb"))
        self.asked: set[tuple[str, str]] = set()
        self._open()
        self.walk, self.graph, self.hero = self.id("clips", "walk"), self.id("graphs"), self.id("characters")
        made = self.client.post(f"/api/graphs/{self.graph}/walk", json={"seconds": 1})
        assert made.status_code == 200, made.text
        self.result = unpack(made.content)[0]["result"]["id"]

    def _open(self) -> None:
        app = create_app(Workspace(self.place), hosts={"testserver"})
        self.client = TestClient(app, raise_server_exceptions=False).__enter__()
        self.client.event_hooks["request"].append(lambda asked: self.asked.add((asked.method, asked.url.path)))

    def close(self) -> None:
        """End it."""
        self.client.__exit__(None, None, None)

    def state(self) -> dict[str, Any]:
        """What the studio tells of the workspace."""
        return dict(self.client.get("/api/state").json())

    def id(self, what: str, name: str = "") -> str:
        """The id of the first of a kind that is called so."""
        return str(next(one["id"] for one in self.state()[what] if name in one["name"]))

    def answers(self, path: Path, each: int = 1, first: int = 0) -> Iterator[tuple[str, str]]:
        """What becomes of each route, or of every so many-th: its name, and ``done``, ``refused: …`` or ``fault: …``."""
        routes = [one for kind in kinds(path.name) for one in self._asks(kind, path)]
        state = self.client.get("/api/state")
        yield "state", _told(state)
        for name, ask in routes[first % each :: each]:
            yield name, self._answer(ask)
        self._tidy()

    def _answer(self, ask: Callable[[], Any]) -> str:
        try:
            return _told(ask())
        except Exception as error:
            return f"fault: {type(error).__name__}: {error}"

    def _tidy(self) -> None:
        """Take away all that is not as it was."""
        kept = {"good.mog", "walk.bvh", "stand.bvh", "hero.glb"}
        for one in self.place.rglob("*"):
            if one.is_file() and ".kinegraph" not in one.parts and one.name not in kept:
                one.unlink()
        for one in (self.place / ".kinegraph").glob("trash/*"):
            shutil.rmtree(one, ignore_errors=True)

    # -- what is asked ------------------------------------------------------------------------------------------------

    def _asks(self, kind: str, path: Path) -> list[Asked]:
        folder = self.place / _FOLDERS.get(kind, "")
        folder.mkdir(exist_ok=True)
        data = path.read_bytes()
        by = {
            MOTION: self._motion, GRAPH: self._graph, SPACE: self._space, CHARACTER: self._character,
            "labels": self._labels, "scene": self._scene, "crowd": self._crowd, CURVE: self._sketch, "skeleton": self._skeleton,
            "kept": self._kept, "ground": self._ground,
        }  # fmt: skip
        if kind not in by:
            return []
        (folder / path.name).write_bytes(data)
        return list(by[kind](path, data))

    def _motion(self, path: Path, data: bytes) -> Iterator[Asked]:
        """A clip that is sent, and one that lies there."""
        if path.suffix == ".amc":
            (self.place / "clip.asf").write_bytes(good("body.asf"))
        files = [("files", (f"sent{path.suffix}", data)), ("files", ("sent.asf", good("body.asf")))]
        yield "upload", lambda: self.client.post("/api/clips", files=files[: 2 if path.suffix == ".amc" else 1])
        found = [one["id"] for one in self.state()["clips"] if one["file"] == path.name]
        for id in found:
            yield from self._clip(id)

    def _clip(self, id: str) -> Iterator[Asked]:
        get, post = self.client.get, self.client.post
        at, pair = f"/api/clips/{id}", {"a": id, "b": self.walk}
        yield "clip", lambda: get(at)
        for rest in ("motion", "body", "path", "thumbnail.svg", "recipe", f"on/{self.hero}"):
            yield f"clip/{rest[:9]}", lambda rest=rest: get(f"{at}/{rest}")
        yield "repath", lambda: post(f"{at}/repath", json={"path": {"shape": "line:2"}})
        yield "trim", lambda: post(f"{at}/trim", json={"first": 1, "last": 5})
        yield "label", lambda: self.client.patch(at, json={"labels": [{"label": "walk", "from": 0}]})
        yield "labels", lambda: post("/api/labels", json={"clips": [id], "add": ["walk"]})
        yield "labels put", lambda: self.client.put("/api/labels", json={"clips": [{"clip": id, "labels": []}]})
        yield "matrix", lambda: get("/api/matrix", params=pair)
        yield "align", lambda: get("/api/align", params={**pair, "i": 3, "j": 3})
        yield "transition", lambda: post("/api/transition", json={**pair, "i": 3, "j": 3})
        for format in (".npz", ".glb", ".html"):
            asked = {"source": {"kind": "clip", "id": id}, "format": format, "name": "out"}
            yield f"export {format}", lambda asked=asked: self._exported(asked)
        worn = {**asked, "format": ".glb", "options": {"character": self.hero}}
        yield "export worn", lambda: post("/api/export", json=worn)
        yield "build", lambda: self._job("/api/graphs", {"name": "made", "clips": [id, self.walk]})
        yield "add", lambda: self._job(f"/api/graphs/{self._copy()}/add", {"clips": [id]})
        yield "space", lambda: self._job("/api/spaces", {"name": "made", "clips": [id], "kind": "punch"})
        yield "rename", lambda: self.client.patch(at, json={"name": "other"})
        yield "delete", lambda: self._deleted("clips", "other")

    def _graph(self, path: Path, data: bytes) -> Iterator[Asked]:
        found = [one["id"] for one in self.state()["graphs"] if one["file"] == path.name]
        get, post = self.client.get, self.client.post
        for at in (f"/api/graphs/{id}" for id in found):
            id = at.rsplit("/")[-1]
            for rest in ("", "/edges", "/clips/0/motion", "/body", "/scene", "/turns", f"/on/{self.hero}"):
                yield f"graph{rest[:8]}", lambda rest=rest, at=at: get(f"{at}{rest}")
            yield "walk", lambda at=at: post(f"{at}/walk", json={"seconds": 2})
            yield "visit", lambda at=at: post(f"{at}/walk", json={"sequence": ["walk", "stand"]})
            yield "follow", lambda at=at: post(f"{at}/follow", json={"path": {"shape": "line:2"}})
            yield "direct", lambda at=at: post(f"{at}/direct", json={"scene": _SCENE, "draft": True})
            yield "live", lambda id=id: self._socket(f"/api/live?graph={id}", {"type": "wish", "velocity": [0, 1]})
            yield "crowd", lambda id=id: self._socket(f"/api/crowd?graph={id}", _RUN)
            yield "rechoose", lambda at=at: self._job(f"{at}/rechoose", {"threshold_cm": 5})
            yield "add", lambda at=at: self._job(f"{at}/add", {"clips": [self.walk]})

    def _space(self, path: Path, data: bytes) -> Iterator[Asked]:
        for one in self.state()["spaces"]:
            if one["file"] == path.name:
                at, query = f"/api/spaces/{one['id']}", {"space": one["space"]}
                yield "space", lambda at=at, query=query: self.client.get(at, params=query)
                yield "trust", lambda at=at, query=query: self.client.get(f"{at}/trust", params=query)
                reach = {"target": [0.1, 1.2], "space": one["space"]}
                yield "reach", lambda at=at, reach=reach: self.client.post(f"{at}/reach", json=reach)
                join = {**reach, "graph": self.graph, "before": 1, "after": 1}
                yield "join", lambda at=at, join=join: self.client.post(f"{at}/join", json=join)
        yield "delete", lambda: self._deleted("graphs", path.stem)

    def _character(self, path: Path, data: bytes) -> Iterator[Asked]:
        post, get = self.client.post, self.client.get
        yield "drop", lambda: post("/api/characters", files={"files": ("sent.glb", data)})
        (self.place / "characters" / path.name).with_stem("laid").write_bytes(data)
        for id in [
            one["id"] for one in self.state()["characters"] if one["name"] != "hero" or one["file"] == path.name
        ]:
            at = f"/api/characters/{id}"
            asked = {"source": {"kind": "clip", "id": self.walk}, "format": ".glb", "name": "out"}
            yield "character", lambda at=at: get(at)
            yield "character/file", lambda at=at: get(f"{at}/file")
            for what, on in (("clips", self.walk), ("results", self.result), ("graphs", self.graph)):
                yield f"{what} on", lambda what=what, on=on, id=id: get(f"/api/{what}/{on}/on/{id}")
            yield "recipe", lambda id=id: get(f"/api/clips/{self.walk}/recipe?format=.glb&character={id}")
            yield "export on", lambda a=asked, id=id: post("/api/export", json={**a, "options": {"character": id}})
            yield "delete", lambda at=at: self.client.delete(at)

    def _ground(self, path: Path, data: bytes) -> Iterator[Asked]:
        """A height field that is sent, and one that lies there."""
        yield "upload", lambda: self.client.post("/api/grounds", files={"files": (f"sent{path.suffix}", data)})
        for one in self.state()["height_fields"]:
            asked = {"path": {"shape": "line:2"}, "ground": one["file"]}
            near = {"text": one["file"], "x0": 0, "z0": 0, "step": 0.5, "rows": 4, "columns": 4}
            yield "ground", lambda near=near: self.client.get("/api/ground", params=near)
            yield "repath", lambda asked=asked: self.client.post(f"/api/clips/{self.walk}/repath", json=asked)
            yield "delete", lambda one=one: self.client.delete(f"/api/grounds/{one['id']}")

    def _labels(self, path: Path, data: bytes) -> Iterator[Asked]:
        at = f"/api/clips/{self.walk}"
        yield "clip", lambda: self.client.get(at)
        yield "label", lambda: self.client.patch(at, json={"labels": [{"label": "walk", "from": 0}]})
        (self.place / path.name).write_bytes(data)
        yield "labels", lambda: self.client.post("/api/labels", json={"clips": [self.walk], "add": ["walk"]})
        yield "labels put", lambda: self.client.put("/api/labels", json={"clips": [{"clip": self.walk, "labels": []}]})
        yield "build", lambda: self._job("/api/graphs", {"name": "made", "clips": [self.walk]})

    def _scene(self, path: Path, data: bytes) -> Iterator[Asked]:
        post = self.client.post
        text = data.decode("utf-8", "replace")
        read = post("/api/scenes/read", json={"text": text, "file": path.name})
        yield "read", lambda: read
        yield "scenes", lambda: self.client.get("/api/scenes")
        for one in self.client.get("/api/scenes").json():
            at = f"/api/scenes/{one['id']}"
            kept = self.client.get(at)
            yield "scene", lambda kept=kept: kept
            if kept.status_code == 200:
                said = kept.json()
                said = said.get("scene", said)
                yield (
                    "direct",
                    lambda s=said: post(f"/api/graphs/{self.graph}/direct", json={"scene": s, "draft": True}),
                )
                yield "write", lambda s=said: post("/api/scenes/write", json=s)
                yield "keep", lambda s=said: self.client.put("/api/scenes/again", json=s)
            yield "delete", lambda at=at: self.client.delete(at)

    def _crowd(self, path: Path, data: bytes) -> Iterator[Asked]:
        for one in self.client.get("/api/crowd/scenarios").json():
            kept = {"kept": one["id"]}
            yield "scenario", lambda kept=kept: self.client.post("/api/crowd/scene", json=kept)
            yield "drawing", lambda kept=kept: self.client.post("/api/crowd/drawing", json=kept)
            again = {"name": "again", "scenario": kept}
            yield "keep", lambda again=again: self.client.post("/api/crowd/scenarios", json=again)
            run = {**_RUN, "scenario": kept}
            yield "crowd", lambda run=run: self._socket(f"/api/crowd?graph={self.graph}", run)

    def _sketch(self, path: Path, data: bytes) -> Iterator[Asked]:
        for one in self.state()["sketches"]:
            at = f"/api/sketches/{one['id']}"
            kept = self.client.get(at)
            yield "sketch", lambda kept=kept: kept
            if kept.status_code == 200:
                path_of = {
                    name: value
                    for name, value in kept.json().items()
                    if name in ("shape", "points", "controls", "degree")
                }
                asked = {"path": path_of}
                yield "sketch followed", lambda a=asked: self.client.post(f"/api/graphs/{self.graph}/follow", json=a)
                yield "sketch repath", lambda a=asked: self.client.post(f"/api/clips/{self.walk}/repath", json=a)
                yield "sketch kept", lambda p=path_of: self.client.put("/api/sketches/again", json=p)
            yield "sketch delete", lambda at=at: self.client.delete(at)

    def _skeleton(self, path: Path, data: bytes) -> Iterator[Asked]:
        """A clip whose ASF is hostile."""
        (self.place / "body.amc").write_bytes(good("clip.amc"))
        files = [("files", ("sent.amc", good("clip.amc"))), ("files", ("sent.asf", data))]
        yield "upload", lambda: self.client.post("/api/clips", files=files)
        for one in self.state()["clips"]:
            if one["file"] == "body.amc":
                yield from self._clip(one["id"])

    def _kept(self, path: Path, data: bytes) -> Iterator[Asked]:
        """A result that was kept: its motion, or all that is told of it."""
        for other in ("kept.npz", "kept.json"):
            if other != path.name:
                path_of = self.place / "results" / other
                path_of.write_bytes(good(other))
        for one in self.state()["results"]:
            at = f"/api/results/{one['id']}"
            for rest in ("motion", "body", "page", "recipe", f"on/{self.hero}"):
                yield f"result/{rest[:6]}", lambda at=at, rest=rest: self.client.get(f"{at}/{rest}")
            asked = {"source": {"kind": "result", "id": one["id"]}, "format": ".bvh", "name": "out"}
            yield "export", lambda asked=asked: self._exported(asked)
            yield "keep", lambda at=at: self.client.post(f"{at}/keep", json={"name": "again"})
            yield "rename", lambda at=at: self.client.patch(at, json={"name": "other"})
            yield "delete", lambda: self._deleted("results", "other")

    # -- how it is asked ----------------------------------------------------------------------------------------------

    def _copy(self) -> str:
        """The id of a graph that may be changed."""
        shutil.copy(self.place / "good.mog", self.place / "copy.mog")
        return self.id("graphs", "copy")

    def _job(self, at: str, asked: Any) -> Any:
        """A job that is waited for: a fault of ours in it is one, and so it is where it never ends."""
        begun = self.client.post(at, json=asked)
        if begun.status_code < 400:
            told = ended(self.client, begun.json()["id"], _PATIENCE)
            assert "inside kinegraph" not in (told["message"] or ""), told["message"]
        return begun

    def _exported(self, asked: Any) -> Any:
        """Written, and then fetched."""
        written = self.client.post("/api/export", json=asked)
        for one in self.state()["exports"] if written.status_code < 400 else ():
            fetched = self.client.get(f"/api/exports/{one['id']}/file")
            if fetched.status_code >= 500:
                return fetched
        return written

    def _deleted(self, what: str, name: str) -> Any:
        """Put into the trash, and had back."""
        found = [one["id"] for one in self.state()[what] if one.get("name", one.get("title")) == name]
        if not found:
            return self.client.get("/api/jobs")
        gone = self.client.delete(f"/api/{what}/{found[0]}")
        return gone if gone.status_code >= 400 else self.client.post(f"/api/trash/{gone.json()['trash']}/restore")

    def _socket(self, at: str, said: Any) -> Any:
        """A socket that is told something: what it says until it has said enough must be sentences and packs."""
        self.asked.add(("WEBSOCKET", at.split("?")[0]))
        run, packs = "", 0
        with self.client.websocket_connect(at) as socket:
            socket.send_text(json.dumps(said))
            try:
                while packs < _ENOUGH or "crowd" in at:
                    heard = socket.receive()
                    packs += heard.get("bytes") is not None
                    if heard["type"] == "websocket.close":
                        raise WebSocketDisconnect(heard.get("code", 1000))
                    if (heard.get("bytes") or b"")[:4] == b"KGP1":
                        run = run or unpack(heard["bytes"])[0].get("crowd", {}).get("run", "")
                    if json.loads(heard.get("text") or "{}").get("type") in ("done", "refused", "problem"):
                        break
            except WebSocketDisconnect as gone:
                if gone.code == _INSIDE:
                    raise
        if run:
            return self._job(f"/api/crowd/{run}/export", {"name": "out", "format": ".npz"})
        return self.client.get("/api/jobs")


def _told(answer: Any) -> str:
    said = f"{answer.status_code}: {answer.text[:200] if answer.status_code >= 400 else ''!r}"
    if answer.status_code >= 500:
        return f"fault: {said}"
    return "done" if answer.status_code < 400 else f"refused: {said}"
